"""GraphML, as Gephi, yEd, Cytoscape and NetworkX read it.

Every attribute is declared with one type for all nodes (edges) that have it: boolean, long, double or
string; of mixed kinds a string. Lists and objects are JSON text, declared by `<desc>json</desc>`. None is
left out. Edges have unique ids `e0`, `e1`, …; the relation is their attribute `type`. Every node has a
`label`, which Gephi shows.

Limits: characters that XML 1.0 forbids are dropped, with one warning; the extraction records and the ledger
stay behind. Schema: http://graphml.graphdrawing.org/specification.html.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape, quoteattr

import networkx as nx
import orjson
from defusedxml import DefusedXmlException, ElementTree

from kg.errors import GraphFileError
from kg.exports.tables import Cell, cell
from kg.store import Graph

__all__ = ["read", "write"]

_LOG = logging.getLogger("kg.exports")
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="{_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="{_NAMESPACE} {_NAMESPACE}/1.0/graphml.xsd">
"""
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONG = 2**63
_GRAPH_ATTRIBUTES = ("extractor", "format")
_PARSERS: Mapping[str, Callable[[str], Any]] = {
    "boolean": "true".__eq__,
    "double": float,
    "json": orjson.loads,
    "long": int,
    "string": str,
}


class _Cleaner:
    """Takes out the characters that XML 1.0 forbids, and counts the texts that had any."""

    def __init__(self) -> None:
        self.dropped = 0

    def __call__(self, text: str) -> str:
        cleaned = _FORBIDDEN.sub("", text)
        self.dropped += cleaned != text
        return cleaned


class _Attributes:
    """The declared attributes of nodes, edges or the graph: a key and a kind for each name."""

    def __init__(self, domain: str, rows: Iterable[Mapping[str, Any]], clean: _Cleaner) -> None:
        self.domain = domain
        self.clean = clean
        kinds: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for name, value in row.items():
                if cell(value) is not None:
                    kinds[name].add(_kind(value))
        self.kinds = {name: _common(kinds[name]) for name in sorted(kinds)}
        self.keys = {name: f"{domain[0]}{index}" for index, name in enumerate(self.kinds)}

    def declarations(self) -> Iterator[str]:
        """The `<key>` elements."""
        for name, kind in self.kinds.items():
            head = f'<key id="{self.keys[name]}" for="{self.domain}" attr.name={quoteattr(self.clean(name))}'
            declared = "string" if kind == "json" else kind
            end = "><desc>json</desc></key>" if kind == "json" else "/>"
            yield f'{head} attr.type="{declared}"{end}\n'

    def data(self, row: Mapping[str, Any]) -> str:
        """The `<data>` elements of one node or edge."""
        return "".join(
            f'<data key="{self.keys[name]}">{self._text(row[name], kind)}</data>'
            for name, kind in self.kinds.items()
            if cell(row.get(name)) is not None
        )

    def _text(self, value: Any, kind: str) -> str:
        return escape(self.clean(_written(value, kind)), {"\r": "&#13;"})


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
    return str(float(written)) if kind == "double" and written is not None else str(written)


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    about = {name: graph.graph[name] for name in _GRAPH_ATTRIBUTES if name in graph.graph}
    clean = _Cleaner()
    nodes = _Attributes("node", (_labelled(data) for data in graph.nodes.values()), clean)
    edges = _Attributes("edge", (data for *_, data in graph.edges(data=True)), clean)
    whole = _Attributes("graph", [about], clean)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(_HEAD)
        for attributes in (whole, nodes, edges):
            stream.writelines(attributes.declarations())
        stream.write(f'<graph id="G" edgedefault="directed">\n{whole.data(about)}\n')
        stream.writelines(_elements(graph, nodes, edges))
        stream.write("</graph>\n</graphml>\n")
    if clean.dropped:
        _LOG.warning("characters that XML forbids were dropped from %d texts", clean.dropped)


def _labelled(data: Mapping[str, Any]) -> dict[str, Any]:
    label = data.get("label") or data.get("name")
    return {**data, "label": label}


def _elements(graph: Graph, nodes: _Attributes, edges: _Attributes) -> Iterator[str]:
    ids = _node_ids(graph, nodes.clean)
    for node, data in graph.nodes.items():
        yield f"<node id={quoteattr(ids[node])}>{nodes.data(_labelled(data))}</node>\n"
    for index, (source, target, data) in enumerate(graph.edges(data=True)):
        ends = f"source={quoteattr(ids[source])} target={quoteattr(ids[target])}"
        yield f'<edge id="e{index}" {ends}>{edges.data(data)}</edge>\n'


def _node_ids(graph: Graph, clean: _Cleaner) -> dict[str, str]:
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


def read(path: Path) -> Graph:
    """The graph of a file that `write` wrote.

    Raises:
        GraphFileError: the file is missing, damaged, or no GraphML.
    """
    try:
        return _graph(ElementTree.parse(path).getroot())
    except (OSError, ParseError, DefusedXmlException, KeyError, ValueError, TypeError) as error:
        raise GraphFileError(f"cannot read {path}: {error}") from error


def _graph(root: Element | None) -> Graph:
    body = None if root is None else root.find(_tag("graph"))
    if root is None or body is None:
        raise ValueError("no graph element")
    keys = {}
    for key in root.iter(_tag("key")):
        kind = "json" if key.findtext(_tag("desc")) == "json" else key.attrib["attr.type"]
        keys[key.attrib["id"]] = (key.attrib["attr.name"], _PARSERS[kind])
    graph: Graph = nx.MultiDiGraph()
    graph.graph.update(_values(body, keys))
    for node in body.iterfind(_tag("node")):
        values = _values(node, keys)
        if values.get("type") != "Paper":
            values.pop("label", None)
        graph.add_node(node.attrib["id"], **values)
    for edge in body.iterfind(_tag("edge")):
        values = _values(edge, keys)
        graph.add_edge(edge.attrib["source"], edge.attrib["target"], values.get("type"), **values)
    return graph


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _values(element: Element, keys: Mapping[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    found = {}
    for data in element.iterfind(_tag("data")):
        name, parse = keys[data.attrib["key"]]
        found[name] = parse(data.text or "")
    return found
