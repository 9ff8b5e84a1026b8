"""JSON Lines: one object a line. A broken line costs that line."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["READER", "add_line", "load", "parse", "sniff", "without_surrogates"]

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def sniff(head: str) -> Confidence:
    """Several lines begin with a brace, and one of the first is an object by itself."""
    lines = [line for line in head.split("\n")[:50] if line.strip()]
    if not lines or not lines[0].lstrip().startswith("{"):
        return Confidence.NO
    objects = [line for line in lines if line.lstrip().startswith('{"')]
    if len(objects) > 1 and any(_is_object(line) for line in objects[:20]):
        return Confidence.CERTAIN
    return Confidence.LIKELY if len(lines) == 1 and _is_object(lines[0]) else Confidence.POSSIBLE


def _is_object(line: str) -> bool:
    try:
        return isinstance(load(line), dict)
    except orjson.JSONDecodeError:
        return False


def parse(source: Source) -> ReadResult:
    """One paper a line; blank lines do not count."""
    result = ReadResult()
    for number, line in source.numbered():
        add_line(result, line, file=source.name, line=number)
    return result


def add_line(result: ReadResult, text: bytes, *, file: str, line: int) -> None:
    """Adds the paper of one line that is not blank, or the reason why it is rejected."""
    try:
        record = load(text)
    except orjson.JSONDecodeError as error:
        result.rejected.append(Rejected(file, line, f"not JSON: {error.msg}, column {error.colno}"))
        return
    if isinstance(record, dict):
        add_record(result, record, file=file, line=line)
    else:
        result.rejected.append(Rejected(file, line, "not a JSON object"))


def load(text: str | bytes) -> Any:
    """JSON, also with lone surrogates (they become U+FFFD), NaN (null) and control characters in strings.

    Raises:
        JSONDecodeError: The text is not JSON, or is nested too deeply.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        strict_error = error
    try:
        return without_surrogates(json.loads(text, strict=False, parse_constant=_nothing))
    except (ValueError, RecursionError):
        raise strict_error from None


def without_surrogates(value: Any) -> Any:
    """A JSON value whose lone surrogates have become U+FFFD."""
    text = json.dumps(value, ensure_ascii=False)
    return (
        orjson.loads(_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)) if _SURROGATE.search(text) else value
    )


def _nothing(_: str) -> None:
    return None


READER = Reader(name="jsonl", extensions=(".jsonl", ".ndjson", ".jsonlines"), sniff=sniff, parse=parse)
