"""A folder of graph tables as a graph that is asked: by name, by node, by pair.

An index beside the folder (`.NAME.HASH.index`, `kg.folder_index`) is made with the first question, keyed by
the manifest and the size and time of each table. What an answer needs is read from it into a small graph in
which every node knows how many edges it has in the whole (`kg.lookup.DEGREES`), so that the answer and its
order are those of the graph file.

Limits: the extraction records stay behind, and with them the order of authors.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

import networkx as nx
import orjson

from kg import folder_index, manifest
from kg._version import __version__
from kg.beside import make, place
from kg.errors import GraphFileError, NotFoundError
from kg.exports.tables import TABLES
from kg.lookup import (
    DEGREES,
    ID,
    OTHER,
    SUGGESTIONS,
    Statistics,
    closest,
    display_name,
    fold,
    is_spelling,
    match,
    not_found,
)
from kg.records import NODE_FIELDS
from kg.store import Graph, plain

if TYPE_CHECKING:
    from kg.api import Progress
    from kg.source import Counts

__all__ = ["Folder", "json_list", "value_of"]

_LOG = logging.getLogger("kg")

#: Attributes that a node of a type has, even if they are null; a table cannot tell.
_NULLS: Mapping[str, Sequence[str]] = {"Paper": NODE_FIELDS, "Repository": ("owner",)}
_OF_EVIDENCE = ("paper", "sentence", "start", "end", "score", "extractor")
#: Kilobytes that SQLite may keep of the index in memory.
_CACHE = 64 * 1024
_BEGUN = """
SELECT node, min(kind = ?) AS far FROM form WHERE folded >= ? AND folded < ? GROUP BY node ORDER BY far, node
"""
_ENDS = """
SELECT place FROM edge WHERE {end} = ? AND relation = ? ORDER BY shown DESC, {other} LIMIT ?
"""


class Folder:
    """A folder of tables, to be used in a `with` statement; see `kg.source.Source`.

    Args:
        path: the folder.
        progress: called while the index is made.

    Raises:
        GraphFileError: the folder is not whole, lacks a table, or has a damaged one.
    """

    def __init__(self, path: str | os.PathLike[str], *, progress: Progress | None = None) -> None:
        self.path = Path(path)
        self.manifest = manifest.read(self.path)
        self.counts: Mapping[str, int] = self.manifest["counts"]
        for name in TABLES:
            folder_index.files(self.path, name)
        self._progress = progress or (lambda done, total: None)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def place(self, kind: str, *modules: str) -> Path:
        """Where a file is kept that is made of the folder by modules of this package."""
        tables = [path for name in TABLES for path in folder_index.files(self.path, name)]
        stats = [(path.name, found.st_size, found.st_mtime_ns) for path in tables for found in [path.stat()]]
        code = [Path(module).read_bytes() for module in modules]
        told = (self.path / manifest.MANIFEST).read_bytes()
        return place(self.path, (__version__.encode(), *code, told, repr(stats).encode()), kind)

    @cached_property
    def database(self) -> sqlite3.Connection:
        """The index, which is made where there is none."""
        from kg import lookup

        path = self.place("index", folder_index.__file__, str(lookup.__file__))
        found = _connected(path)
        if found is None and make(path, self._build, failures=(sqlite3.Error,)):
            found = _connected(path)
        if found is None:
            _LOG.warning(
                "cannot write beside %s: its index is made for this command alone and then thrown away",
                self.path,
            )
            path = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "made.index"
            self._build(path)
            found = _connected(path)
        if found is None:
            raise GraphFileError(f"the index of {self.path} cannot be made", hint="Check the free space.")
        self._stack.enter_context(closing(found))
        return found

    def _build(self, path: Path) -> None:
        folder_index.build(self.path, path, self.counts, self._progress)

    def rows(self, text: str, *values: Any) -> sqlite3.Cursor:
        """Asks the index."""
        return self.database.execute(text, values)

    @cached_property
    def columns(self) -> dict[str, list[tuple[str, str, str]]]:
        """The columns of each table: name, cell and kind, sorted by name as in a graph file."""
        found: dict[str, list[tuple[str, str, str]]] = {"node": [], "edge": [], "evidence": []}
        for table, name, cell, kind in self.rows("SELECT * FROM columns ORDER BY name"):
            found[table].append((name, cell, kind))
        return found

    @cached_property
    def relations(self) -> dict[int, str]:
        """The relations by their numbers."""
        return dict(self.rows("SELECT number, name FROM relation"))

    def data(self, table: str, row: sqlite3.Row) -> dict[str, Any]:
        """The attributes in a row."""
        return {
            name: value_of(row[cell], kind)
            for name, cell, kind in self.columns[table]
            if row[cell] is not None
        }

    def _number(self, node: str) -> int | None:
        row = self.rows("SELECT number FROM node WHERE id = ?", plain(node)).fetchone()
        return None if row is None else row[0]

    def known(self, node: str) -> int:
        """The number of a node.

        Raises:
            NotFoundError: there is no such node.
        """
        number = self._number(node)
        if number is None:
            raise NotFoundError(f"nothing in the graph is called {node!r}")
        return number

    def _ids(self, numbers: Iterable[int]) -> list[str]:
        """The ids of nodes by their numbers, in this order."""
        wanted = list(numbers)
        found = dict(
            self.rows(f"SELECT node.number, node.id FROM {_listed('node', 'number')}", json_list(wanted))
        )
        return [found[number] for number in wanted]

    def find_all(self, name: str) -> list[str]:
        """All nodes that a name may mean."""
        if self._number(name) is not None:
            return [name]
        wanted = fold(plain(name))
        exact: dict[int, tuple[int, bool]] = {}
        text = "SELECT node, kind, coalesce(spelled, folded) FROM form WHERE folded = ?"
        for node, kind, form in self.rows(text, wanted):
            found = (kind, form != name)
            exact[node] = min(exact.get(node, found), found)
        if exact:
            return self._ids(sorted(exact, key=lambda node: (exact[node], node)))
        begun = [] if not wanted else self.rows(_BEGUN, OTHER, wanted, f"{wanted}\U0010ffff").fetchall()
        closest_ones = [node for node, far in begun if far == begun[0][1]]
        if len(closest_ones) == 1:
            return self._ids(closest_ones)
        shown = self._ids(closest_ones[:SUGGESTIONS]) or self._near_names(name)
        graph = self.nodes(shown)
        raise not_found(name, len(closest_ones), [display_name(graph, node) for node in shown])

    def _near_names(self, name: str) -> list[str]:
        """Nodes that a name may mean that none has: by a part of it, else by its spelling."""
        found = self.search(name, type=None, limit=SUGGESTIONS)[1]
        if found:
            return found
        rows = self.rows(
            "SELECT folded, kind, coalesce(spelled, folded), node FROM form WHERE kind NOT IN (?, ?)",
            ID,
            OTHER,
        )
        near = ((folded, node) for folded, kind, form, node in rows if is_spelling(kind, form))
        homes = _best(near)
        return list(dict.fromkeys(self._ids(homes[form] for form in closest(name, homes))))

    def search(self, text: str, *, type: str | None, limit: int) -> tuple[int, list[str]]:
        """How many nodes a text finds, and the first ones."""
        wanted = fold(plain(text))
        words = wanted.split()
        if not words:
            return 0, []
        join = "" if type is None else "CROSS JOIN node ON node.number = form.node AND node.type = ?"
        parts = " AND ".join(["kind > ?", *["instr(folded, ?)"] * len(words)])
        rows = self.rows(
            f"SELECT form.node, kind, folded FROM form {join} WHERE {parts}",
            *([] if type is None else [type]),
            ID,
            *words,
        )
        ranks: dict[int, tuple[bool, int]] = {}
        for node, kind, folded in rows:
            quality = match(folded, wanted)
            if quality is not None:
                found = (kind == OTHER, quality)
                ranks[node] = min(ranks.get(node, found), found)
        ordered = sorted(ranks, key=lambda node: (ranks[node], node))
        return len(ordered), self._ids(ordered[:limit])

    def nodes(self, nodes: Collection[str]) -> Graph:
        """These nodes, as far as there are such."""
        graph = _empty()
        self.add_nodes(graph, "id", [plain(node) for node in nodes])
        return graph

    def add_nodes(self, graph: Graph, by: str, values: Collection[Any]) -> dict[int, str]:
        """Puts nodes into a graph; gives their ids by number."""
        ids = {}
        for row in self.rows(f"SELECT node.* FROM {_listed('node', by)}", json_list(values)):
            kind = str(row["type"])
            data = {**dict.fromkeys(_NULLS.get(kind, ())), **self.data("node", row), "type": kind}
            graph.add_node(row["id"], **{name: data[name] for name in sorted(data)})
            graph.graph[DEGREES][row["id"]] = row["degree"]
            ids[row["number"]] = row["id"]
        return ids

    def part(self, edges: Iterable[int], numbers: Iterable[int] = (), *, evidence: bool = True) -> Graph:
        """The graph of some edges by their places in the table, with their ends, and some nodes more."""
        places = json_list(sorted(set(edges)))
        rows = self.rows(f"SELECT edge.* FROM {_listed('edge', 'place')}", places).fetchall()
        ends = {row[end] for row in rows for end in ("source", "target")}
        graph = _empty()
        ids = self.add_nodes(graph, "number", sorted(ends.union(numbers)))
        shown = self._evidence(places) if evidence else {}
        for row in rows:
            relation = self.relations[row["relation"]]
            own = {"evidence": shown[row["place"]]} if row["place"] in shown else {}
            data = {**self.data("edge", row), **own, "type": relation}
            graph.add_edge(ids[row["source"]], ids[row["target"]], relation, **data)
        return graph

    def _evidence(self, places: str) -> dict[int, list[dict[str, Any]]]:
        """The evidence of edges, in the order of the table."""
        text = f"SELECT evidence.* FROM {_listed('evidence', 'edge')} ORDER BY evidence.rowid"
        return self._by_edge(self.rows(text, places))

    def evidence_between(self, first: int, last: int) -> dict[int, list[dict[str, Any]]]:
        """The evidence of the edges from one place in the table to another, in the order of the table."""
        text = "SELECT * FROM evidence WHERE edge BETWEEN ? AND ? ORDER BY edge, rowid"
        return self._by_edge(self.rows(text, first, last))

    def evidence_of(self, places: Collection[int]) -> dict[int, list[dict[str, Any]]]:
        """The evidence of edges by their places in the table."""
        return self._evidence(json_list(places))

    def _by_edge(self, rows: Iterable[sqlite3.Row]) -> dict[int, list[dict[str, Any]]]:
        found: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            item = {**dict.fromkeys(_OF_EVIDENCE), **self.data("evidence", row)}
            found[row["edge"]].append({name: item[name] for name in sorted(item)})
        return found

    def around(self, node: str, *, limit: int) -> tuple[Graph, Counts]:
        """A node with the best attested neighbours of each relation, and how many there are."""
        number, edges = self.known(node), []
        counts: dict[tuple[str, bool], int] = {}
        for end, other in (("source", "target"), ("target", "source")):
            text = f"SELECT relation, count(*) FROM edge WHERE {end} = ? GROUP BY relation"
            for relation, count in self.rows(text, number).fetchall():
                counts[self.relations[relation], end == "source"] = count
                text = _ENDS.format(end=end, other=other)
                edges += [place for (place,) in self.rows(text, number, relation, limit)]
        return self.part(edges, [number]), counts

    def between(self, one: str, other: str) -> Graph:
        """Two nodes and the edges between them."""
        ends = self.known(one), self.known(other)
        text = "SELECT place FROM edge INDEXED BY edge_out WHERE source = ? AND target = ?"
        edges = [place for pair in (ends, ends[::-1]) for (place,) in self.rows(text, *pair)]
        return self.part(edges, ends)

    def near(self, name: str, depth: int) -> Graph:
        """What is within some steps of a node, and what a view tells of it."""
        from kg.folder_view import near

        return near(self, name, depth)

    def whole(self) -> Graph:
        """The whole graph of a small folder.

        Raises:
            GraphFileError: it is not small.
        """
        from kg.folder_view import whole

        return whole(self)

    def pushed(self) -> tuple[Graph | Folder, int]:
        """The folder, and how many nodes and edges it has."""
        return self, int(self.counts["nodes"]) + int(self.counts["edges"])

    def statistics(self, *, top: int) -> tuple[Statistics, Graph]:
        """What the graph holds, and the nodes that the statistics name."""
        from kg.folder_statistics import statistics

        return statistics(self.path, top=top)


def _connected(path: Path) -> sqlite3.Connection | None:
    """A connection that can only read; None where there is no index. A damaged one is removed."""
    if not path.exists():
        return None
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("SELECT count(*) FROM columns, relation").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        with suppress(OSError):
            path.unlink()
        return None
    connection.execute(f"PRAGMA cache_size = -{_CACHE}")
    return connection


def _empty() -> Graph:
    graph: Graph = nx.MultiDiGraph()
    graph.graph[DEGREES] = {}
    return graph


def _listed(table: str, column: str) -> str:
    """The rows of a table whose column has one of the values of a JSON list."""
    return f"json_each(?) AS wanted CROSS JOIN {table} ON {table}.{column} = wanted.value"


def json_list(values: Collection[Any]) -> str:
    """Values as a question to the index takes them."""
    return orjson.dumps(list(values)).decode()


def value_of(cell: Any, kind: str) -> Any:
    """The value of a cell of the index."""
    if kind in ("json", "texts"):
        return orjson.loads(cell)
    return bool(cell) if kind == "boolean" else cell


def _best(homes: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The lowest number of each form."""
    found: dict[str, int] = {}
    for form, number in homes:
        found[form] = min(found.get(form, number), number)
    return found
