"""A folder of tables says what the graph file of the same graph says, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import kg as paperkg
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


@pytest.fixture(params=GRAPHS)
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """The file of a graph and the folder of its tables, under names of one length."""
    path = tmp_path / "graph.json"
    graph = GRAPHS[request.param]()
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
