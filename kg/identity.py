"""Which records describe one paper, and what the paper is that they give together.

Two records are one paper on equal DOI, equal arXiv id, equal folded abstract, or equal folded title and a
shared author surname; transitively. Each reason is a *key*, a pure function of one record, and papers are
what equal keys connect: no step looks at pairs of records, so the same keys can be grouped by a distributed
engine.

Limits, on purpose:

- an abstract counts only from eight words on (or its length in a script without spaces), and never if it is
  the notice of a withdrawal;
- a title of one word, or one that every volume has ("Preface", "Book review"), is no key: such records need
  another reason;
- different DOIs do not keep records of equal title and surname apart (a preprint has its own DOI), and
  neither do years: a journal version may appear many years after its preprint.

Joining is a choice by a total order in each field, hence associative, commutative and idempotent: papers
merged in any order and in any number of rounds give the same result. A merged paper remembers the keys of
its records.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from kg.schema import Paper, fold_text

__all__ = ["join_papers", "merge_papers", "paper_keys", "surname"]

_T = TypeVar("_T")

_MIN_WORDS = 8
_MIN_WIDE = 16
_ARXIV_DOI = "10.48550/arxiv."
_PREPRINT_VENUES = frozenset({"arxiv", "corr", "biorxiv", "medrxiv", "openreview", "preprint", "ssrn"})
_GENERIC_TITLES = frozenset(
    {
        "author index",
        "book review",
        "book reviews",
        "call for papers",
        "editor s note",
        "editorial board",
        "front matter",
        "guest editorial",
        "guest editors introduction",
        "guest editors introduction to the special issue",
        "in memoriam",
        "in this issue",
        "introduction to the special issue",
        "letter to the editor",
        "letters to the editor",
        "message from the chairs",
        "table of contents",
        "title page",
    }
)
_PARTICLES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})


def surname(author: str) -> str:
    """The folded surname of an author: before the comma, else the last word.

    >>> surname("Roe, A. C."), surname("Ann Roe"), surname("Ann Roe Jr.")
    ('roe', 'roe', 'roe')
    """
    before, comma, _ = author.partition(",")
    words = fold_text(before).split()
    if comma:
        return " ".join(words)
    while len(words) > 1 and (words[-1] in _PARTICLES or words[-1].isdigit()):
        words.pop()
    return words[-1] if words else ""


def paper_keys(paper: Paper) -> tuple[str, ...]:
    """What makes a record the same paper as another: equal keys. Sorted; never empty.

    The keys of a merged paper are those of its records.
    """
    return paper.keys or tuple(sorted(set(_own_keys(paper))))


def _own_keys(paper: Paper) -> Iterable[str]:
    yield paper.id
    if paper.doi:
        yield f"doi:{paper.doi}"
        if paper.doi.startswith(_ARXIV_DOI):
            yield f"arxiv:{re.sub(r'v[0-9]+$', '', paper.doi.removeprefix(_ARXIV_DOI))}"
    if paper.arxiv_id:
        yield f"arxiv:{paper.arxiv_id}"
    yield from _abstract_keys(paper)
    yield from _title_keys(paper)


def _abstract_keys(paper: Paper) -> Iterable[str]:
    if paper.status == "withdrawn":
        return
    folded = fold_text(paper.abstract)
    if len(folded.split()) >= _MIN_WORDS or _wide(folded) >= _MIN_WIDE:
        yield f"abstract:{_digest(folded)}"


def _title_keys(paper: Paper) -> Iterable[str]:
    folded = fold_text(paper.title or "")
    if folded in _GENERIC_TITLES or (" " not in folded and not _wide(folded)):
        return
    for name in {surname(author) for author in paper.authors} - {""}:
        yield f"title:{_digest(folded)}:{name}"


def _wide(text: str) -> int:
    """How many characters are of a script without spaces."""
    return 0 if text.isascii() else sum(character > "\u2e7f" for character in text)


def _digest(text: str) -> str:
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()


def merge_papers(papers: Iterable[Paper]) -> list[Paper]:
    """The distinct papers of some records, sorted by id; the order of the records does not matter.

    >>> one = Paper(abstract="", title="On Nets", authors=("Ann Roe",), source_ids=("a",))
    >>> two = Paper(abstract="", title="On nets.", authors=("Roe, A.",), source_ids=("b",), year=2024)
    >>> [(paper.source_ids, paper.year) for paper in merge_papers([one, two])]
    [(('a', 'b'), 2024)]
    """
    merged = [join_papers(group) for group in _connected(list(papers))]
    return _unique_ids(merged)


def _unique_ids(papers: list[Paper]) -> list[Paper]:
    """Joins what has the same node id after merging, and sorts."""
    groups: dict[str, list[Paper]] = {}
    for paper in papers:
        groups.setdefault(paper.id, []).append(paper)
    if len(groups) == len(papers):
        return [groups[paper][0] for paper in sorted(groups)]
    return _unique_ids([join_papers(groups[paper]) for paper in sorted(groups)])


def _connected(papers: Sequence[Paper]) -> list[list[Paper]]:
    """The connected components of papers that share a key (union-find with path halving)."""
    parent = list(range(len(papers)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[str, int] = {}
    for index, paper in enumerate(papers):
        for key in paper_keys(paper):
            low, high = sorted((root(first.setdefault(key, index)), root(index)))
            parent[high] = low
    groups: dict[int, list[Paper]] = {}
    for index, paper in enumerate(papers):
        groups.setdefault(root(index), []).append(paper)
    return list(groups.values())


def join_papers(papers: Iterable[Paper]) -> Paper:
    """The one paper of records that are known to describe it, at least one, in any order.

    Papers that were joined before can be joined again: parts of a group may be joined each by itself.
    """
    distinct = list(dict.fromkeys(map(_normal, papers)))
    if len(distinct) == 1:
        return distinct[0]
    return reduce(_join, (replace(paper, keys=paper_keys(paper)) for paper in distinct))


def _normal(paper: Paper) -> Paper:
    """The paper with its sets sorted and its year among its years."""
    years = _union(paper.years, () if paper.year is None else (paper.year,))
    return replace(
        paper,
        source_ids=_union(paper.source_ids),
        code_urls=_union(paper.code_urls),
        keywords=_union(paper.keywords),
        years=years,
        year=min(years, default=None),
    )


def _join(one: Paper, two: Paper) -> Paper:
    best = max(one, two, key=_abstract_rank)
    years = _union(one.years, two.years)
    return Paper(
        abstract=best.abstract,
        status=best.status,
        title=_best(one.title, two.title, _title_rank),
        source_ids=_union(one.source_ids, two.source_ids),
        authors=max(one.authors, two.authors, key=_authors_rank),
        year=min(years, default=None),
        years=years,
        venue=_best(one.venue, two.venue, _venue_rank),
        url=_best(one.url, two.url, _down),
        doi=_best(one.doi, two.doi, _doi_rank),
        arxiv_id=_best(one.arxiv_id, two.arxiv_id, _down),
        code_urls=_union(one.code_urls, two.code_urls),
        keywords=_union(one.keywords, two.keywords),
        keys=_union(one.keys, two.keys),
    )


def _union(*parts: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(sorted({item for part in parts for item in part}))  # type: ignore[type-var]


def _best(one: str | None, two: str | None, rank: Callable[[str], object]) -> str | None:
    given = [value for value in (one, two) if value]
    return max(given, key=rank, default=None)  # type: ignore[arg-type]


def _down(text: str) -> tuple[int, ...]:
    """Orders texts by falling code point, and a text before its beginnings: the largest is the first."""
    return (*(-ord(character) for character in text), 1)


def _abstract_rank(paper: Paper) -> tuple[object, ...]:
    return (paper.status == "", len(fold_text(paper.abstract)), _down(paper.abstract), _down(paper.status))


def _title_rank(title: str) -> tuple[object, ...]:
    """The title that says most, not in capitals only, without a full stop."""
    return (len(fold_text(title)), not title.isupper(), not title.endswith("."), _down(title))


def _authors_rank(authors: tuple[str, ...]) -> tuple[object, ...]:
    """Most authors, then least abbreviated: most letters."""
    letters = sum(character.isalpha() for author in authors for character in author)
    return (len(authors), letters, tuple(_down(author) for author in authors))


def _venue_rank(venue: str) -> tuple[object, ...]:
    """A publication before a preprint server, then the shortest form."""
    words = fold_text(venue).split()
    return (not _PREPRINT_VENUES.intersection(words), -len(venue), _down(venue))


def _doi_rank(doi: str) -> tuple[object, ...]:
    """A publication's DOI before the preprint's."""
    return (not doi.startswith("10.48550/"), _down(doi))
