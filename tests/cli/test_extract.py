"""Tests of `kg extract`: the records and their order."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Kg, json_lines, papers


def test_each_record_is_one_line_in_input_order_unmerged(kg: Kg) -> None:
    done = kg("extract", "-", stdin=papers(2) + papers(2))
    assert (done.exit_code, done.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["p0", "p1", "p0", "p1"]


def test_the_record_is_that_of_the_schema(kg: Kg) -> None:
    (line,) = kg("extract", "-", stdin=json_lines([{"abstract": "We use BERT."}])).stdout.splitlines()
    record = json.loads(line)
    assert record["text"] == "\nWe use BERT."
    assert record["mentions"] == [{"start": 8, "end": 12, "text": "BERT", "type": "Method", "score": 0.9}]
    assert record["code_status"] == "none"


def test_records_can_go_to_a_file(kg: Kg) -> None:
    to_stdout = kg("extract", "-", stdin=papers(3)).stdout
    done = kg("extract", "-", "-o", "records.jsonl", stdin=papers(3))
    assert (done.exit_code, done.output) == (0, "")
    assert Path("records.jsonl").read_text(encoding="utf-8") == to_stdout


def test_rejected_records_are_exit_code_1_and_the_rest_is_printed(kg: Kg) -> None:
    done = kg("extract", "-", "--format", "jsonl", stdin="[1]\n" + papers(2))
    assert (done.exit_code, len(done.stdout.splitlines())) == (1, 2)
    assert "line 1: " in done.stderr


def test_controls_in_a_text_are_escaped_and_the_text_is_unchanged(kg: Kg) -> None:
    abstract = "A \x9b31m \u202e net \U0001f600 für alle."
    stdout = kg("extract", "-", stdin=json_lines([{"abstract": abstract}])).stdout
    assert not {"\x9b", "\u202e"} & set(stdout)
    assert "für alle" in stdout
    assert json.loads(stdout)["text"] == f"\n{abstract}"
