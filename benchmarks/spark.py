"""What a paper costs on Spark, beside `kg build --workers 2`, and what many papers would:
`python -m benchmarks.spark [--papers N] [--texts FILE] [--master URL] [--write]`; and what copies of a corpus
cost beyond reading: `… --copies N [N …] [--rows FOLDER]` (`benchmarks.copies`).

The build on Spark runs in a process of its own, which asks Spark for what was shuffled. Reading is what is
between the first part of the extraction and the first table; with few papers the start of Spark and the
loading of the extractor weigh more than they do later.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from benchmarks.__main__ import machine, put
from benchmarks.commands import kilobytes, run, size
from benchmarks.copies import java_live, java_process, measured, shown, write_rows
from benchmarks.texts import papers, write_list

__all__ = ["Measured", "carried_on", "main"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
#: Papers that the costs are carried on to.
_SIZES = {"arXiv": 3_000_000, "everything": 200_000_000}
_CORES = 2
_MASTER = f"local-cluster[{_CORES},1,1024]"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one build on Spark cost: seconds, bytes, and megabytes of the driver.

    `live_mb` is what its Java holds at the end after a collection.
    """

    papers: int
    seconds: float
    reading: float
    work: int
    folder: int
    shuffled: int
    python_mb: float
    java_mb: float
    live_mb: float


def main() -> None:
    """Measures, prints two tables, and puts them on the page if asked to."""
    options = _options()
    if options.inside:
        sys.stdout.write(json.dumps(asdict(_inside(Path(options.inside), options.papers, options.master))))
        return
    if options.copies:
        _copy(options)
        return
    with tempfile.TemporaryDirectory(prefix="kg-spark-") as home:
        folder = Path(home)
        write_list(papers(options.papers, options.texts), folder / "list.jsonl")
        memory = run(
            "build", "list.jsonl", "--workers", str(_CORES), "--no-cache", "-o", "g.json", folder=folder
        )
        command = [sys.executable, "-m", "benchmarks.spark", "--inside", home, "--master", options.master]
        told = subprocess.run([*command, "--papers", str(options.papers)], stdout=subprocess.PIPE, check=True)
    found = Measured(**json.loads(told.stdout))
    table = f"{machine()}\n\n{''.join(_measured(found, memory.wall))}\n{''.join(carried_on(found))}"
    sys.stdout.write(table)
    if options.write:
        put(table, PAGE)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--papers", type=int, default=200, metavar="N", help="how many abstracts")
    parser.add_argument("--texts", type=Path, metavar="FILE", help="abstracts as JSON Lines, plain or .gz")
    parser.add_argument("--master", default=_MASTER, metavar="URL", help="where Spark runs")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    parser.add_argument(
        "--copies", type=int, nargs="+", metavar="N", help="name and assemble so many copies of the abstracts"
    )
    parser.add_argument(
        "--rows", type=Path, metavar="FOLDER", help="with --copies, where what is read is kept, or was before"
    )
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def _copy(options: argparse.Namespace) -> None:
    """Prints what copies cost; what is read is read once."""
    with tempfile.TemporaryDirectory(prefix="kg-spark-") as home:
        rows = options.rows or Path(home, "rows")
        if not rows.exists():
            write_rows(papers(options.papers, options.texts), rows, workers=_CORES)
        found = []
        for copies in options.copies:
            folder = Path(home, str(copies))
            folder.mkdir()
            found.append(measured(rows.resolve(), folder, copies=copies, master=options.master))
            rmtree(folder)
    sys.stdout.write(f"{machine()}\n\n{''.join(shown(found))}")


def _inside(home: Path, number: int, master: str) -> Measured:
    """Builds in this process, which is the driver."""
    from kg.spark.engine import Job, build
    from kg.spark.session import open_session

    steps: list[tuple[str, float]] = []
    work = 0

    def tell(line: str) -> None:
        nonlocal work
        steps.append((line, time.monotonic()))
        if line.startswith("Putting"):
            work = size(home / "graph.part" / "work")

    start = time.monotonic()
    with open_session(master) as spark:
        build(spark, Job(inputs=[str(home / "list.jsonl")], output=str(home / "graph")), tell=tell)
        seconds, shuffled = time.monotonic() - start, _shuffled(spark)
        java = _java_peak(spark), java_live(spark)
    first = next(at for line, at in steps if line.startswith("Reading papers"))
    after = next(at for line, at in steps if line.startswith("Naming"))
    python = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    return Measured(number, seconds, after - first, work, size(home / "graph"), shuffled, python, *java)


def _shuffled(spark: Any) -> int:
    """The bytes that all stages wrote for others, from Spark's status store."""
    java = spark._jvm.java.util.ArrayList()
    quantiles = spark.sparkContext._gateway.new_array(spark._jvm.double, 0)
    store = spark._jsc.sc().statusStore()
    stages = store.stageList(None, False, False, quantiles, java)
    return sum(int(stages.apply(index).shuffleWriteBytes()) for index in range(stages.size()))


def _java_peak(spark: Any) -> float:
    """The largest memory of the driver's Java, in megabytes."""
    return kilobytes(java_process(spark), "status", "VmHWM") / 1e3


def _measured(measured: Measured, in_memory: float) -> Iterator[str]:
    """The table of what was measured."""
    number = measured.papers
    yield f"| {number:,} papers, {_CORES} cores | value |\n| --- | ---: |\n"
    yield f"| `kg build --workers {_CORES}`, papers a second | {number / in_memory:,.1f} |\n"
    yield f"| on Spark, papers a second, all steps | {number / measured.seconds:,.1f} |\n"
    yield f"| on Spark, papers a second, reading alone | {number / measured.reading:,.1f} |\n"
    yield f"| r: seconds of a core to read a paper | {_CORES * measured.reading / number:.4f} |\n"
    yield f"| s: seconds of a core for all else, a paper | {_rest(measured):.4f} |\n"
    yield f"| w: bytes of a paper in `work/` | {measured.work / number:,.0f} |\n"
    yield f"| d: bytes of a paper in the folder | {measured.folder / number:,.0f} |\n"
    yield f"| h: bytes of a paper that are shuffled | {measured.shuffled / number:,.0f} |\n"
    peaks = f"{measured.python_mb:,.0f} + {measured.java_mb:,.0f}"
    yield f"| m: peak of the driver, Python and Java, MB | {peaks} |\n"
    yield f"| what the driver's Java holds at the end, MB | {measured.live_mb:,.0f} |\n"


def _rest(measured: Measured) -> float:
    return _CORES * (measured.seconds - measured.reading) / measured.papers


def carried_on(measured: Measured) -> Iterator[str]:
    """The table of what more papers would cost, by the model of the page."""
    yield "| by calculation | papers | core-hours | shuffled, GB | disk, GB | Neo4j's page cache, GB |\n"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |\n"
    each = _CORES * measured.reading / measured.papers + _rest(measured)
    for name, number in _SIZES.items():
        share = number / measured.papers / 1e9
        numbers = (measured.shuffled, measured.work + measured.folder, 1.2 * measured.folder)
        sizes = " | ".join(f"{share * size:,.0f}" for size in numbers)
        yield f"| {name} | {number:,} | {number * each / 3600:,.0f} | {sizes} |\n"


if __name__ == "__main__":
    main()
