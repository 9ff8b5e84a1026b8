"""Puts the shipped model together: thresholds, the precision of mentions, and `card.json`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from extractors.pipeline import assemble_pipeline, extract
from kg.schema import Paper
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


def evaluate(data: Path, output: Path, work: Path, *, split: str = "dev") -> dict[str, dict[str, float]]:
    """Precision, recall and F1 (per cent) of everything that is annotated, by the annotators' scorer."""
    nlp = assemble_pipeline(output)
    papers = [
        Paper(title=item.title or None, abstract=item.abstract, source_ids=(item.id,))
        for item in read_annotated(data / "annotated", split)
    ]
    work.mkdir(parents=True, exist_ok=True)
    predicted = work / f"{split}.predicted.jsonl"
    with predicted.open("w", encoding="utf-8") as lines:
        for found in extract(papers, nlp=nlp):
            lines.write(json.dumps(found.to_record(), ensure_ascii=False) + "\n")
    texts, gold = (data / "annotated" / f"{split}.{kind}.jsonl" for kind in ("text", "gold"))
    scorer = data.parent / "tools" / "score.py"
    command = [sys.executable, *map(str, (scorer, texts, gold, predicted)), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    scores: dict[str, dict[str, float]] = json.loads(done.stdout)
    return {name: value for name, value in scores.items() if isinstance(value, dict)}
