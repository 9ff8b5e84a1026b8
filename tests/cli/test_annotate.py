"""Tests of `kg annotate`: prefilled annotations, and the way between forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, json_lines, papers


def test_papers_become_a_gold_file_and_their_abstracts(kg: Kg) -> None:
    done = kg("annotate", "-", "-o", "gold.jsonl", stdin=papers(2))
    assert (done.exit_code, done.output) == (0, "2 papers written to gold.jsonl\n")
    texts, golds = (
        [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines()]
        for name in ("gold.text.jsonl", "gold.jsonl")
    )
    assert texts[1] == {"id": "p1", "title": "Paper 1", "abstract": "We use ResNet1 and BERT."}
    assert golds[1] == {
        "id": "p1",
        "entities": [["ResNet1", "Method"], ["BERT", "Method"]],
        "paper": {
            "proposes": [],
            "uses": ["ResNet1", "BERT"],
            "compares": [],
            "tasks": [],
            "datasets": [],
            "metrics": [],
            "code": [],
        },
        "aliases": [],
        "relations": [],
    }


def test_a_prefilled_annotation_is_what_was_read(kg: Kg) -> None:
    kg("annotate", "-", "-o", "gold.jsonl", stdin=papers(2))
    done = kg("evaluate", "gold.text.jsonl", "gold.jsonl", "--errors", "--format", "json")
    assert json.loads(done.stdout)["errors"] == []


@pytest.mark.parametrize(
    ("form", "output"), [("brat", "folder"), ("docbin", "d.spacy"), ("prodigy", "t.json")]
)
def test_a_form_leads_back_to_the_gold_file(kg: Kg, form: str, output: str) -> None:
    kg("annotate", "-", "-o", "gold.jsonl", stdin=papers(3))
    assert kg("annotate", "gold.jsonl", "--from", "jsonl", "-o", output, "--to", form).exit_code == 0
    done = kg("annotate", output, "--from", form, "-o", "back.jsonl", "-q")
    assert (done.exit_code, done.output) == (0, "")
    for name in ("{}.jsonl", "{}.text.jsonl"):
        assert Path(name.format("back")).read_bytes() == Path(name.format("gold")).read_bytes()


def test_the_output_tells_the_form(kg: Kg) -> None:
    kg("annotate", "-", "-o", "folder", stdin=papers(1))
    assert Path("folder/p0.ann").is_file()
    done = kg("annotate", "-", "-o", "gold.txt", stdin=papers(1))
    assert (done.exit_code, done.output) == (
        1,
        "Error: gold.txt: '.txt' tells no format. Name it with --to.\n",
    )


def test_nothing_is_overwritten_and_nothing_read_before(kg: Kg) -> None:
    Path("gold.jsonl").write_text("by hand", encoding="utf-8")
    done = kg("annotate", "absent.bib", "-o", "gold.jsonl")
    assert (done.exit_code, done.output) == (
        1,
        "Error: gold.jsonl exists and may hold corrections. Name another output, or delete it first.\n",
    )
    assert Path("gold.jsonl").read_text(encoding="utf-8") == "by hand"


def test_doubts_and_rejected_annotations_are_told(kg: Kg) -> None:
    kg("annotate", "-", "-o", "folder", stdin=json_lines([{"id": i, "abstract": "BERT, BERT"} for i in "ab"]))
    Path("folder/a.ann").write_text("T1\tMethod 1 5\tBERT\n", encoding="utf-8")
    Path("folder/b.ann").write_text("T1\tPerson 1 5\tBERT\n", encoding="utf-8")
    done = kg("annotate", "folder", "--from", "brat", "-o", "gold.jsonl")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "Warning: paper a: 'BERT' is marked at 1 of 2 places; it counts at all",
        "Rejected folder/b.ann, line 1: no line of brat that we know: 'Person' is no type; write one of "
        "Method, Task, Dataset, Metric, Term",
        "1 papers written to gold.jsonl",
    ]


def test_rejected_records_are_exit_code_1(kg: Kg) -> None:
    done = kg("annotate", "-", "--format", "jsonl", "-o", "gold.jsonl", stdin="[1]\n" + papers(1))
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (1, "1 papers written to gold.jsonl")


def test_no_input_is_wrong_usage(kg: Kg) -> None:
    assert kg("annotate", "-o", "gold.jsonl").exit_code == 2
