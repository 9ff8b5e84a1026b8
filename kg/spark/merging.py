"""Which records are one paper, on Spark: `kg.identity` says what makes them so, this brings them together.

A record's keys are the edges, as in memory; only keys that several records share become any. Records that
share none, nearly all of a large list, are not shuffled.

Limits: the records of one paper are joined in one task.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from kg.identity import join_papers, paper_keys
from kg.readers.base import place_key
from kg.records import paper_of, paper_record
from kg.schema import Paper
from kg.spark.components import connected
from kg.spark.rows import saved

if TYPE_CHECKING:
    import pandas
    from pyspark.sql import Column, DataFrame

    from kg.spark.storage import Folder

__all__ = ["PAPERS", "distinct_papers", "place_of", "record_row"]

#: One row: the paper's node id, the paper, and where its text stands first.
PAPERS = "id string, paper binary, file string, line long"


def distinct_papers(records: DataFrame, work: Folder) -> DataFrame:
    """The distinct papers of some records: those of `kg.identity.merge_papers`, in no order.

    Args:
        records: columns `id`, `paper` and `keys` (`record_row`), `file` and `line`. They are read several
            times: save them before.
        work: a folder for what is computed once; the result stays in it.

    Returns:
        The columns of `PAPERS`, one row a paper.
    """
    from pyspark.sql import functions as f

    columns = ("id", "paper", "keys", "file", "line")
    numbered = records.select(*columns, _own_id(f.col("paper")).alias("record"))
    groups = saved(_groups(numbered, work), work / "groups")
    alone = numbered.join(groups, "record", "left_anti").select("id", "paper", "file", "line")
    together = numbered.join(groups, "record").drop("record", "id", "keys")
    joined = together.groupBy("paper_group").applyInPandas(_joined, PAPERS)
    return _with_own_ids(saved(alone.unionByName(joined), work / "papers-0"), work)


def record_row(paper: Paper) -> tuple[str, bytes, tuple[str, ...]]:
    """The columns `id`, `paper` and `keys` of a record: what it is if no other is the same paper."""
    alone = join_papers([paper])
    return alone.id, paper_record(alone), paper_keys(alone)


def _own_id(paper: Column) -> Column:
    """A name for a record that two records share only if they are equal."""
    from pyspark.sql import functions as f

    return f.sha1(paper)


def _groups(records: DataFrame, work: Folder) -> DataFrame:
    """The records that share a key with another, each with the name of its group."""
    from pyspark.sql import functions as f

    keyed = records.select("record", f.explode("keys").alias("key"))
    shared = keyed.groupBy("key").count().where("count > 1").select("key")
    held = keyed.join(shared, "key").groupBy("record").agg(f.collect_set("key").alias("keys"))
    held = saved(held.select("record", "keys", f.array_min("keys").alias("node")), work / "held")
    edges = held.select(f.col("node").alias("one"), f.explode("keys").alias("other"))
    named = held.join(connected(edges, work / "keys"), "node")
    return named.select("record", f.col("component").alias("paper_group"))


def _joined(frame: pandas.DataFrame) -> pandas.DataFrame:
    """The one paper of a group of rows."""
    import pandas

    rows = [_joined_row(list(frame.itertuples()))]
    joined = pandas.DataFrame(rows, columns=[part.split()[0] for part in PAPERS.split(", ")])
    return joined.astype({"line": "Int64"})


def _joined_row(rows: list[Any]) -> tuple[str, bytes, str | None, int | None]:
    papers = [paper_of(row.paper) for row in rows]
    paper = join_papers(papers)
    key = place_key(paper)
    places = [place_of(row) for row, held in zip(rows, papers, strict=True) if place_key(held) == key]
    file, line = min(places, key=_rank, default=(None, None))
    return paper.id, paper_record(paper), file, line


def place_of(row: Any) -> tuple[str | None, int | None]:
    """The file and the line of a row of pandas, which has marks of its own for what is absent."""
    import pandas

    return row.file, None if pandas.isna(row.line) else int(row.line)


def _rank(place: tuple[str | None, int | None]) -> tuple[str, int]:
    return place[0] or "", place[1] or 0


def _with_own_ids(papers: DataFrame, work: Folder) -> DataFrame:
    """Joins what has the same node id after merging, until nothing has."""
    from pyspark.sql import functions as f

    for turn in count(1):
        repeated = papers.groupBy("id").count().where("count > 1").select("id")
        repeated = saved(repeated, work / f"repeated-{turn}")
        if repeated.isEmpty():
            break
        once = papers.join(repeated, "id", "left_anti")
        several = papers.join(repeated, "id").withColumn("paper_group", f.col("id")).drop("id")
        joined = several.groupBy("paper_group").applyInPandas(_joined, PAPERS)
        papers = saved(once.unionByName(joined), work / f"papers-{turn}")
    return papers
