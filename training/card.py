"""Writes the measured part of the model card: scores with intervals, and what a score is worth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from extractors.pipeline import assemble_pipeline, extract
from kg.evaluation import Evaluation, evaluate
from kg.gold import Reading, read_readings, read_texts

__all__ = ["measure", "write_card"]

_BLOCK = re.compile(r"(<!-- measured -->\n).*?(<!-- end -->)", re.DOTALL)
_NAMES = {
    "mentions4": "mentions of Method, Task, Dataset, Metric",
    "mentions": "mentions of all five types",
    "concepts4": "concepts of the four types (type and name)",
    "names4": "names of the four types, whatever the type",
    "relations": "relations (head, relation, tail)",
    "relation pairs": "pairs of related names, whatever the relation",
    "code": "addresses of the paper's code",
}


def measure(data: Path, model: Path, *, split: str = "dev") -> Evaluation:
    """Reads the annotated papers of a split with the model of a folder, and compares."""
    folder = data / "annotated"
    texts, gold = read_texts(folder / f"{split}.text.jsonl"), read_readings(folder / f"{split}.gold.jsonl")
    papers = [texts.found[identity] for identity in gold.found]
    found: dict[str, Reading] = {item.id: item for item in extract(papers, nlp=assemble_pipeline(model))}
    return evaluate(texts.found, gold.found, found)


def write_card(data: Path, model: Path) -> None:
    """Replaces what stands between the marks of the card, `README.md` of the model's folder."""
    path = model / "README.md"
    measured = "\n".join((*_scores(measure(data, model)), "", *_reliability(model)))
    text = _BLOCK.sub(lambda match: f"{match[1]}{measured}\n{match[2]}", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def _scores(found: Evaluation) -> Iterator[str]:
    yield "| | P | R | F1 | 95 % interval of F1 | annotated |"
    yield "|---|---|---|---|---|---|"
    intervals = found.intervals()
    for figure, counts in found.scores.items():
        low, high = intervals[figure]["F1"]
        row = counts.to_record()
        name = _NAMES.get(figure, figure.replace(":", ": "))
        yield f"| {name} | {row['P']} | {row['R']} | {row['F1']} | {low} to {high} | {row['gold']:,} |"


def _reliability(model: Path) -> Iterator[str]:
    card = json.loads((model / "card.json").read_bytes())
    yield "| what | scores from | how many | mean score | share that is right |"
    yield "|---|---|---|---|---|"
    for name, rows in card["reliability"].items():
        for row in rows:
            yield f"| {name} | {row['from']} | {row['n']:,} | {row['score']:.2f} | {row['right']:.2f} |"
