"""What a collection has in a Neo4j database beside what a graph has, and how to take the surplus away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from neo4j import ManagedTransaction, Session

import cypher
from extractors.batches import in_batches
from kg.flat import LABELS, RELATIONS, EdgeKind
from kg.store import plain

__all__ = ["Difference", "compare", "prune", "statement", "write"]

_Ends: TypeAlias = "tuple[str, str]"


@dataclass(slots=True)
class Difference:
    """What a database lacks of a graph, and what its collection has beyond it.

    `nodes` are the ids of stale nodes by label, `relations` the element ids of stale relations by type.
    """

    missing_nodes: list[str] = field(default_factory=list)
    missing_relations: list[str] = field(default_factory=list)
    nodes: dict[str, list[str]] = field(default_factory=dict)
    relations: dict[str, list[str]] = field(default_factory=dict)

    @property
    def stale_nodes(self) -> int:
        """How many nodes the graph no longer has."""
        return sum(map(len, self.nodes.values()))

    @property
    def stale_relations(self) -> int:
        """How many relations the graph no longer has."""
        return sum(map(len, self.relations.values()))


def statement(name: str, **names: str) -> str:
    """A statement of `cypher/push`; each of `names` takes the place of its label or type, `:LABEL` say.

    The names must come from the fixed lists of `kg.flat`: no text of a paper ever becomes Cypher.
    """
    text = (cypher.PUSH / f"{name}.cypher").read_text(encoding="utf-8")
    for placeholder, value in names.items():
        text = text.replace(f":{placeholder}", f":{value}")
    return text


def write(transaction: ManagedTransaction, text: str, parameters: Mapping[str, Any]) -> tuple[int, int, int]:
    """Runs a statement; gives how much it created, deleted, and by its own count changed."""
    result = transaction.run(text, parameters)  # type: ignore[arg-type]
    record = result.single() if result.keys() else None
    counters = result.consume().counters
    created = counters.nodes_created + counters.relationships_created
    deleted = counters.nodes_deleted + counters.relationships_deleted
    return created, deleted, record["changed"] if record else 0


def compare(
    session: Session,
    groups: Mapping[str, Sequence[str]],
    kinds: Mapping[EdgeKind, Sequence[_Ends]],
    *,
    collection: str,
) -> Difference:
    """Reads by label and type what a collection has, and compares it with what it should have.

    Args:
        session: where to read.
        groups: the ids of the graph by label.
        kinds: the ends of the graph's edges by kind.
        collection: the name of the collection.
    """
    found = Difference()
    for label in LABELS:
        expected = {plain(node) for node in groups.get(label, ())}
        present = session.execute_read(_nodes, label, collection)
        found.missing_nodes += sorted(expected - present)
        found.nodes[label] = sorted(present - expected)
    for relation in RELATIONS:
        ours = [ends for kind, ends in kinds.items() if kind.type == relation]
        pairs = {(plain(source), plain(target)) for ends in ours for source, target in ends}
        missing, found.relations[relation] = session.execute_read(_relations, relation, collection, pairs)
        found.missing_relations += [f"{source} {relation} {target}" for source, target in sorted(missing)]
    return found


def _nodes(transaction: ManagedTransaction, label: str, collection: str) -> set[str]:
    result = transaction.run(statement("read_nodes", LABEL=label), {"collection": collection})
    return {record[0] for record in result}


def _relations(
    transaction: ManagedTransaction, relation: str, collection: str, pairs: set[_Ends]
) -> tuple[set[_Ends], list[str]]:
    """Which of the `pairs` lack a relation of a type, and the element ids of relations between others."""
    text = statement("read_relations", TYPE=relation)
    missing, stale = set(pairs), []
    for source, target, element in transaction.run(text, {"collection": collection}):
        if (source, target) in pairs:
            missing.discard((source, target))
        else:
            stale.append(element)
    return missing, stale


def prune(session: Session, found: Difference, *, collection: str, batch: int) -> tuple[int, int]:
    """Takes what is stale out of a collection: relations first, then nodes, those that nothing holds.

    Returns:
        How many nodes and relations are gone from the database.
    """
    nodes = relations = 0
    for relation, elements in found.relations.items():
        text = statement("prune_relations", TYPE=relation)
        for rows in in_batches(elements, batch):
            relations += session.execute_write(write, text, {"rows": rows})[1]
    for label, ids in found.nodes.items():
        text = statement("prune_nodes", LABEL=label)
        for rows in in_batches(ids, batch):
            nodes += session.execute_write(write, text, {"rows": rows, "collection": collection})[1]
    return nodes, relations
