"""The graph into a Neo4j database, as often as one likes.

Nodes, then relations, in batches of one label or type; each batch is one managed transaction, which the
driver repeats after a deadlock or a change of leader. `MERGE` on the id makes a repeated push harmless: what
is equal stays untouched. All Cypher lies in `cypher/`; labels and types are put into it from the fixed lists
of `kg.flat`, everything else travels as a parameter.

What we wrote is marked with the name of a collection: nodes by the list `collections`, since several
collections may share a node, relations by `collection`, since each has its own evidence. Pruning looks at
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from neo4j import ManagedTransaction, Session
from neo4j.exceptions import Neo4jError

import cypher
from extractors.batches import in_batches
from kg.errors import ServerError
from kg.flat import COLLECTION, LABELS, EdgeKind, edge_groups, edge_row, label_names, node_groups, node_row
from kg.readback import Difference, compare, statement, write
from kg.readback import prune as take_away
from kg.server import Settings, connect, explained
from kg.store import Graph

__all__ = ["BATCH", "Report", "push"]

#: Rows in one transaction.
BATCH = 2000

#: Called with the number of nodes and relations that are done and of all.
Progress: TypeAlias = Callable[[int, int], object]
_Row: TypeAlias = Mapping[str, Any]

#: Properties that a row may lack; they are sent as null, so that what left the graph leaves the database.
_OF_PAPERS = ("title", "year", "venue", "url", "doi", "arxiv_id", "source_ids", "status")
_OF_OTHERS = ("aliases", "owner")
_OF_RELATIONS = (
    *("papers", "score", "role", "sentences", "evidence_papers", "evidence_scores"),
    *("evidence_starts", "evidence_ends", "evidence_extractors"),
)
_WITHOUT_EVIDENCE = ("AUTHORED", "PUBLISHED_IN")
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
    graph: Graph,
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
        graph: the graph.
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
    groups, kinds = node_groups(graph), edge_groups(graph)
    report = Report(nodes=graph.number_of_nodes(), relations=graph.number_of_edges())
    with connect(settings) as driver, driver.session(database=settings.database) as session:
        if not dry_run:
            _make_schema(session, settings)
            _Writer(graph, session, settings, collection, batch, progress).write(report)
        found = compare(session, groups, kinds, collection=collection)
        report.stale_nodes, report.stale_relations = found.stale_nodes, found.stale_relations
        if dry_run:
            report.created_nodes = len(found.missing_nodes)
            report.created_relations = len(found.missing_relations)
            return report
        _check_complete(found)
        if prune:
            gone = take_away(session, found, collection=collection, batch=batch)
            report.pruned_nodes, report.pruned_relations = gone
    return report


def _check_complete(found: Difference) -> None:
    """Raises where something that was pushed is not there."""
    missing = [*found.missing_nodes, *found.missing_relations]
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


def _is_on_id(constraint: _Row) -> bool:
    return "UNIQUENESS" in constraint["type"] and constraint["properties"] == ["id"]


def _rows(transaction: ManagedTransaction, text: str) -> list[dict[str, Any]]:
    return transaction.run(text).data()


def _wide_groups(graph: Graph) -> dict[EdgeKind, list[tuple[str, str]]]:
    """The edges by kind, with `Concept` for the label of every concept: few statements, so few plans."""
    groups: dict[EdgeKind, list[tuple[str, str]]] = {}
    for kind, pairs in edge_groups(graph).items():
        wide = EdgeKind(label_names(kind.source)[-1], kind.type, label_names(kind.target)[-1])
        groups.setdefault(wide, []).extend(pairs)
    return groups


class _Writer:
    """Writes a graph in the name of a collection, and counts."""

    def __init__(
        self,
        graph: Graph,
        session: Session,
        settings: Settings,
        collection: str,
        batch: int,
        progress: Progress | None,
    ) -> None:
        self._graph, self._session, self._settings = graph, session, settings
        self._collection, self._batch, self._progress = collection, batch, progress
        self._total = graph.number_of_nodes() + graph.number_of_edges()
        self._done = 0

    def write(self, report: Report) -> None:
        """Writes all nodes, then all relations, and adds to the report what became of them."""
        for label, nodes in node_groups(self._graph).items():
            text = statement("nodes", LABEL=label, EXTRA=label_names(label)[-1])
            created, changed = self._merge(text, (self._node(label, node) for node in nodes))
            report.created_nodes += created
            report.changed_nodes += changed
        for kind, pairs in _wide_groups(self._graph).items():
            text = statement("relations", SOURCE=kind.source, TYPE=kind.type, TARGET=kind.target)
            created, changed = self._merge(text, (self._edge(kind.type, *pair) for pair in pairs))
            report.created_relations += created
            report.changed_relations += changed

    def _node(self, label: str, node: str) -> _Row:
        row = node_row(self._graph, node)
        lacking = dict.fromkeys(_OF_PAPERS if label == "Paper" else _OF_OTHERS)
        return {"id": row.pop("id"), "properties": {**lacking, **row}}

    def _edge(self, relation: str, source: str, target: str) -> _Row:
        row = edge_row(self._graph, source, relation, target)
        if relation not in _WITHOUT_EVIDENCE:
            row["properties"] = {**dict.fromkeys(_OF_RELATIONS), **row["properties"]}
        return row

    def _merge(self, text: str, rows: Iterator[_Row]) -> tuple[int, int]:
        """Writes the rows of one group; gives how many were created and changed."""
        created = changed = 0
        for batch in in_batches(rows, self._batch):
            done = self._managed(text, batch)
            created, changed = created + done[0], changed + done[2]
            self._done += len(batch)
            if self._progress is not None:
                self._progress(self._done, self._total)
        return created, changed

    def _managed(self, text: str, rows: Sequence[_Row]) -> tuple[int, int, int]:
        """Writes one batch; an error says how far the push has come."""
        parameters = {"rows": rows, "collection": self._collection}
        try:
            with explained(self._settings):
                return self._session.execute_write(write, text, parameters)
        except ServerError as error:
            told = f"{self._done:,} of {self._total:,} nodes and relations had been written"
            raise ServerError(f"{error.message.rstrip('.')}; {told}", hint=error.hint) from error
