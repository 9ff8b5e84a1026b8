"""Rows of a push, and when a database holds them."""

from __future__ import annotations

import pytest

from kg.flat import edge_groups, node_groups
from kg.rows import edge_as_row, edge_columns, is_held, node_as_row, node_columns
from tests.graphs import UPG, small_graph


def test_a_row_names_what_a_node_lacks() -> None:
    assert node_as_row(small_graph(), "Method", "method:upgnet") == {
        "id": "method:upgnet",
        "properties": {
            "name": "UPGNET",
            "papers": 1,
            "aliases": ["unified private graph network"],
            "owner": None,
        },
    }


def test_a_row_of_an_edge_carries_its_evidence_flat() -> None:
    row = edge_as_row(small_graph(), "EVALUATES_ON", UPG, "dataset:cora")
    assert (row["source"], row["target"]) == (UPG, "dataset:cora")
    assert row["properties"]["evidence_papers"] == [UPG]
    assert row["properties"]["role"] is None


def test_columns_are_the_properties_of_all_rows() -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["my note"] = graph.nodes["method:upgnet"]["id"] = "x"
    for label, nodes in node_groups(graph).items():
        rows = [node_as_row(graph, label, node) for node in nodes]
        assert node_columns(graph, label, nodes) == sorted(
            {name for row in rows for name in row["properties"]}
        )
    for kind, pairs in edge_groups(graph).items():
        shown = [edge_as_row(graph, kind.type, *ends) for ends in pairs]
        assert set(edge_columns(graph, kind.type, pairs)) >= {n for row in shown for n in row["properties"]}


@pytest.mark.parametrize(
    ("values", "held"),
    [
        pytest.param(["M", None, ["a"]], True, id="equal"),
        pytest.param(["M", "o", ["a"]], False, id="the graph has it no more"),
        pytest.param(["M", None, ["a", "b"]], False, id="another list"),
        pytest.param([None, None, ["a"]], False, id="lost"),
    ],
)
def test_a_row_is_held_where_every_property_is_equal(values: list[object], held: bool) -> None:
    row = {"id": "m", "properties": {"name": "M", "owner": None, "aliases": ["a"]}}
    assert is_held(row, ["name", "owner", "aliases"], values) is held


def test_what_others_put_on_a_node_does_not_count() -> None:
    row = {"id": "m", "properties": {"name": "M"}}
    assert is_held(row, ["name", "note"], ["M", "theirs"])
