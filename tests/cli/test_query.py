"""`kg query`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from kg.queries import queries
from tests.cli.conftest import Kg

BY_NAME = "MATCH (m:Method) RETURN m.name AS name, m.papers AS papers ORDER BY name"


def test_json_is_one_array(kg: Kg, graph_file: str) -> None:
    done = kg("query", graph_file, BY_NAME, "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == [
        {"name": "Transformer", "papers": 2},
        {"name": "UPGNET", "papers": 1},
    ]


def test_csv_guards_against_formulas(kg: Kg, graph_file: str) -> None:
    done = kg("query", graph_file, "RETURN '=1+1' AS sum, [1, 2] AS list, 3 AS n", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.stdout))) == [["sum", "list", "n"], ["'=1+1", "[1, 2]", "3"]]


def test_a_table_shows_names_relations_and_paths(kg: Kg, graph_file: str) -> None:
    text = "MATCH p = (:Method)-[:IMPROVES]->() RETURN p AS path, [1, 2] AS list"
    shown = " ".join(kg("query", graph_file, text).stdout.split())
    assert "1; 2" in shown
    assert "UPGNET -IMPROVES-> Transformer" in shown


def test_a_table_cannot_steer_the_terminal(kg: Kg, graph_file: str) -> None:
    done = kg("query", graph_file, "RETURN 'a\\u001b[31mb' AS text")
    assert "\x1b" not in done.stdout


def test_nothing_found_is_no_error(kg: Kg, graph_file: str) -> None:
    done = kg("query", graph_file, "MATCH (m:Method {name: 'x'}) RETURN m.name AS n")
    assert (done.exit_code, done.stdout) == (0, "Nothing found.\n")
    done = kg("query", graph_file, "MATCH (m:Method {name: 'x'}) RETURN m.name AS n", "--format", "json")
    assert done.stdout == "[]\n"


def test_examples_are_told_on_stderr(kg: Kg, graph_file: str) -> None:
    done = kg("query", graph_file, "by-year")
    assert done.stderr == "Example values, change them with --param: concept=Transformer\n"
    assert kg("query", "-q", graph_file, "by-year").stderr == ""
    done = kg("query", graph_file, "by-year", "--param", "concept=UPGNET", "--format", "json")
    assert (json.loads(done.stdout), done.stderr) == ([{"year": 2025, "papers": 1}], "")


def test_a_file_of_the_user(kg: Kg, graph_file: str) -> None:
    Path("mine.cypher").write_text("// Mine\n// :param n => 1\nRETURN $n AS n;\n", encoding="utf-8")
    done = kg("query", graph_file, "mine.cypher", "--param", "n=2", "--format", "csv")
    assert done.stdout == "n\n2\n"


def test_the_list_names_every_query_with_title_and_parameters(kg: Kg) -> None:
    shown = " ".join(kg("query", "--list").stdout.split())
    assert [name for name in queries() if name not in shown] == []
    assert "Papers like this one" in shown
    assert "year=2018" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["absent"], 1, "Error: there is no query 'absent'."),
        (["MATCH (n) DELETE n"], 1, "Error: the query would write (DELETE). Queries here only read."),
        (["MATCH (n:Nowhere) RETURN n"], 1, "Error: the query fails: "),
        (["hubs", "--param", "x"], 2, "'x' is not like name=value."),
        (["hubs", "--param", "x=1"], 1, "has no parameter 'x'"),
        (["rising-terms", "--param", "year=soon"], 1, "does not fit the parameter year"),
    ],
)
def test_errors(kg: Kg, graph_file: str, arguments: list[str], code: int, told: str) -> None:
    done = kg("query", graph_file, *arguments)
    assert (done.exit_code, done.stdout) == (code, "")
    assert told in done.stderr


def test_a_server_needs_a_password(kg: Kg, graph_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    done = kg("query", graph_file, "hubs", "--neo4j")
    assert done.exit_code == 2
    assert "set NEO4J_PASSWORD in the environment or in .env" in done.stderr
