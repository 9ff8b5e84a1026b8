"""Words, sentences and title of a document, as they stand in its text."""

from __future__ import annotations

import pytest

from extractors.layout import layout
from extractors.pipeline import blank

NLP = blank()
TEXT = "FooNet: a net\nWe read  papers.  It wins, e.g. here.\n"


def test_words_and_their_places_are_those_of_the_document() -> None:
    doc = NLP(TEXT)
    read = layout(doc)
    assert read.text == TEXT
    assert read.words == [token.text for token in doc]
    assert read.starts == [token.idx for token in doc]


def test_sentences_are_those_of_the_document() -> None:
    doc = NLP(TEXT)
    read = layout(doc)
    assert read.bounds == [(sentence.start, sentence.end) for sentence in doc.sents]
    for number, (start, end) in enumerate(read.bounds):
        assert set(read.sentence[start:end]) == {number}
    spoken = [TEXT[slice(*read.characters(*bounds))].strip() for bounds in read.bounds]
    said = ["FooNet: a net", "We read  papers.", "It wins, e.g. here."]
    assert [words for words in spoken if words] == said


@pytest.mark.parametrize(("text", "end"), [(TEXT, 5), ("No title line.", 0), ("", 0), ("\nOnly text.", 1)])
def test_the_title_ends_behind_the_first_line_end(text: str, end: int) -> None:
    assert layout(NLP(text)).title_end == end
