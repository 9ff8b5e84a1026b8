"""What the scorers of roles and relations see of a concept and of a pair: strings, made from the words
around.

Every feature carries the type of the concept, so that one table holds a scorer a type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spacy.tokens import Doc

from extractors.drafts import Draft, Place
from extractors.linear import HashedLinear
from kg.folding import name_key

__all__ = [
    "ConceptFeatures",
    "View",
    "concept_features",
    "concept_ranks",
    "pair_candidates",
    "pair_features",
    "view",
]

_BEFORE, _AFTER = 8, 5


@dataclass(frozen=True, slots=True)
class View:
    """A document as the scorers see it: folded words, and sentence and title bounds by token."""

    words: list[str]
    sentence: list[int]
    bounds: list[tuple[int, int]]
    title_end: int
    places: Sequence[Place]
    filled: list[str]
    introduced: Mapping[str, str]


def view(doc: Doc, places: Sequence[Place]) -> View:
    """Prepares a document; in `filled` a mention's words are replaced by its type."""
    words = [token.lower_ for token in doc]
    sentence: list[int] = []
    bounds: list[tuple[int, int]] = []
    for token in doc:
        if token.is_sent_start or not bounds:
            bounds.append((token.i, token.i))
        bounds[-1] = (bounds[-1][0], token.i + 1)
        sentence.append(len(bounds) - 1)
    title_end = next((index + 1 for index, word in enumerate(words) if "\n" in word), 0)
    filled = list(words)
    for place in places:
        for index in range(place.start, place.end):
            filled[index] = f"<{place.type.value}>" if index == place.end - 1 else ""
    introduced = {name_key(found.name): found.way for found in doc._.introductions}
    return View(words, sentence, bounds, title_end, places, filled, introduced)


@dataclass(frozen=True, slots=True)
class ConceptFeatures:
    """Features of one concept: of the whole (`shared`) and of each of its mentions (`contexts`)."""

    shared: list[str]
    contexts: list[list[str]]

    @property
    def flat(self) -> list[str]:
        """Every feature once, sorted."""
        return sorted({*self.shared, *(feature for context in self.contexts for feature in context)})

    def best_mention(self, model: HashedLinear, label: int) -> int:
        """The index of the mention whose words speak most for a label."""
        margins = model.margins(self.contexts)[:, label]
        return int(margins.argmax())


def concept_features(seen: View, draft: Draft, rank: int) -> ConceptFeatures:
    """Features of one concept of a paper: its name, where it stands, and the words around every mention.

    `rank` is its rank among the paper's concepts of its type by number of mentions.
    """
    places = [seen.places[mention] for mention in draft.mentions]
    kind = draft.type.value
    shared = [*_name_features(draft), *_position_features(seen, draft, places), f"rank={min(rank, 4)}"]
    ways = {seen.introduced[key] for key in map(name_key, draft.forms) if key in seen.introduced}
    shared += [f"introduced={way}" for way in sorted(ways)] or [f"introduced={bool(seen.introduced)}"]
    return ConceptFeatures(
        [f"{kind}|{feature}" for feature in shared],
        [[f"{kind}|{feature}" for feature in _context_features(seen, place)] for place in places],
    )


def _bucket(count: int) -> str:
    return str(count) if count < 4 else "4-6" if count < 7 else "7+"


def _shape(name: str) -> str:
    letters = [character for character in name if character.isalpha()]
    upper = sum(character.isupper() for character in letters)
    if not letters or not upper:
        return "lower"
    if " " not in name and upper > 1:
        return "acronym" if upper == len(letters) else "mixed"
    return "title" if name[:1].isupper() else "inner"


def _name_features(draft: Draft) -> list[str]:
    words = draft.name.lower().replace("-", " ").split()
    shape = _shape(draft.name)
    return [
        f"key={name_key(draft.name)}",
        f"head={words[-1] if words else ''}",
        f"first={words[0] if words else ''}",
        f"shape={shape}",
        f"length={min(len(words), 5)}",
        f"digit={any(character.isdigit() for character in draft.name)}",
        f"defined={bool(draft.short)}",
        f"forms={min(len(draft.forms), 3)}",
    ]


def _position_features(seen: View, draft: Draft, places: list[Place]) -> list[str]:
    body = [seen.sentence[place.start] for place in places if place.start >= seen.title_end]
    last = len(seen.bounds) - 1
    first_body = 1 if seen.title_end else 0
    features = [f"n={_bucket(len(places))}", f"sentences={_bucket(len(set(body)))}"]
    if any(place.start < seen.title_end for place in places):
        features.append("title")
        start = min(place.start for place in places if place.start < seen.title_end)
        end = next(place.end for place in places if place.start == start)
        features.append(
            f"title:{'first' if start == 0 else 'later'}:{seen.words[end] if end < len(seen.words) else ''}"
        )
        features.append(f"title&n={_bucket(len(places))}")
        features.append(f"title&shape={_shape(draft.name)}")
    if body:
        span = max(1, last - first_body)
        features += [
            f"from={4 * (body[0] - first_body) // span}",
            f"to={4 * (body[-1] - first_body) // span}",
            f"from0={min(body[0] - first_body, 3)}",
            f"to0={min(last - body[-1], 3)}",
            f"spread={(body[-1] - body[0]) * 4 // span}",
        ]
    else:
        features.append("title only")
    return features


def _context_features(seen: View, place: Place) -> list[str]:
    start, end = seen.bounds[seen.sentence[place.start]]
    before = [word for word in seen.filled[max(start, place.start - 20) : place.start] if word][-_BEFORE:]
    after = [word for word in seen.filled[place.end : min(end, place.end + 20)] if word][:_AFTER]
    title = "T" if place.start < seen.title_end else ""
    padded = ["<s>", "<s>", *before]
    trailing = [*after, "</s>", "</s>"]
    features = [
        f"{title}p1={padded[-1]}",
        f"{title}p2={padded[-2]} {padded[-1]}",
        f"{title}p3={' '.join(padded[-3:])}",
        f"{title}n1={trailing[0]}",
        f"{title}n2={trailing[0]} {trailing[1]}",
        f"{title}pn={padded[-1]}|{trailing[0]}",
    ]
    features += [f"{title}b={word}" for word in before]
    features += [f"{title}a={word}" for word in after]
    opening = [word for word in seen.filled[start : start + 12] if word][:4]
    features.append(f"{title}o={' '.join(opening[:2])}")
    features.append(f"{title}o3={' '.join(opening[:3])}")
    clause = [word for word in seen.filled[start : place.start] if word in _CUES]
    if clause:
        features += [f"cue={clause[-1]}", f"cue={clause[-1]}&p1={padded[-1]}", f"cue0={clause[0]}"]
        distance = place.start - max(i for i in range(start, place.start) if seen.filled[i] == clause[-1])
        features.append(f"cue={clause[-1]}&d={min(distance, 12) // 3}")
    if any(word in ("we", "our") for word in seen.words[start : place.start]):
        features.append("we")
    return features


_CUES = frozenset(
    """
    propose proposes proposed introduce introduces introduced present presents presented develop develops
    developed design designs designed devise call called name named dub dubbed termed coin release
    construct contribute offer offers create built build outperform outperforms outperforming outperformed
    surpass surpasses surpassing exceed exceeds beat beats improve improves improving improved compared
    compare comparison than over against versus baselines baseline existing previous prior traditional
    conventional standard unlike while whereas recent recently using use uses used leverage leverages
    leveraging utilize utilizes utilizing employ employs employing adopt adopts based apply applies
    applying applied combine combines combining integrate integrates integrating incorporate incorporates
    incorporating via through with extend extends extending build show shows demonstrate demonstrates
    evaluate evaluates evaluated experiments achieve achieves achieving analyze study studies investigate
    investigates explore explores examine theoretically prove establish
    """.split()
)


def concept_ranks(drafts: Sequence[Draft]) -> list[int]:
    """The rank of each concept among those of its type, by number of mentions."""
    ranks = [0] * len(drafts)
    seen: dict[str, int] = {}
    for index in sorted(range(len(drafts)), key=lambda i: (-len(drafts[i].mentions), i)):
        kind = drafts[index].type.value
        ranks[index] = seen.get(kind, 0)
        seen[kind] = ranks[index] + 1
    return ranks


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


def pair_features(
    seen: View, head: Draft, tail: Draft, roles: tuple[str, str]
) -> tuple[list[str], tuple[int, int]]:
    """Features of a pair of concepts and the (start, end) tokens of the sentences that show it.

    `head` is mentioned first; `roles` are their likeliest roles. Where they share a sentence, the pair of
    mentions that stand closest counts.
    """
    one, other = _closest(seen, head, tail)
    kinds = f"{head.type.value}>{tail.type.value}"
    swapped = one.start > other.start
    first, second = (other, one) if swapped else (one, other)
    gap = abs(seen.sentence[one.start] - seen.sentence[other.start])
    features = [f"gap={min(gap, 3)}", f"swapped={swapped}", f"roles={roles[0]}>{roles[1]}"]
    features += [f"r1={roles[0]}", f"r2={roles[1]}", *_name_pair_features(head, tail)]
    features += [f"gap={min(gap, 3)}&roles={roles[0]}>{roles[1]}", f"gap={min(gap, 3)}&swapped={swapped}"]
    if gap == 0:
        features += _between_features(seen, first, second, swapped=swapped)
    else:
        for tag, place in (("1", one), ("2", other)):
            features += [f"{tag}{feature}" for feature in _far_features(seen, place)]
    start = min(seen.bounds[seen.sentence[place.start]][0] for place in (one, other))
    end = max(seen.bounds[seen.sentence[place.start]][1] for place in (one, other))
    if gap:  # the sentence of the later mention carries the statement
        start = seen.bounds[seen.sentence[second.start]][0]
    return [f"{kinds}|{feature}" for feature in features] + [f"|{feature}" for feature in features], (
        start,
        end,
    )


def _closest(seen: View, head: Draft, tail: Draft) -> tuple[Place, Place]:
    pairs = [(seen.places[i], seen.places[j]) for i in head.mentions for j in tail.mentions]
    return min(
        pairs,
        key=lambda pair: (
            abs(seen.sentence[pair[0].start] - seen.sentence[pair[1].start]),
            pair[0].start < seen.title_end,
            abs(pair[0].start - pair[1].start),
            pair[0].start,
        ),
    )


def _name_pair_features(head: Draft, tail: Draft) -> list[str]:
    one, other = name_key(head.name), name_key(tail.name)
    first, last = head.name.lower().split()[-1:], tail.name.lower().split()[-1:]
    return [
        f"ends={one.endswith(other)}{other.endswith(one)}",
        f"holds={other in one}{one in other}",
        f"heads={first}>{last}",
        f"h1={first}",
        f"h2={last}",
        f"shapes={_shape(head.name)}>{_shape(tail.name)}",
        f"k1={one}",
        f"k2={other}",
        f"n={_bucket(len(head.mentions))}>{_bucket(len(tail.mentions))}",
    ]


def _between_features(seen: View, first: Place, second: Place, *, swapped: bool) -> list[str]:
    start, end = seen.bounds[seen.sentence[first.start]]
    between = [word for word in seen.filled[first.end : second.start] if word]
    before = ["<s>", *(word for word in seen.filled[start : first.start] if word)][-3:]
    after = [*(word for word in seen.filled[second.end : min(end, second.end + 8)] if word), "</s>", "</s>"][
        :2
    ]
    order = "-" if swapped else ""
    mentions = sum(word.startswith("<") for word in between)
    features = [
        f"d={min(len(between), 20) // 2}",
        f"m={min(mentions, 5)}",
        f"p={before[-1]}",
        f"pp={' '.join(before[-2:])}",
        f"n={after[0]}",
        f"nn={' '.join(after)}",
        f"title={first.start < seen.title_end}",
    ]
    if len(between) <= 7:
        features.append(f"seq={' '.join(between)}")
    features += [f"w={word}" for word in set(between)]
    features += [f"bi={one} {other}" for one, other in pairwise(between)]
    if between:
        features += [f"w0={between[0]}", f"w1={between[-1]}", f"w01={between[0]}..{between[-1]}"]
    cues = [word for word in between if word in _CUES]
    if cues:
        features += [f"c0={cues[0]}", f"c1={cues[-1]}"]
    opening = [word for word in seen.filled[start : first.start] if word in _CUES]
    features.append(f"open={opening[-1] if opening else ''}")
    return [order + feature for feature in features]


def _far_features(seen: View, place: Place) -> list[str]:
    start, _ = seen.bounds[seen.sentence[place.start]]
    before = [word for word in seen.filled[start : place.start] if word]
    cues = [word for word in before if word in _CUES]
    return [
        f"fp={' '.join(['<s>', *before][-1:])}",
        f"fpp={' '.join(['<s>', '<s>', *before][-2:])}",
        f"fn={seen.filled[place.end] if place.end < len(seen.filled) else ''}",
        f"fc={cues[-1] if cues else ''}",
        f"fo={' '.join(before[:2])}",
        f"fit={any(word in ('it', 'our', 'we', 'this') for word in before)}",
        f"ft={place.start < seen.title_end}",
    ]
