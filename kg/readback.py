"""What a collection has in a Neo4j database beside what a graph has, and how to take the surplus away.

The database is read by label and type before anything is written: what it has as the graph has it needs no
writing, so that the push of an unchanged graph only reads. What was written is read once more afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from neo4j import ManagedTransaction, Session

import cypher
from extractors.batches import in_batches
from kg.flat import LABELS, RELATIONS, EdgeKind, label_names
from kg.rows import Row, edge_as_row, edge_columns, is_held, node_as_row, node_columns
from kg.store import Graph

__all__ = ["Difference", "Equal", "absent", "compare", "held", "prune", "statement", "write"]

#: Called now and then with how many nodes and relations were found equal so far.
Equal: TypeAlias = Callable[[int], object]
_Ends: TypeAlias = "tuple[str, str]"
#: The id of a node, or those of both ends of a relation.
_Key: TypeAlias = "tuple[str, ...]"
#: Records between two reports of progress.
_STEP = 2000


@dataclass(slots=True)
class Difference:
    """What is to be written so that a database has a graph, and what its collection has beyond the graph.

    `nodes` are ids by label and `relations` ends by kind: of these, `missing_…` are not there at all, the
    others are different. `stale_nodes` are ids by label, `stale_relations` element ids by type.
    """

    nodes: dict[str, list[str]] = field(default_factory=dict)
    relations: dict[EdgeKind, list[_Ends]] = field(default_factory=dict)
    missing_nodes: int = 0
    missing_relations: int = 0
    stale_nodes: dict[str, list[str]] = field(default_factory=dict)
    stale_relations: dict[str, list[str]] = field(default_factory=dict)


def statement(name: str, **names: str) -> str:
    """A statement of `cypher/push`; each of `names` takes the place of its label or type, `:LABEL` say.

    The names must come from the fixed lists of `kg.flat`: no text of a paper ever becomes Cypher.
    """
    text = (cypher.PUSH / f"{name}.cypher").read_text(encoding="utf-8")
    for placeholder, value in names.items():
        text = text.replace(f":{placeholder}", f":{value}")
    return text


def write(transaction: ManagedTransaction, text: str, parameters: Mapping[str, Any]) -> tuple[int, int]:
    """Runs a statement; gives how many nodes and relations it created, and how many it deleted."""
    counters = transaction.run(text, parameters).consume().counters  # type: ignore[arg-type]
    created = counters.nodes_created + counters.relationships_created
    return created, counters.nodes_deleted + counters.relationships_deleted


def compare(
    session: Session,
    graph: Graph,
    groups: Mapping[str, Sequence[str]],
    kinds: Mapping[EdgeKind, Sequence[_Ends]],
    *,
    collection: str,
    equal: Equal | None = None,
) -> Difference:
    """Reads by label and type what a collection has, and compares it with a graph.

    Args:
        session: where to read.
        graph: the graph, with ids as JSON has them.
        groups: the ids of its nodes by label.
        kinds: the ends of its edges by kind.
        collection: the name of the collection.
        equal: called now and then with how many nodes and relations were found equal so far.
    """
    found, reading = Difference(), _Reading(session, collection, equal)
    wide = _wide_groups(kinds)
    for label in LABELS:
        nodes = groups.get(label, [])
        read = reading.nodes(graph, label, nodes)
        found.nodes[label] = [node for node in nodes if not read.held[(node,)]]
        found.missing_nodes += read.missing()
        found.stale_nodes[label] = sorted(read.stale)
    for relation in RELATIONS:
        ours = {kind: pairs for kind, pairs in wide.items() if kind.type == relation}
        read = reading.relations(graph, relation, [*chain.from_iterable(ours.values())])
        for kind, pairs in ours.items():
            found.relations[kind] = [ends for ends in pairs if not read.held[ends]]
        found.missing_relations += read.missing()
        found.stale_relations[relation] = read.stale
    return found


def _wide_groups(kinds: Mapping[EdgeKind, Sequence[_Ends]]) -> dict[EdgeKind, list[_Ends]]:
    """The kinds with `Concept` for the label of every concept: few statements, so few plans."""
    groups: dict[EdgeKind, list[_Ends]] = {}
    for kind, pairs in kinds.items():
        wide = EdgeKind(label_names(kind.source)[-1], kind.type, label_names(kind.target)[-1])
        groups.setdefault(wide, []).extend(pairs)
    return groups


class _Read(NamedTuple):
    """What a database has of one label or type.

    `held` says of each key of the graph whether the database has it as the graph has it, None where it has
    it not; `stale` is what it has beyond, as the statements that prune want it.
    """

    held: dict[_Key, bool | None]
    stale: list[str]

    def missing(self) -> int:
        """How many keys of the graph the database has not."""
        return sum(equal is None for equal in self.held.values())


class _Reading:
    """Reads what a collection has, one label or type after another, and counts what is equal."""

    def __init__(self, session: Session, collection: str, told: Equal | None) -> None:
        self._session, self._collection, self._told = session, collection, told
        self._equal = 0

    def nodes(self, graph: Graph, label: str, nodes: Iterable[str]) -> _Read:
        """Compares the nodes of a label."""
        text, keys = statement("read_nodes", LABEL=label), [(node,) for node in nodes]
        columns = node_columns(graph, label, chain.from_iterable(keys))
        return self._compared(text, columns, keys, partial(node_as_row, graph, label))

    def relations(self, graph: Graph, relation: str, pairs: Sequence[_Ends]) -> _Read:
        """Compares the relations of a type."""
        text, columns = statement("read_relations", TYPE=relation), edge_columns(graph, relation, pairs)
        return self._compared(text, columns, pairs, partial(edge_as_row, graph, relation))

    def _compared(
        self, text: str, columns: Sequence[str], keys: Sequence[_Key], row: Callable[..., Row]
    ) -> _Read:
        def work(transaction: ManagedTransaction) -> _Read:
            read, equal = _Read(dict.fromkeys(keys), []), self._equal
            for records in in_batches(held(transaction, text, self._collection, columns), _STEP):
                equal += sum(_take(record, read, row, columns) for record in records)
                if self._told is not None:
                    self._told(equal)
            return read

        read = self._session.execute_read(work)
        self._equal += sum(map(bool, read.held.values()))
        return read


def _take(
    record: tuple[_Key, str, list[Any]], read: _Read, row: Callable[..., Row], columns: Sequence[str]
) -> bool:
    """Notes what a record shows; whether it is what the graph has."""
    key, handle, values = record
    if key not in read.held:
        read.stale.append(handle)
        return False
    read.held[key] = equal = is_held(row(*key), columns, values)
    return equal


def held(
    transaction: ManagedTransaction, text: str, collection: str, columns: Sequence[str]
) -> Iterator[tuple[_Key, str, list[Any]]]:
    """The keys that a collection has, by what prune finds each, and the values of some properties."""
    for *key, handle, values in transaction.run(text, {"collection": collection, "columns": columns}):
        yield tuple(key), handle, values


def absent(session: Session, written: Difference, *, collection: str) -> list[str]:
    """Reads back by label and type what was written; names the nodes and relations that are not there."""
    lacking: list[str] = []
    for label, nodes in written.nodes.items():
        left = _left(session, statement("read_nodes", LABEL=label), collection, ((node,) for node in nodes))
        lacking += sorted(node for (node,) in left)
    for relation in RELATIONS:
        pairs = chain.from_iterable(ours for kind, ours in written.relations.items() if kind.type == relation)
        left = _left(session, statement("read_relations", TYPE=relation), collection, pairs)
        lacking += sorted(f"{source} {relation} {target}" for source, target in left)
    return lacking


def _left(session: Session, text: str, collection: str, keys: Iterable[_Key]) -> set[_Key]:
    """The keys that a collection has not."""
    left = set(keys)

    def work(transaction: ManagedTransaction) -> None:
        left.difference_update(key for key, _, _ in held(transaction, text, collection, ()))

    if left:
        session.execute_read(work)
    return left


def prune(session: Session, found: Difference, *, collection: str, batch: int) -> tuple[int, int]:
    """Takes what is stale out of a collection: relations first, then nodes, those that nothing holds.

    Returns:
        How many nodes and relations are gone from the database.
    """
    nodes = relations = 0
    for relation, elements in found.stale_relations.items():
        text = statement("prune_relations", TYPE=relation)
        for rows in in_batches(elements, batch):
            relations += session.execute_write(write, text, {"rows": rows})[1]
    for label, ids in found.stale_nodes.items():
        text = statement("prune_nodes", LABEL=label)
        for rows in in_batches(ids, batch):
            nodes += session.execute_write(write, text, {"rows": rows, "collection": collection})[1]
    return nodes, relations
