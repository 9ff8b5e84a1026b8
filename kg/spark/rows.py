"""Plain functions over rows, applied to tables of Spark.

A row goes in as a dictionary and comes out as one. A function sees the rows of a task, or of a *share*: the
rows with one value of a column that says which of them must meet. Shares are hashed values, so that many
small groups travel together and Python is called once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import pyarrow

from extractors.batches import in_batches

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from kg.spark.storage import Folder

__all__ = ["Function", "Row", "map_rows", "map_shares", "saved", "share"]

Row: TypeAlias = dict[str, Any]
Function: TypeAlias = Callable[[Iterable[Row]], Iterable[Row]]

#: Rows that Python hands to Spark together.
_BATCH = 5000


def map_rows(table: DataFrame, function: Function, columns: str, *, size: int = _BATCH) -> DataFrame:
    """Applies a function to the rows of each task.

    Args:
        table: the rows.
        function: from rows, one at a time, to rows; what a row lacks of the columns is null.
        columns: what it gives, as Spark's DDL.
        size: how many rows are taken and given together: fewer where they are long.
    """
    return table.mapInArrow(partial(_mapped, function, _arrow(columns), size), columns)


def map_shares(table: DataFrame, by: str, function: Function, columns: str) -> DataFrame:
    """Applies a function to all rows of each share.

    Args:
        table: the rows.
        by: the column that says which rows belong together (`share`).
        function: from the rows of a share to rows.
        columns: what it gives, as Spark's DDL.
    """
    schema = _arrow(columns)

    def grouped(rows: pyarrow.Table) -> pyarrow.Table:  # Spark reads these types
        found = (row for batch in rows.to_batches(_BATCH) for row in batch.to_pylist())
        return pyarrow.Table.from_pylist(list(function(found)), schema=schema)

    return table.groupBy(by).applyInArrow(grouped, columns)


def share(key: Column | str, count: int) -> Column:
    """Which of so many shares a key belongs to."""
    from pyspark.sql import functions as f

    return f.pmod(f.xxhash64(key), f.lit(count))


def saved(table: DataFrame, folder: Folder) -> DataFrame:
    """The table, computed once and kept on disk."""
    table.write.mode("overwrite").parquet(folder.address)
    return folder.spark.read.schema(table.schema).parquet(folder.address)


def _arrow(columns: str) -> pyarrow.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import StructType

    return to_arrow_schema(cast(StructType, StructType.fromDDL(columns)))


def _mapped(
    function: Function, schema: pyarrow.Schema, size: int, batches: Iterable[pyarrow.RecordBatch]
) -> Iterator[pyarrow.RecordBatch]:
    rows = (row for batch in batches for part in _cut(batch, size) for row in part.to_pylist())
    for batch in in_batches(function(rows), size):
        yield pyarrow.RecordBatch.from_pylist(batch, schema=schema)


def _cut(batch: pyarrow.RecordBatch, size: int) -> Iterator[pyarrow.RecordBatch]:
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)
