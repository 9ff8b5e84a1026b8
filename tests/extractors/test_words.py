"""What the tagger knows of single words."""

from __future__ import annotations

import numpy as np
import pytest

from extractors.words import COLUMNS, PLACE_ROWS, WordTable, place_rows, shape, word_key


@pytest.fixture
def table() -> WordTable:
    return WordTable(np.asarray([word_key("network"), word_key("bert")], dtype=np.uint32))


def test_a_known_word_has_the_row_of_its_position_whatever_its_case(table: WordTable) -> None:
    rows = table.rows(["BERT", "network", "Network", "unheard"])
    assert rows[:, 0].tolist() == [2, 1, 1, 0]
    assert rows[1, 1] != rows[2, 1]  # as written


def test_rows_fit_their_tables_and_are_remembered(table: WordTable) -> None:
    words = ["", "\n", "S²FGL", "神经网络", "x" * 10_000, "GPT-4o"]
    rows = table.rows(words)
    sizes = np.asarray([3, *list(COLUMNS.values())[1:]])
    assert rows.shape == (len(words), len(COLUMNS))
    assert (rows >= 0).all()
    assert (rows < sizes).all()
    assert (table.rows(words) == rows).all()
    assert table.rows([]).shape == (0, len(COLUMNS))


@pytest.mark.parametrize(
    ("word", "expected"),
    [("GPT-4o", "XXX-dx"), ("transformer", "xxx"), ("ResNet", "XxxXxx"), ("2025", "ddd"), ("++", "++")],
)
def test_the_shape_of_a_word_shortens_runs(word: str, expected: str) -> None:
    assert shape(word) == expected


def test_places_tell_count_and_title() -> None:
    rows = place_rows(["FooNet", "\n", "We", "propose", "foonet", "."], 1)
    assert rows.tolist() == [4 + 2 + 1, 0, 0, 0, 4 + 2, 0]
    assert place_rows(["a"] * 9, 9).max() < PLACE_ROWS
    assert len(place_rows([], 0)) == 0
