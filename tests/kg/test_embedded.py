"""The graph in the embedded engine, and its database beside the graph file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kg.embedded import cache_path, opened
from kg.errors import GraphFileError
from kg.flat import edge_groups, node_groups
from kg.store import Graph, save
from tests.graphs import UPG, evidence, small_graph
from tests.query_graph import query_graph

HOSTILE = ("'\"`\\", "a\\u0027\n\r\t", "*/ // --", "😀\u202e\x07", "x" * 65536, "{[,;|]}", "NULL", "")


def rows(path: Path, query: str) -> list[list[Any]]:
    """What the engine answers."""
    with opened(path) as connection:
        return [list(row) for row in connection.execute(query).get_all()]  # type: ignore[union-attr]


def saved(graph: Graph, path: Path) -> Path:
    """The path, with the graph in it."""
    save(graph, path)
    return path


def test_everything_is_there(tmp_path: Path) -> None:
    graph = query_graph()
    path = saved(graph, tmp_path / "g.json")
    nodes = dict(rows(path, "MATCH (n) RETURN label(n), count(*)"))
    assert nodes == {label: len(found) for label, found in node_groups(graph).items()}
    total = sum(map(len, edge_groups(graph).values()))
    assert rows(path, "MATCH ()-[r]->() RETURN count(*)") == [[total]]


def test_the_database_is_kept_and_made_anew_when_the_file_changes(tmp_path: Path) -> None:
    path = saved(small_graph(), tmp_path / "g.json")
    count = "MATCH (n) RETURN count(*)"
    assert rows(path, count) == [[10]]
    first = cache_path(path)
    stamp = first.stat().st_mtime_ns
    assert rows(path, count) == [[10]]
    assert first.stat().st_mtime_ns == stamp
    graph = small_graph()
    graph.add_node("task:new", type="Task", name="new")
    saved(graph, path)
    assert rows(path, count) == [[11]]
    assert {item.name for item in tmp_path.iterdir()} == {"g.json", cache_path(path).name}


@pytest.mark.parametrize("kept", [0, 20, 4096, 100_000])
def test_a_damaged_database_is_made_anew(tmp_path: Path, kept: int) -> None:
    path = saved(small_graph(), tmp_path / "g.json")
    count = "MATCH (n) RETURN count(*)"
    assert rows(path, count) == [[10]]
    database = cache_path(path)
    database.write_bytes(database.read_bytes()[:kept])
    assert rows(path, count) == [[10]]
    assert database.stat().st_size > kept


def test_where_the_folder_cannot_be_written_it_lives_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    path = saved(small_graph(), tmp_path / "g.json")
    assert rows(path, "MATCH (n) RETURN count(*)") == [[10]]
    assert [item.name for item in tmp_path.iterdir()] == ["g.json"]


def test_hostile_names_and_sentences_stay_as_they_are(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph(format=1)
    for number, name in enumerate(HOSTILE):
        graph.add_node(f"method:{number}", type="Method", name=name, aliases=[name, "A;B"], papers=number)
        shown = [evidence(UPG, name)]
        graph.add_edge("method:0", f"method:{number}", "IS_A", type="IS_A", evidence=shown)
    path = saved(graph, tmp_path / "g.json")
    found = rows(path, "MATCH (m:Method) RETURN m.name, m.aliases ORDER BY m.id")
    assert found == [[name, [name, "A;B"] if name else ["A;B"]] for name in HOSTILE]
    told = rows(path, "MATCH ()-[r:IS_A]->(m) RETURN r.sentences[1] ORDER BY m.id")
    assert [row[0] for row in told[:-1]] == list(HOSTILE[:-1])


def test_attributes_beyond_the_usual_and_of_mixed_kinds(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph(format=1)
    graph.add_node("method:a", type="Method", name="a", weight=1, mixed=1, set=[1, 2], year=True)
    graph.add_node("method:b", type="Method", name="b", weight=0.5, mixed="x", order={"a": 1})
    path = saved(graph, tmp_path / "g.json")
    found = rows(path, "MATCH (m:Method) RETURN m.weight, m.mixed, m.`set`, m.`order`, m.year ORDER BY m.id")
    assert found == [[1.0, "1", [1, 2], None, True], [0.5, "x", None, '{"a":1}', None]]


def test_of_names_that_differ_in_case_alone_one_is_a_column(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph(format=1)
    graph.add_node("method:a", type="Method", name="a", weight=1, Weight=2)
    path = saved(graph, tmp_path / "g.json")
    assert rows(path, "MATCH (m:Method) RETURN m.weight") == [[2]]


def test_an_empty_graph_has_every_table(tmp_path: Path) -> None:
    path = saved(nx.MultiDiGraph(format=1), tmp_path / "g.json")
    assert rows(path, "MATCH (:Method)-[r:IMPROVES]->(:Term) RETURN count(r)") == [[0]]


def test_an_unknown_type_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph(format=1)
    graph.add_node("x", type="Nonsense")
    path = saved(graph, tmp_path / "g.json")
    with pytest.raises(GraphFileError, match="unknown type 'Nonsense'"):
        rows(path, "RETURN 1")
    assert [item.name for item in tmp_path.iterdir()] == ["g.json"]


def test_nothing_can_be_written(tmp_path: Path) -> None:
    path = saved(small_graph(), tmp_path / "g.json")
    with pytest.raises(RuntimeError, match="read-only"):
        rows(path, "CREATE (:Task {id: 'x'})")
