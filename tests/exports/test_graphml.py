"""GraphML that other programs open."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import networkx as nx
import pytest
from lxml import etree

from kg.errors import GraphFileError
from kg.exports.graphml import read, write
from kg.store import Graph
from tests.exports.conftest import Schemas
from tests.kg.test_assemble import BASE, PAPER, UPG, built

SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def graph(*nodes: tuple[str, dict[str, Any]]) -> Graph:
    made: Graph = nx.MultiDiGraph()
    made.add_nodes_from(nodes)
    return made


def test_networkx_reads_typed_attributes(tmp_path: Path) -> None:
    write(built(UPG, BASE), tmp_path / "g.graphml")
    other = cast(Graph, nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True))
    assert other.number_of_nodes() == built(UPG, BASE).number_of_nodes()
    assert other.number_of_edges() == built(UPG, BASE).number_of_edges()
    paper = other.nodes[PAPER.replace("/", "_x002F_")]
    assert paper["year"] == 2025
    assert "title" not in paper
    assert {node: data["label"] for node, data in other.nodes(data=True)}["method:upgnet"] == "UPGNET"
    assert len({key for *_, key in other.edges(keys=True)}) == other.number_of_edges()


def test_the_schema_holds(tmp_path: Path, xml_schema: Schemas) -> None:
    made = built(UPG, BASE)
    made.add_node("method:a b/\n_x0041_网", type="Method", name="<&>", aliases=[])
    write(made, tmp_path / "g.graphml")
    xml_schema("graphml").assertValid(etree.parse(tmp_path / "g.graphml"))


@pytest.mark.parametrize("node", ["a/b", "_x0041_", "__x0041__x0042_", "网\U0001f600", " ", "_x_", "x_y"])
def test_ids_come_back(tmp_path: Path, node: str) -> None:
    write(graph((node, {"type": "Method"})), tmp_path / "g.graphml")
    root = ElementTree.parse(tmp_path / "g.graphml").getroot()
    assert all(re.fullmatch("[A-Za-z0-9.:_-]+", item.attrib["id"]) for item in root.iter(f"{SPACE}node"))
    assert list(read(tmp_path / "g.graphml")) == [node]


def test_edge_ids_are_unique_and_keys_are_declared(tmp_path: Path) -> None:
    write(built(UPG, BASE), tmp_path / "g.graphml")
    root = ElementTree.parse(tmp_path / "g.graphml").getroot()
    ids = [edge.attrib["id"] for edge in root.iter(f"{SPACE}edge")]
    assert ids == [f"e{number}" for number in range(len(ids))]
    declared = {key.attrib["id"] for key in root.iter(f"{SPACE}key")}
    assert {data.attrib["key"] for data in root.iter(f"{SPACE}data")} <= declared


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, 2], "long", [1, 2]),
        ([1, 0.5], "double", [1.0, 0.5]),
        ([True, False], "boolean", [True, False]),
        ([True, 1], "string", ["true", "1"]),
        pytest.param([2024, "n.d."], "string", ["2024", "n.d."], id="c5-03"),
        ([[1], {"a": 2}], "string", [[1], {"a": 2}]),
        ([2**70, 1], "string", [str(2**70), "1"]),
        ([None, "x"], "string", [None, "x"]),
        ([float("nan"), 0.5], "double", [None, 0.5]),
    ],
)
def test_one_type_for_an_attribute(tmp_path: Path, values: list[Any], kind: str, expected: list[Any]) -> None:
    path = tmp_path / "g.graphml"
    write(graph(*((str(n), {"x": value}) for n, value in enumerate(values))), path)
    (key,) = ElementTree.parse(path).getroot().iter(f"{SPACE}key")
    assert (key.attrib["attr.name"], key.attrib["attr.type"]) == ("x", kind)
    assert [data.get("x") for data in read(path).nodes.values()] == expected


def test_forbidden_characters_are_dropped_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:  # c5-04
    path = tmp_path / "g.graphml"
    title = "Deep\x0cNet \x07\x00 \ufffe"
    made = graph(("p1\x00", {"type": "Paper", "title": title}), ("p1", {"type": "Paper", "ti\x01tle": title}))
    made.add_edge("p1\x00", "p1", "CITES")
    with caplog.at_level(logging.WARNING):
        write(made, path)
    assert [record.getMessage() for record in caplog.records] == [
        "characters that XML forbids were dropped from 4 texts"
    ]
    read_back = read(path)
    assert dict(read_back.nodes.items()) == {
        "p1": {"type": "Paper", "title": "DeepNet  "},
        "p1-2": {"type": "Paper", "title": "DeepNet  "},
    }
    assert list(read_back.edges()) == [("p1", "p1-2")]


def test_ids_stay_text_and_edges_stay_as_many(tmp_path: Path) -> None:  # c5-06
    made: Graph = nx.MultiDiGraph()
    made.add_edge("0", "1", "USES", type="USES", weight=1)
    made.add_edge("0", "1", "CITES", type="CITES", weight=2)
    write(made, tmp_path / "g.graphml")
    assert sorted(read(tmp_path / "g.graphml").edges(keys=True, data="weight")) == [
        ("0", "1", "CITES", 2),
        ("0", "1", "USES", 1),
    ]


def test_markup_in_names_is_text(tmp_path: Path) -> None:  # c5-12
    name = "A<B \"strong\" & 'weak' baselines <a href=x>here</a>, i.e. Net<3>."
    write(graph((f"method:{name}", {"type": "Method", "name": name})), tmp_path / "g.graphml")
    assert dict(read(tmp_path / "g.graphml").nodes.items()) == {
        f"method:{name}": {"type": "Method", "name": name}
    }


BOMB = '<!DOCTYPE g [<!ENTITY a "aaaa">]><graphml>&a;</graphml>'


@pytest.mark.parametrize(
    "content",
    ["", "<a", "<graphml/>", BOMB, f'<graphml xmlns="{SPACE[1:-1]}"><key id="a"/><graph/></graphml>'],
)
def test_what_is_no_graphml_is_one_clear_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "g.graphml"
    path.write_text(content)
    with pytest.raises(GraphFileError, match="cannot read"):
        read(path)


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(GraphFileError, match="No such file"):
        read(tmp_path / "none.graphml")
