"""From a record, whatever its source calls its fields, to a `Paper`.

`NAMES` lists the names that each field goes by, best first; letter case, spaces and punctuation of a name do
not count ("Document Title" is `documenttitle`). To support another source, add its names there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeVar

from kg.readers.base import ReadResult
from kg.readers.replies import reply
from kg.readers.values import (
    RecordError,
    addresses_of,
    arxiv_id_of,
    authors_of,
    code_addresses_in,
    doi_of,
    keywords_of,
    loose_text,
    one_line,
    text_of,
    venue_and_year,
    year_of,
)
from kg.schema import Paper, Rejected

T = TypeVar("T")

__all__ = ["NAMES", "Context", "add_record", "canonical", "likeness", "paper_of"]

#: Field -> the names that it goes by in the inputs, best first.
NAMES: Mapping[str, str] = {
    "title": "title documenttitle articletitle papertitle displayname primarytitle ti t1",
    "abstract": "abstract abstractnote abstracttext paperabstract summary ab n2 description",
    "index": "abstractinvertedindex",
    "text": "text",
    "authors": "authorsparsed authorfullnames authors author authorships creators creator authornames"
    " authorlist af au a1",
    "year": "year publicationyear pubyear py y1 conferenceyear",
    "date": "versions published publicationdate pubdate issued created date coverdate da pdate"
    " updatedate cdate",
    "venue": "venue booktitle conference conferencename journal sourcetitle publicationtitle containertitle"
    " publicationvenue primarylocation hostvenue journaltitle jo jf t2 ja bt c3 so",
    "reference": "journalref",
    "url": "url link paperurl paperlink absurl landingpageurl ee ur pdflink pdfurl pdf paper",
    "doi": "doi di do doilink externalids ids",
    "arxiv": "arxivid arxiv eprint externalids volume",
    "openreview": "openreview",
    "code": "codeurls codeurl code codelink codelinks github githuburl githublink repository repositoryurl"
    " repo repourl software softwareurl officialcode implementation",
    "note": "note comment comments howpublished annote",
    "id": "ut utuniquewosid eid id paperid key bibkey accessionnumber an forum",
    "keywords": "keywords authorkeywords keyword kw manualtags de",
}
_PLACES: dict[str, list[tuple[str, int]]] = {}
for _field, _names in NAMES.items():
    for _rank, _name in enumerate(_names.split()):
        _PLACES.setdefault(_name, []).append((_field, _rank))

_WITHDRAWN = re.compile(
    r"(?:this|the) (?:paper|article|submission|manuscript|work|preprint|version) (?:has been|is|was)"
    r"(?: temporarily)? withdrawn|withdrawn\b|\[withdrawn\]",
    re.IGNORECASE,
)
#: What arXiv's daily lists put before each abstract.
_ANNOUNCED = re.compile(r"(arXiv:\S{1,40})\s+Announce Type:\s*([\w-]{1,40})\s+Abstract:\s*")
_LONGEST_NOTICE = 500  # a longer text is an abstract that merely begins with a notice


@dataclass(frozen=True, slots=True)
class Context:
    """What a file says of all its papers, e.g. in a header line; a paper's own fields come first."""

    venue: str | None = None
    year: int | None = None


@lru_cache(maxsize=65536)
def canonical(name: str) -> tuple[tuple[str, int], ...]:
    """The fields that a name of an input may stand for, each with its rank among the names."""
    return tuple(_PLACES.get(re.sub(r"[\W_]+", "", name).casefold(), ()))


def likeness(item: Any) -> int:
    """How much an object looks like a record of a paper: its number of known fields, 0 if it has no text.

    A reply to a paper has 1, so that a list of papers comes before one of reviews.
    """
    if not isinstance(item, dict):
        return 0
    record = _opened(item)
    fields = {field for name in record for field, _ in canonical(str(name))}
    if not fields & {"title", "abstract", "index", "text"}:
        return 0
    return 1 if reply(record) else len(fields)


def add_record(
    result: ReadResult,
    record: Mapping[str, Any],
    *,
    file: str,
    line: int | None,
    context: Context = Context(),
) -> None:
    """Appends the paper of a record to a result, or says why there is none."""
    try:
        paper = paper_of(record, context=context)
    except RecordError as error:
        name = _source_id(_grouped(_opened(record)))
        result.rejected.append(Rejected(file, line, f"record {name!r}: {error}" if name else str(error)))
    else:
        result.add(paper, file=file, line=line)


def paper_of(record: Mapping[str, Any], *, context: Context = Context()) -> Paper:
    """The paper that a record describes.

    Args:
        record: Field names as the source has them, values as JSON or text.
        context: Venue and year where the record has none.

    Raises:
        RecordError: Neither title nor abstract, or one of them is no text, or this is a reply to a paper.
    """
    record = _opened(record)
    kind = reply(record)
    if kind:
        raise RecordError(f"{kind}, not a paper")
    groups = _grouped(record)
    title = one_line(_first_text(groups, "title"))
    abstract = _unannounced(_abstract(groups, title), groups)
    if not title and not abstract:
        raise RecordError("neither title nor abstract")
    venue, venue_year = _venue(groups)
    source_id = _source_id(groups)
    return Paper(
        title=title or None,
        abstract=abstract,
        source_ids=(source_id,) if source_id else (),
        authors=_best(authors_of(value) for value in groups.get("authors", ())) or (),
        year=_year(groups, "year") or venue_year or _year(groups, "date") or context.year,
        venue=venue or context.venue,
        url=_url(groups),
        doi=_doi(groups),
        arxiv_id=_arxiv_id(groups),
        code_urls=_code(groups),
        keywords=_best(keywords_of(value) for value in groups.get("keywords", ())) or (),
        status="withdrawn" if len(abstract) < _LONGEST_NOTICE and _WITHDRAWN.match(abstract) else "",
    )


def _opened(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """OpenReview keeps a note's fields one level down."""
    content = record.get("content")
    if not isinstance(content, dict):
        return record
    note = record.get("forum") or record.get("id")
    return {**record, "openreview": note, **content} if isinstance(note, str) else {**record, **content}


def _grouped(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    found: dict[str, list[tuple[int, Any]]] = {}
    for name, value in record.items():
        if value is not None and value != "" and value != []:
            for field, rank in canonical(str(name)):
                found.setdefault(field, []).append((rank, value))
    return {field: [value for _, value in sorted(pairs, key=itemgetter(0))] for field, pairs in found.items()}


def _best(values: Iterable[T | None]) -> T | None:
    """The first value that is not empty."""
    for value in values:
        if value:
            return value
    return None


def _first_text(groups: Mapping[str, list[Any]], field: str) -> str:
    return _best(text_of(value, field) for value in groups.get(field, ())) or ""


def _abstract(groups: Mapping[str, list[Any]], title: str) -> str:
    abstract = _first_text(groups, "abstract")
    if abstract:
        return abstract
    index = _best(groups.get("index", ()))
    if isinstance(index, dict):
        return _from_index(index)
    text = _first_text(groups, "text")
    first, newline, rest = text.partition("\n")
    return rest.strip() if newline and title and one_line(first) == title else text


def _unannounced(abstract: str, groups: dict[str, list[Any]]) -> str:
    """An abstract without what announces it; the id in there becomes one of the groups.

    The day of the list is not the paper's date, unless the paper is new.
    """
    announced = _ANNOUNCED.match(abstract)
    if announced is None:
        return abstract
    groups.setdefault("id", []).append(announced[1])
    if announced[2] != "new":
        groups.pop("date", None)
    return abstract[announced.end() :]


def _from_index(index: Mapping[str, Any]) -> str:
    """OpenAlex keeps abstracts as word -> positions."""
    pairs = [
        (position, word)
        for word, positions in index.items()
        if isinstance(positions, list)
        for position in positions
        if isinstance(position, int)
    ]
    return " ".join(word for _, word in sorted(pairs)).strip()


def _source_id(groups: Mapping[str, list[Any]]) -> str:
    return _best(one_line(loose_text(value)) for value in groups.get("id", ())) or ""


def _year(groups: Mapping[str, list[Any]], field: str) -> int | None:
    return _best(year_of(value) for value in groups.get(field, ()))


def _venue(groups: Mapping[str, list[Any]]) -> tuple[str | None, int | None]:
    name: str = _best(one_line(_venue_text(value)) for value in groups.get("venue", ())) or ""
    if not name:  # arXiv gives "Phys.Rev.D76:013009,2007"
        reference = _best(loose_text(value) for value in groups.get("reference", ())) or ""
        name = re.split(r"[\d(,:;]", reference, maxsplit=1)[0].strip()
    if not name:
        return None, None
    if name.casefold().startswith("arxiv"):
        return "arXiv", None
    known = venue_and_year(name)
    return known or (name, None)


def _venue_text(value: Any, depth: int = 3) -> str:
    if isinstance(value, dict) and depth:
        names = ("value", "name", "display_name", "source", "title")
        return _best(_venue_text(value.get(name), depth - 1) for name in names) or ""
    return loose_text(value)


def _url(groups: Mapping[str, list[Any]]) -> str | None:
    given = [*groups.get("url", ()), *groups.get("id", ())]
    addresses = _best(addresses_of(value) for value in given)
    if addresses:
        return str(addresses[0])
    note = _best(loose_text(value) for value in groups.get("openreview", ()))
    return f"https://openreview.net/forum?id={note}" if note and re.fullmatch(r"[\w-]+", note) else None


def _doi(groups: Mapping[str, list[Any]]) -> str | None:
    own = [_entry(value, "doi") for value in groups.get("doi", ())]
    found = _best(doi_of(value) for value in own)
    if found:
        return str(found)
    addresses = (address for value in groups.get("url", ()) for address in addresses_of(value))
    return _best(doi_of(address) for address in addresses if "doi.org/" in address)


def _arxiv_id(groups: Mapping[str, list[Any]]) -> str | None:
    bare = [_entry(value, "arxiv") for value in groups.get("arxiv", ())] + groups.get("id", [])
    found = _best(arxiv_id_of(value, bare=True) for value in bare)
    others = [*groups.get("url", ()), *(_entry(value, "doi") for value in groups.get("doi", ()))]
    return found or _best(arxiv_id_of(value) for value in [*others, *groups.get("venue", ())])


def _entry(value: Any, name: str) -> Any:
    """The member of an object of identifiers whatever its letter case, or the value itself."""
    if not isinstance(value, dict) or "value" in value:
        return value
    return next((item for key, item in value.items() if str(key).casefold() == name), None)


def _code(groups: Mapping[str, list[Any]]) -> tuple[str, ...]:
    own = (address for value in groups.get("code", ()) for address in addresses_of(value))
    said = [*groups.get("note", ()), *groups.get("url", ())]
    beside = (address for value in said for address in code_addresses_in(value))
    return tuple(dict.fromkeys([*own, *beside]))
