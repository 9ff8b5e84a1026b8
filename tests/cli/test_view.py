"""Tests of `kg view`: the page itself has its own tests."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

import kg as library
from tests.cli.conftest import Kg
from tests.graphs import UPG, small_graph
from tests.viz.conftest import page_data
from viz.page import View


def test_a_page_is_written(kg: Kg, graph_file: str) -> None:
    done = kg("view", graph_file)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "Written to view.html\n")
    assert Path("view.html").read_text(encoding="utf-8") == library.view(small_graph()).html


def test_standard_output_holds_nothing_but_the_page(kg: Kg, graph_file: str) -> None:
    done = kg("view", graph_file, "-o", "-")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == library.view(small_graph()).html
    assert not Path("view.html").exists()


@pytest.mark.parametrize(
    ("options", "types"),
    [
        (["--focus", "cora"], {"Dataset", "Paper"}),
        (["--focus", "cora", "--depth", "0"], {"Dataset"}),
        (["--type", "method,Task", "--type", "Venue"], {"Method", "Task", "Venue"}),
        (["--papers"], {"Paper"}),
        (["--concepts-only", "--community"], {"Dataset", "Method", "Task", "Term"}),
        (["--timeline"], {"Method"}),
    ],
)
def test_options_choose_what_is_shown(kg: Kg, graph_file: str, options: list[str], types: set[str]) -> None:
    done = kg("view", graph_file, *options, "-o", "-")
    assert {node["type"] for node in page_data(View(done.stdout))["nodes"]} == types


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("MATCH (m:Method) RETURN m", {"method:transformer", "method:upgnet"}),
        ("MATCH (p:Paper)-[r:EVALUATES_ON]->(d) RETURN r", {UPG, "dataset:cora"}),
        ("MATCH (d:Dataset) RETURN d.name", {"dataset:cora"}),
    ],
)
def test_a_query_chooses_nodes(kg: Kg, graph_file: str, query: str, expected: set[str]) -> None:
    done = kg("view", graph_file, "--query", query, "-o", "-")
    assert {node["id"] for node in page_data(View(done.stdout))["nodes"]} == expected


def test_a_query_without_nodes_is_one_line(kg: Kg, graph_file: str) -> None:
    done = kg("view", graph_file, "--query", "MATCH (p:Paper) RETURN count(p)")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    "options",
    [
        ["--papers", "--timeline"],
        ["--type", "Nonsense"],
        ["--open", "-o", "-"],
        ["--top", "0"],
        ["--depth", "2"],
    ],
)
def test_wrong_usage_writes_nothing(kg: Kg, graph_file: str, options: list[str]) -> None:
    assert kg("view", graph_file, *options).exit_code == 2
    assert not Path("view.html").exists()


def test_a_name_that_nothing_has_is_one_line(kg: Kg, graph_file: str) -> None:
    done = kg("view", graph_file, "--focus", "Coro")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize(("works", "lines"), [(True, 1), (False, 2)])
def test_the_browser_is_opened(
    kg: Kg, graph_file: str, monkeypatch: pytest.MonkeyPatch, works: bool, lines: int
) -> None:
    opened: list[str] = []

    def pretend(address: str) -> bool:
        opened.append(address)
        return works

    monkeypatch.setattr(webbrowser, "open", pretend)
    done = kg("view", graph_file, "-o", "my view.html", "--open")
    assert (done.exit_code, done.stderr.count("\n")) == (0, lines)
    assert opened == [Path("my view.html").resolve().as_uri()]
