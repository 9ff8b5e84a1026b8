"""What the network's heads see of concepts and of pairs of them, besides the vectors of their words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from extractors.drafts import Draft
from extractors.network import CONCEPT_FLAGS, PAIR_FLAGS, TYPE_ROWS, Concepts, Pairs
from extractors.view import View
from kg.folding import singular

__all__ = ["alone", "concepts_of", "pair_candidates", "pairs_between"]

#: So many of the closest pairs of mentions speak for a pair of concepts.
_CLOSEST = 3
_MANY = 4


def concepts_of(seen: View, drafts: Sequence[Draft]) -> Concepts:
    """The concepts of a paper as the heads see them."""
    ranks = _ranks(drafts)
    flags = [_flags(seen, draft, rank) for draft, rank in zip(drafts, ranks, strict=True)]
    words, first = _joined([[w for m in draft.mentions for w in _words(seen, m)] for draft in drafts])
    return Concepts(
        words=words,
        first=first,
        types=np.asarray([TYPE_ROWS[draft.type] for draft in drafts], dtype=np.int64),
        flags=np.asarray(flags, dtype=np.float32).reshape(-1, CONCEPT_FLAGS),
    )


def alone(concepts: Concepts, indices: Sequence[int], seen: View, drafts: Sequence[Draft]) -> Concepts:
    """Each mention of some concepts as if it were the only one, in their order."""
    mentions = [mention for index in indices for mention in drafts[index].mentions]
    sizes = [len(drafts[index].mentions) for index in indices]
    whose = np.repeat(np.asarray(indices, dtype=np.int64), sizes)
    words, first = _joined([_words(seen, mention) for mention in mentions])
    return Concepts(words, first, concepts.types[whose], concepts.flags[whose])


def _joined(groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Groups of words one after the other, and where each begins."""
    first = list(accumulate((len(words) for words in groups), initial=0))[:-1]
    flat = [word for words in groups for word in words]
    return np.asarray(flat, dtype=np.int64), np.asarray(first, dtype=np.int64)


def _ranks(drafts: Sequence[Draft]) -> list[int]:
    """The rank of each concept among those of its type, by number of mentions."""
    ranks = [0] * len(drafts)
    seen: dict[str, int] = {}
    for index in sorted(range(len(drafts)), key=lambda i: (-len(drafts[i].mentions), i)):
        kind = drafts[index].type.value
        ranks[index] = seen.get(kind, 0)
        seen[kind] = ranks[index] + 1
    return ranks


def _words(seen: View, mention: int) -> range:
    """The tokens of a mention."""
    return range(seen.places[mention].start, seen.places[mention].end)


def _flags(seen: View, draft: Draft, rank: int) -> list[bool]:
    places = [seen.places[mention] for mention in draft.mentions]
    count = min(len(places), _MANY)
    name = draft.name
    return [
        seen.introduces(draft),
        bool(seen.introduced),
        seen.titles(draft),
        any(place.start == 0 < seen.title_end for place in places),
        *(count == number for number in range(1, _MANY + 1)),
        bool(draft.short),
        " " not in name,
        name != name.lower() and name != name.capitalize(),
        rank == 0,
    ]


def pair_candidates(seen: View, drafts: Sequence[Draft], central: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of concepts worth asking about, the one that is mentioned first in front.

    These are all that share a sentence, and the central ones (what the paper proposes) with every other.
    """
    sentences = [{seen.sentence[seen.places[m].start] for m in draft.mentions} for draft in drafts]
    inside = set(central)
    return [
        (one, other)
        for one in range(len(drafts))
        for other in range(one + 1, len(drafts))
        if one in inside or other in inside or not sentences[one].isdisjoint(sentences[other])
    ]


def pairs_between(seen: View, drafts: Sequence[Draft], pairs: Sequence[tuple[int, int]]) -> Pairs:
    """The closest pairs of mentions of each pair of concepts: those of one sentence before all others."""
    rows = [
        (number, *row)
        for number, (one, other) in enumerate(pairs)
        for row in _closest_rows(seen, drafts[one].mentions, drafts[other].mentions)
    ]
    pair, left, right, swapped, distance = np.asarray(rows, dtype=np.int64).reshape(-1, 5).T
    names = [_folded(draft.name) for draft in drafts]
    flags = [_pair_flags(names[one], names[other]) for one, other in pairs]
    return Pairs(
        concepts=np.asarray(pairs, dtype=np.int64).reshape(-1, 2),
        flags=np.asarray(flags, dtype=np.float32).reshape(-1, PAIR_FLAGS),
        mentions=np.asarray([(p.start, p.end) for p in seen.places], dtype=np.int64).reshape(-1, 2),
        mention_types=np.asarray([TYPE_ROWS[p.type] for p in seen.places], dtype=np.int64),
        pair=pair,
        left=left,
        right=right,
        swapped=swapped.astype(np.bool_),
        distance=distance,
    )


def _folded(name: str) -> str:
    return " ".join(singular(word) for word in name.lower().replace("-", " ").split())


def _pair_flags(one: str, other: str) -> tuple[bool, ...]:
    last = one.rpartition(" ")[2] == other.rpartition(" ")[2]
    return one.endswith(other), other.endswith(one), last, one in other or other in one


def _closest_rows(seen: View, ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int, bool, int]]:
    """(left, right, swapped, distance) of the closest mentions of two concepts."""
    ranked = sorted(
        (abs(seen.sentence[seen.places[a].start] - seen.sentence[seen.places[b].start]), abs(a - b), a, b)
        for a in ones
        for b in others
    )
    nearest = ranked[0][0]
    kept = [row for row in ranked[:_CLOSEST] if row[0] == 0 or row[0] == nearest]
    return [
        (min(a, b), max(a, b), a > b, _distance(seen, gap, min(a, b), max(a, b))) for gap, _, a, b in kept
    ]


def _distance(seen: View, gap: int, left: int, right: int) -> int:
    """The kind of distance between two mentions; see `extractors.network.DISTANCES`."""
    if gap == 0:
        return min(seen.places[right].start - seen.places[left].end, 15) // 2
    if seen.places[left].start < seen.title_end:
        return 11
    return 7 + min(gap, 3)
