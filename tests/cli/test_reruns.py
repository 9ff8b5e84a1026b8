"""Runs that are killed, interrupted, repeated, or made by several processes: the same bytes in the end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.cache import contents
from tests.cli.conftest import Kg, json_lines, papers

ROOT = Path(__file__).resolve().parents[2]
COUNT = 200

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def start(*arguments: str, cwd: Path, seconds: float = 0.0) -> subprocess.Popen[str]:
    """Starts the command line over the quick extractor, which takes so many seconds a paper."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": str(seconds)}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.cli.fake", *arguments],
        cwd=cwd,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], expected: int = 0) -> str:
    """Waits; gives what stood on standard error."""
    with process:
        told = process.communicate(timeout=60)[1]
    assert process.returncode == expected, told
    return told


def besides_progress(told: str) -> list[str]:
    """The lines that were told, but for those that a slow run tells of how far it is."""
    return [line for line in told.splitlines() if f" of {COUNT} papers" not in line]


def kept() -> int:
    """How many extractions the cache holds."""
    return sum(contents().extractions.values())


def wait_for(number: int) -> None:
    """Waits until the cache holds so many extractions."""
    deadline = time.monotonic() + 30
    while kept() < number and time.monotonic() < deadline:
        time.sleep(0.01)


INTERRUPTED = "Interrupted; no file was written. The same command goes on where it was."


@pytest.fixture
def listed(tmp_path: Path, kg: Kg) -> Path:
    """A folder with a list, and the graph of a run that nobody disturbed."""
    (tmp_path / "list.jsonl").write_text(papers(COUNT), encoding="utf-8")
    kg("build", "--no-cache", "list.jsonl", "-o", "whole.json")
    return tmp_path


@posix
@pytest.mark.parametrize(
    ("workers", "number", "later"),
    [("1", 0, 0.05), ("1", 64, 0.13), pytest.param("2", 96, 0.07, id="c8-28")],
)
def test_a_killed_run_leaves_nothing_that_the_next_one_minds(
    listed: Path, workers: str, number: int, later: float
) -> None:
    arguments = ("build", "list.jsonl", "-o", "g.json", "--workers", workers)
    process = start(*arguments, cwd=listed, seconds=0.003)
    wait_for(number)
    time.sleep(later)
    process.kill()
    finish(process, -signal.SIGKILL)
    assert number <= kept() < COUNT
    assert not (listed / "g.json").exists()
    finish(start(*arguments, cwd=listed))
    assert (listed / "g.json").read_bytes() == (listed / "whole.json").read_bytes()
    assert kept() == COUNT


@posix
@pytest.mark.parametrize("workers", [pytest.param("1", id="c8-27"), pytest.param("2", id="c8-27 workers")])
def test_an_interrupted_run_says_so_and_the_next_one_reads_the_rest(listed: Path, workers: str) -> None:
    arguments = ("build", "list.jsonl", "-o", "g.json", "--workers", workers)
    process = start(*arguments, cwd=listed, seconds=0.003)
    wait_for(64)
    process.send_signal(signal.SIGINT)
    told = finish(process, 130)
    assert besides_progress(told) == [INTERRUPTED]
    before = kept()
    assert 64 <= before < COUNT
    told = finish(start("-v", *arguments, cwd=listed))
    assert f"{COUNT - before} of {COUNT} papers to read" in told
    assert (listed / "g.json").read_bytes() == (listed / "whole.json").read_bytes()


@posix
def test_ctrl_c_reaches_the_whole_group_and_ends_it_quickly(listed: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FAKE_SECONDS": "0.05"}
    command = [sys.executable, "-m", "tests.cli.fake", "build", "list.jsonl", "--workers", "2"]
    with subprocess.Popen(
        command, cwd=listed, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(32)
        started = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate(timeout=30)[1]
    assert time.monotonic() - started < 5
    assert (process.returncode, besides_progress(told)) == (130, [INTERRUPTED])
    assert _ends(process.pid)


def _ends(group: int) -> bool:
    """Whether no process of a group is left in a while."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_two_runs_at_once_give_the_same_bytes(listed: Path) -> None:
    runs = [start("build", "list.jsonl", "-o", f"{name}.json", cwd=listed, seconds=0.002) for name in "ab"]
    for run in runs:
        finish(run)
    for name in "ab":
        assert (listed / f"{name}.json").read_bytes() == (listed / "whole.json").read_bytes()
    assert kept() == COUNT


@pytest.mark.parametrize("workers", ["1", "2", "4"])
def test_the_number_of_workers_does_not_show(listed: Path, workers: str) -> None:
    finish(start("build", "--no-cache", "list.jsonl", "--workers", workers, "-o", "g.json", cwd=listed))
    assert (listed / "g.json").read_bytes() == (listed / "whole.json").read_bytes()


@pytest.mark.parametrize("trouble", [pytest.param("fail", id="c3-13"), "die"])
def test_a_record_that_breaks_a_worker_is_named_and_the_others_are_there(
    tmp_path: Path, trouble: str
) -> None:
    bad = json_lines([{"id": "bad", "title": "x", "abstract": trouble}])
    (tmp_path / "list.jsonl").write_text(papers(60) + bad + papers(100), encoding="utf-8")
    told = finish(start("build", "list.jsonl", "--workers", "2", cwd=tmp_path), 1)
    assert re.search(r"^Rejected list\.jsonl, line 61: record 'bad': the extractor", told, re.MULTILINE)
    assert re.search(r"Papers +100, .*Rejected records +1 ", told, re.DOTALL)


def test_a_changed_list_is_that_of_a_fresh_run(kg: Kg) -> None:  # c8-15
    def records(first: str) -> str:
        return json_lines([{"id": "p1", "abstract": first}, {"id": "p2", "abstract": "We use GPT."}])

    kg("build", "-", stdin=records("BERT on GLUE."))
    kg("build", "-", stdin=records("RoBERTa on GLUE."))
    kg("build", "--no-cache", "-", "-o", "fresh.json", stdin=records("RoBERTa on GLUE."))
    assert Path("graph.json").read_bytes() == Path("fresh.json").read_bytes()


@pytest.mark.parametrize("workers", ["0", "-1", "many", "1.5"])
def test_a_number_of_workers_that_is_none_is_wrong_usage(kg: Kg, workers: str) -> None:
    assert kg("build", "-", "--workers", workers, stdin=papers(1)).exit_code == 2
