"""From probabilities of tags to names."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.tagger import TAGS, TYPES, best_tags, span_score, spans_of, title_length
from kg.schema import ConceptType

METHOD, TASK = ConceptType.METHOD, ConceptType.TASK


def allowed(tags: tuple[int, ...]) -> bool:
    before = (0, *tags[:-1])
    return all(
        TAGS[tag][0] != "I" or TAGS[last][1:] == TAGS[tag][1:] for last, tag in zip(before, tags, strict=True)
    )


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=3), st.integers(0, 10_000))
def test_the_best_sequence_is_the_best_of_all_that_are_allowed(lengths: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    papers = [random.normal(size=(length, len(TAGS))).astype(np.float32) for length in lengths]
    for scores, found in zip(papers, best_tags(papers), strict=True):
        every = (tags for tags in product(range(len(TAGS)), repeat=len(scores)) if allowed(tags))
        best = max(
            every, key=lambda tags: sum(float(row[tag]) for row, tag in zip(scores, tags, strict=True))
        )
        assert tuple(found) == best


def test_papers_without_words_have_no_tags() -> None:
    assert best_tags([]) == []
    assert [len(tags) for tags in best_tags([np.zeros((0, len(TAGS)), np.float32)])] == [0]


def test_tags_are_spans() -> None:
    names = ["B-Method", "I-Method", "O", "B-Task", "B-Task", "I-Task"]
    tags = [TAGS.index(name) for name in names]
    assert spans_of(tags, TYPES) == [(0, 2, METHOD), (3, 4, TASK), (4, 6, TASK)]


def test_the_probability_of_a_span_counts_its_borders() -> None:
    sure = np.full((3, len(TAGS)), 1e-9)
    for row, name in enumerate(["B-Method", "I-Method", "O"]):
        sure[row, TAGS.index(name)] = 1
    scores = np.log(sure).astype(np.float32)
    assert span_score(scores, 0, 2, METHOD) == pytest.approx(1)
    assert span_score(scores, 0, 1, METHOD) == pytest.approx(0, abs=1e-6)  # the name goes on
    assert span_score(scores, 0, 3, METHOD) == pytest.approx(0, abs=1e-6)
    assert span_score(scores, 0, 2, TASK) == pytest.approx(0, abs=1e-6)


def test_the_title_is_what_stands_before_the_first_line_end() -> None:
    assert title_length(["A", "title", "\n", "Text", "\n"]) == 2
    assert title_length(["Text", "alone"]) == 0
