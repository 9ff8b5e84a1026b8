"""Versions and sizes: `GPT-4` IS_A `GPT`.

A name that ends in a version or a size (`kg.heads.families`) is tied to the nearest family that the corpus
knows: one that is a concept of the same type, or one that two names or more would belong to, which then
becomes a concept that no paper writes by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from kg.folding import CASED, name_key
from kg.heads import families
from kg.schema import ConceptType

__all__ = ["Families", "Known", "Lookup", "Member", "find_families"]

_TYPES = frozenset({ConceptType.METHOD, ConceptType.DATASET})


@dataclass(frozen=True, slots=True)
class Member:
    """A concept that may be a version of something: its key, type, shown name and number of papers."""

    key: str
    type: ConceptType
    name: str
    papers: int


class Known(NamedTuple):
    """What is known of a key that papers write: its concept, the type, and whether it is a proper name."""

    concept: str
    type: ConceptType
    proper: bool


Lookup: TypeAlias = Callable[[str], Known | None]


@dataclass(frozen=True, slots=True)
class Families:
    """The family of each member, and the families that no paper writes: key -> (type, name)."""

    parents: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, tuple[ConceptType, str]] = field(default_factory=dict)


def find_families(members: Iterable[Member], known: Lookup) -> Families:
    """The families of some concepts.

    Args:
        members: every concept of the corpus.
        known: what is known of a key; None if no paper writes it.
    """
    lines = [(member, families(member.name)) for member in members if member.type in _TYPES]
    made = _made(lines, known)
    parents: dict[str, str] = {}
    for member, line in sorted(lines, key=_by_key):
        steps = [member.key, *_steps(member.type, line, known, made)]
        parents |= dict(pairwise(dict.fromkeys(steps)))
    return Families(parents, made)


def _by_key(line: tuple[Member, Sequence[str]]) -> str:
    return line[0].key


def _steps(
    kind: ConceptType,
    line: Iterable[str],
    known: Lookup,
    made: Mapping[str, tuple[ConceptType, str]],
) -> Iterator[str]:
    """The concepts that a line of families leads over, up to the first that papers write."""
    for family in map(name_key, line):
        standing = _standing(family, known)
        if standing is not None and standing.type is kind and standing.proper:
            yield standing.concept
            return
        if family in made and made[family][0] is kind:
            yield family


def _standing(family: str, known: Lookup) -> Known | None:
    """The concept of the corpus that a family is, whether or not it is written in this case."""
    other = family.removesuffix(CASED) if family.endswith(CASED) else family + CASED
    return known(family) or known(other)


def _made(lines: Iterable[tuple[Member, Sequence[str]]], known: Lookup) -> dict[str, tuple[ConceptType, str]]:
    """The families that no paper writes and two names or more belong to, each in its commonest type."""
    children: dict[str, set[str]] = defaultdict(set)
    readings: dict[str, Counter[tuple[ConceptType, str]]] = defaultdict(Counter)
    for member, line in lines:
        for child, family in pairwise((member.name, *line)):
            key = name_key(family)
            children[key].add(name_key(child))
            readings[key][member.type, family] += max(1, member.papers)
    return {
        key: min(readings[key], key=lambda reading: (-readings[key][reading], reading))
        for key in sorted(children)
        if len(children[key]) > 1 and _standing(key, known) is None
    }
