"""What a training run leaves behind, so that it can be stopped at any time: its state, and a log."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from kg.files import atomic_path

__all__ = ["LAST", "in_like_length", "log", "resume", "save"]

#: The file of the state.
LAST = "last.pt"


def save(folder: Path, done: int, parts: Mapping[str, Any]) -> None:
    """Keeps the state of each part (model, optimizer, schedule), and how many steps or epochs are done."""
    with atomic_path(folder / LAST) as part:
        torch.save({"done": done} | {name: item.state_dict() for name, item in parts.items()}, part)


def resume(folder: Path, parts: Mapping[str, Any]) -> int:
    """Gives each part the state that was kept; returns how much is done, 0 where nothing was kept."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / LAST).is_file():
        return 0
    kept = torch.load(folder / LAST, weights_only=True)
    for name, item in parts.items():
        item.load_state_dict(kept[name])
    return int(kept["done"])


def log(folder: Path, row: Mapping[str, Any]) -> None:
    """Adds a line to `log.jsonl`."""
    with (folder / "log.jsonl").open("a") as lines:
        lines.write(json.dumps(row) + "\n")


def in_like_length(
    lengths: Sequence[int], size: int, rng: random.Random, *, mixed: float
) -> Iterator[list[int]]:
    """Batches of indices of like length, in random order; each length counts with up to `mixed` more."""
    order = sorted(range(len(lengths)), key=lambda index: lengths[index] + rng.random() * mixed)
    starts = list(range(0, len(order), size))
    rng.shuffle(starts)
    for start in starts:
        yield order[start : start + size]
