"""Batches."""

from __future__ import annotations

from extractors.batches import in_batches


def test_batches_hold_every_row_in_order() -> None:
    assert list(in_batches([1, 2, 3, 4, 5], 2)) == [[1, 2], [3, 4], [5]]
    assert list(in_batches([], 2)) == []
