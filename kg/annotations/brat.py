"""brat standoff (https://brat.nlplab.org/standoff.html): a folder of `PAPER.txt` and `PAPER.ann`.

========== ==================================================================================================
T          a mention with its type; `Name` marks words that are no entity but part of an alias, `Code` an
           address
A          a role of the paper, at any one mention of the concept: `A1 Proposes T3`
R          `Alias` from short to long form, and the relations between concepts; at any mentions of them
#          a note at a `Code` whose address is not written as it stands in the text
========== ==================================================================================================

`annotation.conf` tells brat all of these. The file's name is the paper's id, percent-encoded. The text is
title, newline, abstract. Limits: a mention in several fragments is taken from the first to the last; other
lines (events, normalizations) are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote

from kg.annotations.base import Annotations, Span, annotated, canonical, locate_address, spans_of, surface
from kg.errors import ExportError, InputError
from kg.files import atomic_folder
from kg.gold import AnnotatedPaper, Annotation, concept_type
from kg.readers.source import open_source
from kg.schema import ConceptType, Rejected, RelationType, Role
from kg.store import plain

__all__ = ["LONGEST_NAME", "read", "write"]

T = TypeVar("T")

#: Bytes of a file's name that every system allows, without its ending.
LONGEST_NAME = 200

_NAME, _CODE, _ALIAS, _NOTE = "Name", "Code", "Alias", "AnnotatorNotes"
_ROLES = {role.value.capitalize(): role.value for role in Role}
_CONFIGURATION = "\n".join(
    [
        "[entities]",
        *ConceptType,
        _NAME,
        _CODE,
        "",
        "[relations]",
        *(f"{name}\tArg1:<ENTITY>, Arg2:<ENTITY>" for name in (_ALIAS, *RelationType)),
        "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>",
        "",
        "[events]",
        "",
        "[attributes]",
        *(f"{name}\tArg:<ENTITY>" for name in _ROLES),
        "",
    ]
)


def write(papers: Sequence[AnnotatedPaper], path: Path) -> None:
    """Writes two files a paper and brat's configuration; raises ExportError."""
    with atomic_folder(path) as folder:
        (folder / "annotation.conf").write_text(_CONFIGURATION, encoding="utf-8", newline="")
        for item in papers:
            name = quote(item.gold.id, safe="")
            if len(name) > LONGEST_NAME:
                raise ExportError(f"the id {item.gold.id[:40]!r}… is too long for a file", hint="Shorten it.")
            (folder / f"{name}.txt").write_bytes(str(plain(item.text)).encode())
            lines = "".join(f"{line}\n" for line in _lines(canonical(item)))
            (folder / f"{name}.ann").write_text(lines, encoding="utf-8", newline="")


def _lines(item: AnnotatedPaper) -> Iterator[str]:
    """The lines of the annotation; numbers of each kind of line count from 1."""
    gold, spans = item.gold, [(start, end, kind.value) for start, end, kind in spans_of(item)]
    codes = {url: place for url in gold.code if (place := locate_address(item.text, url))}
    spans += [(*_place(item.text, name), _NAME) for name in _names_only(item, spans)]
    spans += [(*place, _CODE) for place in codes.values()]
    first: dict[str, str] = {}
    for number, (start, end, label) in enumerate(spans, 1):
        yield f"T{number}\t{label} {_fragments(item.text, start, end)}"
        if label != _CODE:
            first.setdefault(item.text[start:end], f"T{number}")
    attributes = [f"{role.value.capitalize()} {first[n]}" for role in Role for n in gold.roles.get(role, ())]
    yield from (f"A{number}\t{line}" for number, line in enumerate(attributes, 1))
    pairs = [(_ALIAS, short, long) for short, long in gold.aliases]
    pairs += [(kind.value, head, tail) for head, kind, tail in gold.relations]
    for number, (kind, head, tail) in enumerate(pairs, 1):
        yield f"R{number}\t{kind} Arg1:{first[head]} Arg2:{first[tail]}"
    for number, (url, (start, end)) in enumerate(codes.items(), 1):
        if item.text[start:end] != url:
            yield f"#{number}\t{_NOTE} T{len(spans) - len(codes) + number}\t{url}"


def _names_only(item: AnnotatedPaper, spans: Iterable[tuple[int, int, str]]) -> list[str]:
    """Names in roles, aliases and relations that are marked nowhere as an entity, in order."""
    marked = {item.text[start:end] for start, end, _ in spans}
    names = [name for role in Role for name in item.gold.roles.get(role, ())]
    names += [name for pair in item.gold.aliases for name in pair]
    names += [name for head, _, tail in item.gold.relations for name in (head, tail)]
    return [name for name in dict.fromkeys(names) if name not in marked]


def _place(text: str, name: str) -> tuple[int, int]:
    start = text.index(name)
    return start, start + len(name)


def _fragments(text: str, start: int, end: int) -> str:
    """The offsets and, after a tab, the words; a line end parts fragments, as in brat itself."""
    parts = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^\r\n]+", text[start:end])]
    offsets = ";".join(f"{left} {right}" for left, right in parts)
    return f"{offsets}\t{' '.join(str(plain(text[left:right])) for left, right in parts)}"


def read(path: Path) -> Annotations:
    """Reads every `.ann` file of a folder and of those in it, with its `.txt`.

    Raises:
        InputError: there is none.
    """
    result = Annotations()
    files = sorted(path.rglob("*.ann"))
    if not files:
        raise InputError(f"{path}: no folder with .ann files", hint="Name the folder that brat wrote to.")
    for file in files:
        try:
            text, lines = open_source(file.with_suffix(".txt"))[0].text, open_source(file)[0].lines
            item, doubts = _annotated(unquote(file.stem), text, lines)
        except _LineError as error:
            result.rejected.append(Rejected(str(file), error.line, str(error)))
        except InputError as error:
            result.rejected.append(Rejected(str(file), None, error.message))
        else:
            result.papers.append(item)
            result.warnings += doubts
    return result


class _LineError(ValueError):
    """A line that is no annotation of ours."""

    def __init__(self, line: int | None, reason: object) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(slots=True)
class _Standoff:
    """What the lines of a file say: marked places, and by the ids of T lines their words and addresses."""

    text: str
    record: dict[str, Any]
    spans: list[Span] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)

    def mark(self, name: str, body: str) -> None:
        """Takes a T line: `Method 10 15;16 20`."""
        label, _, offsets = body.partition(" ")
        numbers = [int(number) for number in re.split("[; ]", offsets)]
        start, end = min(numbers), max(numbers)
        words = surface(self.text, start, end)
        if label == _CODE:
            self.code[name] = words
            return
        self.words[name] = words
        if label != _NAME:
            self.spans.append((start, end, concept_type(label)))

    def say(self, name: str, body: str, rest: str) -> None:
        """Takes a line that speaks of T lines."""
        label, *targets = body.split(" ")
        if name.startswith("R"):
            head, tail = (self.words[target.partition(":")[2]] for target in targets[:2])
            self._relate(label, head, tail)
        elif name.startswith("A"):
            if label not in _ROLES:
                raise ValueError(f"{label!r} is no role; write one of {', '.join(_ROLES)}")
            self.record["paper"].setdefault(_ROLES[label], []).append(self.words[targets[0]])
        elif name.startswith("#") and targets and targets[0] in self.code:
            self.code[targets[0]] = rest.strip()

    def _relate(self, label: str, head: str, tail: str) -> None:
        if label == _ALIAS:
            self.record["aliases"].append([head, tail])
        else:
            self.record["relations"].append([head, label, tail])


def _annotated(identity: str, text: str, lines: Sequence[str]) -> tuple[AnnotatedPaper, list[str]]:
    found = _Standoff(text, {"id": identity, "entities": [], "paper": {}, "aliases": [], "relations": []})
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1) if "\t" in line]
    for number, (name, body, *_) in rows:
        if name.startswith("T"):
            _guarded(number, found.mark, name, body)
    for number, (name, body, *rest) in rows:
        _guarded(number, found.say, name, body, rest[0] if rest else "")
    found.record["paper"]["code"] = list(found.code.values())
    gold = _guarded(None, Annotation.from_record, found.record)
    return annotated(text, found.spans, gold)


def _guarded(line: int | None, take: Callable[..., T], *arguments: Any) -> T:
    try:
        return take(*arguments)
    except KeyError as error:
        raise _LineError(line, f"{error.args[0]!r} is no mention of this file") from error
    except (ValueError, IndexError) as error:
        raise _LineError(line, f"no line of brat that we know: {error}") from error
