"""The project's own form: `NAME.gold.jsonl` or `NAME.jsonl`, and the abstracts in `NAME.text.jsonl`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from kg.annotations.base import Annotations, canonical
from kg.files import atomic_write
from kg.gold import AnnotatedPaper, read_annotations, read_texts, text_beside
from kg.schema import Rejected
from kg.store import plain

__all__ = ["read", "write", "write_lines"]


def write(papers: Sequence[AnnotatedPaper], path: Path) -> None:
    """Writes both files; raises ExportError."""
    write_lines(text_beside(path), (_text_record(item) for item in papers))
    write_lines(path, (canonical(item).gold.to_record() for item in papers))


def _text_record(item: AnnotatedPaper) -> dict[str, Any]:
    return {"id": item.gold.id, "title": item.paper.title, "abstract": item.paper.abstract}


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Writes records as JSON Lines, whole or not at all."""
    with atomic_write(path) as stream:
        for record in records:
            stream.write(orjson.dumps(plain(record), option=orjson.OPT_APPEND_NEWLINE))


def read(path: Path) -> Annotations:
    """Reads both files; an annotation without its abstract is rejected.

    Raises:
        InputError: one of the files cannot be read at all.
    """
    gold, texts = read_annotations(path), read_texts(text_beside(path))
    lost = [
        Rejected(str(path), None, f"paper {identity!r} is not in {text_beside(path).name}")
        for identity in gold.found
        if identity not in texts.found
    ]
    return Annotations(
        papers=[
            AnnotatedPaper(texts.found[identity], annotation)
            for identity, annotation in gold.found.items()
            if identity in texts.found
        ],
        rejected=[*texts.rejected, *gold.rejected, *lost],
    )
