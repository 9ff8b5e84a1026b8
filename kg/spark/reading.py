"""Inputs of any size as rows: one a record, by the same readers that read a file in memory.

JSON Lines (`.jsonl`, `.ndjson`, also compressed) are read line by line and Parquet row by row, so that one
file may be larger than any machine; every other format is read file by file, each on one executor. What a
record is rejected for, its file and its line are the same as in memory.

Limits: JSON Lines are told by their name or `--format jsonl`, and hold UTF-8; damaged bytes are replaced
silently.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from kg import readers
from kg.errors import InputError
from kg.readers.base import ReadResult, place_key
from kg.readers.fields import add_record
from kg.readers.json_lines import add_line
from kg.schema import Rejected
from kg.spark.merging import record_row
from kg.spark.rows import Row, map_rows
from kg.spark.storage import File, list_files

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["RECORDS", "Inputs", "find_inputs", "read_records"]

#: One row: a record with the node id that it has alone and its keys, or what was rejected (`reason`), or what
#: is to be said of a file.
RECORDS = "id string, paper binary, keys array<string>, file string, line long, reason string, warning string"
_LINES = RECORDS + ", address string, block long"
_PACKED = frozenset({".gz", ".bz2", ".zst", ".snappy", ".lz4", ".deflate"})
_LINE_NAMES = frozenset(readers.FORMATS["jsonl"].extensions)
_BATCH = 512


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files of all inputs by the way they are read."""

    lines: Sequence[File] = ()
    tables: Sequence[File] = ()
    whole: Sequence[File] = ()

    def fingerprint(self) -> list[list[Any]]:
        """What tells whether an input has changed."""
        found = sorted((*self.lines, *self.tables, *self.whole))
        return [[file.address, file.size, file.changed] for file in found]


class _Row(NamedTuple):
    """A row of `_LINES`."""

    id: str | None = None
    paper: bytes | None = None
    keys: tuple[str, ...] | None = None
    file: str | None = None
    line: int | None = None
    reason: str | None = None
    warning: str | None = None
    address: str | None = None
    block: int | None = None


def find_inputs(spark: SparkSession, paths: Sequence[str], *, format: str | None = None) -> Inputs:
    """The files that paths, folders and patterns name; of a folder, those that may be lists.

    Raises:
        InputError: nothing is at a path.
    """
    found: dict[str, File] = {}
    for path in paths:
        for file in list_files(spark, path):
            if not file.inside or readers.may_be_list(PurePath(file.inside)):
                found.setdefault(file.address, file)
    kinds: dict[str, list[File]] = {"lines": [], "tables": [], "whole": []}
    for file in found.values():
        kinds[_kind(file, format)].append(file)
    return Inputs(**kinds)


def _kind(file: File, format: str | None) -> str:
    path = PurePath(file.address)
    suffix = PurePath(path.stem).suffix if path.suffix.casefold() in _PACKED else path.suffix
    if suffix.casefold() == ".parquet":
        return "tables"
    if format == "jsonl" or (format is None and suffix.casefold() in _LINE_NAMES):
        return "lines"
    return "whole"


def read_records(
    spark: SparkSession, inputs: Inputs, *, format: str | None = None, max_bytes: int | None = None
) -> DataFrame:
    """The records of all inputs, with the columns of `RECORDS`; nothing is read yet.

    Args:
        spark: the session.
        inputs: what `find_inputs` gave.
        format: the format of what is read file by file; by default each file tells.
        max_bytes: the largest size of such a file when unpacked.
    """
    parts = [spark.createDataFrame([], RECORDS)]
    if inputs.lines:
        parts.append(_read_lines(spark, inputs.lines))
    parts += [_read_table(spark, file) for file in inputs.tables]
    if inputs.whole:
        parts.append(_read_whole(spark, inputs.whole, format, max_bytes))
    records = parts[-1]
    for part in parts[:-1]:
        records = records.unionByName(part)
    return records


def _read(table: DataFrame, read: Callable[[Iterable[Row]], Iterable[_Row]]) -> DataFrame:
    """What a function reads out of the rows of a table, with the columns of `_LINES`."""
    return map_rows(table, partial(_as_rows, read), _LINES, size=_BATCH)


def _as_rows(read: Callable[[Iterable[Row]], Iterable[_Row]], rows: Iterable[Row]) -> Iterator[Row]:
    return (found._asdict() for found in read(rows))


def _read_lines(spark: SparkSession, files: Sequence[File]) -> DataFrame:
    """Lines of text; Spark may cut a file into blocks, so that a line is known by its number in the block."""
    from pyspark.sql import functions as f

    text = spark.read.text([file.address for file in files], lineSep="\n").select(
        f.col("value").cast("binary"),
        f.col("_metadata.file_path").alias("address"),
        f.col("_metadata.file_block_start").alias("block"),
    )
    lines = text.groupBy("address", "block").agg(f.count("*").alias("lines"))
    return _numbered(_read(text, partial(_lines, _names(files))), lines)


def _lines(names: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> Iterator[_Row]:
    """What the lines of a task give, each with its number in its block."""
    place, number = (None, None), 0
    for row in rows:
        if (row["address"], row["block"]) != place:
            place, number = (row["address"], row["block"]), 0
        number += 1
        if text := row["value"].strip():
            for found in _rows(_read_line(text, _name(names, row["address"]), number)):
                yield found._replace(address=row["address"], block=row["block"])


def _read_line(raw: bytes, file: str, line: int) -> ReadResult:
    text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    result = ReadResult()
    add_line(result, text.encode(), file=file, line=line)
    return result


def _numbered(read: DataFrame, lines: DataFrame) -> DataFrame:
    """Numbers in the file instead of numbers in a block: a table of all blocks is small."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    before = Window.partitionBy("address").orderBy("block").rowsBetween(Window.unboundedPreceding, -1)
    blocks = lines.select(
        "address", "block", f.coalesce(f.sum("lines").over(before), f.lit(0)).alias("skipped")
    )
    joined = read.join(f.broadcast(blocks), ["address", "block"], "left")
    return joined.select(*_columns(line=f.col("line") + f.coalesce("skipped", f.lit(0))))


def _columns(**given: Column) -> list[Column]:
    """The columns of `RECORDS`, some of them computed."""
    from pyspark.sql import functions as f

    names = [part.split()[0] for part in RECORDS.split(", ")]
    return [given[name].alias(name) if name in given else f.col(name) for name in names]


def _read_table(spark: SparkSession, file: File) -> DataFrame:
    """Rows of Parquet, whatever their columns are called; a row's line is its number in its file."""
    from pyspark.sql import functions as f

    table = spark.read.parquet(file.address)
    row = f.struct(*(f.col(f"`{name}`") for name in table.columns)).alias("record")
    placed = table.select(row, f.col("_metadata.row_index").alias("index"))
    return _read(placed, partial(_table_rows, file.shown)).select(*_columns())


def _table_rows(file: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[_Row]:
    for row in rows:
        result = ReadResult()
        record = {name: _plain(value) for name, value in row["record"].items()}
        add_record(result, record, file=file, line=row["index"] + 1)
        yield from _rows(result)


def _plain(value: Any) -> Any:
    """A cell as JSON would have it."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _read_whole(
    spark: SparkSession, files: Sequence[File], format: str | None, max_bytes: int | None
) -> DataFrame:
    """Files one by one: on an executor a file is read as a whole."""
    members = {file.address for file in files if file.inside}
    found = spark.read.format("binaryFile").load([file.address for file in files]).select("path", "content")
    read = partial(_files, _names(files), members, format, max_bytes)
    return _read(found, read).select(*_columns())


def _files(
    names: Mapping[str, str],
    members: frozenset[str] | set[str],
    format: str | None,
    max_bytes: int | None,
    rows: Iterable[Mapping[str, Any]],
) -> Iterator[_Row]:
    for row in rows:
        read = readers.read_member if row["path"] in members else _read_named
        name = _name(names, row["path"])
        yield from _rows(read(row["content"], name=name, format=format, max_bytes=max_bytes))


def _read_named(raw: bytes, *, name: str, format: str | None, max_bytes: int | None) -> ReadResult:
    """Here a file that cannot be read costs that file, even if it was named."""
    try:
        return readers.read_bytes(raw, name=name, format=format, max_bytes=max_bytes)
    except InputError as error:
        return ReadResult(rejected=[Rejected(name, None, error.message.removeprefix(f"{name}: "))])


def _rows(result: ReadResult) -> Iterator[_Row]:
    """What a reader found: papers with their places, what it rejected, and its warnings."""
    for paper in result.papers:
        file, line = result.places[place_key(paper)]
        yield _Row(*record_row(paper), file, line)
    for rejected in result.rejected:
        yield _Row(file=rejected.file, line=rejected.line, reason=rejected.reason)
    yield from (_Row(warning=line) for line in result.warnings)


def _names(files: Iterable[File]) -> dict[str, str]:
    """Address -> the name that messages show."""
    return {file.address: file.shown for file in files}


def _name(names: Mapping[str, str], address: str) -> str:
    """The name of a file, whose address Spark may write as `file:///my%20list` for `file:/my list`."""
    plain = unquote(address)
    for form in (address, plain, plain.replace(":///", ":/", 1)):
        if form in names:
            return names[form]
    return plain
