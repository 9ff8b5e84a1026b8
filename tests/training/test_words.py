"""What the teacher makes of each word, over all the places at which it stands."""

from __future__ import annotations

import numpy as np
import pytest

from kg.errors import InputError
from training.words import WordVectors, mean_vectors


def vectors(**words: float) -> WordVectors:
    """Each word once, with a vector of one number."""
    means = np.asarray([[value] for value in words.values()], dtype=np.float32)
    return WordVectors(list(words), np.ones(len(words), dtype=np.int64), means)


def test_a_word_has_the_mean_of_its_places_whatever_its_case() -> None:
    found = WordVectors.of(["The", "net", "the"], np.asarray([[1, 0], [5, 5], [3, 2]], dtype=np.float32))
    assert found.words == ["net", "the"]
    assert found.counts.tolist() == [1, 2]
    assert found.means.tolist() == [[5, 5], [2, 1]]


def test_a_word_that_is_seen_seldom_is_guessed_from_its_pieces() -> None:
    pieces = np.asarray([[1, 1], [2, 1], [3, 1]], dtype=np.float32)
    shards = [vectors(one=10.0, two=20.0)] * 500
    found = mean_vectors(["one", "two", "three"], pieces, shards)
    assert found[:2, 0] == pytest.approx([10, 20], abs=0.2)
    assert 25 < found[2, 0] < 31


def test_words_that_are_not_known_do_not_count() -> None:
    pieces = np.asarray([[1, 1]], dtype=np.float32)
    found = mean_vectors(["one"], pieces, [vectors(one=1.0, other=99.0)] * 100)
    assert found[0, 0] == pytest.approx(1, abs=0.1)


def test_without_labelled_papers_the_step_to_take_is_named() -> None:
    with pytest.raises(InputError) as caught:
        mean_vectors(["one"], np.ones((1, 2), dtype=np.float32), [])
    assert "training silver" in (caught.value.hint or "")
