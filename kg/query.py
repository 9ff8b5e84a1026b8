"""Cypher over a graph: on the embedded engine, or on a Neo4j server, with the same rows from both.

A value is what JSON has. A node is `{"id", "labels", "properties"}`, a relation `{"type", "source", "target",
"properties"}` with the ids of its ends, a path `{"nodes", "relationships"}`; properties are in sorted order,
without nulls and without the marks of collections. Floats have six digits.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kg.errors import QueryError
from kg.flat import LABELS, label_names
from kg.queries import Query, values
from kg.translate import check_read_only, parameters_in, translate

if TYPE_CHECKING:
    import ladybug
    from neo4j import ManagedTransaction

    from kg.api import Progress
    from kg.server import Settings

__all__ = ["Result", "examples", "run", "run_on_server"]

#: A node's number in the engine: that of its table and its place there.
_Internal: TypeAlias = "tuple[int, int]"
_Known: TypeAlias = "Mapping[_Internal, str]"

#: What the engine says when a question needs more memory: it is asked once more with as much as a file gets.
_TOO_LITTLE = "Buffer manager exception"
_DIGITS = 6
_MARKS = frozenset({"id", "collection", "collections"})
_ENGINE = "This is the embedded engine; docs/neo4j.md says what it lacks. On a server: --neo4j."


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of plain values, in the order of the columns."""

    columns: tuple[str, ...]
    rows: list[list[Any]]

    def records(self) -> list[dict[str, Any]]:
        """The rows as objects."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def examples(query: Query, given: Mapping[str, str]) -> dict[str, Any]:
    """The parameters that were not given and take their example."""
    return {
        name: query.parameters[name]
        for name in parameters_in(query.text)
        if name not in given and name in query.parameters
    }


def _parameters(query: Query, given: Mapping[str, str], text: str) -> dict[str, Any]:
    """The value of every parameter that the text asks for.

    Raises:
        QueryError: one has neither a value nor an example, or a value is for none.
    """
    found = {**query.parameters, **values(query, given)}
    asked = parameters_in(text)
    if lacking := [name for name in asked if name not in found]:
        raise QueryError(
            f"the query needs a value for ${lacking[0]}", hint=f"Give it: --param {lacking[0]}=VALUE."
        )
    if unasked := [name for name in given if name not in asked]:
        raise QueryError(f"the query has no parameter {unasked[0]!r}")
    return {name: found[name] for name in asked}


def run(
    graph: str | os.PathLike[str],
    query: Query,
    *,
    parameters: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Runs a query on the embedded engine over a graph file or a folder of tables.

    Args:
        graph: the file or the folder; its database is kept beside it.
        query: what `kg.queries.find` gave.
        parameters: values as text; a parameter without one takes its example.
        progress: called while the database of a folder is made.

    Raises:
        GraphFileError: the file or the folder cannot be read.
        QueryError: the query is wrong, lacks a parameter, or would write.
    """
    check_read_only(query.text)
    text = query.variant or translate(query.text)
    bound = _parameters(query, parameters or {}, text)
    from kg.embedded import LITTLE, opened

    if Path(graph).is_dir():
        try:
            with opened(graph, progress=progress, memory=LITTLE) as connection:
                return _rows_of(connection, text, bound)
        except QueryError as error:
            if _TOO_LITTLE not in error.message:
                raise
    with opened(graph, progress=progress) as connection:
        return _rows_of(connection, text, bound)


def _rows_of(connection: ladybug.Connection, text: str, bound: Mapping[str, Any]) -> Result:
    """The answer of the embedded engine."""
    result = _answered(connection.execute, text, bound)
    if isinstance(result, list):
        raise QueryError("these are several queries", hint="Run one at a time.")
    rows = list(map(list, _answered(result.get_all)))
    wanted = sorted(set(_ends(rows)))
    ids = _ids(connection, wanted) if wanted else {}
    plain = [[_from_ladybug(value, ids) for value in row] for row in rows]
    return Result(tuple(result.get_column_names()), plain)


def _answered(call: Callable[..., Any], *arguments: Any) -> Any:
    """Calls the engine; what it complains of becomes a `QueryError`."""
    try:
        return call(*arguments)
    except (RuntimeError, ValueError, OverflowError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise QueryError(f"the query fails: {reason}", hint=_ENGINE) from error


def _ends(value: Any) -> Iterator[_Internal]:
    """The engine's own numbers of the nodes at the ends of relations."""
    if isinstance(value, dict):
        yield from ((value[end]["table"], value[end]["offset"]) for end in ("_SRC", "_DST") if end in value)
        value = list(value.values())
    if isinstance(value, list | tuple):
        yield from (found for item in value for found in _ends(item))


def _ids(connection: ladybug.Connection, wanted: list[_Internal]) -> dict[_Internal, str]:
    """The ids of nodes by the engine's own numbers."""
    text = (
        "UNWIND $places AS place MATCH (n) WHERE id(n) = internal_id(place[1], place[2]) RETURN id(n), n.id"
    )
    found = _answered(connection.execute, text, {"places": [list(pair) for pair in wanted]})
    return {(key["table"], key["offset"]): node for key, node in found.get_all()}


def _from_ladybug(value: Any, ids: _Known) -> Any:
    if isinstance(value, list | tuple):
        return [_from_ladybug(item, ids) for item in value]
    if not isinstance(value, dict):
        return _scalar(value)
    if value.keys() == {"_NODES", "_RELS"}:
        nodes, relations = value["_NODES"], value["_RELS"]
        return _path(_from_ladybug(nodes, ids), _from_ladybug(relations, ids))
    if "_SRC" in value:
        return _relation(value["_LABEL"], _end(value["_SRC"], ids), _end(value["_DST"], ids), _own(value))
    if "_ID" in value:
        return _node(value["id"], label_names(value["_LABEL"]), _own(value))
    return {str(key): _from_ladybug(item, ids) for key, item in value.items()}


def _end(internal: Mapping[str, int], ids: _Known) -> str:
    return ids[internal["table"], internal["offset"]]


def _own(value: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a node or a relation of Ladybug."""
    return {name: item for name, item in value.items() if name not in ("_ID", "_LABEL", "_SRC", "_DST")}


def _scalar(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else round(float(value), _DIGITS)
    return str(value)


def _properties(values: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in values.items() if value is not None and name not in _MARKS}
    return {
        name: [_scalar(item) for item in kept[name]] if isinstance(kept[name], list) else _scalar(kept[name])
        for name in sorted(kept)
    }


def _node(node: str, labels: Iterable[str], properties: Mapping[str, Any]) -> dict[str, Any]:
    ordered = sorted(labels, key=lambda label: (label not in LABELS, label))
    return {"id": node, "labels": ordered, "properties": _properties(properties)}


def _relation(kind: str, source: str, target: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": kind, "source": source, "target": target, "properties": _properties(properties)}


def _path(nodes: list[Any], relations: list[Any]) -> dict[str, Any]:
    return {"nodes": nodes, "relationships": relations}


def run_on_server(settings: Settings, query: Query, *, parameters: Mapping[str, str] | None = None) -> Result:
    """Runs a query on a Neo4j server, in a transaction that can only read.

    Args:
        settings: the server, as `kg.server.settings` gives them.
        query: what `kg.queries.find` gave.
        parameters: values as text; a parameter without one takes its example.

    Raises:
        ServerError: the server is away, refuses or fails.
        QueryError: the query is wrong, lacks a parameter, or would write.
    """
    check_read_only(query.text)
    bound = _parameters(query, parameters or {}, query.text)
    from neo4j import READ_ACCESS

    from kg.server import connect

    with (
        connect(settings) as driver,
        driver.session(database=settings.database, default_access_mode=READ_ACCESS) as session,
    ):
        return session.execute_read(_answer, query.text, bound)


def _answer(transaction: ManagedTransaction, text: str, parameters: Mapping[str, Any]) -> Result:
    from neo4j.exceptions import ClientError

    try:
        result = transaction.run(text, dict(parameters))
        rows = [list(record.values()) for record in result]
    except ClientError as error:
        if ".Statement." not in (error.code or ""):
            raise
        reason = (error.message or "").partition("\n")[0]
        raise QueryError(f"the query fails: {reason}") from error
    ends = _node_ids(transaction, set(_hollow(rows)))
    return Result(tuple(result.keys()), [[_from_neo4j(value, ends) for value in row] for row in rows])


def _hollow(value: Any) -> Iterator[str]:
    """The element ids of ends of which a relation knows nothing but that."""
    from neo4j.graph import Path, Relationship

    if isinstance(value, Relationship):
        yield from (node.element_id for node in value.nodes if node is not None and "id" not in node)
    elif isinstance(value, list | Path):
        yield from (found for item in value for found in _hollow(item))
    elif isinstance(value, dict):
        yield from _hollow(list(value.values()))


def _node_ids(transaction: ManagedTransaction, elements: set[str]) -> dict[str, str]:
    if not elements:
        return {}
    text = "MATCH (n) WHERE elementId(n) IN $elements RETURN elementId(n), n.id"
    found = transaction.run(text, {"elements": sorted(elements)})
    return {element: node for element, node in found if node is not None}


def _from_neo4j(value: Any, ends: Mapping[str, str]) -> Any:
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, list):
        return [_from_neo4j(item, ends) for item in value]
    if isinstance(value, Node):
        return _node(_id(value, ends), value.labels, dict(value))
    if isinstance(value, Relationship):
        source, target = (_id(node, ends) for node in value.nodes)
        return _relation(value.type, source, target, dict(value))
    if isinstance(value, Path):
        nodes = [_from_neo4j(node, ends) for node in value.nodes]
        return _path(nodes, [_from_neo4j(relation, ends) for relation in value.relationships])
    if isinstance(value, dict):
        return {name: _from_neo4j(item, ends) for name, item in value.items()}
    return _scalar(value)


def _id(node: Any, ends: Mapping[str, str]) -> str:
    return str(node.get("id") or ends.get(node.element_id) or node.element_id)
