"""Annotated abstracts as spaCy documents and as gold records.

Besides `annotated/`, everything that lies in `extra/` of the data folder (`NAME.gold.jsonl` with its
`NAME.text.jsonl`) is trained on, too.
"""

from __future__ import annotations

from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc, Span

from extractors.text import clean
from kg.annotations.json_lines import read
from kg.errors import InputError
from kg.gold import AnnotatedPaper, occurrences

__all__ = ["gold_doc", "read_annotated"]


def read_annotated(folder: Path, split: str) -> list[AnnotatedPaper]:
    """The papers of a split: `SPLIT.text.jsonl` and `SPLIT.gold.jsonl` of the folder, joined by id.

    To those of the train split the papers of `extra/` beside the folder are added.

    Raises:
        InputError: a file is missing, or a line of it is wrong.
    """
    extra = sorted((folder.parent / "extra").glob("*.gold.jsonl")) if split == "train" else []
    return [paper for path in (folder / f"{split}.gold.jsonl", *extra) for paper in _papers(path)]


def _papers(path: Path) -> list[AnnotatedPaper]:
    found = read(path)
    if found.rejected:
        raise InputError(str(found.rejected[0]), hint="Correct it: nothing is trained on half the data.")
    return found.papers


def gold_doc(nlp: Language, paper: AnnotatedPaper) -> Doc:
    """The cleaned paper with its annotated mentions as entities; spans that cut a token are left out."""
    cleaned = clean(paper.text)
    doc = nlp.make_doc(cleaned.text)
    spans: list[Span] = []
    for (start, end), label in occurrences(paper.text, paper.gold.entities).items():
        span = doc.char_span(*cleaned.clean_span(start, end), label=label.value)
        if span is not None and not (spans and spans[-1].end > span.start):
            spans.append(span)
    doc.set_ents(spans)
    return doc
