"""A script that `cypher-shell -f` runs as it is, on Neo4j 5 and later: constraints, nodes, then relations.

One statement a line: `UNWIND` over a list of literal maps, of limited size, and `MERGE` on the id, so that a
second run changes nothing. Labels and types come from fixed lists (`kg.flat`); every other text is a string
literal, written by `literal`. There are no client commands, and no comment but the first line. What is
written carries the mark of the default collection, so that a later `kg push` takes it for its own.

Limits: the extraction records and the ledger stay behind. Strings by
https://neo4j.com/docs/cypher-manual/current/syntax/expressions/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cypher import schema
from kg.flat import COLLECTION, EdgeKind, edge_groups, edge_row, label_names, node_groups, node_row
from kg.store import Graph

__all__ = ["edge_statements", "literal", "node_statements", "write"]

_HEAD = "// A graph of papers and concepts, for cypher-shell -f\n"
_ROWS = 200
_CHARACTERS = 100_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What ends a string, starts an escape, or cannot be seen: controls, breaks and marks of direction.
_SPECIAL = re.compile("[\\\\'\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def literal(value: Any) -> str:
    r"""The value as a literal of Cypher on one line.

    >>> literal({"name": "O'Reilly \\", "years": [2024, 0.5], "new": True})
    "{name: 'O\\'Reilly \\\\', years: [2024, 0.5], new: true}"
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(name)}: {literal(item)}' for name, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, str):
        return f"'{_SPECIAL.sub(_escaped, value)}'"
    return str(value).lower()


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else f"`{name.replace('`', '``')}`"


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


_MARK = literal(COLLECTION)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Rows as lists of literals: at most 200 a list, and no more than one above 100,000 characters."""
    batch: list[str] = []
    size = 0
    for text in map(literal, rows):
        if batch and (len(batch) == _ROWS or size + len(text) > _CHARACTERS):
            yield f"[{', '.join(batch)}]"
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield f"[{', '.join(batch)}]"


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
            stream.writelines(node_statements(graph, label, ids))
        for kind, pairs in edges.items():
            stream.writelines(edge_statements(graph, kind, pairs))


def node_statements(graph: Graph, label: str, ids: Iterable[str]) -> Iterator[str]:
    """Statements that make the nodes of a label, or give them their properties."""
    more = "".join(f"SET n:{name} " for name in label_names(label)[1:])
    marks = f"[name IN coalesce(n.collections, []) WHERE name <> {_MARK}] + {_MARK}"
    for batch in _batches(node_row(graph, node) for node in ids):
        node = f"(n:{label} {{id: row.id}})"
        yield f"UNWIND {batch} AS row MERGE {node} {more}SET n += row, n.collections = {marks};\n"


def edge_statements(graph: Graph, kind: EdgeKind, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Statements that make the relationships of a kind between nodes that are there."""
    ends = f"MATCH (a:{kind.source} {{id: row.source}}) MATCH (b:{kind.target} {{id: row.target}})"
    for batch in _batches(edge_row(graph, source, kind.type, target) for source, target in pairs):
        edge = f"(a)-[r:{kind.type} {{collection: {_MARK}}}]->(b)"
        yield f"UNWIND {batch} AS row {ends} MERGE {edge} SET r += row.properties;\n"
