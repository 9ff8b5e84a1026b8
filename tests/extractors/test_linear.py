"""Hashed linear scorers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from extractors.linear import HashedLinear, feature_rows
from kg.errors import ModelError


def scorer() -> HashedLinear:
    weights = np.zeros((16, 2), dtype=np.float32)
    weights[feature_rows(["a"], 16)] = [1.0, -2.0]
    weights[feature_rows(["b"], 16)] += [0.5, 0.0]
    return HashedLinear(("x", "y"), weights, np.array([0.25, 0.5], np.float32), np.full(2, 0.5, np.float32))


def test_margins_are_sums_of_weights() -> None:
    assert scorer().margins([["a", "b"], ["a"], ["b"]]).tolist() == [[1.75, -1.5], [1.25, -1.5], [0.75, 0.5]]


def test_nothing_to_score_gives_no_rows() -> None:
    assert scorer().margins([]).shape == (0, 2)


def test_probabilities_are_logistic() -> None:
    assert scorer().probabilities([["b"]])[0, 1] == pytest.approx(1 / (1 + np.exp(-0.5)))


def test_reading_gives_back_what_was_written(tmp_path: Path) -> None:
    scorer().to_disk(tmp_path / "s.npz")
    back = HashedLinear.from_disk(tmp_path / "s.npz")
    assert back.labels == ("x", "y")
    assert back.margins([["a", "b"]]).tolist() == scorer().margins([["a", "b"]]).tolist()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"text"])
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "s.npz").write_bytes(content)
    with pytest.raises(ModelError, match=r"cannot read the weights s\.npz"):
        HashedLinear.from_disk(tmp_path / "s.npz")
