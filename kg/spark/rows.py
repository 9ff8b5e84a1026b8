"""Plain functions over rows, applied to tables of Spark.

A row goes in as a dictionary and comes out as one. A function sees the rows of a task, or of a *share*: all
rows of some keys, which must meet. Keys come into shares by their hash, so that many small groups travel
together and Python is called once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pyarrow

from extractors.batches import in_batches
from kg.store import no_collection

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from kg.spark.storage import Folder

__all__ = ["Function", "Row", "arrow_schema", "map_rows", "map_shares", "saved", "set_partitions", "share"]

Row: TypeAlias = dict[str, Any]
Function: TypeAlias = Callable[[Iterable[Row]], Iterable[Row]]

#: Rows that Python hands to Spark together.
_BATCH = 5000
#: Papers of a task where tables are shuffled, and tasks that a core gets where there are few papers.
_PAPERS = 20_000
_TASKS_A_CORE = 4
_PARTITIONS = "spark.sql.shuffle.partitions"


def map_rows(table: DataFrame, function: Function, columns: str, *, size: int = _BATCH) -> DataFrame:
    """Applies a function to the rows of each task.

    Args:
        table: the rows.
        function: from rows, one at a time, to rows; what a row lacks of the columns is null.
        columns: what it gives, as Spark's DDL.
        size: how many rows are taken and given together: fewer where they are long.
    """
    return table.mapInArrow(partial(_mapped, function, arrow_schema(columns), size), columns)


def map_shares(
    table: DataFrame, key: Column | str, count: int, function: Function, columns: str
) -> DataFrame:
    """Applies a function to all rows of each share.

    Args:
        table: the rows.
        key: rows of one key come into one share.
        count: how many shares there are.
        function: from the rows of a share to rows.
        columns: what it gives, as Spark's DDL.
    """
    schema = arrow_schema(columns)

    def grouped(rows: pyarrow.Table) -> pyarrow.Table:  # Spark reads these types
        given = (row for batch in rows.to_batches(_BATCH) for row in _rows(batch))
        with no_collection():
            return pyarrow.Table.from_batches(_batches(function(given), schema, _BATCH), schema=schema)

    return table.withColumn("share", share(key, count)).groupBy("share").applyInArrow(grouped, columns)


def set_partitions(spark: SparkSession, papers: int) -> None:
    """Sets into how many parts tables of so many papers are shuffled, unless the user has."""
    context = spark.sparkContext
    if not context.getConf().contains(_PARTITIONS):
        parts = max(_TASKS_A_CORE * context.defaultParallelism, papers // _PAPERS)
        spark.conf.set(_PARTITIONS, str(parts))


def share(key: Column | str, count: Column | int) -> Column:
    """Which of so many shares a key belongs to."""
    from pyspark.sql import functions as f

    return f.pmod(f.xxhash64(key), f.lit(count))


def saved(table: DataFrame, folder: Folder, *, by: str | None = None) -> DataFrame:
    """The table, computed once and kept on disk, where no executor's end takes it away.

    Args:
        table: what is to be computed.
        folder: where to; what is there is replaced.
        by: a column of few values: who asks for one of them reads no other.
    """
    writer = table.write.mode("overwrite")
    (writer.partitionBy(by) if by else writer).parquet(folder.address)
    return folder.spark.read.schema(table.schema).parquet(folder.address)


def arrow_schema(columns: str) -> pyarrow.Schema:
    """The columns of Spark's DDL as Arrow has them."""
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    return to_arrow_schema(cast(StructType, StructType.fromDDL(columns)))


def _mapped(
    function: Function, schema: pyarrow.Schema, size: int, batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    rows = (row for batch in batches for part in _cut(batch, size) for row in _rows(part))
    with no_collection():
        yield from _batches(function(rows), schema, size)


def _rows(batch: pyarrow.RecordBatch) -> Iterator[Row]:
    """The rows of a batch: column by column, which takes a third of the time of Arrow's `to_pylist`."""
    names = batch.schema.names
    columns = [column.to_pylist() for column in batch.columns]
    return (dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True))


def _batches(rows: Iterable[Row], schema: pyarrow.Schema, size: int) -> Iterator[pyarrow.RecordBatch]:
    for batch in in_batches(rows, size):
        yield pyarrow.RecordBatch.from_pylist(batch, schema=schema)


def _cut(batch: pyarrow.RecordBatch, size: int) -> Iterator[pyarrow.RecordBatch]:
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)
