"""GEXF that other programs open."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, cast

import networkx as nx
import pytest
from lxml import etree

from kg.errors import GraphFileError
from kg.exports.gexf import read, write
from kg.store import Graph
from tests.exports.conftest import Schemas
from tests.kg.test_assemble import BASE, PAPER, UPG, built


def graph(*nodes: tuple[str, dict[str, Any]]) -> Graph:
    made: Graph = nx.MultiDiGraph()
    made.add_nodes_from(nodes)
    return made


def reread(made: Graph, folder: Path) -> Graph:
    """The graph as NetworkX reads it."""
    write(made, folder / "g.gexf")
    return cast(Graph, nx.read_gexf(folder / "g.gexf"))


def test_networkx_reads_nodes_and_typed_attributes(tmp_path: Path) -> None:
    other = reread(built(UPG, BASE), tmp_path)
    assert set(other) == set(built(UPG, BASE))
    assert other.number_of_edges() == built(UPG, BASE).number_of_edges()
    assert other.nodes[PAPER]["year"] == 2025
    assert "title" not in other.nodes[PAPER]
    assert other.nodes["method:upgnet"]["label"] == "UPGNET"
    edges = {(source, target): data for source, target, data in other.edges(data=True)}
    proposes = edges[PAPER, "method:upgnet"]
    assert (proposes["type"], proposes["label"], proposes["weight"]) == ("PROPOSES", "PROPOSES", 1.0)
    assert '"sentence":"We propose UPGNET for graph learning."' in proposes["evidence"]


def test_the_schema_holds(tmp_path: Path, xml_schema: Schemas) -> None:
    made = built(UPG, BASE)
    made.add_node("method:a b/\n网", type="Method", name="<&>", aliases=[], flag=True)
    write(made, tmp_path / "g.gexf")
    xml_schema("gexf").assertValid(etree.parse(tmp_path / "g.gexf"))


def test_none_and_lists_are_written(tmp_path: Path) -> None:  # c5-02
    other = reread(graph(("m1", {"type": "Method", "url": None, "aliases": ["a", "b"]})), tmp_path)
    assert other.nodes["m1"] == {"type": "Method", "aliases": '["a","b"]', "label": "m1"}


def test_mixed_kinds_are_text(tmp_path: Path) -> None:  # c5-03
    made = graph(("p1", {"type": "Paper", "year": 2024}), ("p2", {"type": "Paper", "year": "n.d."}))
    assert reread(made, tmp_path).nodes["p2"]["year"] == "n.d."
    assert [data["year"] for data in read(tmp_path / "g.gexf").nodes.values()] == ["2024", "n.d."]


def test_forbidden_characters_are_dropped_with_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:  # c5-04
    made = graph(("p1\x00", {"type": "Paper", "title": "Deep\x0cNet \x07\x00 \ufffe"}))
    with caplog.at_level(logging.WARNING):
        write(made, tmp_path / "g.gexf")
    assert [record.getMessage() for record in caplog.records] == [
        "characters that XML forbids were dropped from 3 texts"
    ]
    assert dict(read(tmp_path / "g.gexf").nodes.items()) == {"p1": {"type": "Paper", "title": "DeepNet  "}}


def test_ids_stay_text_and_edges_stay_as_many(tmp_path: Path) -> None:  # c5-06
    made: Graph = nx.MultiDiGraph()
    made.add_edge("0", "1", "USES", type="USES", weight=1)
    made.add_edge("0", "1", "CITES", type="CITES", weight=2)
    assert reread(made, tmp_path).number_of_edges() == 2
    assert sorted(read(tmp_path / "g.gexf").edges(keys=True, data="weight")) == [
        ("0", "1", "CITES", 2),
        ("0", "1", "USES", 1),
    ]


def test_markup_in_names_is_text(tmp_path: Path) -> None:  # c5-12
    name = "A<B \"strong\" & 'weak' baselines <a href=x>here</a>, i.e. Net<3>."
    made = graph((f"method:{name}", {"type": "Method", "name": name}))
    assert reread(made, tmp_path).nodes[f"method:{name}"]["name"] == name


@pytest.mark.parametrize(
    "content", ["", "<a", "<gexf/>", '<!DOCTYPE g [<!ENTITY a "aaaa">]><gexf>&a;</gexf>']
)
def test_what_is_no_gexf_is_one_clear_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "g.gexf"
    path.write_text(content)
    with pytest.raises(GraphFileError, match="cannot read"):
        read(path)
