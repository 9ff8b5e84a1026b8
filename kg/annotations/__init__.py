"""Annotations in the formats of annotation tools: one module a format, the same pair of functions in each.

`write(papers, path)` writes annotated papers, `read(path)` gives them back with what was corrected. To add a
format, write a module with this pair and put it into `_FORMATS`.

Every format holds what `canonical` gives: names that stand in the text, in one order. What is written of it
reads back equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.annotations import brat, docbin, json_lines, prodigy
from kg.annotations.base import Annotations
from kg.errors import ExportError, InputError
from kg.gold import AnnotatedPaper, StrPath, text_beside
from kg.schema import Rejected

__all__ = ["FORMATS", "Format", "format_of", "read", "require_absent", "write"]


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is written and read."""

    write: Callable[[Sequence[AnnotatedPaper], Path], None]
    read: Callable[[Path], Annotations]


#: Name of a format -> its functions.
FORMATS: Mapping[str, Format] = {
    "brat": Format(brat.write, brat.read),
    "docbin": Format(docbin.write, docbin.read),
    "jsonl": Format(json_lines.write, json_lines.read),
    "prodigy": Format(prodigy.write, prodigy.read),
}
_ENDINGS = {"": "brat", ".spacy": "docbin", ".jsonl": "jsonl"}


def format_of(path: StrPath) -> str:
    """The format that the name of an output tells: a folder is brat, `.spacy` docbin, `.jsonl` jsonl.

    Raises:
        ExportError: the ending tells nothing.
    """
    ending = Path(path).suffix
    if ending not in _ENDINGS:
        raise ExportError(f"{path}: {ending!r} tells no format", hint="Name it with --to.")
    return _ENDINGS[ending]


def write(papers: Sequence[AnnotatedPaper], path: StrPath, *, format: str) -> None:
    """Writes annotated papers to a file or folder that does not exist yet.

    Raises:
        ExportError: something stands there, which may hold corrections, or it cannot be written.
    """
    require_absent(path, format=format)
    FORMATS[format].write(papers, Path(path))


def require_absent(path: StrPath, *, format: str) -> None:
    """Raises ExportError where something stands that may hold corrections."""
    for target in (Path(path), *([text_beside(path)] if format == "jsonl" else [])):
        if target.exists():
            raise ExportError(
                f"{target} exists and may hold corrections", hint="Name another output, or delete it first."
            )


def read(paths: Iterable[StrPath], *, format: str) -> Annotations:
    """Reads annotated papers; a paper whose annotation is wrong, or whose id came before, is rejected.

    Raises:
        InputError: a path is absent or cannot be read at all.
    """
    result = Annotations()
    seen: set[str] = set()
    for path in map(Path, paths):
        if not path.exists():
            raise InputError(f"{path}: no such file or folder", hint="check the path")
        found = FORMATS[format].read(path)
        result.rejected += found.rejected
        result.warnings += found.warnings
        for item in found.papers:
            if item.gold.id in seen:
                result.rejected.append(Rejected(str(path), None, f"the id {item.gold.id!r} came before"))
            else:
                seen.add(item.gold.id)
                result.papers.append(item)
    return result
