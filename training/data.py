"""Annotated abstracts as spaCy documents and as gold records.

The annotation lists surface strings; every occurrence of a string counts, longest first. `occurrences`
follows the guidelines that the annotators and the scorer share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from spacy.language import Language
from spacy.tokens import Doc, Span

from extractors.entities import inside_word
from extractors.text import clean

__all__ = ["Annotated", "gold_doc", "occurrences", "read_annotated"]


@dataclass(frozen=True)
class Annotated:
    """One annotated paper; `gold` holds entities, paper (roles), aliases and relations as annotated."""

    id: str
    title: str
    abstract: str
    gold: dict[str, Any]

    @property
    def text(self) -> str:
        """Title, newline, abstract: what offsets count in."""
        return f"{self.title}\n{self.abstract}"


def read_annotated(folder: Path, split: str) -> list[Annotated]:
    """The papers of a split: `SPLIT.text.jsonl` and `SPLIT.gold.jsonl` of the folder, joined by id."""
    gold = {item["id"]: item for item in _json_lines(folder / f"{split}.gold.jsonl")}
    return [
        Annotated(item["id"], item["title"] or "", item["abstract"], gold[item["id"]])
        for item in _json_lines(folder / f"{split}.text.jsonl")
        if item["id"] in gold
    ]


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as lines:
        yield from map(orjson.loads, lines)


def occurrences(text: str, surfaces: Iterable[tuple[str, str]]) -> dict[tuple[int, int], str]:
    """Where the surface strings stand: longest first, on word borders, none inside another.

    Returns (start, end) -> type.
    """
    taken = bytearray(len(text))
    found: dict[tuple[int, int], str] = {}
    for surface, label in sorted(surfaces, key=lambda pair: -len(pair[0])):
        if not surface.strip():
            continue
        for match in re.finditer(re.escape(surface), text):
            start, end = match.span()
            if inside_word(text, start) or inside_word(text, end) or any(taken[start:end]):
                continue
            taken[start:end] = b"\x01" * (end - start)
            found[start, end] = label
    return found


def gold_doc(nlp: Language, paper: Annotated) -> Doc:
    """The cleaned paper with its annotated mentions as entities; spans that cut a token are left out."""
    cleaned = clean(paper.text)
    doc = nlp.make_doc(cleaned.text)
    entities = [(surface, label) for surface, label in paper.gold["entities"]]
    spans: list[Span] = []
    for (start, end), label in sorted(occurrences(paper.text, entities).items()):
        span = doc.char_span(*cleaned.clean_span(start, end), label=label)
        if span is not None and not (spans and spans[-1].end > span.start):
            spans.append(span)
    doc.set_ents(spans)
    return doc
