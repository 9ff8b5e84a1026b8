"""Puts the shipped model together: thresholds, what scores are worth, and `card.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from extractors.calibration import AS_IT_IS
from extractors.pipeline import assemble_pipeline
from training.card import measure
from training.data import read_annotated
from training.thresholds import Judged, calibrate, choose_thresholds, judge, read_all, reliability

__all__ = ["package"]

#: How probable a name, or one plain word, may have to be.
_GRID = [round(0.02 * step, 2) for step in range(10, 31)]


def package(data: Path, output: Path, *, version: str) -> dict[str, Any]:
    """Chooses thresholds on the papers kept apart and writes the card; returns it.

    What the score of a mention is worth comes first: roles and relations are no surer than their names. Of
    thresholds that are equally good the strictest is taken: a wrong name costs more than a missing one.
    """
    papers = read_annotated(data / "annotated", "dev")
    card: dict[str, Any] = {"version": version, "mentions": 0.0, "words": 0.0, "roles": {}, "relations": 0.5}
    card["reliability"] = {}
    card["calibration"] = dict.fromkeys(("mentions", "roles", "relations"), AS_IT_IS)
    _write(output, card)
    _keep(card, judge(read_all(assemble_pipeline(output), papers)), "mentions")
    _write(output, card)
    read = read_all(assemble_pipeline(output), papers)
    card["roles"], card["relations"] = choose_thresholds(read)
    _keep(card, judge(read), "roles", "relations")
    for figure in ("words", "mentions"):
        worth = {least: _worth(data, output, card | {figure: least}) for least in _GRID}
        card[figure] = max(worth, key=lambda least: (round(worth[least], 3), least))
    _write(output, card)
    return card


def _worth(data: Path, output: Path, card: dict[str, Any]) -> float:
    """How well concepts and names are found with the card."""
    _write(output, card)
    scores = measure(data, output).scores
    return sum(scores[figure].f1 for figure in ("concepts4", "names4"))


def _keep(card: dict[str, Any], judged: dict[str, list[Judged]], *names: str) -> None:
    for name in names:
        points = card["calibration"][name] = calibrate(judged[name])
        card["reliability"][name] = reliability(judged[name], points)


def _write(output: Path, card: dict[str, Any]) -> None:
    (output / "card.json").write_text(json.dumps(card, indent=1, sort_keys=True) + "\n", encoding="utf-8")
