"""XML: Atom and RSS 2.0 feeds as arXiv gives them, and OAI-PMH with arXiv's own metadata or Dublin Core.

Parsed with defusedxml: entities and external references are refused. What stands before a broken place is
kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from kg.errors import InputError
from kg.readers.base import Confidence, Reader, ReadResult
from kg.readers.fields import add_record
from kg.readers.source import Source
from kg.schema import Rejected

__all__ = ["READER", "parse", "sniff"]

_KNOWN = re.compile(r"<(?:\w+:)?(?:feed|entry|rss|OAI-PMH|ListRecords|GetRecord)[\s>]")
_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")
_HINT = "the formats are arXiv's Atom and RSS feeds, and OAI-PMH with arXiv, arXivRaw or oai_dc metadata"


def sniff(head: str) -> Confidence:
    """The first character opens a tag."""
    if not head.lstrip().startswith("<"):
        return Confidence.NO
    if _KNOWN.search(head):
        return Confidence.CERTAIN
    return Confidence.LIKELY if head.lstrip().startswith(("<?xml", "<!DOCTYPE")) else Confidence.NO


def parse(source: Source) -> ReadResult:
    """One paper an entry or item of the feed, or record of the answer.

    Raises:
        InputError: The file defines entities, or is no XML of the known kinds.
    """
    result = ReadResult()
    notes: dict[str, str] = {}
    count = 0
    try:
        for element in _elements(source, notes):
            count += 1
            _add(result, element, source.name, count)
    except DefusedXmlException as error:
        raise InputError(f"{source.name}: refused, the XML defines entities ({error})", hint=_HINT) from error
    except ParseError as error:
        if not count and not notes:
            raise InputError(f"{source.name}: broken XML ({error})", hint=_HINT) from error
        line = error.position[0]
        result.rejected.append(Rejected(source.name, line, f"broken XML, the rest is lost ({error})"))
    if not count and not notes:
        raise InputError(f"{source.name}: XML of an unknown kind", hint=_HINT)
    result.warnings += _said(notes, count, source.name)
    return result


def _elements(source: Source, notes: dict[str, str]) -> Iterator[Element]:
    """Entries, items and records in their order; what the file says about itself goes into the notes."""
    declared = _DECLARATION.match(source.data)
    start = declared.end() if declared else 0  # it may name the encoding that the file had before
    data = b"\n" * source.data.count(b"\n", 0, start) + source.data[start:]
    for _, element in iterparse(BytesIO(data)):
        name = _name(element)
        if name in {"entry", "item", "record"}:
            yield element
            element.clear()
        elif name in {"feed", "rss", "ListRecords", "GetRecord", "OAI-PMH", "totalResults", "error"}:
            notes[name] = _text(element)


def _said(notes: dict[str, str], count: int, file: str) -> list[str]:
    said = []
    if not count and notes.get("totalResults", "0") != "0":
        said.append(f"{file}: the feed holds 0 papers, though its totalResults says {notes['totalResults']}")
    if "error" in notes:
        said.append(f"{file}: the server answered: {notes['error']}")
    if not count and not said:
        said.append(f"{file}: no papers in it")
    return said


def _add(result: ReadResult, element: Element, file: str, count: int) -> None:
    header = next((child for child in element if _name(child) == "header"), None)
    if header is not None and header.get("status") == "deleted":
        return
    before = len(result.rejected)
    record = _oai(element) if _name(element) == "record" else _feed(element)
    add_record(result, record, file=file, line=None)
    for index in range(before, len(result.rejected)):
        item = result.rejected[index]
        result.rejected[index] = Rejected(item.file, None, f"item {count}: {item.reason}")


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


def _texts(element: Element) -> dict[str, list[str]]:
    """The texts of all elements below, by name."""
    texts: dict[str, list[str]] = {}
    for child in element.iter():
        texts.setdefault(_name(child), []).append(_text(child) if _name(child) != "author" else "")
    return texts


def _feed(entry: Element) -> dict[str, Any]:
    texts = {_name(child): _text(child) for child in reversed(entry)}
    links = {
        (link.get("title") or link.get("rel") or "alternate"): link.get("href")
        for link in entry.iter()
        if _name(link) == "link"
    }
    return {
        "id": texts.get("id") or texts.get("guid"),
        "title": texts.get("title"),
        "abstract": texts.get("summary") or texts.get("description") or texts.get("content"),
        "authors": _feed_authors(entry),
        "published": texts.get("published") or texts.get("updated") or texts.get("pubDate"),
        "doi": texts.get("doi") or texts.get("DOI") or links.get("doi"),
        "journal-ref": texts.get("journal_ref") or texts.get("journal_reference"),
        "comment": texts.get("comment"),
        "url": links.get("alternate") or texts.get("link") or texts.get("id"),
    }


def _feed_authors(entry: Element) -> list[str]:
    """Atom's authors, else Dublin Core's: arXiv's daily lists name all in one, "First Last, First Last"."""
    authors = [_child(child, "name") for child in entry if _name(child) == "author"]
    creators = [_text(child) for child in entry if _name(child) == "creator"]
    if _child(entry, "announce_type"):
        creators = [creator.replace(", ", "; ") for creator in creators]
    return [author for author in authors if author] or creators


def _child(element: Element, name: str) -> str:
    return next((_text(child) for child in element if _name(child) == name), "")


def _oai(record: Element) -> dict[str, Any]:
    metadata = next((child for child in record if _name(child) == "metadata"), record)
    texts = _texts(metadata)
    return _dublin_core(texts) if "creator" in texts or "description" in texts else _arxiv(metadata, texts)


def _arxiv(metadata: Element, texts: dict[str, list[str]]) -> dict[str, Any]:
    parsed = [
        [_child(author, "keyname"), _child(author, "forenames"), _child(author, "suffix")]
        for author in metadata.iter()
        if _name(author) == "author"
    ]
    names = {"id": "id", "title": "title", "abstract": "abstract", "doi": "doi", "journal-ref": "journal-ref"}
    names |= {"comments": "comments", "published": "date" if "date" in texts else "created"}
    record: dict[str, Any] = {key: texts[name][0] for key, name in names.items() if name in texts}
    record["authors"] = parsed or [_text(child) for child in metadata.iter() if _name(child) == "authors"]
    return record


def _dublin_core(texts: dict[str, list[str]]) -> dict[str, Any]:
    descriptions = texts.get("description", [])
    identifiers = texts.get("identifier", [])
    return {
        "title": texts.get("title", [None])[0],
        "abstract": next((text for text in descriptions if not text.startswith("Comment:")), None),
        "comment": next((text for text in descriptions if text.startswith("Comment:")), None),
        "authors": texts.get("creator", []),
        "date": texts.get("date", [None])[0],
        "id": identifiers[0] if identifiers else None,
        "url": identifiers,
        "doi": " ".join(identifiers),
    }


READER = Reader(name="xml", extensions=(".xml", ".atom"), sniff=sniff, parse=parse)
