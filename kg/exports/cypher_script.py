"""A script that `cypher-shell -f` runs as it is, on Neo4j 5 and later: constraints, nodes, then relations.

One statement a line: lists of literals, one a property and of limited size, `UNWIND` over their rows, and
`MERGE` on the id, so that a second run changes nothing. Labels and types come from fixed lists (`kg.flat`);
every other text is a string literal, written by `literal`. There are no client commands, and no comment but
the first line. What is written carries the mark of the default collection, so that a later `kg push` takes
it for its own.

Limits: the extraction records and the ledger stay behind. Strings by
https://neo4j.com/docs/cypher-manual/current/syntax/expressions/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import orjson

from cypher import schema
from kg.flat import COLLECTION, EdgeKind, Value, edge_groups, edge_row, label_names, node_groups, node_row
from kg.store import Graph

__all__ = ["edge_statements", "literal", "node_statements", "write"]

_HEAD = "// A graph of papers and concepts, for cypher-shell -f\n"
_ROWS = 500
_BYTES = 100_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What ends a string, starts an escape, or cannot be seen: controls, breaks and marks of direction.
_SPECIAL = re.compile("[\\\\'\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def literal(value: Any) -> str:
    r"""The value as a literal of Cypher on one line.

    >>> literal(["O'Reilly \\", 2024, 0.5, True, None])
    "['O\\'Reilly \\\\', 2024, 0.5, true, null]"
    """
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, str):
        return f"'{_SPECIAL.sub(_escaped, value)}'"
    return "null" if value is None else str(value).lower()


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else f"`{name.replace('`', '``')}`"


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


_MARK = literal(COLLECTION)


class _Columns:
    """Rows as columns: flat lists of literals, of which the server makes parameters.

    So it plans a statement once for all batches; maps of literals it would plan each time, ten times as long.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._columns: list[str] = []
        self._ends: dict[tuple[int, ...], str] = {}

    def __str__(self) -> str:
        columns = (f"{column} AS c{number}" for number, column in enumerate(self._columns))
        return f"WITH {', '.join(columns)} UNWIND range(0, {self._count - 1}) AS i"

    def properties(self, rows: Sequence[Mapping[str, Value]]) -> str:
        """The map of a row's properties; those that only other rows have are null in it."""
        names = sorted({name for row in rows for name in row})
        entries = (f"{_key(name)}: {self.value([row.get(name) for row in rows])}" for name in names)
        return f"{{{', '.join(entries)}}}"

    def value(self, values: Sequence[Value | None]) -> str:
        """The expression that gives row `i` its value."""
        lists = [value if isinstance(value, list) else [] for value in values]
        scalars = [None if isinstance(value, list) else value for value in values]
        if not any(lists):
            return f"{self._column(scalars)}[i]"
        ends = tuple(accumulate(map(len, lists), initial=0))
        if ends not in self._ends:
            self._ends[ends] = self._column(ends)
        items, at = self._column(list(chain.from_iterable(lists))), self._ends[ends]
        found = f"CASE WHEN {at}[i] < {at}[i + 1] THEN {items}[{at}[i]..{at}[i + 1]] END"
        mixed = any(value is not None for value in scalars)
        return f"coalesce({self._column(scalars)}[i], {found})" if mixed else found

    def _column(self, items: Sequence[Any]) -> str:
        self._columns.append(literal(list(items)))
        return f"c{len(self._columns) - 1}"


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Rows by the 500; fewer where they pass 100,000 bytes, and one that does so alone."""
    batch: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        length = len(orjson.dumps(row))
        if batch and (len(batch) == _ROWS or size + length > _BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += length
    if batch:
        yield batch


def write(graph: Graph, path: Path) -> None:
    """Writes the script to the file `path`.

    Raises:
        GraphFileError: a node or an edge has an unknown type.
    """
    nodes, edges = node_groups(graph), edge_groups(graph)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(_HEAD)
        stream.writelines(f"{statement};\n" for statement in schema())
        for label, ids in nodes.items():
            stream.writelines(node_statements(label, (node_row(graph, node) for node in ids)))
        for kind, pairs in edges.items():
            found = (edge_row(graph, source, kind.type, target) for source, target in pairs)
            stream.writelines(edge_statements(kind, found))


def node_statements(label: str, nodes: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Statements that make the nodes of a label, or give them their properties, from their rows."""
    more = "".join(f"SET n:{name} " for name in label_names(label)[1:])
    marks = f"[name IN coalesce(n.collections, []) WHERE name <> {_MARK}] + {_MARK}"
    for rows in _batches(nodes):
        columns = _Columns(len(rows))
        node = f"(n:{label} {{id: {columns.value([row.pop('id') for row in rows])}}})"
        given = columns.properties(rows)
        yield f"{columns} MERGE {node} {more}SET n += {given}, n.collections = {marks};\n"


def edge_statements(kind: EdgeKind, edges: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Statements that make the relationships of a kind, from their rows, between nodes that are there."""
    for rows in _batches(edges):
        columns = _Columns(len(rows))
        source, target = (columns.value([row[end] for row in rows]) for end in ("source", "target"))
        ends = f"MATCH (a:{kind.source} {{id: {source}}}) MATCH (b:{kind.target} {{id: {target}}})"
        edge = f"(a)-[r:{kind.type} {{collection: {_MARK}}}]->(b)"
        given = columns.properties([row["properties"] for row in rows])
        yield f"{columns} {ends} MERGE {edge} SET r += {given};\n"
