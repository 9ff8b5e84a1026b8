"""The network on NumPy: what a word, a concept and a pair see, and that probabilities are probabilities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from extractors.network import (
    CONCEPT_FLAGS,
    PAIR_FLAGS,
    Concepts,
    Floats,
    Network,
    Pairs,
    Rows,
    load_network,
)
from extractors.relations import LABELS
from extractors.roles import ROLE_LABELS
from extractors.words import COLUMNS, PLACE_ROWS
from kg.errors import ModelError
from tests.extractors.networks import WIDTH, network


def paper(length: int, seed: int) -> Rows:
    random = np.random.default_rng(seed)
    rows = np.stack([random.integers(size or 2, size=length) for size in COLUMNS.values()], 1)
    return rows.astype(np.int32), random.integers(PLACE_ROWS, size=length).astype(np.int32)


@pytest.mark.parametrize("plan", [(1, 0, 2), (4, 4), (0,)])
@pytest.mark.parametrize("length", [0, 1, 3, 9])
def test_a_paper_of_any_length_has_a_vector_a_word(plan: tuple[int, ...], length: int) -> None:
    hidden = network(plan=plan).encode(paper(length, 1))
    assert hidden.shape == (length, WIDTH)
    assert np.isfinite(hidden).all()


def moved_by_the_last_word(net: Network) -> list[int]:
    """The words of a paper of twelve whose vectors depend on the last one."""
    rows, places = paper(12, 1)
    changed = rows.copy()
    changed[11, 0] = 1 - changed[11, 0]
    before, after = net.encode((rows, places)), net.encode((changed, places))
    return np.flatnonzero(np.abs(before - after).max(1) > 1e-6).tolist()


def test_a_word_sees_its_neighbours_and_through_attention_the_whole_paper() -> None:
    assert moved_by_the_last_word(network(plan=(1,))) == [10, 11]
    assert moved_by_the_last_word(network(plan=(1, 0))) == list(range(12))


def test_in_a_very_long_text_a_word_sees_only_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractors.network._SIGHT", 5)
    assert moved_by_the_last_word(network(plan=(0,))) == [10, 11]


def test_tags_of_a_word_are_a_distribution() -> None:
    net = network()
    scores = net.tag_scores(net.encode(paper(7, 2)))
    np.testing.assert_allclose(np.exp(scores).sum(1), 1, rtol=1e-5)


def concepts(*words: list[int], types: list[int], flag: int = 0) -> Concepts:
    flags = np.zeros((len(words), CONCEPT_FLAGS), dtype=np.float32)
    flags[:, flag] = 1
    sizes = [len(found) for found in words]
    first = np.cumsum([0, *sizes], dtype=np.int64)[:-1]
    flat = np.asarray([word for found in words for word in found], dtype=np.int64)
    return Concepts(flat, first, np.asarray(types, dtype=np.int64), flags)


def test_roles_have_a_row_a_concept_and_depend_on_type_and_flags() -> None:
    net = network()
    hidden = net.encode(paper(7, 2))
    odds = net.role_logits(hidden, concepts([0, 1], [0, 1], [6], types=[0, 1, 0]))
    assert odds.shape == (3, len(ROLE_LABELS))
    assert not np.allclose(odds[0], odds[1])
    flagged = net.role_logits(hidden, concepts([0, 1], types=[0], flag=3))
    assert not np.allclose(odds[0], flagged[0])
    assert net.role_logits(hidden, concepts(types=[])).shape == (0, len(ROLE_LABELS))


def pairs(
    *rows: tuple[int, int, int, bool, int], number: int, flags: tuple[float, ...] = (1, 0, 0, 0)
) -> Pairs:
    """Pairs of the concepts 0 and 1, in this order, whose mentions are (0, 2), (5, 6), (8, 9)."""
    pair, left, right, swapped, distance = np.asarray(rows, dtype=np.int64).reshape(-1, 5).T
    return Pairs(
        concepts=np.asarray([(0, 1)] * number, dtype=np.int64).reshape(-1, 2),
        flags=np.asarray([flags] * number, dtype=np.float32).reshape(-1, PAIR_FLAGS),
        mentions=np.asarray([(0, 2), (5, 6), (8, 9)]),
        mention_types=np.asarray([0, 1, 1]),
        pair=pair,
        left=left,
        right=right,
        swapped=swapped.astype(np.bool_),
        distance=distance,
    )


@pytest.fixture
def judged() -> Callable[[Concepts, Pairs], Floats]:
    net = network()
    hidden = net.encode(paper(9, 3))

    def odds(found: Concepts, asked: Pairs) -> Floats:
        return net.pair_logits(hidden, found, net.role_logits(hidden, found), asked)

    return odds


Judge = Callable[[Concepts, Pairs], Floats]


def test_two_concepts_in_the_other_order_have_their_labels_turned_round(judged: Judge) -> None:
    forth = judged(
        concepts([0, 1], [5, 8], types=[0, 1]), pairs((0, 0, 1, False, 1), number=1, flags=(1, 0, 1, 0))
    )
    back = judged(
        concepts([5, 8], [0, 1], types=[1, 0]), pairs((0, 0, 1, True, 1), number=1, flags=(0, 1, 1, 0))
    )
    assert forth.shape == (1, len(LABELS))
    np.testing.assert_allclose(forth[:, 0::2], back[:, 1::2], rtol=1e-5)
    np.testing.assert_allclose(forth[:, 1::2], back[:, 0::2], rtol=1e-5)


def test_the_best_pair_of_mentions_speaks_for_a_pair_of_concepts(judged: Judge) -> None:
    found = concepts([0, 1], [5, 8], types=[0, 1])
    one, other = (0, 0, 1, False, 1), (0, 0, 2, False, 3)
    both = judged(found, pairs(one, other, number=1))
    each = [judged(found, pairs(row, number=1)) for row in (one, other)]
    np.testing.assert_array_equal(both, np.maximum(*each))


def test_a_pair_that_no_mentions_speak_for_is_no_relation(judged: Judge) -> None:
    found = concepts([0, 1], [5, 8], types=[0, 1])
    assert (judged(found, pairs((0, 0, 1, False, 1), number=2))[1] == -10).all()
    assert judged(found, pairs(number=0)).shape == (0, len(LABELS))


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no archive"])
def test_missing_or_damaged_weights_are_an_error_with_a_way_out(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "network.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelError, match=r"network\.npz"):
        load_network(path)
