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
    """Sentence of each token, tokens of each sentence, title's end, where its headline ends, mentions, keys
    of introduced names. The headline is what stands before a colon, else the whole title.
    """

    sentence: list[int]
    bounds: list[tuple[int, int]]
    title_end: int
    headline_end: int
    places: tuple[Place, ...]
    introduced: Set[str]

    def introduces(self, draft: Draft) -> bool:
        """Whether the text introduces a concept by any of its forms."""
        return any(name_key(form) in self.introduced for form in draft.forms)

    def titles(self, draft: Draft) -> bool:
        """Whether a concept stands in the title."""
        return any(self.places[mention].start < self.title_end for mention in draft.mentions)

    def headlines(self, draft: Draft) -> bool:
        """Whether a concept is the headline."""
        places = (self.places[mention] for mention in draft.mentions) if self.headline_end else ()
        return any((place.start, place.end) == (0, self.headline_end) for place in places)


def view(doc: Doc) -> View:
    """The view of a document whose mentions and introductions are set."""
    read = layout(doc)
    introduced = {name_key(found.name) for found in doc._.introductions}
    title = read.words[: max(read.title_end - 1, 0)]  # the last one is the line end
    headline_end = title.index(":") if ":" in title else len(title)
    return View(read.sentence, read.bounds, read.title_end, headline_end, doc._.mentions, introduced)
