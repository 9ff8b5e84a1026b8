"""A corpus that every rule of naming has something to do in, and the tables of both engines."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.assemble import assemble
from kg.exports import parquet as parquet_export
from kg.records import extraction_record, paper_record
from kg.rules import parse_rules
from kg.schema import Extraction, Paper
from kg.spark.assembling import build_tables
from kg.spark.storage import Folder
from tests.kg.build import read

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

Pair = tuple[Paper, Extraction]
Table = tuple[Mapping[str, str], Counter[tuple[Any, ...]]]

#: name -> (type, how else one paper may write it)
NAMES: Mapping[str, tuple[str, Sequence[str]]] = {
    "reinforcement learning": ("Task", ["RL"]),
    "representation learning": ("Task", ["RL"]),
    "machine translation": ("Task", ["MT"]),
    "multitask training": ("Task", ["MT"]),
    "deep reinforcement learning": ("Task", []),
    "deep RL": ("Task", []),
    "convolutional neural network": ("Method", ["CNN"]),
    "Convolution neural networks": ("Method", ["CNN"]),
    "CNNs": ("Method", []),
    "CNN model": ("Method", []),
    "3D CNN": ("Method", []),
    "3D convolutional neural network": ("Method", []),
    "BERT": ("Method", []),
    "Bert": ("Method", []),
    "BERT model": ("Method", []),
    "SPIN": ("Method", []),
    "spin": ("Term", []),
    "GPT-3": ("Method", []),
    "GPT-4": ("Method", []),
    "Llama-3-8B": ("Method", []),
    "Llama-3-70B": ("Method", []),
    "C": ("Term", []),
    "C++": ("Term", []),
    "Gradient Descent": ("Method", ["GD"]),
    "gradient descent algorithm": ("Method", []),
    "ImageNet": ("Dataset", []),
    "ImageNet data set": ("Dataset", ["IN"]),
    "top-1 accuracy": ("Metric", []),
    "top 1-accuracy": ("Metric", []),
    "Étude net": ("Method", []),
    "北京 corpus": ("Dataset", []),
}
#: What stands beside either meaning of `MT`, which then needs no definition.
TOPICS: Mapping[str, Sequence[str]] = {
    "machine translation": ("beam search", "parallel corpus", "BLEU score", "language pair"),
    "multitask training": ("shared encoder", "auxiliary loss", "task weighting", "gradient conflict"),
}
ROLES: Mapping[str, Sequence[str]] = {
    "Method": ("proposes", "uses", "compares"),
    "Task": ("tasks",),
    "Dataset": ("datasets", "proposes"),
    "Metric": ("metrics",),
    "Term": (),
}
RULES: Mapping[str, Any] = {
    "same": [["ImageNet", "SPIN"], ["C", "C++"]],
    "different": [["BERT", "Bert"], ["CNN", "convolutional neural network"], ["GPT-3", "GPT-4"]],
    "type": {"spin": "Method"},
    "drop": ["top-1 accuracy", "Llama"],
    "paper": {
        "10.1/p3": {
            "roles": {"new thing": ["proposes"]},
            "relations": [["new thing", "used-for", "machine translation"]],
        }
    },
}


def corpus(count: int, *, seed: int = 1) -> list[Pair]:
    """Papers that write the names above, in no order that naming could lean on."""
    rng = random.Random(seed)
    return [_paper(rng, number) for number in range(count)]


def _paper(rng: random.Random, number: int) -> Pair:
    names = rng.sample(sorted(NAMES), rng.randint(0, 7))
    concepts = {name: _read(rng, name) for name in names} if rng.random() < 0.7 else _topic(rng)
    names = list(concepts)
    parts = [" and ".join((name, *aliases)) for name, (_, aliases, _) in concepts.items()]
    written = " ".join(f"{rng.choice(['We use', 'On', 'It is'])} {part}." for part in parts)
    relations = [(names[0], "used-for", names[1])] if len(names) > 1 else []
    host = f"https://github.com/{rng.choice(['Lab', 'lab'])}/net{number % 5}"
    links = [(host, rng.choice(["official", "project", "other"]))] if number % 3 == 0 else []
    authors = rng.sample(["Ann Roe", "Roe, Ann", "ANN ROE", "Bo Li"], number % 3)
    return read(
        f"{written} {host}" if number % 2 else written,
        concepts,
        title=f"On {names[0]}" if names and number % 4 else None,
        relations=relations,
        links=links,
        doi=f"10.1/p{number}" if number % 2 else None,
        arxiv_id=None if number % 2 else f"2401.{number:05}",
        authors=tuple(authors),
        venue=rng.choice([None, "ICML", "icml"]),
        year=rng.choice([None, 2024]),
    )


def _topic(rng: random.Random) -> dict[str, tuple[str, Sequence[str], Sequence[str]]]:
    """A paper on one of the topics; every third says only `MT`."""
    topic = rng.choice(sorted(TOPICS))
    name, aliases = rng.choice([(topic, ["MT"]), (topic, ["MT"]), ("MT", [])])
    beside = rng.sample(TOPICS[topic], 3)
    return {name: ("Task", aliases, ["tasks"]), **{other: ("Term", [], []) for other in beside}}


def _read(rng: random.Random, name: str) -> tuple[str, Sequence[str], Sequence[str]]:
    """The type, other forms and roles of a name in one paper."""
    kind, aliases = NAMES[name]
    if rng.random() < 0.1:
        kind = "Term"
    told = [alias for alias in aliases if rng.random() < 0.6]
    return kind, told, [role for role in ROLES[kind] if rng.random() < 0.3]


def in_memory(pairs: Sequence[Pair], rules: Mapping[str, Any], folder: Path) -> dict[str, Table]:
    """The tables as the export of the graph in memory writes them."""
    papers, extractions = zip(*pairs, strict=True)
    parquet_export.write(assemble(papers, extractions, attributes={"rules": rules} if rules else {}), folder)
    return dict(_written(folder))


def on_spark(
    spark: SparkSession, pairs: Sequence[Pair], rules: Mapping[str, Any], folder: Path
) -> dict[str, Table]:
    """The tables as Spark writes them."""
    rows = [
        (paper.id, bytearray(paper_record(paper)), bytearray(extraction_record(paper, extraction)))
        for paper, extraction in pairs
    ]
    records = spark.createDataFrame(rows, "id string, paper binary, extraction binary")
    tables = build_tables(records, parse_rules(rules), Folder.at(spark, str(folder / "work")))
    for name, table in tables.tables.items():
        table.write.parquet(str(folder / f"{name}.parquet"))
    return dict(_written(folder))


def _written(folder: Path) -> Iterator[tuple[str, Table]]:
    from pyarrow import parquet

    for name in ("nodes", "edges", "evidence", "mentions", "merges"):
        yield name, _table(parquet.read_table(folder / f"{name}.parquet"))


def _table(table: pyarrow.Table) -> Table:
    """Columns with their types, and how often each row is there."""
    columns = {field.name: str(field.type).replace("element", "item") for field in table.schema}
    rows = Counter(tuple(map(_hashable, row.values())) for row in table.to_pylist())
    return columns, rows


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
