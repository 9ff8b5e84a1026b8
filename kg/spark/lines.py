"""Rows of tables as lines of an import set, without the detour over the properties of a graph.

Cells of a table have one kind a column and hold valid text, so that a line is put together cell by cell. What
comes out is what `admin_rows.line` makes of `kg.flat.node_properties` and `kg.flat.edge_properties`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kg.exports.admin_rows import as_text, flattened, quoted
from kg.flat import COLLECTION, EVIDENCE
from kg.spark.rows import Row

__all__ = ["FACTS", "Facts", "Layout", "place_of", "write_lines"]

#: The table of what is known of the lines of a task: `Facts` in its own text.
FACTS = "facts"

#: From a row and its evidence, the best scored first, to the text of a cell.
_Cell: TypeAlias = Callable[[Row, Sequence[Row]], str]


@dataclass(frozen=True, slots=True)
class Layout:
    """How a kind of rows becomes lines.

    Attributes:
        kind: what the names of its tables begin with.
        ends: the columns of ids that a line begins with.
        tables: by type, the header's columns in order, each with its kind.
        sources: by column of the header, the columns of the rows that it may come from.
        sign: what divides lists.
    """

    kind: str
    ends: tuple[str, ...]
    tables: Mapping[str, Mapping[str, str]]
    sources: Mapping[str, Sequence[str]]
    sign: str


@dataclass(slots=True)
class Facts:
    """What is known of lines: how long the longest is, and how many have texts with line breaks."""

    longest: int = 0
    broken: int = 0

    @classmethod
    def of(cls, text: str) -> Facts:
        """The inverse of `str`."""
        return cls(*map(int, text.split()))

    def add(self, other: Facts) -> None:
        """Adds what is known of other lines."""
        self.longest = max(self.longest, other.longest)
        self.broken += other.broken

    def __str__(self) -> str:
        return f"{self.longest} {self.broken}"


def place_of(item: Mapping[str, Any]) -> tuple[str, int, int]:
    """What evidence is put in order by: its paper and its place there."""
    start = item["start"]
    return item["paper"], -1 if start is None else start, item["end"] or 0


def write_lines(layout: Layout, rows: Iterable[Row]) -> Iterator[Row]:
    """The lines of a task's rows by table, and at the end what is known of them."""
    facts = Facts()
    makers = {kind: _Maker(layout, columns) for kind, columns in layout.tables.items()}
    for row in rows:
        text, broken = makers[row["type"]].line(row)
        facts.longest = max(facts.longest, len(text))
        facts.broken += broken
        yield {"table": f"{layout.kind}-{row['type']}", "line": text}
    yield {"table": FACTS, "line": str(facts)}


class _Maker:
    """Makes the lines of one table."""

    def __init__(self, layout: Layout, columns: Mapping[str, str]) -> None:
        self._ends, self._sign = layout.ends, layout.sign
        self._cells = [self._cell(name, kind, layout.sources.get(name, ())) for name, kind in columns.items()]

    def line(self, row: Row) -> tuple[str, bool]:
        """The line of a row without its end, and whether a text of its properties has line breaks."""
        ranked = row.get("evidence") or ()
        if len(ranked) > 1:
            ranked = sorted(sorted(ranked, key=place_of), key=lambda item: -(item["score"] or 0.0))
        cells = ",".join([cell(row, ranked) for cell in self._cells])
        broken = "\n" in cells or "\r" in cells
        ends = ",".join([quoted(row[end]) for end in self._ends])
        return f"{ends},{flattened(cells) if broken else cells}", broken

    def _cell(self, name: str, kind: str, sources: Sequence[str]) -> _Cell:
        """What makes the cell of a column."""
        if name in ("collection", "collections"):
            return lambda row, ranked: f'"{COLLECTION}"'
        write = quoted if kind == "string" or kind.endswith("[]") else str

        def own(row: Row, ranked: Sequence[Row]) -> str:
            texts = [self._text(row[source]) for source in sources if row[source] is not None]
            return write(texts[-1]) if texts and texts[-1] is not None else ""

        if name not in EVIDENCE:
            return own
        key, default = EVIDENCE[name]

        def shown(row: Row, ranked: Sequence[Row]) -> str:
            if not ranked:
                return own(row, ranked)
            return quoted(self._sign.join([_given(item[key], default) for item in ranked]))

        return shown

    def _text(self, value: Any) -> str | None:
        """A value as text; None for a list of nothing."""
        if isinstance(value, list):
            return self._sign.join([item for item in value if item]) or None
        return as_text(value)


def _given(value: Any, default: Any) -> str:
    """An item of a list of evidence, which is never empty."""
    if value is None or value == "":
        return str(default)
    return str(float(value) if isinstance(default, float) else value)
