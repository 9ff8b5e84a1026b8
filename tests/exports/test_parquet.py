"""Parquet tables as pyarrow reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow
import pytest
from pyarrow import parquet

from kg.errors import GraphFileError
from kg.exports.parquet import read, write
from kg.exports.tables import TABLES, tables
from kg.store import Graph
from tests.exports.test_csv_tables import PAIR
from tests.kg.test_assemble import BASE, UPG, built

TEXT = pyarrow.string()


def test_whole_evidence_and_mentions(tmp_path: Path) -> None:
    write(built(PAIR), tmp_path)
    place = {"source": "paper:doi:10.1/a", "target": "method:xqn", "type": "USES"}
    assert parquet.read_table(tmp_path / "evidence.parquet").to_pylist() == [
        {
            **place,
            "paper": "paper:doi:10.1/a",
            "sentence": "A XQN is =net.",
            "start": 14,
            "end": 28,
            "score": 0.8,
            "extractor": "test-1",
        }
    ]
    assert parquet.read_table(tmp_path / "edges.parquet").to_pylist() == [
        {**place, "papers": 1, "score": 0.8}
    ]
    found = {"paper": "paper:doi:10.1/a", "concept": "method:xqn", "type": "Method", "score": 0.9}
    assert parquet.read_table(tmp_path / "mentions.parquet").to_pylist() == [
        {**found, "start": 8, "end": 12, "text": "XQNs"},
        {**found, "start": 16, "end": 19, "text": "XQN"},
    ]


def test_columns_are_typed(tmp_path: Path) -> None:
    write(built(UPG, BASE), tmp_path)
    schema = parquet.read_schema(tmp_path / "nodes.parquet")
    assert {name: schema.field(name).type for name in ("id", "year", "aliases", "papers")} == {
        "id": TEXT,
        "year": pyarrow.int64(),
        "aliases": pyarrow.list_(TEXT),
        "papers": pyarrow.int64(),
    }


def test_every_table_has_its_rows_and_columns_even_if_empty(tmp_path: Path) -> None:
    for graph in (built(), built(UPG, BASE)):
        write(graph, tmp_path)
        for name in TABLES:
            columns, rows = tables(graph)[name]
            table = parquet.read_table(tmp_path / f"{name}.parquet")
            assert (tuple(table.column_names), table.num_rows) == (columns, len(rows))
    write(built(), tmp_path)
    types = {field.name: field.type for field in parquet.read_schema(tmp_path / "mentions.parquet")}
    assert (types["start"], types["score"]) == (pyarrow.int64(), pyarrow.float64())


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([1, 2], pyarrow.int64(), [1, 2]),
        ([1, 0.5], pyarrow.float64(), [1.0, 0.5]),
        ([True, False], pyarrow.bool_(), [True, False]),
        ([True, 1], TEXT, ["true", "1"]),
        pytest.param([2024, "n.d."], TEXT, ["2024", "n.d."], id="c5-03"),
        ([2**70], TEXT, [str(2**70)]),
        ([None, ""], TEXT, [None, ""]),
        ([{"a": 1}], TEXT, ['{"a":1}']),
    ],
)
def test_one_type_for_a_column(
    tmp_path: Path, values: list[Any], kind: pyarrow.DataType, expected: list[Any]
) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_nodes_from((str(number), {"type": "Paper", "x": value}) for number, value in enumerate(values))
    write(graph, tmp_path)
    column = parquet.read_table(tmp_path / "nodes.parquet").column("x")
    assert (column.type, column.to_pylist()) == (kind, expected)


def test_lists_that_are_not_of_texts_come_back(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("a", type="Method", aliases=["x", 1])
    graph.add_node("b", type="Method", aliases={"y": [None]})
    write(graph, tmp_path)
    assert [data["aliases"] for data in read(tmp_path).nodes.values()] == [["x", 1], {"y": [None]}]


@pytest.mark.parametrize("damage", ["missing", "rubbish"])
def test_damaged_folders_are_refused(tmp_path: Path, damage: str) -> None:
    write(built(PAIR), tmp_path)
    if damage == "missing":
        (tmp_path / "merges.parquet").unlink()
    else:
        (tmp_path / "nodes.parquet").write_bytes(b"PAR1 no table")
    with pytest.raises(GraphFileError, match="no folder of graph tables"):
        read(tmp_path)
