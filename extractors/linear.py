"""Hashed linear scorers: small, fast, and the same everywhere.

A feature is a string; its MurmurHash picks a row of a table of weights with one column a label. The score
of a label is the logistic function of the sum of the rows (logistic regression with the hashing trick,
Weinberger et al. 2009), so that it can be read as a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from murmurhash.mrmr import hash_unicode
from numpy.typing import NDArray

from kg.errors import ModelError

__all__ = ["HashedLinear", "feature_rows"]

Rows = NDArray[np.int64]


def feature_rows(features: Sequence[str], size: int) -> list[int]:
    """The table rows of features; `size` is a power of two."""
    return [hash_unicode(feature) & (size - 1) for feature in features]


@dataclass(frozen=True)
class HashedLinear:
    """Weights (rows x labels), an intercept and a decision threshold for each label."""

    labels: tuple[str, ...]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]
    thresholds: NDArray[np.float32]

    @property
    def size(self) -> int:
        """The number of rows of the table."""
        return int(self.weights.shape[0])

    def margins(self, features: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """The linear score of each label for each item: an array (items, labels)."""
        if not features:
            return np.zeros((0, len(self.labels)), dtype=np.float32)
        rows = [feature_rows(item, self.size) for item in features]
        starts = np.cumsum([0, *(len(item) for item in rows[:-1])])
        flat = self.weights[np.concatenate([np.asarray(item, dtype=np.int64) for item in rows])]
        return np.asarray(np.add.reduceat(flat, starts, axis=0) + self.bias, dtype=np.float32)

    def probabilities(self, features: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """The probability of each label for each item: an array (items, labels)."""
        return np.asarray(1 / (1 + np.exp(-self.margins(features))), dtype=np.float32)

    def to_disk(self, path: Path) -> None:
        """Writes the table as a compressed NumPy archive, weights in half precision."""
        np.savez_compressed(
            path,
            labels=np.asarray(self.labels),
            weights=self.weights.astype(np.float16),
            bias=self.bias,
            thresholds=self.thresholds,
        )

    @classmethod
    def from_disk(cls, path: Path) -> HashedLinear:
        """Reads what `to_disk` wrote; raises ModelError where that is missing or damaged."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return cls(
                    tuple(str(label) for label in stored["labels"]),
                    stored["weights"].astype(np.float32),
                    stored["bias"],
                    stored["thresholds"],
                )
        except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
            raise ModelError(
                f"cannot read the weights {path.name}: {error}", hint="install paperkg again"
            ) from error
