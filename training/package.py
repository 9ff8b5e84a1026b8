"""Puts the shipped model together: thresholds, what scores are worth, and `card.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from extractors.calibration import AS_IT_IS
from extractors.pipeline import assemble_pipeline
from training.data import read_annotated
from training.thresholds import calibrate, choose_thresholds, judge, read_all, reliability

__all__ = ["package"]


def package(data: Path, output: Path, *, version: str) -> dict[str, Any]:
    """Chooses thresholds on the papers kept apart and writes the card; returns it."""
    papers = read_annotated(data / "annotated", "dev")
    card: dict[str, Any] = {"version": version, "roles": {}, "relations": 0.5}
    card["calibration"] = dict.fromkeys(("mentions", "roles", "relations"), AS_IT_IS)
    _write(output, card)
    read = read_all(assemble_pipeline(output), papers)
    card["roles"], card["relations"] = choose_thresholds(read)
    judged = judge(read)
    card["calibration"] = {name: calibrate(found) for name, found in judged.items()}
    card["reliability"] = {
        name: reliability(found, card["calibration"][name]) for name, found in judged.items()
    }
    _write(output, card)
    return card


def _write(output: Path, card: dict[str, Any]) -> None:
    (output / "card.json").write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", encoding="utf-8")
