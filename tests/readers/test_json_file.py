"""JSON: arrays, wrappers, and the field names of the usual sources."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.errors import InputError
from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles

PAPER = {"title": "T", "abstract": "A."}


@pytest.mark.parametrize(
    "value",
    [
        [PAPER],
        PAPER,
        {"data": {"papers": [PAPER]}, "total": 1},
        {"title": "ICML 2025", "papers": [PAPER]},
        {"meta": {"topics": [{"display_name": "x"}]}, "results": [PAPER]},
        [{"page": 1, "items": [PAPER]}],
        {**PAPER, "references": [{"title": "R"}, {"title": "S"}]},
    ],
)
def test_the_list_of_records_is_found_by_content(value: Any) -> None:
    result = read_text(json.dumps(value))
    assert [(paper.title, paper.abstract) for paper in result.papers] == [("T", "A.")]


def test_an_object_of_records_gives_their_ids() -> None:
    result = read_text(json.dumps({"a": {"title": "T"}, "b": {"title": "U"}}))
    assert [paper.source_ids for paper in result.papers] == [("a",), ("b",)]


def test_strings_are_abstracts() -> None:
    assert [paper.text for paper in read_text('["One.", "Two."]').papers] == ["\nOne.", "\nTwo."]


def test_rejected_items_have_line_and_number() -> None:
    text = json.dumps([PAPER, {"id": "bad", "title": "x", "abstract": 42}, 7], indent=1)
    result = read_text(text)
    assert titles(result) == ["T"]
    assert result.rejected == [
        Rejected("<stdin>", 6, "item 2: record 'bad': abstract is a number, not text"),
        Rejected("<stdin>", 11, "item 3: not a JSON object"),
    ]


@pytest.mark.parametrize("end", [",]", ', {"title": ', "\n"])
def test_records_before_a_broken_place_are_kept(end: str) -> None:
    result = read_text('[{"title": "T"},\n{"title": "U\\ud800"}' + end)
    assert titles(result) == ["T", "U\N{REPLACEMENT CHARACTER}"]
    assert [item.reason[:28] for item in result.rejected] == ["not JSON, the rest is lost: "]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1, 2], "b": 3}', "no list of papers in it .its keys are a, b"),
        ('[{"title": "T"', "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_json_without_papers_is_an_input_error(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_text(text, format="json")
    assert caught.value.hint


SOURCES = [
    pytest.param(
        {
            "id": "0704.0001",
            "authors": "Ann Roe and Bob Doe",
            "authors_parsed": [["Roe", "Ann", ""], ["Doe", "Bob", ""]],
            "title": "Cats\n  and dogs",
            "comments": "9 pages, code at https://github.com/o/r",
            "journal-ref": "Phys.Rev.D76:013009,2007",
            "doi": "10.1103/PhysRevD.76.013009",
            "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
            "update_date": "2008-11-26",
            "abstract": "  We study\ncats.\n",
        },
        {
            "title": "Cats and dogs",
            "abstract": "We study\ncats.",
            "source_ids": ("0704.0001",),
            "authors": ("Ann Roe", "Bob Doe"),
            "year": 2007,
            "venue": "Phys.Rev.D",
            "doi": "10.1103/physrevd.76.013009",
            "arxiv_id": "0704.0001",
            "code_urls": ("https://github.com/o/r",),
        },
        id="arxiv",
    ),
    pytest.param(
        {
            "id": "aBc1",
            "forum": "aBc1",
            "cdate": 1_700_000_000_000,
            "content": {
                "title": {"value": "T"},
                "abstract": {"value": "A."},
                "authors": {"value": ["Ann Roe"]},
                "venue": {"value": "ICLR 2024 poster"},
                "pdf": {"value": "/pdf/x.pdf"},
                "keywords": {"value": ["cats"]},
            },
        },
        {
            "title": "T",
            "abstract": "A.",
            "source_ids": ("aBc1",),
            "authors": ("Ann Roe",),
            "year": 2024,
            "venue": "ICLR",
            "url": "https://openreview.net/forum?id=aBc1",
            "keywords": ("cats",),
        },
        id="openreview",
    ),
    pytest.param(
        {
            "paperId": "f00",
            "externalIds": {"DOI": "10.1000/X", "ArXiv": "1706.03762"},
            "url": "https://www.semanticscholar.org/paper/f00",
            "title": "T",
            "abstract": None,
            "year": 2017,
            "venue": "Neural Information Processing Systems",
            "authors": [{"authorId": "1", "name": "Ann Roe"}],
        },
        {
            "title": "T",
            "source_ids": ("f00",),
            "authors": ("Ann Roe",),
            "year": 2017,
            "venue": "Neural Information Processing Systems",
            "url": "https://www.semanticscholar.org/paper/f00",
            "doi": "10.1000/x",
            "arxiv_id": "1706.03762",
        },
        id="semantic-scholar",
    ),
    pytest.param(
        {
            "id": "https://openalex.org/W1",
            "doi": "https://doi.org/10.1000/A",
            "display_name": "T",
            "publication_year": 2020,
            "authorships": [{"author": {"display_name": "Ann Roe"}}],
            "primary_location": {"source": {"display_name": "Nature"}},
            "abstract_inverted_index": {"cats": [2], "We": [0], "study": [1, 10**12]},
        },
        {
            "title": "T",
            "abstract": "We study cats study",
            "source_ids": ("https://openalex.org/W1",),
            "authors": ("Ann Roe",),
            "year": 2020,
            "venue": "Nature",
            "url": "https://openalex.org/W1",
            "doi": "10.1000/a",
        },
        id="openalex",
    ),
    pytest.param(
        {
            "id": "7",
            "title": "T",
            "text": "T\nWe study cats.",
            "code_links": [{"url": "https://github.com/o/r", "start": None}],
        },
        {
            "title": "T",
            "abstract": "We study cats.",
            "source_ids": ("7",),
            "code_urls": ("https://github.com/o/r",),
        },
        id="own-record",
    ),
    pytest.param(
        {"id": "7", "title": None, "text": "\nWe study cats."},
        {"abstract": "We study cats.", "source_ids": ("7",)},
        id="own-record-untitled",
    ),
    pytest.param(
        {
            "title": ["T"],
            "DOI": "10.1000/A",
            "author": [{"given": "Ann", "family": "Roe"}],
            "container-title": ["Cat Letters"],
            "issued": {"date-parts": [[2019, 2]]},
            "abstract": "A.",
        },
        {
            "title": "T",
            "abstract": "A.",
            "authors": ("Ann Roe",),
            "year": 2019,
            "venue": "Cat Letters",
            "doi": "10.1000/a",
        },
        id="crossref",
    ),
    pytest.param(
        {
            "title": "T",
            "summary": "arXiv:2501.01234v1 Announce Type: cross \nAbstract: A.",
            "published": "2025",
        },
        {
            "title": "T",
            "abstract": "A.",
            "source_ids": ("arXiv:2501.01234v1",),
            "arxiv_id": "2501.01234",
        },
        id="daily-list",
    ),
    pytest.param(
        {"title": "T", "abstract": "A.", "venue": "aistats2025", "software": "github.com/o/r"},
        {
            "title": "T",
            "abstract": "A.",
            "year": 2025,
            "venue": "AISTATS",
            "code_urls": ("https://github.com/o/r",),
        },
        id="conference-dump",
    ),
    pytest.param(
        {
            "title": "T",
            "abstract": "A.",
            "url": "javascript:alert(1)",
            "venue": "nan",
            "authors": None,
            "year": "None",
        },
        {"title": "T", "abstract": "A."},
        id="nothing-and-hostile-addresses",
    ),
]


@pytest.mark.parametrize(("record", "expected"), SOURCES)
def test_field_names_of_the_usual_sources(record: dict[str, Any], expected: dict[str, Any]) -> None:
    result = read_text(json.dumps([record]))
    assert ([shown(paper) for paper in result.papers], result.rejected) == ([expected], [])
