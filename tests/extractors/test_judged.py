"""What the heads see of concepts and pairs."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from extractors.drafts import Draft, Place
from extractors.judged import concepts_of, pairs_between
from extractors.view import view
from kg.schema import ConceptType

WORDS = "A at \n A uses B . C came later . B and A and B . D".split(" ")
STARTS = (0, 3, 7, 11, 17)


def read(**names: list[int]) -> tuple[list[Place], list[Draft], Doc]:
    doc = Doc(spacy.blank("en").vocab, words=WORDS, sent_starts=[i in STARTS for i in range(len(WORDS))])
    for name in ("introductions", "mentions"):
        Doc.set_extension(name, default=(), force=True)
    places = sorted(
        (
            Place(i, i + 1, i, i + 1, word, ConceptType.METHOD)
            for i, word in enumerate(WORDS)
            if word in names
        ),
        key=lambda place: place.start,
    )
    doc._.mentions = tuple(places)
    drafts = [
        Draft(name, ConceptType.METHOD, [i for i, place in enumerate(places) if place.text == name], [name])
        for name in names
    ]
    return places, drafts, doc


def test_mentions_of_one_sentence_come_before_all_others() -> None:
    places, drafts, doc = read(A=[], B=[])
    rows = pairs_between(view(doc), drafts, [(0, 1)])
    starts = [(places[i].start, places[j].start) for i, j in zip(rows.left, rows.right, strict=True)]
    assert starts == [(3, 5), (11, 13), (13, 15)]
    assert rows.swapped.tolist() == [False, True, False]
    assert rows.distance.tolist() == [0, 0, 0]


def test_concepts_that_share_no_sentence_have_their_nearest_mentions() -> None:
    places, drafts, doc = read(A=[], C=[], D=[])
    rows = pairs_between(view(doc), drafts, [(0, 1), (0, 2), (1, 2)])
    starts = [(places[i].start, places[j].start) for i, j in zip(rows.left, rows.right, strict=True)]
    assert starts == [(3, 7), (7, 13), (13, 17), (7, 17)]
    assert rows.pair.tolist() == [0, 0, 1, 2]
    assert rows.distance.tolist() == [8, 8, 8, 9]


def test_a_concept_is_seen_with_the_words_of_all_its_mentions_and_its_place() -> None:
    _, drafts, doc = read(A=[], C=[])
    found = concepts_of(view(doc), drafts)
    assert (found.words.tolist(), found.first.tolist()) == ([0, 3, 13, 7], [0, 3])
    assert found.sizes.tolist() == [3, 1]
    #         introduced    title first  1  2  3  4+ short word caps rank
    assert found.flags.astype(int).tolist() == [
        [0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1],
        [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    ]


@pytest.mark.parametrize(
    ("one", "other", "flags"),
    [
        ("graph neural network", "neural network", [1, 0, 1, 1]),
        ("BERT", "BERT-large", [0, 0, 0, 1]),
        ("graph matching", "point matching", [0, 0, 1, 0]),
    ],
)
def test_a_pair_is_seen_with_how_alike_its_names_are(one: str, other: str, flags: list[int]) -> None:
    _, drafts, doc = read(A=[], B=[])
    drafts[0].name, drafts[1].name = one, other
    assert pairs_between(view(doc), drafts, [(0, 1)]).flags.astype(int).tolist() == [flags]
