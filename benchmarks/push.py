"""How fast `kg push` and the bulk import are: `PYTHONPATH=. python benchmarks/push.py [--relations N]`.

A generated graph (a million relations with a sentence of evidence each, a node for every five of them) goes
into real Neo4j Community servers from Maven Central: by a plain loop of the driver's `UNWIND … CREATE` in
batches of the same size; by `kg push` with its default settings; by a second push of the same graph, which
changes nothing; and by the server's own importer, out of what `kg export --format neo4j-admin` writes. What
arrived is counted by label and type. Each step is given in seconds of the clock and in CPU seconds of this
process and of the server; the latter tell more where the machine is busy. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import networkx as nx
from neo4j import Driver, GraphDatabase

from kg.exports import export
from kg.flat import edge_row
from kg.push import BATCH, push
from kg.server import Settings
from kg.store import Graph
from tests.neo4j.server import LINES, PASSWORD, Server, free_ports, import_arguments, run_script, running
from tests.neo4j.test_push import counts, expected

__all__ = ["generated", "main"]

_CREATE = """
UNWIND $rows AS row
MATCH (a:Paper {id: row.source})
MATCH (b:Method {id: row.target})
CREATE (a)-[r:USES]->(b)
SET r += row.properties
"""
_TICKS = os.sysconf("SC_CLK_TCK")


def generated(relations: int) -> Graph:
    """A graph of papers that use methods, few of them often; the same each time."""
    papers, methods = relations * 3 // 20, relations // 20
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


class _Steps:
    """What the steps of a benchmark took, by name."""

    def __init__(self) -> None:
        self.taken: dict[str, dict[str, float]] = {}

    @contextmanager
    def step(self, name: str, server: Server | None = None) -> Iterator[None]:
        """Takes the time of what the block does."""
        before = time.monotonic(), time.process_time(), _cpu(server)
        yield
        after = time.monotonic(), time.process_time(), _cpu(server)
        names = ("seconds", "client_cpu", "server_cpu")
        taken = (round(end - start, 1) for start, end in zip(before, after, strict=True))
        self.taken[name] = dict(zip(names, taken, strict=True))
        print(name, self.taken[name], file=sys.stderr)

    def ratio(self, name: str, seconds: float) -> float:
        """How long one step took beside so many seconds."""
        return round(self.taken[name]["seconds"] / max(seconds, 0.1), 2)


def _cpu(server: Server | None) -> float:
    """CPU seconds of a server so far; without one, of the processes that this one has waited for."""
    if server is None or server.pid is None:
        return sum(os.times()[2:4])
    fields = Path(f"/proc/{server.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _memory(name: str) -> int:
    """A figure of this process in MB: `VmRSS` is what it has, `VmHWM` the most that it had."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) // 1024


def _plain(driver: Driver, graph: Graph) -> None:
    """The relations by a plain loop."""
    rows = (edge_row(graph, source, key, target) for source, target, key in graph.edges(keys=True))
    with driver.session() as session:
        while batch := list(islice(rows, BATCH)):
            session.run(_CREATE, rows=batch).consume()


def _nodes_only(graph: Graph) -> Graph:
    nodes: Graph = nx.MultiDiGraph(format=1)
    nodes.add_nodes_from(graph.nodes(data=True))
    return nodes


def pushed(graph: Graph, line: str, steps: _Steps) -> dict[str, Any]:
    """Pushes a graph twice, after a plain loop has written its relations; gives what is not a time."""
    with running(line) as server, GraphDatabase.driver(server.uri, auth=("neo4j", PASSWORD)) as driver:
        settings = Settings(uri=server.uri, password=PASSWORD)
        with steps.step("push_nodes", server):
            push(_nodes_only(graph), settings)
        with steps.step("plain_create_relations", server):
            _plain(driver, graph)
        with driver.session() as session:
            session.run("MATCH ()-[r:USES]->() CALL (r) { DELETE r } IN TRANSACTIONS").consume()
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the peak so far
        before = _memory("VmRSS")
        seen: list[tuple[float, int]] = []
        with steps.step("push_relations", server):
            first = push(graph, settings, progress=lambda done, _: seen.append((time.monotonic(), done)))
        written = seen[-1][0] - next(at for at, done in seen if done >= len(graph))
        with steps.step("push_unchanged", server):
            second = push(graph, settings)
        return {
            "create_beside_merge": steps.ratio("plain_create_relations", written),
            "created": [first.created_nodes, first.created_relations],
            "created_and_changed_by_second": [second.created_relations, second.changed_relations],
            "counts_right": counts(driver) == expected(graph),
            "client_mb_before_push": before,
            "client_mb_peak": _memory("VmHWM"),
        }


def imported(graph: Graph, line: str, steps: _Steps) -> dict[str, Any]:
    """Imports a graph into a new server as `import.sh` does, and counts what is there."""
    with tempfile.TemporaryDirectory(prefix="neo4j-", ignore_cleanup_errors=True) as home:
        folder, server = Path(home, "graph"), Server(line, Path(home), *free_ports())
        server.prepare()
        with steps.step("export_neo4j_admin"):
            export(graph, folder, format="neo4j-admin")
        with steps.step("import"):
            server.admin(*import_arguments(folder), folder=folder)
        try:
            server.start()
            with GraphDatabase.driver(server.uri, auth=("neo4j", PASSWORD)) as driver:
                with steps.step("finish", server):
                    run_script(driver, folder / "finish.cypher")
                    driver.execute_query("CALL db.awaitIndexes(600)")
                return {"import_counts_right": counts(driver) == expected(graph)}
        finally:
            server.stop()


def main() -> None:
    """Prints one JSON object with what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--relations", type=int, default=1_000_000)
    parser.add_argument("--line", choices=LINES, default="lts")
    options = parser.parse_args()
    graph, steps = generated(options.relations), _Steps()
    found = imported(graph, options.line, steps) | pushed(graph, options.line, steps)
    first = steps.taken["push_nodes"]["seconds"] + steps.taken["push_relations"]["seconds"]
    found["unchanged_beside_first"] = steps.ratio("push_unchanged", first)
    size = {"line": options.line, "nodes": len(graph), "relations": graph.number_of_edges()}
    print(json.dumps({**size, **found, "steps": steps.taken}, indent=2))


if __name__ == "__main__":
    main()
