"""Tests of `kg report`."""

from __future__ import annotations

import gzip
from pathlib import Path

from kg.exports.markdown import report
from tests.cli.conftest import Kg
from tests.graphs import small_graph


def test_the_report_is_printed(kg: Kg, graph_file: str) -> None:
    assert kg("report", graph_file).stdout == "".join(report(small_graph(), limit=30, rows=15))


def test_the_report_is_written(kg: Kg, graph_file: str) -> None:
    run = kg("report", graph_file, "-o", "r.md.gz", "--limit", "1")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "Written to r.md.gz\n")
    assert gzip.decompress(Path("r.md.gz").read_bytes()).decode() == "".join(
        report(small_graph(), limit=1, rows=15)
    )


def test_a_missing_graph_is_one_line(kg: Kg) -> None:
    run = kg("report", "none.json")
    assert run.exit_code == 1
    assert run.stderr.startswith("Error: cannot read none.json")
