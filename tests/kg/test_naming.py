"""Which names of a corpus are one concept."""

from __future__ import annotations

import pytest

from kg.naming import DOMINANCE, Merge, Name, Naming, name_corpus, paper_groups
from kg.schema import ConceptType, Extraction
from tests.kg.build import Concepts, read


def one(abstract: str, concepts: Concepts, *, title: str | None = None) -> Extraction:
    return read(abstract, concepts, title=title)[1]


def named(*extractions: Extraction) -> Naming:
    return name_corpus([paper_groups(extraction) for extraction in extractions])


def ids(naming: Naming, extraction: Extraction) -> list[str]:
    """The node of each concept of one paper."""
    return [naming.of(group).id for group in paper_groups(extraction)]


GNN_LONG = "graph neural network"


def test_acronym_with_one_long_form_merges_in_every_paper() -> None:
    defining = one("A graph neural network (GNN) is a net.", {GNN_LONG: ("Method", ["GNN"], [])})
    using = one("We train GNNs.", {"GNNs": ("Method", [], [])})
    naming = named(using, defining)
    assert ids(naming, using) == ids(naming, defining)
    assert list(naming.names.values()) == [
        Name("method:gnn", "GNN", ConceptType.METHOD, ("GNNs", "graph neural network"))
    ]
    assert naming.merges == (
        Merge("GNNs", "GNN", ConceptType.METHOD, "spelling", 1),
        Merge("graph neural network", "GNN", ConceptType.METHOD, "acronym", 1),
    )


def test_acronym_with_several_long_forms_belongs_to_each_only_in_its_paper() -> None:  # c2-14
    first = one(
        "We study machine translation (MT). MT is hard.", {"machine translation": ("Task", ["MT"], [])}
    )
    second = one(
        "We use multi-task learning (MT). MT helps.", {"multi-task learning": ("Method", ["MT"], [])}
    )
    undefined = one("MT is old.", {"MT": ("Task", [], [])})
    naming = named(first, second, undefined)
    assert ids(naming, first) == ["task:machine-translation"]
    assert ids(naming, second) == ["method:multi-task-learning"]
    assert ids(naming, undefined) == ["task:mt"]
    assert naming.merges == (
        Merge("MT", "machine translation", ConceptType.TASK, "alias", 1),
        Merge("MT", "multi-task learning", ConceptType.METHOD, "alias", 1),
    )


def test_acronym_follows_a_long_form_that_nearly_all_papers_mean() -> None:
    usual = one("A large language model (LLM).", {"large language model": ("Method", ["LLM"], [])})
    rare = one("A linear latent map (LLM).", {"linear latent map": ("Method", ["LLM"], [])})
    using = one("LLM.", {"LLM": ("Method", [], [])})
    apart = named(*[usual] * (DOMINANCE - 1), rare, using)
    joined = named(*[usual] * DOMINANCE, rare, using)
    assert ids(apart, using) == ["method:llm"]
    assert ids(joined, using) == ids(joined, usual)
    assert "acronym-dominant" in {merge.rule for merge in joined.merges}
    assert ids(joined, rare) == ["method:linear-latent-map"]


def test_case_tells_an_acronym_from_a_word() -> None:  # c2-15
    first = one("Self-play fine-tuning (SPIN) helps.", {"Self-play fine-tuning": ("Method", ["SPIN"], [])})
    second = one("We model the spin of atoms.", {"spin": ("Method", [], [])})
    naming = named(first, second)
    assert ids(naming, second) == ["method:spin"]
    assert ids(naming, first) != ids(naming, second)


@pytest.mark.parametrize(
    ("one_form", "other_form", "nodes"),
    [
        ("BERT", "Bert", 1),
        ("IMAGENET", "ImageNet", 1),
        ("LLaMA", "Llama", 1),
        ("BLEU", "bleu", 2),
        ("GPT-3", "GPT-4", 2),
        ("C", "C++", 2),
        ("pre-training", "Pretraining", 1),
    ],
)
def test_forms_in_two_papers(one_form: str, other_form: str, nodes: int) -> None:
    papers = [one(f"We use {form} here.", {form: ("Method", [], [])}) for form in (one_form, other_form)]
    assert len(named(*papers).names) == nodes


def test_one_name_has_the_type_that_most_mentions_vote_for() -> None:
    method = one("We use parsing. More parsing.", {"parsing": ("Method", [], [])})
    task = one("Parsing is a task.", {"Parsing": ("Task", [], [])})
    naming = named(method, task)
    assert [name.id for name in naming.names.values()] == ["method:parsing"]


def test_types_are_never_merged_by_an_acronym() -> None:
    task = one("On visual answering (VA).", {"visual answering": ("Task", ["VA"], [])})
    metric = one("We report VA, VA and VA.", {"VA": ("Metric", [], [])})
    naming = named(task, metric)
    assert ids(naming, metric) == ["metric:va"]
    assert ids(naming, task) == ["task:visual-answering"]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [(["proposes"], ("PGNET", "method:pgnet")), ([], ("private graph net", "method:private-graph-net"))],
)
def test_a_proposed_concept_is_known_by_its_short_name(roles: list[str], expected: tuple[str, str]) -> None:
    concepts: Concepts = {"PGNET": ("Method", ["private graph net"], roles)}
    (name,) = named(one("The private graph net (PGNET).", concepts)).names.values()
    assert (name.name, name.id) == expected


def test_running_text_decides_over_titles_and_sentence_starts() -> None:
    extraction = one(
        "Beam search is old. We use beam search.",
        {"beam search": ("Method", ["Beam search", "Beam Search"], [])},
        title="Beam Search and Beam Search",
    )
    (name,) = named(extraction).names.values()
    assert (name.name, name.aliases) == ("beam search", ("Beam Search", "Beam search"))


def test_singular_is_shown_where_it_is_written() -> None:
    extraction = one("Nets, more nets and a net.", {"nets": ("Method", ["net"], [])})
    assert [name.name for name in named(extraction).names.values()] == ["net"]


def test_a_wrong_expansion_does_not_reach_other_papers() -> None:
    wrong = one("A language model (BERT).", {"language model": ("Method", ["BERT"], [])})
    other = one("We use BERT.", {"BERT": ("Method", [], [])})
    naming = named(wrong, other)
    assert ids(naming, wrong) == ["method:language-model"]
    assert ids(naming, other) == ["method:bert"]


def test_one_definition_does_not_rename_what_everybody_writes() -> None:
    defining = one(
        "Attention for drugs and maps (ADM).", {"Attention for drugs and maps": ("Method", ["ADM"], [])}
    )
    using = one("We use ADM.", {"ADM": ("Method", [], [])})
    few = named(defining, *[using] * (DOMINANCE - 1))
    many = named(defining, *[using] * DOMINANCE)
    assert ids(few, using) == ids(few, defining)
    assert ids(many, using) == ["method:adm"]
    assert ids(many, defining) == ["method:attention-for-drugs-and-map"]


def test_an_acronym_with_a_long_form_is_not_a_name_in_other_case() -> None:
    defining = one(
        "Attention for domain maps (ADAM).", {"Attention for domain maps": ("Method", ["ADAM"], [])}
    )
    using = one("We use Adam.", {"Adam": ("Method", [], [])})
    assert ids(named(defining, using), using) != ids(named(defining, using), defining)


def test_acronym_of_the_paper_wins_over_a_concept_that_has_it_as_name() -> None:
    extraction = one(
        "A graph neural network (GNN). GNN wins.",
        {GNN_LONG: ("Method", ["GNN"], []), "GNN": ("Method", [], [])},
    )
    naming = named(extraction)
    assert len(naming.names) == 1
    assert len(set(ids(naming, extraction))) == 1


def test_of_equal_slugs_the_commonest_is_plain() -> None:
    papers = [
        one("We use SAFE.", {"SAFE": ("Method", [], [])}),
        one("It is safe.", {"safe": ("Method", [], [])}),
    ]
    forwards = {name.name: name.id for name in named(*papers).names.values()}
    assert forwards == {name.name: name.id for name in named(*reversed(papers)).names.values()}
    assert forwards == {"SAFE": "method:safe-78987f6b", "safe": "method:safe"}
    again = named(*papers, papers[0]).names.values()
    assert {name.name: name.id for name in again} == {"SAFE": "method:safe", "safe": "method:safe-bf31c52c"}


def test_generic_heads_become_no_concept() -> None:
    extraction = one(
        "Our model is an approach.", {"Our model": ("Method", [], []), "approach": ("Method", [], [])}
    )
    assert named(extraction) == Naming({}, {}, ())


def test_order_of_papers_does_not_matter() -> None:
    papers = [
        one("A graph neural network (GNN).", {GNN_LONG: ("Method", ["GNN"], [])}),
        one("Graph nets, i.e. GNNs.", {"GNNs": ("Method", ["Graph nets"], [])}),
        one("The GNN.", {"GNN": ("Task", [], [])}),
    ]
    assert named(*papers) == named(*reversed(papers))
