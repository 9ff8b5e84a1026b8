"""Mentions of a whole paper: one type a name, every occurrence, no name that says nothing."""

from __future__ import annotations

import pytest
import spacy
from spacy.tokens import Doc, Span

from extractors.abbreviations import Abbreviation
from extractors.entities import (
    Tagged,
    agree,
    evidence,
    find_occurrences,
    split_names,
    tagged_surfaces,
    to_places,
)
from extractors.introductions import Introduction
from extractors.tokens import make_tokenizer
from kg.folding import name_key
from kg.schema import ConceptType

METHOD, TASK, DATASET = ConceptType.METHOD, ConceptType.TASK, ConceptType.DATASET


def document(text: str, *spans: tuple[str, str]) -> Doc:
    """A document in which the first occurrence of each string is tagged."""
    Span.set_extension("score", default=1.0, force=True)
    doc: Doc = make_tokenizer(spacy.blank("en"))(text)
    found = [
        doc.char_span(text.index(name), text.index(name) + len(name), label=label) for name, label in spans
    ]
    doc.set_ents([span for span in found if isinstance(span, Span)])
    return doc


def pair(text: str, short: str, long: str) -> Abbreviation:
    start, begin = text.index(short), text.index(long)
    return Abbreviation(short, long, start, start + len(short), begin, begin + len(long))


def test_the_tagger_s_spans_lose_determiners_and_names_that_say_nothing() -> None:
    doc = document(
        "We beat the proposed net and our model on MNIST",
        ("the proposed net", "Method"),
        ("our model", "Method"),
        ("MNIST", "Dataset"),
    )
    assert tagged_surfaces(doc) == [Tagged("proposed net", METHOD), Tagged("MNIST", DATASET)]


def test_a_name_keeps_the_bracket_that_it_closes_inside() -> None:
    doc = document("We ask for (ε, δ)-DP of nets (BERT) here", ("ε, δ)-DP", "Method"), ("BERT", "Method"))
    assert tagged_surfaces(doc) == [Tagged("(ε, δ)-DP", METHOD), Tagged("BERT", METHOD)]


def test_what_is_left_behind_a_definition_is_no_name() -> None:
    doc = document(
        "A generative network (GAN) trainer and a deep net (DN)-based sampler",
        ("generative network", "Method"),
        ("GAN) trainer", "Method"),
        ("deep net", "Method"),
        ("DN)-based sampler", "Method"),
    )
    assert [found.surface for found in tagged_surfaces(doc)] == ["generative network", "deep net"]


@pytest.mark.parametrize(
    ("scores", "kind"),
    [((0.9, 0.8, 0.7), TASK), ((0.4, 0.9, 0.4), METHOD)],
    ids=["the most", "the surest"],
)
def test_the_occurrences_decide_together_on_the_type_of_all_spellings(
    scores: tuple[float, ...], kind: ConceptType
) -> None:
    marks = [("graph matching", TASK), ("Graph Matching", METHOD), ("graph matching", TASK)]
    tagged = [Tagged(*mark, score) for mark, score in zip(marks, scores, strict=True)]
    assert agree(tagged, [], {}) == {"graph matching": kind, "Graph Matching": kind}


def test_a_name_is_as_sure_as_its_surest_mark_and_an_introduced_one_is_sure() -> None:
    tagged = [Tagged("Foo nets", METHOD, 0.4), Tagged("foo net", METHOD, 0.7), Tagged("bar", TASK, 0.2)]
    scores = evidence(tagged, [Introduction("BarNet", METHOD, "called")])
    assert scores == {name_key("foo net"): 0.7, name_key("bar"): 0.2, name_key("BarNet"): 1.0}


@pytest.mark.parametrize(
    ("surface", "parts"),
    [
        ("BERT-base-uncased and RoBERTa", ["BERT-base-uncased", "RoBERTa"]),
        ("GPT-4, PaLM, and LLaMA", ["GPT-4", "PaLM", "LLaMA"]),
        ("precision and recall", ["precision and recall"]),
        ("Theory and Practice", ["Theory and Practice"]),
        ("loss function – Ratio Loss", ["loss function", "Ratio Loss"]),
        ("Metropolis-Hastings", ["Metropolis-Hastings"]),
    ],
)
def test_a_list_of_proper_names_is_no_name(surface: str, parts: list[str]) -> None:
    assert split_names(surface) == parts


def test_a_known_name_keeps_its_type() -> None:  # c3-07
    assert agree([Tagged("ImageNet", METHOD)], [], {name_key("ImageNet"): DATASET}) == {"ImageNet": DATASET}


def test_an_introduced_name_is_a_name_of_the_type_that_is_told_or_tagged() -> None:
    introduced = [Introduction("FooBench", DATASET, "called"), Introduction("FooNet", None, "titled")]
    assert agree([Tagged("FooBench", METHOD)], [], {}, introduced) == {"FooBench": DATASET, "FooNet": METHOD}
    assert agree([Tagged("FooNet", DATASET)], [], {}, introduced[1:]) == {"FooNet": DATASET}
    assert agree([Tagged("FooNet", TASK)], [], {}, introduced[1:]) == {"FooNet": METHOD}


@pytest.mark.parametrize("tagged", ["graph neural network", "GNN"])
def test_both_forms_of_an_abbreviation_are_names_when_one_is(tagged: str) -> None:
    text = "A graph neural network (GNN) is used."
    found = agree([Tagged(tagged, METHOD)], [pair(text, "GNN", "graph neural network")], {})
    assert found == {"graph neural network": METHOD, "GNN": METHOD}


def test_an_introduced_acronym_has_its_own_type_and_not_that_of_its_long_form() -> None:
    pair = Abbreviation("UniSLU", "Universal Speech Understanding", 0, 6, 8, 38)
    tagged = [Tagged("UniSLU", METHOD), Tagged("Universal Speech Understanding", TASK)]
    introduced = [Introduction("UniSLU", None, "titled")]
    assert agree(tagged, [pair], {}, introduced)["UniSLU"] == METHOD
    assert agree(tagged, [pair], {})["UniSLU"] == TASK


def test_occurrences_are_longest_first_on_word_borders_and_not_in_addresses() -> None:
    text = "BERT-large beats BERT, not SBERT, at https://x.org/BERT."
    assert find_occurrences(text, {"BERT": METHOD, "BERT-large": METHOD}) == [
        (0, 10, METHOD),
        (17, 21, METHOD),
    ]


@pytest.mark.parametrize(
    ("text", "surface", "count"),
    [
        pytest.param("Adv. training beats ADV. training and adv. training.", "adv. training", 3, id="c3-04"),
        pytest.param("İ Adv. training and adv. training.", "adv. training", 1, id="a capital that grows"),
        pytest.param("SPIN is no spin.", "SPIN", 1, id="one word"),
    ],
)
def test_case_matters_in_names_of_one_word_only(text: str, surface: str, count: int) -> None:
    assert len(find_occurrences(text, {surface: METHOD})) == count


def test_places_know_their_tokens_and_characters() -> None:
    doc = document("We use BERT-like nets.")
    (place,) = to_places(doc, [(7, 11, METHOD)], {name_key(doc.text[7:11]): 0.7})
    assert (place.start, place.end, place.text, place.score) == (2, 3, "BERT", 0.7)
