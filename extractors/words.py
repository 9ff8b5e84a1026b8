"""What the tagger knows of a word without its neighbours: rows of embedding tables.

A word has a row for its lower-cased form (where that is one of the known words), and hashed rows for its
form as written, its affixes and its shape (Svenstrup et al. 2017); in a paper it also has a row for how often
it stands there and whether in the title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from murmurhash.mrmr import hash_unicode
from numpy.typing import NDArray

__all__ = ["COLUMNS", "PLACE_ROWS", "WordTable", "word_key"]

#: Column -> rows of its table. The first is for known words: its size is the number of words.
COLUMNS = {"word": 0, "exact": 16384, "prefix": 4096, "stem": 8192, "suffix": 4096, "shape": 2048}
#: Rows for a word's place in its paper: count (1, 2, 3, more) x in the title x on the title line.
PLACE_ROWS = 16

_KEPT = 200_000
_LOWER, _UPPER, _DIGIT = re.compile(r"[^\W\d_A-Z]{2,}"), re.compile(r"[A-Z]{3,}"), re.compile(r"\d{2,}")


def word_key(word: str) -> int:
    """The hash under which a known word is kept; case does not count."""
    return int(hash_unicode(word.lower()) & 0xFFFFFFFF)


def shape(word: str) -> str:
    """Kinds of characters, runs shortened: "GPT-4o" is "XXX-dx"."""
    marks = ["X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word[:30]]
    return re.sub(r"(.)\1{2,}", r"\1\1\1", "".join(marks))


class WordTable:
    """Maps words to rows, one column for each of COLUMNS; remembers the words it has seen.

    `keys` are the hashes of the known words: a word's row is its position, counted from 1; 0 is for others.
    """

    def __init__(self, keys: NDArray[np.uint32]) -> None:
        self._row = {int(key): row for row, key in enumerate(keys, start=1)}
        self._seen: dict[str, tuple[int, ...]] = {}

    def rows(self, words: Sequence[str]) -> NDArray[np.int32]:
        """The rows of words: an array (words, columns)."""
        if len(self._seen) > _KEPT:
            self._seen.clear()
        found = [self._seen.get(word) or self._look_up(word) for word in words]
        return np.asarray(found, dtype=np.int32).reshape(-1, len(COLUMNS))

    def _look_up(self, word: str) -> tuple[int, ...]:
        lower = word.lower()
        texts = {
            "exact": word,
            "prefix": lower[:3],
            "stem": lower[:6],
            "suffix": lower[-3:],
            "shape": shape(word),
        }
        hashed = (hash_unicode(f"{name}={text}") & (COLUMNS[name] - 1) for name, text in texts.items())
        found = self._seen[word] = (self._row.get(word_key(word), 0), *hashed)
        return found


def place_rows(words: Sequence[str], title_length: int) -> NDArray[np.int32]:
    """How each word stands in its paper; the first `title_length` words are the title line."""
    lowered = [word.lower() for word in words]
    counts: dict[str, int] = {}
    for word in lowered:
        counts[word] = counts.get(word, 0) + 1
    title = set(lowered[:title_length])
    return np.asarray(
        [
            (min(counts[word], 4) - 1) * 4 + (word in title) * 2 + (index < title_length)
            for index, word in enumerate(lowered)
        ],
        dtype=np.int32,
    )
