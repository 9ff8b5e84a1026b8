"""Relations between concepts: used-for, is-a, part-of, improves, compared-with, evaluated-on, measured-by,
trained-on.

A head of the network judges pairs that share a sentence, and what the paper proposes with everything else it
names (`extractors.judged`).
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from extractors.calibration import AS_IT_IS, Calibration
from extractors.drafts import DraftRelation
from extractors.judged import pair_candidates, pairs_between
from extractors.network import Floats, Pairs, load_network, one_thread, probabilities
from extractors.roles import ROLE_LABELS, sureness
from extractors.view import View
from kg.schema import RelationType, Role

__all__ = ["LABELS", "RelationJudge", "central"]

#: A relation and its direction: ">" from the concept that is mentioned first to the other, "<" the other way.
LABELS = tuple(f"{relation.value}{direction}" for relation, direction in product(RelationType, "><"))

_CENTRAL = 0.3


def central(role_scores: Floats) -> list[int]:
    """The concepts that a paper most likely proposes: their likeliest role is that, and at least 0.3 so."""
    proposes = ROLE_LABELS.index(Role.PROPOSES)
    likeliest = role_scores.argmax(1) if len(role_scores) else ()
    return [
        index
        for index, column in enumerate(likeliest)
        if column == proposes and role_scores[index, column] >= _CENTRAL
    ]


@Language.factory(
    "paperkg_relations",
    requires=["doc._.hidden", "doc._.concepts", "doc._.view", "doc._.role_scores", "doc._.judged"],
    assigns=["doc._.pairs", "doc._.pair_scores", "doc._.relations"],
    default_config={"network": "", "threshold": 0.5, "calibration": AS_IT_IS},
)
class RelationJudge:
    """Sets `doc._.relations`, and `doc._.pairs` with `doc._.pair_scores`, probabilities (pairs, LABELS).

    `network` is the file of weights, `threshold` the probability that a relation needs, `calibration` the
    points of the head's probabilities (`extractors.calibration`).
    """

    def __init__(
        self, nlp: Language, name: str, network: str, threshold: float, calibration: list[list[float]]
    ) -> None:
        self.network, _ = load_network(Path(network))
        self.threshold = threshold
        self.calibration = Calibration(calibration)
        for extension in ("pairs", "pair_scores", "relations"):
            Doc.set_extension(extension, default=(), force=True)

    def __call__(self, doc: Doc) -> Doc:
        seen, drafts = doc._.view, doc._.concepts
        candidates = pair_candidates(seen, drafts, central(doc._.role_scores))
        pairs = pairs_between(seen, drafts, candidates)
        concepts, roles = doc._.judged
        with one_thread():
            scores = probabilities(self.network.pair_logits(doc._.hidden, concepts, roles, pairs))
        scores *= np.sqrt(sureness(drafts)[pairs.concepts].prod(1))
        doc._.pairs, doc._.pair_scores = candidates, scores
        doc._.relations = tuple(
            self._relation(seen, pairs, int(pair), LABELS[label], float(scores[pair, label]))
            for pair, label in np.argwhere(scores >= self.threshold)
        )
        return doc

    def _relation(self, seen: View, pairs: Pairs, pair: int, label: str, score: float) -> DraftRelation:
        one, other = pairs.concepts[pair].tolist()
        head, tail = (one, other) if label.endswith(">") else (other, one)
        measured = float(self.calibration(score))
        return DraftRelation(head, RelationType(label[:-1]), tail, measured, *_shown(seen, pairs, pair))


def _shown(seen: View, pairs: Pairs, pair: int) -> tuple[int, int]:
    """The tokens that state a relation: the sentence of its closest mentions, or of the later of them."""
    row = int(np.searchsorted(pairs.pair, pair))
    later = seen.sentence[seen.places[int(pairs.right[row])].start]
    return seen.bounds[later]
