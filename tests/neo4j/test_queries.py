"""Every shipped query gives the same rows on a server and on the embedded engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import QueryError
from kg.push import push
from kg.queries import find, parse, queries
from kg.query import run, run_on_server
from kg.server import Settings
from kg.store import save
from tests.neo4j.conftest import empty, open_driver
from tests.query_graph import query_graph

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def graph_file(server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph in a file and on the server."""
    path = tmp_path_factory.mktemp("graph") / "graph.json"
    save(query_graph(), path)
    with open_driver(server) as driver:
        empty(driver)
    push(query_graph(), server)
    return path


@pytest.mark.parametrize("name", list(queries()))
def test_rows_are_the_same_and_there_are_some(name: str, server: Settings, graph_file: Path) -> None:
    query = find(name)
    embedded, on_server = run(graph_file, query), run_on_server(server, query)
    assert on_server == embedded
    assert embedded.rows


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (m:Method {name: 'BERT'}) RETURN m",
        "MATCH (:Paper)-[r:PROPOSES]->(m:Method) RETURN r ORDER BY m.name",
        "MATCH (:Method {name: 'BERT'})-[r:IMPROVES]->() RETURN {r: r, l: [r]} AS x",
        "MATCH p = (:Method {name: 'BERT'})-[:IMPROVES|IS_A*1..2]->(x) RETURN p ORDER BY length(p), x.id",
        "RETURN 1.23456789 AS f, [1, 2][1] AS one, 'x // y' AS text, null AS nothing, true AS yes",
        "MATCH (c:Concept) RETURN c.aliases[0] AS alias, c.id AS id ORDER BY id",
        "MATCH (m:Method) WHERE EXISTS { (m)-[:USED_FOR]->(:Task) } RETURN m.id AS id ORDER BY id",
        "MATCH (m:Method) RETURN [a IN m.aliases WHERE a <> 'BERT'] AS other, m.id AS id ORDER BY id",
    ],
)
def test_values_have_one_form(text: str, server: Settings, graph_file: Path) -> None:
    query = parse("query", text)
    assert run_on_server(server, query).rows == run(graph_file, query).rows


@pytest.mark.parametrize(
    "text", ["MATCH (m:Method) SET m.name = 'x'", "MATCH (n) DETACH DELETE n", "CALL db.createLabel('X')"]
)
def test_a_query_that_writes_is_refused(text: str, server: Settings, graph_file: Path) -> None:
    with pytest.raises(QueryError):
        run_on_server(server, parse("query", text))
    with pytest.raises(QueryError):
        run(graph_file, parse("query", text))


def test_a_wrong_query_is_one_line(server: Settings, graph_file: Path) -> None:
    with pytest.raises(QueryError) as caught:
        run_on_server(server, parse("query", "MATCH (n RETURN n"))
    assert "\n" not in caught.value.message
