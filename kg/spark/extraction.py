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
from kg.spark.merging import PAPERS, place_of
from kg.spark.storage import Folder
from kg.update import confident

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import DataFrame

__all__ = ["OUTCOMES", "extract_part", "part_count", "split_papers", "task_count"]

#: One row: a paper and its extraction, or (`extraction` is null) why there is none.
OUTCOMES = "id string, paper binary, extraction binary, file string, line long, reason string"
_COLUMNS = [part.split()[0] for part in OUTCOMES.split(", ")]
_DONE = "_SUCCESS"
#: Papers that the extractor is given together.
_BATCH = 32
#: Papers of a task: long enough to be worth one, short enough that no core waits long for the last.
_TASK = 500
#: How many such tasks a core has in a part.
_TASKS_A_CORE = 10


def part_count(papers: int, cores: int, *, wanted: int | None = None) -> int:
    """How many parts so many papers have: each keeps all cores busy for two minutes or so.

    Args:
        papers: how many papers there are.
        cores: how many tasks run at a time.
        wanted: papers of a part, where somebody says so.

    >>> part_count(3_000_000, 200), part_count(1000, 2)
    (3, 1)
    """
    return max(1, -(-papers // (wanted or cores * _TASK * _TASKS_A_CORE)))


def task_count(papers: int, cores: int) -> int:
    """How many tasks read so many papers: as many for each core, so that none waits for the last.

    >>> task_count(9170, 2), task_count(3, 2)
    (20, 2)
    """
    rounds = -(-papers // (cores * _TASK))
    return cores * max(1, rounds)


def split_papers(papers: DataFrame, parts: int, folder: Folder) -> None:
    """Saves papers by their part."""
    from pyspark.sql import functions as f

    part = f.pmod(f.xxhash64("id"), f.lit(parts)).cast("int")
    placed = papers.withColumn("part", part).repartition(parts, "part")
    placed.write.mode("overwrite").partitionBy("part").parquet(folder.address)


def extract_part(papers: Folder, outcomes: Folder, part: int, *, min_score: float) -> None:
    """Reads the papers of a part, unless that is done already.

    Args:
        papers: where `split_papers` saved them.
        outcomes: where the part gets a folder with the columns of `OUTCOMES`.
        part: its number.
        min_score: what scores less is left out.
    """
    given, done = papers / f"part={part}", outcomes / f"part={part}"
    if (done / _DONE).exists():
        return
    spark = papers.spark
    if not given.exists():  # no paper has this hash
        spark.createDataFrame([], OUTCOMES).write.mode("overwrite").parquet(done.address)
        return
    read = spark.read.schema(PAPERS).parquet(given.address)
    tasks = task_count(read.count(), spark.sparkContext.defaultParallelism)
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
    file, line = place_of(row)
    if isinstance(outcome, Extraction):
        record = extraction_record(paper, confident(outcome, min_score))
        return row.id, row.paper, record, file, line, None
    if file is None:
        return row.id, row.paper, None, paper.record_id, None, outcome
    return row.id, row.paper, None, file, line, f"record {paper.record_id!r}: {outcome}"
