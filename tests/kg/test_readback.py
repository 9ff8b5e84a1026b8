"""What reading a database shows beside a graph; `tests/neo4j/` shows it on real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import networkx as nx

from kg.flat import EdgeKind, edge_groups, node_groups
from kg.readback import absent, compare
from kg.rows import edge_as_row, node_as_row
from kg.store import Graph
from tests.graphs import evidence


class _Database:
    """Answers the statements that read; stands for its session and its transaction."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def execute_read(self, work: Callable[[Any], Any]) -> Any:
        """Runs a piece of work twice, as the driver does after a failure."""
        work(self)
        return work(self)

    def run(self, text: str, parameters: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
        """The records of a statement that reads."""
        columns = parameters["columns"]
        if "(n:Method)" in text:
            for node in self._graph:
                shown = node_as_row(self._graph, "Method", node)["properties"]
                yield node, node, [shown.get(name) for name in columns]
        if ":IS_A " in text:
            for source, target, relation in self._graph.edges(keys=True):
                shown = edge_as_row(self._graph, relation, source, target)["properties"]
                yield source, target, f"{source}>{target}", [shown.get(name) for name in columns]


def chain_graph() -> Graph:
    """Three methods, each a kind of the next."""
    graph: Graph = nx.MultiDiGraph(format=1)
    for name in "abc":
        graph.add_node(name, type="Method", name=name, aliases=[], papers=1)
    for source, target in ("ab", "bc"):
        graph.add_edge(source, target, "IS_A", type="IS_A", papers=1, evidence=[evidence("p", source)])
    return graph


def _compared(held: Graph, graph: Graph) -> tuple[Any, list[int]]:
    told: list[int] = []
    groups = node_groups(graph), edge_groups(graph)
    return compare(_Database(held), graph, *groups, collection="c", equal=told.append), told  # type: ignore[arg-type]


def test_what_is_equal_is_not_to_be_written() -> None:
    found, told = _compared(chain_graph(), chain_graph())
    assert not any([*found.nodes.values(), *found.relations.values()])
    assert not any([*found.stale_nodes.values(), *found.stale_relations.values()])
    assert (found.missing_nodes, found.missing_relations) == (0, 0)
    assert max(told) == 5


def test_what_is_missing_or_different_is_to_be_written() -> None:
    held, graph = chain_graph(), chain_graph()
    held.remove_node("a")
    graph.nodes["b"]["papers"] = 2
    graph.edges["b", "c", "IS_A"]["evidence"][0]["score"] = 0.1
    found, _ = _compared(held, graph)
    assert found.nodes["Method"] == ["a", "b"]
    assert found.relations == {EdgeKind("Concept", "IS_A", "Concept"): [("a", "b"), ("b", "c")]}
    assert (found.missing_nodes, found.missing_relations) == (1, 1)


def test_what_the_graph_has_no_more_is_stale() -> None:
    graph = chain_graph()
    graph.remove_node("c")
    found, _ = _compared(chain_graph(), graph)
    assert found.stale_nodes["Method"] == ["c"]
    assert found.stale_relations["IS_A"] == ["b>c"]


def test_what_was_written_and_is_not_there_is_named() -> None:
    written, _ = _compared(nx.MultiDiGraph(), chain_graph())
    held = chain_graph()
    held.remove_node("a")
    assert absent(_Database(held), written, collection="c") == ["a", "a IS_A b"]  # type: ignore[arg-type]
