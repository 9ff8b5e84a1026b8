"""From annotated abstracts to spaCy's binary documents."""

from __future__ import annotations

from pathlib import Path

import spacy
from spacy.tokens import DocBin

from extractors.tokens import make_tokenizer
from training.data import gold_doc, read_annotated

__all__ = ["prepare"]


def prepare(data: Path, work: Path) -> dict[str, int]:
    """Writes `train.spacy` and `dev.spacy` to the work folder; returns the number of documents of each."""
    nlp = spacy.blank("en")
    nlp.tokenizer = make_tokenizer(nlp)
    work.mkdir(parents=True, exist_ok=True)
    counts = {}
    for split in ("train", "dev"):
        docs = [gold_doc(nlp, paper) for paper in read_annotated(data / "annotated", split)]
        DocBin(docs=docs).to_disk(work / f"{split}.spacy")
        counts[split] = len(docs)
    return counts
