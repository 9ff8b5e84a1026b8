"""Which of the probable roles a concept gets."""

from __future__ import annotations

import numpy as np
import pytest
from spacy.tokens import Doc

from extractors.drafts import Draft, Place
from extractors.pipeline import blank
from extractors.roles import ROLE_LABELS, introduced_roles, passed_roles
from extractors.view import View, view
from kg.folding import name_key
from kg.schema import ConceptType, Role

METHOD, DATASET, TASK, TERM = ConceptType.METHOD, ConceptType.DATASET, ConceptType.TASK, ConceptType.TERM
THRESHOLDS = dict.fromkeys(Role, 0.3)


def scores(**found: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.asarray([found.get(label, 0.0) for label in ROLE_LABELS], dtype=np.float32)


@pytest.mark.parametrize(
    ("kind", "found", "roles"),
    [
        (METHOD, {"uses": 0.4, "compares": 0.3, "tasks": 0.9}, [Role.USES, Role.COMPARES]),
        (METHOD, {"proposes": 0.4, "uses": 0.9}, [Role.PROPOSES]),
        (DATASET, {"datasets": 0.4, "proposes": 0.4}, [Role.DATASETS]),
        (DATASET, {"datasets": 0.4, "proposes": 0.6}, [Role.DATASETS, Role.PROPOSES]),
        (TASK, {"tasks": 0.2}, []),
        (TERM, {"uses": 0.9}, []),
    ],
)
def test_a_role_fits_the_type_and_reaches_its_threshold(
    kind: ConceptType, found: dict[str, float], roles: list[Role]
) -> None:
    assert passed_roles(Draft("x", kind, [0]), scores(**found), THRESHOLDS) == roles


def test_a_name_that_other_papers_hold_is_not_proposed() -> None:
    found = scores(proposes=0.9, uses=0.4)
    assert passed_roles(Draft("BERT", METHOD, [0]), found, THRESHOLDS, known=True) == [Role.USES]


def test_what_a_text_introduces_is_proposed_under_any_of_its_forms() -> None:
    drafts = [Draft("Foo network", METHOD, [0], ["Foo network", "FooNet"]), Draft("BarNet", METHOD, [1])]
    seen = View([], [], 0, 0, (), {name_key("FooNet")})
    found = introduced_roles(np.stack([scores(uses=0.9)] * 2), seen, drafts)
    column = ROLE_LABELS.index(Role.PROPOSES)
    assert found[0, column] > 0.9
    assert found[1, column] == 0


@pytest.mark.parametrize(
    ("title", "headline"),
    [
        ("Foo Networks\n", True),
        ("Foo Networks: Fast\n", True),
        ("Foo Networks for All\n", False),
        ("", False),
    ],
)
def test_a_method_that_is_the_headline_of_its_paper_is_proposed(title: str, headline: bool) -> None:
    for extension in ("mentions", "introductions"):
        Doc.set_extension(extension, default=(), force=True)
    doc = blank().make_doc(f"{title}Foo Networks are fast.")
    words = [token.text for token in doc]
    doc._.mentions = tuple(
        Place(index, index + 2, doc[index].idx, doc[index].idx + 12, "Foo Networks", METHOD)
        for index, word in enumerate(words)
        if word == "Foo"
    )
    draft = Draft("Foo Networks", METHOD, [*range(len(doc._.mentions))], ["Foo Networks"])
    found = introduced_roles(np.stack([scores(uses=0.9)]), view(doc), [draft])
    assert (found[0, ROLE_LABELS.index(Role.PROPOSES)] > 0.9) == headline
