"""The graph as Neo4j holds it: labels, relation types, and properties that are scalars or lists of scalars.

Pure functions that the push and both bulk formats share. Labels and types come from the two fixed lists
below, never from a text. Groups hold ids only and rows are made one at a time, so that a large graph is not
held twice.

Evidence becomes lists of one length on the relationship, one item a sentence, the best scored first:
`sentences`, `evidence_papers`, `evidence_scores`, `evidence_starts`, `evidence_ends`, `evidence_extractors`.
Neo4j keeps no null in a list and its importer no empty text, so evidence that is a field of the input has -1
for both offsets and `NO_SENTENCE` for its sentence.

None, empty lists and empty texts in lists are left out; objects are JSON text; a list of mixed kinds is a
list of texts; a number beyond 64 bits is text. Names of properties keep letters, digits and underscores.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import orjson

from kg.errors import GraphFileError
from kg.schema import ROLE_RELATIONS, ConceptType, RelationType
from kg.store import Graph, plain

__all__ = [
    "COLLECTION",
    "CONCEPT_LABELS",
    "EVIDENCE",
    "LABELS",
    "NO_SENTENCE",
    "RELATIONS",
    "EdgeKind",
    "Value",
    "common_kind",
    "edge_groups",
    "edge_properties",
    "edge_row",
    "kind_of",
    "kinds",
    "label_names",
    "node_groups",
    "node_properties",
    "node_row",
    "properties",
]

Scalar: TypeAlias = "bool | int | float | str"
#: What a property may be.
Value: TypeAlias = "Scalar | list[bool] | list[int] | list[float] | list[str]"

CONCEPT_LABELS = tuple(kind.value for kind in ConceptType)
#: Every label that a node can have by its type; those of concepts stand beside `Concept`.
LABELS = ("Paper", *CONCEPT_LABELS, "Repository", "Author", "Venue")
#: Every relation type.
RELATIONS = (
    *ROLE_RELATIONS.values(),
    "MENTIONS",
    "HAS_CODE",
    "IMPLEMENTED_IN",
    *(relation.name for relation in RelationType),
    "AUTHORED",
    "PUBLISHED_IN",
)
#: The collection that a push writes to unless told otherwise: nodes carry it in the list `collections`,
#: relations as `collection`, so that a later push knows its own.
COLLECTION = "default"
#: The sentence of evidence that is a field of the input.
NO_SENTENCE = "(stated by the record, not in its text)"

_LONG = 2**63
_NAME = re.compile(r"[^A-Za-z0-9_]")
#: The lists of evidence: the key of an item that each holds, and what stands where that has nothing.
EVIDENCE: Mapping[str, tuple[str, Scalar]] = {
    "sentences": ("sentence", NO_SENTENCE),
    "evidence_papers": ("paper", "?"),
    "evidence_scores": ("score", 0.0),
    "evidence_starts": ("start", -1),
    "evidence_ends": ("end", -1),
    "evidence_extractors": ("extractor", "?"),
}


class EdgeKind(NamedTuple):
    """The label of the source, the relation type and the label of the target."""

    source: str
    type: str
    target: str


def label_names(label: str) -> tuple[str, ...]:
    """Every label of a node: that of its type, and `Concept` beside the five.

    >>> label_names("Method"), label_names("Paper")
    (('Method', 'Concept'), ('Paper',))
    """
    return (label, "Concept") if label in CONCEPT_LABELS else (label,)


def node_groups(graph: Graph) -> dict[str, list[str]]:
    """The node ids by label, labels in the order of `LABELS`, ids in that of the graph.

    Raises:
        GraphFileError: a node has a type that is no label.
    """
    groups: dict[str, list[str]] = {label: [] for label in LABELS}
    for node, data in graph.nodes.items():
        label = str(data.get("type"))
        if label not in groups:
            raise GraphFileError(f"the node {node!r} has the unknown type {label!r}")
        groups[label].append(node)
    return {label: nodes for label, nodes in groups.items() if nodes}


def edge_groups(graph: Graph) -> dict[EdgeKind, list[tuple[str, str]]]:
    """The edges as (source, target) by their kind: relation types in the order of `RELATIONS`.

    Raises:
        GraphFileError: an edge has a relation that is none of `RELATIONS`.
    """
    groups: dict[EdgeKind, list[tuple[str, str]]] = defaultdict(list)
    types = {node: str(data.get("type")) for node, data in graph.nodes.items()}
    for source, target, relation in graph.edges(keys=True):
        groups[EdgeKind(types[source], str(relation), types[target])].append((source, target))
    if unknown := sorted({kind.type for kind in groups}.difference(RELATIONS)):
        raise GraphFileError(f"the graph has edges of the unknown type {unknown[0]!r}")
    return {
        kind: groups[kind] for kind in sorted(groups, key=lambda kind: (RELATIONS.index(kind.type), kind))
    }


def node_row(graph: Graph, node: str) -> dict[str, Value]:
    """A node as its `id` and its properties; an attribute that is called `id` itself becomes `id_`."""
    return {"id": plain(node), **node_properties(graph.nodes[node])}


def node_properties(data: Mapping[str, Any]) -> dict[str, Value]:
    """The properties of a node with these attributes; one that is called `id` becomes `id_`."""
    row = properties(data)
    row.pop("type", None)
    if "id" in row:
        row["id_"] = row.pop("id")
    return row


def edge_row(graph: Graph, source: str, relation: str, target: str) -> dict[str, Any]:
    """An edge as `source`, `target` and its `properties`, with its evidence as lists of one length."""
    data = graph.edges[source, target, relation]
    return {"source": plain(source), "target": plain(target), "properties": edge_properties(data)}


def edge_properties(data: Mapping[str, Any]) -> dict[str, Value]:
    """The properties of an edge with these attributes, with its evidence as lists of one length."""
    shown = properties({name: value for name, value in data.items() if name not in ("type", "evidence")})
    return {**shown, **_evidence(data.get("evidence") or ())}


def _evidence(items: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    if not items:
        return {}
    ranked = sorted(items, key=lambda item: -(item.get("score") or 0.0))
    return {
        name: _list([_given(item.get(key), default) for item in ranked])
        for name, (key, default) in EVIDENCE.items()
    }


def _given(value: Any, default: Scalar) -> Any:
    """The value as the list of its name holds it: one kind, never empty."""
    if value is None or value == "":
        return default
    return float(value) if isinstance(default, float) else value


def properties(data: Mapping[str, Any]) -> dict[str, Value]:
    """Attributes as properties, in sorted order of their names.

    >>> properties({"year": 2024, "url": None, "aliases": ["a", ""], "meta": {"b": 1}})
    {'aliases': ['a'], 'meta': '{"b":1}', 'year': 2024}
    """
    found = {_NAME.sub("_", name): _value(plain(value)) for name, value in sorted(data.items())}
    return {name: value for name, value in found.items() if value is not None}


def _value(value: Any) -> Value | None:
    if isinstance(value, list):
        return _list([item for item in value if item is not None and item != ""]) or None
    return None if value is None else _scalar(value)


def _scalar(value: Any) -> Scalar:
    if isinstance(value, list | dict):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    if isinstance(value, int) and not -_LONG <= value < _LONG:
        return str(value)
    return value  # type: ignore[no-any-return]


def _list(values: Iterable[Any]) -> Any:
    """A list of one kind of scalars: whole and broken numbers are numbers, other mixtures texts."""
    items = [_scalar(plain(value)) for value in values]
    found = {type(item) for item in items}
    if len(found) < 2:
        return items
    return [float(item) for item in items] if found == {int, float} else [_text(item) for item in items]


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_KINDS: Mapping[type, str] = {bool: "boolean", int: "long", float: "double", str: "string"}


def kinds(rows: Iterable[Mapping[str, Value]]) -> dict[str, str]:
    """The kind of each property over all rows, by sorted name: boolean, long, double, string, or `…[]`.

    What is mixed is double where all are numbers, else string, and a list where any is a list.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for name, value in row.items():
            found[name].add(kind_of(value))
    return {name: common_kind(found[name]) for name in sorted(found)}


def kind_of(value: Value) -> str:
    """The kind of one property."""
    return f"{_KINDS[type(value[0])]}[]" if isinstance(value, list) else _KINDS[type(value)]


def common_kind(found: Iterable[str]) -> str:
    """The one kind that holds values of all these kinds."""
    found = set(found)
    bare = {kind.removesuffix("[]") for kind in found}
    suffix = "[]" if any(kind.endswith("[]") for kind in found) else ""
    if len(bare) > 1:
        bare = {"double"} if bare == {"double", "long"} else {"string"}
    return f"{min(bare)}{suffix}"
