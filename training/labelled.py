"""Papers that the teacher labelled, as `training.silver` keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Labelled", "read_silver"]


@dataclass(frozen=True)
class Labelled:
    """The words of a paper and the teacher's probabilities of their tags (words, tags)."""

    words: list[str]
    tags: NDArray[np.float16]


def read_silver(folder: Path) -> Iterator[Labelled]:
    """The labelled papers."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            borders = np.cumsum(stored["lengths"])[:-1]
            columns = (np.split(stored[name], borders) for name in ("words", "tags"))
            for words, tags in zip(*columns, strict=True):
                yield Labelled(words.tolist(), tags)
