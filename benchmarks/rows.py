"""Everything that is measured, as rows: what, on how many papers, what it took, and beside what.

Ratios are of processor time, which a machine that does other things at the same time changes little.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import reading
from benchmarks.commands import Spent, run, spent_by
from benchmarks.texts import papers, write_list
from kg.exports import EXPORTERS

__all__ = ["Row", "measured"]

#: Of `kg add`: so many papers for one of the graph.
_SHARE = 100
_STARTS = 10
_QUERY = "MATCH (p:Paper)-[:USES]->(m:Method) RETURN m.name, count(p) ORDER BY count(p) DESC LIMIT 10"
_PLAIN_LOAD = (
    "import json, networkx; networkx.node_link_graph(json.load(open('graph.json', 'rb')), edges='edges')"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measurement: seconds on the clock and of the processor, megabytes, and a ratio beside something."""

    what: str
    papers: int | None = None
    wall: float | None = None
    cpu: float
    peak: float | None = None
    ratio: float | None = None
    beside: str = ""

    @classmethod
    def of(cls, what: str, spent: Spent, papers: int | None, ratio: float, beside: str) -> Row:
        """The row of a command."""
        return cls(
            what=what,
            papers=papers,
            wall=spent.wall,
            cpu=spent.cpu,
            peak=spent.peak,
            ratio=ratio,
            beside=beside,
        )


def measured(sizes: Sequence[int], *, source: Path | None = None, workers: str = "auto") -> Iterator[Row]:
    """Measures everything, row by row.

    Args:
        sizes: numbers of papers; the reading of an abstract is measured on the first.
        source: a JSON Lines file of abstracts; by default variations of the seeds.
        workers: as for `kg build`.
    """
    yield from _reading(papers(sizes[0], source))
    yield _start()
    rates: dict[int, float] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            yield from _graph(Path(folder), papers(size + _more(size), source), size, workers, rates)


def _more(size: int) -> int:
    return -(-size // _SHARE)


def _reading(records: list[dict[str, Any]]) -> Iterator[Row]:
    """An abstract, by the extractor and by spaCy's pipelines."""
    seconds = reading.seconds(records)
    ours = seconds[reading.OURS]
    for name, value in seconds.items():
        what = f"reading an abstract: {name}"
        if name == reading.OURS:
            yield Row(what=what, papers=len(records), cpu=value)
        else:
            beside = "kg extract takes so many times as long"
            yield Row(what=what, papers=len(records), cpu=value, ratio=ours / value, beside=beside)


def _start() -> Row:
    """`kg --help` and an import of click, in turns; the median of each."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        helps, imports = [], []
        for _ in range(_STARTS):
            helps.append(run("--help", folder=here))
            imports.append(spent_by([sys.executable, "-c", "import click"], here))
    cpu = statistics.median(spent.cpu for spent in helps)
    plain = statistics.median(spent.cpu for spent in imports)
    wall = statistics.median(spent.wall for spent in helps)
    return Row(what="kg --help", cpu=cpu, wall=wall, ratio=cpu / plain, beside='python -c "import click"')


def _graph(
    folder: Path, records: list[dict[str, Any]], size: int, workers: str, rates: dict[int, float]
) -> Iterator[Row]:
    """A list and its graph, on the way that a user goes."""
    write_list(records[:1], folder / "one.jsonl")
    write_list(records[:size], folder / "list.jsonl")
    write_list(records[size:], folder / "more.jsonl")

    def kg(*arguments: str) -> Spent:
        return run("-q", *arguments, folder=folder)

    start = kg("build", "one.jsonl", "--no-cache", "-o", "one.json")
    build = kg("build", "list.jsonl", "--workers", workers, "-o", "graph.json")
    rates[size] = (size - 1) / max(build.cpu - start.cpu, 1e-9)
    first = min(rates)
    yield Row.of("kg build", build, size, rates[size] / rates[first], f"papers a second at {first:,}")
    again = kg("build", "list.jsonl", "-o", "graph.json")
    yield Row.of("the same build again", again, size, again.cpu / build.cpu, "kg build")
    added = kg("add", "graph.json", "more.jsonl", "-o", "added.json")
    share = f"kg add of {len(records) - size:,}"
    yield Row.of(share, added, size, added.cpu / build.cpu, "kg build")
    yield from _reads(kg, folder, size)


def _reads(kg: Callable[..., Spent], folder: Path, size: int) -> Iterator[Row]:
    """What reads the graph file."""
    plain = spent_by([sys.executable, "-c", _PLAIN_LOAD], folder)
    load = kg("stats", "graph.json")
    yield Row.of("kg stats (loads the graph)", load, size, load.cpu / plain.cpu, "json and networkx load it")
    for name in EXPORTERS:
        spent = kg("export", "graph.json", "--format", name, "-o", f"out-{name}")
        yield Row.of(f"kg export {name}", spent, size, spent.cpu / load.cpu, "kg stats")
    for what in ("kg query, the first", "kg query, the next"):
        spent = kg("query", "graph.json", _QUERY)
        yield Row.of(what, spent, size, spent.cpu / load.cpu, "kg stats")
    spent = kg("view", "graph.json", "-o", "view.html")
    yield Row.of("kg view", spent, size, spent.cpu / load.cpu, "kg stats")
