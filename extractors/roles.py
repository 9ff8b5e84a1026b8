"""Roles: whether a paper proposes, uses or compares itself with a method, and what its task, data and
metrics are.

A head of the network reads the vectors of all words of a concept (`extractors.judged`). A role goes with a
type: only a method is used or compared with, a task is a task; what is proposed may be a method, a data set
or a metric.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from extractors.calibration import AS_IT_IS, Calibration
from extractors.drafts import Draft
from extractors.entities import read_types
from extractors.judged import alone, concepts_of
from extractors.network import Floats, load_network, one_thread, probabilities
from extractors.view import View, view
from kg.folding import name_key
from kg.schema import ConceptType, Role

__all__ = ["ALLOWED", "ROLE_LABELS", "RoleJudge", "introduced_roles", "passed_roles", "sureness"]

#: The share of introduced names that annotators call proposed.
_INTRODUCED = 0.92
_NEW = 0.5
#: The columns of the head.
ROLE_LABELS = tuple(role.value for role in Role)

#: The roles that a concept of a type can have.
ALLOWED: Mapping[ConceptType, tuple[Role, ...]] = {
    ConceptType.METHOD: (Role.PROPOSES, Role.USES, Role.COMPARES),
    ConceptType.TASK: (Role.TASKS,),
    ConceptType.DATASET: (Role.DATASETS, Role.PROPOSES),
    ConceptType.METRIC: (Role.METRICS, Role.PROPOSES),
    ConceptType.TERM: (),
}
_COLUMN = {role: column for column, role in enumerate(Role)}
#: How much it counts for each role that a concept may be none; chosen on papers kept apart.
_DOUBT = np.asarray([0.5 if role is Role.PROPOSES else 2 for role in Role], dtype=np.float32)


def sureness(drafts: Sequence[Draft]) -> Floats:
    """How probable it is that each concept is one (concepts, 1): the head takes it for granted."""
    return np.asarray([draft.score for draft in drafts], dtype=np.float32).reshape(-1, 1)


def introduced_roles(scores: Floats, seen: View, drafts: Sequence[Draft]) -> Floats:
    """The scores (concepts, roles), with what the text introduces by name ("our framework FooNet") proposed.

    It is so at least as surely as such names were in the annotated papers; a method that is the headline of
    its paper is, too.
    """
    column = _COLUMN[Role.PROPOSES]
    for row, draft in zip(scores, drafts, strict=True):
        if seen.introduces(draft) or (draft.type is ConceptType.METHOD and seen.headlines(draft)):
            row[column] = max(row[column], _INTRODUCED)
    return scores


def passed_roles(
    draft: Draft, scores: Floats, thresholds: Mapping[Role, float], *, known: bool = False
) -> list[Role]:
    """The roles of a concept whose probability reaches the role's threshold.

    A method that is proposed is not also used or compared with; that a data set or a metric is new is rare
    and must be likely; a name that is `known` from other papers is not new. Where several methods pass as
    proposed, all stay.
    """
    least = dict(thresholds)
    if draft.type is not ConceptType.METHOD:
        least[Role.PROPOSES] = max(least[Role.PROPOSES], _NEW)
    asked = [role for role in ALLOWED[draft.type] if not (known and role is Role.PROPOSES)]
    passed = [role for role in asked if scores[_COLUMN[role]] >= least[role]]
    if Role.PROPOSES in passed and draft.type is ConceptType.METHOD:
        return [Role.PROPOSES]
    return passed


@Language.factory(
    "paperkg_roles",
    requires=["doc._.hidden", "doc._.mentions", "doc._.concepts"],
    assigns=["doc._.view", "doc._.role_scores", "doc._.judged"],
    default_config={"network": "", "thresholds": {}, "calibration": AS_IT_IS, "types": ""},
)
class RoleJudge:
    """Sets the roles of `doc._.concepts`, and `doc._.role_scores`, probabilities (concepts, ROLE_LABELS);
    `doc._.judged` keeps what the head saw and its log odds.

    `network` is the file of weights, `calibration` the points of the head's probabilities
    (`extractors.calibration`), `types` the JSON file of names that are known. The name of a proposed concept
    is its defined short form where the text uses it.
    """

    def __init__(
        self,
        nlp: Language,
        name: str,
        network: str,
        thresholds: dict[str, float],
        calibration: list[list[float]],
        types: str,
    ) -> None:
        self.known = read_types(Path(types)) if types else {}
        self.network, _ = load_network(Path(network))
        self.thresholds = {role: thresholds.get(role, 0.5) for role in Role}
        self.calibration = Calibration(calibration)
        Doc.set_extension("view", default=None, force=True)
        Doc.set_extension("role_scores", default=None, force=True)
        Doc.set_extension("judged", default=None, force=True)

    def __call__(self, doc: Doc) -> Doc:
        seen, drafts = view(doc), doc._.concepts
        concepts = concepts_of(seen, drafts)
        with one_thread():
            logits = self.network.role_logits(doc._.hidden, concepts)
            scores = introduced_roles(probabilities(logits) * sureness(drafts) ** _DOUBT, seen, drafts)
            passed = {
                index: roles
                for index, draft in enumerate(drafts)
                if (roles := self._passed(seen, draft, scores[index]))
            }
            spoken = self.network.role_logits(doc._.hidden, alone(concepts, [*passed], seen, drafts))
        doc._.view, doc._.role_scores, doc._.judged = seen, scores, (concepts, logits)
        end = 0
        for index, roles in passed.items():
            start, end = end, end + len(drafts[index].mentions)
            self._assign(drafts[index], roles, scores[index], spoken[start:end])
        return doc

    def _passed(self, seen: View, draft: Draft, scores: Floats) -> list[Role]:
        return passed_roles(draft, scores, self.thresholds, known=self._is_known(seen, draft))

    def _is_known(self, seen: View, draft: Draft) -> bool:
        """Whether other papers hold the name, and neither the title nor an introduction does.

        The proper name of a method may be: the paper that it comes from is read, too.
        """
        if draft.type is ConceptType.METHOD and draft.name != draft.name.lower():
            return False
        keys = {name_key(form) for form in draft.forms}
        return not (keys.isdisjoint(self.known) or seen.titles(draft) or seen.introduces(draft))

    def _assign(self, draft: Draft, passed: Sequence[Role], scores: Floats, spoken: Floats) -> None:
        """Gives a concept its roles, each with the mention that speaks most for it (`spoken`)."""
        for role in passed:
            best = draft.mentions[int(spoken[:, _COLUMN[role]].argmax())]
            draft.roles[role] = (float(self.calibration(scores[_COLUMN[role]])), best)
        if Role.PROPOSES in passed and draft.short:
            used = draft.short in draft.forms[:-1] or f"({draft.short})" in draft.name
            draft.name = draft.short if used else draft.name
