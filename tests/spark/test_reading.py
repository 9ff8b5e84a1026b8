from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.errors import InputError
from kg.identity import join_papers, paper_keys
from kg.readers import read
from kg.records import paper_of
from kg.spark.reading import find_inputs, read_records

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

LINES = b"""\xef\xbb\xbf{"title": "One", "abstract": "We study cats.", "id": "a"}

{broken
[]
{"title": "Two \xe9", "abstract": "We study dogs."}
{"neither": 1}
"""


def as_read(spark: SparkSession, folder: Path, *, format: str | None = None) -> list[tuple[object, ...]]:
    """What Spark reads: papers and rejected records with their places, and warnings."""
    inputs = find_inputs(spark, [str(folder)], format=format)
    rows = read_records(spark, inputs, format=format).collect()
    for row in rows:
        paper = row.paper and paper_of(row.paper)
        assert not paper or (row.id, tuple(row["keys"])) == (paper.id, paper_keys(paper))
    shown = [(row.paper and paper_of(row.paper), row.file, row.line, row.reason, row.warning) for row in rows]
    return sorted(shown, key=repr)


def in_memory(folder: Path) -> list[tuple[object, ...]]:
    """The same from the reader in memory, each paper as it is if it is one record."""
    result = read(folder)
    papers = [(join_papers([paper]), *result.places[paper.abstract], None, None) for paper in result.papers]
    rejected = [(None, each.file, each.line, each.reason, None) for each in result.rejected]
    warnings = [(None, None, None, None, line) for line in result.warnings if "replaced" not in line]
    return sorted([*papers, *rejected, *warnings], key=repr)


def test_every_kind_of_file_is_read_as_in_memory(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "my lists"
    (folder / "deep").mkdir(parents=True)
    (folder / "a%20b.jsonl").write_bytes(LINES)
    (folder / "deep" / "c.jsonl.gz").write_bytes(gzip.compress(LINES.replace(b"study", b"love")))
    (folder / "d.txt").write_text("We count birds.\n\nWe count fish, and more of it.\n", encoding="utf-8")
    (folder / "e.bib").write_text("@article{x, title={Bees}, abstract={We count bees.}}", encoding="utf-8")
    (folder / "f.json").write_text("[1, 2", encoding="utf-8")
    (folder / "g.png").write_bytes(b"\x89PNG")
    (folder / "README.md").write_text("About.", encoding="utf-8")

    assert as_read(spark, folder) == in_memory(folder)


def test_lines_keep_their_numbers_where_a_file_is_cut_into_blocks(
    spark: SparkSession, tmp_path: Path
) -> None:
    lines = [json.dumps({"title": f"T {i}", "abstract": f"We study {i} cats."}) for i in range(200)]
    lines[57] = lines[150] = "{broken"
    (tmp_path / "list.jsonl").write_text("\n".join(lines), encoding="utf-8")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "1000")
    try:
        assert as_read(spark, tmp_path) == in_memory(tmp_path)
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")


def test_rows_of_parquet_are_records(spark: SparkSession, tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    rows = [
        {"Title": "One", "abstract": "We study cats.", "authors": ["Ann Roe"], "year": 2024},
        {"Title": None, "abstract": None, "authors": None, "year": None},
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "list.parquet")
    path = str(tmp_path / "list.parquet")

    found = as_read(spark, Path(path))

    (tmp_path / "list.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    expected = in_memory(tmp_path / "list.jsonl")
    assert found == [(row[0], path, *row[2:]) for row in expected]


def test_an_input_that_is_absent_is_named(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file or folder"):
        find_inputs(spark, [str(tmp_path / "gone.jsonl")])
