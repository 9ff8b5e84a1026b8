"""What naming, assembling and writing cost on Spark for copies of a corpus (`benchmarks.spark --copies`).

Texts are read once. A copy has every paper again under other identifiers, so that no two are joined, and
writes the same names: concepts stay as many as they are, and what is counted over papers grows.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.commands import family, kilobytes, size, spent_by, watching
from kg.records import extraction_record, paper_of, paper_record
from kg.schema import Paper

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Copied", "copied", "java_live", "java_process", "measured", "shown", "write_rows"]

#: Rows of a file, and seconds between two looks at the memory.
_ROWS, _PAUSE = 5_000, 2.0


@dataclass(frozen=True, slots=True)
class Copied:
    """What so many copies cost: seconds, bytes of the folder, and megabytes.

    `driver_mb` is the peak of the driver's Java and Python, `live_mb` what its Java holds at the end after a
    collection, `all_mb` the peak of all processes, pages that several share counted once.
    """

    copies: int
    papers: int
    naming: float
    writing: float
    folder: int
    driver_mb: float
    live_mb: float
    all_mb: float
    counts: Mapping[str, int]


def write_rows(records: list[dict[str, Any]], folder: Path, *, workers: int) -> None:
    """Reads abstracts, or takes them from the cache, and keeps them as a build on Spark does: `OUTCOMES`."""
    from pyarrow import Table, parquet

    from kg.extraction import Reading
    from kg.identity import merge_papers
    from kg.readers import read

    listed = folder.with_suffix(".jsonl")
    listed.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    pairs = Reading(workers=workers).pairs(merge_papers(read(listed).papers))
    rows = (
        {"id": paper.id, "paper": paper_record(paper), "extraction": extraction_record(paper, extraction)}
        for paper, extraction in pairs
    )
    folder.mkdir(parents=True)
    while batch := list(islice(rows, _ROWS)):
        name = f"part-{len(list(folder.iterdir())):05}.parquet"
        parquet.write_table(Table.from_pylist(batch), folder / name)


def measured(rows: Path, home: Path, *, copies: int, master: str) -> Copied:
    """Makes the copies and builds with them, in a process of its own, which is the driver."""
    command = [sys.executable, "-m", "benchmarks.copies", str(rows), str(home), str(copies), master]
    spent_by(command, home)
    return Copied(**json.loads((home / "copied.json").read_text(encoding="utf-8")))


def shown(found: Iterable[Copied]) -> Iterator[str]:
    """The table of what was measured."""
    times = "assembling, s", "writing, s", "papers a second"
    columns = "copies", "papers", *times, "driver, MB", "live, MB", "all, MB"
    yield f"| {' | '.join(columns)} |\n"
    yield f"|{' ---: |' * len(columns)}\n"
    for one in found:
        speed = one.papers / (one.naming + one.writing)
        spent = f"{one.naming:,.0f} | {one.writing:,.0f} | {speed:,.0f}"
        sizes = f"{one.driver_mb:,.0f} | {one.live_mb:,.0f} | {one.all_mb:,.0f}"
        yield f"| {one.copies} | {one.papers:,} | {spent} | {sizes} |\n"


def copied(paper: Paper, number: int) -> Paper:
    """The paper under identifiers of its own."""
    end = f".copy{number}"
    return replace(
        paper,
        doi=f"{paper.doi or '10.5555/' + paper.id.rpartition(':')[2]}{end}",
        arxiv_id=paper.arxiv_id and paper.arxiv_id + end,
        source_ids=tuple(source + end for source in paper.source_ids),
        url=paper.url and paper.url + end,
        keys=tuple(key + end for key in paper.keys),
    )


def _copies(numbers: range, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for number in numbers:
            paper = copied(paper_of(row["paper"]), number)
            yield {**row, "id": paper.id, "paper": paper_record(paper)}


def _inside(rows: str, home: Path, copies: int, master: str) -> Copied:
    """Builds in this process."""
    from kg.rules import NO_RULES
    from kg.spark.engine import mark_whole, write_graph
    from kg.spark.extraction import OUTCOMES
    from kg.spark.progress import Steps
    from kg.spark.rows import map_rows, saved
    from kg.spark.session import open_session
    from kg.spark.storage import Folder

    steps: list[tuple[str, float]] = []
    with open_session(master) as spark, watching((peaks := _Peaks(java_process(spark))).look, _PAUSE):
        folder = Folder.at(spark, str(home / "graph"))
        given = spark.read.schema(OUTCOMES).parquet(rows)
        many = saved(map_rows(given, partial(_copies, range(copies)), OUTCOMES), folder / "work" / "rows")
        papers = many.count()
        none = spark.createDataFrame([], "file string, line long, reason string")
        with Steps(spark, lambda line: steps.append((line, time.monotonic()))) as told:
            counts = write_graph(many, none, folder, rules=NO_RULES, steps=told)
        end = time.monotonic()
        (folder / "work").delete()
        mark_whole(folder, counts, {})
        live = java_live(spark)
    first = next(at for line, at in steps if line.startswith("Writing"))
    times = first - steps[0][1], end - first
    sizes = peaks.driver / 1e3, live, peaks.all / 1e3
    return Copied(copies, papers, *times, size(home / "graph"), *sizes, counts)


def java_process(spark: SparkSession) -> int:
    """The process of the driver's Java."""
    return int(spark._jvm.java.lang.ProcessHandle.current().pid())  # type: ignore[union-attr]


def java_live(spark: SparkSession) -> float:
    """What the driver's Java holds after a collection, in megabytes: its peak is what it was allowed."""
    java: Any = spark._jvm.java.lang  # type: ignore[union-attr]
    java.System.gc()
    runtime = java.Runtime.getRuntime()
    return int(runtime.totalMemory() - runtime.freeMemory()) / 1e6


class _Peaks:
    """The memory of the driver and of all that descends from it, in kilobytes, as far as it was looked at."""

    def __init__(self, java: int) -> None:
        self._java = java
        self.driver = self.all = 0

    def look(self) -> None:
        """Looks once."""
        sizes = {process: kilobytes(process, "smaps_rollup", "Pss") for process in family(os.getpid())}
        self.driver = max(self.driver, sizes[os.getpid()] + sizes.get(self._java, 0))
        self.all = max(self.all, sum(sizes.values()))


def _main(rows: str, home: str, copies: str, master: str) -> None:
    found = _inside(rows, Path(home), int(copies), master)
    (Path(home) / "copied.json").write_text(json.dumps(asdict(found)), encoding="utf-8")


if __name__ == "__main__":
    _main(*sys.argv[1:])
