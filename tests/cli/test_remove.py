"""Tests of `kg remove`: the file that it rewrites, and names that it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Kg, papers


def test_removing_undoes_adding(kg: Kg) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(2))
    before = Path("g.json").read_bytes()
    kg("add", "g.json", "-", stdin=papers(4))
    assert Path("g.json").read_bytes() != before
    done = kg("remove", "g.json", "p2", "p3")
    assert (done.exit_code, done.stdout) == (0, "")
    assert Path("g.json").read_bytes() == before


def test_another_file_can_be_written(kg: Kg) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(2))
    before = Path("g.json").read_bytes()
    kg("remove", "g.json", "p0", "-o", "less.json")
    assert Path("g.json").read_bytes() == before
    kg("build", "-", "-o", "one.json", stdin="".join(papers(2).splitlines(keepends=True)[1:]))
    assert Path("less.json").read_bytes() == Path("one.json").read_bytes()


@pytest.mark.parametrize("names", [["p7"], ["p0", "p7"]])
def test_an_unknown_paper_is_named_and_nothing_written(kg: Kg, names: list[str]) -> None:
    kg("build", "-", "-o", "g.json", stdin=papers(2))
    before = Path("g.json").read_bytes()
    done = kg("remove", "g.json", *names)
    assert (done.exit_code, Path("g.json").read_bytes()) == (1, before)
    assert done.stderr.startswith("Error: no paper of the graph is called 'p7'. Name its node id, ")


def test_without_a_paper_it_is_wrong_usage(kg: Kg) -> None:
    assert kg("remove", "g.json").exit_code == 2
