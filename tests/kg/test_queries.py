"""The queries that come along, and how a user's are read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import cypher
from kg.errors import QueryError
from kg.flat import LABELS, RELATIONS
from kg.queries import Query, find, parse, queries, values
from kg.translate import check_read_only, parameters_in

SHIPPED = queries()


def test_there_are_enough() -> None:
    assert len(SHIPPED) >= 25
    assert {path.stem for path in cypher.VARIANTS.glob("*.cypher")} <= SHIPPED.keys()


@pytest.mark.parametrize("query", SHIPPED.values(), ids=list(SHIPPED))
def test_every_query_says_what_it_is_and_is_bounded(query: Query) -> None:
    lines = query.text.splitlines()
    assert re.fullmatch(r"// [A-Z][^.;]+", lines[0])
    assert query.about.endswith(".")
    assert ";" not in query.text
    assert list(query.parameters) == [name for name in query.parameters if f"${name}" in query.text]
    assert sorted(query.parameters) == sorted(parameters_in(query.text))
    limit = re.fullmatch(r"LIMIT (\d+)", lines[-1])
    assert limit
    assert int(limit[1]) <= 100  # of a graph, paths with at most two new nodes
    assert "\nORDER BY " in query.text
    check_read_only(query.text)


@pytest.mark.parametrize("query", SHIPPED.values(), ids=list(SHIPPED))
def test_labels_and_types_are_those_of_the_graph(query: Query) -> None:
    code = "\n".join(line for line in query.text.splitlines() if not line.startswith("//"))
    named = set(re.findall(r"[:|]([A-Z]\w+)", code))
    assert named <= {*LABELS, *RELATIONS, "Concept"}


def test_a_head_is_title_text_and_parameters() -> None:
    text = "// Title\n// What it\n// answers.\n// :param task => 'a b'\n// :param n => 3\nRETURN $task, $n"
    assert parse("x", text) == Query("x", "Title", "What it answers.", {"task": "a b", "n": 3}, text)


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("'it\\'s'", "it's"),
        ("2", 2),
        ("0.5", 0.5),
        ("true", True),
        ("null", None),
        ("['a', \"b\"]", ["a", "b"]),
    ],
)
def test_examples_are_literals(literal: str, value: Any) -> None:
    assert parse("x", f"// T\n// :param p => {literal}\nRETURN $p").parameters == {"p": value}


def test_an_example_that_is_no_literal_is_refused() -> None:
    with pytest.raises(QueryError, match="no literal"):
        parse("x", "// T\n// :param p => date()\nRETURN $p")


def test_find_takes_a_name_a_file_or_cypher(tmp_path: Path) -> None:
    path = tmp_path / "my own.cypher"
    path.write_text("// Mine\nRETURN 1 AS one", encoding="utf-8")
    assert find("hubs").title == "Hubs"
    assert find(str(path)).title == "Mine"
    assert find("RETURN 1 AS one").text == "RETURN 1 AS one"
    assert find("path-between").variant


@pytest.mark.parametrize(
    ("asked", "told"),
    [("hub", "no query 'hub'"), ("absent.cypher", "cannot read absent.cypher"), ("a/b", "cannot read a/b")],
)
def test_what_is_not_there_is_named(asked: str, told: str) -> None:
    with pytest.raises(QueryError, match=re.escape(told)):
        find(asked)


def test_a_misspelt_name_is_guessed() -> None:
    with pytest.raises(QueryError) as caught:
        find("paper-with-code")
    assert "papers-with-code" in caught.value.hint


@pytest.mark.parametrize(
    ("example", "text", "value"),
    [("a", "17", "17"), (3, "4", 4), (0.5, "1", 1), (True, "false", False), ([1], "[2, 3]", [2, 3])],
)
def test_values_take_the_kind_of_the_example(example: Any, text: str, value: Any) -> None:
    assert values(Query("x", "X", "", {"p": example}, ""), {"p": text}) == {"p": value}


def test_without_an_example_a_value_is_what_it_looks_like() -> None:
    given = {"a": "1", "b": "free text", "c": "'1'"}
    assert values(Query("x", "X", "", {}, ""), given) == {"a": 1, "b": "free text", "c": "1"}


@pytest.mark.parametrize("given", [{"p": "many"}, {"q": "1"}])
def test_values_that_do_not_fit_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(QueryError):
        values(Query("x", "X", "", {"p": 3}, ""), given)
