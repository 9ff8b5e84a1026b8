"""What is no name."""

from __future__ import annotations

import pytest

from extractors.stoplist import is_generic, trim


@pytest.mark.parametrize(
    "name",
    [
        "approach",
        "our model",
        "the proposed framework",
        "extensive experiments",
        "results",
        "state-of-the-art methods",
        "existing approaches",
        "a novel algorithm",
        "three datasets",
        "Fig. 3",
        "42",
        "https://github.com/o/r",
        "x",
        "ours",
        "et al",
        "7B",
        "1.5B-13B",
        "High-",
    ],
)
def test_generic_heads_are_no_names(name: str) -> None:
    assert is_generic(name)


@pytest.mark.parametrize(
    "name",
    [
        "language model",
        "UPGNET",
        "C",
        "R",
        "accuracy",
        "A*",
        "SOTA-Net",
        "DATA",
        "attention",
        "x-vector",
        "3D",
    ],
)
def test_names_stay(name: str) -> None:
    assert not is_generic(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("the proposed net,", "proposed net"),
        ("our UPGNET", "our UPGNET"),
        ("a graph (GCN)", "graph (GCN)"),
        ("The Stack", "The Stack"),
        ("vision-", "vision-"),
        ("“BERT”", "BERT"),
        ("A*", "A*"),
        ("uniform sampling with", "uniform sampling"),
        ("hierarchy of the", "hierarchy"),
        ("sum-of", "sum-of"),
        ("search in", "search"),
        ("moving average (MA", "moving average"),
        ("Kinetics [5", "Kinetics"),
        ("VIBES [1, 2]", "VIBES"),
        ("question answering over", "question answering"),
        ("neural network based", "neural network"),
        ("“hot” pages", "“hot” pages"),
        ("learning to spin “pens”", "learning to spin “pens”"),
        ('"BERT" "large"', 'BERT" "large'),
        ("moving average (MA) component", "moving average (MA) component"),
    ],
)
def test_marks_determiners_and_small_words_at_the_end_are_trimmed(name: str, expected: str) -> None:
    assert name[slice(*trim(name))] == expected


@pytest.mark.parametrize("name", ["robust", "Optimal", "robotic", "convolutional", "large"])
def test_a_quality_alone_says_nothing(name: str) -> None:
    assert is_generic(name)
    assert not is_generic(f"{name} networks")
