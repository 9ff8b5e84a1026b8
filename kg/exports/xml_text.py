"""What the XML formats share: typed attributes, ids, and no character that XML forbids.

An attribute has one kind for all nodes (edges) that have it: boolean, long, double, string, or json (a list
or an object as JSON text); of mixed kinds a string. None is left out.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import orjson
from defusedxml import DefusedXmlException, ElementTree

from kg.errors import GraphFileError
from kg.exports.tables import Cell, cell
from kg.store import Graph

__all__ = ["PARSERS", "Attributes", "Cleaner", "labelled", "node_ids", "read_xml"]

_LOG = logging.getLogger("kg.exports")
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONG = 2**63

#: How a text of each kind is read.
PARSERS: Mapping[str, Callable[[str], Any]] = {
    "boolean": "true".__eq__,
    "double": float,
    "json": orjson.loads,
    "long": int,
    "string": str,
}


class Cleaner:
    """Takes out the characters that XML 1.0 forbids, and counts the texts that had any."""

    def __init__(self) -> None:
        self.dropped = 0

    def __call__(self, text: str) -> str:
        cleaned = _FORBIDDEN.sub("", text)
        self.dropped += cleaned != text
        return cleaned

    def warn(self) -> None:
        """Says once that something was dropped."""
        if self.dropped:
            _LOG.warning("characters that XML forbids were dropped from %d texts", self.dropped)


class Attributes:
    """The attributes of nodes, edges or the graph: a key (`n0`, `n1`, …) and a kind for each name."""

    def __init__(self, domain: str, rows: Iterable[Mapping[str, Any]], clean: Cleaner) -> None:
        self.domain = domain
        self._clean = clean
        found: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for name, value in row.items():
                if cell(value) is not None:
                    found[name].add(_kind(value))
        self._kinds = {name: _common(found[name]) for name in sorted(found)}
        self._keys = {name: f"{domain[0]}{index}" for index, name in enumerate(self._kinds)}

    def declared(self) -> Iterator[tuple[str, str, str]]:
        """Key, clean name and kind of every attribute."""
        for name, kind in self._kinds.items():
            yield self._keys[name], self._clean(name), kind

    def values(self, row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        """Key, kind and clean text of every value that a node or an edge has."""
        for name, kind in self._kinds.items():
            if cell(row.get(name)) is not None:
                yield self._keys[name], kind, self._clean(_written(row[name], kind))


def _kind(value: Any) -> str:
    if isinstance(value, list | tuple | dict | set | frozenset):
        return "json"
    value = cell(value)
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "long" if -_LONG <= value < _LONG else "string"
    return "double" if isinstance(value, float) else "string"


def _common(kinds: set[str]) -> str:
    if len(kinds) == 1:
        return min(kinds)
    return "double" if kinds == {"double", "long"} else "string"


def _written(value: Any, kind: str) -> str:
    written: Cell = cell(value)
    if isinstance(written, bool):
        return str(written).lower()
    if kind == "double" and written is not None:
        return str(float(written))
    if kind == "json":  # where XML forbids a character, JSON can escape it
        return _FORBIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", str(written))
    return str(written)


def labelled(data: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a node with the `label` that programs show."""
    return {**data, "label": data.get("label") or data.get("name")}


def node_ids(graph: Graph, clean: Cleaner) -> dict[str, str]:
    """The ids as XML allows them; what becomes equal is told apart by a number."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for node in graph:
        text = name = clean(str(node))
        number = 2
        while name in taken:
            name, number = f"{text}-{number}", number + 1
        taken.add(name)
        ids[node] = name
    return ids


def read_xml(path: Path, graph_of: Callable[[Element | None], Graph]) -> Graph:
    """The graph that `graph_of` makes of a file's root element.

    Raises:
        GraphFileError: the file is missing, damaged, unsafe, or of another kind.
    """
    try:
        return graph_of(ElementTree.parse(path).getroot())
    except (OSError, ParseError, DefusedXmlException, KeyError, ValueError, TypeError) as error:
        raise GraphFileError(f"cannot read {path}: {error}") from error
