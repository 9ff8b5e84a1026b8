"""A folder of tables says what the graph file of the same graph says, byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

import kg as paperkg
from kg import query
from kg.errors import QueryError
from kg.exports.tables import TABLES
from kg.queries import queries
from kg.records import NODE_FIELDS
from kg.store import Graph, load, save
from tests.cli.conftest import Kg
from tests.graphs import small_graph
from tests.kg.test_assemble import BASE, UPG, built
from tests.query_graph import query_graph


def as_assembled(graph: Graph) -> Graph:
    """The graph with the attributes that papers and repositories always have."""
    for data in graph.nodes.values():
        empty = {"Paper": NODE_FIELDS, "Repository": ("owner",)}.get(data["type"], ())
        data.update({**dict.fromkeys(empty), **data})
    return graph


GRAPHS = {
    "small": lambda: as_assembled(small_graph()),
    "assembled": lambda: built(UPG, BASE),
    "queries": lambda: as_assembled(query_graph()),
}


@pytest.fixture(params=GRAPHS, scope="module")
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The file of a graph and the folder of its tables, under names of one length."""
    return folder_of(GRAPHS[request.param](), tmp_path_factory.mktemp("both"))


@pytest.fixture(scope="module")
def of_queries(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The file and the folder of a graph in which every query finds something."""
    return folder_of(GRAPHS["queries"](), tmp_path_factory.mktemp("queries"))


def folder_of(graph: Graph, tmp_path: Path) -> tuple[str, str]:
    """The file of a graph and the folder of its tables."""
    path = tmp_path / "graph.json"
    save(graph, path)
    paperkg.export(load(path), tmp_path / "tables.dir", format="parquet")
    return str(path), str(tmp_path / "tables.dir")


def same(kg: Kg, both: tuple[str, str], command: str, *arguments: str) -> str:
    """What a command says of both sources, which must be the same."""
    file, folder = (kg(command, path, *arguments) for path in both)
    assert (folder.stdout, folder.exit_code) == (file.stdout, file.exit_code)
    assert folder.stderr.replace(both[1], both[0]) == file.stderr
    return file.stdout + file.stderr


NAMES = "Transformer|bert|UPGNET: g|2401.00001|ann roe|transfomer|m|zzz||ICML|Attention|COCO|parsing|method:x"


@pytest.mark.parametrize("name", NAMES.split("|"))
@pytest.mark.parametrize("options", ["", "--format json", "--limit 1", "--no-evidence --limit 2"])
def test_show(kg: Kg, both: tuple[str, str], name: str, options: str) -> None:
    same(kg, both, "show", name, *options.split())


@pytest.mark.parametrize("options", ["", "--format json", "--limit 1", "--limit 2 --format json"])
def test_stats(kg: Kg, both: tuple[str, str], options: str) -> None:
    assert same(kg, both, "stats", *options.split())


@pytest.mark.parametrize("text", ["transformer", "a", "graph net", "", "roe an", "zzz"])
@pytest.mark.parametrize("options", ["", "--format json", "--type Method --limit 1"])
def test_search(kg: Kg, both: tuple[str, str], text: str, options: str) -> None:
    assert same(kg, both, "search", text, *options.split())


@pytest.mark.parametrize(
    "names",
    [
        ("UPGNET", "Transformer"),
        ("BERT", "Transformer"),
        ("2401.00001", "C++"),
        ("BERT", "GLUE"),
        ("zzz", "a"),
    ],
)
@pytest.mark.parametrize("options", ["", "--format json", "--format csv --limit 1"])
def test_why(kg: Kg, both: tuple[str, str], names: tuple[str, str], options: str) -> None:
    assert same(kg, both, "why", *names, *options.split())


_WRONG = ("MATCH (m:Method) RETURN m.venue", "RETURN nonsense")


@pytest.mark.parametrize("name", sorted(queries()))
def test_queries_that_come_along(kg: Kg, of_queries: tuple[str, str], name: str) -> None:
    assert same(kg, of_queries, "query", name, "--format", "json")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n ORDER BY n.id",
        "MATCH (a)-[r]->(b) RETURN a.id, r, b.id ORDER BY a.id, label(r), b.id",
        "MATCH p = (a)-[:AUTHORED|PUBLISHED_IN]->(b) RETURN p ORDER BY a.id, b.id",
        "MATCH (m:Method) RETURN m.venue",
        "RETURN nonsense",
    ],
)
@pytest.mark.parametrize("options", ["", "--format json", "--format csv"])
def test_query(kg: Kg, both: tuple[str, str], text: str, options: str) -> None:
    shown = same(kg, both, "query", text, *options.split())
    assert shown.startswith("Error") == (text in _WRONG)


@pytest.mark.parametrize(
    "options",
    [
        "--focus Transformer",
        "--focus Transformer --depth 0",
        "--focus BERT --depth 2 --community",
        "--focus Transformer --timeline --top 3",
        "--focus Transformer --depth 2 --concepts-only",
        "--papers",
        "",
        "--query hubs --focus Transformer --depth 2",
        "--focus zzz",
    ],
)
def test_view(kg: Kg, both: tuple[str, str], tmp_path: Path, options: str) -> None:
    graph = load(both[0])
    graph.graph.pop("records", None)  # they know the order of authors, which no table holds
    save(graph, tmp_path / "graph.json")
    pair = str(tmp_path / "graph.json"), both[1]
    assert same(kg, pair, "view", "-o", "-", *options.split())


def test_of_many_nodes_none_is_drawn_without_a_focus(
    kg: Kg, of_queries: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.folder_view._SMALL", 5)
    said = kg("view", of_queries[1], "-o", "-")
    assert said.exit_code == 1
    assert "nodes, too many to draw. Name one with --focus; `kg search` finds names." in said.stderr


def test_around_a_hub_the_nearest_nodes_with_most_papers_are_drawn(
    kg: Kg, of_queries: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.folder_view._NEAR", 4)
    said = kg("view", of_queries[1], "--focus", "Transformer", "-o", "-")
    assert said.exit_code == 0
    assert "Transformer has more than 4 nodes around it; those with most papers are taken" in said.stderr


def damaged(tables: str, tmp_path: Path, damage: str) -> str:
    """A copy of a folder without a file, or with a file of rubbish."""
    copy = tmp_path / "copy"
    shutil.copytree(tables, copy)
    name, _, content = damage.partition("=")
    (copy / name).write_text(content) if content else (copy / name).unlink()
    return str(copy)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (
            "manifest.json",
            "is no whole folder of graph tables: it has no manifest.json. Write the folder again",
        ),
        ("edges.parquet", "has no table edges.parquet. Write the folder again."),
        ("nodes.parquet=PAR1 no table", "nodes.parquet is damaged: "),
        ("evidence.parquet=", "has no table evidence.parquet"),
    ],
)
@pytest.mark.parametrize("command", [("show", "BERT"), ("query", "overview"), ("view",)])
def test_a_folder_that_is_not_whole_is_refused(
    kg: Kg, of_queries: tuple[str, str], tmp_path: Path, damage: str, message: str, command: tuple[str, ...]
) -> None:
    folder = damaged(of_queries[1], tmp_path, damage)
    said = kg(command[0], folder, *command[1:])
    assert said.exit_code == 1
    assert len(said.stderr.splitlines()) == 1
    assert message in said.stderr


def test_what_needs_the_records_says_so(kg: Kg, of_queries: tuple[str, str]) -> None:
    said = kg("remove", of_queries[1], "paper:sha1:a")
    assert (said.exit_code, said.stdout) == (1, "")
    assert "is a folder, not a graph file. A folder of tables holds no extraction records" in said.stderr


def test_where_nothing_can_be_written_a_warning_says_what_that_costs(
    kg: Kg, of_queries: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(of_queries[1], copy)
    monkeypatch.setattr("kg.folder.make", lambda *args, **more: False)
    said = kg("show", str(copy), "BERT")
    assert said.stdout == kg("show", of_queries[0], "BERT").stdout
    assert said.stderr.startswith(f"cannot write beside {copy}: its index is made for this command alone")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


def test_the_index_of_a_changed_folder_is_made_anew(kg: Kg, tmp_path: Path) -> None:
    _, folder = folder_of(GRAPHS["small"](), tmp_path)
    assert kg("show", folder, "UPGNET").exit_code == 0
    shutil.rmtree(folder)
    _, folder = folder_of(GRAPHS["queries"](), tmp_path)
    assert kg("show", folder, "BERT").exit_code == 0
    assert len([path for path in tmp_path.iterdir() if path.suffix == ".index"]) == 1


def test_tables_in_parts_as_a_cluster_writes_them(
    kg: Kg, of_queries: tuple[str, str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(Path(of_queries[1], "manifest.json"), copy)
    for name in TABLES:
        table = parquet.read_table(Path(of_queries[1], f"{name}.parquet"))
        (copy / f"{name}.parquet").mkdir()
        half = -(-len(table) // 2)
        for index in range(2):
            part = copy / f"{name}.parquet" / f"part-{index:05}.snappy.parquet"
            parquet.write_table(table.slice(index * half, half), part)
            part.with_name(f".{part.name}.crc").write_bytes(b"crc")
        (copy / f"{name}.parquet" / "_SUCCESS").touch()
    for command in (("stats",), ("show", "BERT"), ("why", "BERT", "Transformer"), ("search", "a")):
        same(kg, (of_queries[0], str(copy)), *command)


def test_a_question_that_needs_more_memory_is_asked_again_with_more(
    kg: Kg, of_queries: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    rows_of = query._rows_of

    def answer(connection: Any, text: str, bound: Any) -> query.Result:
        asked.append(connection)
        if len(asked) == 1:
            raise QueryError("the query fails: Buffer manager exception: Unable to allocate memory!")
        return rows_of(connection, text, bound)

    monkeypatch.setattr(query, "_rows_of", answer)
    assert kg("query", of_queries[1], "overview").stdout == kg("query", of_queries[0], "overview").stdout
    assert len(asked) == 3
