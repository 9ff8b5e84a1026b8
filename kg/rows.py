"""Nodes and relations as the rows of a push, and the properties that a push compares.

A property that the graph no longer has is sent as null, so that what left the graph leaves the database; that
goes for the properties below, which this package writes. What else a database has on a node or a relation is
somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from kg.flat import edge_row, node_row, properties
from kg.store import Graph

__all__ = [
    "Row",
    "edge_as_row",
    "edge_columns",
    "edge_properties_of",
    "is_held",
    "node_as_row",
    "node_columns",
    "node_properties_of",
]

#: The parameters of one node (`id`, `properties`) or one relation (`source`, `target`, `properties`).
Row: TypeAlias = Mapping[str, Any]

_OF_PAPERS = ("title", "year", "venue", "url", "doi", "arxiv_id", "source_ids", "status")
_OF_OTHERS = ("aliases", "owner")
_EVIDENCE = (
    *("sentences", "evidence_papers", "evidence_scores"),
    *("evidence_starts", "evidence_ends", "evidence_extractors"),
)
_OF_RELATIONS = ("papers", "score", "role", *_EVIDENCE)
_WITHOUT_EVIDENCE = ("AUTHORED", "PUBLISHED_IN")


def node_as_row(graph: Graph, label: str, node: str) -> Row:
    """A node of a label as the parameters of a push."""
    row = node_row(graph, node)
    return {"id": row.pop("id"), "properties": {**dict.fromkeys(_lacking_of_nodes(label)), **row}}


def edge_as_row(graph: Graph, relation: str, source: str, target: str) -> Row:
    """An edge as the parameters of a push."""
    row = edge_row(graph, source, relation, target)
    if relation not in _WITHOUT_EVIDENCE:
        row["properties"] = {**dict.fromkeys(_OF_RELATIONS), **row["properties"]}
    return row


def node_columns(graph: Graph, label: str, nodes: Iterable[str]) -> list[str]:
    """The names of all properties that the rows of the nodes of a label have."""
    return node_properties_of({name for node in nodes for name in graph.nodes[node]}, label)


def node_properties_of(names: Iterable[str], label: str) -> list[str]:
    """The names of all properties of a label whose nodes have attributes of these names."""
    names = set(names) - {"type"}
    shown = {"id_" if name == "id" else name for name in _written(names)}
    return sorted(shown.union(_lacking_of_nodes(label)))


def edge_columns(graph: Graph, relation: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The names of all properties that the rows of the edges of a relation have."""
    names = {name for source, target in pairs for name in graph.edges[source, target, relation]}
    return edge_properties_of(names, relation)


def edge_properties_of(names: Iterable[str], relation: str) -> list[str]:
    """The names of all properties of a relation whose edges have attributes of these names."""
    of_all = _EVIDENCE if relation in _WITHOUT_EVIDENCE else _OF_RELATIONS
    return sorted({*_written(set(names) - {"type", "evidence"}), *of_all})


def is_held(row: Row, columns: Sequence[str], values: Sequence[Any]) -> bool:
    """Whether a database that has these values in these columns has all that a row says.

    >>> is_held({"id": "m", "properties": {"name": "M", "owner": None}}, ["name", "owner"], ["M", None])
    True
    """
    held = dict(zip(columns, values, strict=True))
    return all(held[name] == value for name, value in row["properties"].items())


def _lacking_of_nodes(label: str) -> tuple[str, ...]:
    return _OF_PAPERS if label == "Paper" else _OF_OTHERS


def _written(names: Iterable[str]) -> Iterable[str]:
    """Names of attributes as names of properties."""
    return properties(dict.fromkeys(names, 0))
