"""What the tutorial finds is true of the graph that its reader builds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import kg
from kg.compare import trends
from kg.store import Graph


@pytest.fixture(scope="module")
def graph(home: Path) -> Graph:
    return kg.load(home / "graph.json")


def test_bert_comes_and_the_lstm_goes(graph: Graph) -> None:
    found = {trend.node: trend for trend in trends(graph)}
    come, gone = found["method:bert"], found["method:lstm"]
    assert gone.change < 0 < come.change
    assert min(come.years) >= 2019
    assert 2 * sum(count for year, count in gone.years.items() if year <= 2017) > sum(gone.years.values())


def test_code_is_the_exception_before_2016_and_the_rule_since(graph: Graph) -> None:
    papers = [data for _, data in graph.nodes(data=True) if data["type"] == "Paper"]
    seen = Counter((data["year"] >= 2016, data["code_status"] == "linked") for data in papers)
    assert seen[False, True] < seen[False, False]
    assert seen[True, True] > seen[True, False]


def test_more_papers_evaluate_on_imagenet_than_on_anything_else(graph: Graph) -> None:
    used = Counter(target for _, target, relation in graph.edges(keys=True) if relation == "EVALUATES_ON")
    (first, most), (_, second) = used.most_common(2)
    assert (first, most > second) == ("dataset:imagenet", True)
