"""Processes that read: every paper has its outcome, whatever becomes of a worker."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest

from extractors import workers
from extractors.workers import Outcome, Workers, read_batch
from kg.errors import ModelError, WorkerError
from kg.schema import Extraction, Paper

ROOT = Path(__file__).resolve().parents[2]


def read(papers: Sequence[Paper]) -> list[Outcome]:
    """A stand-in for the extractor: an abstract may ask for trouble."""
    for paper in papers:
        if paper.abstract == "die":
            os._exit(70)
        if paper.abstract == "no model":
            raise ModelError("no weights", hint="install again")
    return [Extraction(id=paper.record_id, title=None, text=str(os.getpid())) for paper in papers]


def read_threads(papers: Sequence[Paper]) -> list[Outcome]:
    """How many threads the linear algebra may start."""
    return [os.environ["OPENBLAS_NUM_THREADS"] for _ in papers]


def batches(*abstracts: str, size: int = 2) -> list[list[Paper]]:
    """Papers p0, p1, … in batches."""
    papers = [Paper(abstract=text, source_ids=(f"p{i}",)) for i, text in enumerate(abstracts)]
    return [papers[start : start + size] for start in range(0, len(papers), size)]


def told(outcomes: Sequence[Outcome]) -> list[str]:
    return [outcome.id if isinstance(outcome, Extraction) else outcome for outcome in outcomes]


def test_each_batch_comes_back_once_with_an_outcome_for_each_paper() -> None:
    with Workers(2, read=read) as pool:
        found = dict(pool.read(batches(*["fine"] * 9)))
    assert {index: told(outcomes) for index, outcomes in found.items()} == {
        0: ["p0", "p1"],
        1: ["p2", "p3"],
        2: ["p4", "p5"],
        3: ["p6", "p7"],
        4: ["p8"],
    }
    assert multiprocessing.active_children() == []


def test_a_worker_that_dies_costs_the_paper_it_died_on() -> None:
    with Workers(2, read=read) as pool:
        found = dict(pool.read(batches("a", "die", "b", "c", "d", "e", size=3)))
    assert [told(found[index]) for index in sorted(found)] == [
        ["p0", "the extractor's process ended on it (exit code 70)", "p2"],
        ["p3", "p4", "p5"],
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_worker_that_is_killed_from_outside_costs_nothing() -> None:
    with Workers(1, read=read) as pool:
        stream = pool.read(batches(*["a"] * 12))
        _, (first, _) = next(stream)
        assert isinstance(first, Extraction)
        os.kill(int(first.text), signal.SIGKILL)
        rest = [told(outcomes) for _, outcomes in stream]
    assert rest == [["p2", "p3"], ["p4", "p5"], ["p6", "p7"], ["p8", "p9"], ["p10", "p11"]]


def test_workers_that_die_one_after_the_other_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_DEATHS", 3)
    with Workers(1, read=read) as pool, pytest.raises(WorkerError, match=r"3 worker .* \(exit code 70\)"):
        list(pool.read(batches(*["die"] * 9)))


def test_missing_weights_are_told_once() -> None:
    with Workers(2, read=read) as pool, pytest.raises(ModelError, match="no weights") as caught:
        list(pool.read(batches(*["no model"] * 9)))
    assert caught.value.hint == "install again"
    assert multiprocessing.active_children() == []


def test_a_worker_has_one_thread_of_linear_algebra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    with Workers(1, read=read_threads) as pool:
        assert list(pool.read(batches("a"))) == [(0, ["1"])]


UNGUARDED = """
from extractors.workers import Workers
from kg.schema import Paper
from tests.extractors.test_workers import batches, read
with Workers(1, read=read) as pool:
    print(list(pool.read(batches("a"))))
"""


def test_an_unguarded_script_is_told_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "kg.errors.WorkerError: a worker process could not start" in done.stderr


SLEEPING = """
import sys, time
from extractors.workers import Workers
from tests.extractors.test_workers import batches, read
if __name__ == "__main__":
    with Workers(2, read=read) as pool:
        stream = pool.read(batches(*["a"] * 8))
        print(*[outcomes[0].text for _, outcomes in stream], flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SLEEPING, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        pids = set(map(int, process.stdout.readline().split()))
        process.kill()
    deadline = time.monotonic() + 20
    while any(_runs(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [pid for pid in pids if _runs(pid)] == []


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_paper_that_the_extractor_fails_on_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    import extractors
    from tests.cli.fake import pipeline

    monkeypatch.setattr(extractors, "pipeline", pipeline, raising=False)
    (batch,) = batches("a", "fail", "b", size=3)
    assert told(read_batch(batch)) == [
        "p0",
        "the extractor failed: ZeroDivisionError: of the extractor",
        "p2",
    ]


@pytest.mark.parametrize("count", [pytest.param(2, id="c3-11")])
def test_the_real_extractor_reads_the_same_in_processes(count: int) -> None:
    given = batches(
        *[f"We propose NET{i}, a network for parsing, and test it on ImageNet." for i in range(20)]
    )
    with Workers(count) as pool:
        found: dict[int, Any] = dict(pool.read(given))
    assert [found[index] for index in sorted(found)] == [read_batch(batch) for batch in given]
    assert all(outcome.mentions for outcomes in found.values() for outcome in outcomes)


@pytest.mark.parametrize("count", [pytest.param(200, id="c3-14")])
def test_words_of_papers_are_forgotten(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from extractors import pipeline
    from extractors.pipeline import load

    monkeypatch.setattr(pipeline, "KEPT_WORDS", len(load().vocab.strings))
    words = ["".join(Random(number).choices(ascii_lowercase, k=12)) for number in range(2 * count)]
    papers = [Paper(abstract=f"We propose {word} for parsing.") for word in words]
    read_batch(papers[:count])
    before = len(load().vocab.strings)
    read_batch(papers[count:])
    assert len(load().vocab.strings) == before
