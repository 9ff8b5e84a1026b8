"""Parts of a name: head, version, words."""

from __future__ import annotations

import pytest

from kg.folding import has_name_letters
from kg.heads import families, is_capitalised, is_procedure, loose_key, without_head
from kg.schema import ConceptType


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("Method", "BERT model", "BERT"),
        ("Method", "Adam optimizer", "Adam"),
        ("Method", "BERT-models", "BERT"),
        ("Method", "gradient descent algorithms", "gradient descent"),
        ("Method", "deep learning method", "deep learning"),
        ("Method", "deep learning models", None),
        ("Method", "Gaussian model", None),
        ("Method", "novel model", None),
        ("Method", "model", None),
        ("Method", "ImageNet dataset", None),
        ("Dataset", "ImageNet Data Set", "ImageNet"),
        ("Metric", "F1-score", "F1"),
        ("Task", "node classification task", "node classification"),
        ("Term", "BERT model", None),
    ],
)
def test_without_head(kind: str, name: str, expected: str | None) -> None:
    assert without_head(name, ConceptType(kind)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gradient descent algorithm", True),
        ("genetic algorithm", False),
        ("sublinear classical algorithm", False),
        ("large language model", False),
    ],
)
def test_is_procedure(name: str, expected: bool) -> None:
    assert is_procedure(name) is expected


@pytest.mark.parametrize(
    ("name", "letters", "capitals"),
    [
        ("BERT", True, True),
        ("k2", True, False),
        ("Star Attention", False, True),
        ("beam Search", False, False),
    ],
)
def test_what_makes_a_name_a_proper_one(name: str, letters: bool, capitals: bool) -> None:
    assert (has_name_letters(name), is_capitalised(name)) == (letters, capitals)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("convolutional neural network", "Convolution Neural Networks", True),
        ("generative adversarial net", "generative adversarial network", True),
        ("bag of words", "bag-of-word", True),
        ("contrastive learning", "continual learning", False),
        ("general language model", "generative language model", False),
        ("machine translation", "multi-task learning", False),
    ],
)
def test_loose_key(one: str, other: str, same: bool) -> None:
    assert (loose_key(one) == loose_key(other)) is same


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GPT-4", ("GPT",)),
        ("GPT-4o", ("GPT",)),
        ("GPT-3.5", ("GPT",)),
        ("GPT4", ("GPT",)),
        ("ResNet-50", ("ResNet",)),
        ("Llama 2", ("Llama",)),
        ("Llama-3-8B-Instruct", ("Llama-3-8B", "Llama-3", "Llama")),
        ("Qwen2.5-7B", ("Qwen2.5", "Qwen")),
        ("YOLOv3", ("YOLO",)),
        ("BERT-base", ("BERT",)),
        ("T5-11B", ("T5",)),
        ("ViT-B", ("ViT",)),
        ("CIFAR-10", ("CIFAR",)),
        ("MIMIC-III", ("MIMIC",)),
        ("wav2vec 2.0", ()),
        ("TD3", ()),
        ("S4", ()),
        ("F1", ()),
        ("Task 1", ()),
        ("top-5", ()),
        ("RNN-T", ()),
        ("graph neural network", ()),
    ],
)
def test_families(name: str, expected: tuple[str, ...]) -> None:
    assert families(name) == expected
