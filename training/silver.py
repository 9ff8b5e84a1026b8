"""What the teacher thinks of abstracts that nobody annotated: soft tags, for the student.

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
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.batches import in_batches
from extractors.text import clean
from kg.files import atomic_path
from training.data import read_annotated
from training.teacher import Teacher

__all__ = ["draw_papers", "label", "read_silver"]

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
    """Writes shards of words and soft tags to `output`; yields how many papers are done."""
    output.mkdir(parents=True, exist_ok=True)
    for index, papers in enumerate(in_batches(draw_papers(data, number), _SHARD)):
        path = output / f"{index:04}.npz"
        if not path.is_file():
            docs = [nlp.make_doc(clean(f"{p['title'] or ''}\n{p['abstract']}").text) for p in papers]
            _write(path, docs, _think(teacher, docs))
        yield index * _SHARD + len(papers)


def _think(teacher: Teacher, docs: list[Doc]) -> list[NDArray[np.float16]]:
    """The teacher's tag probabilities of each document; documents of like length are read together."""
    found: dict[int, NDArray[np.float16]] = {}
    for part in in_batches(sorted(range(len(docs)), key=lambda i: len(docs[i])), _BATCH):
        scores = teacher.scores([docs[i] for i in part])
        found |= {i: np.exp(rows).astype(np.float16) for i, rows in zip(part, scores, strict=True)}
    return [found[i] for i in range(len(docs))]


def _write(path: Path, docs: list[Doc], tags: list[NDArray[np.float16]]) -> None:
    with atomic_path(path) as part, part.open("wb") as file:
        np.savez_compressed(
            file,
            words=np.asarray([token.text for doc in docs for token in doc]),
            lengths=np.asarray([len(doc) for doc in docs]),
            tags=np.concatenate(tags),
        )


def read_silver(folder: Path) -> Iterator[tuple[list[str], NDArray[np.float16]]]:
    """The words and tag probabilities (words, tags) of each labelled paper."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path, allow_pickle=False) as stored:
            borders = np.cumsum(stored["lengths"])[:-1]
            tags = np.split(stored["tags"], borders)
            for words, rows in zip(np.split(stored["words"], borders), tags, strict=True):
                yield words.tolist(), rows
