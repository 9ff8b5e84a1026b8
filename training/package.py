"""Puts the shipped model together: thresholds, the precision of mentions, and `card.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from extractors.pipeline import assemble_pipeline, extract
from kg import evaluation
from kg.gold import Reading, read_readings, read_texts
from training.data import read_annotated
from training.thresholds import choose_thresholds, mention_precision

__all__ = ["evaluate", "package"]


def package(data: Path, output: Path, *, version: str) -> dict[str, Any]:
    """Chooses thresholds on the papers kept apart and writes the card; returns it."""
    card: dict[str, Any] = {"version": version, "mention_scores": {}}
    _write(output, card)
    choose_thresholds(output, data)
    nlp = assemble_pipeline(output)
    card["mention_scores"] = mention_precision(nlp, read_annotated(data / "annotated", "dev"))
    _write(output, card)
    return card


def _write(output: Path, card: dict[str, Any]) -> None:
    (output / "card.json").write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def evaluate(data: Path, output: Path, *, split: str = "dev") -> dict[str, dict[str, Any]]:
    """Precision, recall and F1 (per cent) of everything that is annotated; see `kg.evaluation`."""
    folder = data / "annotated"
    texts, gold = read_texts(folder / f"{split}.text.jsonl"), read_readings(folder / f"{split}.gold.jsonl")
    papers = [texts.found[identity] for identity in gold.found]
    found: dict[str, Reading] = {item.id: item for item in extract(papers, nlp=assemble_pipeline(output))}
    scores = evaluation.evaluate(texts.found, gold.found, found).scores
    return {figure: counts.to_record() for figure, counts in scores.items()}
