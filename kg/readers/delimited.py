"""CSV and TSV: the exports of Scopus, Web of Science, Zotero, ACM, IEEE and DBLP, and this project's own.

The delimiter is the one under which the header shows the most known columns. An apostrophe that protects a
cell from spreadsheets (`'=…`) is taken off.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from io import StringIO

from kg.errors import InputError
from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record, canonical
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["CSV", "TSV", "parse", "sniff_csv", "sniff_tsv", "without_apostrophe"]

_DELIMITERS = (",", ";", "\t", "|")
_TEXTS = frozenset({"title", "abstract"})
_LONGEST_HEADER = 10_000
_MAX_OPEN_QUOTES = 20


def sniff_csv(head: str) -> Confidence:
    """The first line, parted by commas, semicolons or bars, has known columns."""
    return _sniff(head, ",;|")


def sniff_tsv(head: str) -> Confidence:
    """The first line, parted by tabs, has known columns."""
    return _sniff(head, "\t")


def _sniff(head: str, delimiters: str) -> Confidence:
    line = _first_line(head)
    delimiter = _delimiter(line)
    if line.startswith("|"):  # a table of Markdown
        return Confidence.NO
    if delimiter not in delimiters or delimiter not in line:
        return Confidence.POSSIBLE if _fields(line.split(",")) & _TEXTS else Confidence.NO
    columns = _fields(_cells(line, delimiter))
    return Confidence.LIKELY if columns & _TEXTS and len(columns) > 1 else Confidence.POSSIBLE


def _first_line(text: str) -> str:
    return text.lstrip().splitlines()[0][:_LONGEST_HEADER] if text.strip() else ""


def _delimiter(line: str) -> str:
    return max(_DELIMITERS, key=lambda mark: (len(_fields(_cells(line, mark))), line.count(mark)))


def _cells(line: str, delimiter: str) -> list[str]:
    return next(csv.reader([line.replace("\0", "")], delimiter=delimiter), [])


def _fields(columns: list[str]) -> set[str]:
    return {field for column in columns for field, _ in canonical(column[:60])}


def parse(source: Source) -> ReadResult:
    """One paper a row.

    Raises:
        InputError: No column holds a title or an abstract; the message lists the columns.
    """
    text = source.text
    delimiter = _delimiter(_first_line(text))
    result = ReadResult()
    rows = _rows(text, delimiter, source.name, result)
    _, header = next(rows, (1, []))
    if header and not _fields(header) & _TEXTS:
        shown = ", ".join(repr(column[:60]) for column in header[:40])
        raise InputError(
            f"{source.name}: no column for the title or the abstract; the columns are {shown}",
            hint="rename two of them to title and abstract; docs/input-formats.md lists the known names",
        )
    for line, row in rows:
        _add_row(result, header, row, source.name, line)
    return result


def _rows(text: str, delimiter: str, file: str, result: ReadResult) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, each with its first line; goes on below a row whose quote is never closed."""
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    lines = StringIO(text, newline="").readlines()
    start = width = 0
    for _ in range(_MAX_OPEN_QUOTES):
        reader = csv.reader(lines[start:], delimiter=delimiter, skipinitialspace=True)
        line = start
        for row in reader:
            first, line = line + 1, start + reader.line_num
            width = width or len(row)
            if line == len(lines) and line > first and len(row) < width:
                result.rejected.append(Rejected(file, first, "a quote is opened and never closed"))
                start = first
                break
            if any(cell.strip() for cell in row):
                yield first, row
        else:
            return
    result.rejected.append(Rejected(file, start + 1, "too many quotes are never closed, the rest is lost"))


def _add_row(result: ReadResult, header: list[str], row: list[str], file: str, line: int) -> None:
    if any(cell.strip() for cell in row[len(header) :]):
        reason = f"{len(row)} cells under {len(header)} columns: a delimiter or a quote is out of place"
        result.rejected.append(Rejected(file, line, reason))
        return
    record = {column: without_apostrophe(cell) for column, cell in zip(header, row, strict=False)}
    add_record(result, record, file=file, line=line)


def without_apostrophe(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in {"=", "+", "-", "@", "\t", "\r"} else cell


CSV = Reader(name="csv", extensions=(".csv",), sniff=sniff_csv, parse=parse)
TSV = Reader(name="tsv", extensions=(".tsv", ".tab"), sniff=sniff_tsv, parse=parse)
