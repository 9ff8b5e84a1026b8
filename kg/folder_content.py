"""A folder of graph tables, some nodes or edges at a time, with the attributes that a graph file has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from extractors.batches import in_batches
from kg.errors import GraphFileError
from kg.flat import EVIDENCE, LABELS, RELATIONS, EdgeKind, kinds, properties
from kg.folder import Folder, value_of

if TYPE_CHECKING:
    import pyarrow

__all__ = ["arrow_type", "check_types", "edge_kinds", "edge_tables", "node_batches", "node_kinds"]

#: Nodes and edges that are in memory together.
_ROWS, _EDGE_ROWS = 10_000, 50_000
_AFFINITY: Mapping[type, str] = {int: "INTEGER", float: "REAL", str: "TEXT"}
_ARROW: Mapping[type, str] = {int: "long", float: "double", str: "string"}
_EDGES = """
SELECT edge.*, a.id AS source_id, a.type AS source_type, b.id AS target_id, b.type AS target_type
FROM edge CROSS JOIN node AS a ON a.number = edge.source CROSS JOIN node AS b ON b.number = edge.target
ORDER BY edge.place
"""


def check_types(folder: Folder) -> None:
    """Refuses types of nodes and relations that are none of ours.

    Raises:
        GraphFileError: there is one.
    """
    for (label,) in folder.rows("SELECT DISTINCT type FROM node"):
        if label not in LABELS:
            node = folder.rows("SELECT id FROM node WHERE type IS ? ORDER BY rowid", label).fetchone()[0]
            raise GraphFileError(f"the node {node!r} has the unknown type {str(label)!r}")
    if unknown := sorted(set(folder.relations.values()).difference(RELATIONS)):
        raise GraphFileError(f"the graph has edges of the unknown type {unknown[0]!r}")


def node_batches(folder: Folder, label: str) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The nodes of a label with their attributes, in the order of the table."""
    rows = folder.rows("SELECT * FROM node WHERE type = ? ORDER BY rowid", label)
    yield from in_batches(((row["id"], folder.data("node", row)) for row in rows), _ROWS)


def edge_tables(
    folder: Folder, columns_of: Mapping[str, Mapping[str, str]]
) -> Iterator[dict[EdgeKind, pyarrow.Table]]:
    """The edges with their properties as columns, by kind, in the order of the table.

    Args:
        folder: the folder.
        columns_of: the columns of each relation and the kind of each (`kg.flat`), without the ends.
    """
    import pyarrow

    cursor = folder.rows(_EDGES)
    names = [name for name, *_ in cursor.description]
    for rows in in_batches(cursor, _EDGE_ROWS):
        cells = dict(zip(names, zip(*rows, strict=True), strict=True))
        found = {"source": pyarrow.array(cells["source_id"]), "target": pyarrow.array(cells["target_id"])}
        found |= _own(folder, cells) | _shown(folder, cells["place"])
        groups: dict[EdgeKind, list[int]] = {}
        ends = zip(cells["source_type"], cells["relation"], cells["target_type"], strict=True)
        for index, (source, relation, target) in enumerate(ends):
            groups.setdefault(EdgeKind(source, folder.relations[relation], target), []).append(index)
        yield {kind: _taken(found, columns_of[kind.type], at) for kind, at in groups.items()}


def _taken(
    found: Mapping[str, pyarrow.Array], columns: Mapping[str, str], rows: Sequence[int]
) -> pyarrow.Table:
    """Some rows of the columns that a relation has."""
    import pyarrow

    taken = {}
    for name, kind in {"source": "string", "target": "string", **columns}.items():
        type_ = arrow_type(kind)
        taken[name] = found[name].take(rows).cast(type_) if name in found else pyarrow.nulls(len(rows), type_)
    return pyarrow.table(taken)


def _own(folder: Folder, cells: Mapping[str, Sequence[Any]]) -> dict[str, pyarrow.Array]:
    """The properties of edges besides their evidence."""
    import pyarrow

    found = {}
    for name, cell, kind in folder.columns["edge"]:
        written, values = min(properties({name: 0})), cells[cell]
        if kind in ("texts", "json"):
            shown = [{} if value is None else properties({name: value_of(value, kind)}) for value in values]
            values, kind = [row.get(written) for row in shown], kinds(shown).get(written, "string")
        elif kind == "boolean":
            values = [None if value is None else bool(value) for value in values]
        found[written] = pyarrow.array(values, arrow_type(kind))
    return found


def _shown(folder: Folder, places: Sequence[int]) -> dict[str, pyarrow.Array]:
    """The evidence of edges that stand beside each other as lists, the best scored first (`kg.flat`)."""
    import pyarrow

    known = {name: cell for name, cell, _ in folder.columns["evidence"]}
    asked, defaults = [], []
    for field, default in EVIDENCE.values():
        asked.append(
            f"CAST(coalesce(nullif({known.get(field, 'NULL')}, ''), ?) AS {_AFFINITY[type(default)]})"
        )
        defaults.append(default)
    text = (
        f"SELECT edge, {', '.join(asked)} FROM evidence WHERE edge BETWEEN ? AND ? "
        f"ORDER BY edge, -coalesce({known.get('score', 'NULL')}, 0), rowid"
    )
    rows = folder.rows(text, *defaults, places[0], places[-1]).fetchall()
    edges = np.array([row[0] for row in rows], dtype=np.int64)
    starts, ends = np.searchsorted(edges, places, "left"), np.searchsorted(edges, places, "right")
    offsets = pyarrow.array(
        [*starts.tolist(), len(rows)], pyarrow.int32(), mask=np.append(starts == ends, False)
    )
    columns = zip(*rows, strict=True) if rows else ([] for _ in range(len(EVIDENCE) + 1))
    lists = islice(columns, 1, None)
    return {
        name: pyarrow.ListArray.from_arrays(offsets, pyarrow.array(values, arrow_type(_ARROW[type(default)])))
        for (name, (_, default)), values in zip(EVIDENCE.items(), lists, strict=True)
    }


def arrow_type(kind: str) -> pyarrow.DataType:
    """The type of a column of a kind."""
    import pyarrow

    bare = {"boolean": pyarrow.bool_(), "long": pyarrow.int64(), "double": pyarrow.float64()}
    found = bare.get(kind.removesuffix("[]"), pyarrow.string())
    return pyarrow.list_(found) if kind.endswith("[]") else found


def node_kinds(folder: Folder, label: str) -> dict[str, str]:
    """The properties that nodes of a label have, with the kind of each (`kg.flat.kinds`)."""
    return _kinds(folder, "node", "type", label)


def edge_kinds(folder: Folder, relation: str) -> dict[str, str]:
    """The properties that edges of a relation have besides their evidence, with the kind of each."""
    numbers = {name: number for number, name in folder.relations.items()}
    return _kinds(folder, "edge", "relation", numbers[relation]) if relation in numbers else {}


def _kinds(folder: Folder, table: str, column: str, value: Any) -> dict[str, str]:
    """The kinds of the columns that have values in some rows."""
    columns = folder.columns[table]
    if not columns:
        return {}
    given = (f"nullif({cell}, '[]')" if kind == "texts" else cell for _, cell, kind in columns)
    counted = ", ".join(f"count({cell})" for cell in given)
    counts = folder.rows(f"SELECT {counted} FROM {table} WHERE {column} = ?", value).fetchone()
    found: dict[str, str] = {}
    for (name, cell, kind), count in zip(columns, counts, strict=True):
        written = min(properties({name: 0}))
        if count and kind == "json":
            rows = folder.rows(f"SELECT {cell} FROM {table} WHERE {column} = ?", value)
            found |= kinds(properties({name: value_of(row[0], kind)}) for row in rows if row[0] is not None)
        elif count:
            found["id_" if (table, written) == ("node", "id") else written] = kind.replace(
                "texts", "string[]"
            )
    return found
