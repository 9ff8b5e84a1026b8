"""Settles the types of names: those of the seed vocabulary, and those that annotators agree on."""

from __future__ import annotations

import json
import tomllib
from collections import Counter, defaultdict
from importlib.resources import files
from pathlib import Path

from kg.folding import name_key
from kg.gold import AnnotatedPaper
from training.data import read_annotated

__all__ = ["settle_types", "settled"]

_PAPERS = 3
_AGREEMENT = 0.8


def settled(papers: list[AnnotatedPaper]) -> dict[str, str]:
    """Key -> type of the names that at least three papers hold and that four in five of them type alike."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for paper in papers:
        for key, kind in {(name_key(surface), kind.value) for surface, kind in paper.gold.entities}:
            votes[key][kind] += 1
    found = {}
    for key, counts in votes.items():
        (kind, count), *_ = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if counts.total() >= _PAPERS and count >= _AGREEMENT * counts.total():
            found[key] = kind
    return found


def vocabulary() -> dict[str, str]:
    """Key -> type of the names of the seed vocabulary."""
    sections = tomllib.loads((files("seeds") / "vocabulary.toml").read_text(encoding="utf-8"))
    return {
        name_key(form): section.capitalize()
        for section, names in sections.items()
        for name, aliases in names.items()
        for form in (name, *aliases)
    }


def settle_types(data: Path, output: Path) -> None:
    """Writes `types.json`: type -> sorted keys; the vocabulary wins."""
    types = settled(read_annotated(data / "annotated", "train")) | vocabulary()
    stored: dict[str, list[str]] = defaultdict(list)
    for key, kind in sorted(types.items()):
        stored[kind].append(key)
    text = json.dumps(stored, ensure_ascii=False, sort_keys=True, indent=0)
    (output / "types.json").write_text(text + "\n", encoding="utf-8")
