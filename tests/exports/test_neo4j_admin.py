"""A folder for neo4j-admin: one line a row, and every value as it was."""

from __future__ import annotations

import csv
import os
import re
import stat
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kg.errors import ExportError
from kg.exports.neo4j_admin import write
from kg.flat import edge_row, node_row
from kg.store import Graph
from tests.exports.hostile import NAMES, named
from tests.exports.test_cypher_script import rows as rows_of
from tests.graphs import UPG, small_graph

_KINDS: Mapping[str, Callable[[str], Any]] = {
    "long": int,
    "double": float,
    "boolean": "true".__eq__,
    "string": str,
}
_BREAKS = re.compile(r"\r\n|[\r\n]")


def folder(graph: Graph, path: Path) -> Path:
    write(graph, path)
    return path


def delimiter(path: Path) -> str:
    found = re.search(r"--array-delimiter='(.*)'", (path / "import.sh").read_text(encoding="utf-8"))
    assert found
    return chr(int(found[1][2:], 16)) if found[1].startswith("U+") else found[1]


def imported(path: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table as the importer reads them: no quotes and no text is no value."""
    header = (path / f"{name}-header.csv").read_text(encoding="utf-8").strip().split(",")
    lines = (path / f"{name}-part1.csv").read_bytes().decode().split("\n")
    assert lines.pop() == ""
    return [_row(header, line, delimiter(path)) for line in lines]


def _row(header: list[str], line: str, sign: str) -> dict[str, Any]:
    (cells,) = csv.reader([line], strict=True)
    bare = re.findall(r'(?:^|,)((?:"(?:[^"]|"")*"|[^,"])*)', line)
    assert len(cells) == len(bare) == len(header)
    return {
        column.partition(":")[0] or column: _value(cell, column.partition(":")[2], sign)
        for column, cell, written in zip(header, cells, bare, strict=True)
        if written
    }


def _value(cell: str, kind: str, sign: str) -> Any:
    parse = _KINDS.get(kind.removesuffix("[]"), str)
    return [parse(item) for item in cell.split(sign)] if kind.endswith("[]") else parse(cell)


def flat(value: Any) -> Any:
    """The value with spaces for line breaks."""
    if isinstance(value, list):
        return [flat(item) for item in value]
    return _BREAKS.sub(" ", value) if isinstance(value, str) else value


def test_whole_folder(tmp_path: Path) -> None:
    path = folder(small_graph(), tmp_path)
    parts = [
        *(f"nodes-{label}" for label in "Author Dataset Method Paper Repository Task Term Venue".split()),
        *(
            f"relationships-{relation}"
            for relation in sorted({key for *_, key in small_graph().edges(keys=True)})
        ),
    ]
    assert sorted(item.name for item in path.iterdir()) == [
        "README.md",
        "finish.cypher",
        "import.sh",
        *(f"{part}-{end}.csv" for part in parts for end in ("header", "part1")),
    ]
    assert (path / "nodes-Method-header.csv").read_text() == (
        "id:ID,aliases:string[],collections:string[],name:string,papers:long\n"
    )
    assert (path / "nodes-Method-part1.csv").read_text() == (
        '"method:upgnet","unified private graph network","default","UPGNET",1\n'
        '"method:transformer","Transformers","default","Transformer",2\n'
    )
    assert (path / "relationships-PUBLISHED_IN-part1.csv").read_text() == f'"{UPG}","venue:icml","default"\n'


@pytest.mark.parametrize("graph", [small_graph(), named(*NAMES)])
def test_every_value_comes_back(tmp_path: Path, graph: Graph) -> None:
    path = folder(graph, tmp_path)
    nodes = [row for part in path.glob("nodes-*-part1.csv") for row in imported(path, part.name[:-10])]
    expected = [{**node_row(graph, node), "collections": ["default"]} for node in graph]
    assert sorted(nodes, key=_id) == sorted(
        ({name: flat(value) for name, value in row.items()} for row in expected), key=_id
    )
    for source, target, relation in graph.edges(keys=True):
        row = edge_row(graph, source, relation, target)["properties"] | {"collection": "default"}
        ends = {":START_ID": source, ":END_ID": target}
        assert {**ends, **{name: flat(value) for name, value in row.items()}} in imported(
            path, f"relationships-{relation}"
        )


def _id(row: dict[str, Any]) -> str:
    return str(row["id"])


@pytest.mark.parametrize(
    ("aliases", "sign"),
    [
        (["A", "B"], "';'"),
        (["A;B", "C"], "'|'"),
        pytest.param(["A;B", "C|D", "E"], "'U+001F'", id="c6-21"),
        (["".join(map(chr, range(0xE000))).replace("\ud800", "")[:0xD800] + ";|"], "'U+E000'"),
    ],
)
def test_a_delimiter_that_no_item_holds(tmp_path: Path, aliases: list[str], sign: str) -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["aliases"] = aliases
    path = folder(graph, tmp_path)
    assert f"--array-delimiter={sign}" in (path / "import.sh").read_text()
    (row,) = (row for row in imported(path, "nodes-Method") if row["id"] == "method:upgnet")
    assert row["aliases"] == [flat(alias) for alias in aliases]


def test_no_delimiter_is_left(tmp_path: Path) -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["aliases"] = [";|\x1f\x1e" + "".join(map(chr, range(0xE000, 0xF900)))]
    with pytest.raises(ExportError, match="no sign is left"):
        write(graph, tmp_path)


def test_a_row_is_one_line_and_finish_mends_it(tmp_path: Path) -> None:  # c6-22
    graph = named('first line\n\nsecond "line" ', "whole")
    path = folder(graph, tmp_path)
    assert [row["abstract"] for row in imported(path, "nodes-Paper")] == [
        'first line  second "line" ',
        "whole",
    ]
    statements = [line for line in (path / "finish.cypher").read_text().splitlines() if line[:5] == "WITH "]
    rows = [row for line in statements for row in rows_of(line)]
    assert rows == [
        node_row(graph, "paper:0"),
        node_row(graph, "method:0"),
        edge_row(graph, "paper:0", "PROPOSES", "method:0"),
    ]
    assert "3 nodes and relationships" in (path / "README.md").read_text()


def test_the_readme_has_the_steps_for_community(tmp_path: Path) -> None:  # c6-28
    about = (folder(small_graph(), tmp_path) / "README.md").read_text()
    assert "Community Edition has one database for data, `neo4j`" in about
    assert all(word in about for word in ("--overwrite-destination", "./import.sh", "finish.cypher"))


@pytest.mark.skipif(os.name == "nt", reason="a script for sh")
def test_the_script_runs_the_importer(tmp_path: Path) -> None:
    place = tmp_path / "a folder"
    place.mkdir()
    script = folder(small_graph(), place) / "import.sh"
    assert script.stat().st_mode & stat.S_IXUSR
    tool = tmp_path / "neo4j-admin"
    tool.write_text('#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\n')
    tool.chmod(0o755)
    environment = {"NEO4J_ADMIN": str(tool), "PATH": "/usr/bin:/bin", "TMPDIR": "/t"}
    run = subprocess.run([script], env=environment, capture_output=True, text=True, check=True)
    told = run.stdout.splitlines()
    assert told[:8] == [
        str(place),
        *("database", "import", "full", "neo4j", "--overwrite-destination"),
        *("--report-file=/t/neo4j-import.report", "--array-delimiter=;"),
    ]
    assert "--nodes=Method:Concept=./nodes-Method-header.csv,./nodes-Method-part1.csv" in told
    assert all((place / name).is_file() for option in told[8:] for name in option.split("=")[-1].split(","))


def test_long_lines_get_a_buffer(tmp_path: Path) -> None:
    path = folder(named("é" * 2**20), tmp_path)
    found = re.search(r"--read-buffer-size=(\d+)", (path / "import.sh").read_text())
    assert found
    assert int(found[1]) > max(len(file.read_bytes()) for file in path.glob("*-part1.csv"))


def test_an_id_with_a_line_break_is_refused(tmp_path: Path) -> None:
    graph = small_graph()
    graph.add_node("method:a\nb", type="Method")
    with pytest.raises(ExportError, match="holds a line break"):
        write(graph, tmp_path)
