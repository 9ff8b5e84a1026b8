"""A script that cypher-shell runs: every text stays a string."""

from __future__ import annotations

import re
from collections.abc import Iterator
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

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|[{}\[\],:]|`(?:[^`]|``)*`|[A-Za-z_]\w*|-?[\d.]+(?:e-?\d+)?")
_ESCAPE = re.compile(r"\\u([0-9A-F]{4})|\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "'": "'", "\\": "\\"}


def parsed(text: str) -> Any:
    """The value of a literal, read by the rules of the Cypher manual; raises on anything else."""
    tokens = iter(_TOKEN.findall(text))
    value = _value(next(tokens), tokens)
    assert next(tokens, None) is None
    return value


def _value(token: str, tokens: Iterator[str]) -> Any:
    if token == "[":
        return list(_items(tokens))
    if token == "{":
        return dict(_entries(tokens))
    if token.startswith("'"):
        return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES[m[2]], token[1:-1])
    if token in ("true", "false"):
        return token == "true"
    return float(token) if re.search("[.e]", token) else int(token)


def _items(tokens: Iterator[str]) -> Iterator[Any]:
    for token in tokens:
        if token == "]":
            return
        if token != ",":
            yield _value(token, tokens)


def _entries(tokens: Iterator[str]) -> Iterator[tuple[str, Any]]:
    for token in tokens:
        if token == "}":
            return
        if token != ",":
            assert next(tokens) == ":"
            yield token.strip("`"), _value(next(tokens), tokens)


def script(graph: Graph, folder: Path) -> list[str]:
    """The lines of a graph's script after the schema."""
    write(graph, folder / "g.cypher")
    lines = (folder / "g.cypher").read_bytes().decode().split("\n")
    assert lines[-1] == ""
    return lines[1 + len(schema()) : -1]


def rows(line: str) -> list[dict[str, Any]]:
    """The rows of a statement, which has to be one of the two forms."""
    before, _, after = line.rpartition("] AS row ")
    assert before.startswith("UNWIND [")
    assert re.fullmatch(
        r"MERGE \(n:\w+ \{id: row\.id\}\) (SET n:Concept )?SET n \+= row, n\.collections = "
        r"\[name IN coalesce\(n\.collections, \[\]\) WHERE name <> 'default'\] \+ 'default';"
        r"|MATCH \(a:\w+ \{id: row\.source\}\) MATCH \(b:\w+ \{id: row\.target\}\) "
        r"MERGE \(a\)-\[r:\w+ \{collection: 'default'\}\]->\(b\) SET r \+= row\.properties;",
        after,
    )
    found: list[dict[str, Any]] = parsed(f"{before.removeprefix('UNWIND ')}]")
    return found


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
        (["a", "b'"], "['a', 'b\\'']"),
        ({"a b`": 1, "x_1": []}, "{`a b```: 1, x_1: []}"),
    ],
)
def test_literals(value: Any, expected: str) -> None:
    assert literal(value) == expected


def test_batches_are_of_limited_size(tmp_path: Path) -> None:  # c6-18
    graph = named(*(f"name {number}" for number in range(1001)), *("x" * 150_000 for _ in range(2)))
    lines = script(graph, tmp_path)
    methods = [len(rows(line)) for line in lines if "(n:Method" in line]
    assert methods == [200, 200, 200, 200, 200, 1, 1, 1]
    assert sum(len(rows(line)) for line in lines) == len(graph) + graph.number_of_edges()


def test_unknown_types_are_refused(tmp_path: Path) -> None:
    graph = named("a")
    graph.add_node("x", type="Method`) DETACH DELETE n //")
    with pytest.raises(GraphFileError, match="unknown type"):
        write(graph, tmp_path / "g.cypher")
