"""JSON-LD 1.1: the same triples as Turtle, as JSON; `kg.exports.linked_data` says what they are.

One resource a line, nodes in the order of the graph. https://www.w3.org/TR/json-ld11/
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import orjson

from kg.exports.linked_data import PREFIXES, Iri, Literal, Resource, resources
from kg.store import Graph

__all__ = ["write"]

_START = b'{"@context":%s,\n"@graph":[\n'
_END = b"\n]}\n"


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    with path.open("wb") as stream:
        stream.write(_START % orjson.dumps(PREFIXES))
        for number, resource in enumerate(resources(graph)):
            stream.write(b",\n" if number else b"")
            stream.write(orjson.dumps(_object(resource)))
        stream.write(_END)


def _object(resource: Resource) -> dict[str, Any]:
    subject, properties = resource
    found: dict[str, list[Any]] = defaultdict(list)
    for property, value in properties:
        if property == "rdf:type":
            found["@type"].append(value.value)
        else:
            found[property].append(_term(value))
    shown = {name: values if len(values) > 1 else values[0] for name, values in found.items()}
    return {"@id": subject.value, **shown}


def _term(term: Iri | Literal) -> Any:
    if isinstance(term, Iri):
        return {"@id": term.value}
    if term.type == "string":
        return term.value
    return {"@value": term.value, "@type": f"xsd:{term.type}"}
