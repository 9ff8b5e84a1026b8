"""What a person or the extractor says of a paper, in names that can be compared.

Names are compared without case, plural, hyphens and markup (`fold`), and the aliases of both sides are
resolved (`side_by_side`), so that it does not matter which of two forms of a name one of them gives.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from kg.gold import Annotation, Reading, occurrences
from kg.schema import CodeRole, Extraction, Paper, Role

__all__ = ["Statements", "fold", "side_by_side", "statements"]

_MACRO = re.compile(r"\\[a-z]+\{([^}]*)\}")
_MARKS = dict.fromkeys(map(ord, "*$_{}\\`'\""))
_GAPS = re.compile(r"[-‐‑–—/\s]+")
_SIBILANT = ("sses", "shes", "ches", "xes")
_NO_PLURAL = ("ss", "us", "is")


@lru_cache(maxsize=1 << 16)
def fold(name: str) -> str:
    r"""What is compared of a name: no case, markup, hyphens or plurals.

    >>> fold("Graph-Neural Networks"), fold("\\textbf{SAFE}$^+$")
    ('graph neural network', 'safe^+')
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    closed = text.rfind("}") + 1  # so that no search for a brace runs to the end in vain
    text = _MACRO.sub(r"\1", text[:closed]) + text[closed:]
    words = _GAPS.sub(" ", text.translate(_MARKS)).strip(" .,;:").split()
    return " ".join(map(_singular, words))


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(_SIBILANT):
        return word[:-2]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith(_NO_PLURAL) else word


def _folded_address(url: str) -> str:
    text = url.strip().lower()
    for scheme in ("https://", "http://"):
        if text.startswith(scheme):
            text = text.removeprefix(scheme).removeprefix("www.")
            break
    return text.rstrip("/").removesuffix(".git")


def _last_form(name: str, aliases: Mapping[str, str]) -> str:
    """What a folded name stands for, from alias to alias; ends also where they run in a circle."""
    seen = set()
    while name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """What one side says of a paper, in folded names; `written` gives a name back as it was written."""

    mentions: frozenset[tuple[int, int, str]]
    concepts: frozenset[tuple[str, str]]
    roles: Mapping[Role, frozenset[str]]
    relations: frozenset[tuple[str, str, str]]
    code: frozenset[str]
    aliases: Mapping[str, str]
    written: Mapping[str, str]

    def renamed(self, new: Callable[[str], str], *, roles: bool = True) -> Statements:
        """The same of other names; roles keep theirs unless `roles` is set."""
        return replace(
            self,
            concepts=frozenset((kind, new(name)) for kind, name in self.concepts),
            roles={
                role: frozenset(new(name) if roles else name for name in names)
                for role, names in self.roles.items()
            },
            relations=frozenset((new(head), kind, new(tail)) for head, kind, tail in self.relations),
        )


def statements(paper: Paper, reading: Reading) -> Statements:
    """What an annotation or an extraction says of a paper."""
    if isinstance(reading, Annotation):
        return _of_annotation(paper.text, reading)
    return _of_extraction(reading)


def _of_annotation(text: str, gold: Annotation) -> Statements:
    aliases = _alias_map(gold.aliases)

    def last(name: str) -> str:
        return _last_form(fold(name), aliases)

    return Statements(
        mentions=frozenset(
            (start, end, kind) for (start, end), kind in occurrences(text, gold.entities).items()
        ),
        concepts=frozenset((kind, last(surface)) for surface, kind in gold.entities),
        roles={role: frozenset(map(last, names)) for role, names in gold.roles.items()},
        relations=frozenset((last(head), kind, last(tail)) for head, kind, tail in gold.relations),
        code=frozenset(map(_folded_address, gold.code)),
        aliases=aliases,
        written=_written([*(surface for surface, _ in gold.entities), *(n for p in gold.aliases for n in p)]),
    )


def _of_extraction(found: Extraction) -> Statements:
    names = [(alias, concept.name) for concept in found.concepts for alias in concept.aliases]
    return Statements(
        mentions=frozenset((m.start, m.end, m.type) for m in found.mentions),
        concepts=frozenset((concept.type, fold(concept.name)) for concept in found.concepts),
        roles={
            role: frozenset(fold(concept.name) for concept in found.concepts if role in concept.roles)
            for role in Role
        },
        relations=frozenset((fold(r.head), r.relation, fold(r.tail)) for r in found.relations),
        code=frozenset(
            _folded_address(link.url) for link in found.code_links if link.role is not CodeRole.OTHER
        ),
        aliases=_alias_map(names),
        written=_written([*(concept.name for concept in found.concepts), *(n for p in names for n in p)]),
    )


def _alias_map(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {fold(short): fold(long) for short, long in pairs if fold(short) != fold(long)}


def _written(names: Iterable[str]) -> dict[str, str]:
    written: dict[str, str] = {}
    for name in names:
        written.setdefault(fold(name), name)
    return written


def side_by_side(gold: Statements, found: Statements) -> tuple[Statements, Statements]:
    """Both sides, in the names of `gold`."""
    return gold.renamed(_step(gold.aliases), roles=False), found.renamed(_settling(gold, found))


def _step(aliases: Mapping[str, str]) -> Callable[[str], str]:
    """One step along the aliases: those of an annotation were followed before, but for circles."""

    def step(name: str) -> str:
        return aliases.get(name, name)

    return step


def _settling(gold: Statements, found: Statements) -> Callable[[str], str]:
    """From a name that was found to the annotated name of the same thing, by the aliases of both sides."""
    named = {name for _, name in gold.concepts}
    others: dict[str, set[str]] = {}
    for short, long in found.aliases.items():
        others.setdefault(_last_form(long, gold.aliases), set()).add(_last_form(short, gold.aliases))

    def settle(name: str) -> str:
        last = _last_form(name, gold.aliases)
        if last in named:
            return last
        return min(others.get(last, set()) & named, default=last)

    return settle
