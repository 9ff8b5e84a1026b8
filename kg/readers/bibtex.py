"""BibTeX and BibLaTeX, split into blocks by bibtexparser 2.

After a broken block it goes on at the next line that begins with `@`. Values are put together here (`#`,
`@string`, months), and LaTeX in them is decoded; formulas stay.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import Block, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock, String

from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record
from kg.readers.latex import decode_accents, decode_latex
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["READER", "parse", "sniff"]

_ENTRY = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(][ \t]*[^\s,{}()=]*[ \t]*[,=]", re.MULTILINE)
_MONTHS = {month: month for month in "jan feb mar apr may jun jul aug sep oct nov dec".split()}
_VOLUMES = frozenset({"proceedings", "mvproceedings", "collection", "set"})
_ENCLOSED = frozenset({"{}", '""'})
_NAMES = frozenset({"author", "editor"})

# The library logs every broken block; our result holds them.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


def sniff(head: str) -> Confidence:
    """A line begins an entry."""
    return Confidence.CERTAIN if _ENTRY.search(head) else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper an entry; the volumes of proceedings give venue and year to their papers."""
    result = ReadResult()
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    macros = dict(_MONTHS)
    unknown: dict[str, int] = {}
    entries = list(_entries(parse_string(text, parse_stack=[]).blocks, macros, unknown, source.name, result))
    for macro, line in unknown.items():
        result.warnings.append(f"{source.name}, line {line}: {macro!r} is no @string, kept as text")
    volumes = {fields["key"]: fields for _, kind, fields in entries if kind in _VOLUMES}
    for line, kind, fields in entries:
        if kind not in _VOLUMES:
            add_record(result, _record(fields, volumes), file=source.name, line=line)
    return result


def _entries(
    blocks: list[Block], macros: dict[str, str], unknown: dict[str, int], file: str, result: ReadResult
) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Line, kind and resolved fields of each entry; macros and faults go into the collections given."""
    for block in blocks:
        line = (block.start_line or 0) + 1
        if isinstance(block, DuplicateFieldKeyBlock):
            names = ", ".join(sorted(block.duplicate_keys))
            result.warnings.append(f"{file}, line {line}: several fields {names}, the first counts")
        if isinstance(block, ParsingFailedBlock):
            inner = block.ignore_error_block
            if inner is None:
                result.rejected.append(Rejected(file, line, f"broken entry: {_reason(block)}"))
                continue
            block = inner
        if isinstance(block, String):
            macros.setdefault(block.key.casefold(), _value(block.value, macros, unknown, line))
        elif isinstance(block, Entry):
            yield line, block.entry_type.casefold(), _fields(block, macros, unknown, line)


def _reason(block: ParsingFailedBlock) -> str:
    return " ".join(str(getattr(block.error, "abort_reason", block.error)).split())


def _fields(entry: Entry, macros: Mapping[str, str], unknown: dict[str, int], line: int) -> dict[str, str]:
    fields = {"key": entry.key}
    for field in entry.fields:
        value = _value(str(field.value), macros, unknown, line)
        unindented = "\n".join(part.strip() for part in value.split("\n"))  # indentation is the file's
        fields.setdefault(field.key.casefold(), unindented)
    return fields


def _value(raw: str, macros: Mapping[str, str], unknown: dict[str, int], line: int) -> str:
    """A value with its pieces joined, e.g. `icml # { 2021}`."""
    pieces = []
    for piece in map(str.strip, _pieces(raw)):
        if piece[:1] + piece[-1:] in _ENCLOSED and len(piece) > 1:
            pieces.append(piece[1:-1])
        elif piece.casefold() in macros:
            pieces.append(macros[piece.casefold()])
        else:
            pieces.append(piece)
            if piece and not piece.isdigit():
                unknown.setdefault(piece[:60], line)
    return "".join(pieces)


def _pieces(raw: str) -> Iterator[str]:
    """The pieces of a value between `#` signs outside braces and quotes."""
    depth, quoted, start = 0, False, 0
    for match in re.finditer(r'(?<!\\)[{}"#]', raw):
        mark = match[0]
        if mark == '"' and not depth:
            quoted = not quoted
        elif mark in "{}":
            depth = max(0, depth + (1 if mark == "{" else -1))
        elif mark == "#" and not depth and not quoted:
            yield raw[start : match.start()]
            start = match.end()
    yield raw[start:]


def _record(fields: Mapping[str, str], volumes: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    record: dict[str, Any] = {
        name: decode_latex(value) for name, value in fields.items() if name not in _NAMES
    }
    if "author" in fields:
        record["author"] = _people(fields["author"])
    volume = volumes.get(fields.get("crossref", ""))
    if volume is None and len(volumes) == 1 and not {"booktitle", "journal", "journaltitle"} & fields.keys():
        volume = next(iter(volumes.values()))
    if volume:
        record.setdefault("booktitle", decode_latex(volume.get("booktitle") or volume.get("title", "")))
        record.setdefault("year", volume.get("year") or volume.get("date", ""))
    return record


def _people(names: str) -> list[str]:
    """Names as "First von Last, Jr": a name in braces is one word."""
    people = []
    for name in split_multiple_persons_names(" ".join(decode_accents(names).split())):
        if name.startswith("{") and name.endswith("}"):
            people.append(decode_latex(name))
            continue
        parts = parse_single_name_into_parts(name, strict=False)
        words = [*parts.first, *parts.von, *parts.last, *parts.jr]
        people.append(decode_latex(" ".join(words)))
    return people


READER = Reader(name="bibtex", extensions=(".bib", ".bibtex"), sniff=sniff, parse=parse)
