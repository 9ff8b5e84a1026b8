"""Plain text: abstracts parted by blank lines, with or without titles, wrapped or one to a line.

A line that names only a venue and perhaps a year ("ICML 2025 Papers") gives both to the papers below it.
A title is told from a wrapped line by the break after it: a writer who wraps lines breaks only where the next
word would not fit, so that a line which ends early, without a full stop, stands for itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import Context, add_record
from kg.readers.source import Source
from kg.readers.values import split_names, venue_and_year

__all__ = ["READER", "looks_like_authors", "looks_like_title", "parse", "sniff"]

_RULE = re.compile(r"\s*(?:[-=_*~#]\s*){3,}$")
_SENTENCE_END = re.compile(r"[.;:,。；，：][\"'”’)\]]*$")
_SENTENCE_BREAK = re.compile(r"[a-z]{3}[.] [A-Z]\w* [a-z]")
_PROSE = re.compile(r"(?:we|our|in this|this (?:paper|work|article)|the authors?) ", re.IGNORECASE)
_PERSON = re.compile(r"[^\W\d_a-z][\w.'’-]*(?: [\w.'’-]+){1,4}$")
_LABEL = re.compile(r"(title|abstract|authors?)\s*[:：]\s*", re.IGNORECASE)

_MIN_WIDTH = 60  # nobody wraps at less, so a break in a shorter line is meant
_MAX_WIDTH = 130  # nor at more: a longer line is a paragraph
_RAGGED = 0.85  # how full a line is at least that was wrapped by hand
_LONG_TITLE = 250
_LONG_PARAGRAPH = 300


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines without a blank one among them, where they start, and what the header above them said."""

    line: int
    lines: tuple[str, ...]
    context: Context

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


class _Wrap(NamedTuple):
    """A break is forced in a line up to `most` long that the next word would carry beyond `least`."""

    least: float
    most: float


def sniff(head: str) -> Confidence:
    """Any text may be a list of abstracts."""
    return Confidence.POSSIBLE if head.strip() else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper a block of lines, or one a line where a file has no blank lines; never rejects."""
    result = ReadResult()
    blocks = list(_blocks(source.lines))
    if len({block.line for block in blocks}) == 1:
        blocks = _one_a_line(blocks[0])
    for line, record, context in _records(blocks):
        add_record(result, record, file=source.name, line=line, context=context)
    return result


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    """Blocks between blank lines and rules; a header line is taken out and sets the context."""
    context = Context()
    block: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        blank = not line.strip() or _RULE.match(line)
        known = None if block or blank else venue_and_year(line)
        if known:
            context = Context(*known)
        elif not blank:
            block.append(line.rstrip())
        elif block:
            yield _Block(number - len(block), tuple(block), context)
            block = []


def _one_a_line(block: _Block) -> list[_Block]:
    """The lines of a file's only block as blocks, where each line stands for itself."""
    lines = block.lines
    titles = sum(map(looks_like_title, lines)) >= 0.8 * len(lines) and max(map(len, lines)) <= _LONG_TITLE
    long = all(len(line) >= _LONG_PARAGRAPH for line in lines)
    pairs = len(lines) > 2 and _alternates(lines)
    if not (pairs or long or (titles and not _is_wrapped(lines))):
        return [block]
    return [_Block(block.line + index, (line,), block.context) for index, line in enumerate(lines)]


def _is_wrapped(lines: Sequence[str]) -> bool:
    width = max(*map(len, lines), _MIN_WIDTH)
    return width <= _MAX_WIDTH and _share_forced([lines], _Wrap(_RAGGED * width, width)) >= 0.8


def _share_forced(blocks: Sequence[Sequence[str]], wrap: _Wrap) -> float:
    forced = [_is_forced(line, after, wrap) for lines in blocks for line, after in pairwise(lines)]
    return sum(forced) / max(1, len(forced))


def _is_forced(line: str, after: str, wrap: _Wrap) -> bool:
    """Whether the first word of the next line would not have fitted into this one."""
    return len(line) <= wrap.most and len(line) + 1 + len(after.split()[0]) > wrap.least


def _wrap_of(blocks: Sequence[_Block]) -> _Wrap:
    """How the lines below the first of each block are broken: exactly, as a program does, or by hand."""
    several = [block.lines[1:] for block in blocks if len(block.lines) > 2]
    texts = [lines for lines in several if max(map(len, lines)) <= _MAX_WIDTH]
    widths = sorted(max(map(len, lines)) for lines in texts)
    if not widths:
        return _Wrap(math.inf, 0)
    exact = _Wrap(max(widths[-1], _MIN_WIDTH), max(widths[-1], _MIN_WIDTH))
    if _share_forced(texts, exact) >= 0.9:
        return exact
    middle = max(widths[len(widths) // 2], _MIN_WIDTH)
    return _Wrap(_RAGGED * middle, middle / _RAGGED)


def _alternates(texts: Sequence[str]) -> bool:
    """Whether titles and longer texts take turns."""
    pairs = list(zip(texts[::2], texts[1::2], strict=False))
    return len(texts) % 2 == 0 and all(
        looks_like_title(title) and not looks_like_title(text) and len(text) > 1.5 * len(title)
        for title, text in pairs
    )


def looks_like_title(text: str) -> bool:
    """Whether a text can be a title: short, begun like one and not a sentence."""
    text = text.strip()
    if not text or len(text) > _LONG_TITLE or len(text.split()) > 30 or text.split()[0].islower():
        return False
    return not (_SENTENCE_END.search(text) or _PROSE.match(text) or _SENTENCE_BREAK.search(text))


def looks_like_authors(text: str) -> bool:
    """Whether a line is a list of two or more names."""
    names = [name.strip(" *†‡0123456789") for name in split_names(text[:2000])]
    return len(names) > 1 and all(_PERSON.match(name) for name in names)


def _records(blocks: list[_Block]) -> Iterator[tuple[int, dict[str, str], Context]]:
    if len(blocks) > 1 and _alternates([block.text for block in blocks]):
        for title, text in zip(blocks[::2], blocks[1::2], strict=True):
            yield title.line, {"title": title.text, "abstract": _unlabelled(text.text)}, title.context
        return
    wrap = _wrap_of(blocks)
    several = [block for block in blocks if len(block.lines) > 1]
    titled = sum(_title_lines(block.lines, wrap) > 0 for block in several)
    for block in blocks:
        yield block.line, _record(block, wrap, titled=2 * titled > len(several)), block.context


def _title_lines(lines: Sequence[str], wrap: _Wrap) -> int:
    """How many lines of a block are its title: those before the first break that was not forced."""
    for count in range(1, min(4, len(lines))):
        if not _is_forced(lines[count - 1], lines[count], wrap):
            starts_low = lines[count][:1].islower()
            return 0 if starts_low or not looks_like_title(" ".join(lines[:count])) else count
    return 0


def _record(block: _Block, wrap: _Wrap, *, titled: bool) -> dict[str, str]:
    if len(block.lines) == 1:
        return {"title" if looks_like_title(block.text) else "abstract": _unlabelled(block.text)}
    count = _title_lines(block.lines, wrap) if titled else 0
    if titled and not count and looks_like_title(block.lines[0]) and not block.lines[1][:1].islower():
        count = 1  # a title that happens to fill its line
    label = _LABEL.match(block.lines[0])
    if label and label[1].casefold() == "title":
        count = max(count, 1)
    record = {"title": _unlabelled(" ".join(block.lines[:count]))}
    rest = block.lines[count:]
    if count and len(rest) > 1 and _names_authors(rest[0]):
        record["authors"] = _unlabelled(rest[0])
        rest = rest[1:]
    return record | {"abstract": _unlabelled("\n".join(rest).strip())}


def _names_authors(line: str) -> bool:
    label = _LABEL.match(line)
    return looks_like_authors(line) if label is None else label[1].casefold().startswith("author")


def _unlabelled(text: str) -> str:
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


READER = Reader(name="text", extensions=(".txt", ".text"), sniff=sniff, parse=parse)
