"""The benchmarks' own parts: papers to measure with, what a process cost, the table on its page."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from benchmarks import __main__ as benchmarks
from benchmarks.commands import spent_by
from benchmarks.copies import Copied, copied, shown, write_rows
from benchmarks.rows import Row
from benchmarks.spark import Measured, carried_on
from benchmarks.texts import papers, write_list
from kg.identity import merge_papers
from kg.readers import read
from kg.schema import Paper


def test_variations_of_the_seeds_are_different_papers(tmp_path: Path) -> None:
    write_list(papers(250), tmp_path / "list.jsonl")
    found = read(tmp_path / "list.jsonl")
    assert found.rejected == []
    assert len(merge_papers(found.papers)) == len(found.papers) == 250


def test_papers_of_a_file_come_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl.gz"
    records = [{"title": f"T{number}", "abstract": "x"} for number in range(3)]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    assert papers(2, path) == records[:2]
    with pytest.raises(ValueError, match="has 3 papers, not 4"):
        papers(4, path)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks into /proc")
def test_what_a_process_cost_is_known(tmp_path: Path) -> None:
    spent = spent_by([sys.executable, "-c", "a = bytearray(50_000_000); sum(range(4 * 10**6))"], tmp_path)
    assert spent.wall > 0.02 < spent.cpu
    assert 50 < spent.peak < 500


def test_a_failure_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="failed with 3"):
        spent_by([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


def test_the_table_takes_the_place_of_the_former_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    monkeypatch.setattr(benchmarks, "PAGE", page)
    rows = [Row(what="build", papers=1000, wall=12.3, cpu=0.012345, peak=250.4, ratio=0.5, beside="x")]
    benchmarks.put("".join(benchmarks._table(rows)))
    assert page.read_text(encoding="utf-8") == (
        "before\n<!-- measured -->\n"
        "| what | papers | clock, s | processor, s | memory, MB | ratio | beside |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | --- |\n"
        "| build | 1,000 | 12.30 | 0.0123 | 250 | 0.50 | x |\n"
        "<!-- end -->\nafter\n"
    )


def test_the_page_has_a_place_for_it() -> None:
    text = benchmarks.PAGE.read_text(encoding="utf-8")
    assert [text.count(mark) for mark in benchmarks._MARKS] == [1, 1]


def test_costs_on_spark_are_carried_on_by_the_model() -> None:
    measured = Measured(
        papers=100,
        seconds=30,
        reading=10,
        work=2000,
        folder=1000,
        shuffled=500,
        python_mb=1,
        java_mb=1,
        live_mb=1,
    )
    assert list(carried_on(measured))[2:] == [
        "| arXiv | 3,000,000 | 500 | 0 | 0 | 0 |\n",
        "| everything | 200,000,000 | 33,333 | 1 | 6 | 2 |\n",
    ]


def test_a_copy_of_a_paper_is_another_paper_with_the_same_text() -> None:
    paper = Paper(
        abstract="We build nets.", title="Nets", source_ids=("a",), doi="10.1/a", url="https://x.org/a"
    )
    unnamed = Paper(abstract="We build nets.", title="Nets")

    assert copied(paper, 2) == Paper(
        abstract="We build nets.",
        title="Nets",
        source_ids=("a.copy2",),
        doi="10.1/a.copy2",
        url="https://x.org/a.copy2",
    )
    assert len({unnamed.id, copied(unnamed, 0).id, copied(unnamed, 1).id}) == 3


def test_what_is_read_for_copies_is_a_row_a_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_CACHE", str(tmp_path / "cache"))

    write_rows(papers(3), tmp_path / "rows", workers=1)

    rows = parquet.read_table(tmp_path / "rows").to_pylist()
    assert [row["id"] for row in rows] == [
        paper.id for paper in merge_papers(read(tmp_path / "rows.jsonl").papers)
    ]
    assert all(row["extraction"] for row in rows)


def test_the_cost_of_copies_is_a_row_each() -> None:
    found = Copied(
        copies=3,
        papers=3000,
        naming=40.0,
        writing=20.0,
        folder=1,
        driver_mb=900.0,
        live_mb=100.0,
        all_mb=2500.0,
        counts={},
    )
    assert list(shown([found]))[2:] == ["| 3 | 3,000 | 40 | 20 | 50 | 900 | 100 | 2,500 |\n"]
