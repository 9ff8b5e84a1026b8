"""A script that cypher-shell runs: every text stays a string."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from cypher import schema
from kg.errors import GraphFileError
from kg.exports.cypher_script import literal, write
from kg.flat import edge_row, node_row
from kg.store import Graph
from tests.exports.hostile import INJECTION, NAMES, named, texts
from tests.graphs import UPG, small_graph

_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|true|false|null|-?\d+(?:\.\d+)?(?:e-?\d+)?")
_LIST = re.compile(rf"\[((?:(?:{_LITERAL.pattern})(?:, (?!\]))?)*)\] AS c(\d+)")
_ESCAPE = re.compile(r"\\u([0-9A-F]{4})|\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "'": "'", "\\": "\\"}
_CELL = r"c\d+\[i\]"
_SLICE = r"CASE WHEN c\d+\[i\] < c\d+\[i \+ 1\] THEN c\d+\[c\d+\[i\]\.\.c\d+\[i \+ 1\]\] END"
_ENTRY = re.compile(
    rf"([A-Za-z_]\w*|`(?:[^`]|``)*`): ({_CELL}|{_SLICE}|coalesce\({_CELL}, {_SLICE}\))(?:, (?!\}}))?"
)
_ROWS = re.compile(r" UNWIND range\(0, (\d+)\) AS i ")
_NODES = re.compile(
    rf"MERGE \(n:\w+ \{{id: ({_CELL})\}}\) (?:SET n:Concept )?SET n \+= \{{((?:{_ENTRY.pattern})*)\}}, "
    r"n\.collections = \[name IN coalesce\(n\.collections, \[\]\) WHERE name <> 'default'\] \+ 'default';"
)
_EDGES = re.compile(
    rf"MATCH \(a:\w+ \{{id: ({_CELL})\}}\) MATCH \(b:\w+ \{{id: ({_CELL})\}}\) "
    rf"MERGE \(a\)-\[r:\w+ \{{collection: 'default'\}}\]->\(b\) SET r \+= \{{((?:{_ENTRY.pattern})*)\}};"
)


def parsed(text: str) -> Any:
    """The value of a literal, read by the rules of the Cypher manual; raises on anything else."""
    assert _LITERAL.fullmatch(text)
    if text.startswith("'"):
        return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES[m[2]], text[1:-1])
    if text in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[text]
    return float(text) if re.search("[.e]", text) else int(text)


def rows(line: str) -> list[dict[str, Any]]:
    """The rows of a statement, which has to be of one of the two forms: `id` and properties, or an edge."""
    assert line.startswith("WITH ")
    columns: list[list[Any]] = []
    position = len("WITH ")
    while match := _LIST.match(line, position):
        assert match[2] == str(len(columns))
        columns.append([parsed(item[0]) for item in _LITERAL.finditer(match[1])])
        position = match.end() + 2 * line.startswith(", ", match.end())
    count = _ROWS.match(line, position)
    assert count
    indices = range(int(count[1]) + 1)
    if nodes := _NODES.fullmatch(line, count.end()):
        return [{"id": value(nodes[1], columns, i), **properties(nodes[2], columns, i)} for i in indices]
    edges = _EDGES.fullmatch(line, count.end())
    assert edges
    return [
        {
            "source": value(edges[1], columns, i),
            "target": value(edges[2], columns, i),
            "properties": properties(edges[3], columns, i),
        }
        for i in indices
    ]


def properties(entries: str, columns: list[list[Any]], i: int) -> dict[str, Any]:
    """The properties that are not null."""
    found = {entry[1].strip("`"): value(entry[2], columns, i) for entry in _ENTRY.finditer(entries)}
    return {name: item for name, item in found.items() if item is not None}


def value(expression: str, columns: list[list[Any]], i: int) -> Any:
    """What an expression gives in row `i`: a cell, else a slice."""
    slice_ = re.search(_SLICE, expression)
    cell = re.match(r"(?:coalesce\()?c(\d+)\[i\]", expression)
    if cell and (found := columns[int(cell[1])][i]) is not None:
        return found
    if slice_ is None:
        return None
    ends, _, items, *_ = (int(number) for number in re.findall(r"c(\d+)\[", slice_[0]))
    return columns[items][columns[ends][i] : columns[ends][i + 1]] or None


def script(graph: Graph, folder: Path) -> list[str]:
    """The lines of a graph's script after the schema."""
    write(graph, folder / "g.cypher")
    lines = (folder / "g.cypher").read_bytes().decode().split("\n")
    assert lines[-1] == ""
    return lines[1 + len(schema()) : -1]


def test_every_statement_is_one_line_and_nothing_else_stands_there(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "g.cypher")
    lines = (tmp_path / "g.cypher").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("// ")
    assert ";" not in lines[0]  # c6-16
    assert all(line.endswith(";") and not line.startswith(("//", ":")) for line in lines[1:])
    assert lines[1].startswith("CREATE CONSTRAINT")
    assert sum(line.startswith("CREATE CONSTRAINT") for line in lines) == 10


def test_whole_rows(tmp_path: Path) -> None:
    graph = small_graph()
    found = [row for line in script(graph, tmp_path) for row in rows(line)]
    nodes = {row["id"]: row for row in found if "id" in row}
    assert nodes == {node: node_row(graph, node) for node in graph}
    edges = [row for row in found if "source" in row]
    assert len(edges) == graph.number_of_edges()
    assert edges[0] == edge_row(graph, UPG, "PROPOSES", "method:upgnet")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(INJECTION, id="c6-09"),
        pytest.param("Lasso; ridge &rarr; elastic net", id="c6-15"),
        *NAMES,
    ],
)
def test_hostile_names_stay_strings_on_one_line(tmp_path: Path, name: str) -> None:
    graph = named(name)
    paper, method, edge = (rows(line)[0] for line in script(graph, tmp_path))
    assert (paper, method) == (node_row(graph, "paper:0"), node_row(graph, "method:0"))
    assert edge == edge_row(graph, "paper:0", "PROPOSES", "method:0")


@given(texts)
def test_any_text_is_a_literal_on_one_line(text: str) -> None:
    written = literal(text)
    assert len(written.splitlines()) == 1
    assert parsed(written) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "true"),
        ("\\u0027", "'\\\\u0027'"),  # Neo4j 5 turns \\u005C into a backslash before it looks for strings
        (-(2**63), "-9223372036854775808"),
        (1e-07, "1e-07"),
        (["a", "b'", None], "['a', 'b\\'', null]"),
    ],
)
def test_literals(value: Any, expected: str) -> None:
    assert literal(value) == expected


def test_batches_are_of_limited_size(tmp_path: Path) -> None:  # c6-18
    graph = named(*(f"name {number}" for number in range(1001)), *("x" * 150_000 for _ in range(2)))
    lines = script(graph, tmp_path)
    methods = [len(rows(line)) for line in lines if "(n:Method" in line]
    assert methods == [500, 500, 1, 1, 1]
    assert sum(len(rows(line)) for line in lines) == len(graph) + graph.number_of_edges()


def test_properties_of_mixed_kinds_and_any_name_come_whole(tmp_path: Path) -> None:
    graph = named("a", "b", "c")
    graph.nodes["method:0"].update({"aliases": "no list", "1 `x`": True, "notes": ["d", "e"]})
    graph.nodes["method:1"].update({"notes": [1, 0.5], "only_here": -7})
    del graph.nodes["method:2"]["aliases"]
    found = [row for line in script(graph, tmp_path) for row in rows(line) if "(n:Method" in line]
    assert found == [node_row(graph, f"method:{number}") for number in range(3)]


def test_unknown_types_are_refused(tmp_path: Path) -> None:
    graph = named("a")
    graph.add_node("x", type="Method`) DETACH DELETE n //")
    with pytest.raises(GraphFileError, match="unknown type"):
        write(graph, tmp_path / "g.cypher")
