"""Tests of `kg cache` and `--no-cache`."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, papers


def test_info_shows_the_file_and_what_it_holds(kg: Kg, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    kg("build", "-", stdin=papers(3))
    done = kg("cache", "info")
    assert (done.exit_code, done.stderr) == (0, "")
    assert re.search(
        r"File .*extractions-1\.sqlite3.*Size +0\.\d MB.*Extractions of fake +3\s+Graph files +1\s",
        done.stdout,
        re.S,
    )


def test_clear_empties_it(kg: Kg) -> None:
    kg("build", "-", stdin=papers(3))
    done = kg("cache", "clear")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "3 extractions and 1 graph file deleted\n")
    assert "Extractions of" not in kg("cache", "info").stdout


def test_without_the_cache_nothing_is_kept(kg: Kg) -> None:
    kg("extract", "-", "--no-cache", stdin=papers(3))
    kg("build", "-", "--no-cache", stdin=papers(3))
    kg("add", "graph.json", "-", "--no-cache", stdin=papers(4))
    assert list(Path(os.environ["KG_CACHE"]).iterdir()) == []


def test_a_damaged_cache_is_one_warning_and_the_same_graph(kg: Kg) -> None:
    kg("build", "-", "-o", "one.json", stdin=papers(3))
    (Path(os.environ["KG_CACHE"]) / "extractions-1.sqlite3").write_bytes(b"rubbish" * 999)
    done = kg("build", "-", "-o", "two.json", stdin=papers(3))
    assert (done.exit_code, done.stderr.count("is damaged and was set aside")) == (0, 1)
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_an_unknown_action_is_wrong_usage(kg: Kg) -> None:
    assert kg("cache", "burn").exit_code == 2
    assert kg("cache").exit_code == 2
