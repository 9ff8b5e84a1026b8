"""The table of exporters, and what holds for every format."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import exports
from kg.errors import ExportError
from kg.exports import EXPORTERS, export, exporter_for, parquet
from kg.store import Graph, dumps
from tests.exports.hostile import NAMES, named, texts
from tests.kg.test_assemble import BASE, UPG, built

#: What XML 1.0 forbids.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
READABLE = sorted(name for name, exporter in EXPORTERS.items() if exporter.read)


def target(folder: Path, name: str) -> Path:
    return folder / f"out{EXPORTERS[name].extensions[0]}"


def files_of(path: Path) -> list[Path]:
    return sorted(item for item in path.rglob("*") if item.is_file()) if path.is_dir() else [path]


def come_back(graph: Graph, folder: Path, name: str) -> Graph:
    path = target(folder, name)
    export(graph, path)
    read = EXPORTERS[name].read
    assert read is not None
    return read(path)


def without_none(graph: Graph) -> tuple[list[Any], list[Any]]:
    """Nodes and edges with the attributes that have a value."""
    nodes = {
        node: {name: value for name, value in data.items() if value is not None}
        for node, data in graph.nodes.items()
    }
    return sorted(nodes.items()), sorted(graph.edges(keys=True, data=True), key=str)


@pytest.mark.parametrize("name", READABLE)
def test_nodes_edges_and_evidence_come_back(tmp_path: Path, name: str) -> None:
    graph = built(UPG, BASE)
    assert without_none(come_back(graph, tmp_path, name)) == without_none(graph)


@pytest.mark.parametrize("name", READABLE)
def test_hostile_names_come_back(tmp_path: Path, name: str) -> None:
    names = [
        "A<B \"strong\" & 'weak' <a href=x>here</a>",  # c5-12
        '=HYPERLINK("http://evil.example","x")',  # c5-16
        "-0.5 BLEU; @home; +1",
        "'=quoted",
        "'plain",
        "two\r\nlines\tand\rmore",
        "网络 \U0001f600 e\u0301",
        "]]>",
        "None",
        "1",
        " padded ",
    ]
    graph: Graph = nx.MultiDiGraph(merges=[], format=1)
    for number, text in enumerate(names):
        graph.add_node(f"method:{number}", type="Method", name=text, aliases=[text])
    read = come_back(graph, tmp_path, name)
    assert [data["name"] for data in read.nodes.values()] == names
    assert [data["aliases"] for data in read.nodes.values()] == [[text] for text in names]


@pytest.mark.parametrize("name", READABLE)
def test_hostile_graphs_come_back(tmp_path: Path, name: str) -> None:
    graph = named(*NAMES)
    assert without_none(come_back(graph, tmp_path, name)) == without_none(graph)


@pytest.mark.parametrize("name", READABLE)
def test_lists_and_evidence_lose_no_character(tmp_path: Path, name: str) -> None:
    text = "".join(map(chr, range(32))) + "\x7f\x85\ufffe\uffff\U0001ffff"
    graph = named(text)
    for node in ("paper:0", "method:0"):
        graph.nodes[node].update(name="x", title="x", label="x", abstract="x")
    assert without_none(come_back(graph, tmp_path, name))[1] == without_none(graph)[1]
    assert come_back(graph, tmp_path, name).nodes["method:0"]["aliases"] == [f"{text}s", "x;y"]


@pytest.mark.parametrize("name", READABLE)
@given(names=st.lists(texts, max_size=3))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_names_come_back(tmp_path: Path, name: str, names: list[str]) -> None:
    xml = name in ("gexf", "graphml")
    kept = [FORBIDDEN.sub("", text) if xml else text for text in names]
    read = come_back(named(*names), tmp_path, name)
    methods = [data for data in read.nodes.values() if data["type"] == "Method"]
    assert [data.get("name") or "" for data in methods] == kept
    assert [data["aliases"] for data in methods] == [[f"{text}s", "x;y"] for text in names]
    assert [data["evidence"][0]["sentence"] for *_, data in read.edges(data=True)] == names


@pytest.mark.parametrize("name", READABLE)
def test_none_lists_objects_and_numpy_numbers_are_written(tmp_path: Path, name: str) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node(  # c5-01, c5-10
        "m1",
        type="Method",
        url=None,
        aliases=["BERT", "Bert"],
        meta={"year": 2019},
        score=np.float32(0.1),
        papers=np.int64(3),
    )
    read = come_back(graph, tmp_path, name)
    assert read.nodes["m1"]["aliases"] == ["BERT", "Bert"]
    assert read.nodes["m1"]["papers"] == 3
    assert read.nodes["m1"]["score"] == pytest.approx(0.1)
    assert read.nodes["m1"].get("url") is None


@pytest.mark.parametrize("name", sorted(EXPORTERS))
def test_the_same_graph_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    contents = []
    for graph in (built(UPG, BASE), built(BASE, UPG)):
        path = target(tmp_path, name)
        export(graph, path)
        contents.append([file.read_bytes() for file in files_of(path)])
    assert contents[0] == contents[1]
    assert all(contents[0])


@pytest.mark.parametrize("name", sorted(EXPORTERS))
def test_a_failing_export_leaves_the_old_one(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = target(tmp_path, name)
    export(built(BASE), path)
    files = files_of(path)
    before = [file.read_bytes() for file in files]

    def failing(graph: Graph, path: Path) -> None:
        (path / "nodes.csv" if path.is_dir() else path).write_text("half")
        raise OSError(28, "No space left on device")

    broken = exports.Exporter(name, EXPORTERS[name].extensions, failing, folder=EXPORTERS[name].folder)
    monkeypatch.setattr(exports, "EXPORTERS", {name: broken})
    with pytest.raises(ExportError, match="No space left"):
        export(built(UPG), path)
    assert [file.read_bytes() for file in files] == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("path", "format", "expected"),
    [
        ("a.json", None, "json"),
        ("a.JSON.gz", None, "json"),
        ("a.graphml", None, "graphml"),
        ("folder.csv/", None, "csv"),
        ("anything", "csv", "csv"),
        ("papers.bib.gz", None, "bibtex"),
        ("a.cql", None, "cypher"),
        ("a.ttl", None, "turtle"),
        ("report.md", None, "markdown"),
        ("my.vault", None, "obsidian"),
    ],
)
def test_ending_or_name_tells_the_format(path: str, format: str | None, expected: str) -> None:
    assert exporter_for(path, format=format).name == expected


@pytest.mark.parametrize(
    ("path", "format", "message"),
    [
        ("a.xyz", None, "ending of 'a.xyz' tells no format"),
        ("a.json", "xyz", "unknown format 'xyz'"),
        ("-", "csv", "csv writes a folder"),
        ("a.csv.gz", None, "csv writes a folder"),
        ("-", "obsidian", "obsidian writes a folder"),
    ],
)
def test_what_cannot_be_written_is_refused(path: str, format: str | None, message: str) -> None:
    with pytest.raises(ExportError, match=message) as caught:
        export(built(), path, format=format)
    assert caught.value.hint


def test_gz_is_compressed(tmp_path: Path) -> None:
    export(built(UPG), tmp_path / "g.json.gz")
    assert gzip.decompress((tmp_path / "g.json.gz").read_bytes()) == dumps(built(UPG))


@pytest.mark.parametrize("name", sorted(name for name in EXPORTERS if not EXPORTERS[name].folder))
def test_compressed_files_and_standard_output_are_the_same_bytes(
    tmp_path: Path, name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    plain = target(tmp_path, name)
    for path in (str(plain), f"{plain}.gz", "-"):
        export(built(UPG, BASE), path, format=name)
    assert gzip.decompress(Path(f"{plain}.gz").read_bytes()) == plain.read_bytes()
    assert capfdbinary.readouterr().out == plain.read_bytes()


@pytest.mark.parametrize("name", sorted(EXPORTERS))
def test_every_format_carries_every_sentence(tmp_path: Path, name: str) -> None:
    graph = built(UPG, BASE)
    path = target(tmp_path, name)
    export(graph, path)
    if name == "parquet":
        text = str(list(parquet.read(path).edges(data=True)))
    else:
        text = "".join(file.read_text(encoding="utf-8") for file in files_of(path))
    for *_, data in graph.edges(data=True):
        for item in data.get("evidence", ()):
            assert all(str(item[key]) in text for key in ("sentence", "start", "end", "score"))


def test_dash_is_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    export(built(UPG), "-", format="json")
    assert capfdbinary.readouterr().out == dumps(built(UPG))


def test_the_table_is_sorted_and_named_by_its_keys() -> None:
    assert list(EXPORTERS) == sorted(EXPORTERS)
    assert all(name == exporter.name for name, exporter in EXPORTERS.items())
