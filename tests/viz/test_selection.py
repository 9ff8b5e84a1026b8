"""Tests of what is on the page."""

from __future__ import annotations

import pytest

from tests.graphs import STAR, UPG, small_graph
from viz.selection import Choice, normalize, ranked, select

GRAPH = normalize(small_graph())
REPOSITORY = "repository:github.com/o/upg"


@pytest.mark.parametrize(
    ("choice", "shown", "off"),
    [
        (Choice(focus="Cora"), ["dataset:cora", UPG], []),
        (Choice(focus="Cora", depth=0), ["dataset:cora"], []),
        (
            Choice(focus="Star Attention", depth=2, types=["Method", "Paper"]),
            [STAR, "method:transformer", UPG, "method:upgnet"],
            [],
        ),
        (Choice(types=["Task", "Dataset"]), ["dataset:cora", "task:graph-learning"], []),
        (Choice(types=["Author"]), ["author:ann-roe"], []),
        (Choice(top=2), [UPG, "method:transformer"], ["author:ann-roe", "venue:icml"]),
        (Choice(nodes=[STAR, UPG]), [STAR, UPG], []),
        (Choice(mode="timeline"), ["method:transformer", "method:upgnet"], []),
    ],
)
def test_what_is_chosen_is_shown(choice: Choice, shown: list[str], off: list[str]) -> None:
    selection = select(GRAPH, choice)
    assert sorted(selection.shown) == sorted(shown)
    assert list(selection.off) == off


def test_the_best_connected_come_first() -> None:
    assert ranked(GRAPH)[:2] == [UPG, "method:transformer"]


def test_the_node_in_focus_is_never_cut() -> None:
    assert select(GRAPH, Choice(focus="Cora", top=1)).shown == ["dataset:cora"]


def test_a_method_stands_in_the_year_of_the_paper_that_proposes_it() -> None:
    nodes = select(GRAPH, Choice(mode="timeline")).graph.nodes
    assert {node: data["first"] for node, data in nodes(data=True)} == {
        "method:transformer": 2024,
        "method:upgnet": 2025,
    }


def test_concepts_alone_are_joined_by_papers() -> None:
    folded = select(GRAPH, Choice(mode="concepts")).graph
    assert {data["type"] for _, data in folded.nodes(data=True)} == {"Method", "Task", "Dataset", "Term"}
    data = folded.edges["dataset:cora", "method:upgnet", "TOGETHER_IN"]
    assert (data["papers"], data["evidence"]) == (1, [{"paper": UPG, "sentence": ""}])
    assert ("method:upgnet", "method:transformer", "IMPROVES") in folded.edges


def test_papers_alone_are_joined_by_concepts() -> None:
    folded = select(GRAPH, Choice(mode="papers")).graph
    assert [(source, target, data["papers"]) for source, target, data in folded.edges(data=True)] == [
        (STAR, UPG, 1)
    ]
    ((_, _, data),) = folded.edges(data=True)
    assert [item["sentence"] for item in data["evidence"]] == ["Transformer"]
