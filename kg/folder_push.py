"""A folder of graph tables as what a push compares and writes: a bit of each, whatever its size.

Of the nodes and edges, memory holds one byte each: whether the database has them as the folder has them. What
the database has beyond the folder is held by name, as pruning needs it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import networkx as nx

from extractors.batches import in_batches
from kg.flat import LABELS, RELATIONS, EdgeKind, label_names
from kg.folder import Folder, json_list
from kg.folder_content import check_types, edge_kinds, node_kinds
from kg.readback import Difference, Equal, held, statement
from kg.rows import Row, edge_as_row, edge_properties_of, is_held, node_as_row, node_properties_of
from kg.store import Graph

if TYPE_CHECKING:
    import sqlite3

    from neo4j import ManagedTransaction, Session

    from kg.push import Report

__all__ = ["FolderContent"]

_STEP = 2000
_DIFFERENT, _EQUAL, _WRITTEN = 1, 2, 4
_NODES = "SELECT node.* FROM json_each(?) AS wanted CROSS JOIN node ON node.id = wanted.value"
_FROM = """
FROM edge CROSS JOIN node AS a ON a.number = edge.source CROSS JOIN node AS b ON b.number = edge.target
"""
_ENDS = "a.id AS source_id, a.type AS source_type, b.id AS target_id, b.type AS target_type"
_EDGES = f"""
SELECT edge.*, {_ENDS} FROM json_each(?) AS wanted
CROSS JOIN node AS a ON a.id = json_extract(wanted.value, '$[0]')
CROSS JOIN node AS b ON b.id = json_extract(wanted.value, '$[1]')
CROSS JOIN edge INDEXED BY edge_out ON edge.source = a.number AND edge.relation = ? AND edge.target = b.number
ORDER BY edge.place
"""


class FolderContent:
    """What a push needs of a folder; see `kg.push.Content`."""

    def __init__(self, folder: Folder) -> None:
        check_types(folder)
        self._folder = folder
        self.nodes: int = folder.rows("SELECT count(*) FROM node").fetchone()[0]
        self.relations: int = folder.rows("SELECT count(*) FROM edge").fetchone()[0]
        self._of_nodes, self._of_edges = bytearray(self.nodes), bytearray(self.relations)
        self._numbers = {name: number for number, name in folder.relations.items()}

    def compare(self, session: Session, *, collection: str, equal: Equal) -> Difference:
        """Reads by label and type what a collection has, and compares it with the folder."""
        found, done = Difference(), 0
        for label in LABELS:
            columns = node_properties_of(node_kinds(self._folder, label), label)
            text = statement("read_nodes", LABEL=label)
            stale, done = self._read(session, text, collection, columns, label, done, equal)
            found.stale_nodes[label] = sorted(stale)
        for relation in RELATIONS:
            columns = edge_properties_of(edge_kinds(self._folder, relation), relation)
            text = statement("read_relations", TYPE=relation)
            stale, done = self._read(session, text, collection, columns, relation, done, equal)
            found.stale_relations[relation] = stale
        found.missing_nodes, found.missing_relations = self._of_nodes.count(0), self._of_edges.count(0)
        return found

    def _read(
        self,
        session: Session,
        text: str,
        collection: str,
        columns: Sequence[str],
        name: str,
        done: int,
        told: Equal | None,
    ) -> tuple[list[str], int]:
        """Notes what is held of one label or relation; gives what is stale, and how many are equal by now."""

        def work(transaction: ManagedTransaction) -> tuple[list[str], int]:
            stale: list[str] = []
            equal = done
            for records in in_batches(held(transaction, text, collection, columns), _STEP):
                ours = self._ours(name, [key for key, _, _ in records])
                for key, handle, values in records:
                    if key not in ours:
                        stale.append(handle)
                        continue
                    marks, index, row = ours[key]
                    same = is_held(row, columns, values)
                    marks[index] = _EQUAL if same else _DIFFERENT
                    equal += same
                if told is not None:
                    told(equal)
            return stale, equal

        return session.execute_read(work)

    def _ours(
        self, name: str, keys: Sequence[tuple[str, ...]]
    ) -> dict[tuple[str, ...], tuple[bytearray, int, Row]]:
        """The rows of some keys of a label or relation that the folder has, and where they are marked."""
        folder = self._folder
        graph: Graph = nx.MultiDiGraph()
        if name in LABELS:
            rows = folder.rows(_NODES, json_list([node for (node,) in keys])).fetchall()
            own = [row for row in rows if row["type"] == name]
            graph.add_nodes_from((row["id"], folder.data("node", row)) for row in own)
            return {
                (row["id"],): (self._of_nodes, row["number"], node_as_row(graph, name, row["id"]))
                for row in own
            }
        if name not in self._numbers:
            return {}
        rows = folder.rows(_EDGES, json_list([list(key) for key in keys]), self._numbers[name]).fetchall()
        return {
            (row["source_id"], row["target_id"]): (self._of_edges, row["place"], made)
            for row, made in zip(rows, self._edge_rows(rows), strict=True)
        }

    def _edge_rows(self, rows: Sequence[sqlite3.Row]) -> list[Row]:
        """Edges as the rows of a push."""
        graph: Graph = nx.MultiDiGraph()
        shown = self._folder.evidence_of([row["place"] for row in rows])
        made = []
        for row in rows:
            ends, relation = (row["source_id"], row["target_id"]), self._folder.relations[row["relation"]]
            own = {"evidence": shown[row["place"]]} if row["place"] in shown else {}
            data = {**self._folder.data("edge", row), **own}
            graph.add_edge(ends[0], ends[1], relation, **data)
            made.append(edge_as_row(graph, relation, *ends))
        return made

    def write(self, merge: Callable[[str, Iterable[Row]], int], report: Report, *, batch: int) -> None:
        """Writes nodes, then relations, and adds to the report what became of them."""
        missing, different = self._of_nodes.count(0), self._of_nodes.count(_DIFFERENT)
        for label in LABELS:
            text = statement("nodes", LABEL=label, EXTRA=label_names(label)[-1])
            report.created_nodes += merge(text, self._changed_nodes(label))
        report.changed_nodes += missing + different - report.created_nodes
        missing, different = self._of_edges.count(0), self._of_edges.count(_DIFFERENT)
        for kind, rows in self._changed_edges(batch):
            text = statement("relations", SOURCE=kind.source, TYPE=kind.type, TARGET=kind.target)
            report.created_relations += merge(text, rows)
        report.changed_relations += missing + different - report.created_relations

    def _changed_nodes(self, label: str) -> Iterator[Row]:
        rows = self._folder.rows("SELECT * FROM node WHERE type = ? ORDER BY number", label)
        graph: Graph = nx.MultiDiGraph()
        for row in rows:
            if self._of_nodes[row["number"]] != _EQUAL:
                graph.add_node(row["id"], **self._folder.data("node", row))
                yield node_as_row(graph, label, row["id"])
                graph.clear()

    def _changed_edges(self, batch: int) -> Iterator[tuple[EdgeKind, list[Row]]]:
        """Edges that are to be written, by kind, with `Concept` for the label of every concept."""
        waiting: dict[EdgeKind, list[Row]] = defaultdict(list)
        for rows in in_batches(
            self._folder.rows(f"SELECT edge.*, {_ENDS} {_FROM} ORDER BY edge.place"), _STEP
        ):
            changed = [row for row in rows if self._of_edges[row["place"]] != _EQUAL]
            for row, made in zip(changed, self._edge_rows(changed), strict=True):
                source, target = (label_names(row[end])[-1] for end in ("source_type", "target_type"))
                kind = EdgeKind(source, self._folder.relations[row["relation"]], target)
                waiting[kind].append(made)
                if len(waiting[kind]) >= batch:
                    yield kind, waiting.pop(kind)
        yield from waiting.items()

    def absent(self, session: Session, *, collection: str) -> list[str]:
        """Reads back what was written; names the nodes and relations that are not there."""
        for label in LABELS:
            self._seen(session, statement("read_nodes", LABEL=label), collection, label)
        for relation in RELATIONS:
            self._seen(session, statement("read_relations", TYPE=relation), collection, relation)
        nodes = [number for number, mark in enumerate(self._of_nodes) if mark < _EQUAL]
        lost = [
            self._folder.rows("SELECT id FROM node WHERE number = ?", number).fetchone()[0]
            for number in nodes
        ]
        edges = [place for place, mark in enumerate(self._of_edges) if mark < _EQUAL]
        for place in edges:
            text = f"SELECT a.id, edge.relation, b.id {_FROM} WHERE edge.place = ?"
            source, relation, target = self._folder.rows(text, place).fetchone()
            lost.append(f"{source} {self._folder.relations[relation]} {target}")
        return lost

    def _seen(self, session: Session, text: str, collection: str, name: str) -> None:
        """Marks what a collection has of a label or relation."""

        def work(transaction: ManagedTransaction) -> None:
            for records in in_batches(held(transaction, text, collection, ()), _STEP):
                for marks, index, _ in self._ours(name, [key for key, _, _ in records]).values():
                    marks[index] |= _WRITTEN

        session.execute_read(work)
