"""Mentions and concepts of a whole paper: what the tagger marked, agreed over the document.

The tagger judges every place for itself. Here a surface string has one type in a paper (the one that its
tagged occurrences speak for, each as surely as it was tagged; a name whose type is settled keeps that),
stands at every occurrence or at none, and is dropped where it names nothing. The two forms of an
abbreviation are both names when one is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
from spacy.language import Language
from spacy.tokens import Doc

from extractors.abbreviations import Abbreviation, find_abbreviations
from extractors.calibration import AS_IT_IS, Calibration
from extractors.drafts import Place, group_mentions
from extractors.introductions import Introduction, introductions
from extractors.layout import layout
from extractors.stoplist import is_generic, trim
from kg.errors import ModelError
from kg.folding import inside_word, name_key
from kg.schema import ConceptType

__all__ = [
    "Occurrence",
    "Tagged",
    "agree",
    "evidence",
    "find_occurrences",
    "split_names",
    "tagged_surfaces",
]

#: (start, end, type) of one place in the clean text.
Occurrence = tuple[int, int, ConceptType]

_ORDER = {kind: rank for rank, kind in enumerate(ConceptType)}
_CONJUNCTION = re.compile(r",? (?:and|or|&) |, ")
_DASH = re.compile(r"\s[-–—]+\s")
#: What a text introduces by name: a task or a term that is marked there is a method's name.
_INTRODUCED = (ConceptType.METHOD, ConceptType.DATASET, ConceptType.METRIC)
#: One word with two capitals, a capital inside, or a digit: a name and no noun.
_PROPER = re.compile(r"(?=\S*(?:[A-Z]\S*[A-Z0-9]|[a-z][A-Z]|\d))[\w.+*/-]+")
#: What is left of "generative adversarial network (GAN) training" where its front is a name of its own.
_DEFINITION = re.compile(r"\([A-Z][^()\s]*\)[\s-]*\w")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")


@dataclass(frozen=True, slots=True)
class Tagged:
    """A string that the tagger marked, and how probable it found that."""

    surface: str
    type: ConceptType
    score: float = 1.0


def tagged_surfaces(doc: Doc) -> list[Tagged]:
    """The tagger's spans, without determiners and marks at their edges and without names that say nothing."""
    found, text = [], layout(doc).text
    for span in doc.ents:
        opening = _opening(text, span.start_char, span.end_char)
        for part in split_names(text[opening : span.end_char]):
            start, end = trim(part)
            if start < end and not is_generic(part[start:end]) and not _DEFINITION.match(part[start:end]):
                found.append(Tagged(part[start:end], ConceptType(span.label_), span._.score))
    return found


def _opening(text: str, start: int, end: int) -> int:
    """Where a name begins that was marked without the bracket that it closes inside: "(ε, δ)-DP"."""
    closed = text.count(")", start, end - 1) > text.count("(", start, end)
    return start - 1 if closed and text[start - 1 : start] == "(" else start


def split_names(surface: str) -> list[str]:
    """The names of a list that the tagger took for one, "BERT-base and RoBERTa", and a name and what a dash
    adds to it.

    Annotators never mark such a list as one name; "precision and recall" is left as it is.
    """
    parts = _CONJUNCTION.split(surface)
    if len(parts) > 1 and all(_PROPER.fullmatch(part) for part in parts):
        return parts
    return _DASH.split(surface)


def agree(
    tagged: Sequence[Tagged],
    abbreviations: Iterable[Abbreviation],
    known: Mapping[str, ConceptType],
    introduced: Sequence[Introduction] = (),
) -> dict[str, ConceptType]:
    """One type for each surface string of a paper.

    Args:
        tagged: what the tagger marked.
        abbreviations: pairs that the text defines.
        known: types of names by their keys, where it is settled; they win over the tagger.
        introduced: names that the text introduces; they win over both, and are names even if not tagged.
    """
    votes: dict[str, dict[ConceptType, float]] = defaultdict(lambda: defaultdict(float))
    for found in tagged:
        votes[name_key(found.surface)][found.type] += found.score
    types = {key: min(sums, key=lambda kind: (-sums[kind], _ORDER[kind])) for key, sums in votes.items()}
    types = {key: known.get(key, kind) for key, kind in types.items()}
    for name in introduced:
        key = name_key(name.name)
        marked = types.get(key, known.get(key, ConceptType.METHOD))
        types[key] = name.type or (marked if marked in _INTRODUCED else ConceptType.METHOD)
    chosen = {found.surface: types[name_key(found.surface)] for found in tagged}
    chosen |= {name.name: types[name_key(name.name)] for name in introduced if not is_generic(name.name)}
    named = {name_key(name.name) for name in introduced}
    for pair in abbreviations:
        _complete_pair(chosen, types, pair, named)
    return chosen


def _complete_pair(
    chosen: dict[str, ConceptType],
    types: Mapping[str, ConceptType],
    pair: Abbreviation,
    introduced: Container[str],
) -> None:
    """Where one form of an abbreviation is a name, the other one is too, of the same type.

    The long form tells which, unless the text introduces the short one and the long one is no such thing.
    """
    short, long = types.get(name_key(pair.short)), types.get(name_key(pair.long))
    coined = name_key(pair.short) in introduced and long not in _INTRODUCED
    kind = short if coined else long or short
    if kind is None or is_generic(pair.long):
        return
    chosen[pair.short] = kind
    if long is None and not any(pair.long in surface for surface in chosen):
        chosen[pair.long] = kind


def find_occurrences(text: str, surfaces: Mapping[str, ConceptType]) -> list[Occurrence]:
    """Every place of every surface, longest first, on word borders, outside addresses; in order.

    The case of a name of several words does not matter ("Adv. training", "adv. training"), that of one word
    does ("SPIN", "spin").
    """
    taken = bytearray(len(text))
    for match in _ADDRESS.finditer(text):
        taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    lowered = text.lower()
    same_length = len(lowered) == len(text)  # a few capitals have small forms of two characters
    found = []
    for surface in sorted(surfaces, key=lambda item: (-len(item), item)):
        size = len(surface)
        where, sought = (lowered, surface.lower()) if " " in surface and same_length else (text, surface)
        start = where.find(sought)
        while start >= 0:
            end = start + size
            cut = inside_word(text, start) or inside_word(text, end)
            if not cut and taken.find(1, start, end) < 0:
                taken[start:end] = b"\x01" * size
                found.append((start, end, surfaces[surface]))
            start = where.find(sought, start + 1)
    return sorted(found)


def evidence(tagged: Iterable[Tagged], introduced: Iterable[Introduction]) -> dict[str, float]:
    """How probable each name is, by its key: as the tagger's surest mark says; an introduced name is sure."""
    scores: dict[str, float] = {}
    for found in tagged:
        key = name_key(found.surface)
        scores[key] = max(found.score, scores.get(key, 0.0))
    return scores | {name_key(found.name): 1.0 for found in introduced}


def to_places(doc: Doc, occurrences: Iterable[Occurrence], scores: Mapping[str, float]) -> list[Place]:
    """Occurrences as places of the document; `scores` are by key, a name without one has a half."""
    text, borders = layout(doc).text, layout(doc).starts
    places = []
    for start, end, kind in occurrences:
        first, last = bisect_right(borders, start) - 1, bisect_left(borders, end)
        surface = text[start:end]
        score = scores.get(name_key(surface), 0.5)
        places.append(Place(first, last, start, end, surface, kind, score))
    return places


def read_types(path: Path) -> dict[str, ConceptType]:
    """The settled types of names: a JSON object of type -> keys; raises ModelError where it is damaged."""
    try:
        stored = orjson.loads(path.read_bytes())
        return {key: ConceptType(kind) for kind, keys in stored.items() for key in keys}
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"cannot read {path.name}: {error}", hint="install paperkg again") from error


def _pairs(abbreviations: Sequence[Abbreviation], surfaces: Iterable[str]) -> list[tuple[str, str]]:
    """Short and long forms; the short one also stands for a name that defines it, "Long Form (LF) net"."""
    defined = {f"{pair.long} ({pair.short})": pair.short for pair in abbreviations}
    inside = [
        (short, surface)
        for surface in surfaces
        for start, short in defined.items()
        if surface.startswith(start)
    ]
    return [*((pair.short, pair.long) for pair in abbreviations), *inside]


@Language.factory(
    "paperkg_abbreviations",
    assigns=["doc._.abbreviations"],
    default_config={},
)
class AbbreviationFinder:
    """Sets `doc._.abbreviations`."""

    def __init__(self, nlp: Language, name: str) -> None:
        Doc.set_extension("abbreviations", default=(), force=True)

    def __call__(self, doc: Doc) -> Doc:
        doc._.abbreviations = tuple(find_abbreviations(layout(doc).text))
        return doc


@Language.factory(
    "paperkg_mentions",
    requires=["doc.ents", "doc._.abbreviations"],
    assigns=["doc._.introductions", "doc._.mentions", "doc._.concepts"],
    default_config={"calibration": AS_IT_IS, "types": ""},
)
class MentionAgreement:
    """Sets `doc._.mentions` (places) and `doc._.concepts` (drafts).

    `calibration` are the points of the tagger's probabilities (`extractors.calibration`), `types` is a JSON
    file with the types of names by their keys (none where it is empty).
    """

    def __init__(self, nlp: Language, name: str, calibration: list[list[float]], types: str) -> None:
        self.calibration = Calibration(calibration)
        self.known = read_types(Path(types)) if types else {}
        Doc.set_extension("introductions", default=(), force=True)
        Doc.set_extension("mentions", default=(), force=True)
        Doc.set_extension("concepts", default=(), force=True)

    def __call__(self, doc: Doc) -> Doc:
        text = layout(doc).text
        found = doc._.introductions = tuple(introductions(text))
        tagged = tagged_surfaces(doc)
        surfaces = agree(tagged, doc._.abbreviations, self.known, found)
        raw = evidence(tagged, found)
        scores = dict(zip(raw, self.calibration(list(raw.values())).tolist(), strict=True))
        places = to_places(doc, find_occurrences(text, surfaces), scores)
        doc._.mentions = tuple(places)
        doc._.concepts = tuple(group_mentions(places, _pairs(doc._.abbreviations, surfaces)))
        return doc
