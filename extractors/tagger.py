"""The tagger: from the network's probability of each BIO tag of each token to the names that a paper holds.

A Viterbi search takes the best sequence of tags in which a name goes on only as what it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc, Span

from extractors.batches import in_batches
from extractors.layout import layout
from extractors.network import Floats, Rows, load_network, one_thread
from extractors.words import WordTable, place_rows
from kg.schema import ConceptType

__all__ = ["TAGS", "TYPES", "Tagger", "best_tags", "span_score", "spans_of", "title_length", "word_rows"]

TYPES: tuple[ConceptType, ...] = tuple(ConceptType)
#: "O", then B and I of each type.
TAGS = ("O", *(f"{mark}-{kind.value}" for kind in TYPES for mark in "BI"))

_FORBIDDEN = np.float32(-1e4)
#: What the tag "O" loses: names are marked eagerly, for what is too doubtful is left out in the end.
_EAGERNESS = np.float32(0.4)
Type = TypeVar("Type")


def _transitions(tags: int) -> Floats:
    """What may follow what: 0, or a large negative number where an I follows another type."""
    allowed = np.zeros((tags, tags), dtype=np.float32)
    allowed[:, 2::2] = _FORBIDDEN  # I of each type ...
    for inside in range(2, tags, 2):
        allowed[[inside - 1, inside], inside] = 0  # ... but after its B or I
    return allowed


def best_tags(scores: Sequence[Floats]) -> list[NDArray[np.intp]]:
    """The best allowed sequence of tags of each paper (Viterbi 1967).

    `scores` are log probabilities (words, tags), the tags in the order "O", then B and I of each type.
    """
    longest = max(map(len, scores), default=0)
    if not longest:
        return [np.zeros(0, dtype=np.intp) for _ in scores]
    width = scores[0].shape[1]
    allowed, column = _transitions(width), np.arange(len(scores))
    padded = np.full((longest, len(scores), width), _FORBIDDEN, dtype=np.float32)
    padded[:, :, 0] = 0
    for index, rows in enumerate(scores):
        padded[: len(rows), index] = rows
    back = np.zeros(padded.shape, dtype=np.intp)
    total = padded[0] + allowed[0]
    for step in range(1, longest):
        paths = total[:, :, None] + allowed
        back[step] = paths.argmax(1)
        total = paths.max(1) + padded[step]
    tags = np.zeros((longest, len(scores)), dtype=np.intp)
    tags[-1] = total.argmax(1)
    for step in reversed(range(1, longest)):
        tags[step - 1] = back[step][column, tags[step]]
    return [tags[: len(rows), index] for index, rows in enumerate(scores)]


def spans_of(tags: Iterable[int], types: Sequence[Type]) -> list[tuple[int, int, Type]]:
    """The (start, end, type) that a sequence of tags marks; `types` in the order of their tags."""
    found: list[tuple[int, int, Type]] = []
    for index, tag in enumerate(tags):
        if tag % 2:
            found.append((index, index + 1, types[tag // 2]))
        elif tag:
            found[-1] = (found[-1][0], index + 1, found[-1][2])
    return found


def span_score(scores: Floats, start: int, end: int, kind: ConceptType) -> float:
    """The probability that exactly these tokens are a name of this type, tokens taken as independent."""
    begin = TAGS.index(f"B-{kind.value}")
    inside = begin + 1
    logged = float(scores[start, begin] + scores[start + 1 : end, inside].sum())
    goes_on = float(np.exp(scores[end, inside])) if end < len(scores) else 0.0
    return float(np.exp(logged)) * (1 - min(goes_on, 1.0))


@Language.factory("paperkg_tagger", assigns=["doc.ents", "doc._.hidden"], default_config={"path": ""})
class Tagger:
    """Sets `doc.ents`, whose `_.score` is their probability, and `doc._.hidden` (a vector a token)."""

    def __init__(self, nlp: Language, name: str, path: str) -> None:
        Doc.set_extension("hidden", default=None, force=True)
        Span.set_extension("score", default=1.0, force=True)
        self.network, self.words = load_network(Path(path))

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, docs: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Tags documents in batches."""
        for batch in in_batches(docs, batch_size):
            rows = [word_rows(self.words, layout(doc).words) for doc in batch]
            with one_thread():
                hidden = [self.network.encode(paper) for paper in rows]
                scores = [self.network.tag_scores(vectors) for vectors in hidden]
            found = best_tags([_eager(logged) for logged in scores])
            for doc, vectors, logged, tags in zip(batch, hidden, scores, found, strict=True):
                doc._.hidden = vectors
                doc.set_ents([_span(doc, logged, *found) for found in spans_of(tags.tolist(), TYPES)])
                yield doc


def _eager(scores: Floats) -> Floats:
    """Log probabilities (words, tags) with less for "O"."""
    return np.asarray(np.concatenate([scores[:, :1] - _EAGERNESS, scores[:, 1:]], 1))


def _span(doc: Doc, scores: Floats, start: int, end: int, kind: ConceptType) -> Span:
    span = Span(doc, start, end, kind.value)
    span._.score = span_score(scores, start, end, kind)
    return span


def word_rows(table: WordTable, words: Sequence[str]) -> Rows:
    """The rows of a paper's words and of their places; the title line comes first."""
    return table.rows(words), place_rows(words, title_length(words))


def title_length(words: Sequence[str]) -> int:
    """The number of words before the first line end: those of the title line."""
    return next((index for index, word in enumerate(words) if "\n" in word), 0)
