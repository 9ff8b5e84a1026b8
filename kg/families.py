"""Versions and sizes: `GPT-4` IS_A `GPT`.

A name that ends in a version or a size (`kg.heads.families`) is tied to the nearest family that the corpus
knows: one that is a concept of the same type, or one that two names or more would belong to, which then
becomes a concept that no paper writes by itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from kg.folding import CASED, name_key
from kg.heads import families
from kg.rules import NO_RULES, Rules
from kg.schema import ConceptType

__all__ = [
    "Claim",
    "Families",
    "Known",
    "Lookup",
    "Member",
    "Reading",
    "claims",
    "commonest",
    "find_families",
    "may_be_version",
    "standing",
    "steps",
]

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
#: What a family may be: its type and its name.
Reading: TypeAlias = tuple[ConceptType, str]


class Claim(NamedTuple):
    """That a name speaks for a family: the keys of both, what it takes the family for, and its papers."""

    family: str
    child: str
    reading: Reading
    papers: int


@dataclass(frozen=True, slots=True)
class Families:
    """The family of each member, and the families that no paper writes: key -> (type, name)."""

    parents: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, Reading] = field(default_factory=dict)


def find_families(members: Iterable[Member], known: Lookup, *, rules: Rules = NO_RULES) -> Families:
    """The families of some concepts.

    Args:
        members: every concept of the corpus.
        known: what is known of a key; None if no paper writes it.
        rules: what a person drops comes back as no family.
    """
    versions = [member for member in members if may_be_version(member)]
    children: dict[str, set[str]] = defaultdict(set)
    readings: dict[str, Counter[Reading]] = defaultdict(Counter)
    for member in versions:
        for claim in claims(member):
            children[claim.family].add(claim.child)
            readings[claim.family][claim.reading] += claim.papers
    made = {
        key: commonest(readings[key])
        for key in sorted(children)
        if len(children[key]) > 1 and standing(key, known) is None and not rules.drops(key)
    }
    parents: dict[str, str] = {}
    for member in sorted(versions, key=attrgetter("key")):
        parents |= steps(member, known, made)
    return Families(parents, made)


def may_be_version(member: Member) -> bool:
    """Whether a concept has a type whose names have versions."""
    return member.type in _TYPES


def claims(member: Member) -> Iterator[Claim]:
    """The families that a name says there are."""
    for child, family in pairwise((member.name, *families(member.name))):
        yield Claim(name_key(family), name_key(child), (member.type, family), max(1, member.papers))


def commonest(readings: Mapping[Reading, int]) -> Reading:
    """The type and the name of a family: those of most papers."""
    return min(readings, key=lambda reading: (-readings[reading], reading))


def steps(member: Member, known: Lookup, made: Mapping[str, Reading]) -> dict[str, str]:
    """The concepts that a name leads over, each tied to the next, up to the first that papers write."""
    way = [member.key]
    for family in map(name_key, families(member.name)):
        found = standing(family, known)
        if found is not None and found.type is member.type and found.proper:
            way.append(found.concept)
            break
        if family in made and made[family][0] is member.type:
            way.append(family)
    return dict(pairwise(dict.fromkeys(way)))


def standing(family: str, known: Lookup) -> Known | None:
    """The concept of the corpus that a family is, whether or not it is written in this case."""
    other = family.removesuffix(CASED) if family.endswith(CASED) else family + CASED
    return known(family) or known(other)
