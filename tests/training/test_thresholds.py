"""What scores are worth: measured on papers kept apart."""

from __future__ import annotations

import pytest

from training.thresholds import Judged, calibrate, reliability


def test_a_calibration_never_falls_and_has_the_measured_shares() -> None:
    judged = [Judged(score / 100, score % 4 == 0 or score > 60) for score in range(100)]
    points, shares = calibrate(judged)
    assert points == sorted(points)
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.25, abs=0.15)
    assert shares[-1] == 1


def test_reliability_counts_calibrated_scores_by_fifths() -> None:
    judged = [Judged(0.1, False), Judged(0.5, True), Judged(1.0, True), Judged(1.0, False)]
    rows = reliability(judged, [[0, 1], [0, 0.5]])
    assert rows == [
        {"from": 0.0, "n": 1, "score": 0.05, "right": 0.0},
        {"from": 0.2, "n": 1, "score": 0.25, "right": 1.0},
        {"from": 0.4, "n": 2, "score": 0.5, "right": 0.5},
    ]
