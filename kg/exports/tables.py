"""The graph as five tables, the same for every format that writes tables.

======== ================================================= ==========================================
table    one row is                                        first columns
======== ================================================= ==========================================
nodes    a node                                            id, type, name
edges    an edge, without its evidence                     source, target, type
evidence a sentence that shows an edge                     source, target, type, paper
mentions a place in a paper that names a concept           paper, concept, start, end
merges   a line of the ledger of names                     alias, canonical, type, rule, support
======== ================================================= ==========================================

A cell is None, a bool, an int, a float or a text. Lists and objects are JSON text; `COLUMNS` says which
columns hold what is no text, so that a reader can give values their kind back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import networkx as nx
import orjson

from kg.assemble import named_records
from kg.page import mention_rows
from kg.store import Graph, plain

__all__ = ["COLUMNS", "TABLES", "Cell", "Table", "graph_of", "tables"]

Cell: TypeAlias = "str | int | float | bool | None"
#: Column names and rows.
Table: TypeAlias = "tuple[tuple[str, ...], list[tuple[Cell, ...]]]"

TABLES = ("nodes", "edges", "evidence", "mentions", "merges")

#: The kind of the columns that are no text: `json` is a list or an object as JSON text.
COLUMNS: Mapping[str, str] = {
    "aliases": "json",
    "end": "int",
    "papers": "int",
    "score": "float",
    "source_ids": "json",
    "start": "int",
    "support": "int",
    "year": "int",
}

_EDGE = ("source", "target", "type")
_EVIDENCE = (*_EDGE, "paper", "sentence", "start", "end", "score", "extractor")
_MENTION = ("paper", "concept", "start", "end", "text", "type", "score")
_MERGE = ("alias", "canonical", "type", "rule", "support")


def tables(graph: Graph) -> dict[str, Table]:
    """The five tables of a graph; that of mentions is empty where the graph carries no records."""
    return {
        "nodes": _table(("id", "type", "name"), ({**data, "id": node} for node, data in graph.nodes.items())),
        "edges": _table(_EDGE, _edge_rows(graph)),
        "evidence": _table(_EVIDENCE, _evidence_rows(graph)),
        "mentions": _table(_MENTION, _mention_rows(graph)),
        "merges": _table(_MERGE, graph.graph.get("merges", ())),
    }


def cell(value: Any) -> Cell:
    """The value as a cell: lists and objects as JSON text with sorted keys."""
    value = plain(value)
    if isinstance(value, list | dict):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    return value  # type: ignore[no-any-return]


def _table(first: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """A table with the given columns first and all others in sorted order."""
    kept = [{name: cell(value) for name, value in row.items()} for row in rows]
    others = sorted({name for row in kept for name in row}.difference(first))
    columns = (*first, *others)
    return columns, [tuple(row.get(name) for name in columns) for row in kept]


def _edge_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    for source, target, key, data in graph.edges(keys=True, data=True):
        own = {name: value for name, value in data.items() if name != "evidence"}
        yield {"type": key, **own, "source": source, "target": target}


def _evidence_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    for source, target, key, data in graph.edges(keys=True, data=True):
        for item in data.get("evidence", ()):
            yield {**item, "source": source, "target": target, "type": key}


def _mention_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    if "records" not in graph.graph:
        return
    for paper, extraction, found in named_records(graph):
        yield from mention_rows(paper.id, extraction, found)


def graph_of(read: Mapping[str, Iterable[Mapping[str, Any]]]) -> Graph:
    """The graph of tables whose cells have their kind back: nodes, edges with evidence, and the ledger."""
    graph: Graph = nx.MultiDiGraph()
    for row in read["nodes"]:
        graph.add_node(row["id"], **_without(row, ("id",)))
    for row in read["edges"]:
        graph.add_edge(row["source"], row["target"], row["type"], **_without(row, ("source", "target")))
    for row in read["evidence"]:
        data = graph.edges[row["source"], row["target"], row["type"]]
        item = {name: value for name, value in row.items() if name not in _EDGE}
        if item.get("read_as") is None:
            item.pop("read_as", None)
        data.setdefault("evidence", []).append(item)
    graph.graph["merges"] = [dict(row) for row in read["merges"]]
    return graph


def _without(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names and value is not None}
