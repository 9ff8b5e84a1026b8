"""CSV for spreadsheets: whole tables, no formulas."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import networkx as nx
import pytest

from kg.errors import GraphFileError
from kg.exports.csv_tables import guard, read, unguard, write, writer_to
from kg.store import Graph
from tests.kg.build import read as paper
from tests.kg.test_assemble import built

PAIR = paper("We use XQNs. A XQN is =net.", {"XQN": ("Method", ["XQNs"], ["uses"])}, doi="10.1/a")


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_whole_tables(tmp_path: Path) -> None:
    write(built(PAIR), tmp_path)
    assert {path.stem: rows(path) for path in tmp_path.iterdir() if path.stem != "nodes"} == {
        "edges": [
            ["source", "target", "type", "papers", "score"],
            ["paper:doi:10.1/a", "method:xqn", "USES", "1", "0.8"],
        ],
        "evidence": [
            ["source", "target", "type", "paper", "sentence", "start", "end", "score", "extractor"],
            [
                *("paper:doi:10.1/a", "method:xqn", "USES", "paper:doi:10.1/a"),
                *("A XQN is =net.", "14", "28", "0.8", "test-1"),
            ],
        ],
        "mentions": [
            ["paper", "concept", "start", "end", "text", "type", "score"],
            ["paper:doi:10.1/a", "method:xqn", "8", "12", "XQNs", "Method", "0.9"],
            ["paper:doi:10.1/a", "method:xqn", "16", "19", "XQN", "Method", "0.9"],
        ],
        "merges": [
            ["alias", "canonical", "type", "rule", "support"],
            ["XQNs", "XQN", "Method", "spelling", "1"],
        ],
    }
    nodes = rows(tmp_path / "nodes.csv")
    assert nodes[0][:3] == ["id", "type", "name"]
    assert nodes[1][:3] == ["method:xqn", "Method", "XQN"]


def test_no_text_cell_is_a_formula_and_numbers_stay(tmp_path: Path) -> None:  # c5-16
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("paper:1", type="Paper", name="=1+1", abstract="-0.5 BLEU; @home; +1", score=-0.5)
    write(graph, tmp_path)
    columns, cells = rows(tmp_path / "nodes.csv")
    row = dict(zip(columns, cells, strict=True))
    assert row == {
        "id": "paper:1",
        "type": "Paper",
        "name": "'=1+1",
        "abstract": "'-0.5 BLEU; @home; +1",
        "score": "-0.5",
    }
    assert read(tmp_path).nodes["paper:1"] == {
        "type": "Paper",
        "name": "=1+1",
        "abstract": "-0.5 BLEU; @home; +1",
        "score": -0.5,
    }


@pytest.mark.parametrize(
    "text", ["=1", "'=1", "''=1", "'", "'a", "a=1", "", "\t", "\rx", "\n", "+", "-", "@", "''"]
)
def test_guard_is_undone(text: str) -> None:
    assert unguard(guard(text)) == text
    assert not guard(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_mixed_kinds_in_a_column_are_written(tmp_path: Path) -> None:  # c5-03
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("p1", type="Paper", note=2024)
    graph.add_node("p2", type="Paper", note="n.d.")
    write(graph, tmp_path)
    assert [data["note"] for data in read(tmp_path).nodes.values()] == ["2024", "n.d."]


@pytest.mark.parametrize("damage", ["missing", "columns", "number", "edge"])
def test_damaged_folders_are_refused(tmp_path: Path, damage: str) -> None:
    write(built(PAIR), tmp_path)
    if damage == "missing":
        (tmp_path / "merges.csv").unlink()
    elif damage == "columns":
        (tmp_path / "nodes.csv").write_text("a,b\n1,2\n")
    elif damage == "number":
        (tmp_path / "edges.csv").write_text("source,target,type,papers\na,b,USES,many\n")
    else:
        (tmp_path / "edges.csv").write_text("source,target,type\n")
    with pytest.raises(GraphFileError, match="no folder of graph tables"):
        read(tmp_path)


@pytest.mark.parametrize("cell", ["\r", "\r0", "a\rb", "a\r\n", "\r\n", "a\nb"])
def test_a_line_break_in_a_cell_stays_in_the_cell(cell: str) -> None:
    stream = io.StringIO(newline="")
    writer_to(stream).writerow(["x", cell])
    assert stream.getvalue().endswith("\n")
    assert not stream.getvalue().endswith("\r\n")
    assert list(csv.reader(io.StringIO(stream.getvalue(), newline=""))) == [["x", cell]]
