"""Roles: whether a paper proposes, uses or compares itself with a method, and what its task, data and
metrics are.

A hashed linear scorer reads a concept's name, its place in title and text, and the words around every
mention (`extractors.features`). A role goes with a type: only a method is used or compared with, a task is
a task; what is proposed may be a method, a data set or a metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.drafts import Draft
from extractors.features import ConceptFeatures, View, concept_features, concept_ranks, view
from extractors.linear import HashedLinear
from kg.folding import name_key
from kg.schema import ConceptType, Role

__all__ = ["ALLOWED", "ROLE_LABELS", "RoleScorer", "analyse", "assign_roles", "score_roles"]

#: The share of introduced names that annotators call proposed.
_INTRODUCED = 0.92
_NEW = 0.5
#: The columns of the scorer.
ROLE_LABELS = tuple(role.value for role in Role)

#: The roles that a concept of a type can have.
ALLOWED: Mapping[ConceptType, tuple[Role, ...]] = {
    ConceptType.METHOD: (Role.PROPOSES, Role.USES, Role.COMPARES),
    ConceptType.TASK: (Role.TASKS,),
    ConceptType.DATASET: (Role.DATASETS, Role.PROPOSES),
    ConceptType.METRIC: (Role.METRICS, Role.PROPOSES),
    ConceptType.TERM: (),
}


def score_roles(
    model: HashedLinear, seen: View, drafts: Sequence[Draft], features: Sequence[ConceptFeatures]
) -> NDArray[np.float32]:
    """The probability of each role of the model for each concept, an array (concepts, labels).

    What the text introduces by name ("our framework FooNet") is proposed at least as surely as such names
    were in the annotated papers.
    """
    scores = model.probabilities([item.flat for item in features])
    proposes = model.labels.index(Role.PROPOSES)
    for row, draft in zip(scores, drafts, strict=True):
        if any(name_key(form) in seen.introduced for form in draft.forms):
            row[proposes] = max(row[proposes], _INTRODUCED)
    return scores


def assign_roles(
    drafts: Sequence[Draft],
    features: Sequence[ConceptFeatures],
    probabilities: NDArray[np.float32],
    model: HashedLinear,
) -> None:
    """Gives each concept the roles whose probability reaches the label's threshold.

    A method that is proposed is not also used or compared with; where several methods pass as proposed, all
    stay. The name of a proposed concept is its defined short form where the text uses it.
    """
    column = {Role(label): index for index, label in enumerate(model.labels)}
    for draft, seen, row in zip(drafts, features, probabilities, strict=True):
        passed = [
            role
            for role in ALLOWED[draft.type]
            if row[column[role]] >= _threshold(draft, role, float(model.thresholds[column[role]]))
        ]
        if Role.PROPOSES in passed and draft.type is ConceptType.METHOD:
            passed = [Role.PROPOSES]
        for role in passed:
            best = seen.best_mention(model, column[role])
            draft.roles[role] = (float(row[column[role]]), draft.mentions[best])
        if Role.PROPOSES in passed and draft.short in draft.forms[:-1]:
            draft.name = draft.short


def _threshold(draft: Draft, role: Role, chosen: float) -> float:
    """The probability that a role needs; that a data set or a metric is new is rare and must be likely."""
    new = role is Role.PROPOSES and draft.type is not ConceptType.METHOD
    return max(chosen, _NEW) if new else chosen


def analyse(doc: Doc) -> tuple[View, list[ConceptFeatures]]:
    """The view of a document and the features of its concepts."""
    seen = view(doc, doc._.mentions)
    drafts = doc._.concepts
    ranks = concept_ranks(drafts)
    return seen, [concept_features(seen, draft, ranks[index]) for index, draft in enumerate(drafts)]


@Language.factory(
    "paperkg_roles",
    requires=["doc._.mentions", "doc._.concepts"],
    assigns=["doc._.view", "doc._.role_scores"],
    default_config={"path": ""},
)
class RoleScorer:
    """Sets the roles of `doc._.concepts`; `path` is the file of weights."""

    def __init__(self, nlp: Language, name: str, path: str) -> None:
        self.model = HashedLinear.from_disk(Path(path))
        Doc.set_extension("view", default=None, force=True)
        Doc.set_extension("role_scores", default=None, force=True)

    def __call__(self, doc: Doc) -> Doc:
        seen, features = analyse(doc)
        scores = score_roles(self.model, seen, doc._.concepts, features)
        assign_roles(doc._.concepts, features, scores, self.model)
        doc._.view, doc._.role_scores = seen, scores
        return doc
