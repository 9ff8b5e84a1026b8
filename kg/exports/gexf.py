"""GEXF 1.2, as Gephi and NetworkX read it.

Attributes are declared as in GraphML: boolean, long, double or string, of mixed kinds a string. Lists and
objects are JSON text under a key that ends in `-json`. None is left out. Edges have unique ids `e0`, `e1`, …;
the relation is their label and their attribute `type`; their weight is the number of papers that state them.

Limits: characters that XML 1.0 forbids are dropped, with one warning; the extraction records and the ledger
stay behind. Schema: https://gexf.net/1.2/gexf.xsd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

import networkx as nx

from kg.exports.xml_text import PARSERS, Attributes, Cleaner, labelled, node_ids, read_xml
from kg.store import Graph

__all__ = ["read", "write"]

_NAMESPACE = "http://www.gexf.net/1.2draft"
_HEAD = f"""<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="{_NAMESPACE}" version="1.2">
<meta><creator>paperkg</creator></meta>
<graph mode="static" defaultedgetype="directed">
"""
_JSON = "-json"


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    clean = Cleaner()
    nodes = Attributes("node", graph.nodes.values(), clean)
    edges = Attributes("edge", (data for *_, data in graph.edges(data=True)), clean)
    ids = node_ids(graph, clean)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(_HEAD)
        for attributes in (nodes, edges):
            stream.writelines(_declarations(attributes))
        stream.write("<nodes>\n")
        stream.writelines(_nodes(graph, nodes, ids, clean))
        stream.write("</nodes>\n<edges>\n")
        stream.writelines(_edges(graph, edges, ids, clean))
        stream.write("</edges>\n</graph>\n</gexf>\n")
    clean.warn()


def _declarations(attributes: Attributes) -> Iterator[str]:
    yield f'<attributes class="{attributes.domain}">\n'
    for key, name, kind in attributes.declared():
        declared = "string" if kind == "json" else kind
        yield f'<attribute id="{_id(key, kind)}" title={quoteattr(name)} type="{declared}"/>\n'
    yield "</attributes>\n"


def _id(key: str, kind: str) -> str:
    return f"{key}{_JSON}" if kind == "json" else key


def _attvalues(attributes: Attributes, row: Mapping[str, Any]) -> str:
    found = "".join(
        f'<attvalue for="{_id(key, kind)}" value={quoteattr(text)}/>'
        for key, kind, text in attributes.values(row)
    )
    return f"<attvalues>{found}</attvalues>"


def _nodes(graph: Graph, nodes: Attributes, ids: Mapping[str, str], clean: Cleaner) -> Iterator[str]:
    for node, data in graph.nodes.items():
        label = quoteattr(clean(str(labelled(data)["label"] or node)))
        yield f"<node id={quoteattr(ids[node])} label={label}>{_attvalues(nodes, data)}</node>\n"


def _edges(graph: Graph, edges: Attributes, ids: Mapping[str, str], clean: Cleaner) -> Iterator[str]:
    for index, (source, target, relation, data) in enumerate(graph.edges(keys=True, data=True)):
        ends = f"source={quoteattr(ids[source])} target={quoteattr(ids[target])}"
        shown = f"label={quoteattr(clean(str(relation)))}{_weight(data)}"
        yield f'<edge id="e{index}" {ends} {shown}>{_attvalues(edges, data)}</edge>\n'


def _weight(data: Mapping[str, Any]) -> str:
    papers = data.get("papers")
    return f' weight="{papers}"' if type(papers) is int else ""


def read(path: Path) -> Graph:
    """The graph of a file that `write` wrote.

    Raises:
        GraphFileError: the file is missing, damaged, or no GEXF.
    """
    return read_xml(path, _graph)


def _graph(root: Element | None) -> Graph:
    body = None if root is None else root.find(_tag("graph"))
    if body is None:
        raise ValueError("no graph element")
    keys = {}
    for item in body.iter(_tag("attribute")):
        kind = "json" if item.attrib["id"].endswith(_JSON) else item.attrib["type"]
        keys[item.attrib["id"]] = (item.attrib["title"], PARSERS[kind])
    graph: Graph = nx.MultiDiGraph()
    for node in body.iter(_tag("node")):
        graph.add_node(node.attrib["id"], **_values(node, keys))
    for edge in body.iter(_tag("edge")):
        ends = edge.attrib["source"], edge.attrib["target"]
        graph.add_edge(*ends, edge.attrib["label"], **_values(edge, keys))
    return graph


def _tag(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _values(element: Element, keys: Mapping[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    found = {}
    for item in element.iter(_tag("attvalue")):
        name, parse = keys[item.attrib["for"]]
        found[name] = parse(item.attrib["value"])
    return found
