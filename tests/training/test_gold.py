"""Papers as the pipeline would see them if its tagger were the teacher."""

from __future__ import annotations

import numpy as np
import pytest

from extractors.roles import ROLE_LABELS
from extractors.tagger import TAGS
from training.gold import gold_pipeline, read_labelled
from training.labelled import Labelled

NLP = gold_pipeline()
TEXT = "FooNet for parsing\nWe use FooNet here."


def labelled(**spans: str) -> Labelled:
    """The text with a tag for some of its words, and a role for the words of names."""
    words = [token.text for token in NLP(TEXT)]
    tags = np.zeros((len(words), len(TAGS)), dtype=np.float16)
    roles = np.zeros((len(words), len(ROLE_LABELS)), dtype=np.float16)
    for index, word in enumerate(words):
        tags[index, TAGS.index(spans.get(word, "O"))] = 1
        roles[index, 0] = index / 10
    return Labelled(TEXT, words, tags, roles)


def test_what_the_teacher_marks_becomes_concepts_with_the_mean_of_what_it_says_of_their_words() -> None:
    found = read_labelled(NLP, labelled(FooNet="B-Method", parsing="B-Task"))
    names = [(draft.name, draft.type.value, draft.mentions) for draft in found.doc._.concepts]
    assert names == [("FooNet", "Method", [0, 2]), ("parsing", "Task", [1])]
    assert [roles[0] for roles in found.roles] == [pytest.approx(0.3, abs=0.01), pytest.approx(0.2, abs=0.01)]
    assert found.view.title_end == 4


def test_a_paper_without_a_mark_has_no_concept() -> None:
    found = read_labelled(NLP, labelled())
    assert (list(found.doc._.concepts), found.roles) == ([], [])
