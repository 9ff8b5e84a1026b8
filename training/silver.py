"""What the teacher thinks of abstracts that nobody annotated: soft tags, for the student, and what
it makes of each word.

The papers are drawn from the corpus in an order that depends on their ids alone, none of a venue more often
than its share allows. They are read shard by shard; a run that was stopped goes on with the next shard.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from spacy.language import Language
from spacy.tokens import Doc

from extractors.batches import in_batches
from extractors.text import clean
from kg.files import atomic_path
from training.data import read_annotated
from training.teacher import Teacher, Thought
from training.words import WordVectors

__all__ = ["draw_papers", "label"]

_SHARD = 256
_BATCH = 16
_FIRST_YEAR = 2018
#: No venue gives more than one paper in so many.
_SHARE = 12


def draw_papers(data: Path, number: int) -> list[dict[str, Any]]:
    """Papers of the corpus to label, none of them annotated; the first are the same for any number."""
    known = {
        (item.paper.title or "").casefold()
        for split in ("train", "dev")
        for item in read_annotated(data / "annotated", split)
    }
    with gzip.open(data / "corpus.jsonl.gz") as lines:
        papers = [paper for paper in map(orjson.loads, lines) if (paper["year"] or 0) >= _FIRST_YEAR]
    papers.sort(key=lambda paper: hashlib.blake2b(str(paper["id"]).encode()).digest())
    drawn: list[dict[str, Any]] = []
    taken: Counter[str] = Counter()
    for paper in papers:
        fits = 300 < len(paper["abstract"]) < 3000 and (paper["title"] or "").casefold() not in known
        if fits and taken[paper["venue"]] * _SHARE <= len(drawn):
            taken[paper["venue"]] += 1
            drawn.append(paper)
            if len(drawn) == number:
                break
    return drawn


def label(nlp: Language, teacher: Teacher, data: Path, output: Path, *, number: int) -> Iterator[int]:
    """Writes shards of words with what the teacher thinks to `output`; yields how many papers are done."""
    output.mkdir(parents=True, exist_ok=True)
    for index, papers in enumerate(in_batches(draw_papers(data, number), _SHARD)):
        path = output / f"{index:04}.npz"
        if not path.is_file():
            docs = [nlp.make_doc(clean(f"{p['title'] or ''}\n{p['abstract']}").text) for p in papers]
            _write(path, docs, _think(teacher, docs))
        yield index * _SHARD + len(papers)


def _think(teacher: Teacher, docs: list[Doc]) -> list[Thought]:
    """The teacher's thoughts on each document; documents of like length are read together."""
    found: dict[int, Thought] = {}
    for part in in_batches(sorted(range(len(docs)), key=lambda i: len(docs[i])), _BATCH):
        found |= zip(part, teacher.think([docs[i] for i in part]), strict=True)
    return [found[i] for i in range(len(docs))]


def _write(path: Path, docs: list[Doc], thoughts: list[Thought]) -> None:
    words = [token.text for doc in docs for token in doc]
    seen = WordVectors.of(words, np.concatenate([thought.vectors for thought in thoughts]))
    with atomic_path(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            words=np.asarray(words),
            lengths=np.asarray([len(doc) for doc in docs]),
            tags=np.exp(np.concatenate([thought.tags for thought in thoughts])).astype(np.float16),
            seen=np.asarray(seen.words),
            counts=seen.counts,
            means=seen.means.astype(np.float16),
        )
