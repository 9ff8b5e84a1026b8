"""Concepts of one paper out of its mentions."""

from __future__ import annotations

from extractors.drafts import Place, group_mentions
from kg.schema import ConceptType

METHOD, TASK = ConceptType.METHOD, ConceptType.TASK


def places(*names: str, kind: ConceptType = METHOD) -> list[Place]:
    return [Place(i, i + 1, i, i + len(name), name, kind) for i, name in enumerate(names)]


def test_case_number_and_hyphens_make_one_concept() -> None:
    (draft,) = group_mentions(
        places("Graph Neural Networks", "graph neural network", "graph-neural network"), []
    )
    assert draft.mentions == [0, 1, 2]
    assert draft.aliases == []


def test_a_defined_pair_joins_its_two_forms_under_the_commoner() -> None:
    (draft,) = group_mentions(places("masked memory", "MM", "MM"), [("MM", "masked memory")])
    assert (draft.name, draft.aliases, draft.short) == ("MM", ["masked memory"], "MM")


def test_a_tie_shows_the_longer_form() -> None:
    (draft,) = group_mentions(places("MM", "masked memory"), [("MM", "masked memory")])
    assert draft.name == "masked memory"


def test_the_long_form_is_an_alias_even_where_it_is_no_mention() -> None:
    (draft,) = group_mentions(places("PCA"), [("PCA", "principal component analysis")])
    assert draft.aliases == ["principal component analysis"]


def test_joint_acronyms_stay_two_concepts() -> None:  # c2-13
    pairs = [("NER", "named entity recognition"), ("RE", "relation extraction")]
    drafts = group_mentions(
        places("named entity recognition", "NER", "relation extraction", "RE", "NER", "RE", kind=TASK), pairs
    )
    assert [sorted([draft.name, *draft.aliases]) for draft in drafts] == [
        ["NER", "named entity recognition"],
        ["RE", "relation extraction"],
    ]


def test_plural_and_mixed_case_short_forms_are_one_concept() -> None:  # c2-11
    drafts = group_mentions(
        places(
            "Group-invariant policy priors", "giPPs", "giPP", "Graph convolutional networks", "GCNs", "GCN"
        ),
        [("giPPs", "Group-invariant policy priors"), ("GCNs", "Graph convolutional networks")],
    )
    assert [draft.mentions for draft in drafts] == [[0, 1, 2], [3, 4, 5]]


def test_the_commoner_type_wins() -> None:
    mixed = [*places("matching"), *places("matching", "matching", kind=TASK)]
    assert [draft.type for draft in group_mentions(mixed, [])] == [TASK]
