"""Fixtures of the command line's tests: a runner, a quick extractor, a graph file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import extractors
from extractors import version
from kg import extraction
from kg.cli import main
from kg.store import save
from tests.cli.fake import extractor_version, pipeline
from tests.graphs import small_graph

Kg = Callable[..., Result]


@pytest.fixture(autouse=True)
def _fake_extractor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractors, "pipeline", pipeline, raising=False)
    monkeypatch.setattr(version, "extractor_version", extractor_version)
    monkeypatch.setattr(extraction, "available_processors", lambda: 1)  # a worker would read in earnest
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def kg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kg:
    """Runs the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, arguments, input=stdin, prog_name="kg")

    return run


@pytest.fixture
def graph_file(tmp_path: Path) -> str:
    """The file of a small graph."""
    path = tmp_path / "small.json"
    save(small_graph(), path)
    return str(path)


def json_lines(records: Iterable[object]) -> str:
    """Records as JSON Lines."""
    return "".join(f"{json.dumps(record)}\n" for record in records)


def papers(count: int) -> str:
    """So many different papers as JSON Lines."""
    return json_lines(
        {"id": f"p{i}", "title": f"Paper {i}", "abstract": f"We use ResNet{i} and BERT."}
        for i in range(count)
    )
