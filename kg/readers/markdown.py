"""Markdown lists of papers: headings, bullets, bold titles, tables, with links to paper and code.

A heading that names a venue sets it for the papers below. An entry begins at a heading that text follows, or
at a bullet or a bold line; what stands under it is its details and its abstract. A file with none of these is
a list of paragraphs, each an abstract. Emphasis and links inside an abstract stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import Context, add_record
from kg.readers.source import Source
from kg.readers.text import looks_like_authors
from kg.readers.values import code_addresses_in, one_line, venue_and_year

__all__ = ["READER", "parse", "sniff"]

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)$")
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$")
_BOLD = re.compile(r"(?:\*\*|__)(?P<title>[^*_].{2,400}?)(?:\*\*|__)(?P<rest>.*)$")
_LINK = re.compile(r"\[(?P<label>\[?[^\[\]]{0,400}\]?)\]\((?P<url>[^()\s]{0,2000})(?:\s[^()]{0,200})?\)")
_IMAGE = re.compile(r"!\[[^\[\]]{0,400}\]\([^()]{0,2000}\)")
_ITALIC = re.compile(r"(?<![*\w])(?:\*([^*\n]{3,2000})\*|_([^_\n]{3,2000})_)(?![*\w])")
_NOISE = re.compile(
    r"```|<!--|</?(?:details|summary|br|p|div)\b[^>]{0,200}>(?:\s*abstract\s*</summary>)?\s*$", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?:\*\*|__)?(title|authors?|abstract|tl;?dr|venue|conference|year|code|github|paper|pdf|arxiv|doi|url|link)"
    r"(?:(?:\*\*|__)\s*:|:\s*(?:\*\*|__)|:)\s*(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_CODE = re.compile(r"\b(?:codes?|github|gitlab|repo|repository|implementation|software)\b", re.IGNORECASE)
_PAPER = re.compile(r"\b(?:paper|pdf|arxiv|openreview|doi|abs|html|link|url|pmlr)\b", re.IGNORECASE)
_AROUND = " \t|,;:·•/()[]-–—&+"
_SENTENCE_WORDS = 30  # a longer head of a bullet is an abstract


@dataclass(slots=True)
class _Entry:
    """The lines of one paper, and the venue that holds for it."""

    line: int
    kind: str
    head: str
    context: Context
    body: list[str] = field(default_factory=list)


def sniff(head: str) -> Confidence:
    """Headings, a table, or bullets and bold lines most of which carry bold text or links."""
    lines = head.splitlines()[:400]
    headings = any(_HEADING.match(line) for line in lines)
    tables = any(map(_is_table_rule, lines))
    bullets = [line for line in lines if _BULLET.match(line)]
    marked = sum("**" in line or "](" in line for line in bullets)
    firsts = [line for before, line in pairwise(["", *lines]) if line.strip() and not before.strip()]
    bold = sum(bool(_BOLD.match(line)) for line in firsts)
    if headings or tables or (bullets and 2 * marked >= len(bullets)) or (bold and 2 * bold >= len(firsts)):
        return Confidence.LIKELY
    return Confidence.POSSIBLE if head.strip() else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper an entry or a row of a table, or, in a file without them, a paragraph."""
    result = ReadResult()
    entries = list(_entries(source.lines))
    listed = any(entry.kind != "paragraph" for entry in entries)
    outside = 0
    for entry in entries:
        if listed and entry.kind == "paragraph":
            outside += 1
            continue
        record = _row(entry) if entry.kind == "row" else _record(entry)
        add_record(result, record, file=source.name, line=entry.line, context=entry.context)
    if outside:
        result.warnings.append(
            f"{source.name}: {outside} paragraphs outside the entries of the list were left out"
        )
    return result


def _entries(lines: list[str]) -> Iterator[_Entry]:
    """Cuts the file into entries; a heading that names no paper ends the one before it."""
    level = _title_level(lines)
    context = Context()
    entry: _Entry | None = None
    header: str | None = None
    blank = True
    for number, line in enumerate(lines, 1):
        if not line.strip() or _NOISE.match(line.strip()):
            blank, header = True, None
            continue
        heading = _HEADING.match(line)
        if _is_table_rule(line):
            yield from [entry] if entry and blank else []
            header = None if blank or not entry else (entry.body or [entry.head])[-1] or None
            entry = None
            continue
        if heading:
            known = venue_and_year(heading[2])
            context = Context(*known) if known else context
            yield from [entry] if entry else []
            titled = len(heading[1]) == level and not known
            entry = _Entry(number, "heading", heading[2].rstrip("# "), context) if titled else None
        elif blank and (entry is None or entry.kind == "paragraph") and (known := venue_and_year(line)):
            yield from [entry] if entry else []
            context, entry = Context(*known), None
        elif kind := _begins(line, entry, header, blank):
            yield from [entry] if entry else []
            body = [header] if header else []
            entry = _Entry(number, kind, line, context, body)
        elif entry:
            entry.body.append(line)
        blank = False
    yield from [entry] if entry else []


def _is_table_rule(line: str) -> bool:
    return "--" in line and "|" in line and not line.strip("|-: \t")


def _title_level(lines: list[str]) -> int:
    """The level of the headings that are titles: the deepest, if text is right below most; else 0."""
    found = [(len(match[1]), index) for index, line in enumerate(lines) if (match := _HEADING.match(line))]
    level = max((depth for depth, _ in found), default=0)
    own = [index for depth, index in found if depth == level and not venue_and_year(lines[index].lstrip("#"))]
    below = [next((line for line in lines[index + 1 : index + 4] if line.strip()), "") for index in own]
    texts = [
        line
        for line in below
        if line and not (_HEADING.match(line) or _is_start(line) or line.startswith("|"))
    ]
    alone = level == 1 and len(own) == 1 and any(map(_is_start, lines))
    return level if texts and 2 * len(texts) >= len(own) and not alone else 0


def _is_start(line: str) -> bool:
    """Whether a line begins an entry by itself: a bullet or a bold title, no detail such as `**Code**: …`."""
    bullet = _BULLET.match(line)
    text = bullet[2] if bullet else line
    if _LABEL.match(text) or not _without_links(text):
        return bool(_LINK.match(text)) and not _is_named_link(text)
    return bool(bullet) or bool(_BOLD.match(line))


def _is_named_link(text: str) -> bool:
    match = _LINK.match(text)
    return match is not None and bool(_CODE.search(match["label"]) or _PAPER.search(match["label"]))


def _begins(line: str, entry: _Entry | None, header: str | None, blank: bool) -> str:
    """The kind of entry that a line begins; empty where it goes on with the one before."""
    if header is not None:
        return "row"
    if entry and entry.kind == "heading":
        return ""
    indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    if _is_start(line) and (indent < 2 or entry is None):
        return "item"
    if entry is None or entry.kind == "row" or (entry.kind == "paragraph" and blank):
        return "paragraph"
    return ""


def _record(entry: _Entry) -> dict[str, Any]:
    record: dict[str, Any] = {"url": [], "code": []}
    lines = list(entry.body)
    if entry.kind == "heading":
        record["title"] = _linked(entry.head, record)
    elif entry.kind == "item":
        bullet = _BULLET.match(entry.head)
        lines[:0] = _head(bullet[2] if bullet else entry.head, record)
    else:
        lines.insert(0, entry.head)
    abstract = [text for line in lines if (text := _detail(line, record, entry.kind)) is not None]
    return record | {"abstract": "\n".join(abstract).strip()}


def _head(text: str, record: dict[str, Any]) -> list[str]:
    """Takes the title off the first line of an item; what is left goes on as a line of its own."""
    bold = _BOLD.match(text)
    if bold:
        record["title"] = _linked(bold["title"], record).rstrip(".:")
        return _remainder(bold["rest"], record)
    link = _LINK.match(text)
    if link and not _is_named_link(text):
        record["title"] = _linked(link[0], record)
        return _remainder(text[link.end() :], record)
    if len(_without_links(text).split()) > _SENTENCE_WORDS:
        return [text]
    marks = [
        match.start() for match in (_LINK.search(text), _IMAGE.search(text), _ITALIC.search(text)) if match
    ]
    end = min((mark for mark in marks if mark), default=len(text))
    record["title"] = _linked(text[:end], record).strip(_AROUND)
    return _remainder(text[end:], record)


def _remainder(text: str, record: dict[str, Any]) -> list[str]:
    """What follows a title on its line: links, authors in italics, a venue, or a description."""
    for match in _ITALIC.finditer(_LINK.sub("", text)):
        _person_or_venue(match[1] or match[2], record)
    rest = _ITALIC.sub("", _take_links(text, record)).strip(_AROUND + ".")
    parts = [part.strip(_AROUND + ".") for part in re.split(r"\.\s|\s[-–—|]\s", rest)]
    unknown = [part for part in parts if part and not _person_or_venue(part, record, sure=False)]
    return [" ".join(unknown)] if len(" ".join(unknown).split()) > 4 else []


def _detail(line: str, record: dict[str, Any], kind: str) -> str | None:
    """A line below a title: the line if it belongs to the abstract, None if it was a detail."""
    text = line.strip().removeprefix(">").strip()
    if kind == "paragraph":
        return text
    bullet = _BULLET.match(text)
    text = bullet[2] if bullet else text
    label = _LABEL.match(text)
    if label:
        return _labelled(label[1].casefold(), label[2], record)
    if not _without_links(text):
        _take_links(text, record)
        return None
    if _is_byline(text, record):
        return None
    if "authors" not in record and looks_like_authors(text):
        record["authors"] = text
        return None
    return text


def _is_byline(text: str, record: dict[str, Any]) -> bool:
    """Takes a line of authors in italics, with a venue after them or not."""
    italic = _ITALIC.match(text)
    if italic is None:
        return False
    rest = text[italic.end() :].strip(_AROUND + ".")
    if rest and not venue_and_year(rest):
        return False
    return _person_or_venue(italic[1] or italic[2], record) and (not rest or _person_or_venue(rest, record))


def _labelled(name: str, value: str, record: dict[str, Any]) -> str | None:
    if name in {"abstract", "tl;dr", "tldr"}:
        return value
    if name in {"code", "github"}:
        record["code"].append(_LINK.sub(r"\g<url>", value))
    elif name in {"paper", "pdf", "url", "link", "arxiv", "doi"}:
        target = _LINK.sub(r"\g<url>", value)
        record["url"].append(target)
        record[name] = target
    else:
        record[name] = _LINK.sub(r"\g<label>", value)
    return None


def _person_or_venue(text: str, record: dict[str, Any], *, sure: bool = True) -> bool:
    """Takes a text as venue or authors; unless `sure`, authors must look like names."""
    known = venue_and_year(text)
    if known:
        record["venue"], record["year"] = known
        return True
    prose = len(text) > 2000 or text.removesuffix("et al.").rstrip().endswith((".", "?", "!"))
    if "authors" in record or prose or not (sure or looks_like_authors(text)):
        return False
    record["authors"] = text
    return True


def _without_links(text: str) -> str:
    """What is left of a line without its links and what stands between them."""
    return _LINK.sub("", _IMAGE.sub("", text)).strip(_AROUND + ".*")


def _take_links(text: str, record: dict[str, Any]) -> str:
    """Puts the links of a line into the record and returns the line without them."""
    text = _IMAGE.sub("", text)
    for match in _LINK.finditer(text):
        label, url = match["label"], match["url"]
        if _CODE.search(label) or (not _PAPER.search(label) and code_addresses_in(url)):
            record["code"].append(url)
        elif _PAPER.search(label):
            record["url"].append(url)
    return _LINK.sub("", text)


def _linked(text: str, record: dict[str, Any]) -> str:
    """A title without its link, whose target is the paper's address."""
    for match in _LINK.finditer(text):
        if not _is_named_link(match[0]):
            record["url"].append(match["url"])
    plain = _LINK.sub(lambda match: "" if _is_named_link(match[0]) else match["label"], text)
    if plain != text:
        _take_links("".join(match[0] for match in _LINK.finditer(text) if _is_named_link(match[0])), record)
    return one_line(plain).strip("* ")


def _row(entry: _Entry) -> dict[str, Any]:
    """A row of a table under its header; a linked title gives the paper's address."""
    names, cells = _cells(entry.body[0]), _cells(entry.head)
    record: dict[str, Any] = {"url": [], "code": []}
    for name, cell in zip(names, cells, strict=False):
        key = _LINK.sub(r"\g<label>", name).strip("*_ ").casefold()
        if key in {"code", "github", "repo", "repository", "paper link", "pdf", "link", "links", "url"}:
            _take_links(cell, record)
        elif key in {"title", "paper", "name"}:
            record["title"] = _linked(cell, record)
        else:
            record[key] = _LINK.sub(r"\g<label>", cell)
    return record


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))]


READER = Reader(name="markdown", extensions=(".md", ".markdown"), sniff=sniff, parse=parse)
