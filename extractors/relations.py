"""Relations between concepts: used-for, is-a, part-of, improves, compared-with, evaluated-on, measured-by,
trained-on.

Pairs that share a sentence, and what the paper proposes with everything else it names, are scored by a hashed
linear scorer over the words between and around the two mentions, the two types, names and roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.drafts import Draft, DraftRelation
from extractors.features import View, pair_candidates, pair_features
from extractors.linear import HashedLinear
from kg.schema import RelationType, Role

__all__ = ["LABELS", "RelationScorer", "pairs_of", "role_tags"]

#: A relation and its direction: ">" from the concept that is mentioned first to the other, "<" the other way.
LABELS = tuple(f"{relation.value}{direction}" for relation, direction in product(RelationType, "><"))

_CENTRAL = 0.3


def role_tags(scores: NDArray[np.float32], labels: Sequence[str]) -> list[str]:
    """The likeliest role of each concept, "none" where no role is at least as likely as 0.3."""
    return [labels[int(row.argmax())] if row.max() >= _CENTRAL else "none" for row in scores]


def pairs_of(
    seen: View, drafts: Sequence[Draft], tags: Sequence[str]
) -> tuple[list[tuple[int, int]], list[list[str]], list[tuple[int, int]]]:
    """Candidate pairs, their features, and the tokens [start, end) that show them."""
    central = [index for index, tag in enumerate(tags) if tag == Role.PROPOSES]
    pairs = pair_candidates(seen, drafts, central)
    described = [pair_features(seen, drafts[i], drafts[j], (tags[i], tags[j])) for i, j in pairs]
    return pairs, [features for features, _ in described], [span for _, span in described]


@Language.factory(
    "paperkg_relations",
    requires=["doc._.concepts", "doc._.view", "doc._.role_scores"],
    assigns=["doc._.relations"],
    default_config={"path": "", "role_labels": []},
)
class RelationScorer:
    """Sets `doc._.relations`; `path` is the file of weights, `role_labels` the columns of the role scores."""

    def __init__(self, nlp: Language, name: str, path: str, role_labels: list[str]) -> None:
        self.model = HashedLinear.from_disk(Path(path))
        self.role_labels = role_labels
        Doc.set_extension("relations", default=(), force=True)

    def __call__(self, doc: Doc) -> Doc:
        tags = role_tags(doc._.role_scores, self.role_labels)
        pairs, features, spans = pairs_of(doc._.view, doc._.concepts, tags)
        scores = self.model.probabilities(features)
        passed = scores >= self.model.thresholds
        doc._.relations = tuple(
            _relation(self.model.labels[label], pairs[item], float(scores[item, label]), spans[item])
            for item, label in np.argwhere(passed)
        )
        return doc


def _relation(label: str, pair: tuple[int, int], score: float, span: tuple[int, int]) -> DraftRelation:
    head, tail = pair if label.endswith(">") else pair[::-1]
    return DraftRelation(head, RelationType(label[:-1]), tail, score, *span)
