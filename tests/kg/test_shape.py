"""What is wrong with a graph that no checksum vouches for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kg.shape import fault
from kg.store import Graph
from tests.graphs import UPG, evidence, small_graph


def shown(**changes: Any) -> dict[str, Any]:
    return {name: value for name, value in {**evidence(UPG, "x"), **changes}.items() if value is not ...}


@pytest.fixture
def graph() -> Graph:
    return small_graph()


def test_what_was_assembled_is_as_it_should(graph: Graph) -> None:
    assert fault(graph) == ""


def test_what_has_no_owner_and_what_no_sentence_shows_are_as_they_should_be(graph: Graph) -> None:
    graph.add_node(
        "repository:lab.org/code", type="Repository", name="code", url="https://lab.org", owner=None
    )
    shows = [shown(start=None, end=None, sentence="")]
    graph.add_edge(UPG, "repository:lab.org/code", "HAS_CODE", type="HAS_CODE", evidence=shows)
    assert fault(graph) == ""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": 3}, "name is int"),
        ({"year": "2020"}, "year is str"),
        ({"aliases": "BERT"}, "aliases is no list of texts"),
        ({"source_ids": [1]}, "source_ids is no list of texts"),
    ],
)
def test_a_node_is_named(graph: Graph, changes: Mapping[str, Any], message: str) -> None:
    graph.nodes[UPG].update(changes)
    assert fault(graph) == f"the node {UPG!r}: {message}"


@pytest.mark.parametrize("name", ["name", "type"])
def test_a_node_without_what_all_have_is_named(graph: Graph, name: str) -> None:
    del graph.nodes[UPG][name]
    assert fault(graph) == f"the node {UPG!r}: it has no {name}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"type": None}, "type is NoneType"),
        ({"papers": "1"}, "papers is str"),
        ({"evidence": None}, "there is no list of objects"),
        ({"evidence": ["x"]}, "there is no list of objects"),
        ({"evidence": [shown(), shown(end=...)]}, "it has no end"),
        ({"evidence": [shown(sentence=None)]}, "sentence is NoneType"),
    ],
)
def test_an_edge_is_named(graph: Graph, changes: Mapping[str, Any], message: str) -> None:
    graph.edges[UPG, "method:upgnet", "PROPOSES"].update(changes)
    assert fault(graph) == f"the edge from {UPG!r} to 'method:upgnet': {message}"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"records": []}, "its records is list"),
        ({"rules": 3}, "its rules is int"),
        ({"merges": [{"alias": "a"}]}, "its merges: it has no canonical"),
    ],
)
def test_an_attribute_of_the_graph_is_named(graph: Graph, changes: Mapping[str, Any], message: str) -> None:
    graph.graph.update(changes)
    assert fault(graph) == message
