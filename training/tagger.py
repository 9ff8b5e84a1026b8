"""Trains the tagger with spaCy: a convolutional token encoder and a transition-based entity recogniser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import spacy
from spacy.cli.train import train

import extractors.tokens  # noqa: F401  (registers the tokenizer)

__all__ = ["strip_tagger", "train_tagger"]

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
    strip_tagger(work / "tagger" / "model-best", output / "tagger")


def strip_tagger(trained: Path, output: Path) -> None:
    """Writes a trained pipeline without what reading does not need: words seen in training, paths, scores.

    The tokenizer is left out as well: it comes from the code, so that the two cannot differ.
    """
    nlp = spacy.load(trained)
    nlp.config["paths"].update(dict.fromkeys(nlp.config["paths"]))
    for key in ("performance", "spacy_git_version"):
        nlp.meta.pop(key, None)
    shutil.rmtree(output, ignore_errors=True)
    nlp.to_disk(output, exclude=["tokenizer", "vocab"])
    meta = json.loads((output / "meta.json").read_text(encoding="utf-8"))
    meta |= {"name": "paperkg", "spacy_version": ">=3.8,<3.9"}
    (output / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
