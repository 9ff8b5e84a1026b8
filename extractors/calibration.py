"""From a judge's probabilities to the share of right answers that was measured at them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["AS_IT_IS", "Calibration", "Points"]

#: Probabilities in rising order, and the share that is right at each.
Points = Sequence[Sequence[float]]

#: The points of a judge whose probabilities are taken for what they say.
AS_IT_IS = [[0.0, 1.0], [0.0, 1.0]]


class Calibration:
    """A line through measured points (isotonic regression, Zadrozny and Elkan 2002)."""

    def __init__(self, points: Points) -> None:
        self._scores, self._measured = (np.asarray(line, dtype=np.float64) for line in points)

    def __call__(self, scores: ArrayLike) -> NDArray[np.float64]:
        """The measured share at each score.

        >>> Calibration([[0, 1], [0, 0.5]])([0.2, 1.0]).tolist()
        [0.1, 0.5]
        """
        return np.asarray(np.interp(np.asarray(scores, dtype=np.float64), self._scores, self._measured))
