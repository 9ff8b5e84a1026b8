"""Which names of a corpus are one concept, what it is called, and why.

The order is fixed: aliases inside a paper; folding (`kg.folding`); one vote on the type of each folded name;
then merges within that type. Each step is a pure function of one paper (`paper_groups`) or one reduction
over rows `(key, counts)`; no step looks at pairs of names.

The rules of the ledger:

- `spelling`: names with one key (case, plural, hyphen, accents, remains of LaTeX and Markdown);
- `case`: a cased and a plain name (`BERT` and `Bert`, `IMAGENET` and `ImageNet`), unless people write the
  plain one as an ordinary word (`SPIN`, `spin`);
- `acronym`: an acronym and its long form, if all papers that define the acronym mean this one; unless more
  than `DOMINANCE` times as many papers write it without a long form, or more papers write it as a plain
  name: one paper's `ADAM` does not rename everybody's `Adam`;
- `acronym-dominant`: the same where this long form has `DOMINANCE` times as many papers as all others;
- `alias`: names that one paper uses for one thing; in that paper only.

An acronym that papers expand differently belongs to a long form only in the papers that say which.
Ties break by count, then by code point, never by the order of the input.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kg.folding import (
    CASED,
    clean_name,
    digest,
    is_acronym,
    is_node_name,
    is_plural,
    name_key,
    slug,
    stands_for,
)
from kg.schema import Concept, ConceptType, Extraction, Role

__all__ = ["DOMINANCE", "Group", "Merge", "Name", "Naming", "Usage", "name_corpus", "paper_groups"]

#: What is nearly always so: how many times as many papers speak for it as against it.
DOMINANCE = 20


class Usage(NamedTuple):
    """How often a form is written: in how many papers, how often, and how often inside a sentence.

    A place at the start of a sentence or in a title tells nothing about capitals and is not `running`.
    """

    papers: int
    mentions: int
    running: int

    def plus(self, other: Usage) -> Usage:
        """The sum of two counts."""
        return Usage(*(one + two for one, two in zip(self, other, strict=True)))


_NONE = Usage(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Group:
    """One concept of one paper: its main key, the forms it is written in, and the acronyms defined for it."""

    key: str
    concept: Concept
    forms: Mapping[str, Usage]
    acronyms: tuple[str, ...]


class Merge(NamedTuple):
    """One line of the ledger: `alias` names the node `canonical`, by which rule, in how many papers."""

    alias: str
    canonical: str
    type: ConceptType
    rule: str
    support: int


@dataclass(frozen=True, slots=True)
class Name:
    """A concept of the corpus: node id, display name, type and every other form it is written in."""

    id: str
    name: str
    type: ConceptType
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """The result: `names` by canonical key, the canonical key of each key, and the ledger."""

    names: Mapping[str, Name]
    canonical: Mapping[str, str]
    merges: tuple[Merge, ...]

    def of(self, group: Group) -> Name:
        """The concept of the corpus that a paper's group belongs to."""
        return self.names[self.canonical.get(group.key, group.key)]

    def local(self, groups: Sequence[Group]) -> dict[str, Name]:
        """The concept that each key means in one paper: main keys before aliases."""
        known = {group.key: self.of(group) for group in groups}
        for group in groups:
            for key in (*group.acronyms, *sorted({name_key(form) for form in group.forms})):
                known.setdefault(key, self.of(group))
        return known


def paper_groups(extraction: Extraction) -> list[Group]:
    """The concepts of one paper with their keys and forms; names that are generic heads are left out.

    Pure: it depends on the paper alone. An acronym that one concept of the paper defines means that concept
    wherever else the paper's concepts have it as their name.
    """
    concepts = [concept for concept in extraction.concepts if is_node_name(concept.name)]
    drafts = [(concept, _forms(concept, extraction)) for concept in concepts]
    mains = [_main_form(concept, forms) for concept, forms in drafts]
    defined: dict[str, str] = {}
    acronyms = [_acronyms(main, forms) for main, (_, forms) in zip(mains, drafts, strict=True)]
    for main, keys in sorted(zip(mains, acronyms, strict=True)):
        for key in keys:
            defined.setdefault(key, name_key(main))
    return [
        Group(defined.get(name_key(main), name_key(main)), concept, forms, keys)
        for main, keys, (concept, forms) in zip(mains, acronyms, drafts, strict=True)
    ]


def _forms(concept: Concept, extraction: Extraction) -> dict[str, Usage]:
    """Every form of a concept in its paper; a form that the concept only lists has no mention."""
    starts = {start for start, _ in extraction.sentences}
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


def _main_form(concept: Concept, forms: Mapping[str, Usage]) -> str:
    """The form that says what the concept is: of an acronym, the long form that its letters stand in."""
    name = clean_name(concept.name)
    if not is_acronym(name):
        return name
    longs = [form for form in forms if not is_acronym(form) and stands_for(name, form)]
    return min(longs, key=lambda form: (-forms[form].mentions, form), default=name)


def _acronyms(main: str, forms: Mapping[str, Usage]) -> tuple[str, ...]:
    """The keys of the acronyms that stand for the main form and are no spellings of it."""
    keys = {name_key(form) for form in forms if is_acronym(form) and stands_for(form, main)}
    return tuple(sorted(keys - {name_key(main), name_key(main) + CASED}))


@dataclass(slots=True)
class _Tally:
    """Sums over the corpus: what the reduction over rows gives."""

    votes: dict[str, Counter[ConceptType]] = field(default_factory=lambda: defaultdict(Counter))
    forms: dict[str, dict[str, Usage]] = field(default_factory=lambda: defaultdict(dict))
    definitions: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    local: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    papers: Counter[str] = field(default_factory=Counter)
    mains: set[str] = field(default_factory=set)
    proposed: set[str] = field(default_factory=set)

    def add(self, groups: Sequence[Group]) -> None:
        """Adds the rows of one paper."""
        written = (form for group in groups for form, usage in group.forms.items() if usage.mentions)
        self.papers.update({name_key(form) for form in written})
        for group in groups:
            self.mains.add(group.key)
            if Role.PROPOSES in group.concept.roles:
                self.proposed.add(group.key)
            for key in group.acronyms:
                self.definitions[key][group.key] += 1
            for form, usage in group.forms.items():
                key = name_key(form)
                self.votes[key][group.concept.type] += max(1, usage.mentions)
                self.forms[key][form] = self.forms[key].get(form, _NONE).plus(usage)
                if key != group.key:
                    self.local[group.key][form] += 1


def name_corpus(papers: Iterable[Sequence[Group]]) -> Naming:
    """Names every concept of a corpus from the groups of its papers (see `paper_groups`)."""
    tally = _Tally()
    for groups in papers:
        tally.add(groups)
    types = {key: _winner(votes) for key, votes in tally.votes.items()}
    rules = _case_rules(tally, types)
    rules |= _acronym_rules(tally, types, rules)
    canonical = {key: _follow(key, rules) for key in sorted(rules)}
    return _named(tally, types, rules, canonical)


def _winner(votes: Counter[ConceptType]) -> ConceptType:
    return min(votes, key=lambda kind: (-votes[kind], kind.value))


def _follow(key: str, rules: Mapping[str, tuple[str, str]]) -> str:
    """The key at the end of the merges: one step by case, then one by acronym."""
    for _ in range(2):
        if key in rules:
            key = rules[key][0]
    return key


def _case_rules(tally: _Tally, types: Mapping[str, ConceptType]) -> dict[str, tuple[str, str]]:
    """Merges `BERT^` into `bert` unless people write the latter as an ordinary word."""
    rules = {}
    for cased in sorted(key for key in types if key.endswith(CASED)):
        plain = cased.removesuffix(CASED)
        if types.get(plain) == types[cased] and not _is_word(tally.forms[plain]):
            rules[cased] = (plain, "case")
    return rules


def _is_word(forms: Mapping[str, Usage]) -> bool:
    """Whether a plain name is an ordinary word: not mostly written with a capital inside sentences.

    A capital in the middle (`ImageNet`) makes it a name in any case.
    """
    if any(re.search(r"[^\W\d_A-Z][A-Z]", form) for form in forms):
        return False
    lower = sum(usage.papers for form, usage in forms.items() if form.islower())
    capital = sum(usage.papers for form, usage in forms.items() if not form.islower() and usage.running)
    return lower >= capital


def _acronym_rules(
    tally: _Tally, types: Mapping[str, ConceptType], case: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """Merges an acronym into the long form that the papers which define it agree on."""
    longs: dict[str, Counter[str]] = defaultdict(Counter)
    for short, counts in tally.definitions.items():
        for long, papers in counts.items():
            longs[_follow(short, case)][_follow(long, case)] += papers
    rules = {}
    for short, counts in sorted(longs.items()):
        long = min(counts, key=lambda key: (-counts[key], key))
        fitting = long not in longs and types[short] == types[long]
        if fitting and _speaks_for_all(short, counts.total(), tally, case):
            others = counts.total() - counts[long]
            if counts[long] >= DOMINANCE * others:
                rules[short] = (long, "acronym-dominant" if others else "acronym")
    return rules


def _speaks_for_all(short: str, defining: int, tally: _Tally, case: Mapping[str, tuple[str, str]]) -> bool:
    """Whether the papers that define an acronym may speak for those that do not.

    Not for too many, and not for more papers than themselves that write it as a plain name (`Adam`).
    """
    cased = short + CASED
    written = tally.papers[short] + tally.papers[cased]
    plain = tally.papers[short] if cased in case else 0
    return written <= DOMINANCE * defining and plain < defining


def _named(
    tally: _Tally,
    types: Mapping[str, ConceptType],
    rules: Mapping[str, tuple[str, str]],
    canonical: Mapping[str, str],
) -> Naming:
    members: dict[str, list[str]] = defaultdict(list)
    for key in sorted(types):
        members[canonical.get(key, key)].append(key)
    used = sorted({canonical.get(key, key) for key in tally.mains})
    display = {key: _display(members[key], tally) for key in used}
    papers = {key: sum(tally.papers[member] for member in members[key]) for key in used}
    ids = _ids({key: (types[key], display[key]) for key in used}, papers)
    names, merges = {}, []
    for key in used:
        rows = dict(_aliases(display[key], members[key], tally, rules, canonical))
        rows.pop(display[key], None)
        names[key] = Name(ids[key], display[key], types[key], tuple(sorted(rows)))
        merges += [Merge(alias, display[key], types[key], *row) for alias, row in rows.items()]
    return Naming(names, canonical, tuple(sorted(merges)))


def _display(keys: Sequence[str], tally: _Tally) -> str:
    """The form that most papers write: first which name, then which spelling of it.

    Where an acronym and its long form stand in as many papers, a concept that a paper proposes is known by
    the acronym, any other by the long form.
    """
    coined = not tally.proposed.isdisjoint(keys)
    best = min(keys, key=lambda key: _key_rank(key, tally, coined))
    spellings = tally.forms[best]
    return min(spellings, key=lambda form: _spelling_rank(form, spellings[form]))


def _key_rank(key: str, tally: _Tally, coined: bool) -> tuple[object, ...]:
    forms = tally.forms[key]
    long = not all(is_acronym(form) for form in forms)
    mentions = sum(usage.mentions for usage in forms.values())
    return (-tally.papers[key], long == coined, -mentions, key)


def _spelling_rank(form: str, usage: Usage) -> tuple[object, ...]:
    """The order of forms: written at all, singular, most often inside sentences, then anywhere."""
    capitals = sum(letter.isupper() for letter in form)
    return (usage.mentions == 0, is_plural(form), -usage.running, -usage.mentions, capitals, form)


def _ids(named: Mapping[str, tuple[ConceptType, str]], papers: Mapping[str, int]) -> dict[str, str]:
    """Node ids; of names with one slug the commonest has it alone, others with a digest of their key."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for key in sorted(named, key=lambda key: (-papers[key], key)):
        kind, name = named[key]
        plain = f"{kind.value.lower()}:{slug(name)}"
        ids[key] = f"{plain}-{digest(key)}" if plain in taken else plain
        taken.add(plain)
    return ids


def _aliases(
    display: str,
    members: Sequence[str],
    tally: _Tally,
    rules: Mapping[str, tuple[str, str]],
    canonical: Mapping[str, str],
) -> Iterator[tuple[str, tuple[str, int]]]:
    """The forms of a node with the rule that ties each to the display name, and the papers that have it."""
    for member in members:
        for form, papers in sorted(tally.local.get(member, {}).items()):
            other = name_key(form)
            if canonical.get(other, other) not in members:
                yield form, ("alias", papers)
    shown = name_key(display)
    for member in members:
        target, rule = rules.get(member) or rules.get(shown) or ("", "")
        if target != shown and target in rules:
            rule = rules[target][1]
        for form, usage in sorted(tally.forms[member].items()):
            yield form, ("spelling" if member == shown else rule, usage.papers)
