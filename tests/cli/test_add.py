"""Tests of `kg add`: the file that it rewrites, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from extractors import version
from tests.cli.conftest import Kg, json_lines, papers


@pytest.mark.parametrize("name", ["g.json", "g.json.gz"])
def test_the_file_becomes_that_of_a_build_of_both(kg: Kg, name: str) -> None:
    kg("build", "-", "-o", name, stdin=papers(2))
    Path("more.jsonl").write_text(papers(5), encoding="utf-8")
    done = kg("add", name, "more.jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert re.search(r"Papers +5, .*Written to +" + re.escape(name), done.stderr, re.DOTALL)
    kg("build", "more.jsonl", "-o", f"whole-{name}")
    assert Path(name).read_bytes() == Path(f"whole-{name}").read_bytes()


def test_another_file_can_be_written(kg: Kg) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(1))
    before = Path("g.json").read_bytes()
    kg("add", "g.json", "-", "-o", "both.json", stdin=papers(2))
    assert Path("g.json").read_bytes() == before
    stdout = kg("add", "-q", "g.json", "-", "-o", "-", stdin=papers(2)).stdout_bytes
    assert stdout == Path("both.json").read_bytes()


def test_rejected_records_are_named_and_the_others_added(kg: Kg) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(1))
    more = papers(2) + '{"id": "bad", "title": "x", "abstract": 42}\n'
    more += json_lines([{"id": "p9", "title": "B", "abstract": "fail"}])
    done = kg("add", "g.json", "-", "--format", "jsonl", stdin=more)
    assert done.exit_code == 1
    assert "line 3: " in done.stderr
    reason = "the extractor failed: ZeroDivisionError: of the extractor"
    assert f"Rejected <stdin>, line 4: record 'p9': {reason}\n" in done.stderr
    assert re.search(r"Papers +2, .*Rejected records +2 ", done.stderr, re.DOTALL)


def test_another_extractors_graph_is_refused_and_stays(kg: Kg, monkeypatch: pytest.MonkeyPatch) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(1))
    before = Path("g.json").read_bytes()
    monkeypatch.setattr(version, "extractor_version", lambda: "newer")
    done = kg("add", "g.json", "-", stdin=papers(2))
    assert (done.exit_code, Path("g.json").read_bytes()) == (1, before)
    assert done.stderr == (
        "Error: the graph was made by another extractor (fake; this one is newer). "
        "With --reextract its papers are read again.\n"
    )
    assert kg("add", "g.json", "-", "--reextract", stdin=papers(2)).exit_code == 0


def test_without_a_graph_or_an_input_nothing_is_done(kg: Kg) -> None:
    assert kg("add", "absent.json", "-", stdin=papers(1)).exit_code == 1
    assert kg("add", "absent.json").exit_code == 2
    assert list(Path().iterdir()) == []
