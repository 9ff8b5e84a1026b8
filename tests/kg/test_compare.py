"""Nodes compared with each other."""

from __future__ import annotations

import networkx as nx
import pytest

from kg.compare import Gap, Similar, Trend, gaps, path, similar, trends, why
from kg.errors import NotFoundError
from kg.store import Graph
from tests.graphs import STAR, UPG, small_graph


def corpus(*papers: tuple[int | None, str]) -> Graph:
    """Papers p0, p1, … with a year and their concepts: `m` methods, `t` tasks."""
    graph: Graph = nx.MultiDiGraph()
    for index, (year, concepts) in enumerate(papers):
        graph.add_node(f"p{index}", type="Paper", name=f"Paper {index}", year=year)
        for name in concepts.split():
            kind, relation = ("Method", "USES") if name.startswith("m") else ("Task", "ADDRESSES")
            graph.add_node(name, type=kind, name=name)
            graph.add_edge(f"p{index}", name, relation, type=relation, evidence=[])
    return graph


def test_why_gives_every_edge_with_the_surest_sentence_first() -> None:
    (edge,) = why(small_graph(), "method:transformer", "method:upgnet")
    assert (edge.source, edge.relation, edge.target) == ("method:upgnet", "IMPROVES", "method:transformer")
    assert [item["sentence"] for item in edge.evidence] == ["We propose UPGNET."]
    assert why(small_graph(), "method:upgnet", "dataset:cora") == []


def test_path_follows_edges_both_ways() -> None:
    steps = path(small_graph(), "dataset:cora", "term:transformer-c")
    assert [(step.source, step.relation, step.target) for step in steps] == [
        (UPG, "EVALUATES_ON", "dataset:cora"),
        (UPG, "USES", "method:transformer"),
        (STAR, "USES", "method:transformer"),
        (STAR, "MENTIONS", "term:transformer-c"),
    ]
    assert path(small_graph(), UPG, UPG) == []


def test_path_prefers_the_node_that_fewer_others_have() -> None:
    graph = corpus((None, "m1 t1 t2"), (None, "t1 t2 m2"), (None, "t1"), (None, "t1"))
    assert [step.target for step in path(graph, "p0", "p1")] == ["t2", "t2"]


def test_no_path_is_an_error() -> None:
    graph = corpus((None, "m1"), (None, "m2"))
    with pytest.raises(NotFoundError, match="nothing connects 'm1' and 'm2'"):
        path(graph, "m1", "m2")


def test_similar_papers_share_what_is_rare() -> None:
    graph = corpus((None, "m1 t1"), (None, "m1"), (None, "t1"), (None, "t1 m3"), (None, "t1 m4"))
    found = similar(graph, "p0", limit=2)
    assert [(item.node, item.shared) for item in found] == [("p1", ("m1",)), ("p2", ("t1",))]
    assert 0 < found[0].score < 1


def test_similar_methods_keep_the_same_company() -> None:
    graph = corpus((None, "m1 t1"), (None, "m2 t1"), (None, "m3 t2"))
    assert similar(graph, "m1") == [Similar("m2", 1.0, ("t1",))]


def test_what_is_neither_paper_nor_concept_has_nothing_similar() -> None:
    with pytest.raises(NotFoundError, match="neither a paper nor a concept"):
        similar(small_graph(), "author:ann-roe")


def test_trends_compare_the_halves_of_the_years() -> None:
    graph = corpus((2020, "m1 t1"), (2020, "m1"), (2021, "t1 m2"), (2022, "m2 t1"), (None, "m1"))
    assert trends(graph) == [
        Trend("m2", {2021: 1, 2022: 1}, 100.0),
        Trend("t1", {2020: 1, 2021: 1, 2022: 1}, 50.0),
        Trend("m1", {2020: 2}, -100.0),
    ]
    assert [trend.node for trend in trends(graph, type="Task", least=3)] == ["t1"]


def test_one_year_has_no_trend() -> None:
    assert trends(corpus((2020, "m1"), (2020, "m1"))) == []


def test_gaps_are_what_the_neighbours_do() -> None:
    graph = corpus(
        (None, "m1 t1 t2"),
        (None, "m1 t1"),
        (None, "m2 t1 t2"),
        (None, "m2 t3"),
        (None, "t3 m3"),
        (None, "m3"),
    )
    assert gaps(graph)[0] == Gap("m1", "t3", gaps(graph)[0].score, ("m2",), ("t1", "t2"))
    assert ("m2", "t1") not in {(gap.method, gap.task) for gap in gaps(graph)}
    assert gaps(graph, least=3) == []
