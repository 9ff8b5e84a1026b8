"""Runs that are hit on the way: the result is the same, or there is none."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from kg import manifest
from tests.spark import jobs

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.usefixtures("java")]

PAPERS = 100
PART = 34


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A list of papers, and a record that is none."""
    path = tmp_path_factory.mktemp("list") / "list.jsonl"
    jobs.write_list(path, PAPERS)
    return path


@pytest.fixture(scope="module")
def expected(papers: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The tables of a build in memory."""
    return jobs.in_memory(papers, tmp_path_factory.mktemp("memory") / "tables")


def test_a_killed_executor_costs_nothing(
    papers: Path, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    output = tmp_path / "out"
    run = jobs.start(papers, output, jobs.configured(tmp_path / "conf", part=PART))
    jobs.wait_for(run, "part 2 of")
    jobs.kill_executor(run.pid)
    code, said = jobs.finish(run)

    assert code == 1, said  # one record is rejected
    assert jobs.tables(output) == expected
    assert len(jobs.rows(output, "rejected")) == 1


def test_a_killed_run_is_resumed_or_begins_anew(
    papers: Path, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    output, part = tmp_path / "out", tmp_path / "out.part"
    environment = jobs.configured(tmp_path / "conf", part=PART)
    run = jobs.start(papers, output, environment)
    jobs.wait_for(run, "part 2 of")
    others = jobs.below(run.pid)
    run.kill()
    jobs.finish(run)
    assert jobs.gone(others)
    assert not output.exists()
    first = part / "work" / "extractions" / "part=0" / "_SUCCESS"
    written = first.stat().st_mtime_ns

    run = jobs.start(papers, output, environment, "--resume")
    jobs.wait_for(run, "part 2 of")
    assert first.stat().st_mtime_ns == written
    code, said = jobs.finish(run)

    assert code == 1, said
    assert jobs.tables(output) == expected
    assert manifest.read(output)["counts"]["rejected"] == 1
    assert not part.exists()


def test_an_interrupted_run_ends_with_all_its_processes(papers: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    run = jobs.start(papers, output, jobs.configured(tmp_path / "conf", part=PART))
    jobs.wait_for(run, "part 2 of")
    others = jobs.below(run.pid)
    run.send_signal(signal.SIGINT)
    code, said = jobs.finish(run)

    assert (code, said.splitlines()[-1]) == (
        130,
        "Interrupted; no file was written. The same command goes on where it was.",
    )
    assert jobs.gone(others)
    assert not output.exists()
