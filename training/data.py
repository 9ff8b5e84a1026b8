"""Annotated abstracts as spaCy documents and as gold records.

Besides `annotated/`, everything that lies in `extra/` of the data folder (`NAME.gold.jsonl` with its
`NAME.text.jsonl`) is trained on, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from extractors.text import clean
from kg.annotations.json_lines import read
from kg.errors import InputError
from kg.gold import occurrences

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
    """The papers of a split: `SPLIT.text.jsonl` and `SPLIT.gold.jsonl` of the folder, joined by id.

    To those of the train split the papers of `extra/` beside the folder are added.

    Raises:
        InputError: a file is missing, or a line of it is wrong.
    """
    extra = sorted((folder.parent / "extra").glob("*.gold.jsonl")) if split == "train" else []
    return [paper for path in (folder / f"{split}.gold.jsonl", *extra) for paper in _papers(path)]


def _papers(path: Path) -> list[Annotated]:
    found = read(path)
    if found.rejected:
        raise InputError(str(found.rejected[0]), hint="Correct it: nothing is trained on half the data.")
    return [
        Annotated(item.gold.id, item.paper.title or "", item.paper.abstract, item.gold.to_record())
        for item in found.papers
    ]


def gold_doc(nlp: Language, paper: Annotated) -> Doc:
    """The cleaned paper with its annotated mentions as entities; spans that cut a token are left out."""
    cleaned = clean(paper.text)
    doc = nlp.make_doc(cleaned.text)
    entities = [(surface, label) for surface, label in paper.gold["entities"]]
    spans: list[Span] = []
    for (start, end), label in occurrences(paper.text, entities).items():
        span = doc.char_span(*cleaned.clean_span(start, end), label=label)
        if span is not None and not (spans and spans[-1].end > span.start):
            spans.append(span)
    doc.set_ents(spans)
    return doc
