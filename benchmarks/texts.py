"""Papers to measure with: those of a file, or the seeds in as many variations as are asked for."""

from __future__ import annotations

import gzip
import json
import re
import string
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, cast

__all__ = ["papers", "write_list"]

_SEEDS = Path(__file__).resolve().parents[1] / "seeds" / "papers.jsonl"
_NAME = re.compile(r"\b[A-Z]\w*[A-Z]\w*\b")
#: What would make a variation the paper that it was made of.
_IDENTITY = ("id", "doi", "arxiv_id", "url", "code")


def papers(number: int, source: Path | None = None) -> list[dict[str, Any]]:
    """So many records: the first ones of a JSON Lines file (plain or `.gz`), else variations of the seeds.

    Raises:
        ValueError: the file has fewer.
    """
    with _opened(source or _SEEDS) as lines:
        given = [json.loads(line) for line in (islice(lines, number) if source else lines)]
    found = given if source else list(islice(_varied(given), number))
    if len(found) < number:
        raise ValueError(f"{source} has {len(found):,} papers, not {number:,}")
    return found


def write_list(records: list[dict[str, Any]], path: Path) -> None:
    """Writes records as JSON Lines."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def _opened(path: Path) -> IO[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    return cast(IO[str], opener(path, "rt", encoding="utf-8"))


def _varied(given: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each paper again and again: under another id, with another title and another name in its abstract."""
    for turn in count():
        for index, record in enumerate(given):
            kept = {name: value for name, value in record.items() if name not in _IDENTITY}
            title, abstract = (_renamed(record[name], turn) for name in ("title", "abstract"))
            told = f"{abstract} This is variation {turn} of record {index}."
            yield {**kept, "id": f"{turn}-{index}", "title": f"{title}, {turn}", "abstract": told}


def _renamed(text: str, turn: int) -> str:
    """The text with letters at the end of the first name in it."""
    letters = "".join(string.ascii_lowercase[int(digit)] for digit in str(turn))
    return _NAME.sub(rf"\g<0>{letters}", text, count=1) if turn else text
