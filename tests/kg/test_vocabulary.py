"""The seed vocabulary."""

from __future__ import annotations

import pytest

from kg.folding import name_key
from kg.schema import ConceptType
from kg.vocabulary import seed_vocabulary, vocabulary_of


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("Method", "Graph Neural Networks", "graph neural network"),
        ("Method", "GNNs", "graph neural network"),
        ("Method", "bert", "BERT"),
        ("Method", "MIXUP", "Mixup"),
        ("Dataset", "MS COCO", "COCO"),
        ("Dataset", "LFW", "Labeled Faces in the Wild"),
        ("Term", "MTurk", "Amazon Mechanical Turk"),
        ("Task", "BERT", None),
        ("Term", "BERT", None),
    ],
)
def test_names_and_synonyms_are_found_in_their_type(kind: str, name: str, expected: str | None) -> None:
    entry = seed_vocabulary().find(ConceptType(kind), name_key(name))
    assert (entry.name if entry else None) == expected


def test_a_name_comes_before_a_synonym() -> None:
    words = vocabulary_of({"method": {"A net": ["B nets"], "B net": []}})
    found = words.find(ConceptType.METHOD, name_key("B net"))
    assert found is not None
    assert (found.name, words.is_name(found, name_key("B nets"))) == ("B net", True)
