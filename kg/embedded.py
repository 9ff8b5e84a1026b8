"""The graph in Ladybug, an embedded graph database: Cypher without a server.

Labels become node tables and relation types become relation tables with the properties of `kg.flat`, loaded
by bulk `COPY`. The database is kept beside the graph file as `.NAME.HASH.lbug`, where the hash is that of the
graph file and of everything that shapes the tables: it is made anew when the file changes, and older ones are
removed, as is a damaged one. Where the folder cannot be written it lives in memory.

That of a folder of tables is kept beside the folder in the same way; its rows go through Parquet files of one
label or one kind of edge, which the engine scans, so that no more than some thousands are in memory.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import ladybug

from kg import beside, flat, store
from kg._version import __version__
from kg.errors import GraphFileError
from kg.flat import (
    CONCEPT_LABELS,
    LABELS,
    RELATIONS,
    EdgeKind,
    edge_groups,
    edge_row,
    kinds,
    node_groups,
    node_properties,
    node_row,
)
from kg.schema import RelationType
from kg.store import Graph

if TYPE_CHECKING:
    import pyarrow

    from kg.api import Progress
    from kg.folder import Folder

__all__ = ["LITTLE", "cache_path", "fill", "opened"]

_LOG = logging.getLogger("kg")

_Rows: TypeAlias = "Sequence[Mapping[str, Any]]"

_TYPES: Mapping[str, str] = {"boolean": "BOOL", "long": "INT64", "double": "DOUBLE", "string": "STRING"}
_TEXTS = dict.fromkeys(
    "name label title abstract venue url doi arxiv_id code_status status".split(), "string"
)
_NODES: Mapping[str, Mapping[str, str]] = {
    "Paper": {**_TEXTS, "year": "long", "source_ids": "string[]"},
    "Repository": dict.fromkeys(("name", "url", "host", "owner"), "string"),
    "Author": {"name": "string"},
    "Venue": {"name": "string"},
    **{label: {"name": "string", "aliases": "string[]", "papers": "long"} for label in CONCEPT_LABELS},
}
_EVIDENCE: Mapping[str, str] = {
    "papers": "long",
    "score": "double",
    "role": "string",
    "sentences": "string[]",
    "evidence_papers": "string[]",
    "evidence_scores": "double[]",
    "evidence_starts": "long[]",
    "evidence_ends": "long[]",
    "evidence_extractors": "string[]",
}
_ENDS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    **dict.fromkeys((relation.name for relation in RelationType), (CONCEPT_LABELS, CONCEPT_LABELS)),
    "IMPLEMENTED_IN": (("Method",), ("Repository",)),
    "HAS_CODE": (("Paper",), ("Repository",)),
    "AUTHORED": (("Author",), ("Paper",)),
    "PUBLISHED_IN": (("Paper",), ("Venue",)),
}
#: Rows in one COPY.
_ROWS = 20_000
#: Address space and memory that the engine may take, in bytes.
_ADDRESSES, _MEMORY = 2**38, 2**31
#: Memory that suffices for most questions.
LITTLE = 2**29


def cache_path(graph_file: str | os.PathLike[str]) -> Path:
    """Where the database of a graph file is kept.

    Raises:
        GraphFileError: the file cannot be read.
    """
    path = Path(graph_file)
    try:
        with path.open("rb") as stream:
            content = iter(partial(stream.read, 2**20), b"")
            return beside.place(path, chain((_shaped(),), content), "lbug")
    except OSError as error:
        raise GraphFileError(f"cannot read {graph_file}: {error.strerror or error}") from error


def _shaped() -> bytes:
    """What shapes the tables besides the graph."""
    return f"{__version__} {ladybug.__version__}".encode() + Path(__file__).read_bytes()


@contextmanager
def opened(
    graph: str | os.PathLike[str], *, progress: Progress | None = None, memory: int = _MEMORY
) -> Iterator[ladybug.Connection]:
    """A connection that can only read, to the database of a graph file or of a folder of tables.

    Args:
        graph: the file or the folder.
        progress: called while the database of a folder is made.
        memory: how many bytes the engine may take to answer about a folder.

    Raises:
        GraphFileError: the file or the folder cannot be read, or is none.
    """
    with ExitStack() as stack:
        if Path(graph).is_dir():
            yield _of_folder(Path(graph), stack, progress, memory)
        else:
            yield _of_file(graph, stack)


def _of_file(graph_file: str | os.PathLike[str], stack: ExitStack) -> ladybug.Connection:
    path = cache_path(graph_file)
    if connection := _kept(path, stack, _MEMORY):
        return connection
    graph = store.load(graph_file)

    def make(place: Path) -> None:
        with _connected(place) as connection:
            fill(connection, graph)

    if beside.make(path, make, failures=(RuntimeError,)):  # the disk is full
        return stack.enter_context(_connected(path, read_only=True))
    connection = stack.enter_context(_connected(":memory:"))
    fill(connection, graph)
    return connection


def _of_folder(path: Path, stack: ExitStack, progress: Progress | None, memory: int) -> ladybug.Connection:
    from kg import folder_content
    from kg.folder import Folder

    folder = stack.enter_context(Folder(path, progress=progress))
    place = folder.place("lbug", __file__, str(flat.__file__), str(folder_content.__file__))
    if connection := _kept(place, stack, memory):
        return connection
    make = partial(_fill_from, folder, progress)
    if not beside.make(place, make, failures=(RuntimeError,)):
        _LOG.warning("cannot write beside %s: its database is made for this query alone", path)
        place = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "made.lbug"
        make(place)
    return stack.enter_context(_connected(place, read_only=True, memory=memory))


def _kept(path: Path, stack: ExitStack, memory: int) -> ladybug.Connection | None:
    """A connection to a database that was made before, if there is one; a damaged one is removed."""
    # The engine takes an empty file, as a crash may leave it, for a new database.
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        return stack.enter_context(_connected(path, read_only=True, memory=memory))
    except (RuntimeError, MemoryError):
        with suppress(OSError):
            path.unlink()
        return None


@contextmanager
def _connected(
    path: str | Path, *, read_only: bool = False, memory: int = _MEMORY
) -> Iterator[ladybug.Connection]:
    with (
        ladybug.Database(
            path, read_only=read_only, max_db_size=_ADDRESSES, buffer_pool_size=memory
        ) as database,
        ladybug.Connection(database) as connection,
    ):
        yield connection


def _fill_from(folder: Folder, progress: Progress | None, path: Path) -> None:
    """Makes the database of a folder at a path; what the engine scans lies beside it meanwhile."""
    from kg.folder_content import check_types, edge_kinds, edge_tables, node_batches, node_kinds

    total, done = folder.counts["nodes"] + folder.counts["edges"], 0
    check_types(folder)
    with _connected(path) as connection, ExitStack() as stack:
        for label in LABELS:
            columns = _of_label(node_kinds(folder, label), label)
            _node_table(connection, label, columns)
            with _Staged(path.parent / f"{label}.parquet", columns) as staged:
                for nodes in node_batches(folder, label):
                    staged.write([{"id": node, **node_properties(data)} for node, data in nodes])
                    done = _told(progress, done + len(nodes), total)
            _copy_staged(connection, label, staged)
        columns_of = {relation: _of_relation(edge_kinds(folder, relation)) for relation in RELATIONS}
        kinds_of: dict[EdgeKind, _Staged] = {}
        for tables in edge_tables(folder, columns_of):
            for kind, table in tables.items():
                if kind not in kinds_of:
                    given = {"source": "string", "target": "string", **columns_of[kind.type]}
                    file = path.parent / f"{'-'.join(kind)}.parquet"
                    kinds_of[kind] = stack.enter_context(_Staged(file, given))
                kinds_of[kind].write_table(table)
                done = _told(progress, done + len(table), total)
        stack.close()
        for relation in RELATIONS:
            ours = {kind: staged for kind, staged in kinds_of.items() if kind.type == relation}
            _relation_table(connection, relation, columns_of[relation], ours)
            for kind, staged in ours.items():
                _copy_staged(connection, relation, staged, _between(kind))


def _told(progress: Progress | None, done: int, total: int) -> int:
    if progress is not None:
        progress(done, total)
    return done


class _Staged:
    """A Parquet file that the engine scans."""

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        import pyarrow
        from pyarrow import parquet

        from kg.folder_content import arrow_type

        self.path, self.columns, self.rows = path, columns, 0
        self._schema = pyarrow.schema([(name, arrow_type(kind)) for name, kind in columns.items()])
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def __enter__(self) -> _Staged:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()

    def write(self, rows: _Rows) -> None:
        """Writes rows."""
        import pyarrow

        from kg.folder_content import arrow_type

        found = [
            pyarrow.array([_fitting(row.get(name), kind) for row in rows], arrow_type(kind))
            for name, kind in self.columns.items()
        ]
        self.write_table(pyarrow.table(found, schema=self._schema))

    def write_table(self, table: pyarrow.Table) -> None:
        """Writes rows that are columns already."""
        self._writer.write_table(table)
        self.rows += len(table)


def _copy_staged(connection: ladybug.Connection, table: str, staged: _Staged, tail: str = "") -> None:
    """Loads a file and removes it."""
    if staged.rows:
        escaped = str(staged.path).replace("\\", "\\\\").replace("'", "\\'")
        connection.execute(f"COPY {table} FROM '{escaped}'{tail}")
    staged.path.unlink()


def fill(connection: ladybug.Connection, graph: Graph) -> None:
    """Makes the tables and loads the graph into them.

    Raises:
        GraphFileError: the graph has types of nodes or relations that are none of ours.
    """
    groups, edges = node_groups(graph), edge_groups(graph)
    for label in LABELS:
        rows = [node_row(graph, node) for node in groups.get(label, ())]
        columns = _of_label(kinds(rows), label)
        _node_table(connection, label, columns)
        _copy(connection, f"COPY {label}", columns, rows)
    for relation in RELATIONS:
        ours = {
            kind: [edge_row(graph, source, relation, target) for source, target in pairs]
            for kind, pairs in edges.items()
            if kind.type == relation
        }
        columns = _of_relation(kinds(row["properties"] for group in ours.values() for row in group))
        _relation_table(connection, relation, columns, ours)
        given = {"source": "string", "target": "string", **columns}
        for kind, group in ours.items():
            flat_rows = [
                {"source": row["source"], "target": row["target"], **row["properties"]} for row in group
            ]
            _copy(connection, f"COPY {relation}", given, flat_rows, _between(kind))


def _node_table(connection: ladybug.Connection, label: str, columns: Mapping[str, str]) -> None:
    connection.execute(f"CREATE NODE TABLE {label} ({_declared(columns)}, PRIMARY KEY (id))")


def _relation_table(
    connection: ladybug.Connection, relation: str, columns: Mapping[str, str], held: Iterable[EdgeKind]
) -> None:
    """Makes the table of a relation type between all labels that it may join, or does."""
    sources, targets = _ENDS.get(relation, (("Paper",), CONCEPT_LABELS))
    ends = {(source, target) for source in sources for target in targets}
    ends |= {(kind.source, kind.target) for kind in held}
    joined = ", ".join(f"FROM {source} TO {target}" for source, target in sorted(ends))
    connection.execute(f"CREATE REL TABLE {relation} ({joined}, {_declared(columns)})")


def _between(kind: EdgeKind) -> str:
    return f" (from='{kind.source}', to='{kind.target}')"


def _of_label(found: Mapping[str, str], label: str) -> dict[str, str]:
    return _columns({"id": "string", **_NODES[label]}, found)


def _of_relation(found: Mapping[str, str]) -> dict[str, str]:
    return _columns(_EVIDENCE, found)


def _columns(known: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """The kind of every column: the usual ones, then what the graph has beyond; names differ beyond case."""
    both = {**known, **found}
    firsts = {name.casefold(): name for name in reversed(both)}
    return {name: kind for name, kind in both.items() if firsts[name.casefold()] == name}


def _declared(columns: Mapping[str, str]) -> str:
    return ", ".join(f"`{name}` {_type(kind)}" for name, kind in columns.items())


def _type(kind: str) -> str:
    return _TYPES[kind.removesuffix("[]")] + ("[]" if kind.endswith("[]") else "")


def _copy(
    connection: ladybug.Connection, head: str, columns: Mapping[str, str], rows: _Rows, tail: str = ""
) -> None:
    """Loads rows in bulk; they travel as a parameter, so that no text is parsed."""
    cells = ", ".join(f"CAST(row.c{index} AS {_type(kind)})" for index, kind in enumerate(columns.values()))
    for start in range(0, len(rows), _ROWS):
        batch = [
            {f"c{index}": _fitting(row.get(name), kind) for index, (name, kind) in enumerate(columns.items())}
            for row in rows[start : start + _ROWS]
        ]
        connection.execute(f"{head} FROM (UNWIND $rows AS row RETURN {cells}){tail}", {"rows": batch})


def _fitting(value: Any, kind: str) -> Any:
    """The value as its column has it: a column of mixed kinds holds texts, or lists."""
    if value is None:
        return None
    if kind.endswith("[]"):
        items = value if isinstance(value, list) else [value]
        return [_fitting(item, kind[:-2]) for item in items]
    if kind == "string" and not isinstance(value, str):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return float(value) if kind == "double" else value
