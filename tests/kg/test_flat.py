"""The graph as Neo4j holds it."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from kg.errors import GraphFileError
from kg.flat import (
    LABELS,
    NO_SENTENCE,
    RELATIONS,
    EdgeKind,
    edge_groups,
    edge_row,
    kinds,
    label_names,
    node_groups,
    node_row,
    properties,
)
from kg.lookup import NODE_TYPES
from kg.store import Graph
from tests.graphs import UPG, evidence, small_graph


def test_nodes_by_label_in_the_order_of_labels() -> None:
    groups = node_groups(small_graph())
    assert list(groups) == ["Paper", "Method", "Task", "Dataset", "Term", "Repository", "Author", "Venue"]
    assert groups["Method"] == ["method:upgnet", "method:transformer"]


def test_edges_by_kind_in_the_order_of_relations() -> None:
    groups = edge_groups(small_graph())
    assert list(groups)[:3] == [
        EdgeKind("Paper", "PROPOSES", "Method"),
        EdgeKind("Paper", "USES", "Method"),
        EdgeKind("Paper", "ADDRESSES", "Task"),
    ]
    assert sum(map(len, groups.values())) == small_graph().number_of_edges()


def test_labels_and_relations_are_those_of_the_graph() -> None:
    assert set(LABELS) == set(NODE_TYPES)
    assert len(set(RELATIONS)) == len(RELATIONS) == 19
    assert {label: label_names(label) for label in ("Paper", "Term")} == {
        "Paper": ("Paper",),
        "Term": ("Term", "Concept"),
    }


def test_node_row_has_its_id_and_no_type_or_none() -> None:
    assert node_row(small_graph(), UPG) == {
        "id": UPG,
        "abstract": "…",
        "code_status": "linked",
        "label": "UPGNET: graph learning",
        "name": "UPGNET: graph learning",
        "source_ids": ["17"],
        "venue": "ICML",
        "year": 2025,
    }


def test_an_attribute_called_id_is_kept() -> None:  # c5-08
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("paper:1", type="Paper", id="2401.00001")
    assert node_row(graph, "paper:1") == {"id": "paper:1", "id_": "2401.00001"}


def test_evidence_is_parallel_lists_the_best_first() -> None:
    graph = small_graph()
    graph.add_edge(
        *(UPG, "task:graph-learning", "USES"),
        type="USES",
        papers=1,
        score=1.0,
        evidence=[
            evidence(UPG, "Low.", score=0.5),
            {"paper": UPG, "sentence": "", "start": None, "end": None, "score": 1, "extractor": ""},
        ],
    )
    assert edge_row(graph, UPG, "USES", "task:graph-learning") == {
        "source": UPG,
        "target": "task:graph-learning",
        "properties": {
            "papers": 1,
            "score": 1.0,
            "sentences": [NO_SENTENCE, "Low."],
            "evidence_papers": [UPG, UPG],
            "evidence_scores": [1.0, 0.5],
            "evidence_starts": [-1, 1],
            "evidence_ends": [-1, 5],
            "evidence_extractors": ["?", "test"],
        },
    }


def test_an_edge_without_evidence_has_no_lists() -> None:
    assert edge_row(small_graph(), "author:ann-roe", "AUTHORED", UPG)["properties"] == {}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], None),
        (["", None], None),
        ([1, 0.5], [1.0, 0.5]),
        ([1, "a", True], ["1", "a", "true"]),
        ([{"b": 1}, [2]], ['{"b":1}', "[2]"]),
        (2**63, str(2**63)),
        (-(2**63), -(2**63)),
        ("", ""),
        (float("nan"), None),
        ("\ud800", "?"),
    ],
)
def test_values_are_flat(value: Any, expected: Any) -> None:
    assert properties({"x": value}) == ({} if expected is None else {"x": expected})


def test_names_of_properties_are_plain() -> None:
    assert properties({"a`b) //": 1, "évidence": 2}) == {"a_b____": 1, "_vidence": 2}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], "long"),
        ([1, 0.5], "double"),
        ([True], "boolean"),
        ([2024, "n.d."], "string"),
        ([True, 1], "string"),
        ([["a"], "b"], "string[]"),
        ([[1], [0.5]], "double[]"),
    ],
)
def test_one_kind_for_a_property(values: list[Any], expected: str) -> None:
    assert kinds({"x": value} for value in values) == {"x": expected}


@pytest.mark.parametrize("kind", ["Foo`) DETACH DELETE n //", None, ["Paper"]])
def test_no_other_type_becomes_a_label(kind: Any) -> None:
    graph = small_graph()
    graph.add_node("x", type=kind)
    with pytest.raises(GraphFileError, match="the node 'x' has the unknown type"):
        node_groups(graph)


def test_no_other_relation_becomes_a_type() -> None:
    graph = small_graph()
    graph.add_edge(UPG, "venue:icml", "X`]->() DELETE r //")
    with pytest.raises(GraphFileError, match="edges of the unknown type"):
        edge_groups(graph)
