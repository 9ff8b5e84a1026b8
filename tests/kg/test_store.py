"""The graph file: the same bytes, all or nothing, and a clear line for what is none."""

from __future__ import annotations

import gc
import gzip
import json
import random
import zlib
from pathlib import Path
from typing import Any, cast

import networkx as nx
import numpy as np
import orjson
import pytest

from kg.errors import ExportError, GraphFileError
from kg.store import FORMAT, Graph, dumps, load, loads, no_collection, plain, save


def graph(name: object = "A", **attributes: Any) -> Graph:
    made: Graph = nx.MultiDiGraph()
    made.add_node("method:a", type="Method", name=name, **attributes)
    made.add_node("task:b", type="Task", name="B")
    made.add_edge("method:a", "task:b", "USED_FOR", type="USED_FOR", score=0.123456)
    return made


def test_whole_file() -> None:
    content = dumps(graph(aliases=("x",)))
    assert orjson.loads(content) == {
        "directed": True,
        "multigraph": True,
        "graph": {"format": FORMAT},
        "nodes": [
            {"id": "method:a", "type": "Method", "name": "A", "aliases": ["x"]},
            {"id": "task:b", "type": "Task", "name": "B"},
        ],
        "edges": [
            {
                "source": "method:a",
                "target": "task:b",
                "key": "USED_FOR",
                "type": "USED_FOR",
                "score": 0.123456,
            }
        ],
        "sum": f"{zlib.crc32(content[: content.rindex(b',')]):08x}",
    }


@pytest.mark.parametrize("records", [{}, {"b": {"y": 1, "x": [2]}, "a": {}}, None, 3])
@pytest.mark.parametrize(
    "others", [{}, {"a": 1}, {"z": 1}, {"a": {"records": {}}, "z": [], "extractor": "é"}]
)
def test_attributes_stand_in_order_around_the_records(
    records: object, others: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.store._CHUNK", 1)
    made = graph()
    made.graph.update({"records": records, **others})
    told = {"format": FORMAT, "records": records, **others}
    expected = orjson.dumps(told, option=orjson.OPT_SORT_KEYS)
    assert b'],"graph":' + expected + b',"multigraph":true,"nodes":[' in dumps(made)


def test_attributes_that_json_cannot_name_become_text() -> None:
    made = graph()
    made.graph.update(cast("dict[str, Any]", {1: "one", "records": {2: {"x\ud800": 1}}}))
    assert orjson.loads(dumps(made))["graph"] == {"1": "one", "format": FORMAT, "records": {"2": {"x?": 1}}}


@pytest.mark.parametrize("name", ["g.json", "g.json.gz"])
def test_file_comes_back(tmp_path: Path, name: str) -> None:
    save(graph(), tmp_path / name)
    read = load(tmp_path / name)
    assert nx.utils.graphs_equal(read, loads(dumps(graph())))
    assert read.edges["method:a", "task:b", "USED_FOR"] == {"type": "USED_FOR", "score": 0.123456}
    assert dumps(read) == dumps(graph())
    assert isinstance(read, nx.MultiDiGraph)


def test_networkx_reads_it() -> None:
    other = nx.node_link_graph(orjson.loads(dumps(graph())), edges="edges")
    assert sorted(cast(Graph, other).edges(keys=True)) == [("method:a", "task:b", "USED_FOR")]


def test_failing_to_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    save(graph(), path)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        save(nx.MultiDiGraph(bad=object.__new__(Broken)), path)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["g.json"]


class Broken:
    """What has no text form."""

    def __str__(self) -> str:
        raise TypeError


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="No such file"):
        save(graph(), tmp_path / "none" / "g.json")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(np.float32(0.1), 0.1, id="c5-10 float"),
        pytest.param(np.int64(3), 3, id="c5-10 int"),
        (np.array([1, 2]), [1, 2]),
        (np.bool_(True), True),
        (float("nan"), None),
        (1.23456, 1.23456),
        ({"b", "a"}, ["a", "b"]),
        ({1: ("x",)}, {"1": ["x"]}),
        ("a\ud800b", "a?b"),
        (Path("a"), "a"),
    ],
)
def test_values_become_plain(value: object, expected: object) -> None:
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_attributes_that_node_link_json_has_for_itself_are_kept() -> None:  # c5-08
    made: Graph = nx.MultiDiGraph()
    made.add_node("paper:1", type="Paper", id="2401.00001")
    made.add_node("m1", type="Method")
    made.add_edge("paper:1", "m1", "USES", source="abstract")
    read = loads(dumps(made))
    assert read.nodes["paper:1"] == {"type": "Paper", "id_": "2401.00001"}
    assert read.edges["paper:1", "m1", "USES"] == {"source_": "abstract"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a graph file"),
        (b"<html>", "is not a graph file"),
        (b"[]", "is not a graph file"),
        (b"{}", "is not a graph file"),
        (b'{"graph": {}}', "names no format"),
        (b'{"graph": {"format": "1"}}', "names no format"),
        (b'{"graph": {"format": 99}}', "has format 99"),
        (b'{"graph": {"format": 1}}', "is damaged"),
        (b'{"graph": {"format": 1}, "nodes": [{}], "edges": []}', "is damaged"),
        (b'{"graph": {"format": 1}, "nodes": 3, "edges": []}', "is damaged"),
        (b'{"graph": {"format": 1}, "nodes": [{"id": "a"}], "edges": []}', "has no type"),
        (b'{"graph": {"format": 1}, "nodes": [], "edges": [{"source": "a", "target": "b"}]}', "has no type"),
        (gzip.compress(b"{}" * 99, mtime=0)[:-9], "damaged compressed file"),
        (b"\x1f\x8bxxxxxxxxxxxxxxxxxxxxxx", "damaged compressed file"),
        (gzip.compress(bytes(80 << 20), mtime=0), "grows too much when unpacked"),
    ],
)
def test_what_is_no_graph_file_is_one_clear_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "g.json"
    path.write_bytes(content)
    with pytest.raises(GraphFileError, match=message) as caught:
        load(path)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


def test_no_bit_flips_unnoticed_and_no_end_is_missed() -> None:
    content, chance = dumps(graph()), random.Random(7)
    for _ in range(300):
        flipped, place = bytearray(content), chance.randrange(len(content) - 16)
        flipped[place] ^= 1 << chance.randrange(8)
        with pytest.raises(GraphFileError):
            loads(bytes(flipped))
        with pytest.raises(GraphFileError):
            loads(content[:place])


def test_who_edits_a_file_takes_its_checksum_off() -> None:
    edited = dumps(graph()).replace(b'"A"', b'"B"')
    with pytest.raises(GraphFileError, match="its content is not what was written") as caught:
        loads(edited)
    assert 'delete its entry "sum"' in caught.value.hint
    data = json.loads(edited)
    assert loads(json.dumps(data).encode()).nodes["method:a"]["name"] == "B"  # another program wrote it
    del data["sum"]
    assert loads(orjson.dumps(data)).nodes["method:a"]["name"] == "B"


def test_an_edited_file_is_checked_value_by_value() -> None:
    with pytest.raises(GraphFileError, match="is damaged: the node 'method:a': name is int"):
        loads(json.dumps(json.loads(dumps(graph(name=3)))).encode())


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="No such file"):
        load(tmp_path / "none.json")


def test_what_is_made_while_collection_is_paused_is_old_afterwards() -> None:
    with no_collection():
        made: list[list[int]] = [[] for _ in range(100)]
        assert not gc.isenabled()
    assert gc.isenabled()
    assert any(item is made for item in gc.get_objects(generation=2))


def test_what_somebody_else_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with no_collection():
            pass
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
