"""What the tests of the readers share: reading a string, and the fields of a paper that are set."""

from __future__ import annotations

import io
from dataclasses import fields
from typing import Any

from kg.readers import ReadResult, read
from kg.schema import Paper


def read_text(content: str | bytes, *, format: str | None = None) -> ReadResult:
    """Reads a string or bytes as if it came on standard input."""
    data = content.encode() if isinstance(content, str) else content
    return read("-", format=format, stdin=io.BytesIO(data))


def shown(paper: Paper) -> dict[str, Any]:
    """The fields of a paper that are not empty."""
    return {field.name: value for field in fields(paper) if (value := getattr(paper, field.name))}


def titles(result: ReadResult) -> list[str | None]:
    """The titles of all papers of a result."""
    return [paper.title for paper in result.papers]
