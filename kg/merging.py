"""Which keys of a corpus are one concept: joins within a type, each with the rule that made it.

Stages, in this order; each reads the sums of the corpus (`kg.tally`) and looks at one key at a time. Which
names are nearly equal, and which differ in an acronym, is read off before anything of the stage is joined:

- `same`: the user's rules, the only ones that may cross types;
- `case`: a cased and a plain name (`BERT` and `Bert`, `FPS` and `fps`), unless people write the plain one as
  an ordinary word (`SPIN`, `spin`);
- `head`: a name with a head that its type implies and the rest, which stands alone (`BERT model`, `BERT`);
- `long-form`: nearly equal long forms of one acronym ("convolution neural network");
- `acronym`: an acronym and its long form, if all papers that define the acronym mean this one; unless more
  than `DOMINANCE` times as many papers write it without a long form (of two letters: twice as many), or more
  papers write it as a plain name: one paper's `ADAM` does not rename everybody's `Adam`;
- `acronym-dominant`: the same where this long form has `DOMINANCE` times as many papers as all others;
- `acronym-inside`: names that differ in such an acronym ("deep RL", "deep reinforcement learning");
- `vocabulary`: synonyms that the seed vocabulary lists, unless the corpus uses an acronym otherwise.

What the user calls different is joined by no stage.

Keys that no stage can bring together may be joined apart from each other (`kg.spark.naming`): `kin` says with
which a key may be joined for its own letters. Of an acronym's definitions, those whose long form is
elsewhere stand there under the one key `ELSEWHERE`, which is never joined.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kg.folding import CASED, is_acronym, name_key
from kg.heads import is_procedure, is_product, loose_key, without_head
from kg.rules import Rules
from kg.schema import ConceptType
from kg.tally import Tally, Usage
from kg.vocabulary import Vocabulary

__all__ = [
    "DOMINANCE",
    "ELSEWHERE",
    "Joins",
    "Pair",
    "acronym_places",
    "contradicted",
    "expansions",
    "join_acronyms",
    "join_forms",
    "join_keys",
    "join_pairs",
    "kin",
    "near_forms",
    "written_out",
]

#: What is nearly always so: how many times as many papers speak for it as against it.
DOMINANCE = 20
#: What part of the votes makes a type one of the readings of a name.
_SHARE = 0.3
#: Acronyms of so many letters stand for too much: at least one in so many papers must define them.
_SHORT = 2
#: Stands for every long form that is defined for an acronym and is not among the keys at hand.
ELSEWHERE = ""


class Pair(NamedTuple):
    """Two keys that a stage joins, and what its pairs are put in order by."""

    order: tuple[str, ...]
    key: str
    target: str


class Joins:
    """A forest of keys: each key may have a target and the rule that tied it there; a root is a concept."""

    def __init__(self, types: dict[str, ConceptType], rules: Rules) -> None:
        self.types = types
        self._rules = rules
        self._targets: dict[str, tuple[str, str]] = {}
        self._members: dict[str, list[str]] = {}

    def root(self, key: str) -> str:
        """The concept that a key belongs to."""
        while key in self._targets:
            key = self._targets[key][0]
        return key

    def members(self, root: str) -> list[str]:
        """The keys of a concept, sorted."""
        return sorted(self._members[root]) if root in self._members else [root]

    def join(self, source: str, target: str, rule: str) -> bool:
        """Ties the concept of one key to that of another, if they have one type and nobody forbids it."""
        child, parent = self.root(source), self.root(target)
        if child == parent or child not in self.types or parent not in self.types:
            return False
        if self.types[child] != self.types[parent] or self.forbidden(child, parent):
            return False
        self.force(child, parent, rule)
        return True

    def force(self, child: str, parent: str, rule: str) -> None:
        """Ties one root to another, whatever their types."""
        self._targets[child] = (parent, rule)
        self._members.setdefault(parent, [parent]).extend(self._members.pop(child, [child]))

    def forbidden(self, one: str, other: str) -> bool:
        """Whether the user calls something of one concept different from something of the other."""
        conflicts = self._rules.conflicts
        if not conflicts:
            return False
        others = set(self.members(other))
        return any(conflicts.get(key, frozenset()) & others for key in self.members(one))

    def headed(self, key: str) -> bool:
        """Whether a key says no more than its target, but for a head."""
        return self._targets.get(key, ("", ""))[1] == "head"

    def rule(self, key: str, shown: str) -> str:
        """By which rules a key is one with the key that is shown: those on the way between them."""
        if key == shown:
            return "spelling"
        up, down = list(self._way(key)), list(self._way(shown))
        while up and down and up[-1] == down[-1]:
            up.pop()
            down.pop()
        return "+".join(dict.fromkeys([rule for _, rule in up] + [rule for _, rule in reversed(down)]))

    def _way(self, key: str) -> Iterator[tuple[str, str]]:
        while key in self._targets:
            target, rule = self._targets[key]
            yield key, rule
            key = target


def join_keys(sums: Tally, vocabulary: Vocabulary, rules: Rules) -> Joins:
    """All joins of a corpus."""
    joins = join_forms(sums, vocabulary, rules)
    join_pairs(joins, near_forms(joins, sums), "long-form")
    join_acronyms(joins, sums, vocabulary)
    join_pairs(joins, expansions(joins, sums, rules), "acronym-inside")
    return joins


def join_forms(sums: Tally, vocabulary: Vocabulary, rules: Rules) -> Joins:
    """The types of all keys, and the joins that the user states or that names show by themselves."""
    stated: dict[str, ConceptType] = {}
    for name, kind in rules.types.items():
        key = rules.key(name)
        stated |= {form: kind for form in (key, key.removesuffix(CASED), key + CASED) if form in sums.votes}
    joins = Joins(_types(sums, vocabulary) | stated, rules)
    _join_same(joins, rules)
    _join_case(joins, sums, vocabulary)
    _join_heads(joins, sums, vocabulary, rules)
    return joins


def join_pairs(joins: Joins, pairs: Iterable[Pair], rule: str) -> None:
    """Joins pairs of keys, as far as they may be one, in their order."""
    for _, key, target in sorted(pairs):
        joins.join(key, target, rule)


def join_acronyms(joins: Joins, sums: Tally, vocabulary: Vocabulary) -> None:
    """Joins acronyms with their long forms, and what the vocabulary lists."""
    _join_defined(joins, sums, vocabulary)
    _join_vocabulary(joins, sums, vocabulary)


def kin(key: str, name: str, rules: Rules) -> set[str]:
    """The keys that a key may be joined with for its own letters, if they exist.

    Args:
        key: the key of a name.
        name: the form of it that is written most.
        rules: what the user says of names.
    """
    rests = {rest for kind in ConceptType for _, rest in _rests(name, kind, rules)}
    return {key.removesuffix(CASED), *rests, *(rest.removesuffix(CASED) for rest in rests)} - {key}


def _types(sums: Tally, vocabulary: Vocabulary) -> dict[str, ConceptType]:
    """The type of each key: its own vote, or that of an acronym and its long form together.

    They vote together where the winner has a good share in both: the readings of one thing differ, then, and
    not the things.
    """
    types = sums.types()
    pairs = {(short, long) for short, longs in sums.definitions.items() for long in longs if len(longs) == 1}
    pairs |= {(alias, entry.key) for entry in vocabulary.entries for alias in entry.aliases}
    for short, long in sorted(pairs):
        if short in types and long in types and types[short] != types[long]:
            both = sums.votes[short] + sums.votes[long]
            kind = min(both, key=lambda kind: (-both[kind], kind.value))
            if all(sums.votes[key][kind] >= _SHARE * sums.votes[key].total() for key in (short, long)):
                types |= {short: kind, long: kind}
    return types


def _join_same(joins: Joins, rules: Rules) -> None:
    for names in rules.same:
        found = [rules.known(name, joins.types) for name in names]
        known = [key for key in dict.fromkeys(found) if key]
        for key in known[1:]:
            child, parent = joins.root(key), joins.root(known[0])
            if child != parent:
                joins.force(child, parent, "same")


def _join_case(joins: Joins, sums: Tally, vocabulary: Vocabulary) -> None:
    for cased in sorted(key for key in joins.types if key.endswith(CASED)):
        plain = cased.removesuffix(CASED)
        if joins.types.get(plain) == joins.types[cased]:
            known = vocabulary.find(joins.types[cased], cased) is not None
            if known or not _is_word(plain, sums.forms[plain]):
                joins.join(cased, plain, "case")


def _is_word(key: str, forms: Mapping[str, Usage]) -> bool:
    """Whether a plain name is an ordinary word: not mostly written with a capital inside sentences.

    A capital in the middle (`ImageNet`) makes it a name in any case, and so does a lack of vowels (`fps`).
    """
    if any(re.search(r"[^\W\d_A-Z][A-Z]", form) for form in forms) or not re.search(r"[aeiouy]|[^a-z]", key):
        return False
    lower = sum(usage.papers for form, usage in forms.items() if form.islower())
    capital = sum(usage.papers for form, usage in forms.items() if not form.islower() and usage.running)
    return lower >= capital


def _join_heads(joins: Joins, sums: Tally, vocabulary: Vocabulary, rules: Rules) -> None:
    for key in sorted(joins.types):
        kind = joins.types[key]
        name = sums.commonest(key)
        for rest, other in _rests(name, kind, rules):
            found = [form for form in (other, other.removesuffix(CASED)) if sums.papers[form]]
            made = is_product(name, sums.activities.get(other, ""))
            if found and not made and _stands_alone(rest, name, found[0], kind, sums, vocabulary):
                joins.join(key, found[0], "head")
                break


def _rests(name: str, kind: ConceptType, rules: Rules) -> Iterator[tuple[str, str]]:
    """What is left of a name without one head of its type, without two, and so on; each with its key."""
    rest = without_head(name, kind)
    while rest is not None:
        yield rest, rules.key(rest)
        rest = without_head(rest, kind)


def _stands_alone(
    rest: str, name: str, key: str, kind: ConceptType, sums: Tally, vocabulary: Vocabulary
) -> bool:
    """Whether what is left of a name is the name of the same thing: a proper or a known one, or a task.

    "Language model" is no language; but a gradient descent algorithm is gradient descent.
    """
    known = vocabulary.find(kind, name_key(rest)) is not None
    procedure = kind is ConceptType.METHOD and is_procedure(name)
    return known or sums.proper(key) or kind is ConceptType.TASK or procedure


def _longs(joins: Joins, sums: Tally) -> dict[str, Counter[str]]:
    """For each acronym the papers that define it, by long form."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for short, counts in sums.definitions.items():
        for long, papers in counts.items():
            if joins.root(short) != joins.root(long):
                found[joins.root(short)][joins.root(long)] += papers
    return found


def near_forms(joins: Joins, sums: Tally) -> list[Pair]:
    """The nearly equal long forms of each acronym, each with the one that most papers mean."""
    pairs: list[Pair] = []
    for short, counts in _longs(joins, sums).items():
        near: dict[tuple[str, str], list[str]] = defaultdict(list)
        if len(counts) > 1:
            for long in counts:
                near[joins.types[long], loose_key(sums.commonest(long))].append(long)
        for (kind, stem), longs in near.items():
            best, *others = sorted(longs, key=lambda key: (-counts[key], -sums.papers[key], key))
            pairs += [
                Pair((short, kind, stem, f"{rank:09}"), other, best) for rank, other in enumerate(others)
            ]
    return pairs


def _join_defined(joins: Joins, sums: Tally, vocabulary: Vocabulary) -> None:
    longs = _longs(joins, sums)
    for short, counts in sorted(longs.items()):
        long = min(counts, key=lambda key: (-counts[key], key))
        if long in longs or not _speaks_for_all(short, long, counts.total(), joins, sums, vocabulary):
            continue
        others = counts.total() - counts[long]
        if counts[long] >= DOMINANCE * others:
            joins.join(short, long, "acronym-dominant" if others else "acronym")


def _speaks_for_all(
    short: str, long: str, defining: int, joins: Joins, sums: Tally, vocabulary: Vocabulary
) -> bool:
    """Whether the papers that define an acronym may speak for those that do not.

    Not for too many, unless the vocabulary knows the pair; and not for more papers than themselves that
    write it as a plain name (`Adam`).
    """
    kind = joins.types[short]
    entry = vocabulary.find(kind, short)
    if entry is not None and entry is vocabulary.find(kind, long):
        return True
    cased = short.removesuffix(CASED) + CASED
    both = cased != short and joins.root(cased) == short
    written = sum(sums.papers[key] for key in joins.members(short))
    most = DOMINANCE if len(cased.removesuffix(CASED)) > _SHORT else _SHORT
    return written <= most * defining and (not both or sums.papers[short] < defining)


def _join_vocabulary(joins: Joins, sums: Tally, vocabulary: Vocabulary) -> None:
    for entry in vocabulary.entries:
        keys = [key for key in (entry.key, *entry.aliases) if joins.types.get(key) == entry.type]
        roots = [joins.root(key) for key in keys if not contradicted(key, entry.key, joins, sums)]
        for root in roots[1:]:
            joins.join(root, roots[0], "vocabulary")


def expansions(joins: Joins, sums: Tally, rules: Rules) -> list[Pair]:
    """Names that differ in an acronym written out: "deep RL" and "deep reinforcement learning"."""
    pairs: list[Pair] = []
    for key in joins.types:
        name = sums.commonest(key)
        for index, short in acronym_places(name, rules):
            root = joins.root(short)
            if root in joins.types and root != short:
                for long in joins.members(root):
                    written = written_out(name, index, sums.commonest(long), rules)
                    pairs.append(Pair((key, f"{index:09}", long), key, written))
    return pairs


def acronym_places(name: str, rules: Rules) -> list[tuple[int, str]]:
    """Which words of a name are acronyms, each with its key."""
    if name.isascii() and name.islower():
        return []
    words = name.split()
    return [
        (index, rules.key(word)) for index, word in enumerate(words) if len(word) > 1 and is_acronym(word)
    ]


def written_out(name: str, index: int, long: str, rules: Rules) -> str:
    """The key of a name with one of its words written out."""
    words = name.split()
    return rules.key(" ".join((*words[:index], long, *words[index + 1 :])))


def contradicted(key: str, name: str, joins: Joins, sums: Tally) -> bool:
    """Whether papers of the corpus give an acronym of the vocabulary another long form."""
    defined = Counter[str]()
    for long, papers in sums.definitions.get(key, Counter()).items():
        defined[joins.root(long)] += papers
    others = defined.total() - defined[joins.root(name)]
    return others * DOMINANCE > defined[joins.root(name)] and joins.root(key) != joins.root(name)
