"""RIS: tagged lines, `TY` to `ER`, as Zotero, EndNote, Scopus and publishers export them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record
from kg.readers.source import Source

__all__ = ["READER", "parse", "sniff"]

_TAG = re.compile(r"([A-Z][A-Z0-9])  ?-(?: |$)(.*)")
_START = re.compile(r"^TY  ?- ", re.MULTILINE)
_LISTS = frozenset({"AU", "A1", "KW", "UR", "L1", "L2"})


def sniff(head: str) -> Confidence:
    """A line begins a record."""
    return Confidence.CERTAIN if _START.search(head) else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper from each `TY` to its `ER`, or to the next `TY` where that is missing."""
    result = ReadResult()
    outside = 0
    for number, fields in _blocks(source.lines):
        if fields and fields[0][0]:
            add_record(result, _record(fields), file=source.name, line=number)
        else:
            outside += 1
    if outside:
        result.warnings.append(f"{source.name}: {outside} lines outside records (TY to ER) were left out")
    return result


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[list[str]]]]:
    """The (tag, lines…) lists of each record, with its first line; a line outside records has the tag ""."""
    fields: list[list[str]] | None = None
    start = 0
    for number, line in enumerate(lines, 1):
        match = _TAG.match(line)
        tag = match[1] if match else ""
        if tag in {"TY", "ER"}:
            if fields:
                yield start, fields
            fields, start = ([] if tag == "TY" else None), number
        elif fields is None:
            if line.strip():
                yield number, [["", line]]
        elif match:
            fields.append([tag, match[2]])
        elif fields:
            fields[-1].append(line)
    if fields:
        yield start, fields


def _record(fields: list[list[str]]) -> dict[str, str | list[str]]:
    record: dict[str, str | list[str]] = {}
    for tag, *lines in fields:
        value = "\n".join(lines).strip()
        known = record.get(tag)
        if isinstance(known, list):
            known.append(value)
        elif value and not known:
            record[tag] = [value] if tag in _LISTS else value
    return record


READER = Reader(name="ris", extensions=(".ris",), sniff=sniff, parse=parse)
