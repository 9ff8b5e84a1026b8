"""The words that the student knows, and what the teacher makes of each: the mean of its vectors over the
places at which the word stands (Gupta and Jaggi 2021 distil such means from language models, too).

For a word that the labelled papers seldom hold, it is guessed from the embeddings of the word's pieces.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray
from spacy.language import Language

from extractors.network import Floats
from extractors.text import clean
from extractors.words import word_key
from kg.errors import InputError

__all__ = ["WordVectors", "mean_vectors", "read_vectors", "read_words", "write_words"]

_FIRST_YEAR = 2014
_LEAST = 5
_MOST = 30_000
#: A guess counts as much as so many places.
_GUESSED = 4


@dataclass(frozen=True)
class WordVectors:
    """The mean of the teacher's vectors of each word, over the places at which it stands."""

    words: list[str]  # lower-cased
    counts: NDArray[np.int64]
    means: Floats  # words, width

    @classmethod
    def of(cls, words: Sequence[str], vectors: Floats) -> WordVectors:
        """From the words of a text and the vector of each."""
        found, place, counts = np.unique(
            [word.lower() for word in words], return_inverse=True, return_counts=True
        )
        starts = np.cumsum([0, *counts[:-1]])
        sums = np.add.reduceat(vectors[np.argsort(place, kind="stable")], starts)
        return cls(found.tolist(), counts, np.asarray(sums / counts[:, None], dtype=np.float32))


def read_vectors(folder: Path) -> Iterator[WordVectors]:
    """What the teacher makes of each word, shard by shard."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            means = stored["means"].astype(np.float32)
            yield WordVectors(stored["seen"].tolist(), stored["counts"], means)


def _corpus_texts(data: Path) -> Iterator[str]:
    """Title and abstract of the newer papers of the corpus."""
    with gzip.open(data / "corpus.jsonl.gz") as lines:
        for paper in map(orjson.loads, lines):
            if (paper["year"] or 0) >= _FIRST_YEAR:
                yield f"{paper['title'] or ''}\n{paper['abstract']}"


def _count_words(nlp: Language, texts: Iterable[str]) -> Counter[str]:
    """How often each lower-cased word stands in the texts."""
    return Counter(token.lower_ for text in texts for token in nlp.make_doc(clean(text).text))


def _known_words(counts: Counter[str]) -> list[str]:
    """The most frequent words, in order of frequency."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [word for word, count in ranked[:_MOST] if count >= _LEAST and not word.isspace()]


def _piece_vectors(base: Path, words: list[str]) -> Floats:
    """For each word the mean of its pieces' embeddings in the base model, and a one: (words, width + 1)."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    table = AutoModel.from_pretrained(base).get_input_embeddings().weight.detach().numpy()
    pieces = tokenizer(words, add_special_tokens=False)["input_ids"]
    means = [table[ids].mean(0) if ids else np.zeros(table.shape[1]) for ids in pieces]
    return np.column_stack([means, np.ones(len(words))]).astype(np.float32)


def mean_vectors(words: list[str], pieces: Floats, shards: Iterable[WordVectors]) -> Floats:
    """The teacher's vector (words, width) of each word, as if it had stood in so many more places as guessed.

    The guess is a ridge regression from the vectors of pieces, on the words that are seen.
    """
    row = {word: index for index, word in enumerate(words)}
    counts, sums = np.zeros(len(words), dtype=np.float32), None
    for shard in shards:
        known = np.asarray([word in row for word in shard.words])
        rows = [row[word] for word in shard.words if word in row]
        sums = np.zeros((len(words), shard.means.shape[1]), dtype=np.float32) if sums is None else sums
        sums[rows] += shard.means[known] * shard.counts[known, None]
        counts[rows] += shard.counts[known]
    if sums is None:
        raise InputError("no paper is labelled yet", hint="Run `python -m training silver` first.")
    weight = np.log1p(counts)[:, None]
    means = sums / np.maximum(counts, 1)[:, None]
    normal = pieces.T @ (pieces * weight) + np.eye(pieces.shape[1], dtype=np.float32)
    guessed = pieces @ np.linalg.solve(normal, pieces.T @ (means * weight))
    return np.asarray((sums + _GUESSED * guessed) / (counts + _GUESSED)[:, None], dtype=np.float32)


def _reduced(vectors: Floats, counts: list[int], width: int) -> Floats:
    """The principal components, words weighted by the logarithm of their counts."""
    weight = np.log1p(counts)[:, None].astype(np.float32)
    centred = vectors - (vectors * weight).sum(0) / weight.sum()
    _, _, axes = np.linalg.svd(centred * np.sqrt(weight), full_matrices=False)
    reduced = centred @ axes[:width].T
    return np.asarray(reduced / reduced.std() * 0.1, dtype=np.float32)


def write_words(nlp: Language, data: Path, base: Path, work: Path, width: int) -> int:
    """Writes the keys and vectors of the known words to `words.npz`; returns how many there are."""
    counts = _count_words(nlp, _corpus_texts(data))
    words = _known_words(counts)
    keys = np.asarray([word_key(word) for word in words], dtype=np.uint32)
    vectors = mean_vectors(words, _piece_vectors(base, words), read_vectors(work / "silver"))
    reduced = _reduced(vectors, [counts[word] for word in words], width)
    np.savez(work / "words.npz", keys=keys, vectors=reduced)
    return len(words)


def read_words(path: Path) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """What `write_words` wrote: keys and vectors."""
    with np.load(path, allow_pickle=False) as stored:
        return stored["keys"], stored["vectors"]
