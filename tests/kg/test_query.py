"""Queries on the embedded engine; `tests/neo4j/` compares them with a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import GraphFileError, QueryError
from kg.queries import find, parse, queries
from kg.query import Result, examples, run
from kg.store import save
from tests.graphs import UPG, small_graph
from tests.query_graph import query_graph


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the small graph."""
    path = tmp_path_factory.mktemp("graph") / "small.json"
    save(small_graph(), path)
    return path


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a graph in which every query finds something."""
    path = tmp_path_factory.mktemp("graph") / "larger.json"
    save(query_graph(), path)
    return path


@pytest.mark.parametrize("name", list(queries()))
def test_every_query_finds_something_with_its_examples(name: str, larger: Path) -> None:
    assert run(larger, find(name)).rows


@pytest.mark.parametrize("name", list(queries()))
def test_every_query_runs_on_a_graph_that_lacks_most(name: str, file: Path) -> None:
    run(file, find(name))


def test_nodes_relations_and_paths_have_one_form(file: Path) -> None:
    text = "MATCH p = (m:Method {id: 'method:upgnet'})-[r:IMPROVES]->(t) RETURN m, r, p, t.id AS id"
    upgnet = {
        "id": "method:upgnet",
        "labels": ["Method", "Concept"],
        "properties": {"aliases": ["unified private graph network"], "name": "UPGNET", "papers": 1},
    }
    transformer = {
        "id": "method:transformer",
        "labels": ["Method", "Concept"],
        "properties": {"aliases": ["Transformers"], "name": "Transformer", "papers": 2},
    }
    improves = {
        "type": "IMPROVES",
        "source": "method:upgnet",
        "target": "method:transformer",
        "properties": {
            "evidence_ends": [19],
            "evidence_extractors": ["test"],
            "evidence_papers": [UPG],
            "evidence_scores": [0.9],
            "evidence_starts": [1],
            "sentences": ["We propose UPGNET."],
        },
    }
    path = {"nodes": [upgnet, transformer], "relationships": [improves]}
    assert run(file, parse("query", text)) == Result(
        ("m", "r", "p", "id"), [[upgnet, improves, path, "method:transformer"]]
    )


def test_a_relation_knows_its_ends_without_their_nodes(file: Path) -> None:
    found = run(file, parse("query", "MATCH ()-[r:IMPROVES]->() RETURN r")).rows[0][0]
    assert (found["source"], found["target"]) == ("method:upgnet", "method:transformer")


def test_numbers_are_plain_and_floats_have_six_digits(file: Path) -> None:
    text = "MATCH (m:Method) RETURN sum(m.papers) AS total, 1 / 3.0 AS third, null AS nothing"
    assert run(file, parse("query", text)).records() == [{"total": 3, "third": 0.333333, "nothing": None}]


def test_parameters_take_what_is_given_and_else_their_example(file: Path) -> None:
    query = parse("query", "// T\n// :param a => 'x'\n// :param n => 2\nRETURN $a AS a, $n AS n")
    assert run(file, query).rows == [["x", 2]]
    assert run(file, query, parameters={"a": "'; DROP"}).rows == [["'; DROP", 2]]
    assert examples(query, {"a": "y"}) == {"n": 2}


@pytest.mark.parametrize(
    ("text", "parameters", "told"),
    [
        ("RETURN $absent", {}, r"needs a value for \$absent"),
        ("RETURN 1 AS x", {"y": "1"}, "has no parameter 'y'"),
        ("MATCH (n) SET n.name = 'x'", {}, r"would write \(SET\)"),
        ("MATCH (n:Nonsense) RETURN n", {}, "the query fails: .*Nonsense"),
        ("MATCH (n RETURN n", {}, "the query fails: "),
        ("RETURN 1 AS x; RETURN 2 AS x", {}, "several queries"),
        ("RETURN $n AS n", {"n": "9" * 40}, "the query fails: "),
    ],
)
def test_a_wrong_query_is_told_in_one_line(
    text: str, parameters: dict[str, str], told: str, file: Path
) -> None:
    with pytest.raises(QueryError, match=told) as caught:
        run(file, parse("query", text), parameters=parameters)
    assert "\n" not in caught.value.message


def test_a_missing_graph_is_told(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match=r"cannot read .*absent"):
        run(tmp_path / "absent.json", find("hubs"))
