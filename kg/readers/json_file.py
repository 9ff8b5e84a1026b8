"""JSON: an array of records, an object of records by their ids, or either anywhere inside a wrapper object.

The list of records is found by content: the one whose members look most like papers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from kg.errors import InputError
from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record, likeness
from kg.readers.json_lines import load
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["READER", "parse", "sniff"]

_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
_MAX_DEPTH = 8


def sniff(head: str) -> Confidence:
    """The first characters are those of an object or an array."""
    if _START.match(head):
        return Confidence.LIKELY
    return Confidence.POSSIBLE if head.lstrip()[:1] in {"{", "["} else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper for each member of the list of records; strings in it are abstracts without titles.

    Raises:
        InputError: The file is not JSON, or holds no record of a paper.
    """
    try:
        value = load(source.data)
    except orjson.JSONDecodeError as error:
        raise InputError(
            f"{source.name}: not JSON ({error})",
            hint="check the place it names; if the file has one object a line, use the format jsonl",
        ) from error
    records = _records(value)
    if records is None:
        raise InputError(f"{source.name}: no list of papers in it ({_shape(value)})", hint=_HINT)
    return _read(records, source)


_HINT = "records need a title or an abstract field; see docs/input-formats.md for the names"


def _shape(value: Any) -> str:
    if isinstance(value, Mapping):
        return "its keys are " + ", ".join(sorted(str(key)[:40] for key in value)[:20])
    return "an array" if isinstance(value, list) else "a single value"


def _records(value: Any) -> list[Any] | None:
    """The records of a file, or None where nothing looks like one."""
    if isinstance(value, list) and (not value or _worth(value)):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value
    if likeness(value) and ("abstract" in value or "content" in value or "abstract_inverted_index" in value):
        return [value]
    lists = list(_lists(value, _MAX_DEPTH))
    if lists:
        return max(lists, key=_worth)
    if likeness(value):
        return [value]
    return [] if value == {} else None


def _lists(value: Any, depth: int) -> Iterator[list[Any]]:
    """Every list of records inside a value, outermost first."""
    if isinstance(value, list) and _worth(value):
        yield value
    elif isinstance(value, Mapping) and depth:
        keyed = [{"id": key, **item} for key, item in value.items() if likeness(item)]
        if len(keyed) > 1:
            yield keyed
        for item in value.values():
            yield from _lists(item, depth - 1)
    elif isinstance(value, list) and depth:
        for item in value[:100]:
            yield from _lists(item, depth - 1)


def _worth(items: list[Any]) -> int:
    return sum(map(likeness, items))


def _read(records: list[Any], source: Source) -> ReadResult:
    result = ReadResult()
    places: list[int] = []
    for index, record in enumerate(records):
        before = len(result.rejected)
        if isinstance(record, str):
            record = {"abstract": record}
        if isinstance(record, Mapping):
            add_record(result, record, file=source.name, line=None)
        else:
            result.rejected.append(Rejected(source.name, None, "not a JSON object"))
        places += [index] * (len(result.rejected) - before)
    if places:
        result.rejected = _with_lines(result.rejected, places, records, source)
    return result


def _with_lines(
    rejected: list[Rejected], places: list[int], records: list[Any], source: Source
) -> list[Rejected]:
    """Says where rejected records stand, which the fast parser does not tell."""
    lines = _lines_of_items(source.text, len(records))
    return [
        Rejected(item.file, lines[place] if lines else None, f"item {place + 1}: {item.reason}")
        for item, place in zip(rejected, places, strict=True)
    ]


def _lines_of_items(text: str, count: int) -> list[int]:
    """Line of each member of the file's array; empty where the records lie deeper."""
    decoder = json.JSONDecoder(strict=False)
    position = _skip(text, 0)
    if not text.startswith("[", position):
        return []
    lines: list[int] = []
    line, counted = 1, 0
    position = _skip(text, position + 1)
    while len(lines) < count:
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        try:
            _, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return []
        position = _skip(text, _skip(text, end) + 1)
    return lines


def _skip(text: str, position: int) -> int:
    match = re.compile(r"[ \t\r\n]*").match(text, position)
    return match.end() if match else position


READER = Reader(name="json", extensions=(".json",), sniff=sniff, parse=parse)
