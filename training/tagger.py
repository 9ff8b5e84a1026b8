"""Trains the tagger with spaCy: a convolutional token encoder and a transition-based entity recogniser."""

from __future__ import annotations

import shutil
from pathlib import Path

from spacy.cli.train import train

import extractors.tokens  # noqa: F401  (registers the tokenizer)

__all__ = ["train_tagger"]

_CONFIG = Path(__file__).with_name("ner.cfg")


def train_tagger(work: Path, output: Path, *, seed: int = 1) -> None:
    """Trains on `work/train.spacy`, keeps the best by `work/dev.spacy`, and copies it to `output/tagger`.

    spaCy writes its checkpoints to `work/tagger` after each evaluation.
    """
    overrides = {
        "paths.train": str(work / "train.spacy"),
        "paths.dev": str(work / "dev.spacy"),
        "system.seed": seed,
    }
    train(_CONFIG, work / "tagger", overrides=overrides)
    shutil.rmtree(output / "tagger", ignore_errors=True)
    shutil.copytree(work / "tagger" / "model-best", output / "tagger")
