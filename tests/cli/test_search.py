"""Tests of `kg search`."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Kg


def test_the_found_nodes_are_a_table(kg: Kg, graph_file: str) -> None:
    rows = [" ".join(line.split()) for line in kg("search", graph_file, "graph").stdout.splitlines()]
    assert [rows[0], rows[1], *rows[3:]] == [
        "3 found",
        "Name Type Papers",
        "UPGNET Method 1",
        "graph learning Task 1",
        "UPGNET: graph learning Paper",
    ]


def test_limit_says_how_many_there_are(kg: Kg, graph_file: str) -> None:
    assert kg("search", graph_file, "graph", "--limit", "2").stdout.startswith("3 found, the first 2 are")


def test_json_is_one_object(kg: Kg, graph_file: str) -> None:
    assert json.loads(kg("search", graph_file, "upg", "--type", "method", "--format", "json").stdout) == {
        "query": "upg",
        "found": 1,
        "nodes": [
            {
                "id": "method:upgnet",
                "name": "UPGNET",
                "type": "Method",
                "papers": 1,
                "aliases": ["unified private graph network"],
            }
        ],
    }


@pytest.mark.parametrize("text", ["absent", "", "[red]"])
def test_finding_nothing_is_no_error(kg: Kg, graph_file: str, text: str) -> None:
    done = kg("search", graph_file, text)
    assert (done.exit_code, done.stdout) == (0, "Nothing found.\n")
