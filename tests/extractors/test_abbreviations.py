"""Abbreviations that a clean text defines."""

from __future__ import annotations

import time

import pytest

from extractors.abbreviations import Abbreviation, find_abbreviations


def pairs(text: str) -> dict[str, str]:
    return {found.short: found.long for found in find_abbreviations(text)}


def test_pair_is_given_with_offsets() -> None:
    text = "A title\nWe use graph neural networks (GNNs) here."

    assert find_abbreviations(text) == [Abbreviation("GNNs", "graph neural networks", 38, 42, 15, 36)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "We propose masked memory (MM) and latent local learning (LLL).",
            {"MM": "masked memory", "LLL": "latent local learning"},
            id="c2-02",
        ),
        pytest.param(
            "We report BLEU (bilingual evaluation understudy) and WER (word error rate).",
            {"BLEU": "bilingual evaluation understudy", "WER": "word error rate"},
            id="c2-03",
        ),
        pytest.param(
            "We show (i) convergence of f(x), (ii) bounds as in (9) w.r.t. (2), (5-b) a log map logY (.) : S"
            ", and (vi) limits.",
            {},
            id="c2-05",
        ),
        pytest.param(
            "Our data-driven maps are derived (DD) by rules; decoded distances (DDs) follow.",
            {"DDs": "decoded distances"},
            id="c2-09",
        ),
        pytest.param(
            "Images found (which) are hard and, for models (FM), rare; in-context learning (ICL) and "
            "out-of-distribution (OOD) data are tested; see results (table).",
            {"ICL": "in-context learning", "OOD": "out-of-distribution"},
            id="c2-10",
        ),
        pytest.param(
            "Group-invariant policy priors (giPPs) are hard. A giPP is trained. Graph convolutional networks "
            "(GCNs) help; a GCN is small.",
            {"giPPs": "Group-invariant policy priors", "GCNs": "Graph convolutional networks"},
            id="c2-11",
        ),
        pytest.param(
            "Named entity recognition (NER) and relation extraction (RE) are joint tasks. "
            "Our NER RE system is fast.",
            {"NER": "Named entity recognition", "RE": "relation extraction"},
            id="c2-13",
        ),
        pytest.param(
            "We study machine translation (MT). MT is hard.", {"MT": "machine translation"}, id="c2-14-P1"
        ),
        pytest.param(
            "We use multi-task learning (MT). MT helps.",
            {"MT": "multi-task learning"},
            id="c2-14-P2",
        ),
        pytest.param(
            "Self-play fine-tuning (SPIN) improves chat models.",
            {"SPIN": "Self-play fine-tuning"},
            id="c2-15-P1",
        ),
        pytest.param("We simulate spin glasses and the spin of electrons.", {}, id="c2-15-P2"),
    ],
)
def test_cases(text: str, expected: dict[str, str]) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use support vector machines (SVMs; Cortes 1995).", {"SVMs": "support vector machines"}),
        ("the word error rate [WER] is low", {"WER": "word error rate"}),
        ('a "masked memory" ("MM") helps', {"MM": "masked memory"}),
        ("a masked memory (i.e., MM), a latent code (or LC)", {"MM": "masked memory", "LC": "latent code"}),
        ("a masked memory (abbreviated as MM)", {"MM": "masked memory"}),
        (
            "mean absolute error and root mean square error (MAE and RMSE)",
            {"MAE": "mean absolute error", "RMSE": "root mean square error"},
        ),
        ("principal component analysis (PCA, Pearson 1901)", {"PCA": "principal component analysis"}),
        ("an angular margin based loss(AM-Loss)", {"AM-Loss": "angular margin based loss"}),
        ("MuCaNet: Multi Categorical Networks to learn\n", {"MuCaNet": "Multi Categorical Networks"}),
        ("by variational inference (VI)", {"VI": "variational inference"}),
        ("We propose Componential Prompt-Knowledge Alignment (KA-Prompt), a novel method.",
         {"KA-Prompt": "Componential Prompt-Knowledge Alignment"}),
        ("electroencephalography (EEG) signals", {"EEG": "electroencephalography"}),
        ("Kona stands for kernel on normalised attention.", {"Kona": "kernel on normalised attention"}),
        ("We present ALTI, short for Aggregation of Layer-wise Token Interactions.",
         {"ALTI": "Aggregation of Layer-wise Token Interactions"}),
        ("we call it MIL, i.e., multiple instance learning, which", {"MIL": "multiple instance learning"}),
        ("we introduce URMA, the Unified Robot Morphology Architecture.",
         {"URMA": "Unified Robot Morphology Architecture"}),
        ("a cooperative meta-learning framework dubbed CML which", {"CML": "cooperative meta-learning"}),
        ("codes via Tuned coMmon wOrds framework, named as TOM", {"TOM": "Tuned coMmon wOrds"}),
        ("TrajEctory and Shape-Aware graph nets (TeSA)", {"TeSA": "TrajEctory and Shape-Aware graph nets"}),
        ("We use oRdinal Codes for Tuned Images (TRIC).", {"TRIC": "oRdinal Codes for Tuned Images"}),
        ("SPEX: SParse EXplainer for models\nText.", {"SPEX": "SParse EXplainer"}),
        ("TACS: Taxonomy Adaptive Cross-Domain Semantic Segmentation\nText.",
         {"TACS": "Taxonomy Adaptive Cross-Domain Semantic Segmentation"}),
        ("CEHA: A Dataset of Conflict Events in the Horn of Africa\nText.",
         {"CEHA": "Conflict Events in the Horn of Africa"}),
        ("A robust bottleneck principle, Robust Spatial-Temporal Information Bottleneck (RSTIB), helps",
         {"RSTIB": "Robust Spatial-Temporal Information Bottleneck"}),
        ("Variants: hidden Markov model (HMM), and a hierarchical memory model (HMM).",
         {"HMM": "hierarchical memory model"}),
    ],
)  # fmt: skip
def test_ways_to_define_an_abbreviation(text: str, expected: dict[str, str]) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "We measure speed (Table 2), time (Fig. 3) and rank (Smith et al., 2020).",
        "The loss (lower is better) falls by 3 points (from 5 to 2).",
        "It ends here. Networks of neurons. (GNN)",
        "a GNN model (GNN)",
        "keys (K), queries (Q) and steps (2nd)",
        "Results: The model is good.",
        "Large models, BERT and GPT, work.",
        "It is large (however) and small (left).",
        "We use a convolutional network (right) and a graph (top).",
        "three biomedical BERTs (SciBERT, BioBERT, PubmedBERT) are used",
        "a convolution block “Conv(BN) + ReLU”",
        "a rate of O(dT2/3log(dT)) in theory",
        "as Ashtiani and Liaw [AL21] show",
        "In DST, the dialogue state is kept.",
        "a method termed Residual Quantization (TRQ)",
        "a framework called Contrastive Net (CCN)",
        "an NMI of 0.705 (0.431) on CIFAR-10 (CIFAR-100)",
    ],
)
def test_asides_are_no_abbreviations(text: str) -> None:
    assert pairs(text) == {}


def test_two_long_forms_of_one_short_form_are_both_given() -> None:
    text = "A hidden Markov model (HMM) and a hierarchical memory model (HMM); a hidden Markov model (HMM)."

    assert [found.long for found in find_abbreviations(text)] == [
        "hidden Markov model",
        "hierarchical memory model",
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        "(AB) ",
        "a (AB) ",
        "AB: a b ",
        "Ab, the a b ",
        "a-",
        "a a (AA) ",
        "(A, B, ",
        "A",
        " ",
        "A " * 20 + "(AAAAAAAA)",
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    started = time.process_time()

    find_abbreviations(text)

    assert time.process_time() - started < 5
