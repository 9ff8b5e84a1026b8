"""A document as the judges of roles and relations see it: sentences, title, mentions, introduced names."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from spacy.tokens import Doc

from extractors.drafts import Draft, Place
from extractors.layout import layout
from kg.folding import name_key

__all__ = ["View", "view"]


@dataclass(frozen=True, slots=True)
class View:
    """Sentence of each token, tokens of each sentence, title's end, mentions, keys of introduced names."""

    sentence: list[int]
    bounds: list[tuple[int, int]]
    title_end: int
    places: tuple[Place, ...]
    introduced: Set[str]

    def introduces(self, draft: Draft) -> bool:
        """Whether the text introduces a concept by any of its forms."""
        return any(name_key(form) in self.introduced for form in draft.forms)

    def titles(self, draft: Draft) -> bool:
        """Whether a concept stands in the title."""
        return any(self.places[mention].start < self.title_end for mention in draft.mentions)


def view(doc: Doc) -> View:
    """The view of a document whose mentions and introductions are set."""
    read = layout(doc)
    introduced = {name_key(found.name) for found in doc._.introductions}
    return View(read.sentence, read.bounds, read.title_end, doc._.mentions, introduced)
