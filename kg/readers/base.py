"""What every reader is made of: its entry in the table, what it returns, and how sure it is of a file.

To add a format, write a module with `sniff(head)` and `parse(source)`, make a `Reader` of them and put it
into the table of `kg.readers`; `docs/input-formats.md` shows one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from kg.readers.source import Source
from kg.schema import Paper, Rejected

__all__ = ["Confidence", "Place", "ReadResult", "Reader", "place_key"]

#: A file, and a line in it.
Place: TypeAlias = tuple[str, int | None]


class Confidence(IntEnum):
    """How sure a reader is, from the beginning of a file, that the file is of its format."""

    NO = 0
    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3


def place_key(paper: Paper) -> str:
    """The text by which a paper is found again in its file, also after it was merged with others."""
    return paper.abstract or paper.title or ""


@dataclass(slots=True)
class ReadResult:
    """What came out of one or several inputs, in their order.

    `papers` are unmerged, one for each record. `rejected` are records that could not be read, `warnings` are
    lines for the user about whole files (an encoding that was guessed, a file of a folder that was skipped).
    `places` says where a text stands first: the file and, where the format tells it, the line.
    """

    papers: list[Paper] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)

    def add(self, paper: Paper, *, file: str, line: int | None) -> None:
        """Appends a paper that was read at a place."""
        self.papers.append(paper)
        self.places.setdefault(place_key(paper), (file, line))

    def extend(self, other: ReadResult) -> None:
        """Appends all of another result."""
        self.papers.extend(other.papers)
        self.rejected.extend(other.rejected)
        self.warnings.extend(other.warnings)
        self.places = other.places | self.places


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One format: its name, the endings that break a tie, and its pair of functions.

    `sniff` sees the beginning of a file, decoded; `parse` gets the whole file and may raise
    `kg.errors.InputError` where nothing of it can be read.
    """

    name: str
    extensions: tuple[str, ...]
    sniff: Callable[[str], Confidence]
    parse: Callable[[Source], ReadResult]
