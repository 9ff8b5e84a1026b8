"""Tests of `kg diff`: tables and JSON."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import Kg, papers


@pytest.fixture
def two(kg: Kg) -> Kg:
    """The files old.json, of the papers 0 and 1, and new.json, of the papers 1 and 2."""
    lines = papers(3).splitlines(keepends=True)
    kg("build", "-", "-o", "old.json", stdin="".join(lines[:2]))
    kg("build", "-", "-o", "new.json", stdin="".join(lines[1:]))
    return kg


def test_tables_name_what_came_and_went(two: Kg) -> None:
    done = two("diff", "old.json", "new.json")
    assert (done.exit_code, done.stderr) == (0, "")
    shown = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "Papers: +1" in shown
    assert "+ Paper 2" in shown
    assert "- Paper 0" in shown
    assert "+ ResNet2 method" in shown
    assert "- Paper 0 USES ResNet0" in shown


def test_long_tables_are_cut_and_say_so(two: Kg) -> None:
    shown = two("diff", "old.json", "new.json", "--limit", "1").stdout
    assert re.search(r"^ +and \d more ", shown, re.MULTILINE)


def test_json_has_everything(two: Kg) -> None:
    record = json.loads(two("diff", "old.json", "new.json", "--format", "json").stdout)
    assert [paper["name"] for paper in record["papers"]["in"]] == ["Paper 2"]
    assert {edge["relation"] for edge in record["relations"]["out"]} >= {"USES"}


def test_equal_graphs_have_nothing_to_show(two: Kg) -> None:
    done = two("diff", "old.json", "old.json")
    assert (done.exit_code, done.output) == (0, "The graphs are equal in papers, concepts and relations.\n")


def test_a_missing_graph_is_one_line(two: Kg) -> None:
    done = two("diff", "old.json", "absent.json")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
