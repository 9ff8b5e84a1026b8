"""GraphML, as Gephi, yEd, Cytoscape and NetworkX read it.

Every attribute is declared with one type for all nodes (edges) that have it: boolean, long, double or
string; of mixed kinds a string. Lists and objects are JSON text, declared by `<desc>json</desc>`. None is
left out. Edges have unique ids `e0`, `e1`, …; the relation is their attribute `type`. Every node has a
`label`, which Gephi shows. The schema wants ids without `/` and other signs: such a character is written
`_x002F_`, as Microsoft's `XmlConvert` does, and read back.

Limits: characters that XML 1.0 forbids are dropped, with one warning; the extraction records and the ledger
stay behind. Schema: http://graphml.graphdrawing.org/specification.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import networkx as nx

from kg.exports.xml_text import PARSERS, Attributes, Cleaner, labelled, node_ids, read_xml
from kg.store import Graph

__all__ = ["read", "write"]

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="{_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="{_NAMESPACE} {_NAMESPACE}/1.0/graphml.xsd">
"""
_GRAPH_ATTRIBUTES = ("extractor", "format")
_NO_TOKEN = re.compile(r"[^A-Za-z0-9.:_-]|_(?=x[0-9A-F]{4,6}_)")
_ENCODED = re.compile(r"_x([0-9A-F]{4,6})_")


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    about = {name: graph.graph[name] for name in _GRAPH_ATTRIBUTES if name in graph.graph}
    clean = Cleaner()
    nodes = Attributes("node", map(labelled, graph.nodes.values()), clean)
    edges = Attributes("edge", (data for *_, data in graph.edges(data=True)), clean)
    whole = Attributes("graph", [about], clean)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(_HEAD)
        for attributes in (whole, nodes, edges):
            stream.writelines(_declarations(attributes))
        stream.write(f'<graph id="G" edgedefault="directed">\n{_data(whole, about)}\n')
        ids = {node: _token(name) for node, name in node_ids(graph, clean).items()}
        stream.writelines(_elements(graph, nodes, edges, ids))
        stream.write("</graph>\n</graphml>\n")
    clean.warn()


def _declarations(attributes: Attributes) -> Iterator[str]:
    """The `<key>` elements."""
    for key, name, kind in attributes.declared():
        declared = "string" if kind == "json" else kind
        end = "><desc>json</desc></key>" if kind == "json" else "/>"
        head = f'<key id="{key}" for="{attributes.domain}" attr.name={quoteattr(name)}'
        yield f'{head} attr.type="{declared}"{end}\n'


def _data(attributes: Attributes, row: Mapping[str, Any]) -> str:
    """The `<data>` elements of one node or edge."""
    return "".join(
        f'<data key="{key}">{escape(text, {chr(13): "&#13;"})}</data>'
        for key, _, text in attributes.values(row)
    )


def _elements(graph: Graph, nodes: Attributes, edges: Attributes, ids: Mapping[str, str]) -> Iterator[str]:
    for node, data in graph.nodes.items():
        yield f'<node id="{ids[node]}">{_data(nodes, labelled(data))}</node>\n'
    for index, (source, target, data) in enumerate(graph.edges(data=True)):
        ends = f'source="{ids[source]}" target="{ids[target]}"'
        yield f'<edge id="e{index}" {ends}>{_data(edges, data)}</edge>\n'


def _token(text: str) -> str:
    """The text as an NMTOKEN of XML."""
    return _NO_TOKEN.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _text(token: str) -> str:
    """The inverse of `_token`."""
    return _ENCODED.sub(lambda match: chr(int(match[1], 16)), token)


def read(path: Path) -> Graph:
    """The graph of a file that `write` wrote.

    Raises:
        GraphFileError: the file is missing, damaged, or no GraphML.
    """
    return read_xml(path, _graph)


def _graph(root: Element | None) -> Graph:
    body = None if root is None else root.find(_tag("graph"))
    if root is None or body is None:
        raise ValueError("no graph element")
    keys = {}
    for key in root.iter(_tag("key")):
        kind = "json" if key.findtext(_tag("desc")) == "json" else key.attrib["attr.type"]
        keys[key.attrib["id"]] = (key.attrib["attr.name"], PARSERS[kind])
    graph: Graph = nx.MultiDiGraph()
    graph.graph.update(_values(body, keys))
    for node in body.iterfind(_tag("node")):
        values = _values(node, keys)
        if values.get("type") != "Paper":
            values.pop("label", None)
        graph.add_node(_text(node.attrib["id"]), **values)
    for edge in body.iterfind(_tag("edge")):
        values = _values(edge, keys)
        ends = _text(edge.attrib["source"]), _text(edge.attrib["target"])
        graph.add_edge(*ends, values.get("type"), **values)
    return graph


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _values(element: Element, keys: Mapping[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    found = {}
    for data in element.iterfind(_tag("data")):
        name, parse = keys[data.attrib["key"]]
        found[name] = parse(data.text or "")
    return found
