"""Tests of questions to a graph."""

from __future__ import annotations

import networkx as nx
import pytest

from kg.errors import NotFoundError
from kg.lookup import Statistics, display_name, find, find_all, neighbours, search, statistics
from kg.store import Graph
from tests.graphs import STAR, UPG, small_graph


@pytest.fixture(scope="module")
def graph() -> Graph:
    return small_graph()


@pytest.mark.parametrize(
    ("name", "node"),
    [
        pytest.param("method:upgnet", "method:upgnet", id="id"),
        pytest.param("Method:UPGNET", "method:upgnet", id="id-in-another-case"),
        pytest.param("UPGNET", "method:upgnet", id="name"),
        pytest.param("upgnet", "method:upgnet", id="name-in-another-case"),
        pytest.param("  Graph \n Learning ", "task:graph-learning", id="spaces"),
        pytest.param("ＵＰＧＮＥＴ", "method:upgnet", id="full-width"),
        pytest.param("Unified Private Graph Network", "method:upgnet", id="alias"),
        pytest.param("star attention", STAR, id="title"),
        pytest.param("17", UPG, id="id-of-the-input"),
        pytest.param("2401.00001", STAR, id="arxiv"),
        pytest.param("https://github.com/o/upg", "repository:github.com/o/upg", id="address"),
        pytest.param("upgn", "method:upgnet", id="unique-beginning-before-a-paper's-label"),
        pytest.param("UPGNET: g", UPG, id="beginning-of-a-label"),
        pytest.param("c++", "term:transformer-c", id="punctuation-counts"),
    ],
)
def test_a_name_finds_its_node(graph: Graph, name: str, node: str) -> None:
    assert find(graph, name) == node


def test_of_several_nodes_of_one_name_the_closest_spelling_then_the_most_papers_comes_first() -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("task:dropout", type="Task", name="dropout", papers=1)
    graph.add_node("method:dropout", type="Method", name="Dropout", papers=9)
    graph.add_node("term:drop", type="Term", name="drop", papers=99, aliases=["Dropout"])
    assert find_all(graph, "dropout") == ["task:dropout", "method:dropout", "term:drop"]
    assert find_all(graph, "DROPOUT") == ["method:dropout", "task:dropout", "term:drop"]


@pytest.mark.parametrize("name", ["LoRA", "lora", "low-rank adaptation"])
def test_concepts_and_papers_come_before_what_stands_beside_them(name: str) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("author:lora", type="Author", name=name)
    graph.add_node("repository:m/lora", type="Repository", name=name, url="https://github.com/m/LoRA")
    graph.add_node("venue:lora", type="Venue", name=name)
    graph.add_node("method:lora", type="Method", name="LoRA", papers=1, aliases=["low-rank adaptation"])
    graph.add_node("paper:lora", type="Paper", title=name)
    for target in ["repository:m/lora"] * 9 + ["venue:lora"] * 8:
        graph.add_edge("paper:lora", target)
    others = ["repository:m/lora", "venue:lora", "author:lora"]
    assert set(find_all(graph, name)[:2]) == {"method:lora", "paper:lora"}
    assert find_all(graph, name)[2:] == others


def test_the_order_of_equals_does_not_depend_on_that_of_the_graph() -> None:
    nodes = [
        (f"{kind}:x", {"type": kind.title(), "name": "X"}) for kind in ("venue", "task", "author", "method")
    ]
    graphs: list[Graph] = [nx.MultiDiGraph(), nx.MultiDiGraph()]
    graphs[0].add_nodes_from(nodes)
    graphs[1].add_nodes_from(reversed(nodes))
    assert {tuple(find_all(graph, "x")) for graph in graphs} == {
        ("method:x", "task:x", "author:x", "venue:x")
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        pytest.param("learning", "Did you mean: graph learning, UPGNET: graph learning?", id="part"),
        pytest.param("Transfomer", "Did you mean: Transformer?", id="typo"),
        pytest.param("zzz", "Try `kg search` with a part of the name.", id="nothing-near"),
        pytest.param("", "Try `kg search` with a part of the name.", id="empty"),
    ],
)
def test_an_unknown_name_is_an_error_that_says_what_is_near(graph: Graph, name: str, hint: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        find(graph, name)
    assert caught.value.message == f"nothing in the graph is called {name!r}"
    assert caught.value.hint == hint


def test_a_beginning_of_several_names_lists_them() -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("method:bert", type="Method", name="BERT-base", papers=1)
    graph.add_node("method:bert-large", type="Method", name="BERT-large", papers=2)
    with pytest.raises(NotFoundError) as caught:
        find(graph, "bert")
    assert caught.value.message == "2 nodes begin with 'bert'"
    assert caught.value.hint == "Did you mean one of: BERT-large, BERT-base?"


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        pytest.param("transformer", ["method:transformer"], id="name"),
        pytest.param("graph", ["method:upgnet", "task:graph-learning", UPG], id="word"),
        pytest.param("attent star", [STAR], id="parts-of-words-in-any-order"),
        pytest.param("upg", ["repository:github.com/o/upg", "method:upgnet", UPG], id="part"),
        pytest.param("  ", [], id="empty"),
        pytest.param("[bold]", [], id="markup"),
    ],
)
def test_search_finds_names_aliases_titles_and_labels(graph: Graph, text: str, nodes: list[str]) -> None:
    assert search(graph, text) == nodes


def test_search_puts_equal_names_before_words_before_parts_and_then_counts_papers() -> None:
    graph: Graph = nx.MultiDiGraph()
    for name, papers in (("attention", 1), ("Star Attention", 2), ("self-attention", 3), ("attentions", 9)):
        graph.add_node(f"method:{name}", type="Method", name=name, papers=papers)
    found = search(graph, "Attention")
    assert found == [
        "method:attention",
        "method:self-attention",
        "method:Star Attention",
        "method:attentions",
    ]
    assert search(graph, "Attention", limit=1) == found[:1]
    assert search(graph, "Attention", type="Task") == []


def test_neighbours_come_by_relation_with_their_evidence(graph: Graph) -> None:
    found = neighbours(graph, "method:upgnet")
    assert list(found) == [("IMPLEMENTED_IN", True), ("IMPROVES", True), ("PROPOSES", False)]
    (proposed,) = found["PROPOSES", False]
    assert (proposed.id, proposed.relation, proposed.outgoing) == (UPG, "PROPOSES", False)
    assert [item["sentence"] for item in proposed.evidence] == ["We propose UPGNET."]


def test_neighbours_of_an_absent_node_are_an_error(graph: Graph) -> None:
    with pytest.raises(NotFoundError):
        neighbours(graph, "method:absent")


def test_statistics_count_everything(graph: Graph) -> None:
    assert statistics(graph) == Statistics(
        papers=2,
        papers_with_code=1,
        code_status={"linked": 1, "promised": 0, "mentioned": 0, "none": 1},
        years={2024: 1, 2025: 1},
        venues={"ICML": 1},
        concepts={"Method": 2, "Task": 1, "Dataset": 1, "Metric": 0, "Term": 1},
        others={"Repository": 1, "Author": 1, "Venue": 1},
        relations={
            "PROPOSES": 1,
            "ADDRESSES": 1,
            "USES": 2,
            "EVALUATES_ON": 1,
            "HAS_CODE": 1,
            "IMPLEMENTED_IN": 1,
            "IMPROVES": 1,
            "AUTHORED": 1,
            "PUBLISHED_IN": 1,
            "MENTIONS": 1,
        },
        top={
            "Method": [("method:transformer", 2), ("method:upgnet", 1)],
            "Task": [("task:graph-learning", 1)],
            "Dataset": [("dataset:cora", 1)],
            "Metric": [],
            "Term": [("term:transformer-c", 1)],
        },
    )


def test_statistics_of_an_empty_graph_are_noughts() -> None:
    empty: Graph = nx.MultiDiGraph()
    assert statistics(empty).papers == 0


def test_display_name_falls_back_to_the_id() -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("x", type="Term")
    assert display_name(graph, "x") == "x"
