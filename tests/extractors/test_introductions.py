"""The ways in which papers introduce names."""

from __future__ import annotations

import time

import pytest

from extractors.introductions import Introduction, introductions
from kg.schema import ConceptType

METHOD, DATASET, METRIC = ConceptType.METHOD, ConceptType.DATASET, ConceptType.METRIC


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("novel pruning methods called SAFE and its extension.", Introduction("SAFE", METHOD, "called")),
        ("These strategies form our framework S²FGL. More.", Introduction("S²FGL", METHOD, "ours")),
        (
            "We propose UPGNET, an LDP-based graph learning framework.",
            Introduction("UPGNET", METHOD, "proposed"),
        ),
        ("we introduce the FooBench (FB), a benchmark", Introduction("FooBench", DATASET, "proposed")),
        ("a dataset, dubbed “CityWalks”, of streets", Introduction("CityWalks", DATASET, "called")),
        ("We present Faithful Score, a metric", Introduction("Faithful Score", METRIC, "proposed")),
        ("a method called CARE. Our tests", Introduction("CARE", METHOD, "called")),
        ("our model, Star Attention, is fast", Introduction("Star Attention", METHOD, "ours")),
        ("We introduce node2vec, which learns embeddings.", Introduction("node2vec", None, "alone")),
        ("We present a fast library for trees (TreeLib).", Introduction("TreeLib", None, "bracketed")),
        ("We propose random flow matching (RFM), which is fast.", Introduction("RFM", None, "defined")),
        ("Kona: Fast Search\nKona is fast.", Introduction("Kona", None, "titled")),
        ("KoNa: Fast Search\nA search that is fast.", Introduction("KoNa", None, "titled")),
    ],
)
def test_an_introduced_name_has_the_type_of_the_noun_beside_it(text: str, expected: Introduction) -> None:
    assert (introductions(text)) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "We propose a framework for graphs.",
        "The framework is called upon often.",
        "a method named in other papers",
        "Our model outperforms BERT.",
        "For one of our datasets, HotpotQA, it works.",
        "We test our approach on two benchmarks, VQA2.0 and GQA.",
        "We introduce Bayesian ideas to readers.",
        "The missingness model, denoted by S (y), is known.",
        "We present a test of language models (LLMs).",
        "We propose the use of linear scaling (LS) as a test.",
        "UNVEILING: A FAST SEARCH\nA search that is fast.",
        "Kona: Fast Search\nA search that is fast.",
    ],
)
def test_nothing_is_introduced(text: str) -> None:
    assert (introductions(text)) == []


@pytest.mark.parametrize(
    "unit", ["We propose A ", "We propose a ", "method called A B ", "our framework Aa-", "(", "A/A"]
)
def test_patterns_take_linear_time(unit: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        (introductions(unit * count))
        return time.process_time() - started

    small, large = (min(seconds(count) for _ in range(3)) for count in (2_000, 16_000))
    assert large < 40 * max(small, 0.005)
