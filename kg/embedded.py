"""The graph in Ladybug, an embedded graph database: Cypher without a server.

Labels become node tables and relation types become relation tables with the properties of `kg.flat`, loaded
by bulk `COPY`. The database is kept beside the graph file as `.NAME.HASH.lbug`, where the hash is that of the
graph file and of everything that shapes the tables: it is made anew when the file changes, and older ones are
removed, as is a damaged one. Where the folder cannot be written it lives in memory.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import ladybug

from kg import store
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
    node_row,
)
from kg.schema import RelationType
from kg.store import Graph

__all__ = ["cache_path", "fill", "opened"]

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
_ADDRESSES, _MEMORY = 2**36, 2**31


def cache_path(graph_file: str | os.PathLike[str]) -> Path:
    """Where the database of a graph file is kept.

    Raises:
        GraphFileError: the file cannot be read.
    """
    path = Path(graph_file)
    shaped = f"{__version__} {ladybug.__version__}".encode() + Path(__file__).read_bytes()
    digest = hashlib.blake2b(shaped, digest_size=8)
    try:
        with path.open("rb") as stream:
            while part := stream.read(2**20):
                digest.update(part)
    except OSError as error:
        raise GraphFileError(f"cannot read {graph_file}: {error.strerror or error}") from error
    return path.resolve().with_name(f".{path.name}.{digest.hexdigest()}.lbug")


@contextmanager
def opened(graph_file: str | os.PathLike[str]) -> Iterator[ladybug.Connection]:
    """A connection that can only read, to the database of a graph file.

    Raises:
        GraphFileError: the file cannot be read, or is no graph file.
    """
    path = cache_path(graph_file)
    with ExitStack() as stack:
        # The engine takes an empty file, as a crash may leave it, for a new database.
        connection = _kept(path, stack) if path.exists() and path.stat().st_size else None
        if connection is None:
            graph = store.load(graph_file)
            if _make(path, graph):
                connection = stack.enter_context(_connected(path, read_only=True))
            else:
                connection = stack.enter_context(_connected(":memory:"))
                fill(connection, graph)
        yield connection


def _kept(path: Path, stack: ExitStack) -> ladybug.Connection | None:
    """A connection to a database that was made before; a damaged one is removed."""
    try:
        return stack.enter_context(_connected(path, read_only=True))
    except (RuntimeError, MemoryError):
        with suppress(OSError):
            path.unlink()
        return None


@contextmanager
def _connected(path: str | Path, *, read_only: bool = False) -> Iterator[ladybug.Connection]:
    with (
        ladybug.Database(
            path, read_only=read_only, max_db_size=_ADDRESSES, buffer_pool_size=_MEMORY
        ) as database,
        ladybug.Connection(database) as connection,
    ):
        yield connection


def _make(path: Path, graph: Graph) -> bool:
    """Makes the database whole or not at all, and removes older ones; False where none can be written."""
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{path.name[:40]}.", suffix=".part", dir=path.parent))
    except OSError:
        return False
    try:
        with _connected(folder / "graph.lbug") as connection:
            fill(connection, graph)
        (folder / "graph.lbug").replace(path)
    except (OSError, RuntimeError):  # the disk is full
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    stem = re.escape(path.name.rsplit(".", 2)[0])
    for other in path.parent.iterdir():
        if re.fullmatch(rf"{stem}\.[0-9a-f]{{16}}\.lbug", other.name) and other != path:
            with suppress(OSError):  # somebody else reads it
                other.unlink()
    return True


def fill(connection: ladybug.Connection, graph: Graph) -> None:
    """Makes the tables and loads the graph into them.

    Raises:
        GraphFileError: the graph has types of nodes or relations that are none of ours.
    """
    groups, edges = node_groups(graph), edge_groups(graph)
    for label in LABELS:
        rows = [node_row(graph, node) for node in groups.get(label, ())]
        columns = _columns({"id": "string", **_NODES[label]}, rows)
        connection.execute(f"CREATE NODE TABLE {label} ({_declared(columns)}, PRIMARY KEY (id))")
        _copy(connection, f"COPY {label}", columns, rows)
    for relation in RELATIONS:
        ours = {
            kind: [edge_row(graph, source, relation, target) for source, target in pairs]
            for kind, pairs in edges.items()
            if kind.type == relation
        }
        _relation_table(connection, relation, ours)


def _relation_table(connection: ladybug.Connection, relation: str, rows: Mapping[EdgeKind, _Rows]) -> None:
    """Makes the table of a relation type between all labels that it may join, and loads it."""
    columns = _columns(_EVIDENCE, (row["properties"] for group in rows.values() for row in group))
    sources, targets = _ENDS.get(relation, (("Paper",), CONCEPT_LABELS))
    ends = {(source, target) for source in sources for target in targets}
    ends |= {(kind.source, kind.target) for kind in rows}
    joined = ", ".join(f"FROM {source} TO {target}" for source, target in sorted(ends))
    connection.execute(f"CREATE REL TABLE {relation} ({joined}, {_declared(columns)})")
    for kind, group in rows.items():
        flat = [{"source": row["source"], "target": row["target"], **row["properties"]} for row in group]
        given = {"source": "string", "target": "string", **columns}
        between = f" (from='{kind.source}', to='{kind.target}')"
        _copy(connection, f"COPY {relation}", given, flat, between)


def _columns(known: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The kind of every column: the usual ones, then what the graph has beyond; names differ beyond case."""
    found = {**known, **kinds(rows)}
    firsts = {name.casefold(): name for name in reversed(found)}
    return {name: kind for name, kind in found.items() if firsts[name.casefold()] == name}


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
