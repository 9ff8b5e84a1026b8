"""The network that reads a paper: word rows in; out come vectors, probabilities of tags, of roles, of
relations.

Embeddings of each word (`extractors.words`) are joined; gated convolutions (Dauphin et al. 2017) see a
word's neighbours and self-attention (Vaswani et al. 2017) the whole paper. One linear layer tags words; two
small heads judge concepts and pairs of them. It is trained in torch (`training/`) and runs on NumPy alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from extractors.words import WordTable
from kg.errors import ModelError
from kg.schema import ConceptType

__all__ = [
    "CONCEPT_FLAGS",
    "DISTANCES",
    "HEADS",
    "PAIR_FLAGS",
    "TYPE_ROWS",
    "Concepts",
    "Floats",
    "Network",
    "Pairs",
    "Rows",
    "load_network",
    "one_thread",
    "probabilities",
]

Floats: TypeAlias = NDArray[np.float32]
#: Of one paper: rows of its words (words, columns), and of their places (words,).
Rows: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32]]

HEADS = 4
#: The row of each type in the tables of the heads.
TYPE_ROWS = {kind: row for row, kind in enumerate(ConceptType)}
#: Kinds of distance between two mentions; how much is known of a concept and of a pair besides.
DISTANCES, CONCEPT_FLAGS, PAIR_FLAGS = 12, 12, 4
#: A word attends to so many words at most: more than any abstract has, or memory grows with their square.
_SIGHT = 1024
_BLAS = ThreadpoolController()


@dataclass(frozen=True)
class Concepts:
    """The concepts of a paper: the words of each one's mentions, its type, and what else is known of it."""

    words: NDArray[np.int64]  # of all concepts, one after the other
    first: NDArray[np.int64]  # concepts: where the words of each begin; none is without words
    types: NDArray[np.int64]  # concepts
    flags: Floats  # concepts, CONCEPT_FLAGS

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of words of each concept."""
        return np.diff(self.first, append=len(self.words))


@dataclass(frozen=True)
class Pairs:
    """Pairs of concepts, and the pairs of mentions that speak for each.

    The last five have one entry a pair of mentions: `pair` is the pair of concepts, `left` and `right` are
    mentions in the order of the text, `swapped` says whether the left one is of the second concept,
    `distance` is one of DISTANCES.
    """

    concepts: NDArray[np.int64]  # pairs, 2
    flags: Floats  # pairs, PAIR_FLAGS; the first two change places where a pair is swapped
    mentions: NDArray[np.int64]  # mentions, 2: start and end word
    mention_types: NDArray[np.int64]
    pair: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    swapped: NDArray[np.bool_]
    distance: NDArray[np.int64]


@dataclass(frozen=True)
class Network:
    """The weights by name, as `training.network` writes them.

    `plan` lists the layers: the dilation of a gated convolution, or 0 for self-attention.
    """

    weights: Mapping[str, Floats]
    plan: tuple[int, ...]

    def encode(self, paper: Rows) -> Floats:
        """A vector for each word of a paper: an array (words, width).

        Papers are read one by one: what is read of one does not depend, to the last digit, on others.
        """
        rows, places = paper
        tables = [self.weights[f"tables.{column}"] for column in range(rows.shape[1])]
        parts = [table[rows[:, column]] for column, table in enumerate(tables)]
        x = self._linear(np.concatenate([*parts, self.weights["place"][places]], 1), "join")
        for index, dilation in enumerate(self.plan):
            if dilation:
                self._convolve(x, f"layers.{index}", dilation)
            else:
                self._attend(x, f"layers.{index}")
        return _normal(x)

    def tag_scores(self, hidden: Floats) -> Floats:
        """Log probabilities (words, tags) of the words of one paper."""
        logits = self._linear(hidden, "head")
        logits -= logits.max(1, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(1, keepdims=True)))

    def role_logits(self, hidden: Floats, concepts: Concepts) -> Floats:
        """Log odds (concepts, roles)."""
        if not len(concepts.first):
            return np.zeros((0, len(self.weights["roles.out.bias"])), dtype=np.float32)
        largest = np.maximum.reduceat(hidden[concepts.words], concepts.first)
        pooled = np.concatenate([_means(hidden, concepts), largest], 1)
        inner = self._linear(pooled, "roles.join") + concepts.flags @ self.weights["roles.flags"]
        return self._linear(np.maximum(inner + self.weights["roles.type"][concepts.types], 0), "roles.out")

    def pair_logits(self, hidden: Floats, concepts: Concepts, roles: Floats, pairs: Pairs) -> Floats:
        """Log odds (pairs of concepts, labels): the best of what the pairs of mentions say.

        `roles` are the log odds of the concepts' roles.
        """
        found = np.full((len(pairs.concepts), len(self.weights["pairs.out.bias"])), -10, dtype=np.float32)
        if not len(pairs.pair):
            return found
        known = np.concatenate([_means(hidden, concepts), probabilities(roles)], 1)
        sums = np.concatenate([np.zeros((1, hidden.shape[1]), np.float32), hidden.cumsum(0)])
        start, end = pairs.mentions.T
        begin, stop = end[pairs.left], start[pairs.right]
        between = (sums[stop] - sums[begin]) / np.maximum(stop - begin, 1)[:, None]
        inner = self._linear(between.astype(np.float32), "pairs.between")
        spoken = ((sums[end] - sums[start]) / (end - start)[:, None]).astype(np.float32)
        swapped = pairs.swapped.astype(np.int64)
        for side, mention, column in (("left", pairs.left, swapped), ("right", pairs.right, 1 - swapped)):
            said = spoken @ self.weights[f"pairs.{side}"]
            inner += (said + self.weights[f"pairs.{side}_type"][pairs.mention_types])[mention]
            inner += (known @ self.weights[f"pairs.{side}_concept"])[pairs.concepts[pairs.pair, column]]
        inner += self.weights["pairs.distance"][pairs.distance]
        flags = pairs.flags[pairs.pair]
        turned_flags = np.concatenate([flags[:, 1::-1], flags[:, 2:]], 1)
        inner += np.where(pairs.swapped[:, None], turned_flags, flags) @ self.weights["pairs.flags"]
        logits = self._linear(np.maximum(inner, 0), "pairs.out")
        turned = logits.reshape(len(logits), -1, 2)[:, :, ::-1].reshape(logits.shape)
        np.maximum.at(found, pairs.pair, np.where(pairs.swapped[:, None], turned, logits))
        return found

    def _convolve(self, x: Floats, name: str, dilation: int) -> None:
        words, width = x.shape
        seen = np.zeros((words + 2 * dilation, width), dtype=np.float32)
        seen[dilation : dilation + words] = _normal(x)
        # one product: of each word's row with those before and behind it
        rows = np.concatenate([seen[tap * dilation : tap * dilation + words] for tap in range(3)], 1)
        gated = rows @ self.weights[f"{name}.conv"].reshape(3 * width, 2 * width)
        gated += self.weights[f"{name}.bias"]
        x += np.maximum(gated[:, :width], 0) * gated[:, width:]

    def _attend(self, x: Floats, name: str) -> None:
        for start in range(0, len(x), _SIGHT):
            self._attend_to(x[start : start + _SIGHT], name)

    def _attend_to(self, x: Floats, name: str) -> None:
        words, width = x.shape
        qkv = self._linear(_normal(x), f"{name}.qkv")
        q, k, v = qkv.reshape(words, 3, HEADS, width // HEADS).transpose(1, 2, 0, 3)
        weights = q @ k.transpose(0, 2, 1)
        weights -= weights.max(2, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(2, keepdims=True)
        mixed = np.asarray((weights @ v).transpose(1, 0, 2).reshape(words, width), dtype=np.float32)
        x += self._linear(mixed, f"{name}.out")

    def _linear(self, x: Floats, name: str) -> Floats:
        return np.asarray(x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"])


def _normal(x: Floats) -> Floats:
    """Layer normalisation (Ba et al. 2016); gain and shift are part of the layer that follows."""
    y = x - x.mean(1, keepdims=True)
    y /= np.sqrt(np.einsum("ij,ij->i", y, y)[:, None] / x.shape[1] + np.float32(1e-5))
    return np.asarray(y)


def _means(hidden: Floats, concepts: Concepts) -> Floats:
    """The mean vector (concepts, width) of the words of each concept."""
    sums = np.add.reduceat(hidden[concepts.words], concepts.first)
    return np.asarray(sums / concepts.sizes[:, None], dtype=np.float32)


def probabilities(log_odds: Floats) -> Floats:
    """The logistic function."""
    return np.asarray(1 / (1 + np.exp(-log_odds)), dtype=np.float32)


def one_thread() -> AbstractContextManager[object]:
    """For as long as it is entered, products of matrices take one thread.

    The network's are so small that threads cost more than they bring, and workers have a core each.
    """
    context: AbstractContextManager[object] = _BLAS.limit(limits=1, user_api="blas")
    return context


@lru_cache(maxsize=2)
def load_network(path: Path) -> tuple[Network, WordTable]:
    """Reads network and known words; raises ModelError where the file is missing or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            weights = {name: stored[name] for name in stored.files}
            words = WordTable(weights.pop("words"))
            plan = tuple(int(n) for n in weights.pop("plan"))
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
        raise ModelError(
            f"cannot read the weights {path.name}: {error}", hint="install paperkg again"
        ) from error
    return Network({name: value.astype(np.float32) for name, value in weights.items()}, plan), words
