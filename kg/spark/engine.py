"""`kg build --engine spark`: from lists of abstracts to a folder of tables, on as many machines as there are.

Everything is written to `DIR.part` beside the folder and takes its place at the end; the manifest comes last,
so that a folder without one is known to be half-written, in an object store, too, where a rename is a copy.

    inputs -> work/records -> work/papers -> work/extractions -> tables, neo4j -> manifest

Each step is saved before the next begins. `resume` takes what was saved whole, if inputs, extractor and
settings are still the same; else everything begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import orjson

from extractors import version
from kg import manifest
from kg.corrections import Match, matches, unmatched
from kg.errors import EngineError, ExportError, InputError
from kg.records import pair_of
from kg.rules import NO_RULES, Rules
from kg.schema import Rejected
from kg.spark.assembling import build_tables
from kg.spark.bulk import write_import_set
from kg.spark.extraction import OUTCOMES, extract_part, part_count, split_papers
from kg.spark.merging import distinct_papers
from kg.spark.progress import Steps
from kg.spark.reading import RECORDS, Inputs, find_inputs, read_records
from kg.spark.rows import Row, map_rows, saved
from kg.spark.session import explained
from kg.spark.storage import Folder
from kg.update import settings_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["PART_PAPERS", "Job", "Result", "build", "mark_whole", "write_graph"]

#: The setting of Spark that says how many papers a part of the extraction has.
PART_PAPERS = "spark.paperkg.partPapers"
_DONE = "_SUCCESS"
_MATCH = "what string, section string, name string"
_SHOWN = 20
#: By what the rows of a table are sorted, so that equal graphs are equal files and a question reads little.
_ORDER: Mapping[str, Sequence[str]] = {
    "nodes": ("id",),
    "edges": ("source", "target", "type"),
    "evidence": ("source", "target", "type", "paper", "start", "end"),
    "mentions": ("paper", "start", "end", "concept"),
    "merges": ("type", "canonical", "alias", "rule"),
    "rejected": ("file", "line", "reason"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is to be built: see `kg build --help`."""

    inputs: Sequence[str]
    output: str
    format: str | None = None
    max_bytes: int | None = None
    min_score: float = 0.0
    rules: Rules = NO_RULES
    resume: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was built: the rows of each table, the first rejected records, and what is to be said of files."""

    counts: Mapping[str, int]
    rejected: Sequence[Rejected]
    warnings: Sequence[str]


def build(spark: SparkSession, job: Job, *, tell: Callable[[str], object]) -> Result:
    """Builds a folder of tables.

    Args:
        spark: the session (`kg.spark.session.open_session`).
        job: what to build.
        tell: called with lines that say how far it is.

    Raises:
        InputError: an input is absent, or a record was rejected and `strict` is set.
        ExportError: something else stands at the place of the output.
        EngineError: Spark fails, or what is to be resumed was another job.
    """
    with explained(), Steps(spark, tell) as steps:
        target = Folder.at(spark, job.output)
        _refuse_foreign(target)
        part = Folder(spark, f"{target.address}.part")
        return _Run(spark, job, part, steps).result(target)


def _refuse_foreign(target: Folder) -> None:
    """Raises where something stands that no build has written."""
    if not target.exists():
        return
    names = set(target.names())
    if names and not names & {manifest.MANIFEST, "nodes.parquet"}:
        raise ExportError(
            f"cannot write {target.address}: the folder holds other files ({min(names)})",
            hint="Name a new or an empty folder.",
        )


@dataclass
class _Run:
    """One build on its way."""

    spark: SparkSession
    job: Job
    part: Folder
    steps: Steps

    def result(self, target: Folder) -> Result:
        """Does everything."""
        inputs = find_inputs(self.spark, self.job.inputs, format=self.job.format)
        self._prepare(inputs)
        records = self._records(inputs)
        parts = self._papers(records)
        outcomes = self._outcomes(parts)
        counts = self._tables(records, outcomes)
        rejected, warnings = self._told(records)
        warnings += self._idle_rules(outcomes)
        self._settle(target, counts)
        return Result(counts=counts, rejected=rejected, warnings=warnings)

    def _prepare(self, inputs: Inputs) -> None:
        """Makes the folder of this job, or goes on in it."""
        stamp = orjson.dumps(self._stamp(inputs), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
        held = self.work / "stamp.json"
        if self.job.resume and held.exists():
            _refuse_other(orjson.loads(held.read()), orjson.loads(stamp))
        else:
            self.part.delete()
            held.write(stamp)

    def _stamp(self, inputs: Inputs) -> dict[str, Any]:
        """What makes two jobs the same, up to the extraction."""
        return {
            "extractor": version.extractor_version(),
            "inputs": inputs.fingerprint(),
            "settings": {
                "format": self.job.format,
                "max_bytes": self.job.max_bytes,
                "min_score": self.job.min_score,
            },
        }

    @property
    def work(self) -> Folder:
        """What is thrown away at the end."""
        return self.part / "work"

    def _records(self, inputs: Inputs) -> DataFrame:
        """All records of the inputs."""
        folder = self.work / "records"
        if not (folder / _DONE).exists():
            self.steps.begin("Reading inputs")
            found = read_records(self.spark, inputs, format=self.job.format, max_bytes=self.job.max_bytes)
            found.write.mode("overwrite").parquet(folder.address)
        records = self.spark.read.schema(RECORDS).parquet(folder.address)
        first = records.where("reason is not null").first() if self.job.strict else None
        if first:
            raise InputError(
                f"rejected {Rejected(first.file, first.line, first.reason)}",
                hint="Without --strict the other records are read.",
            )
        return records

    def _papers(self, records: DataFrame) -> int:
        """Saves the distinct papers by their part; gives the number of parts."""
        folder, held = self.work / "papers", self.work / "parts"
        if held.exists():
            return int(held.read())
        self.steps.begin("Merging records")
        papers = distinct_papers(records.where("paper is not null"), self.work / "merging")
        context = self.spark.sparkContext
        wanted = context.getConf().get(PART_PAPERS)
        parts = part_count(papers.count(), context.defaultParallelism, wanted=int(wanted) if wanted else None)
        split_papers(papers, parts, folder)
        held.write(str(parts).encode())
        return parts

    def _outcomes(self, parts: int) -> DataFrame:
        """What was read out of the papers."""
        folder = self.work / "extractions"
        for part in range(parts):
            self.steps.begin(f"Reading papers, part {part + 1:,} of {parts:,}")
            extract_part(self.work / "papers", folder, part, min_score=self.job.min_score)
        return self.spark.read.schema(OUTCOMES).parquet(f"{folder.address}/part=*")

    def _tables(self, records: DataFrame, outcomes: DataFrame) -> dict[str, int]:
        rejected = records.where("reason is not null").select(*_ORDER["rejected"])
        return write_graph(outcomes, rejected, self.part, rules=self.job.rules, steps=self.steps)

    def _idle_rules(self, outcomes: DataFrame) -> list[str]:
        """What is to be said of rules that match nothing."""
        if not self.job.rules:
            return []
        self.steps.begin("Looking for rules that match nothing")
        read = outcomes.where("extraction is not null").select("paper", "extraction")
        found = map_rows(read, partial(_matches, self.job.rules), _MATCH).distinct().collect()
        return unmatched(self.job.rules, (Match(*row) for row in found))

    def _told(self, records: DataFrame) -> tuple[list[Rejected], list[str]]:
        """The first rejected records, and what is to be said of files."""
        folder = self.part / "rejected.parquet"
        first = self.spark.read.parquet(folder.address).orderBy(*_ORDER["rejected"]).limit(_SHOWN).collect()
        warnings = records.where("warning is not null").select("warning").distinct()
        lines = warnings.orderBy("warning").limit(_SHOWN).collect()
        return [Rejected(*row) for row in first], [row.warning for row in lines]

    def _settle(self, target: Folder, counts: Mapping[str, int]) -> None:
        """Puts the whole folder in its place; the manifest, which says that it is whole, comes last."""
        self.steps.begin("Putting the folder in its place")
        self.work.delete()
        target.delete()
        self.part.rename(target)
        mark_whole(target, counts, settings_of(self.job.min_score, self.job.rules))


def write_graph(
    outcomes: DataFrame, rejected: DataFrame, folder: Folder, *, rules: Rules, steps: Steps
) -> dict[str, int]:
    """Names and assembles what was read; writes the tables and the import set.

    Args:
        outcomes: the columns of `kg.spark.extraction.OUTCOMES`, one row a distinct paper, saved.
        rejected: `file`, `line` and `reason` of other records that were rejected.
        folder: where to; what is thrown away at the end is in its folder `work`.
        rules: what the user says of names and papers.
        steps: what tells how far it is.

    Returns:
        The rows of each table.
    """
    steps.begin("Naming and assembling")
    extracted = outcomes.where("extraction is not null").select("id", "paper", "extraction")
    built = build_tables(extracted, rules, folder / "work" / "graph")
    failed = outcomes.where("reason is not null").select(*_ORDER["rejected"])
    counts: dict[str, int] = {}
    for name, table in (*built.tables.items(), ("rejected", rejected.unionByName(failed))):
        steps.begin(f"Writing {name}")
        counts[name] = saved(table.sort(*_ORDER[name]), folder / f"{name}.parquet").count()
    steps.begin("Writing the import set")
    write_import_set(built.nodes, built.edges, folder / "neo4j", counts=counts)
    return counts


def mark_whole(folder: Folder, counts: Mapping[str, int], attributes: Mapping[str, Any]) -> None:
    """Writes the manifest of a folder, which says that it is whole.

    Args:
        folder: where the tables are.
        counts: the rows of each.
        attributes: how it was made, where that was not as usual (`kg.update.settings_of`).
    """
    extractor = version.extractor_version()
    content = manifest.content(counts=counts, extractor=extractor, attributes=attributes)
    (folder / manifest.MANIFEST).write(content)


def _matches(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """What the papers of a task have to do with the rules: as many rows at most as the rules have parts."""
    pairs = (pair_of(row["paper"], row["extraction"]) for row in rows)
    return (match._asdict() for match in set(matches(rules, pairs)))


def _refuse_other(held: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raises where what is to be resumed is another job."""
    other = [name for name in sorted(wanted) if held.get(name) != wanted[name]]
    if other:
        raise EngineError(
            f"what was begun has another {' and other '.join(other)}, so that it cannot be resumed",
            hint="Without --resume the build begins anew.",
        )
