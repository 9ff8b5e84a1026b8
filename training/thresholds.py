"""Chooses, on papers kept apart, the decision thresholds of the scorers and the precision of mentions.

The thresholds make the F1 of each role and relation largest on what the whole pipeline finds, mistakes of the
tagger included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.linear import HashedLinear
from extractors.pipeline import assemble_pipeline, read_paper
from extractors.relations import LABELS, pairs_of, role_tags
from extractors.roles import ALLOWED, ROLE_LABELS, analyse, score_roles
from kg.folding import name_key
from kg.schema import ConceptType, Paper, RelationType, Role
from training.data import Annotated, occurrences, read_annotated

__all__ = ["choose_thresholds", "mention_precision"]

_GRID = np.arange(0.1, 0.9, 0.02)


def choose_thresholds(model: Path, data: Path) -> None:
    """Sets the thresholds in `roles.npz` and `relations.npz` of the model folder."""
    nlp = assemble_pipeline(model)
    papers = read_annotated(data / "annotated", "dev")
    roles = HashedLinear.from_disk(model / "roles.npz")
    relations = HashedLinear.from_disk(model / "relations.npz")
    role_scores, role_truth, role_missed = _score_roles(nlp, papers, roles)
    chosen = _best(role_scores, role_truth, role_missed)
    replace(roles, thresholds=chosen).to_disk(model / "roles.npz")
    scores, truth, missed = _score_relations(nlp, papers, relations)
    common = _best_relations(scores, truth, missed)
    replace(relations, thresholds=common).to_disk(model / "relations.npz")


def mention_precision(nlp: Language, papers: Sequence[Annotated]) -> dict[str, float]:
    """The share of right mentions among those found, by type."""
    right = dict.fromkeys(ConceptType, 0)
    found = dict.fromkeys(ConceptType, 0)
    for paper in papers:
        doc = _read(nlp, paper)
        gold = occurrences(paper.text, [(surface, label) for surface, label in paper.gold["entities"]])
        for place in doc._.mentions:
            span = doc._.source.source_span(place.start_char, place.end_char)
            found[place.type] += 1
            right[place.type] += gold.get(span) == place.type
    return {kind.value: round(right[kind] / max(1, found[kind]), 3) for kind in ConceptType}


def _read(nlp: Language, paper: Annotated) -> Doc:
    return read_paper(Paper(title=paper.title, abstract=paper.abstract), nlp=nlp)


def _best(
    scores: NDArray[np.float32], truth: NDArray[np.bool_], missed: NDArray[np.int64]
) -> NDArray[np.float32]:
    """The threshold of largest F1 for each column; `missed` counts what no row stands for."""
    chosen = []
    for column in range(scores.shape[1]):
        held, total = truth[:, column], truth[:, column].sum() + missed[column]
        f1 = [2 * (p & held).sum() / max(1, p.sum() + total) for p in scores[:, column] >= _GRID[:, None]]
        chosen.append(_GRID[int(np.argmax(f1))])
    return np.asarray(chosen, dtype=np.float32)


def _score_roles(
    nlp: Language, papers: Sequence[Annotated], model: HashedLinear
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
    scores, truth = [], []
    missed = np.zeros(len(ROLE_LABELS), dtype=np.int64)
    for paper in papers:
        doc = _read(nlp, paper)
        seen, features = analyse(doc)
        probabilities = score_roles(model, seen, doc._.concepts, features)
        same = {name_key(short): name_key(long) for short, long in paper.gold["aliases"]}
        gold = [
            {same.get(name_key(name), name_key(name)) for name in paper.gold["paper"].get(role, [])}
            for role in ROLE_LABELS
        ]
        left = [set(names) for names in gold]
        for draft, row in zip(doc._.concepts, probabilities, strict=True):
            keys = {same.get(name_key(form), name_key(form)) for form in draft.forms}
            allowed = [Role(label) in ALLOWED[draft.type] for label in ROLE_LABELS]
            scores.append(np.where(allowed, row, 0))
            truth.append([ok and not keys.isdisjoint(names) for ok, names in zip(allowed, gold, strict=True)])
            for column, names in enumerate(left):
                if allowed[column]:
                    names -= keys
        missed += [len(names) for names in left]
    return np.asarray(scores, dtype=np.float32), np.asarray(truth, dtype=np.bool_), missed


def _score_relations(
    nlp: Language, papers: Sequence[Annotated], model: HashedLinear
) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    scores: list[NDArray[np.float32]] = []
    truth: list[list[bool]] = []
    total = 0
    for paper in papers:
        doc = _read(nlp, paper)
        tags = role_tags(doc._.role_scores, ROLE_LABELS)
        pairs, features, _ = pairs_of(doc._.view, doc._.concepts, tags)
        same = {name_key(short): name_key(long) for short, long in paper.gold["aliases"]}
        keys = [
            {same.get(name_key(form), name_key(form)) for form in draft.forms} for draft in doc._.concepts
        ]
        gold = {
            (same.get(name_key(h), name_key(h)), relation, same.get(name_key(t), name_key(t)))
            for h, relation, t in paper.gold["relations"]
        }
        total += len(gold)
        scores.extend(model.probabilities(features))
        truth.extend([_holds(label, keys[i], keys[j], gold) for label in LABELS] for i, j in pairs)
    held = np.asarray(truth, dtype=np.bool_)
    return np.asarray(scores, dtype=np.float32), held, total - int(held.sum())


def _holds(label: str, one: set[str], other: set[str], gold: set[tuple[str, str, str]]) -> bool:
    head, tail = (one, other) if label.endswith(">") else (other, one)
    return any((h, label[:-1], t) in gold for h in head for t in tail)


def _best_relations(
    scores: NDArray[np.float32], truth: NDArray[np.bool_], missed: int
) -> NDArray[np.float32]:
    """One threshold for all relations: single ones would fit the few papers kept apart too closely."""
    total = truth.sum() + missed
    f1 = [2 * (p & truth).sum() / max(1, p.sum() + total) for p in (scores >= t for t in _GRID)]
    assert len(RelationType) * 2 == scores.shape[1]
    return np.full(scores.shape[1], _GRID[int(np.argmax(f1))], dtype=np.float32)
