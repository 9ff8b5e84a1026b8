"""Where the words and sentences of a document stand, read off it once: asking spaCy each time is dear."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from extractors.sentences import sentence_starts

__all__ = ["Layout", "layout"]

_KEPT = "paperkg_layout"


@dataclass(frozen=True, slots=True)
class Layout:
    """The text, its words with the characters at which they begin, the sentence of each word and the words
    [start, end) of each sentence, and where the title line ends (0 without one).
    """

    text: str
    words: list[str]
    starts: list[int]
    sentence: list[int]
    bounds: list[tuple[int, int]]
    title_end: int

    def characters(self, start: int, end: int) -> tuple[int, int]:
        """The characters [start, end) of the words [start, end)."""
        return self.starts[start], self.starts[end - 1] + len(self.words[end - 1])


def layout(doc: Doc) -> Layout:
    """The layout of a document; made at the first asking."""
    kept: Layout | None = doc.user_data.get(_KEPT)
    if kept is None:
        kept = doc.user_data[_KEPT] = _read(doc)
    return kept


def _read(doc: Doc) -> Layout:
    text, words, starts, offset = doc.text, [], [], 0
    for token in doc:
        written = token.text_with_ws
        words.append(written[:-1] if token.whitespace_ else written)
        starts.append(offset)
        offset += len(written)
    firsts = _sentence_firsts(text, words, starts)
    bounds = list(pairwise([*firsts, len(words)]))
    sentence = [number for number, (start, end) in enumerate(bounds) for _ in range(start, end)]
    title_end = next((index + 1 for index, word in enumerate(words) if "\n" in word), 0)
    return Layout(text, words, starts, sentence, bounds, title_end)


def _sentence_firsts(text: str, words: list[str], starts: list[int]) -> list[int]:
    """The words that begin a sentence; white space in front of one is no part of it."""
    begins = set(sentence_starts(text))
    firsts = []
    after_space = False
    for index, (word, start) in enumerate(zip(words, starts, strict=True)):
        space = word.isspace()
        first = start in begins or (after_space and not space)
        if first or not index:
            firsts.append(index)
        after_space = space and (first or "\n" in word)
    return firsts


@Language.component("paperkg_sentences", assigns=["token.is_sent_start"])
def mark_sentences(doc: Doc) -> Doc:
    """Sets `Token.is_sent_start` from `sentence_starts`."""
    marks: Any = np.full((len(doc), 1), -1, dtype=np.int64)
    marks[[start for start, _ in layout(doc).bounds]] = 1
    doc.from_array(["SENT_START"], marks.astype(np.uint64))
    return doc
