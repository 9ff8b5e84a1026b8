"""What an acronym means in a paper that does not say: by the concepts that stand beside it.

An acronym that the corpus expands in several ways is compared with the company of each long form of its
type: the other concepts of the papers that write the long form, the rarer the weightier. It is resolved only
where one long form shares at least two concepts with the paper and scores `MARGIN` times as high as any
other; else it stays apart.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kg.merging import Joins
from kg.schema import ConceptType
from kg.tally import Tally

__all__ = ["MARGIN", "Context", "candidates", "learn_context", "weight"]

#: How many times as well a long form must fit as the next one.
MARGIN = 2.0
_SHARED = 2


@dataclass(frozen=True, slots=True)
class Context:
    """The long forms of each ambiguous acronym, and the weighted company of each long form."""

    candidates: Mapping[str, Mapping[ConceptType, Sequence[str]]] = field(default_factory=dict)
    company: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def meaning(self, key: str, kind: ConceptType, others: Iterable[str]) -> str | None:
        """The long form that an undefined acronym has among other concepts of its paper, if one is clear."""
        longs = self.candidates.get(key, {}).get(kind, ())
        if not longs:
            return None
        beside = sorted(set(others) - {key})
        shared = {long: [self.company[long].get(other, 0.0) for other in beside] for long in longs}
        scores = sorted(((-round(sum(values), 9), long) for long, values in shared.items()))
        best, long = scores[0]
        second = scores[1][0] if len(scores) > 1 else 0.0
        clear = sum(value > 0 for value in shared[long]) >= _SHARED and -best >= MARGIN * -second
        return long if clear else None


def learn_context(papers: Iterable[Sequence[str]], sums: Tally, joins: Joins) -> Context:
    """Sums the company of the long forms of all acronyms that the corpus uses in several ways.

    Args:
        papers: the keys of the concepts of each paper.
        sums: the sums over them.
        joins: which keys are one.
    """
    ambiguous = candidates(sums, joins)
    longs = {long for kinds in ambiguous.values() for found in kinds.values() for long in found}
    if not longs:
        return Context()
    seen: Counter[str] = Counter()
    beside: dict[str, Counter[str]] = defaultdict(Counter)
    count = 0
    for keys in papers:
        count += 1
        roots = set(map(joins.root, keys))
        seen.update(roots)
        for long in roots & longs:
            beside[long].update(roots - {long})
    company = {
        long: {
            other: weight(together, seen[long], seen[other], count)
            for other, together in sorted(beside[long].items())
        }
        for long in sorted(longs)
    }
    return Context(ambiguous, company)


def weight(together: int, papers: int, seen: int, count: int) -> float:
    """What a concept that stands beside a long form says for it: the more, the oftener and the rarer it is.

    Args:
        together: papers that have both.
        papers: papers that have the long form.
        seen: papers that have the concept.
        count: all papers.
    """
    return together / papers * math.log(1 + count / seen)


def candidates(sums: Tally, joins: Joins) -> dict[str, dict[ConceptType, list[str]]]:
    """For each acronym that is a concept of its own, the long forms that papers define it as, by type."""
    found: dict[str, dict[ConceptType, set[str]]] = defaultdict(lambda: defaultdict(set))
    for short, counts in sums.definitions.items():
        for long in map(joins.root, counts):
            root = joins.root(short)
            if root != long and short in sums.mains and not joins.forbidden(root, long):
                found[root][joins.types[long]].add(long)
    return {
        short: {kind: sorted(longs) for kind, longs in sorted(kinds.items())}
        for short, kinds in sorted(found.items())
    }
