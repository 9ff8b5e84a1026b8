"""Papers are read on the executors, part by part, so that what is done stays done.

A part holds the papers whose id has a certain hash. It is written by one job and counts once Spark has put
the mark `_SUCCESS` into its folder; a run that goes on takes such parts as they are. A Python worker loads
the extractor once and keeps it for all parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from extractors.workers import Outcome, read_batch
from kg.records import extraction_record, paper_of
from kg.schema import Extraction, Paper
from kg.spark.storage import Folder
from kg.update import confident

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import DataFrame

    from kg.api import Progress

__all__ = ["OUTCOMES", "extract_parts", "part_count", "split_papers"]

#: One row: a paper and its extraction, or (`extraction` is null) why there is none.
OUTCOMES = "id string, paper binary, extraction binary, file string, line long, reason string"
_COLUMNS = [part.split()[0] for part in OUTCOMES.split(", ")]
_DONE = "_SUCCESS"
#: Papers that the extractor is given together.
_BATCH = 32
#: Papers of a task: long enough to be worth one, short enough that no core waits long for the last.
_TASK = 500
#: How many such tasks a core has in a part.
_TASKS_A_CORE = 4


def part_count(papers: int, cores: int, *, wanted: int | None = None) -> int:
    """How many parts so many papers have: each keeps all cores busy for a minute or so.

    Args:
        papers: how many papers there are.
        cores: how many tasks run at a time.
        wanted: papers of a part, where somebody says so.

    >>> part_count(1_000_000, 200), part_count(1000, 2)
    (3, 1)
    """
    return max(1, -(-papers // (wanted or cores * _TASK * _TASKS_A_CORE)))


def split_papers(papers: DataFrame, parts: int, folder: Folder) -> None:
    """Saves papers by their part."""
    from pyspark.sql import functions as f

    part = f.pmod(f.xxhash64("id"), f.lit(parts)).cast("int")
    placed = papers.withColumn("part", part).repartition(parts, "part")
    placed.write.mode("overwrite").partitionBy("part").parquet(folder.address)


def extract_parts(
    papers: Folder, folder: Folder, *, parts: int, min_score: float, progress: Progress | None = None
) -> None:
    """Reads the papers of all parts that are not done yet.

    Args:
        papers: where `split_papers` saved them.
        folder: where outcomes go, with the columns of `OUTCOMES`, a folder a part.
        parts: how many parts there are.
        min_score: what scores less is left out.
        progress: called after each part.
    """
    for part in range(parts):
        done = folder / f"part={part}"
        if not (done / _DONE).exists():
            _extract_part(papers / f"part={part}", done, min_score)
        if progress is not None:
            progress(part + 1, parts)


def _extract_part(papers: Folder, done: Folder, min_score: float) -> None:
    if not papers.exists():  # no paper has this hash
        done.spark.createDataFrame([], OUTCOMES).write.mode("overwrite").parquet(done.address)
        return
    spark = papers.spark
    read = spark.read.parquet(papers.address)
    tasks = max(spark.sparkContext.defaultParallelism, -(-read.count() // _TASK))
    found = read.repartition(tasks).mapInPandas(partial(_extracted, read_batch, min_score), OUTCOMES)
    found.write.mode("overwrite").parquet(done.address)


def _extracted(
    read: Callable[[Sequence[Paper]], list[Outcome]],
    min_score: float,
    frames: Iterable[pandas.DataFrame],
) -> Iterator[pandas.DataFrame]:
    """The outcomes of a task's papers."""
    import pandas

    for frame in frames:
        for start in range(0, len(frame), _BATCH):
            rows = list(frame[start : start + _BATCH].itertuples())
            papers = [paper_of(row.paper) for row in rows]
            outcomes = zip(rows, papers, read(papers), strict=True)
            done = [_outcome(row, paper, outcome, min_score) for row, paper, outcome in outcomes]
            yield pandas.DataFrame(done, columns=_COLUMNS).astype({"line": "Int64"})


def _outcome(row: Any, paper: Paper, outcome: Outcome, min_score: float) -> tuple[Any, ...]:
    line = None if row.line is None or row.line != row.line else int(row.line)
    if isinstance(outcome, Extraction):
        record = extraction_record(paper, confident(outcome, min_score))
        return row.id, row.paper, record, row.file, line, None
    if row.file is None:
        return row.id, row.paper, None, paper.record_id, None, outcome
    return row.id, row.paper, None, row.file, line, f"record {paper.record_id!r}: {outcome}"
