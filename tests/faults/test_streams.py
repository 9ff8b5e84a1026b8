"""Standard streams that are closed, full, or no terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import papers
from tests.faults.command import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="redirections of a POSIX shell")


@pytest.mark.parametrize("streams", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(tmp_path: Path, streams: str) -> None:
    (tmp_path / "list.jsonl").write_text(papers(2), encoding="utf-8")
    done = run("build", "list.jsonl", "-o", "g.json", cwd=tmp_path, streams=streams)
    assert done.returncode == 0
    assert b"Traceback" not in done.stdout + done.stderr
    assert (tmp_path / "g.json").read_bytes().startswith(b'{"directed":true,"edges":[{')


def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    done = run("extract", "-", cwd=tmp_path, streams="<&-")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr == b"Warning: <stdin>: the file is empty\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["stats", "GRAPH"], ["export", "GRAPH", "--format", "turtle", "-o", "-"]]
)
def test_a_full_output_is_one_line(tmp_path: Path, graph_file: str, arguments: list[str]) -> None:
    named = [graph_file if argument == "GRAPH" else argument for argument in arguments]
    done = run(*named, cwd=tmp_path, streams=">/dev/full")
    assert done.returncode == 1
    assert done.stderr == b"Error: cannot write standard output: No space left on device\n"


def test_a_reader_that_stops_ends_a_table_without_a_word(tmp_path: Path, graph_file: str) -> None:
    done = run("report", graph_file, cwd=tmp_path, streams="| true")
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "list.jsonl").write_text(papers(2), encoding="utf-8")
    done = run("build", "list.jsonl", "-o", "g.json", cwd=tmp_path, environment={"TERM": "dumb"})
    assert done.returncode == 0
    assert not {0x1B, 0x0D} & set(done.stderr)
