"""The seeds graph, as the shipped extractor reads it, on a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from neo4j import Driver

import kg
from kg.push import Report, push
from kg.queries import find, queries
from kg.query import run, run_on_server
from kg.server import Settings
from kg.store import Graph, save
from tests.neo4j.test_push import counts, dump, expected

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

PAPER = "paper:arxiv:1706.03762"


def test_seeds_arrive_stay_and_lose_exactly_the_share_of_a_paper(
    server: Settings, database: Driver, seeds_graph: Graph
) -> None:
    database.execute_query("CREATE (:Note {text: 'mine'})-[:ON]->(:Paper {id: 'foreign'})")
    size = {"nodes": seeds_graph.number_of_nodes(), "relations": seeds_graph.number_of_edges()}
    push(seeds_graph, server)
    foreign = {"Note": 1, "ON": 1}
    more = expected(seeds_graph)
    assert counts(database) == {**more, **foreign, "Paper": more["Paper"] + 1}
    assert push(seeds_graph, server) == Report(**size)

    smaller = kg.remove(seeds_graph, [PAPER])
    assert PAPER not in smaller
    report = push(smaller, server, prune=True)
    assert report.pruned_nodes == len(set(seeds_graph) - set(smaller)) > 0
    assert report.pruned_relations == len(set(seeds_graph.edges) - set(smaller.edges)) > 0
    less = expected(smaller)
    assert counts(database) == {**less, **foreign, "Paper": less["Paper"] + 1}

    after = dump(database)
    database.execute_query("MATCH (n) WHERE n.collections IS NOT NULL DETACH DELETE n")
    push(smaller, server)
    assert dump(database) == after


def test_every_query_gives_the_same_rows_on_the_seeds(
    server: Settings, database: Driver, seeds_graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "seeds.json"
    save(seeds_graph, path)
    push(seeds_graph, server)
    different = [name for name in queries() if run(path, find(name)) != run_on_server(server, find(name))]
    assert different == []
