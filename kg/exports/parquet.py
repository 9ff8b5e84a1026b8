"""Parquet: a folder of five tables, `nodes.parquet`, `edges.parquet`, `evidence.parquet`, `mentions.parquet`,
`merges.parquet`, for pandas, Polars, DuckDB and Spark, with a manifest (`kg.manifest`).

Columns are typed: int64, double, boolean, string, and list<string> where all values are lists of texts; other
lists and objects are JSON text, which the column's metadata `kind` says.

Limits: the extraction records stay behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from kg import manifest
from kg.errors import GraphFileError
from kg.exports.tables import COLUMNS, TABLES, Cell, Table, graph_of, tables
from kg.store import Graph

if TYPE_CHECKING:
    import pyarrow

__all__ = ["read", "write"]

_LONG = 2**63
_JSON = {"kind": "json"}


def write(graph: Graph, path: Path) -> None:
    """Writes the tables and the manifest into the folder `path`."""
    from pyarrow import parquet

    found = tables(graph)
    for name, table in found.items():
        parquet.write_table(_arrow(table), path / f"{name}.parquet", compression="zstd")
    counts = {name: len(rows) for name, (_, rows) in found.items()}
    own = ("extractor", "format", "merges", "records")
    attributes = {name: value for name, value in graph.graph.items() if name not in own}
    extractor = str(graph.graph.get("extractor", ""))
    manifest.write(path, counts=counts, extractor=extractor, attributes=attributes)


def _arrow(table: Table) -> pyarrow.Table:
    import pyarrow

    names, rows = table
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    typed = [_column(name, values) for name, values in zip(names, columns, strict=True)]
    return pyarrow.table(
        [column for column, _ in typed],
        schema=pyarrow.schema([field for _, field in typed]),
    )


def _column(name: str, cells: Sequence[Cell]) -> tuple[pyarrow.Array, pyarrow.Field]:
    """A column and its declaration."""
    import pyarrow

    if COLUMNS.get(name) == "json":
        values = [None if value is None else orjson.loads(str(value)) for value in cells]
        if all(value is None or _is_texts(value) for value in values):
            kind = pyarrow.list_(pyarrow.string())
            return pyarrow.array(values, kind), pyarrow.field(name, kind)
        texts = pyarrow.array(cells, pyarrow.string())
        return texts, pyarrow.field(name, pyarrow.string(), metadata=_JSON)
    kind = _type(name, cells)
    given = [_as_text(value) for value in cells] if kind == pyarrow.string() else cells
    return pyarrow.array(given, kind), pyarrow.field(name, kind)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _type(name: str, cells: Sequence[Cell]) -> pyarrow.DataType:
    """One type for all cells of a column; an empty column has that of its name."""
    import pyarrow

    found = {_kind(value) for value in cells if value is not None} or {COLUMNS.get(name, "str")}
    if found == {"bool"}:
        return pyarrow.bool_()
    if found == {"int"}:
        return pyarrow.int64()
    return pyarrow.float64() if found <= {"int", "float"} else pyarrow.string()


def _kind(value: Cell) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return "int" if -_LONG <= value < _LONG else "str"
    return type(value).__name__


def _as_text(value: Cell) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def read(path: Path) -> Graph:
    """The graph of a folder that `write` wrote.

    Raises:
        GraphFileError: a table is missing or damaged.
    """
    try:
        return graph_of({name: list(_read_table(path / f"{name}.parquet")) for name in TABLES})
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise GraphFileError(f"{path} is no folder of graph tables: {error}") from error


def _read_table(path: Path) -> Iterator[dict[str, Any]]:
    from pyarrow import parquet

    table = parquet.read_table(path)
    texts = [field.name for field in table.schema if (field.metadata or {}).get(b"kind") == b"json"]
    for row in table.to_pylist():
        yield row | {name: orjson.loads(row[name]) for name in texts if row[name] is not None}
