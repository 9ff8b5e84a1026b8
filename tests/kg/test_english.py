"""Singular forms and American spellings of words."""

from __future__ import annotations

import pytest

from kg.english import american, singular


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("networks", "network"),
        ("queries", "query"),
        ("boxes", "box"),
        ("patches", "patch"),
        ("databases", "database"),
        ("heuristics", "heuristic"),
        ("statistics", "statistics"),
        ("analysis", "analysis"),
        ("analyses", "analysis"),
        ("Matrices", "matrix"),
        ("consensus", "consensus"),
        ("GLUES", "GLUES"),
        ("gas", "gas"),
    ],
)
def test_singular(word: str, expected: str) -> None:
    assert singular(word) == expected


@pytest.mark.parametrize(
    ("british", "folded"),
    [
        ("optimisation", "optimization"),
        ("generalised", "generalized"),
        ("tokeniser", "tokenizer"),
        ("generalisability", "generalizability"),
        ("adaption", "adaptation"),
        ("modelling", "modeling"),
        ("unlabelled", "unlabeled"),
        ("neighbourhoods", "neighborhoods"),
        ("colourisation", "colorization"),
        ("centre", "center"),
        ("defence", "defense"),
        ("dialogue", "dialog"),
        ("analysing", "analyzing"),
        ("artefacts", "artifacts"),
        ("grey", "gray"),
        ("programme", "program"),
    ],
)
def test_british_spellings_fold_into_american_ones(british: str, folded: str) -> None:
    assert american(british) == folded


@pytest.mark.parametrize(
    "word",
    ["four", "hour", "contour", "filling", "spelling", "noise", "rise", "are", "core", "rogue", "sentence"],
)
def test_other_words_stay(word: str) -> None:
    assert american(word) == word
