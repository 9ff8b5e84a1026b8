"""Mentions and concepts of a whole paper: what the tagger marked, agreed over the document.

The tagger reads a few words at a time and is not consistent. Here a surface string has one type in a paper
(the one that most of its tagged occurrences have; a name whose type is settled keeps the type it has
there), stands at every occurrence or at none, and is dropped where it names nothing. The two forms of an
abbreviation are both names when one is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import orjson
from spacy.language import Language
from spacy.tokens import Doc

from extractors.abbreviations import Abbreviation, find_abbreviations
from extractors.drafts import Place, group_mentions
from extractors.introductions import Introduction, introductions
from extractors.stoplist import is_generic, trim
from kg.errors import ModelError
from kg.folding import name_key
from kg.schema import ConceptType

__all__ = ["Occurrence", "agree", "find_occurrences", "inside_word", "split_names", "tagged_surfaces"]

#: (start, end, type) of one place in the clean text.
Occurrence = tuple[int, int, ConceptType]

_ORDER = {kind: rank for rank, kind in enumerate(ConceptType)}
_CONJUNCTION = re.compile(r",? (?:and|or|&) |, ")
#: One word with two capitals, a capital inside, or a digit: a name and no noun.
_PROPER = re.compile(r"(?=\S*(?:[A-Z]\S*[A-Z0-9]|[a-z][A-Z]|\d))[\w.+*/-]+")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")


def tagged_surfaces(doc: Doc) -> list[tuple[str, ConceptType]]:
    """The tagger's spans, without determiners and marks at their edges and without names that say nothing."""
    found = []
    for span in doc.ents:
        for part in split_names(span.text):
            start, end = trim(part)
            if start < end and not is_generic(part[start:end]):
                found.append((part[start:end], ConceptType(span.label_)))
    return found


def split_names(surface: str) -> list[str]:
    """The names of a list that the tagger took for one: "BERT-base and RoBERTa" is two.

    Annotators never mark such a list as one name; "precision and recall" is left as it is.
    """
    parts = _CONJUNCTION.split(surface)
    return parts if len(parts) > 1 and all(_PROPER.fullmatch(part) for part in parts) else [surface]


def agree(
    tagged: Sequence[tuple[str, ConceptType]],
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
    votes: dict[str, Counter[ConceptType]] = defaultdict(Counter)
    for surface, kind in tagged:
        votes[name_key(surface)][kind] += 1
    types = {key: min(counts, key=lambda k: (-counts[k], _ORDER[k])) for key, counts in votes.items()}
    types = {key: known.get(key, kind) for key, kind in types.items()}
    for found in introduced:
        key = name_key(found.name)
        types[key] = found.type or types.get(key, known.get(key, ConceptType.METHOD))
    chosen = {surface: types[name_key(surface)] for surface, _ in tagged}
    chosen |= {found.name: types[name_key(found.name)] for found in introduced if not is_generic(found.name)}
    for pair in abbreviations:
        _complete_pair(chosen, types, pair)
    return chosen


def _complete_pair(
    chosen: dict[str, ConceptType], types: Mapping[str, ConceptType], pair: Abbreviation
) -> None:
    """Where one form of an abbreviation is a name, the other one is too, of the same type."""
    short, long = types.get(name_key(pair.short)), types.get(name_key(pair.long))
    kind = long or short
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


def inside_word(text: str, offset: int) -> bool:
    """Whether an offset parts two letters or digits."""
    return 0 < offset < len(text) and text[offset - 1].isalnum() and text[offset].isalnum()


def to_places(
    doc: Doc, occurrences: Iterable[Occurrence], scores: Mapping[ConceptType, float]
) -> list[Place]:
    """Occurrences as places of the document."""
    places = []
    for start, end, kind in occurrences:
        span = doc.char_span(start, end, alignment_mode="expand")
        if span is not None:
            surface = doc.text[start:end]
            places.append(Place(span.start, span.end, start, end, surface, kind, scores.get(kind, 1.0)))
    return places


def read_types(path: Path) -> dict[str, ConceptType]:
    """The settled types of names: a JSON object of type -> keys; raises ModelError where it is damaged."""
    try:
        stored = orjson.loads(path.read_bytes())
        return {key: ConceptType(kind) for kind, keys in stored.items() for key in keys}
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"cannot read {path.name}: {error}", hint="install paperkg again") from error


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
        doc._.abbreviations = tuple(find_abbreviations(doc.text))
        return doc


@Language.factory(
    "paperkg_mentions",
    requires=["doc.ents", "doc._.abbreviations"],
    assigns=["doc._.introductions", "doc._.mentions", "doc._.concepts"],
    default_config={"scores": {}, "types": ""},
)
class MentionAgreement:
    """Sets `doc._.mentions` (places) and `doc._.concepts` (drafts).

    `scores` is the precision that was measured for mentions of each type, `types` a JSON file with the types
    of names by their keys (none where it is empty).
    """

    def __init__(self, nlp: Language, name: str, scores: dict[str, float], types: str) -> None:
        self.scores = {ConceptType(kind): score for kind, score in scores.items()}
        self.known = read_types(Path(types)) if types else {}
        Doc.set_extension("introductions", default=(), force=True)
        Doc.set_extension("mentions", default=(), force=True)
        Doc.set_extension("concepts", default=(), force=True)

    def __call__(self, doc: Doc) -> Doc:
        found = doc._.introductions = tuple(introductions(doc.text))
        surfaces = agree(tagged_surfaces(doc), doc._.abbreviations, self.known, found)
        places = to_places(doc, find_occurrences(doc.text, surfaces), self.scores)
        doc._.mentions = tuple(places)
        doc._.concepts = tuple(group_mentions(places, [(p.short, p.long) for p in doc._.abbreviations]))
        return doc
