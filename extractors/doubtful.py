"""Leaves out what is too doubtful to be a concept, unless something else speaks for it.

A name that has a role or a relation stays, for these need their own evidence, and so does one whose letters
show that it is a name ("BERT-base"); of the others only those stay that are probable enough. One plain word
("fine", "total") is often a part of something longer, or says how something is: it has to be more probable,
and no relation speaks for it; unless it has a capital inside a sentence ("Stockfish").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spacy.language import Language
from spacy.tokens import Doc

from extractors.drafts import Draft, Place
from extractors.layout import Layout, layout
from kg.folding import has_name_letters

__all__ = ["DoubtfulFilter"]

#: With no capital but its first.
_PLAIN_WORD = re.compile(r"[^\W\d_][^\W\d_A-Z]*(?:-[^\W\d_A-Z]+)*")


@Language.factory(
    "paperkg_doubtful",
    requires=["doc._.mentions", "doc._.concepts", "doc._.relations"],
    assigns=["doc._.mentions", "doc._.concepts", "doc._.relations"],
    default_config={"least": 0.0, "least_word": 0.0},
)
class DoubtfulFilter:
    """Takes concepts below the probability `least`, one plain word below `least_word`, out of
    `doc._.concepts`, with their mentions.

    `doc._.role_scores` and `doc._.pairs` count all concepts still.
    """

    def __init__(self, nlp: Language, name: str, least: float, least_word: float) -> None:
        self.least = least
        self.least_word = least_word

    def __call__(self, doc: Doc) -> Doc:
        drafts: Sequence[Draft] = doc._.concepts
        related = {index for found in doc._.relations for index in (found.head, found.tail)}
        read, places = layout(doc), doc._.mentions
        kept = [
            index
            for index, draft in enumerate(drafts)
            if draft.roles
            or self._is_likely(draft, plain=_is_plain(read, places, draft), related=index in related)
        ]
        if len(kept) < len(drafts):
            self._keep(doc, kept)
        return doc

    def _is_likely(self, draft: Draft, *, plain: bool, related: bool) -> bool:
        """Whether enough speaks for a concept without a role."""
        if plain:
            return draft.score >= self.least_word and (related or draft.score >= self.least)
        return related or draft.score >= self.least or has_name_letters(draft.name)

    def _keep(self, doc: Doc, kept: Sequence[int]) -> None:
        """Keeps some concepts; what points to concepts and mentions is counted anew."""
        drafts = [doc._.concepts[index] for index in kept]
        places = sorted(mention for draft in drafts for mention in draft.mentions)
        concept = {old: new for new, old in enumerate(kept)}
        mention = {old: new for new, old in enumerate(places)}
        doc._.mentions = tuple(doc._.mentions[index] for index in places)
        doc._.concepts = tuple(
            replace(
                draft,
                mentions=[mention[index] for index in draft.mentions],
                roles={role: (score, mention[index]) for role, (score, index) in draft.roles.items()},
            )
            for draft in drafts
        )
        doc._.relations = tuple(
            replace(found, head=concept[found.head], tail=concept[found.tail])
            for found in doc._.relations
            if found.head in concept and found.tail in concept
        )


def _is_plain(read: Layout, places: Sequence[Place], draft: Draft) -> bool:
    """Whether a concept is one plain word; with a capital inside a sentence it is not."""
    return bool(_PLAIN_WORD.fullmatch(draft.name)) and not any(
        place.text[:1].isupper()
        and place.start >= read.title_end
        and place.start != read.bounds[read.sentence[place.start]][0]
        for place in (places[mention] for mention in draft.mentions)
    )
