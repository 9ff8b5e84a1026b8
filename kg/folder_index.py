"""The index of a folder of graph tables: what finds nodes by name and edges by node, in SQLite.

The tables are read in batches and put into one database: nodes and edges with all their columns, evidence by
edge, and every form of a name. SQLite comes with Python, finds a row by index in microseconds, sorts in files
instead of memory, and needs little memory to answer; that is why.

A node's number is its place among all nodes by weight (`kg.lookup`: papers, edges, id), so that a range of an
index is in the order in which answers are given. To build it takes the ids of all nodes and some 40 bytes for
each edge and 8 for each piece of evidence in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from kg.errors import GraphFileError
from kg.lookup import FORM_FIELDS, fold, forms_of

if TYPE_CHECKING:
    import pyarrow
    from numpy.typing import NDArray

__all__ = ["build", "files", "read_batches"]

#: Called with how many rows are done, and of how many.
Progress = Callable[[int, int], object]

#: Rows that are read together.
_ROWS = 50_000
#: Kilobytes that SQLite may keep of the file in memory while it is made.
_CACHE = 256 * 1024
_RELATIONS = 64
_ENDS = ("source", "target", "type")
_OF_EDGES = ("source", "relation", "target", "shown")
_DAMAGED = "Write the folder again."

_TABLES = """
CREATE TABLE columns (of TEXT, name TEXT, cell TEXT, kind TEXT);
CREATE TABLE relation (number INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE form (folded TEXT, kind INTEGER, node INTEGER, spelled TEXT);
"""
_INDEXES = """
CREATE UNIQUE INDEX node_number ON node (number);
CREATE INDEX node_type ON node (type, number);
CREATE INDEX form_folded ON form (folded);
CREATE INDEX edge_out ON edge (source, relation, shown DESC, target);
CREATE INDEX edge_in ON edge (target, relation, shown DESC, source);
CREATE INDEX evidence_edge ON evidence (edge);
"""


def files(folder: Path, name: str) -> list[Path]:
    """The Parquet files of a table: one file, or the parts in a folder of its name.

    Raises:
        GraphFileError: there is none.
    """
    path = folder / f"{name}.parquet"
    found = sorted(path.glob("*.parquet")) if path.is_dir() else [path] if path.exists() else []
    if not found:
        raise GraphFileError(f"{folder} has no table {path.name}", hint=_DAMAGED)
    return found


def read_batches(
    folder: Path, name: str, columns: Sequence[str] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """The rows of a table, some at a time; of `columns`, those that it has.

    Raises:
        GraphFileError: the table is missing or damaged.
    """
    import pyarrow
    from pyarrow import parquet

    for path in files(folder, name):
        try:
            with parquet.ParquetFile(path) as table:
                known = table.schema_arrow.names
                wanted = known if columns is None else [column for column in columns if column in known]
                yield from table.iter_batches(batch_size=_ROWS, columns=wanted)
        except (OSError, pyarrow.ArrowException) as error:
            reason = str(error).partition("\n")[0]
            raise GraphFileError(f"{path} is damaged: {reason}", hint=_DAMAGED) from error


def schema(folder: Path, name: str, required: Sequence[str]) -> pyarrow.Schema:
    """The columns of a table.

    Raises:
        GraphFileError: the table is missing, damaged, or lacks one of some columns.
    """
    import pyarrow
    from pyarrow import parquet

    path = files(folder, name)[0]
    try:
        found = parquet.read_schema(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise GraphFileError(f"{path} is damaged: {error}", hint=_DAMAGED) from error
    if lacking := [column for column in required if column not in found.names]:
        raise GraphFileError(f"{path} has no column {lacking[0]}", hint=_DAMAGED)
    return found


def build(folder: Path, path: Path, counts: Mapping[str, int], progress: Progress) -> None:
    """Makes the index of a folder at `path`.

    Raises:
        GraphFileError: a table is missing, damaged, or does not fit another.
        sqlite3.Error: the disk is full.
    """
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            f"PRAGMA cache_size = -{_CACHE}; PRAGMA locking_mode = EXCLUSIVE;{_TABLES}"
        )
        _Builder(folder, database, _Steps(counts, progress)).build()
        database.executescript(_INDEXES)
        database.commit()


class _Steps:
    """Tells how far the building is."""

    def __init__(self, counts: Mapping[str, int], progress: Progress) -> None:
        self._total = 2 * (counts.get("nodes", 0) + counts.get("edges", 0)) + counts.get("evidence", 0)
        self._done, self._progress = 0, progress

    def add(self, rows: int) -> None:
        self._done += rows
        self._progress(min(self._done, self._total), self._total)


class _Builder:
    """Reads the tables: ids and ends first, from which weights come, then everything."""

    def __init__(self, folder: Path, database: sqlite3.Connection, steps: _Steps) -> None:
        self._folder, self._database, self._steps = folder, database, steps
        self._relations: dict[str, int] = {}

    def build(self) -> None:
        ids, papers = self._ids()
        ends = self._ends(ids)
        numbers = self._numbers(ids, papers, ends)
        sources, targets, relations = ends
        keys = _keys(sources, targets, relations, len(ids))
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        if np.any(keys[1:] == keys[:-1]):
            raise GraphFileError(f"{self._folder} has an edge twice", hint=_DAMAGED)
        degrees = np.bincount(sources, minlength=len(ids)) + np.bincount(targets, minlength=len(ids))
        self._put_nodes(numbers, degrees)
        shown = self._put_evidence(ids, keys, order)
        self._put_edges(numbers[sources], relations, numbers[targets], shown)
        names = [(number, name) for name, number in self._relations.items()]
        self._database.executemany("INSERT INTO relation VALUES (?, ?)", names)

    def _ids(self) -> tuple[pyarrow.Array, NDArray[np.int64]]:
        """The ids of all nodes, and in how many papers each is; -1 where only its edges tell."""
        import pyarrow
        from pyarrow import compute

        schema(self._folder, "nodes", ("id", "type"))
        ids: list[pyarrow.Array] = []
        papers: list[NDArray[np.int64]] = []
        for batch in read_batches(self._folder, "nodes", ("id", "type", "papers")):
            ids.append(batch["id"].cast(pyarrow.large_string()))
            known = np.full(len(batch), -1, dtype=np.int64)
            if "papers" in batch.schema.names and pyarrow.types.is_integer(batch["papers"].type):
                known = compute.fill_null(batch["papers"], -1).to_numpy(zero_copy_only=False)
            one = compute.fill_null(compute.equal(batch["type"], "Paper"), False)
            papers.append(np.where(one.to_numpy(zero_copy_only=False), 1, known).astype(np.int64))
            self._steps.add(len(batch))
        found = pyarrow.chunked_array(ids, pyarrow.large_string()).combine_chunks()
        if len(found) != len(found.unique()) or found.null_count:
            raise GraphFileError(f"{self._folder} has a node twice, or one without an id", hint=_DAMAGED)
        return found, np.concatenate([*papers, np.empty(0, dtype=np.int64)])

    def _ends(self, ids: pyarrow.Array) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]:
        """Source, target and relation of all edges, as places in the tables."""
        schema(self._folder, "edges", ("source", "target", "type"))
        parts = [(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))]
        for batch in read_batches(self._folder, "edges", ("source", "target", "type")):
            parts.append(self._places(ids, batch))
            self._steps.add(len(batch))
        sources, targets, relations = (np.concatenate(found) for found in zip(*parts, strict=True))
        return sources, targets, relations

    def _places(
        self, ids: pyarrow.Array, batch: pyarrow.RecordBatch
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]:
        """The ends and relations of a batch as numbers.

        Raises:
            GraphFileError: an end is no node.
        """
        from pyarrow import compute

        ends = []
        for name in ("source", "target"):
            found = compute.index_in(batch[name].cast(ids.type), value_set=ids)
            if found.null_count:
                lost = batch[name].filter(compute.is_null(found))[0]
                raise GraphFileError(f"{self._folder} has an edge at {lost}, which is no node", hint=_DAMAGED)
            ends.append(found.to_numpy(zero_copy_only=False).astype(np.int32))
        coded = batch["type"].dictionary_encode()
        codes = [self._relations.setdefault(str(name), len(self._relations)) for name in coded.dictionary]
        if len(self._relations) > _RELATIONS:
            raise GraphFileError(f"{self._folder} has more than {_RELATIONS} relations", hint=_DAMAGED)
        relations = np.array(codes, dtype=np.int8)[coded.indices.to_numpy(zero_copy_only=False)]
        return ends[0], ends[1], relations

    def _numbers(
        self,
        ids: pyarrow.Array,
        papers: NDArray[np.int64],
        ends: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]],
    ) -> NDArray[np.int64]:
        """The number of each node: its place among all by weight."""
        from pyarrow import compute

        degrees = np.bincount(ends[0], minlength=len(ids)) + np.bincount(ends[1], minlength=len(ids))
        by_id = compute.array_sort_indices(ids).to_numpy(zero_copy_only=False)
        papers = np.where(papers < 0, degrees, papers)
        order = by_id[np.lexsort((-degrees[by_id], -papers[by_id]))]
        numbers = np.empty(len(ids), dtype=np.int64)
        numbers[order] = np.arange(len(ids))
        return numbers

    def _put_nodes(self, numbers: NDArray[np.int64], degrees: NDArray[np.int64]) -> None:
        """Puts the nodes into the database, with the forms of their names."""
        own = ("number INTEGER", "degree INTEGER", "id TEXT PRIMARY KEY", "type TEXT")
        columns, done = self._table("node", "nodes", ("id", "type"), own), 0
        for batch in read_batches(self._folder, "nodes", ["id", "type", *columns]):
            cells = {name: _cells(batch[name]) for name in batch.schema.names}
            span = slice(done, done + len(batch))
            found = numbers[span].tolist()
            self._insert("node", [found, degrees[span].tolist(), cells["id"], cells["type"]], columns, cells)
            self._database.executemany("INSERT INTO form VALUES (?, ?, ?, ?)", _forms(found, cells))
            done += len(batch)
            self._steps.add(len(batch))

    def _put_evidence(
        self, ids: pyarrow.Array, keys: NDArray[np.int64], order: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Puts evidence into the database by the place of its edge; gives how much each edge has."""
        shown = np.zeros(len(keys), dtype=np.int64)
        columns = self._table("evidence", "evidence", _ENDS, ("edge INTEGER",))
        for batch in read_batches(self._folder, "evidence", [*_ENDS, *columns]):
            edges = order[self._found(keys, _keys(*self._places(ids, batch), len(ids)))]
            shown += np.bincount(edges, minlength=len(keys))
            cells = {name: _cells(batch[name]) for name in columns if name in batch.schema.names}
            self._insert("evidence", [edges.tolist()], columns, cells)
            self._steps.add(len(batch))
        return shown

    def _found(self, keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where each wanted key stands among the sorted ones."""
        places = np.searchsorted(keys, wanted)
        held = places < len(keys)
        if not held.all() or np.any(keys[places] != wanted):
            raise GraphFileError(f"{self._folder} has evidence without its edge", hint=_DAMAGED)
        return places

    def _put_edges(
        self,
        sources: NDArray[np.int64],
        relations: NDArray[np.int8],
        targets: NDArray[np.int64],
        shown: NDArray[np.int64],
    ) -> None:
        """Puts the edges into the database, in the order of the table."""
        own = ("place INTEGER PRIMARY KEY", *(f"{name} INTEGER" for name in _OF_EDGES))
        columns, done = self._table("edge", "edges", _ENDS, own), 0
        for batch in read_batches(self._folder, "edges", [*_ENDS, *columns]):
            span = slice(done, done + len(batch))
            ends = [found[span].tolist() for found in (sources, relations, targets, shown)]
            cells = {name: _cells(batch[name]) for name in columns if name in batch.schema.names}
            self._insert("edge", [range(done, done + len(batch)), *ends], columns, cells)
            done += len(batch)
            self._steps.add(len(batch))

    def _table(self, table: str, parquet: str, required: Sequence[str], own: Sequence[str]) -> dict[str, str]:
        """Makes the table that takes a Parquet table; gives its other columns, each with its cell's name."""
        found = [field for field in schema(self._folder, parquet, required) if field.name not in required]
        columns = {field.name: f"c{index}" for index, field in enumerate(found)}
        self._database.execute(f"CREATE TABLE {table} ({', '.join([*own, *columns.values()])})")
        rows = [(table, field.name, columns[field.name], _kind(field)) for field in found]
        self._database.executemany("INSERT INTO columns VALUES (?, ?, ?, ?)", rows)
        return columns

    def _insert(
        self,
        table: str,
        own: Sequence[Sequence[Any]],
        columns: Mapping[str, str],
        cells: Mapping[str, Sequence[Any]],
    ) -> None:
        """Puts rows into a table: its own columns first, then those of the Parquet table."""
        nothing = [None] * len(own[0])
        rows = zip(*own, *(cells.get(name, nothing) for name in columns), strict=True)
        marks = ", ".join("?" * (len(own) + len(columns)))
        self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _keys(
    sources: NDArray[np.int32], targets: NDArray[np.int32], relations: NDArray[np.int8], nodes: int
) -> NDArray[np.int64]:
    """One number for each edge."""
    return (sources.astype(np.int64) * nodes + targets) * _RELATIONS + relations


def _kind(field: pyarrow.Field) -> str:
    """The kind of a column as `kg.flat` has it; `texts` and `json` are JSON text in the index."""
    import pyarrow

    if pyarrow.types.is_boolean(field.type):
        return "boolean"
    if pyarrow.types.is_nested(field.type):
        texts = pyarrow.types.is_list(field.type) and pyarrow.types.is_string(field.type.value_type)
        return "texts" if texts else "json"
    if (field.metadata or {}).get(b"kind") == b"json":
        return "json"
    if pyarrow.types.is_integer(field.type):
        return "long"
    return "double" if pyarrow.types.is_floating(field.type) else "string"


def _cells(column: pyarrow.Array) -> list[Any]:
    """The cells of a column as SQLite takes them: lists as JSON."""
    import pyarrow

    values: list[Any] = column.to_pylist()
    if pyarrow.types.is_nested(column.type):
        return [None if value is None else orjson.dumps(value).decode() for value in values]
    return values


def _forms(
    numbers: Sequence[int], cells: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, int, int, str | None]]:
    """Every form of the names of some nodes; how it is spelled only where that is not how it is compared."""
    lists = {name: cells[name] for name in ("aliases", "source_ids") if name in cells}
    texts = {name: values for name, values in cells.items() if name in FORM_FIELDS}
    for index, number in enumerate(numbers):
        data = {name: values[index] for name, values in texts.items()}
        for name, values in lists.items():
            if values[index]:
                data[name] = orjson.loads(values[index])
        for kind, form in forms_of(cells["id"][index], data):
            folded = fold(form)
            yield folded, kind, number, None if form == folded else form
