"""Tests of `kg stats`."""

from __future__ import annotations

import json

import networkx as nx

from kg.lookup import statistics
from kg.store import Graph, save
from tests.cli.conftest import Kg
from tests.graphs import small_graph


def test_the_tables_count_nodes_relations_and_code(kg: Kg, graph_file: str) -> None:
    shown = kg("stats", graph_file).stdout
    rows = [" ".join(line.split()) for line in shown.splitlines()]
    assert rows[:3] == [
        "Nodes Relations Code",
        "Paper 2 PROPOSES 1 with an address 1",
        "Method 2 ADDRESSES 1 linked 1",
    ]
    assert "Transformer 2 graph learning 1" in rows


def test_json_is_the_statistics(kg: Kg, graph_file: str) -> None:
    shown = json.loads(kg("stats", graph_file, "--format", "json", "--limit", "1").stdout)
    assert shown == statistics(small_graph(), top=1).to_record()
    assert shown["top"]["Method"] == [{"id": "method:transformer", "papers": 2}]


def test_an_empty_graph_has_statistics(kg: Kg) -> None:
    empty: Graph = nx.MultiDiGraph()
    save(empty, "empty.json")
    assert kg("stats", "empty.json").exit_code == 0
