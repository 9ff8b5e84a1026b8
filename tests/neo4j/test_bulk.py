"""The bulk formats in real servers, and a push on top of what they loaded."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from neo4j import Driver

from kg.exports import export
from kg.push import Report, push
from kg.server import Settings
from kg.store import Graph
from tests.neo4j.conftest import need_server, open_driver, settings_of
from tests.neo4j.server import LINES, Server, free_ports, import_arguments, run_script
from tests.neo4j.test_push import counts, dump, expected, hostile_graph
from tests.query_graph import query_graph

pytestmark = pytest.mark.neo4j


def untouched(graph: Graph) -> Report:
    """What a push reports that finds everything there."""
    return Report(nodes=graph.number_of_nodes(), relations=graph.number_of_edges())


@pytest.mark.parametrize(
    "graph", [pytest.param(query_graph(), id="c6-18"), pytest.param(hostile_graph(), id="c6-15")]
)
def test_the_script_loads_what_a_push_writes(
    graph: Graph, server: Settings, database: Driver, tmp_path: Path
) -> None:
    export(graph, tmp_path / "graph.cypher")
    run_script(database, tmp_path / "graph.cypher")
    loaded = dump(database)
    assert push(graph, server) == untouched(graph)
    assert dump(database) == loaded


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    "graph", [pytest.param(query_graph(), id="c6-28"), pytest.param(hostile_graph(), id="c6-21")]
)
def test_the_import_loads_what_a_push_writes(line: str, graph: Graph) -> None:
    need_server(line)
    with tempfile.TemporaryDirectory(prefix="neo4j-", ignore_cleanup_errors=True) as home:
        folder = Path(home, "graph")
        server = Server(line, Path(home), *free_ports())
        server.prepare()
        export(graph, folder, format="neo4j-admin")
        server.admin(*import_arguments(folder), folder=folder)
        try:
            server.start()
            with open_driver(settings_of(server)) as driver:
                run_script(driver, folder / "finish.cypher")
                assert counts(driver) == {name: number for name, number in expected(graph).items() if number}
            assert push(graph, settings_of(server)) == untouched(graph)
        finally:
            server.stop()
