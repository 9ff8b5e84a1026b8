"""CSV and TSV."""

from __future__ import annotations

import pytest

from kg.errors import InputError
from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            "\ufefftitle,abstract\nGraph nets,We use BERT.",
            {"title": "Graph nets", "abstract": "We use BERT."},
            id="c4-15",
        ),
        pytest.param(
            "Document Title;Author full names;Abstract Note;DOI Link\n"
            "Graph nets;Roe, Ann (123);We use BERT.;https://doi.org/10.1000/x",
            {"title": "Graph nets", "abstract": "We use BERT.", "authors": ("Ann Roe",), "doi": "10.1000/x"},
            id="c8-10",
        ),
        pytest.param(
            'id,title,abstract\n1,"=HYPERLINK(""http://evil.example"",""x"")","-0.5 BLEU; @home; +1"',
            {
                "title": '=HYPERLINK("http://evil.example","x")',
                "abstract": "-0.5 BLEU; @home; +1",
                "source_ids": ("1",),
            },
            id="c5-16",
        ),
        pytest.param(
            "Authors\tArticle Title\tSource Title\tAbstract\tPublication Year\tDOI\tUT (Unique WOS ID)\n"
            "Roe, A\tT\tCats\tA.\t2019\t10.1000/x\tWOS:1\n",
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("WOS:1",),
                "authors": ("A Roe",),
                "year": 2019,
                "venue": "Cats",
                "doi": "10.1000/x",
            },
            id="web-of-science",
        ),
        pytest.param(
            '"Authors","Author full names","Title","Year","Source title","Link","Abstract",'
            '"Author Keywords","EID"\n'
            '"Roe A.; Doe B.","Roe, Ann (1); Doe, Bob (2)","T","2020","Cats","https://x.org/1","A.",'
            '"a; b","2-s2.0"\n',
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("2-s2.0",),
                "authors": ("Ann Roe", "Bob Doe"),
                "year": 2020,
                "venue": "Cats",
                "url": "https://x.org/1",
                "keywords": ("a", "b"),
            },
            id="scopus",
        ),
        pytest.param(
            '"Key","Item Type","Publication Year","Author","Title","Publication Title","Url",'
            '"Abstract Note"\n'
            '"K1","preprint","2017","Roe, Ann; Doe, Bob","T","arXiv","http://arxiv.org/abs/1706.03762","A."\n',
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("K1",),
                "authors": ("Ann Roe", "Bob Doe"),
                "year": 2017,
                "venue": "arXiv",
                "url": "http://arxiv.org/abs/1706.03762",
                "arxiv_id": "1706.03762",
            },
            id="zotero",
        ),
        pytest.param(
            "title,abstract,code\n'=1+1,'@x,github.com/o/r",
            {"title": "=1+1", "abstract": "@x", "code_urls": ("https://github.com/o/r",)},
            id="apostrophe",
        ),
    ],
)
def test_columns_of_the_usual_exports(content: str, expected: dict[str, object]) -> None:
    result = read_text(content)
    assert ([shown(paper) for paper in result.papers], result.rejected) == ([expected], [])


def test_rejected_rows_are_named_by_their_first_line() -> None:
    result = read_text('title,abstract\n"A\nB","one\n\ntwo"\n,\nx,y,z\nC,three\n')
    assert [(paper.title, paper.abstract) for paper in result.papers] == [
        ("A B", "one\n\ntwo"),
        ("C", "three"),
    ]
    assert result.rejected == [
        Rejected("<stdin>", 7, "3 cells under 2 columns: a delimiter or a quote is out of place")
    ]


def test_an_open_quote_costs_its_row() -> None:
    result = read_text('title,abstract\nA,one\n"B,two\nC,three\nD,four\n')
    assert titles(result) == ["A", "C", "D"]
    assert result.rejected == [Rejected("<stdin>", 3, "a quote is opened and never closed")]


def test_a_row_without_title_and_abstract_is_rejected() -> None:
    result = read_text("id,title,abstract\n7,,\n")
    assert result.rejected == [Rejected("<stdin>", 2, "record '7': neither title nor abstract")]


def test_unknown_columns_are_listed() -> None:
    with pytest.raises(InputError, match="the columns are 'Foo', 'Bar'") as caught:
        read_text("Foo,Bar\n1,2\n", format="csv")
    assert "rename" in caught.value.hint


def test_huge_cells_are_allowed() -> None:
    assert len(read_text("title,abstract\nT," + "x" * 300_000).papers[0].abstract) == 300_000


def test_a_header_alone_gives_no_papers() -> None:
    assert titles(read_text("title,abstract\n")) == []
