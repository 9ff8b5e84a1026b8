"""Little around the process: no home, no locale, a code page; and input as Windows writes it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, json_lines, papers
from tests.faults.command import run

posix = pytest.mark.skipif(sys.platform == "win32", reason="an environment of POSIX")

RECORD = {"title": "Größe ✓", "abstract": "We use GRÖßeNet on data \u202e here."}
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


@posix
@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({}, id="no HOME"),
        pytest.param({"HOME": "/dev/null"}, id="HOME is no folder"),
        pytest.param({"HOME": "", "XDG_CACHE_HOME": ""}, id="empty"),
        pytest.param({"KG_CACHE": "/dev/null/x"}, id="KG_CACHE is no folder"),
    ],
)
def test_without_a_home_a_build_works(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "list.jsonl").write_text(papers(2), encoding="utf-8")
    user = (
        {} if "HOME" in environment or "KG_CACHE" in environment else {"XDG_CACHE_HOME": str(tmp_path / "c")}
    )
    done = run("build", "list.jsonl", "-o", "g.json", cwd=tmp_path, environment={**user, **environment})
    assert done.returncode == 0, done.stderr
    told = done.stderr.decode()
    assert "Traceback" not in told
    assert told.count("the cache of extractions cannot be used, going on without it: ") <= 1


@posix
@pytest.mark.parametrize(
    ("encoding", "name"),
    [("ascii", b"GR??eNet"), ("cp1252", b"GR\xd6\xdfeNet"), ("utf-8", b"GR\xc3\x96\xc3\x9feNet")],
)
def test_what_a_terminal_lacks_is_a_substitute_and_records_are_utf8(
    tmp_path: Path, encoding: str, name: bytes
) -> None:
    (tmp_path / "Größe.jsonl").write_text(json_lines([RECORD]), encoding="utf-8")
    there = {**ASCII, "PYTHONIOENCODING": encoding, "XDG_CACHE_HOME": str(tmp_path)}
    built = run("build", "Größe.jsonl", "-o", "Größe.json", cwd=tmp_path, environment=there)
    assert built.returncode == 0, built.stderr
    shown = run("stats", "Größe.json", cwd=tmp_path, environment=there)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert name in shown.stdout
    read = run("extract", "Größe.jsonl", cwd=tmp_path, environment=there)
    assert "GRÖßeNet on data \\u202e here".encode() in read.stdout


@pytest.mark.parametrize("name", ["list.txt", "C:\\lists\\list.txt", "..\\list.txt"])
def test_text_of_windows_reads_as_any_other(tmp_path: Path, kg: Kg, name: str) -> None:
    text = "ICML 2025\n\nCafé Networks\n\nWe use CaféNet for “coffee”.\n\nTea Networks\n\nWe use TeaNet.\n"
    (tmp_path / "plain.txt").write_bytes(text.encode())
    (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
    expected = kg("extract", "plain.txt").stdout
    done = kg("extract", name)
    assert done.exit_code == 0
    assert done.stdout == expected
    assert "read as Windows-1252 (cp1252)" in done.stderr
