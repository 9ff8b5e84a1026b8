"""The seed vocabulary: names that are facts, with the spelling that people know and their true synonyms.

It decides how a concept is spelled and joins synonyms; it never limits what can be found. The corpus may
contradict it: see `kg.merging`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kg.folding import CASED, name_key
from kg.schema import ConceptType

__all__ = ["Entry", "Vocabulary", "seed_vocabulary", "vocabulary_of"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of the vocabulary: its spelling, its key, and the keys of its synonyms."""

    name: str
    type: ConceptType
    key: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All entries, and the entry of each (type, key): names before synonyms."""

    entries: tuple[Entry, ...]
    by_key: Mapping[tuple[ConceptType, str], Entry]

    def find(self, kind: ConceptType, key: str) -> Entry | None:
        """The entry that a key of a type belongs to, whether or not it is written in its usual case.

        >>> seed_vocabulary().find(ConceptType.METHOD, name_key("Graph Neural Networks")).name
        'graph neural network'
        """
        other = key.removesuffix(CASED) if key.endswith(CASED) else key + CASED
        return self.by_key.get((kind, key)) or self.by_key.get((kind, other))

    def is_name(self, entry: Entry, key: str) -> bool:
        """Whether a key is that of the entry's name, not of a synonym."""
        return entry.key.removesuffix(CASED) == key.removesuffix(CASED)


def vocabulary_of(tables: Mapping[str, Mapping[str, list[str]]]) -> Vocabulary:
    """The vocabulary of a TOML file's tables: type -> name -> synonyms."""
    entries = tuple(
        Entry(name, ConceptType(kind.title()), name_key(name), tuple(sorted(set(map(name_key, aliases)))))
        for kind, names in sorted(tables.items())
        for name, aliases in sorted(names.items())
    )
    by_key = {(entry.type, alias): entry for entry in entries for alias in entry.aliases}
    by_key |= {(entry.type, entry.key): entry for entry in entries}
    return Vocabulary(entries, by_key)


@cache
def seed_vocabulary() -> Vocabulary:
    """The vocabulary that comes along."""
    text = files("seeds").joinpath("vocabulary.toml").read_text("utf-8")
    return vocabulary_of(tomllib.loads(text))
