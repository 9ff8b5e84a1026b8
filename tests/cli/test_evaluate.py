"""Tests of `kg evaluate`: tables, JSON, Markdown, and what it says of the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, json_lines

TEXTS = [
    {"id": "a", "title": "A|B", "abstract": "We use ResNet and BERT for parsing."},
    {"id": "b", "title": None, "abstract": "We use ResNet."},
    {"id": "c", "title": None, "abstract": "Not annotated."},
]
GOLD = [
    {
        "id": "a",
        "entities": [["ResNet", "Method"], ["parsing", "Task"]],
        "paper": {"uses": ["ResNet"], "tasks": ["parsing"]},
        "relations": [["ResNet", "used-for", "parsing"]],
    },
    {"id": "b", "entities": [["ResNet", "Method"]], "paper": {"uses": ["ResNet"]}},
]


@pytest.fixture
def files(kg: Kg) -> Kg:
    """The files t.jsonl and g.jsonl."""
    Path("t.jsonl").write_text(json_lines(TEXTS), encoding="utf-8")
    Path("g.jsonl").write_text(json_lines(GOLD), encoding="utf-8")
    return kg


def rows(output: str) -> list[str]:
    return [" ".join(line.split()) for line in output.splitlines()]


def test_the_table_has_every_figure_and_the_worst_papers(files: Kg) -> None:
    done = files("evaluate", "t.jsonl", "g.jsonl", "--worst", "1")
    assert done.exit_code == 0
    assert done.stderr == "Warning: 1 papers of TEXT are not in GOLD and do not count: c\n"
    shown = rows(done.stdout)
    assert shown[:2] == ["2 papers", "P R F1 Gold Right Wrong Missed"]
    assert [row for row in shown[3:27] if not row.endswith(" 0 0 0 0")] == [
        "mentions 66.7 66.7 66.7 3 2 1 1",
        "– no Terms 66.7 66.7 66.7 3 2 1 1",
        "– Method 66.7 100.0 80.0 2 2 1 0",
        "– Task 0.0 0.0 0.0 1 0 0 1",
        "concepts 66.7 66.7 66.7 3 2 1 1",
        "– no Terms 66.7 66.7 66.7 3 2 1 1",
        "– names only 66.7 66.7 66.7 3 2 1 1",
        "– Method 66.7 100.0 80.0 2 2 1 0",
        "– Task 0.0 0.0 0.0 1 0 0 1",
        "uses 66.7 100.0 80.0 2 2 1 0",
        "tasks 0.0 0.0 0.0 1 0 0 1",
        "relations 0.0 0.0 0.0 1 0 0 1",
        "– names only 0.0 0.0 0.0 1 0 0 1",
    ]
    assert shown[28:] == [
        "Lowest F1 over mentions, roles, relations and code",
        "Paper Title P R F1 Wrong Missed",
        shown[30],
        "a A|B 50.0 40.0 44.4 2 3",
        "",
    ]


def test_intervals_are_a_column(files: Kg) -> None:
    shown = rows(files("evaluate", "t.jsonl", "g.jsonl", "--intervals", "--worst", "0").stdout)
    assert shown[1] == "P R F1 95 % Gold Right Wrong Missed"
    assert shown[3] == "mentions 66.7 66.7 66.7 50.0–100.0 3 2 1 1"


def test_json_has_the_counts_the_intervals_and_every_difference(files: Kg) -> None:
    arguments = ("--format", "json", "--errors", "--intervals", "--worst", "1")
    record = json.loads(files("evaluate", "t.jsonl", "g.jsonl", *arguments).stdout)
    assert list(record) == ["papers", "missing", "scores", "worst", "errors"]
    assert record["scores"]["mentions:Task"] == {
        "P": 0.0,
        "R": 0.0,
        "F1": 0.0,
        "gold": 1,
        "right": 0,
        "wrong": 0,
        "missed": 1,
        "intervals": {"P": [0.0, 0.0], "R": [0.0, 0.0], "F1": [0.0, 0.0]},
    }
    assert [paper["id"] for paper in record["worst"]] == ["a"]
    assert record["errors"][:2] == [
        {
            "paper": "a",
            "figure": "mentions",
            "kind": "wrong",
            "name": "BERT",
            "type": "Method",
            "start": 22,
            "end": 26,
        },
        {
            "paper": "a",
            "figure": "mentions",
            "kind": "missed",
            "name": "parsing",
            "type": "Task",
            "start": 31,
            "end": 38,
        },
    ]


def test_markdown_escapes_what_papers_say(files: Kg) -> None:
    done = files("evaluate", "t.jsonl", "g.jsonl", "--format", "markdown", "--errors", "-q")
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        "## 2 papers",
        "",
        "| | P | R | F1 | Gold | Right | Wrong | Missed |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| mentions | 66.7 | 66.7 | 66.7 | 3 | 2 | 1 | 1 |",
    ]
    assert "| a | A\\|B | 50.0 | 40.0 | 44.4 | 2 | 3 |" in lines
    assert "| a | relations | missed | ResNet used-for parsing | | |" in [" ".join(i.split()) for i in lines]


def test_what_was_read_before_is_not_read_again(files: Kg) -> None:
    records = files("extract", "t.jsonl").stdout
    now = files("evaluate", "t.jsonl", "g.jsonl").stdout
    Path("p.jsonl").write_text(records.replace("fail", "x"), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl", "--pred", "p.jsonl")
    assert (done.exit_code, done.stdout) == (0, now)


def test_gold_may_be_extraction_records(files: Kg) -> None:
    Path("p.jsonl").write_text(files("extract", "t.jsonl").stdout, encoding="utf-8")
    done = files("evaluate", "t.jsonl", "p.jsonl", "--format", "json", "--errors")
    assert json.loads(done.stdout)["errors"] == []


def test_papers_without_a_prediction_or_of_another_text_are_named(files: Kg) -> None:
    record = {"id": "a", "text": "another", "mentions": []}
    Path("p.jsonl").write_text(json_lines([record]), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl", "--pred", "p.jsonl")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1:] == [
        "Warning: 1 papers were read from another text, so that their mentions may not fit: a",
        "Warning: 1 papers have no prediction and count as if nothing was found: b",
    ]


def test_malformed_gold_is_named_and_the_rest_is_measured(files: Kg) -> None:
    wrong = {"id": "c", "entities": [["x", "Person"]]}
    lost = [{"id": f"lost{number}", "entities": []} for number in range(6)]
    Path("g.jsonl").write_text(json_lines([*GOLD, wrong, *lost]), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl")
    assert (done.exit_code, done.stdout.splitlines()[0].strip()) == (1, "2 papers")
    assert done.stderr.splitlines() == [
        "Rejected g.jsonl, line 3: entities[0]: 'Person' is no type; write one of Method, Task, Dataset, "
        "Metric, Term",
        "Warning: 6 papers of GOLD are not in TEXT and do not count: lost0, lost1, lost2, lost3, lost4, …",
        "Warning: 1 papers of TEXT are not in GOLD and do not count: c",
    ]


def test_a_mistyped_name_is_told(files: Kg) -> None:
    gold = {**GOLD[0], "entities": [["ResNett", "Method"]], "aliases": [["RN", "ResNet"]]}
    Path("g.jsonl").write_text(json_lines([gold]), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1] == (
        "Warning: 2 names of GOLD do not stand in their text: 'ResNett' of a, 'RN' of a"
    )


def test_files_of_different_papers_are_one_line(files: Kg) -> None:
    Path("g.jsonl").write_text(json_lines([{"id": "x", "entities": []}]), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl", "-q")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: no paper of GOLD is in TEXT. Give both files the same ids.\n"


def test_a_paper_that_the_extractor_fails_on_is_exit_code_1(files: Kg) -> None:
    Path("t.jsonl").write_text(json_lines([*TEXTS[:1], {"id": "b", "abstract": "fail"}]), encoding="utf-8")
    done = files("evaluate", "t.jsonl", "g.jsonl")
    assert done.exit_code == 1
    assert "Rejected b: " in done.stderr
    assert "no prediction and count as if nothing was found: b" in done.stderr


def test_a_missing_file_is_one_line(kg: Kg) -> None:
    done = kg("evaluate", "absent.jsonl", "absent.jsonl")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: absent.jsonl: no such file or folder.")
