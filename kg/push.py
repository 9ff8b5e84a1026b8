"""The graph into a Neo4j database, as often as one likes.

Nodes, then relations, in batches of one label or type; each batch is one managed transaction, which the
driver repeats after a deadlock or a change of leader. Before, the database is read: what it has as the graph
has it is not written again. What is written is merged on the id, so that a push that was interrupted can be
repeated, and two can run at once. All Cypher lies in `cypher/`; labels and types are put into it from the
fixed lists of `kg.flat`, everything else travels as a parameter.

What we wrote is marked with the name of a collection: nodes by the list `collections`, since several
collections may share a node, relations by `collection`, since each has its own evidence. Pruning looks at
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import networkx as nx
from neo4j import ManagedTransaction, Session
from neo4j.exceptions import Neo4jError

import cypher
from extractors.batches import in_batches
from kg.errors import ServerError
from kg.flat import COLLECTION, LABELS, edge_groups, label_names, node_groups
from kg.readback import Difference, Equal, absent, compare, statement, write
from kg.readback import prune as take_away
from kg.rows import Row, edge_as_row, node_as_row
from kg.server import Settings, connect, explained
from kg.store import Graph, plain

if TYPE_CHECKING:
    from kg.folder import Folder

__all__ = ["BATCH", "Content", "Report", "push"]

#: Rows in one transaction.
BATCH = 2000

#: Called with the number of nodes and relations that are done and of all.
Progress: TypeAlias = Callable[[int, int], object]
#: How many missing ids an error names.
_NAMED = 3


@dataclass(slots=True, kw_only=True)
class Report:
    """What a push did; after `dry_run`, what it would create, and nothing of what it would change.

    `stale_…` is what the collection has beyond the graph, before pruning; `pruned_…` is what left the
    database. A stale node stays where another collection has it or somebody else's relation hangs on it.
    """

    nodes: int
    relations: int
    created_nodes: int = 0
    created_relations: int = 0
    changed_nodes: int = 0
    changed_relations: int = 0
    stale_nodes: int = 0
    stale_relations: int = 0
    pruned_nodes: int = 0
    pruned_relations: int = 0


def push(
    graph: Graph | Folder,
    settings: Settings,
    *,
    collection: str = COLLECTION,
    prune: bool = False,
    batch: int = BATCH,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Writes a graph to a Neo4j database and reads back that all of it is there.

    Args:
        graph: the graph, or a folder of tables, of which some rows are in memory at a time.
        settings: the server, as `kg.server.settings` gives them.
        collection: the name that marks what this push writes.
        prune: takes away what earlier pushes of the collection wrote and the graph no longer has.
        batch: rows in one transaction.
        dry_run: writes nothing; compares only.
        progress: called after each batch.

    Raises:
        GraphFileError: the graph has types of nodes or relations that are none of ours.
        ServerError: the server is away, refuses, fails, or lacks afterwards what was pushed.
    """
    content = _content(graph)
    report = Report(nodes=content.nodes, relations=content.relations)
    count = _Count(report.nodes + report.relations, progress)
    with connect(settings) as driver, driver.session(database=settings.database) as session:
        if not dry_run:
            _make_schema(session, settings)
        found = content.compare(session, collection=collection, equal=count.reach)
        _tell(found, report)
        if dry_run:
            report.created_nodes, report.created_relations = found.missing_nodes, found.missing_relations
            return report
        content.write(_Writer(session, settings, collection, batch, count).merge, report, batch=batch)
        _refuse_gaps(content.absent(session, collection=collection))
        if prune:
            gone = take_away(session, found, collection=collection, batch=batch)
            report.pruned_nodes, report.pruned_relations = gone
    return report


class Content(Protocol):
    """What is pushed: it compares itself with a collection, writes what that lacks, and looks for it."""

    @property
    def nodes(self) -> int:
        """How many nodes there are."""

    @property
    def relations(self) -> int:
        """How many relations there are."""

    def compare(self, session: Session, *, collection: str, equal: Equal) -> Difference:
        """What is missing and what is stale; `equal` is called with how many were found equal so far."""

    def write(self, merge: Callable[[str, Iterable[Row]], int], report: Report, *, batch: int) -> None:
        """Writes what is not equal by `merge`, which takes a statement and rows, and adds to the report."""

    def absent(self, session: Session, *, collection: str) -> list[str]:
        """Names what was written and is not there."""


def _content(graph: Graph | Folder) -> Content:
    if isinstance(graph, nx.Graph):
        return _GraphContent(graph)
    from kg.folder_push import FolderContent

    return FolderContent(graph)


class _GraphContent:
    """A graph in memory."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph = _with_plain_ids(graph)
        self._groups, self._kinds = node_groups(graph), edge_groups(graph)
        self.nodes, self.relations = graph.number_of_nodes(), graph.number_of_edges()
        self._found = Difference()

    def compare(self, session: Session, *, collection: str, equal: Equal | None = None) -> Difference:
        """Reads by label and type what a collection has, and compares it with the graph."""
        self._found = compare(
            session, self._graph, self._groups, self._kinds, collection=collection, equal=equal
        )
        return self._found

    def write(self, merge: Callable[[str, Iterable[Row]], int], report: Report, *, batch: int) -> None:
        """Writes nodes, then relations, and adds to the report what became of them."""
        for label, nodes in self._found.nodes.items():
            text = statement("nodes", LABEL=label, EXTRA=label_names(label)[-1])
            created = merge(text, (node_as_row(self._graph, label, node) for node in nodes))
            report.created_nodes += created
            report.changed_nodes += len(nodes) - created
        for kind, pairs in self._found.relations.items():
            text = statement("relations", SOURCE=kind.source, TYPE=kind.type, TARGET=kind.target)
            created = merge(text, (edge_as_row(self._graph, kind.type, *ends) for ends in pairs))
            report.created_relations += created
            report.changed_relations += len(pairs) - created

    def absent(self, session: Session, *, collection: str) -> list[str]:
        """Names what was written and is not there."""
        return absent(session, self._found, collection=collection)


def _with_plain_ids(graph: Graph) -> Graph:
    """The graph with the ids that a database can hold; it is the same one, but for odd ids."""
    odd = {node: plain(node) for node in graph if plain(node) != node}
    return nx.relabel_nodes(graph, odd) if odd else graph


def _tell(found: Difference, report: Report) -> None:
    """Adds to the report what the collection has beyond the graph."""
    report.stale_nodes = sum(map(len, found.stale_nodes.values()))
    report.stale_relations = sum(map(len, found.stale_relations.values()))


def _refuse_gaps(missing: Sequence[str]) -> None:
    """Raises where something that was pushed is not there."""
    if not missing:
        return
    named = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
    raise ServerError(
        f"{len(missing):,} nodes and relations are not in the database after the push: {named}",
        hint="Something else removes them at the same time; run the same command again.",
    )


def _make_schema(session: Session, settings: Settings) -> None:
    """Makes constraints and indexes, and waits for them.

    Raises:
        ServerError: one cannot be made, or a constraint is missing although none complained.
    """
    for text in cypher.schema():
        try:
            session.execute_write(_rows, text)
        except Neo4jError as error:
            if ".Schema." not in (error.code or ""):
                raise
            name, reason = text.partition(" IF ")[0], " ".join((error.message or "").split())
            raise ServerError(
                f"{settings.uri} cannot {name}: {reason}",
                hint="Remove what is in its way, or push to another database.",
            ) from error
    session.execute_read(_rows, "CALL db.awaitIndexes(300)")
    unique = session.execute_read(_rows, "SHOW CONSTRAINTS YIELD type, labelsOrTypes, properties")
    held = {row["labelsOrTypes"][0] for row in unique if _is_on_id(row)}
    if lacking := [label for label in (*LABELS, "Concept") if label not in held]:
        raise ServerError(
            f"{settings.uri} has no uniqueness constraint on the id of {lacking[0]}",
            hint=f"Something else is called paperkg_{lacking[0].lower()}_id; drop it.",
        )


def _is_on_id(constraint: Mapping[str, Any]) -> bool:
    return "UNIQUENESS" in constraint["type"] and constraint["properties"] == ["id"]


def _rows(transaction: ManagedTransaction, text: str) -> list[dict[str, Any]]:
    return transaction.run(text).data()


class _Count:
    """How many nodes and relations of all are in the database, for the progress bar and for errors."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done, self.total, self._progress = 0, total, progress

    def reach(self, done: int) -> None:
        """Notes that so many are there."""
        self.done = done
        if self._progress is not None:
            self._progress(done, self.total)


class _Writer:
    """Writes rows in the name of a collection, batch by batch, and counts."""

    def __init__(
        self, session: Session, settings: Settings, collection: str, batch: int, count: _Count
    ) -> None:
        self._session, self._settings = session, settings
        self._collection, self._batch, self._count = collection, batch, count

    def merge(self, text: str, rows: Iterable[Row]) -> int:
        """Writes the rows of one group; gives how many were not there before."""
        created = 0
        for batch in in_batches(rows, self._batch):
            created += self._managed(text, batch)
            self._count.reach(self._count.done + len(batch))
        return created

    def _managed(self, text: str, rows: Sequence[Row]) -> int:
        """Writes one batch; an error says how far the push has come."""
        parameters = {"rows": rows, "collection": self._collection}
        try:
            with explained(self._settings):
                return self._session.execute_write(write, text, parameters)[0]
        except ServerError as error:
            told = f"{self._count.done:,} of {self._count.total:,} nodes and relations had been written"
            raise ServerError(f"{error.message.rstrip('.')}; {told}", hint=error.hint) from error
