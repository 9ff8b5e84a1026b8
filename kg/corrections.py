"""What a person says of single papers, put into their extractions before anything is counted.

The extraction that a graph keeps stays as it was read: corrections are applied anew with each build, so they
hold for the next model, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from kg.folding import clean_name
from kg.rules import NO_RULES, PaperRules, Rules, StatedRelation, paper_ids
from kg.schema import (
    CodeLink,
    CodeRole,
    CodeStatus,
    Concept,
    ConceptType,
    Extraction,
    Mention,
    Paper,
    Relation,
    Role,
)

__all__ = ["STATED", "Corrected", "Match", "correct", "matches", "unmatched"]

#: The score of what a person states.
STATED = 1.0

_IMPLIED = {
    Role.TASKS: ConceptType.TASK,
    Role.DATASETS: ConceptType.DATASET,
    Role.METRICS: ConceptType.METRIC,
}


@dataclass(frozen=True, slots=True)
class Corrected:
    """An extraction as a person wants it, what of it the person stated, and what was there to strike out.

    `idle` names the parts of rules that found nothing to do, each as (section, name).
    """

    extraction: Extraction
    roles: frozenset[tuple[str, Role]] = frozenset()
    relations: frozenset[Relation] = frozenset()
    idle: tuple[tuple[str, str], ...] = ()


def correct(paper: Paper, extraction: Extraction, rules: Rules = NO_RULES) -> Corrected:
    """The extraction of one paper with the user's rules for this paper applied."""
    names = _named(paper, rules)
    if not names:
        return Corrected(extraction)
    draft = _Draft(extraction, rules)
    for name in names:
        draft.apply(rules.papers[name])
    return draft.corrected()


def _named(paper: Paper, rules: Rules) -> list[str]:
    """The paper tables of the rules that mean this paper."""
    if not rules.papers:
        return []
    ids = paper_ids(paper)
    return sorted(name for name in rules.papers if name.casefold() in ids)


class Match(NamedTuple):
    """What a paper has to do with the rules.

    `what` is `written`: it writes the key `name`; `paper`: the rules of the paper `name` mean it; or `idle`:
    it has no `name`, of which rules in `section` speak.
    """

    what: str
    section: str
    name: str


def matches(rules: Rules, pairs: Iterable[tuple[Paper, Extraction]]) -> Iterator[Match]:
    """What papers have to do with the rules, some of it more than once.

    Args:
        rules: what was read from a file.
        pairs: papers, each with what was read out of it; they are looked at one by one.
    """
    asked = {form for _, name in _names(rules) for form in rules.forms(name)}
    for paper, extraction in pairs:
        keys = {rules.key(name) for name in _written(extraction)} if asked else set()
        yield from (Match("written", "", key) for key in keys & asked)
        named = _named(paper, rules)
        yield from (Match("paper", "", name) for name in named)
        if named:
            yield from (Match("idle", *place) for place in correct(paper, extraction, rules).idle)


def unmatched(rules: Rules, found: Iterable[Match]) -> list[str]:
    """One line for each part of the rules that matches nothing: file, line, what is missing.

    Args:
        rules: what was read from a file.
        found: the `matches` of all papers, in any order.
    """
    distinct = set(found)
    written = {match.name for match in distinct if match.what == "written"}
    written |= {rules.key(name) for told in rules.papers.values() for name in _given(told)}
    papers = {match.name for match in distinct if match.what == "paper"}
    idle = sorted((match.section, match.name) for match in distinct if match.what == "idle")
    lines = [
        f"{rules.place(section, name)}: {section}: no paper writes {name!r}"
        for section, name in _names(rules)
        if rules.known(name, written) is None
    ]
    lines += [
        f'{rules.place("paper", name)}: paper."{name}": no such paper'
        for name in rules.papers
        if name not in papers
    ]
    return lines + [
        f"{rules.place(section, name)}: {section}: the paper does not have {name!r}" for section, name in idle
    ]


def _given(told: PaperRules) -> Iterator[str]:
    """The names that rules give to a paper."""
    return (name for name, roles in told.roles.items() if roles is not None)


def _written(extraction: Extraction) -> Iterator[str]:
    """Every name that a paper writes."""
    yield from (mention.text for mention in extraction.mentions)
    for concept in extraction.concepts:
        yield from (concept.name, *concept.aliases)


def _names(rules: Rules) -> Iterator[tuple[str, str]]:
    """The names that the rules speak of outside single papers, each with its section."""
    for section, groups in (("same", rules.same), ("different", rules.different)):
        yield from ((section, name) for names in groups for name in names)
    yield from (("type", name) for name in rules.types)
    yield from (("drop", name) for name in rules.drop)


@dataclass(slots=True)
class _Draft:
    """An extraction while it is corrected."""

    extraction: Extraction
    rules: Rules
    roles: set[tuple[str, Role]] = field(default_factory=set)
    stated: set[Relation] = field(default_factory=set)
    idle: list[tuple[str, str]] = field(default_factory=list)

    def corrected(self) -> Corrected:
        """What came of it."""
        return Corrected(self.extraction, frozenset(self.roles), frozenset(self.stated), tuple(self.idle))

    def apply(self, told: PaperRules) -> None:
        """Applies one table of the rules."""
        for name, roles in told.roles.items():
            self._strike(name) if roles is None else self._set_roles(name, roles)
        for relation in told.relations:
            self._state(relation) if relation.holds else self._strike_relation(relation)
        if told.links:
            self._correct_links(told.links)

    def _find(self, name: str) -> list[Concept]:
        forms = {
            concept.name: {self.rules.key(form) for form in (concept.name, *concept.aliases)}
            for concept in self.extraction.concepts
        }
        key = self.rules.known(name, set().union(*forms.values()))
        return [concept for concept in self.extraction.concepts if key in forms[concept.name]]

    def _strike(self, name: str) -> None:
        found = self._find(name)
        if not found:
            self.idle.append(("roles", name))
        names = {concept.name for concept in found}
        self.extraction = replace(
            self.extraction,
            concepts=tuple(concept for concept in self.extraction.concepts if concept not in found),
            relations=tuple(
                relation
                for relation in self.extraction.relations
                if not names & {relation.head, relation.tail}
            ),
        )

    def _set_roles(self, name: str, roles: Sequence[Role]) -> None:
        """Gives a concept exactly these roles; a new one where the paper does not have it."""
        concept = self._concept(name, roles)
        start, end = self._sentence(concept)
        kept = {role: concept.roles.get(role, (STATED, start, end)) for role in roles}
        self.roles |= {(concept.name, role) for role in roles if role not in concept.roles}
        implied = {_IMPLIED[role] for role in roles if role in _IMPLIED}
        kind = implied.pop() if len(implied) == 1 and len(roles) == 1 else concept.type
        changed = replace(concept, roles=kept, type=kind)
        self.extraction = replace(
            self.extraction,
            concepts=tuple(changed if item is concept else item for item in self.extraction.concepts),
        )

    def _concept(self, name: str, roles: Sequence[Role] = ()) -> Concept:
        found = self._find(name)
        return found[0] if found else self._add(name, roles)

    def _add(self, name: str, roles: Sequence[Role]) -> Concept:
        """Adds a concept that was not read out of the paper, with its first mention if the text has it."""
        implied = [_IMPLIED.get(role, ConceptType.METHOD) for role in roles]
        kind = self.rules.types.get(name) or (implied or [ConceptType.TERM])[0]
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.extraction.text, re.IGNORECASE)
        mentions: tuple[Mention, ...] = ()
        if match:
            mentions = (Mention(match.start(), match.end(), match[0], kind, STATED),)
        first = len(self.extraction.mentions)
        concept = Concept(
            name=clean_name(name),
            type=kind,
            score=STATED,
            mentions=tuple(range(first, first + len(mentions))),
        )
        self.extraction = replace(
            self.extraction,
            mentions=(*self.extraction.mentions, *mentions),
            concepts=(*self.extraction.concepts, concept),
        )
        return concept

    def _sentence(self, concept: Concept) -> tuple[int, int]:
        """The sentence of a concept's first mention; an empty span where there is none."""
        starts = [self.extraction.mentions[index].start for index in concept.mentions]
        first = min(starts, default=-1)
        return next((span for span in self.extraction.sentences if span[0] <= first < span[1]), (0, 0))

    def _state(self, told: StatedRelation) -> None:
        head, tail = self._concept(told.head), self._concept(told.tail)
        relation = Relation(head.name, told.relation, tail.name, STATED, *self._sentence(head))
        self.stated.add(relation)
        self.extraction = replace(self.extraction, relations=(*self.extraction.relations, relation))

    def _strike_relation(self, told: StatedRelation) -> None:
        heads = {concept.name for concept in self._find(told.head)}
        tails = {concept.name for concept in self._find(told.tail)}
        kept = tuple(
            found
            for found in self.extraction.relations
            if not (found.head in heads and found.tail in tails and found.relation is told.relation)
        )
        if len(kept) == len(self.extraction.relations):
            self.idle.append(("relations", told.head))
        self.extraction = replace(self.extraction, relations=kept)

    def _correct_links(self, told: Mapping[str, CodeRole | None]) -> None:
        links = list(self.extraction.code_links)
        for url, role in told.items():
            wanted = {link.url.casefold() for link in _links(url)} | {url.casefold()}
            found = [link for link in links if link.url.casefold() in wanted]
            links = [link for link in links if link not in found]
            if role is None and not found:
                self.idle.append(("links", url))
            elif role is not None:
                links += [replace(link, role=role) for link in found or _links(url)]
        linked = any(link.role is not CodeRole.OTHER for link in links)
        status = self.extraction.code_status
        lost = CodeStatus.NONE if status is CodeStatus.LINKED else status
        self.extraction = replace(
            self.extraction,
            code_links=tuple(links),
            code_status=CodeStatus.LINKED if linked else lost,
        )


def _links(url: str) -> Sequence[CodeLink]:
    """An address as the extractor writes it."""
    from extractors.code_links import find_code_links  # loaded only where a rule names an address

    return find_code_links("\n", code_urls=[url])[0]
