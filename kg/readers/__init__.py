"""Readers: from files of any usual format to `Paper` objects.

>>> from kg.readers import read
>>> result = read(["papers.bib", "more.jsonl.gz"])  # doctest: +SKIP
>>> result.papers, result.rejected, result.warnings  # doctest: +SKIP

A format is an entry of `FORMATS`. To add one, write a module with `sniff` and `parse` as in `kg.readers.base`
and add its `READER` to `_READERS`; `docs/input-formats.md` shows how.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import IO

from kg.errors import InputError
from kg.readers import bibtex, delimited, json_file, json_lines, markdown, ris, text, xml_feed
from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.source import DEFAULT_MAX_BYTES, STDIN, Source, open_source, source_of
from kg.schema import Rejected

__all__ = [
    "DEFAULT_MAX_BYTES",
    "FORMATS",
    "Confidence",
    "ReadResult",
    "Reader",
    "detect",
    "may_be_list",
    "read",
    "read_bytes",
    "read_member",
]

# In the order of preference where several are equally sure.
_READERS = (
    json_file.READER,
    json_lines.READER,
    xml_feed.READER,
    ris.READER,
    bibtex.READER,
    delimited.TSV,
    delimited.CSV,
    markdown.READER,
    text.READER,
)

#: Name of a format -> its reader.
FORMATS: Mapping[str, Reader] = {
    reader.name: reader for reader in sorted(_READERS, key=lambda each: each.name)
}

_FREE = (markdown.READER, text.READER)

# Files beside the lists of a folder that are about it.
_ABOUT = frozenset({"authors", "changelog", "contributing", "licence", "license", "notice", "readme"})
#: Endings of files that describe or configure and are never a list.
_NO_LIST = frozenset({".cfg", ".ini", ".lock", ".py", ".pyc", ".sh", ".toml", ".yaml", ".yml"})


_PACKED = frozenset({".gz", ".xz", ".bz2"})


def read(
    inputs: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    format: str | None = None,
    stdin: IO[bytes] | None = None,
    max_bytes: int | None = None,
) -> ReadResult:
    """Reads papers from files, folders and standard input.

    Args:
        inputs: Paths, in order; "-" is standard input. In a folder every file whose content is recognised is
            read, sorted by path, and the others are named in a warning.
        format: A name of `FORMATS` for all inputs; by default it is detected by content.
        stdin: What "-" stands for; the process's standard input by default.
        max_bytes: Largest size of an input after decompression; by default `DEFAULT_MAX_BYTES`, and less for
            what grows like a decompression bomb.

    Returns:
        Papers, one for each record, unmerged; rejected records; warnings.

    Raises:
        InputError: A named input cannot be read at all, or the format is unknown.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}", hint="the formats are " + ", ".join(FORMATS))
    result = ReadResult()
    for item in [inputs] if isinstance(inputs, str | os.PathLike) else inputs:
        if os.fspath(item) != STDIN and Path(item).is_dir():
            result.extend(_read_folder(Path(item), format, max_bytes))
        else:
            result.extend(_read_one(item, format, stdin, max_bytes))
    return result


def _read_one(
    item: str | os.PathLike[str], format: str | None, stdin: IO[bytes] | None, max_bytes: int | None
) -> ReadResult:
    return _read_source(*open_source(item, stdin=stdin, max_bytes=max_bytes), format)


def read_bytes(
    raw: bytes, *, name: str, format: str | None = None, max_bytes: int | None = None
) -> ReadResult:
    """Reads papers from the bytes of a file; arguments and errors are those of `read`."""
    return _read_source(*source_of(raw, name=name, max_bytes=max_bytes), format)


def _read_source(source: Source, warnings: list[str], format: str | None) -> ReadResult:
    if not source.data.strip():
        return ReadResult(warnings=[*warnings, f"{source.name}: the file is empty"])
    reader = FORMATS[format] if format else detect(source)
    if reader is None:
        raise InputError(
            f"{source.name}: the format is not recognised", hint="name it: " + ", ".join(FORMATS)
        )
    return _parsed(reader, source, warnings)


def _parsed(reader: Reader, source: Source, warnings: list[str]) -> ReadResult:
    result = ReadResult(warnings=warnings)
    result.extend(reader.parse(source))
    if not (result.papers or result.rejected or result.warnings):
        result.warnings.append(f"{source.name}: no papers in it, read as {reader.name}")
    return result


def _read_folder(folder: Path, format: str | None, max_bytes: int | None) -> ReadResult:
    """One bad file of a folder costs that file, as one bad record costs that record."""
    result = ReadResult()
    for path in _files(folder):
        try:
            source, warnings = open_source(path, max_bytes=max_bytes)
        except InputError as error:
            result.warnings.append(f"skipped, {error.message}")
            continue
        result.extend(_read_member(source, warnings, format))
    if not result.papers and not result.rejected:
        result.warnings.append(f"{folder}: no papers in this folder")
    return result


def read_member(
    raw: bytes, *, name: str, format: str | None = None, max_bytes: int | None = None
) -> ReadResult:
    """Reads papers from the bytes of a file of a folder, which may be no list at all; never raises."""
    try:
        source, warnings = source_of(raw, name=name, max_bytes=max_bytes)
    except InputError as error:
        return ReadResult(warnings=[f"skipped, {error.message}"])
    return _read_member(source, warnings, format)


def _read_member(source: Source, warnings: list[str], format: str | None) -> ReadResult:
    reader = FORMATS[format] if format else _recognised(source)
    if reader is None:
        return ReadResult(warnings=[f"skipped, {source.name}: not recognised as a list of papers"])
    try:
        return _parsed(reader, source, warnings)
    except InputError as error:
        reason = error.message.removeprefix(f"{source.name}: ")
        return ReadResult(rejected=[Rejected(source.name, None, reason)])


def _files(folder: Path) -> Iterator[Path]:
    """The files of a folder that may be lists."""
    for path in sorted(folder.rglob("*")):
        if may_be_list(path.relative_to(folder)) and path.is_file():
            yield path


def may_be_list(path: PurePath) -> bool:
    """Whether a file of a folder may be a list by its path in there: not hidden, not about the folder."""
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.stem.casefold() not in _ABOUT and path.suffix.casefold() not in _NO_LIST


def _recognised(source: Source) -> Reader | None:
    """In a folder, free text counts under a fitting name alone, for a script is text too."""
    reader = detect(source)
    if reader in _FREE:
        return reader if any(_named(free, source.name) for free in _FREE) else None
    if reader and (reader.sniff(source.head) >= Confidence.LIKELY or _named(reader, source.name)):
        return reader
    return None


def detect(source: Source) -> Reader | None:
    """The reader of a content: the one that is most sure; among equals the one whose ending the name has."""
    head = source.head
    sure = {reader.name: reader.sniff(head) for reader in _READERS}
    best = max(sure.values())
    equals = [reader for reader in _READERS if sure[reader.name] == best]
    if best == Confidence.NO:
        return None
    default = FORMATS["text"] if best == Confidence.POSSIBLE else equals[0]
    return next((reader for reader in equals if _named(reader, source.name)), default)


def _named(reader: Reader, name: str) -> bool:
    path = PurePath(name)
    suffix = PurePath(path.stem).suffix if path.suffix.casefold() in _PACKED else path.suffix
    return suffix.casefold() in reader.extensions
