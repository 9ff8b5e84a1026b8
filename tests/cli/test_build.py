"""Tests of `kg build`: the file, the summary, rejected records."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, json_lines, papers


def test_build_writes_the_graph_and_sums_it_up(kg: Kg) -> None:
    done = kg("build", "-", "-o", "g.json", stdin=papers(2))
    assert (done.exit_code, done.stdout) == (0, "")
    shown = re.sub(r"Time .*\n", "", re.sub(r" +", " ", done.stderr)).split("\n")
    assert [line.rstrip() for line in shown] == [
        "Papers 2, 0 with code",
        "Concepts 4: 4 Method, 0 Task, 0 Dataset, 0 Metric, 0 Term",
        "Relations 6",
        "Rejected records 0",
        "Written to g.json",
        "",
        "",
    ]
    assert [node["name"] for node in json.loads(Path("g.json").read_bytes())["nodes"]] == [
        "BERT",
        "ResNet",
        "ResNet0",
        "ResNet1",
        "Paper 0",
        "Paper 1",
    ]


@pytest.mark.parametrize("name", ["g.json", "g.json.gz"])
@pytest.mark.parametrize("options", [[], ["--no-cache"]])
def test_a_second_build_gives_the_same_bytes_and_the_same_summary(
    kg: Kg, name: str, options: list[str]
) -> None:
    given = papers(20) + "[1]\n"
    runs = [kg("build", "-", "-o", name, *options, stdin=given) for name in (f"one-{name}", f"two-{name}")]
    assert Path(f"one-{name}").read_bytes() == Path(f"two-{name}").read_bytes()
    one, two = (re.sub(r"Time .*|(one|two)-", "", run.stderr) for run in runs)
    assert (runs[1].exit_code, two) == (1, one)


def test_the_same_build_prints_what_it_wrote_before(kg: Kg) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(2))
    assert kg("build", "-", "-o", "-", stdin=papers(2)).stdout_bytes == Path("g.json").read_bytes()


@pytest.mark.parametrize(
    "torn", [pytest.param("graph.json", id="c8-28"), pytest.param(".graph.json.x.part", id="c8-27")]
)
def test_a_build_after_a_torn_one_equals_an_undisturbed_one(kg: Kg, torn: str) -> None:
    Path(torn).write_text('{"graph": {', encoding="utf-8")
    kg("build", "-", stdin=papers(5))
    kg("build", "-", "-o", "fresh.json", stdin=papers(5))
    assert Path("graph.json").read_bytes() == Path("fresh.json").read_bytes()


def test_an_interrupted_build_keeps_the_graph_that_stood_there(kg: Kg) -> None:
    Path("graph.json").write_text("old", encoding="utf-8")
    done = kg("build", "-", stdin=papers(3) + json_lines([{"title": "A", "abstract": "interrupt"}]))
    assert done.exit_code == 130
    assert [(path.name, path.read_text()) for path in Path().iterdir()] == [("graph.json", "old")]


@pytest.mark.parametrize(
    ("bad", "places"),
    [
        pytest.param('{"id":"bad","title":"x","abstract":42}\n', ["line 101: "], id="c3-13"),
        pytest.param('{"id":"2","title":"B","abstract":\n[1,2]\n', ["line 101: ", "line 102: "], id="c8-07"),
    ],
)
def test_rejected_records_are_named_and_the_others_read(kg: Kg, bad: str, places: list[str]) -> None:
    Path("list.jsonl").write_text(papers(100) + bad, encoding="utf-8")
    done = kg("build", "list.jsonl")
    assert done.exit_code == 1
    told = [line for line in done.stderr.splitlines() if line.startswith("Rejected list.jsonl, ")]
    assert len(told) == len(places)
    assert all(place in line for place, line in zip(places, told, strict=True))
    nodes = json.loads(Path("graph.json").read_bytes())["nodes"]
    assert sum(node["type"] == "Paper" for node in nodes) == 100


def test_after_twenty_rejected_records_the_rest_is_counted(kg: Kg) -> None:
    done = kg("build", "-", "--format", "jsonl", stdin=papers(1) + "[1]\n" * 25)
    assert done.stderr.count("Rejected ") == 20 + 1
    assert "… and 5 more rejected records\n" in done.stderr
    assert re.search(r"Rejected records +25 ", done.stderr)


def test_strict_stops_at_the_first_rejected_record(kg: Kg) -> None:
    done = kg("build", "-", "--format", "jsonl", "--strict", stdin=papers(1) + "[1]\n[2]\n")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "line 2: " in done.stderr
    assert not Path("graph.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such file names")
def test_text_of_an_input_cannot_steer_the_terminal(kg: Kg) -> None:
    Path("\x1b[31m.jsonl").write_text("[1]\n", encoding="utf-8")
    done = kg("build", "\x1b[31m.jsonl", "--format", "jsonl")
    assert "\x1b" not in done.stderr
    assert "\\x1b[31m.jsonl" in done.stderr


def test_min_score_leaves_out_what_is_less_sure(kg: Kg) -> None:
    kg("build", "-", "--min-score", "0.95", stdin=papers(1))
    assert {node["type"] for node in json.loads(Path("graph.json").read_bytes())["nodes"]} == {"Paper"}


def test_several_inputs_and_a_folder_become_one_graph(kg: Kg) -> None:
    Path("lists").mkdir()
    Path("lists/one.jsonl").write_text(papers(2), encoding="utf-8")
    Path("two.csv").write_text("title,abstract\nAnother,We use LSTM here.\n", encoding="utf-8")
    done = kg("build", "lists", "two.csv")
    assert done.exit_code == 0
    assert re.search(r"Papers +3, ", done.stderr)


def test_an_output_that_cannot_be_written_is_one_line(kg: Kg) -> None:
    done = kg("build", "-", "-o", "absent/g.json", stdin=papers(1))
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: cannot write absent/g.json: ")
