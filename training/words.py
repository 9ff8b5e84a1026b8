"""The words that the student knows, and what the teacher's base knows of each before any training."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray
from spacy.language import Language

from extractors.text import clean
from extractors.words import word_key

__all__ = ["read_words", "write_words"]

_FIRST_YEAR = 2014
_LEAST = 8
_MOST = 30_000


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


def _word_vectors(base: Path, words: list[str], counts: Counter[str], width: int) -> NDArray[np.float32]:
    """A vector (words, width) for each word: the mean of its pieces' embeddings in the base model.

    They are reduced by principal components, words weighted by the logarithm of their counts.
    """
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    table = AutoModel.from_pretrained(base).get_input_embeddings().weight.detach().numpy()
    pieces = tokenizer(words, add_special_tokens=False)["input_ids"]
    means = np.stack([table[ids].mean(0) if ids else np.zeros(table.shape[1]) for ids in pieces])
    weight = np.log1p([counts[word] for word in words])[:, None]
    means -= (means * weight).sum(0) / weight.sum()
    _, _, axes = np.linalg.svd((means * np.sqrt(weight)).astype(np.float32), full_matrices=False)
    reduced = means @ axes[:width].T
    return np.asarray(reduced / reduced.std() * 0.1, dtype=np.float32)


def write_words(nlp: Language, data: Path, base: Path, path: Path, width: int) -> int:
    """Writes the known words' keys and vectors; returns how many there are."""
    counts = _count_words(nlp, _corpus_texts(data))
    words = _known_words(counts)
    keys = np.asarray([word_key(word) for word in words], dtype=np.uint32)
    np.savez(path, keys=keys, vectors=_word_vectors(base, words, counts, width))
    return len(words)


def read_words(path: Path) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
    """What `write_words` wrote: keys and vectors."""
    with np.load(path, allow_pickle=False) as stored:
        return stored["keys"], stored["vectors"]
