"""Tests of communities."""

from __future__ import annotations

from itertools import combinations

import networkx as nx

from kg.store import Graph
from viz.communities import communities


def two_circles() -> Graph:
    """Five and four methods, all joined among themselves, one edge between; and one that stands alone."""
    graph: Graph = nx.MultiDiGraph()
    for prefix, count in (("a", 5), ("b", 4)):
        names = [f"{prefix}{index}" for index in range(count)]
        graph.add_nodes_from((name, {"type": "Method", "name": name.upper()}) for name in names)
        for pair in combinations(names, 2):
            graph.add_edge(*pair, "IS_A")
    graph.add_edge("a0", "b0", "IS_A")
    graph.add_node("alone", type="Method", name="ALONE")
    return graph


def test_communities_are_found_and_named_by_their_best_concepts() -> None:
    found = communities(two_circles(), ["b0", "a0", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "alone"])
    assert [(group.name, list(group.nodes)) for group in found] == [
        ("A0 · A1 · A2", ["a0", "a1", "a2", "a3", "a4"]),
        ("B0 · B1 · B2", ["b0", "b1", "b2", "b3"]),
    ]
