"""Abstracts annotated by hand: what an annotation holds, its JSON Lines, and where its names stand.

An annotation lists surface strings, not places: every occurrence of a string counts, longest first, on word
borders, none inside another (`occurrences`). Two files belong together, `NAME.text.jsonl` with the abstracts
and `NAME.gold.jsonl` with what was annotated; `docs/evaluation.md` describes both and how to annotate.

A line that is no annotation costs that line: it is rejected with file, line and what to write instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import orjson

from kg.errors import InputError
from kg.folding import inside_word
from kg.readers.json_lines import load
from kg.readers.source import open_source
from kg.schema import ConceptType, Extraction, Paper, Rejected, RelationType, Role

__all__ = [
    "AnnotatedPaper",
    "Annotation",
    "Entity",
    "Lines",
    "Reading",
    "concept_type",
    "occurrences",
    "read_annotations",
    "read_readings",
    "read_texts",
    "text_beside",
]

StrPath: TypeAlias = str | os.PathLike[str]
T = TypeVar("T")

#: A surface string and its type.
Entity: TypeAlias = "tuple[str, ConceptType]"

#: What other corpora call our types.
_SYNONYMS = {
    "concept": ConceptType.TERM,
    "material": ConceptType.DATASET,
    "otherscientificterm": ConceptType.TERM,
}
_TYPES = {kind.value.lower(): kind for kind in ConceptType} | _SYNONYMS
_RELATIONS = {kind.value: kind for kind in RelationType}
_CODE = "code"
#: What an extraction record may leave out where only its findings count.
_NOTHING_FOUND: Mapping[str, Any] = {
    "title": None,
    "text": "",
    "mentions": [],
    "concepts": [],
    "relations": [],
    "code_links": [],
    "code_status": "none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What was annotated in one paper; every name is a string of its text, as it stands there.

    `entities` are the surface strings with their types, `aliases` pairs of a short and its long form,
    `relations` triples of head, relation and tail, `code` the addresses of the paper's own code and data.
    """

    id: str
    entities: tuple[Entity, ...] = ()
    roles: Mapping[Role, tuple[str, ...]] = field(default_factory=dict)
    code: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    relations: tuple[tuple[str, RelationType, str], ...] = ()

    def to_record(self) -> dict[str, Any]:
        """One line of a gold file, as a JSON object."""
        return {
            "id": self.id,
            "entities": [[surface, kind.value] for surface, kind in self.entities],
            "paper": {role.value: list(self.roles.get(role, ())) for role in Role} | {_CODE: list(self.code)},
            "aliases": [list(pair) for pair in self.aliases],
            "relations": [[head, relation.value, tail] for head, relation, tail in self.relations],
        }

    def strays(self, text: str) -> list[str]:
        """Names that do not stand in the text, where somebody mistyped them."""
        names = [surface for surface, _ in self.entities]
        names += [name for names_of_role in self.roles.values() for name in names_of_role]
        names += [name for pair in self.aliases for name in pair]
        names += [name for head, _, tail in self.relations for name in (head, tail)]
        return [name for name in dict.fromkeys(names) if name not in text]

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Annotation:
        """The inverse of `to_record`; raises ValueError, which says what to write instead."""
        told = _object(record.get("paper", {}), "paper")
        names = {role: tuple(_texts(told[role], f"paper.{role}")) for role in told}
        unknown = sorted(names.keys() - {role.value for role in Role} - {_CODE})
        if unknown:
            raise ValueError(f"paper.{unknown[0]} is no role; write one of {', '.join((*Role, _CODE))}")
        return cls(
            id=_id(record),
            entities=tuple(_entities(record.get("entities"))),
            roles={role: names[role.value] for role in Role if names.get(role.value)},
            code=names.get(_CODE, ()),
            aliases=tuple(
                (short, long)
                for short, long in _rows(record.get("aliases", []), "aliases", ("short form", "long form"))
            ),
            relations=tuple(_relations(record.get("relations", []))),
        )


#: What one side says of a paper: a person's annotation, or an extraction.
Reading: TypeAlias = Annotation | Extraction


@dataclass(frozen=True, slots=True)
class AnnotatedPaper:
    """A paper and what was annotated in it."""

    paper: Paper
    gold: Annotation

    @property
    def text(self) -> str:
        """Title, newline, abstract: what offsets count in."""
        return self.paper.text


@dataclass(slots=True)
class Lines(Generic[T]):
    """What the lines of a file hold, by id in their order, and those that were rejected."""

    found: dict[str, T] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)


def text_beside(path: StrPath) -> Path:
    """The file of abstracts that belongs to a gold file.

    >>> text_beside("dev.gold.jsonl").name, text_beside("mine.jsonl").name
    ('dev.text.jsonl', 'mine.text.jsonl')
    """
    gold = Path(path)
    stem = gold.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".gold")
    return gold.with_name(f"{stem}.text.jsonl")


def read_texts(path: StrPath) -> Lines[Paper]:
    """The abstracts of a file, by id: JSON Lines with `id`, `title` (may be null) and `abstract`.

    Title and abstract stay as they are, character by character.

    Raises:
        InputError: the file cannot be read at all.
    """
    return _read(path, _paper)


def read_annotations(path: StrPath) -> Lines[Annotation]:
    """The annotations of a gold file, by id; raises InputError where it cannot be read at all."""
    return _read(path, Annotation.from_record)


def read_readings(path: StrPath) -> Lines[Reading]:
    """Annotations or extraction records of a file, by id; raises InputError as `read_annotations` does."""
    return _read(path, _reading)


def _read(path: StrPath, parse: Callable[[Mapping[str, Any]], T]) -> Lines[T]:
    source, _ = open_source(path)
    lines: Lines[T] = Lines()
    seen: dict[str, int] = {}
    for number, line in source.numbered():
        try:
            identity, value = _parsed(line, parse, seen)
        except ValueError as error:
            lines.rejected.append(Rejected(source.name, number, str(error)))
        else:
            seen[identity] = number
            lines.found[identity] = value
    if not lines.found and not lines.rejected:
        raise InputError(f"{source.name} is empty", hint="Write one JSON object a line.")
    return lines


def _parsed(line: bytes, parse: Callable[[Mapping[str, Any]], T], seen: Mapping[str, int]) -> tuple[str, T]:
    try:
        record = _object(load(line), "the line")
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg}, column {error.colno}; write one object a line") from error
    identity = _id(record)
    if identity in seen:
        raise ValueError(
            f"the id {identity!r} stands in line {seen[identity]}, too; give every paper its own"
        )
    return identity, parse(record)


def _paper(record: Mapping[str, Any]) -> Paper:
    title, abstract = record.get("title"), record.get("abstract")
    if not isinstance(title, str | None):
        raise ValueError('"title" is no text; write a text or null')
    if not isinstance(abstract, str):
        raise ValueError('"abstract" is missing or no text; write the abstract')
    return Paper(title=title or None, abstract=abstract, source_ids=(_id(record),))


def _reading(record: Mapping[str, Any]) -> Reading:
    if "entities" in record:
        return Annotation.from_record(record)
    if "mentions" not in record and "concepts" not in record:
        raise ValueError('neither "entities" nor "mentions"; write an annotation or an extraction record')
    try:
        return Extraction.from_record({**_NOTHING_FOUND, **record, "id": _id(record)})
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"no extraction record: {error!r}; write it as kg extract does") from error


def _id(record: Mapping[str, Any]) -> str:
    identity = record.get("id")
    if isinstance(identity, bool) or not isinstance(identity, str | int) or identity == "":
        raise ValueError('"id" is missing or no text; give every paper an id')
    return str(identity)


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} is no JSON object; write {{…}}")
    return value


def _texts(value: Any, name: str) -> Iterator[str]:
    if not isinstance(value, list):
        raise ValueError(f'{name} is no list; write ["…", …]')
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise ValueError(f"{name}[{index}] is no text; write a string of the abstract")
        yield item


def _rows(value: Any, name: str, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Lists of so many texts each."""
    shape = ", ".join(f'"{column}"' for column in columns)
    if not isinstance(value, list):
        raise ValueError(f"{name} is missing or no list; write [[{shape}], …]")
    for index, row in enumerate(value):
        if not isinstance(row, list) or [type(cell) for cell in row] != [str] * len(columns):
            raise ValueError(f"{name}[{index}] is wrong; write [{shape}]")
        yield tuple(row)


def _entities(value: Any) -> Iterator[Entity]:
    for index, (surface, label) in enumerate(_rows(value, "entities", ("string", "type"))):
        try:
            kind = concept_type(label)
        except ValueError as error:
            raise ValueError(f"entities[{index}]: {error}") from None
        yield surface, kind


def _relations(value: Any) -> Iterator[tuple[str, RelationType, str]]:
    for index, (head, relation, tail) in enumerate(_rows(value, "relations", ("head", "relation", "tail"))):
        if relation not in _RELATIONS:
            raise ValueError(
                f"relations[{index}]: {relation!r} is no relation; write one of {', '.join(_RELATIONS)}"
            )
        yield head, _RELATIONS[relation], tail


def concept_type(label: str) -> ConceptType:
    """The type that a label names, also by the names of other corpora; raises ValueError.

    >>> concept_type("method"), concept_type("Material")
    (<ConceptType.METHOD: 'Method'>, <ConceptType.DATASET: 'Dataset'>)
    """
    kind = _TYPES.get(label.lower())
    if kind is None:
        raise ValueError(f"{label!r} is no type; write one of {', '.join(ConceptType)}")
    return kind


def occurrences(text: str, entities: Iterable[Entity]) -> dict[tuple[int, int], ConceptType]:
    """Where the surface strings stand: (start, end) -> type, in order.

    Longest strings first, those of equal length in their order; only on word borders, and none inside or
    across another.
    """
    taken = bytearray(len(text))
    found: dict[tuple[int, int], ConceptType] = {}
    for surface, kind in sorted(entities, key=_longest_first):
        if not surface.strip():
            continue
        for match in re.finditer(re.escape(surface), text):
            start, end = match.span()
            cut = inside_word(text, start) or inside_word(text, end)
            if not cut and taken.find(1, start, end) < 0:
                taken[start:end] = b"\x01" * (end - start)
                found[start, end] = kind
    return dict(sorted(found.items()))


def _longest_first(entity: Entity) -> int:
    return -len(entity[0])
