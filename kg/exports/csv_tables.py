"""CSV: a folder of five tables, `nodes.csv`, `edges.csv`, `evidence.csv`, `mentions.csv`, `merges.csv`.

Written for spreadsheets: a text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`,
`@`, a tab or a line end, after any apostrophes) gets an apostrophe in front, which `read` takes off.
Numbers stay numbers.

Limits: an empty cell is both None and the empty text, and is read as None; the extraction records stay
behind.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import orjson

from kg.errors import GraphFileError
from kg.exports.tables import COLUMNS, TABLES, Cell, Table, graph_of, tables
from kg.store import Graph

__all__ = ["guard", "read", "unguard", "write", "writer_to"]

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_FIELD_LIMIT = 2**31 - 1
_KINDS: Mapping[str, Callable[[str], Any]] = {"int": int, "float": float, "json": orjson.loads}


def guard(text: str) -> str:
    """The text as no spreadsheet runs it.

    >>> guard("=1+1"), guard("'=1"), guard("1-1")
    ("'=1+1", "''=1", '1-1')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguard(text: str) -> str:
    """The inverse of `guard`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def write(graph: Graph, path: Path) -> None:
    """Writes the tables into the folder `path`."""
    for name, table in tables(graph).items():
        _write_table(path / f"{name}.csv", table)


def _write_table(path: Path, table: Table) -> None:
    columns, rows = table
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = writer_to(stream)
        writer.writerow(columns)
        writer.writerows([_guarded(value) for value in row] for row in rows)


class _Lines:
    """Ends rows in a line feed alone.

    Python 3.11 quotes a carriage return inside a cell only where one ends the row, so the writer keeps its
    own ending and this takes the carriage return off.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: str) -> None:
        """Writes one row, as `csv.writer` hands it over."""
        self._stream.write(row.removesuffix("\r\n") + "\n")


def writer_to(stream: IO[str]) -> Any:
    """A `csv.writer` whose rows end in a line feed, and whose cells keep every line break they hold."""
    return csv.writer(_Lines(stream))


def _guarded(value: Cell) -> Cell:
    return guard(value) if isinstance(value, str) else value


def read(path: Path) -> Graph:
    """The graph of a folder that `write` wrote.

    Raises:
        GraphFileError: a table is missing or damaged.
    """
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        return graph_of({name: list(_read_table(path / f"{name}.csv")) for name in TABLES})
    except (OSError, KeyError, ValueError, TypeError, csv.Error) as error:
        raise GraphFileError(f"{path} is no folder of graph tables: {error}") from error


def _read_table(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            yield {name: _value(name, text) for name, text in row.items()}


def _value(column: str, text: str) -> Any:
    if not text:
        return "" if column == "sentence" else None
    kind = COLUMNS.get(column)
    return unguard(text) if kind is None else _KINDS[kind](text)
