"""Pushes that are killed, and servers that are."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import pytest
from neo4j import Driver

from kg.push import push
from kg.server import Settings
from kg.store import Graph, save
from tests.graphs import evidence
from tests.neo4j.conftest import GIVEN, need_server, open_driver, settings_of
from tests.neo4j.server import PASSWORD, Server, running
from tests.neo4j.test_push import dump

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

_ENOUGH = 120.0


def long_graph(nodes: int = 600) -> Graph:
    """So many methods in a ring; with batches of ten rows it takes long enough to be killed half-way."""
    graph: Graph = nx.MultiDiGraph(format=1)
    for number in range(nodes):
        graph.add_node(f"method:{number}", type="Method", name=f"M{number}", aliases=[], papers=1)
    for number in range(nodes):
        other = f"method:{(number + 1) % nodes}"
        shown = [evidence("p", f"Method {number} is a kind of the next.")]
        graph.add_edge(f"method:{number}", other, "IS_A", type="IS_A", papers=1, evidence=shown)
    return graph


def start_push(path: Path, settings: Settings) -> subprocess.Popen[bytes]:
    """`kg push` in a process of its own, with small batches."""
    places = {"NEO4J_URI": settings.uri, "NEO4J_USERNAME": settings.username}
    environment = {**os.environ, **places, "NEO4J_PASSWORD": settings.password}
    command = [sys.executable, "-m", "kg", "push", str(path), "--batch", "10"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for_relations(driver: Driver, process: subprocess.Popen[bytes]) -> None:
    """Returns as soon as some relations are there, and the push still runs."""
    deadline = time.monotonic() + _ENOUGH
    while not driver.execute_query("MATCH ()-[r]->() RETURN count(r)").records[0][0]:
        assert process.poll() is None, process.stderr and process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_push_killed_half_way_and_repeated_ends_like_an_undisturbed_one(
    server: Settings, database: Driver, tmp_path: Path
) -> None:
    graph, path = long_graph(), tmp_path / "graph.json"
    save(graph, path)
    push(graph, server)
    undisturbed = dump(database)
    database.execute_query("MATCH (n) DETACH DELETE n")
    with start_push(path, server) as process:
        wait_for_relations(database, process)
        process.kill()
    assert len(dump(database)["relations"]) < graph.number_of_edges()
    with start_push(path, server) as process:
        assert process.wait(timeout=_ENOUGH) == 0
    assert dump(database) == undisturbed


@pytest.mark.skipif(GIVEN is not None, reason="a server that is not ours is not killed")
@pytest.mark.parametrize("line", ["lts"])
def test_a_server_killed_half_way_is_told_and_a_second_push_mends_it(line: str, tmp_path: Path) -> None:
    need_server(line)
    graph, path = long_graph(), tmp_path / "graph.json"
    save(graph, path)
    with running(line) as server:
        _kill_half_way(server, path)
        with start_push(path, settings_of(server)) as process:
            assert process.wait(timeout=_ENOUGH) == 0
        with open_driver(settings_of(server)) as driver:
            held = dump(driver)
            driver.execute_query("MATCH (n) DETACH DELETE n")
            push(graph, settings_of(server))
            assert held == dump(driver)


def _kill_half_way(server: Server, path: Path) -> None:
    """Kills the server under a push, checks what the push says, and starts the server again."""
    assert server.environment["NEO4J_PASSWORD"] == PASSWORD
    with open_driver(settings_of(server)) as driver, start_push(path, settings_of(server)) as process:
        wait_for_relations(driver, process)
        server.kill()
        assert process.wait(timeout=_ENOUGH) == 1
        assert process.stderr is not None
        last = process.stderr.read().decode().splitlines()[-1]
    assert last.startswith("Error: ")
    assert "1,200 nodes and relations had been written" in last
    server.start()
