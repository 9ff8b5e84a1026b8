"""Which words a short form covers."""

from __future__ import annotations

import pytest

from extractors.alignment import Window, letters_of, readings


@pytest.mark.parametrize(
    ("short", "expected"),
    [
        ("GCNs", ("gcn",)),
        ("RSTIB-MLP", ("rstibmlp",)),
        ("giPP", ("gipp",)),
        ("A3C", ("a3c", "aaac")),
        ("S²FGL", ("s2fgl", "ssfgl")),
        ("BLEUs", ("bleu",)),
        ("loss", ("loss",)),
    ],
)
def test_letters_to_account_for(short: str, expected: tuple[str, ...]) -> None:
    assert readings(short) == expected
    assert letters_of(short) == expected[0]


@pytest.mark.parametrize(
    ("short", "window", "expected"),
    [
        ("MM", "We propose masked memory", "masked memory"),
        ("LLL", "a latent local learning", "latent local learning"),
        ("MoE", "with a mixture of experts", "mixture of experts"),
        ("OOD", "and out-of-distribution", "out-of-distribution"),
        ("ICL", "that in-context learning", "in-context learning"),
        ("PCA", "sparse principal component analysis", "principal component analysis"),
        ("SPEX", "our SParse EXplainer", "SParse EXplainer"),
        ("A3C", "asynchronous advantage actor critic", "asynchronous advantage actor critic"),
        ("R2S", "the real-to-sim", "real-to-sim"),
        ("XAI", "of explainable artificial intelligence", "explainable artificial intelligence"),
        ("DSGC", "the Deep Signed Graph Clustering framework", "Deep Signed Graph Clustering"),
        ("XDB", "a cross-modal distilled BERT", "cross-modal distilled BERT"),
        ("QPM", "a quick programming multi-task", "quick programming multi-task"),
        ("NER", "of named entity recognition", "named entity recognition"),
        ("TCGA", "on The Cancer Genome Atlas", "The Cancer Genome Atlas"),
    ],
)
def test_cheapest_words_that_end_the_window(short: str, window: str, expected: str) -> None:
    found = Window(window).ending(short)

    assert found is not None
    assert window[found.start : found.end] == expected


@pytest.mark.parametrize(("short", "window"), [("FM", "for models"), ("XY", "neural network"), ("AB", "")])
def test_no_long_form_without_a_first_letter(short: str, window: str) -> None:
    assert Window(window).ending(short) is None


def test_whole_starting_and_anywhere_differ_in_what_may_be_left_over() -> None:
    window = Window("word error rate of speech")

    assert [
        found and (found.start, found.end)
        for found in (
            window.whole("WER"),
            window.starting("WER"),
            window.anywhere("ER"),
            window.starting("ER"),
        )
    ] == [(0, 25), (0, 15), (5, 15), None]
