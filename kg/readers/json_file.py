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
from kg.readers.json_lines import load, without_surrogates
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["READER", "parse", "sniff"]

_START = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")
_SPACE = re.compile(r"[ \t\r\n]*")
_MAX_DEPTH = 8


def sniff(head: str) -> Confidence:
    """The first characters are those of an object or an array."""
    if _START.match(head):
        return Confidence.LIKELY
    return Confidence.POSSIBLE if head.lstrip()[:1] in {"{", "["} else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper for each member of the list of records; strings in it are abstracts without titles.

    Raises:
        InputError: The file is not JSON from its first record on, or holds no record of a paper.
    """
    try:
        value = load(source.data)
    except orjson.JSONDecodeError as error:
        return _salvaged(source, error)
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
        result.rejected = _with_lines(result.rejected, places, source)
    return result


def _salvaged(source: Source, error: orjson.JSONDecodeError) -> ReadResult:
    """The members of a broken array before the broken place."""
    items = list(_items(source.text))
    if not any(map(likeness, (item for _, item in items))):
        raise InputError(
            f"{source.name}: not JSON ({error})",
            hint="check the place it names; if the file has one object a line, use the format jsonl",
        ) from error
    result = _read([item for _, item in items], source)
    result.rejected.append(Rejected(source.name, error.lineno, f"not JSON, the rest is lost: {error.msg}"))
    return result


def _with_lines(rejected: list[Rejected], places: list[int], source: Source) -> list[Rejected]:
    """Says where rejected records stand, which the fast parser does not tell."""
    lines = dict(enumerate(line for line, _ in _items(source.text)))
    return [
        Rejected(item.file, lines.get(place), f"item {place + 1}: {item.reason}")
        for item, place in zip(rejected, places, strict=True)
    ]


def _items(text: str) -> Iterator[tuple[int, Any]]:
    """The members of the file's array with their lines, up to its end or a fault; none if it is no array."""
    decoder = json.JSONDecoder(strict=False)
    position = _skip(text, 0)
    line, counted = 1, 0
    while text.startswith(("[", ",") if counted else "[", position):
        start = _skip(text, position + 1)
        line += text.count("\n", counted, start)
        counted = start
        try:
            item, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return
        yield line, without_surrogates(item)
        position = _skip(text, end)


def _skip(text: str, position: int) -> int:
    """The next position that is not white space."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


READER = Reader(name="json", extensions=(".json",), sniff=sniff, parse=parse)
