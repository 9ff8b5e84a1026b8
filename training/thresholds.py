"""Chooses, on papers kept apart, what no training can tell: thresholds, and what a score is worth.

The thresholds make the F1 of each role and of all relations largest on what the whole pipeline finds,
mistakes of the tagger included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.calibration import Calibration, Points
from extractors.network import Floats
from extractors.pipeline import read_paper
from extractors.relations import LABELS
from extractors.roles import ALLOWED, ROLE_LABELS
from kg.folding import name_key
from kg.gold import AnnotatedPaper, occurrences
from kg.schema import Role

__all__ = ["Judged", "calibrate", "choose_thresholds", "judge", "read_all", "reliability"]

_GRID = np.arange(0.1, 0.9, 0.02)
_BINS, _ASKED = 12, 0.1


Read: TypeAlias = list[tuple[AnnotatedPaper, Doc]]


def read_all(nlp: Language, papers: Sequence[AnnotatedPaper]) -> Read:
    """Annotated papers with the documents that the pipeline makes of them."""
    return [(item, read_paper(item.paper, nlp=nlp)) for item in papers]


def choose_thresholds(read: Read) -> tuple[dict[str, float], float]:
    """The threshold of each role, and that of relations."""
    scores, truth, missed = _score_roles(read)
    roles = {
        label: _best(scores[:, [i]], truth[:, [i]], int(missed[i])) for i, label in enumerate(ROLE_LABELS)
    }
    # One for all relations: single ones would fit so few papers too closely.
    return roles, _best(*_score_relations(read))


@dataclass(frozen=True)
class Judged:
    """A score that the pipeline gave, and whether the annotators agree."""

    score: float
    right: bool


def judge(read: Read) -> dict[str, list[Judged]]:
    """What the pipeline's scores of mentions, roles and relations say, and what the annotators do.

    Of roles and relations also those count that are too improbable to be told, down to 0.1.
    """
    roles, held, _ = _score_roles(read)
    relations, stated, _ = _score_relations(read)
    return {
        "mentions": list(_judge_mentions(read)),
        "roles": _judged(roles, held),
        "relations": _judged(relations, stated),
    }


def _judged(scores: Floats, truth: NDArray[np.bool_]) -> list[Judged]:
    asked = scores >= _ASKED
    return [
        Judged(score, right)
        for score, right in zip(scores[asked].tolist(), truth[asked].tolist(), strict=True)
    ]


def _judge_mentions(read: Read) -> Iterator[Judged]:
    for paper, doc in read:
        gold = occurrences(paper.text, paper.gold.entities)
        for place in doc._.mentions:
            span = doc._.source.source_span(place.start_char, place.end_char)
            yield Judged(place.score, gold.get(span) == place.type)


def calibrate(judged: Sequence[Judged]) -> list[list[float]]:
    """Points of a rising line from scores to the share that is right: means of tenths of the scores.

    Isotonic regression (Zadrozny and Elkan 2002) over bins of equal size.
    """
    ranked = sorted(judged, key=lambda item: item.score)
    bins = [
        part for part in np.array_split(np.asarray([(j.score, j.right) for j in ranked]), _BINS) if len(part)
    ]
    scores, shares = np.asarray([part.mean(0) for part in bins]).T
    return [scores.round(3).tolist(), [round(share, 3) for share in _rising(shares.tolist())]]


def _rising(values: list[float]) -> list[float]:
    """The closest values that never fall: neighbours that do are pooled."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pool = (value, 1)
        while pools and pools[-1][0] > pool[0]:
            mean, size = pools.pop()
            pool = ((mean * size + pool[0] * pool[1]) / (size + pool[1]), size + pool[1])
        pools.append(pool)
    return [mean for mean, size in pools for _ in range(size)]


def reliability(judged: Sequence[Judged], calibration: Points) -> list[dict[str, float]]:
    """For each fifth of the range of calibrated scores: how many, their mean, and the share that is right."""
    scores = Calibration(calibration)([item.score for item in judged])
    right = np.asarray([item.right for item in judged])
    fifths = np.minimum((scores * 5).astype(int), 4)
    return [
        {
            "from": round(fifth / 5, 1),
            "n": int((fifths == fifth).sum()),
            "score": round(float(scores[fifths == fifth].mean()), 3),
            "right": round(float(right[fifths == fifth].mean()), 3),
        }
        for fifth in np.unique(fifths).tolist()
    ]


def _best(scores: Floats, truth: NDArray[np.bool_], missed: int) -> float:
    """The threshold of largest F1; `missed` counts what no row stands for."""
    total = truth.sum() + missed
    f1 = [2 * (p & truth).sum() / max(1, p.sum() + total) for p in (scores >= t for t in _GRID)]
    return round(float(_GRID[int(np.argmax(f1))]), 2)


def _score_roles(read: Read) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
    scores, truth = [], []
    missed = np.zeros(len(ROLE_LABELS), dtype=np.int64)
    for paper, doc in read:
        fold = _folding(paper)
        gold = [set(map(fold, paper.gold.roles.get(role, ()))) for role in Role]
        left = [set(names) for names in gold]
        for draft, row in zip(doc._.concepts, doc._.role_scores, strict=True):
            keys = set(map(fold, draft.forms))
            allowed = [role in ALLOWED[draft.type] for role in Role]
            scores.append(np.where(allowed, row, 0))
            truth.append([ok and not keys.isdisjoint(names) for ok, names in zip(allowed, gold, strict=True)])
            for column, names in enumerate(left):
                if allowed[column]:
                    names -= keys
        missed += [len(names) for names in left]
    return np.asarray(scores, dtype=np.float32), np.asarray(truth, dtype=np.bool_), missed


def _folding(paper: AnnotatedPaper) -> Callable[[str], str]:
    """The key of a name, that of its long form where the annotators give it one."""
    long_form = {name_key(short): name_key(long) for short, long in paper.gold.aliases}
    return lambda name: long_form.get(name_key(name), name_key(name))


def _score_relations(read: Read) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    scores: list[NDArray[np.float32]] = []
    truth: list[list[bool]] = []
    total = 0
    for paper, doc in read:
        fold = _folding(paper)
        keys = [set(map(fold, draft.forms)) for draft in doc._.concepts]
        gold = {(fold(head), relation.value, fold(tail)) for head, relation, tail in paper.gold.relations}
        total += len(gold)
        scores.extend(doc._.pair_scores)
        truth.extend([_holds(label, keys[i], keys[j], gold) for label in LABELS] for i, j in doc._.pairs)
    held = np.asarray(truth, dtype=np.bool_)
    return np.asarray(scores, dtype=np.float32), held, total - int(held.sum())


def _holds(label: str, one: set[str], other: set[str], gold: set[tuple[str, str, str]]) -> bool:
    head, tail = (one, other) if label.endswith(">") else (other, one)
    return any((h, label[:-1], t) in gold for h in head for t in tail)
