"""What it costs to ask a folder of tables: `python -m benchmarks.folder [--papers N] [--folder DIR]`.

A generated graph (nine relations a paper; concepts by Zipf's law) is written as `kg export --format parquet`
writes it, some papers at a time. Then each command runs in a process of its own; the first one makes the
index, the first query the embedded database.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from benchmarks.commands import Spent, run
from kg import manifest

__all__ = ["generate", "main"]

_CHUNK = 20_000
#: Relations of a paper to concepts: the type, and the type of the concept.
_ROLES = (
    *(("USES", "Method"), ("USES", "Method"), ("COMPARES_WITH", "Method"), ("ADDRESSES", "Task")),
    *(("EVALUATES_ON", "Dataset"), ("MEASURES", "Metric"), ("MENTIONS", "Term"), ("MENTIONS", "Term")),
)
_LABELS = ("Method", "Task", "Dataset", "Metric", "Term")
_SENTENCE = (
    "In this work we show at length that {} helps where nothing else has helped before, on all we tried."
)
_TEXT, _LONG = pyarrow.string(), pyarrow.int64()
_NODES = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("id", "type", "name", "abstract")),
        ("aliases", pyarrow.list_(_TEXT)),
        *((name, _TEXT) for name in ("arxiv_id", "code_status", "doi", "label")),
        ("papers", _LONG),
        ("source_ids", pyarrow.list_(_TEXT)),
        *((name, _TEXT) for name in ("title", "url", "venue")),
        ("year", _LONG),
    ]
)
_EDGES = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("source", "target", "type")),
        ("papers", _LONG),
        ("score", pyarrow.float64()),
    ]
)
_EVIDENCE = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("source", "target", "type", "paper", "sentence")),
        ("start", _LONG),
        ("end", _LONG),
        ("score", pyarrow.float64()),
        ("extractor", _TEXT),
    ]
)
_MENTIONS = pyarrow.schema(
    [
        *((name, _TEXT) for name in ("paper", "concept")),
        *((name, _LONG) for name in ("start", "end")),
        *((name, _TEXT) for name in ("text", "type")),
        ("score", pyarrow.float64()),
    ]
)
_MERGES = pyarrow.schema(
    [*((name, _TEXT) for name in ("alias", "canonical", "type", "rule")), ("support", _LONG)]
)


def generate(papers: int, folder: Path) -> dict[str, int]:
    """Writes the tables of a graph of so many papers; gives the rows of each. The same each time."""
    folder.mkdir(parents=True, exist_ok=True)
    dice = np.random.default_rng(7)
    kinds = max(papers // 10, 10)
    schemas = {
        "nodes": _NODES,
        "edges": _EDGES,
        "evidence": _EVIDENCE,
        "mentions": _MENTIONS,
        "merges": _MERGES,
    }
    counts = dict.fromkeys(schemas, 0)
    with _Writers(folder, schemas, counts) as writers:
        found = {label: np.zeros(kinds, dtype=np.int64) for label in _LABELS}
        for start in range(0, papers, _CHUNK):
            numbers = range(start, min(start + _CHUNK, papers))
            _write_papers(writers, numbers, kinds, found, dice)
        for label, papers_of in found.items():
            _write_concepts(writers, label, papers_of)
    manifest.write(folder, counts=counts, extractor="generated")
    return counts


class _Writers:
    """Writes rows of the tables, some at a time."""

    def __init__(self, folder: Path, schemas: dict[str, pyarrow.Schema], counts: dict[str, int]) -> None:
        self._schemas, self._counts = schemas, counts
        self._open = {
            name: parquet.ParquetWriter(folder / f"{name}.parquet", schema, compression="zstd")
            for name, schema in schemas.items()
        }

    def __enter__(self) -> _Writers:
        return self

    def __exit__(self, *error: object) -> None:
        for writer in self._open.values():
            writer.close()

    def write(self, name: str, rows: list[dict[str, Any]]) -> None:
        """Writes rows of a table."""
        self._counts[name] += len(rows)
        self._open[name].write_table(pyarrow.Table.from_pylist(rows, self._schemas[name]))


def _write_papers(
    writers: _Writers, numbers: range, kinds: int, found: dict[str, Any], dice: np.random.Generator
) -> None:
    """Writes some papers, an author and a venue of each, and what they are about."""
    nodes, edges, evidence = [], [], []
    drawn = np.minimum(dice.zipf(1.3, (len(numbers), len(_ROLES))), kinds) - 1
    for number, concepts in zip(numbers, drawn, strict=True):
        paper = f"paper:arxiv:{number:07}"
        nodes.append(_paper(paper, number))
        held = set()
        for (relation, label), concept in zip(_ROLES, concepts.tolist(), strict=True):
            target = f"{label.lower()}:number-{concept}"
            if (relation, target) in held:
                continue
            if not any(known == target for _, known in held):
                found[label][concept] += 1
            held.add((relation, target))
            edge = {"source": paper, "target": target, "type": relation}
            edges.append({**edge, "papers": 1, "score": 0.5 + concept % 50 / 100})
            place = {"start": number % 500, "end": number % 500 + 99, "extractor": "generated"}
            shown = {"paper": paper, "sentence": _SENTENCE.format(f"{label} {concept}"), **place}
            evidence.append({**edge, **shown, "score": 0.5 + concept % 50 / 100})
        author = f"author:person-{number}"
        nodes.append({"id": author, "type": "Author", "name": f"Person {number}"})
        edges.append({"source": author, "target": paper, "type": "AUTHORED"})
    for name, rows in (("nodes", nodes), ("edges", edges), ("evidence", evidence)):
        writers.write(name, rows)


def _paper(paper: str, number: int) -> dict[str, Any]:
    title = f"On the matter of {number} and what follows from it for the {number % 977}th time"
    own = {"id": paper, "type": "Paper", "name": title, "label": title, "title": title}
    abstract = " ".join(
        f"Sentence {index} of {number} says what it says at some length." for index in range(20)
    )
    told = {
        "abstract": abstract,
        "arxiv_id": f"{number:07}",
        "code_status": "none",
        "source_ids": [str(number)],
    }
    return {**own, **told, "year": 2000 + number % 25}


def _write_concepts(writers: _Writers, label: str, papers: Any) -> None:
    rows = [
        {
            "id": f"{label.lower()}:number-{index}",
            "type": label,
            "name": f"{label} {index}",
            "aliases": [f"{label}s of {index}"],
            "papers": count,
        }
        for index, count in enumerate(papers.tolist())
    ]
    writers.write("nodes", rows)


def measured(folder: Path) -> Iterator[tuple[str, Spent]]:
    """What each command takes; the first ones make what is kept beside the folder."""
    name, cypher = (
        str(folder),
        "MATCH (m:Method {id: 'method:number-9'})<-[:USES]-(p:Paper) RETURN p.title LIMIT 5",
    )
    commands = {
        "kg stats": ("stats", name),
        "kg show, the first (makes the index)": ("show", name, "Method 9"),
        "kg show of a concept": ("show", name, "Method 9"),
        "kg show of the most frequent concept": ("show", name, "Method 0"),
        "kg show of a paper": ("show", name, "0000017"),
        "kg search": ("search", name, "method 99"),
        "kg why": ("why", name, "0000017", "Method 0"),
        "kg view --focus": ("view", name, "--focus", "0000017", "-o", f"{folder}.html"),
        "kg query, the first (makes the database)": ("query", name, cypher),
        "kg query by id": ("query", name, cypher),
        "kg query methods-for-task": ("query", name, "methods-for-task", "--param", "task=Task 9"),
    }
    for what, arguments in commands.items():
        yield what, run("-q", *arguments, folder=folder.parent)


def main() -> None:
    """Generates, measures and prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.folder", description=__doc__)
    parser.add_argument("--papers", type=int, default=100_000, metavar="N")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="keep the folder, or take one that is there"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = options.folder or Path(place, "tables")
        if not (folder / manifest.MANIFEST).exists():
            print(generate(options.papers, folder))
        print("| what | clock, s | processor, s | memory, MB |\n| --- | ---: | ---: | ---: |")
        for what, spent in measured(folder):
            print(f"| {what} | {spent.wall:.2f} | {spent.cpu:.2f} | {spent.peak:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
