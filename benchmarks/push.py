"""How fast `kg push` is beside a plain loop of the driver: `PYTHONPATH=. python benchmarks/push.py [LINE]`.

A generated graph (200,000 nodes, 1,000,000 relations with a sentence of evidence each) goes twice into a real
Neo4j Community server from Maven Central: by a plain loop of `UNWIND … CREATE` in batches of the same size,
and by `kg push` with its default settings, which merges, reads back and compares.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from itertools import islice

import networkx as nx
from neo4j import Driver, GraphDatabase

from kg.flat import edge_row
from kg.push import BATCH, push
from kg.server import Settings
from kg.store import Graph
from tests.neo4j.server import PASSWORD, running

__all__ = ["generated", "main"]

_CREATE = """
UNWIND $rows AS row
MATCH (a:Paper {id: row.source})
MATCH (b:Method {id: row.target})
CREATE (a)-[r:USES]->(b)
SET r += row.properties
"""


def generated(papers: int, methods: int, relations: int) -> Graph:
    """A graph of papers that use methods, few of them often; the same each time."""
    dice = random.Random(7)
    graph: Graph = nx.MultiDiGraph(format=1)
    for number in range(papers):
        name = f"Paper {number}"
        graph.add_node(f"paper:{number}", type="Paper", name=name, label=name, abstract="We use it. " * 20)
    for number in range(methods):
        graph.add_node(f"method:{number}", type="Method", name=f"Method {number}", aliases=[], papers=1)
    pairs: set[tuple[str, str]] = set()
    while len(pairs) < relations:
        pairs.add((f"paper:{dice.randrange(papers)}", f"method:{int(methods * dice.random() ** 3)}"))
    for paper, method in sorted(pairs):
        shown = {"paper": paper, "sentence": f"{paper} uses {method} for its work.", "start": 1, "end": 40}
        evidence = [{**shown, "score": 0.5, "extractor": "generated"}]
        graph.add_edge(paper, method, "USES", type="USES", papers=1, score=0.5, evidence=evidence)
    return graph


def _timed(call: Callable[[], object]) -> float:
    start = time.monotonic()
    call()
    return time.monotonic() - start


def _plain(driver: Driver, graph: Graph) -> None:
    """The relations by a plain loop."""
    rows = (edge_row(graph, source, key, target) for source, target, key in graph.edges(keys=True))
    with driver.session() as session:
        while batch := list(islice(rows, BATCH)):
            session.run(_CREATE, rows=batch).consume()


def _memory() -> int:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(line: str = "lts", papers: int = 150_000, methods: int = 50_000, relations: int = 1_000_000) -> None:
    """Prints one JSON object with what was measured."""
    graph = generated(papers, methods, relations)
    nodes_only: Graph = nx.MultiDiGraph(format=1)
    nodes_only.add_nodes_from(graph.nodes(data=True))
    with running(line) as server, GraphDatabase.driver(server.uri, auth=("neo4j", PASSWORD)) as driver:
        settings = Settings(uri=server.uri, password=PASSWORD)
        nodes = _timed(lambda: push(nodes_only, settings))
        plain = _timed(lambda: _plain(driver, graph))
        with driver.session() as session:
            session.run("MATCH ()-[r:USES]->() CALL (r) { DELETE r } IN TRANSACTIONS").consume()
        seen: list[tuple[float, int]] = []
        before = _memory()
        start = time.monotonic()
        report = push(graph, settings, progress=lambda done, total: seen.append((time.monotonic(), done)))
        whole = time.monotonic() - start
        written = seen[-1][0] - next(at for at, done in seen if done >= graph.number_of_nodes())
        again = _timed(lambda: push(graph, settings))
    print(
        json.dumps(
            {
                "line": line,
                "relations": report.created_relations,
                "nodes_seconds": round(nodes, 1),
                "plain_create_seconds": round(plain, 1),
                "push_relations_seconds": round(written, 1),
                "ratio": round(plain / written, 2),
                "push_whole_seconds": round(whole, 1),
                "second_push_seconds": round(again, 1),
                "client_mb_before": before,
                "client_mb_after": _memory(),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "lts")
