from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.exports import export, neo4j_admin, parquet
from kg.push import Report, push
from kg.queries import queries
from kg.query import run, run_on_server
from kg.server import Settings
from kg.spark.bulk import write_import_set
from kg.spark.storage import Folder
from kg.store import Graph
from tests.neo4j.conftest import need_server, open_driver, settings_of
from tests.neo4j.server import Server, free_ports, import_arguments, run_script
from tests.neo4j.test_push import hostile_graph
from tests.query_graph import query_graph

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def written(spark: SparkSession, graph: Graph, folder: Path) -> Path:
    """The import set that Spark makes of the tables of a graph."""
    from pyspark.sql import functions

    tables = folder / "tables"
    tables.mkdir()
    parquet.write(graph, tables)
    found = {
        name: spark.read.parquet(str(tables / f"{name}.parquet")) for name in ("nodes", "edges", "evidence")
    }
    ends = ["source", "target", "type"]
    own = [name for name in found["evidence"].columns if name not in ends]
    listed = (
        found["evidence"].groupBy(*ends).agg(functions.collect_list(functions.struct(*own)).alias("evidence"))
    )
    edges = found["edges"].join(listed, ends, "left")
    counts = {"nodes": graph.number_of_nodes(), "edges": graph.number_of_edges()}
    write_import_set(found["nodes"], edges, Folder.at(spark, str(folder / "set")), counts=counts)
    return folder / "set"


def parts(folder: Path) -> dict[str, list[str]]:
    """Table -> its lines, sorted; in memory a table has one part, on Spark a folder of them."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.parent.name if path.name.startswith("part-") else path.name.partition("-part")[0]
        if path.is_file() and (path.name.startswith("part-") or path.name.endswith("-part1.csv")):
            found.setdefault(name, []).extend(path.read_text(encoding="utf-8").splitlines())
    return {name: sorted(lines) for name, lines in found.items() if name not in ("nodes", "relationships")}


@pytest.mark.parametrize(
    "graph", [pytest.param(query_graph(), id="plain"), pytest.param(hostile_graph(), id="hostile")]
)
def test_the_set_is_that_of_one_process(spark: SparkSession, graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "expected").mkdir()
    neo4j_admin.write(graph, tmp_path / "expected")

    folder = written(spark, graph, tmp_path)

    assert parts(folder) == parts(tmp_path / "expected")
    headers = {path.name: path.read_text() for path in (tmp_path / "expected").glob("*-header.csv")}
    assert {path.name: path.read_text() for path in folder.glob("*-header.csv")} == headers
    script = (tmp_path / "expected" / "import.sh").read_text(encoding="utf-8")
    script = re.sub(r"\./([\w-]+)-part1\.csv", r"./\1/part-.*", script)
    assert (folder / "import.sh").read_text(encoding="utf-8") == script


def test_line_breaks_are_put_back_by_scripts_of_their_own(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "expected").mkdir()
    neo4j_admin.write(hostile_graph(), tmp_path / "expected")
    finish = (tmp_path / "expected" / "finish.cypher").read_text(encoding="utf-8").splitlines()

    folder = written(spark, hostile_graph(), tmp_path)

    schema = (folder / "finish.cypher").read_text(encoding="utf-8").splitlines()
    assert schema == finish[: len(schema)]
    scripts = sorted((folder / "breaks").rglob("part-*"))
    lines = [line for path in scripts for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 0
    assert all(re.match(r"(WITH|UNWIND) .*;$", line) for line in lines)


@contextmanager
def imported(folder: Path) -> Iterator[Settings]:
    """A server that holds what its importer takes from a set, scripts included."""
    need_server("lts")
    with tempfile.TemporaryDirectory(prefix="neo4j-", ignore_cleanup_errors=True) as home:
        server = Server("lts", Path(home), *free_ports())
        server.prepare()
        server.admin(*import_arguments(folder), folder=folder)
        try:
            server.start()
            with open_driver(settings_of(server)) as driver:
                for path in [folder / "finish.cypher", *sorted((folder / "breaks").rglob("part-*"))]:
                    run_script(driver, path)
            yield settings_of(server)
        finally:
            server.stop()


@pytest.mark.neo4j
def test_the_importer_takes_the_set_as_a_push_writes_it(spark: SparkSession, tmp_path: Path) -> None:
    graph = hostile_graph()
    with imported(written(spark, graph, tmp_path)) as settings:
        done = push(graph, settings)
    assert done == Report(nodes=graph.number_of_nodes(), relations=graph.number_of_edges())


@pytest.mark.neo4j
def test_every_shipped_query_gives_the_rows_of_the_folder(spark: SparkSession, tmp_path: Path) -> None:
    export(query_graph(), tmp_path / "folder", format="parquet")
    with imported(written(spark, query_graph(), tmp_path)) as settings:
        on_server = {name: run_on_server(settings, query) for name, query in queries().items()}
    assert on_server == {name: run(tmp_path / "folder", query) for name, query in queries().items()}
    assert all(found.rows for found in on_server.values())
