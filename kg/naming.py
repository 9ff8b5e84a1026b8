"""Which names of a corpus are one concept, what it is called, and why.

The order is fixed: aliases inside a paper; folding (`kg.folding`); one vote on the type of each folded name;
merges within that type (`kg.merging`); acronyms of several meanings by their company (`kg.context`);
spelling; versions to their families (`kg.families`). Each step is a pure function of one paper
(`paper_groups`), of one concept and its keys (`Namer.show`), or one reduction over rows `(key, counts)`; no
step looks at pairs of names. `kg.spark.naming` calls the same functions where no machine holds all keys.

The rules of the ledger are those of `kg.merging` (several, joined by "+", where one led to the next), and

- `spelling`: names with one key (case, plural, hyphen, accents, British and American, remains of LaTeX);
- `alias`: names that one paper uses for one thing; in that paper only;
- `acronym-context`: an acronym of several meanings in a paper that does not define it, by its company.

Ties break by count, then by code point, never by the order of the input.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kg.context import Context, learn_context
from kg.display import Speller, count_words
from kg.families import Known, Lookup, Member, find_families
from kg.folding import digest, name_key, slug
from kg.merging import DOMINANCE, Joins, join_keys
from kg.rules import NO_RULES, Rules
from kg.schema import ConceptType
from kg.tally import Group, Tally, Usage, paper_groups, tally
from kg.vocabulary import Vocabulary, seed_vocabulary

__all__ = [
    "DOMINANCE",
    "Group",
    "Merge",
    "Name",
    "Namer",
    "Naming",
    "Shown",
    "Usage",
    "give_ids",
    "local_names",
    "name_corpus",
    "name_sums",
    "paper_groups",
    "plain_id",
    "resolve",
]


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
    """The result: `names` by canonical key, the canonical key of each key, and the ledger.

    `parents` ties the canonical key of a version to that of its family; a family that no paper writes is in
    `families`. What the user drops is in no mapping.
    """

    names: Mapping[str, Name]
    canonical: Mapping[str, str]
    merges: tuple[Merge, ...]
    parents: Mapping[str, str] = field(default_factory=dict)
    families: frozenset[str] = frozenset()
    context: Context = field(default_factory=Context, compare=False, repr=False)

    def of(self, group: Group) -> Name:
        """The concept of the corpus that a paper's group belongs to, by its key alone."""
        return self.names[self.canonical.get(group.key, group.key)]

    def keys(self, groups: Sequence[Group]) -> list[str]:
        """The canonical key of each group of one paper."""
        return resolve(groups, self.canonical, self.context)

    def named(self, groups: Sequence[Group]) -> list[tuple[Group, Name]]:
        """The groups of one paper with their concepts; without those that the user drops."""
        return self.called(groups, self.keys(groups))

    def called(self, groups: Sequence[Group], keys: Sequence[str]) -> list[tuple[Group, Name]]:
        """The same, where the canonical key of each group is known."""
        return [
            (group, self.names[key]) for group, key in zip(groups, keys, strict=True) if key in self.names
        ]

    def lineage(self, group_key: str) -> Iterator[tuple[str, str]]:
        """The (member, family) pairs that a paper bears out by writing a concept."""
        key = group_key
        while key in self.parents:
            yield key, self.parents[key]
            key = self.parents[key]
            if key not in self.families:
                return


def local_names(named: Sequence[tuple[Group, Name]]) -> dict[str, Name]:
    """The concept that each key means in one paper: main keys before aliases."""
    known = {group.key: name for group, name in named}
    for group, name in named:
        for key in (*group.acronyms, *sorted(set(group.keys.values()))):
            known.setdefault(key, name)
    return known


def name_corpus(
    papers: Sequence[Sequence[Group]], *, rules: Rules = NO_RULES, vocabulary: Vocabulary | None = None
) -> Naming:
    """Names every concept of a corpus from the groups of its papers (see `paper_groups`).

    Args:
        papers: the groups of each paper, in any order.
        rules: what a person says of names; it wins over every other rule.
        vocabulary: known names; by default those that come along.
    """
    keys = [[group.key for group in groups] for groups in papers]
    return name_sums(tally(papers), keys, papers.__getitem__, rules=rules, vocabulary=vocabulary)


def name_sums(
    sums: Tally,
    papers: Sequence[Sequence[str]],
    opened: Callable[[int], Sequence[Group]],
    *,
    rules: Rules = NO_RULES,
    vocabulary: Vocabulary | None = None,
) -> Naming:
    """The same from the sums over the groups.

    Args:
        sums: `kg.tally.tally` of the papers.
        papers: the keys of the groups of each paper.
        opened: gives the groups of a paper by its place; asked for few of them.
        rules: as for `name_corpus`.
        vocabulary: as for `name_corpus`.
    """
    words = seed_vocabulary() if vocabulary is None else vocabulary
    joins = join_keys(sums, words, rules)
    context = learn_context(papers, sums, joins)
    canonical = {key: root for key in sorted(joins.types) if (root := joins.root(key)) != key}
    resolved, used = _uses(papers, opened, canonical, context)
    namer = Namer(sums, joins, Speller(sums, joins, words, rules, count_words(sums, words)), rules)
    shown = {key: namer.show(key, resolved.get(key, {})) for key in sorted(used - namer.dropped())}
    members = (concept.member for concept in shown.values())
    found = find_families(members, namer.lookup(shown), rules=rules)
    named = {key: concept.member for key, concept in shown.items()}
    named |= {key: Member(key, kind, name, 0) for key, (kind, name) in found.made.items()}
    ids = give_ids(named.values())
    names = {
        key: Name(ids[key], member.name, member.type, shown[key].aliases if key in shown else ())
        for key, member in sorted(named.items())
    }
    merges = tuple(sorted(merge for concept in shown.values() for merge in concept.merges()))
    return Naming(names, canonical, merges, found.parents, frozenset(found.made), context)


def resolve(groups: Sequence[Group], canonical: Mapping[str, str], context: Context) -> list[str]:
    """The canonical key of each group of one paper; an acronym of several meanings by its company."""
    keys = [canonical.get(group.key, group.key) for group in groups]
    if context.candidates.keys().isdisjoint(keys):
        return keys
    return [
        context.meaning(key, group.concept.type, keys) or key for key, group in zip(keys, groups, strict=True)
    ]


def _uses(
    papers: Sequence[Sequence[str]],
    opened: Callable[[int], Sequence[Group]],
    canonical: Mapping[str, str],
    context: Context,
) -> tuple[dict[str, Counter[str]], set[str]]:
    """For each concept the forms that its company ties to it, with papers; and the concepts that are used."""
    resolved: dict[str, Counter[str]] = defaultdict(Counter)
    used: set[str] = set()
    for index, keys in enumerate(papers):
        roots = [canonical.get(key, key) for key in keys]
        if not context.candidates.keys().isdisjoint(roots):
            groups = opened(index)
            meant = resolve(groups, canonical, context)
            for group, root, key in zip(groups, roots, meant, strict=True):
                if key != root:
                    resolved[key].update(list(group.forms))
            roots = meant
        used.update(roots)
    return resolved, used


class Shown(NamedTuple):
    """A concept as papers write it: what it is called, and every other form with its rule and papers."""

    member: Member
    rows: tuple[tuple[str, str, int], ...]

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other forms, sorted."""
        return tuple(sorted({form for form, *_ in self.rows}))

    def merges(self) -> Iterator[Merge]:
        """The concept's lines of the ledger."""
        for form, rule, papers in self.rows:
            yield Merge(form, self.member.name, self.member.type, rule, papers)


class Namer:
    """Puts names, types and ledger together, one concept at a time."""

    def __init__(self, sums: Tally, joins: Joins, speller: Speller, rules: Rules) -> None:
        self._sums = sums
        self._joins = joins
        self._speller = speller
        self._rules = rules

    def dropped(self) -> set[str]:
        """The concepts that the user does not want."""
        keys = (self._rules.known(name, self._joins.types) for name in self._rules.drop)
        return {self._joins.root(key) for key in keys if key}

    def show(self, key: str, resolved: Mapping[str, int]) -> Shown:
        """A concept that is used; `resolved` are the forms that their company ties to it, with papers."""
        display = self._speller.display(key)
        papers = sum(self._sums.papers[member] for member in self._joins.members(key))
        rows = tuple(row for row in self._rows(key, display, resolved) if row[0] != display)
        return Shown(Member(key, self._type(key), display, papers), rows)

    def lookup(self, shown: Mapping[str, Shown]) -> Lookup:
        """What is known of a key whose concept is shown."""

        def known(key: str) -> Known | None:
            root = self._joins.root(key)
            return Known(root, shown[root].member.type, self._sums.proper(key)) if root in shown else None

        return known

    def _type(self, key: str) -> ConceptType:
        """What the user says the concept is, else its vote."""
        if not self._rules.types:
            return self._joins.types[key]
        members = set(self._joins.members(key))
        stated = [kind for name, kind in self._rules.types.items() if self._rules.known(name, members)]
        return stated[0] if stated else self._joins.types[key]

    def _rows(self, key: str, display: str, resolved: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
        """The forms of a node, each with the rule that ties it to the display name, and its papers."""
        members = self._joins.members(key)
        if not (
            resolved
            or key in self._sums.local
            or members != [key]
            or self._sums.forms[key].keys() != {display}
        ):
            return  # nearly every name is written in one way
        yield from ((form, "acronym-context", papers) for form, papers in sorted(resolved.items()))
        local: Counter[str] = Counter()
        for member in members:
            local.update(self._sums.local.get(member, {}))
        for form, papers in sorted(local.items()):
            if self._joins.root(self._rules.key(form)) != key:
                yield form, "alias", papers
        shown = self._speller.key(key)
        seeded = name_key(display) not in members and not self._speller.stated(key)
        for member in members:
            rule = self._joins.rule(member, shown)
            if seeded:
                rule = "vocabulary" if rule == "spelling" else f"{rule}+vocabulary"
            for form, usage in sorted(self._sums.forms[member].items()):
                yield form, rule, usage.papers


def plain_id(member: Member) -> str:
    """The node id of a concept, as far as its name alone says."""
    return f"{member.type.lower()}:{slug(member.name)}"


def give_ids(members: Iterable[Member]) -> dict[str, str]:
    """Node ids; of names with one slug the commonest has it alone, others with a digest of their key."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for member in sorted(members, key=lambda member: (-member.papers, member.key)):
        plain = plain_id(member)
        ids[member.key] = f"{plain}-{digest(member.key)}" if plain in taken else plain
        taken.add(plain)
    return ids
