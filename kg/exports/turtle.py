"""Turtle, as rdflib, Protégé and triple stores read it; `kg.exports.linked_data` says what it holds.

One resource after another, nodes in the order of the graph. https://www.w3.org/TR/turtle/
"""

from __future__ import annotations

import re
from pathlib import Path

from kg.exports.linked_data import PREFIXES, Iri, Literal, Resource, resources
from kg.store import Graph

__all__ = ["write"]

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]')


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
        stream.writelines(map(_block, resources(graph)))


def _block(resource: Resource) -> str:
    subject, properties = resource
    lines = " ;\n    ".join(f"{property} {_term(value)}" for property, value in properties)
    return f"\n{_term(subject)} {lines} .\n"


def _term(term: Iri | Literal) -> str:
    if isinstance(term, Iri):
        return term.value if term.short else f"<{term.value}>"
    text = f'"{_SPECIAL.sub(_escaped, str(term.value))}"'
    return text if term.type == "string" else f"{text}^^xsd:{term.type}"


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"
