"""Tests of `kg export`: the formats themselves have their own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.exports import EXPORTERS
from tests.cli.conftest import Kg


@pytest.mark.parametrize("name", EXPORTERS)
def test_every_format_can_be_chosen(kg: Kg, graph_file: str, name: str) -> None:
    done = kg("export", graph_file, "--format", name, "-o", "out")
    assert (done.exit_code, done.output) == (0, "Written to out\n")
    assert Path("out").exists()


def test_the_ending_tells_the_format(kg: Kg, graph_file: str) -> None:
    assert kg("export", graph_file, "-o", "g.graphml").exit_code == 0
    assert Path("g.graphml").read_bytes().startswith(b"<?xml")


def test_help_lists_the_formats(kg: Kg) -> None:
    shown = kg("export", "-h").output
    assert [name for name in EXPORTERS if name not in shown] == []


def test_an_ending_that_tells_nothing_is_one_line(kg: Kg, graph_file: str) -> None:
    done = kg("export", graph_file, "-o", "g.docx")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
