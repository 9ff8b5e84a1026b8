"""From papers to the rows that naming counts, and the one reduction over them.

`paper_groups` is a pure function of one paper; `Tally` sums `(key, counts)` over papers. Nothing here looks
at two papers, or two names of the corpus, at a time. `Tally.rows` are the sums as rows that may be summed
again, part by part, by whatever engine: `Tally.put` takes them back.
"""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from kg.folding import CASED, clean_name, has_name_letters, is_acronym, is_node_name, stands_for
from kg.heads import is_capitalised
from kg.rules import NO_RULES, Rules
from kg.schema import Concept, ConceptType, Extraction, Role

__all__ = ["Group", "Row", "Tally", "Usage", "pack_groups", "paper_groups", "tally", "unpack_groups"]


class Usage(NamedTuple):
    """How often a form is written: in how many papers, how often, and how often inside a sentence.

    A place at the start of a sentence or in a title tells nothing about capitals and is not `running`.
    """

    papers: int
    mentions: int
    running: int

    def plus(self, other: Usage) -> Usage:
        """The sum of two counts."""
        return Usage(self.papers + other.papers, self.mentions + other.mentions, self.running + other.running)


_NONE = Usage(0, 0, 0)


def _counter() -> Counter[Any]:
    """An empty counter; of these there are many, and its own way to set itself up is slow."""
    return Counter.__new__(Counter)


class Row(NamedTuple):
    """One sum of a tally: what is counted (a field of `Tally`), of which key, for which form, key or type."""

    what: str
    key: str
    item: str
    counts: Usage


@dataclass(frozen=True, slots=True)
class Group:
    """One concept of one paper: its main key, the forms it is written in, and the acronyms defined for it.

    `keys` holds the key of each form.
    """

    key: str
    concept: Concept
    forms: Mapping[str, Usage]
    keys: Mapping[str, str]
    acronyms: tuple[str, ...]


def paper_groups(extraction: Extraction, rules: Rules = NO_RULES) -> list[Group]:
    """The concepts of one paper with their keys and forms; names that are generic heads are left out.

    Pure: it depends on the paper (and the user's rules) alone. An acronym that one concept of the paper
    defines means that concept wherever else the paper's concepts have it as their name.
    """
    concepts = [concept for concept in extraction.concepts if is_node_name(concept.name)]
    starts = {start for start, _ in extraction.sentences}
    drafts = [
        (_main_form(part, forms), part, forms)
        for concept in concepts
        for part, forms in _parted(concept, _forms(concept, extraction, starts), extraction, rules)
    ]
    found = [_group(main, concept, forms, rules) for main, concept, forms in drafts]
    longs = [(draft[0], group.acronyms) for draft, group in zip(drafts, found, strict=True) if group.acronyms]
    defined: dict[str, str] = {}
    for main, acronyms in sorted(longs):
        for key in acronyms:
            defined.setdefault(key, rules.key(main))
    if not defined:
        return found
    return [replace(group, key=defined[group.key]) if group.key in defined else group for group in found]


def pack_groups(groups: Sequence[Group], concepts: Sequence[Concept]) -> bytes:
    """The groups of one paper as bytes that stand beside its concepts."""
    places = {id(concept): place for place, concept in enumerate(concepts)}
    rows = [
        (
            places.get(id(group.concept), group.concept),  # a part of a concept stands for itself
            group.key,
            tuple(group.keys.items()),
            [tuple(usage) for usage in group.forms.values()],
            group.acronyms,
        )
        for group in groups
    ]
    return pickle.dumps(rows, pickle.HIGHEST_PROTOCOL)


def unpack_groups(packed: bytes, concepts: Sequence[Concept]) -> list[Group]:
    """The inverse of `pack_groups`."""
    return [
        Group(
            key,
            concepts[concept] if isinstance(concept, int) else concept,
            {form: Usage(*usage) for (form, _), usage in zip(keys, usages, strict=True)},
            dict(keys),
            acronyms,
        )
        for concept, key, keys, usages, acronyms in pickle.loads(packed)
    ]


def _group(main: str, concept: Concept, forms: Mapping[str, Usage], rules: Rules) -> Group:
    keys = {form: rules.key(form) for form in forms}
    key = keys[main] if main in keys else rules.key(main)
    short = {keys[form] for form in forms if form != main and is_acronym(form) and stands_for(form, main)}
    return Group(key, concept, forms, keys, tuple(sorted(short - {key, key + CASED})))


def _forms(concept: Concept, extraction: Extraction, starts: Container[int]) -> dict[str, Usage]:
    """Every form of a concept in its paper; a form that the concept only lists has no mention.

    `starts` are the places where sentences begin.
    """
    body = len(extraction.title or "") + 1
    listed = (concept.name, *concept.aliases)
    forms = {clean_name(form): Usage(1, 0, 0) for form in listed if is_node_name(form)}
    for index in concept.mentions:
        mention = extraction.mentions[index]
        form = clean_name(mention.text)
        running = mention.start > body and mention.start not in starts
        if is_node_name(form):
            count = forms.get(form, Usage(1, 0, 0))
            forms[form] = Usage(1, count.mentions + 1, count.running + running)
    return forms


def _parted(
    concept: Concept, forms: Mapping[str, Usage], extraction: Extraction, rules: Rules
) -> Iterator[tuple[Concept, Mapping[str, Usage]]]:
    """The concept; in parts where a rule says that some of its forms are another one."""
    foreign = rules.conflicts.get(rules.key(concept.name), frozenset()) if rules else frozenset()
    apart = {form for form in forms if rules.key(form) in foreign} if foreign else set()
    if not apart:
        yield concept, forms
        return
    for kept in ({form for form in forms if form not in apart}, apart):
        mentions = tuple(
            index
            for index in concept.mentions
            if (clean_name(extraction.mentions[index].text) in apart) is (kept is apart)
        )
        name = min(kept, key=lambda form: (-forms[form].mentions, form)) if kept is apart else concept.name
        aliases = tuple(alias for alias in concept.aliases if clean_name(alias) in kept and alias != name)
        yield (
            replace(concept, name=name, aliases=aliases, mentions=mentions),
            {form: usage for form, usage in forms.items() if form in kept},
        )


def _main_form(concept: Concept, forms: Mapping[str, Usage]) -> str:
    """The form that says what the concept is: of an acronym, the long form that its letters stand in."""
    name = clean_name(concept.name)
    if not is_acronym(name):
        return name
    longs = [form for form in forms if not is_acronym(form) and stands_for(name, form)]
    return min(longs, key=lambda form: (-forms[form].mentions, form), default=name)


@dataclass(slots=True)
class Tally:
    """Sums over the corpus: what the reduction over rows gives.

    `activities` has, of each acronym that some paper defines as one, a long form that ends in "-ing"; it
    follows from the other sums (`find_activities`).
    """

    votes: dict[str, Counter[ConceptType]] = field(default_factory=lambda: defaultdict(_counter))
    forms: dict[str, dict[str, Usage]] = field(default_factory=lambda: defaultdict(dict))
    definitions: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    local: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    papers: Counter[str] = field(default_factory=Counter)
    mains: set[str] = field(default_factory=set)
    proposed: set[str] = field(default_factory=set)
    activities: dict[str, str] = field(default_factory=dict)

    def add(self, groups: Sequence[Group]) -> None:
        """Adds the rows of one paper."""
        self.papers.update(
            {group.keys[form] for group in groups for form, usage in group.forms.items() if usage.mentions}
        )
        for group in groups:
            self.mains.add(group.key)
            if Role.PROPOSES in group.concept.roles:
                self.proposed.add(group.key)
            for key in group.acronyms:
                self.definitions[key][group.key] += 1
            for form, usage in group.forms.items():
                key = group.keys[form]
                self.votes[key][group.concept.type] += usage.mentions or 1
                known = self.forms[key]
                known[form] = known[form].plus(usage) if form in known else usage
                if key != group.key:
                    self.local[group.key][form] += 1

    def rows(self) -> Iterator[Row]:
        """The sums as rows; those of equal what, key and item of several tallies may be added up."""
        for key, votes in self.votes.items():
            yield from (Row("votes", key, kind.value, Usage(count, 0, 0)) for kind, count in votes.items())
        for key, forms in self.forms.items():
            yield from (Row("forms", key, form, usage) for form, usage in forms.items())
        for what, sums in (("definitions", self.definitions), ("local", self.local)):
            for key, counts in sums.items():
                yield from (Row(what, key, item, Usage(count, 0, 0)) for item, count in counts.items())
        yield from (Row("papers", key, "", Usage(count, 0, 0)) for key, count in self.papers.items())
        for what, keys in (("mains", self.mains), ("proposed", self.proposed)):
            yield from (Row(what, key, "", Usage(1, 0, 0)) for key in keys)

    def put(self, row: Row) -> None:
        """Adds one row."""
        what, key, item, counts = row
        if what == "votes":
            self.votes[key][ConceptType(item)] += counts.papers
        elif what == "forms":
            self.forms[key][item] = self.forms[key].get(item, _NONE).plus(counts)
        elif what == "papers":
            self.papers[key] += counts.papers
        elif what == "activities":
            self.activities[key] = item
        elif what in ("mains", "proposed"):
            getattr(self, what).add(key)
        else:
            getattr(self, what)[key][item] += counts.papers

    def find_activities(self) -> None:
        """Finds the acronyms of activities, once all papers are added."""
        for short, longs in self.definitions.items():
            found = [form for form in map(self.commonest, longs) if form.endswith("ing")]
            if found:
                self.activities[short] = min(found)

    def types(self) -> dict[str, ConceptType]:
        """The type of each key: what most of its mentions vote for."""
        return {key: _winner(votes) for key, votes in self.votes.items()}

    def commonest(self, key: str) -> str:
        """The form of a key that is written most."""
        forms = self.forms[key]
        if len(forms) == 1:
            return next(iter(forms))
        return min(forms, key=lambda form: (-forms[form].running, -forms[form].mentions, form))

    def proper(self, key: str) -> bool:
        """Whether a key is written as a proper name: by its letters, or with capitals inside sentences."""
        forms = self.forms.get(key, {})
        if not forms:
            return False
        capital = sum(usage.running for form, usage in forms.items() if is_capitalised(form))
        lower = sum(usage.running for form, usage in forms.items() if not is_capitalised(form))
        return has_name_letters(self.commonest(key)) or capital > lower


def tally(papers: Iterable[Sequence[Group]]) -> Tally:
    """The sums over some papers, each given by its groups."""
    sums = Tally()
    for groups in papers:
        sums.add(groups)
    sums.find_activities()
    return sums


def _winner(votes: Counter[ConceptType]) -> ConceptType:
    return min(votes, key=lambda kind: (-votes[kind], kind.value))
