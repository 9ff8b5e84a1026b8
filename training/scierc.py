"""The public benchmark: the same recipe on SciERC (Luan et al. 2018), with its six types and its own tokens.

Names inside others are left out in training and count as missed in testing; the split is the official one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import spacy
import torch
from numpy.typing import NDArray
from spacy.tokens import Doc, Span

from extractors.batches import in_batches
from extractors.network import Floats
from extractors.tagger import best_tags, spans_of
from extractors.words import WordTable
from training.network import Student
from training.samples import Sample, collate, silver_sample
from training.silver import label, read_silver
from training.student import Recipe, train_student
from training.teacher import Round, encode_tags, train_teacher, unpack_base
from training.words import read_words

__all__ = ["SCIERC_TYPES", "Abstract", "micro_f1", "read_scierc", "run"]

SCIERC_TYPES = ("Generic", "Material", "Method", "Metric", "OtherScientificTerm", "Task")

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_ROUNDS = (Round(10, 6e-5),)
_SILVER = 4_000
_GOLD_COPIES = 4


@dataclass(frozen=True)
class Abstract:
    """A document with the names that can be tagged, and all (start, end, type) that are annotated."""

    doc: Doc
    gold: set[tuple[int, int, str]]


def read_scierc(path: Path) -> Iterator[Abstract]:
    """The abstracts of one file of the official split."""
    vocab = spacy.blank("en").vocab
    for paper in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        words = [_BRACKETS.get(word, word) for sentence in paper["sentences"] for word in sentence]
        gold = {(start, end + 1, kind) for names in paper["ner"] for start, end, kind in names}
        doc = Doc(vocab, words=words)
        doc.set_ents(spacy.util.filter_spans([Span(doc, *name[:2], label=name[2]) for name in sorted(gold)]))
        yield Abstract(doc, gold)


def micro_f1(abstracts: Sequence[Abstract], scores: Sequence[Floats]) -> float:
    """F1 (per cent) over all names of all types, exact spans, as published work counts it."""
    found = [set(spans_of(tags, SCIERC_TYPES)) for tags in best_tags(scores)]
    right = sum(len(spans & item.gold) for spans, item in zip(found, abstracts, strict=True))
    total = sum(len(spans) + len(item.gold) for spans, item in zip(found, abstracts, strict=True))
    return 200 * right / total


def run(data: Path, work: Path, *, seed: int) -> dict[str, float]:
    """Trains teacher and student on the train split; returns the F1 of each on the test split."""
    splits = {name: list(read_scierc(data / "scierc" / f"{name}.json")) for name in ("train", "dev", "test")}
    folder = work / "scierc"
    docs = [item.doc for item in splits["train"]]
    teacher = train_teacher(
        docs, unpack_base(work), folder / "teacher", seed=seed, rounds=_ROUNDS, types=SCIERC_TYPES
    )
    scores = [
        rows for part in in_batches(splits["test"], 10) for rows in teacher.scores([i.doc for i in part])
    ]
    found = {"teacher": micro_f1(splits["test"], scores)}
    nlp = spacy.blank("en")
    for _ in label(nlp, teacher, data, folder / "silver", number=_SILVER):
        pass
    student = _student(splits, work, folder, seed=seed)
    return found | {"student": student}


def _student(splits: dict[str, list[Abstract]], work: Path, folder: Path, *, seed: int) -> float:
    keys, vectors = read_words(work / "words.npz")
    table = WordTable(keys)
    gold = [_sample(table, item) for item in splits["train"]] * _GOLD_COPIES
    silver = [silver_sample(table, words, tags) for words, tags in read_silver(folder / "silver")]
    torch.manual_seed(seed)
    model = Student(len(keys), tags=1 + 2 * len(SCIERC_TYPES))
    model.know_words(vectors)

    def judge(found: Student) -> dict[str, float]:
        return {name: micro_f1(splits[name], _scores(found, table, splits[name])) for name in ("dev", "test")}

    trained = train_student(model, gold + silver, folder / "student", Recipe(), seed=seed, judge=judge)
    return judge(trained)["test"]


def _sample(table: WordTable, item: Abstract) -> Sample:
    tags = np.eye(1 + 2 * len(SCIERC_TYPES), dtype=np.float16)[encode_tags(item.doc, SCIERC_TYPES)]
    return silver_sample(table, [token.text for token in item.doc], tags)


@torch.inference_mode()
def _scores(model: Student, table: WordTable, abstracts: Sequence[Abstract]) -> list[NDArray[np.float32]]:
    samples = [_sample(table, item) for item in abstracts]
    batch = collate(samples, rng=np.random.default_rng())
    scores = torch.log_softmax(model.tag_logits(model.encode(batch)), -1).numpy()
    return [rows[: len(sample.tags)] for rows, sample in zip(scores, samples, strict=True)]
