"""What is too doubtful to be a concept."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc

from extractors.doubtful import DoubtfulFilter
from extractors.drafts import Draft, DraftRelation, Place
from kg.schema import ConceptType, RelationType, Role

METHOD = ConceptType.METHOD


def filtered(doc: Doc, *, least: float, least_word: float = 0.0) -> Doc:
    return DoubtfulFilter(spacy.blank("en"), "doubtful", least=least, least_word=least_word)(doc)


def document() -> Doc:
    nlp = spacy.blank("en")
    for extension in ("mentions", "concepts", "relations"):
        Doc.set_extension(extension, default=(), force=True)
    doc = nlp("alpha beta gamma delta alpha")
    words = [(token.i, token.i + 1, token.idx, token.idx + len(token)) for token in doc]
    doc._.mentions = tuple(Place(*word, doc[word[0]].text, METHOD) for word in words)
    doc._.concepts = (
        Draft("beta", METHOD, [1], ["beta"], score=0.2),
        Draft("alpha", METHOD, [0, 4], ["alpha"], score=0.2, roles={Role.USES: (0.6, 4)}),
        Draft("gamma", METHOD, [2], ["gamma"], score=0.2),
        Draft("delta", METHOD, [3], ["delta"], score=0.5),
    )
    doc._.relations = (DraftRelation(3, RelationType.IS_A, 2, 0.7, 0, 5),)
    return doc


def test_only_a_doubtful_name_without_role_and_relation_is_left_out() -> None:
    doc = filtered(document(), least=0.3)
    assert [draft.name for draft in doc._.concepts] == ["alpha", "gamma", "delta"]
    assert [place.text for place in doc._.mentions] == ["alpha", "gamma", "delta", "alpha"]


def test_a_name_that_its_letters_show_to_be_one_stays() -> None:
    doc = document()
    doc._.concepts = (Draft("FooNet-2", METHOD, [0], ["FooNet-2"], score=0.1), *doc._.concepts[1:])
    kept = filtered(doc, least=0.3)._.concepts
    assert [draft.name for draft in kept] == ["FooNet-2", "alpha", "gamma", "delta"]


def test_what_points_to_names_follows_them() -> None:
    doc = filtered(document(), least=0.3)
    alpha, gamma, delta = doc._.concepts
    assert (alpha.mentions, gamma.mentions, delta.mentions) == ([0, 3], [1], [2])
    assert alpha.roles == {Role.USES: (0.6, 3)}
    (relation,) = doc._.relations
    assert (relation.head, relation.tail) == (2, 1)


def test_nothing_is_left_out_where_all_is_sure_enough() -> None:
    doc = document()
    kept = doc._.concepts
    assert filtered(doc, least=0.1)._.concepts is kept


def test_one_plain_word_has_to_be_more_probable_unless_it_has_a_role() -> None:
    doc = filtered(document(), least=0.1, least_word=0.4)
    assert [draft.name for draft in doc._.concepts] == ["alpha", "delta"]
    assert doc._.relations == ()  # gamma, which delta is said to be, is gone


@pytest.mark.parametrize(
    ("name", "held"),
    [("Geometry", False), ("sub-goal", False), ("graph net", True), ("BERT", True), ("Sub-Goal", True)],
)
def test_what_counts_as_one_plain_word(name: str, held: bool) -> None:
    doc = document()
    doc._.concepts = (Draft(name, METHOD, [0], [name], score=0.2),)
    doc._.relations = ()
    assert bool(filtered(doc, least=0.1, least_word=0.4)._.concepts) is held


def test_a_capital_inside_a_sentence_makes_a_word_a_name() -> None:
    doc = spacy.blank("en")("We play Chess. Delve into Go")
    doc._.mentions = (Place(2, 3, 8, 13, "Chess", METHOD), Place(4, 5, 15, 20, "Delve", METHOD))
    doc._.concepts = tuple(
        Draft(name, METHOD, [index], [name], score=0.2) for index, name in enumerate(("Chess", "Delve"))
    )
    doc._.relations = ()
    kept = filtered(doc, least=0.1, least_word=0.4)._.concepts
    assert [draft.name for draft in kept] == ["Chess"]
