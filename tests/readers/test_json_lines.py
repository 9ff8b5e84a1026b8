"""JSON Lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kg.readers import read
from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            '{"id":"1","title":"A","abstract":"BERT"}\n\n   \n{"id":"2","title":"B","abstract":"T5"}\n',
            ["A", "B"],
            id="c8-06",
        ),
        pytest.param(
            '{"id":"x2","title":"Limits of <i>DropBlock</i>","abstract":"Using <em>BERT</em>"}\n',
            ["Limits of <i>DropBlock</i>"],
            id="c4-11",
        ),
    ],
)
def test_blank_lines_do_not_count_and_tags_stay(content: str, expected: list[str]) -> None:
    result = read_text(content)
    assert (titles(result), result.rejected, result.warnings) == (expected, [], [])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            '{"id":"1","title":"A","abstract":"BERT"}\n{"id":"2","title":"B","abstract":\n'
            '{"id":"3","title":"C","abstract":"T5"}\n[1,2]\n',
            id="c8-07",
        )
    ],
)
def test_a_broken_line_costs_that_line(content: str) -> None:
    result = read_text(content)
    assert titles(result) == ["A", "C"]
    assert result.rejected == [
        Rejected("<stdin>", 2, "not JSON: unexpected end of data, column 34"),
        Rejected("<stdin>", 4, "not a JSON object"),
    ]


@pytest.mark.parametrize("abstract", [pytest.param(42, id="c3-13"), pytest.param(["x", 1], id="list")])
def test_an_abstract_of_another_type_is_rejected_by_id(abstract: object) -> None:
    good = [{"id": str(n), "title": f"T{n}", "abstract": "x"} for n in range(100)]
    lines = [json.dumps(record) for record in [*good, {"id": "bad", "title": "x", "abstract": abstract}]]
    result = read_text("\n".join(lines))
    assert len(result.papers) == 100
    kind = "a number" if abstract == 42 else "a list"
    assert result.rejected == [Rejected("<stdin>", 101, f"record 'bad': abstract is {kind}, not text")]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            '{"id":"n1","title":"BERT for law","abstract":null}\n{"id":"n2","title":"GLUE","abstract":""}\n'
            '{"id":"n3","title":"T5"}',
            id="c4-30",
        )
    ],
)
def test_a_missing_abstract_is_empty(content: str) -> None:
    result = read_text(content)
    assert [(paper.title, paper.abstract) for paper in result.papers] == [
        ("BERT for law", ""),
        ("GLUE", ""),
        ("T5", ""),
    ]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            '{"id":"arxiv:2401.00004v2","title":"A Census of Robot Play-Fighting Studies","authors":'
            '["Ann Roe"],"year":2023,"doi":"10.48550/arXiv.2401.00004"}\n'
            '{"id":"conf/x/24","title":"A census of robot play–fighting studies.","authors":["Roe, A. C."],'
            '"year":2024,"doi":"10.1000/xyz"}\n'
            '{"id":"arxiv:2401.00004v1","title":"A Census of Robot Play-Fighting Studies","year":2023}',
            id="c4-26",
        )
    ],
)
def test_ids_of_a_preprint_and_its_publication(content: str) -> None:
    assert [shown(paper) for paper in read_text(content).papers] == [
        {
            "title": "A Census of Robot Play-Fighting Studies",
            "source_ids": ("arxiv:2401.00004v2",),
            "authors": ("Ann Roe",),
            "year": 2023,
            "arxiv_id": "2401.00004",
        },
        {
            "title": "A census of robot play–fighting studies.",
            "source_ids": ("conf/x/24",),
            "authors": ("A. C. Roe",),
            "year": 2024,
            "doi": "10.1000/xyz",
        },
        {
            "title": "A Census of Robot Play-Fighting Studies",
            "source_ids": ("arxiv:2401.00004v1",),
            "year": 2023,
            "arxiv_id": "2401.00004",
        },
    ]


@pytest.mark.parametrize("name", [pytest.param("list.jsonl", id="c8-11"), "list.jsonl.gz", "list"])
def test_gzip_under_any_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b'{"id":"1","title":"A","abstract":"BERT"}'))
    assert titles(read([path])) == ["A"]


def test_lone_surrogates_control_characters_and_nan_are_repaired() -> None:
    result = read_text('{"title":"a\\ud800b","abstract":"x\ty \\ud83d\\ude00","year":NaN}', format="jsonl")
    assert [shown(paper) for paper in result.papers] == [
        {"title": "a\N{REPLACEMENT CHARACTER}b", "abstract": "x\ty 😀"}
    ]


@pytest.mark.parametrize("name", ["list", "list.json", "list.txt"])
def test_a_long_first_record_does_not_hide_the_others(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f'{{"title": "{"T" * 100_000}"}}\n{{"title": "U"}}\n')
    assert [len(paper.title or "") for paper in read(tmp_path / name).papers] == [100_000, 1]


def test_too_deep_a_line_is_rejected() -> None:
    result = read_text('{"a":' * 5000 + "\n" + '{"title":"T"}\n{"title":"U"}', format="jsonl")
    assert titles(result) == ["T", "U"]
    assert [item.line for item in result.rejected] == [1]
