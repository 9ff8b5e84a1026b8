"""What changed between two graphs: papers, concepts and relations in and out, and concepts that are renamed.

A concept that went is not gone but renamed if a concept of the new graph has its name among its forms; of
several, one of the same type. Relations are compared after renaming, so that another spelling of a hub does
not count as thousands of changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kg.folding import name_key
from kg.lookup import CONCEPT_TYPES, display_name
from kg.store import Graph

__all__ = ["Difference", "Relation", "compare"]

#: (source, relation, target), the ends as node ids.
Relation = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is only in the new graph (`_in`), only in the old one (`_out`), or renamed; node ids, sorted.

    `names` has the name of every node that is mentioned; of one that both graphs have, the new one. `renamed`
    maps the old id to the new one; they are equal where only the name changed. `old_names` has the names that
    renamed concepts had.
    """

    papers_in: tuple[str, ...]
    papers_out: tuple[str, ...]
    concepts_in: tuple[str, ...]
    concepts_out: tuple[str, ...]
    renamed: Mapping[str, str]
    relations_in: tuple[Relation, ...]
    relations_out: tuple[Relation, ...]
    names: Mapping[str, str]
    old_names: Mapping[str, str]

    def __bool__(self) -> bool:
        """Whether anything changed."""
        changes = (self.papers_in, self.papers_out, self.concepts_in, self.concepts_out)
        return any((*changes, self.renamed, self.relations_in, self.relations_out))

    def to_record(self) -> dict[str, Any]:
        """The difference as one JSON object."""
        return {
            "papers": {"in": self._nodes(self.papers_in), "out": self._nodes(self.papers_out)},
            "concepts": {
                "in": self._nodes(self.concepts_in),
                "out": self._nodes(self.concepts_out),
                "renamed": [
                    {"old": {"id": old, "name": self.old_names[old]}, "new": self._nodes([new])[0]}
                    for old, new in self.renamed.items()
                ],
            },
            "relations": {"in": _relations(self.relations_in), "out": _relations(self.relations_out)},
        }

    def _nodes(self, ids: Iterable[str]) -> list[dict[str, str]]:
        return [{"id": node, "name": self.names[node]} for node in ids]


def _relations(relations: Iterable[Relation]) -> list[dict[str, str]]:
    return [
        {"source": source, "relation": relation, "target": target} for source, relation, target in relations
    ]


def compare(old: Graph, new: Graph) -> Difference:
    """Finds what changed from one graph to another."""
    renamed = _renamed(old, new)
    before = {(renamed.get(edge[0], edge[0]), edge[1], renamed.get(edge[2], edge[2])) for edge in _edges(old)}
    after = set(_edges(new))
    went = tuple(node for node in _only(old, new, CONCEPT_TYPES) if node not in renamed)
    came = set(_only(new, old, CONCEPT_TYPES)) - set(renamed.values())
    return Difference(
        papers_in=_only(new, old, ("Paper",)),
        papers_out=_only(old, new, ("Paper",)),
        concepts_in=tuple(sorted(came)),
        concepts_out=went,
        renamed=renamed,
        relations_in=tuple(sorted(after - before)),
        relations_out=tuple(sorted(before - after)),
        names={node: display_name(graph, node) for graph in (old, new) for node in graph},
        old_names={node: display_name(old, node) for node in renamed},
    )


def _edges(graph: Graph) -> Iterable[Relation]:
    return ((source, relation, target) for source, target, relation in graph.edges(keys=True))


def _only(one: Graph, other: Graph, types: Iterable[str]) -> tuple[str, ...]:
    """The nodes of some types that only `one` has."""
    return tuple(
        sorted(node for node, data in one.nodes.items() if data["type"] in types and node not in other)
    )


def _renamed(old: Graph, new: Graph) -> dict[str, str]:
    """Old id -> new id of the concepts that have another name now."""
    homes = _homes(new)
    found = {}
    for node in sorted(node for node, data in old.nodes.items() if data["type"] in CONCEPT_TYPES):
        if node in new:
            if display_name(old, node) != display_name(new, node):
                found[node] = node
        elif nodes := homes.get(name_key(display_name(old, node))):
            kind = old.nodes[node]["type"]
            found[node] = min(nodes, key=lambda other: (new.nodes[other]["type"] != kind, other))
    return found


def _homes(graph: Graph) -> dict[str, list[str]]:
    """The key of every form of a concept -> the nodes that have it."""
    homes: dict[str, list[str]] = {}
    for node, data in graph.nodes.items():
        if data["type"] in CONCEPT_TYPES:
            for key in {name_key(form) for form in (data["name"], *data.get("aliases", ()))}:
                homes.setdefault(key, []).append(node)
    return homes
