"""The network that is drawn, as pyvis builds it: nodes, edges and the options of vis-network.

pyvis is loaded when a page is made and not before, since it brings IPython along. Of what it can do, its
page, its files and its checks stay unused: `Network.add_edge` looks through all nodes for every edge.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from kg.lookup import display_name
from kg.store import Graph

__all__ = ["SHAPES", "build_network", "drawn_size", "label", "script", "shown_name"]

#: Shape of each type; those without a fill of their own (`viz/page/theme.js`) are told apart by it.
SHAPES: Mapping[str, str] = {
    "Paper": "square",
    "Method": "dot",
    "Task": "triangle",
    "Dataset": "diamond",
    "Metric": "triangleDown",
    "Term": "hexagon",
    "Repository": "star",
    "Author": "dot",
    "Venue": "square",
    "Other": "dot",
}

_LABEL_LIMIT = 40
_TOOLTIP_ALIASES = 5
_LARGEST_NODE, _WIDEST_EDGE = 42.0, 8.0
#: From so many edges on they vanish while the picture moves, so that it moves smoothly.
_MANY_EDGES = 2500

_OPTIONS: dict[str, Any] = {
    "autoResize": True,
    "nodes": {
        "borderWidth": 1,
        "borderWidthSelected": 3,
        "font": {"size": 0},
        "shapeProperties": {"interpolation": False},
    },
    "edges": {
        "smooth": False,
        "selectionWidth": 0.6,
        "hoverWidth": 0.6,
        "arrowStrikethrough": False,
        "arrows": {"to": {"enabled": True, "scaleFactor": 0.45}},
    },
    "layout": {"improvedLayout": False, "randomSeed": 7},
    "interaction": {
        "hover": True,
        "hoverConnectedEdges": False,
        "selectConnectedEdges": False,
        "tooltipDelay": 150,
        "keyboard": False,
        "zoomSpeed": 0.7,
    },
    "physics": {
        "enabled": False,
        "solver": "barnesHut",
        "barnesHut": {
            "gravitationalConstant": -4000,
            "springLength": 90,
            "springConstant": 0.02,
            "damping": 0.5,
        },
        "stabilization": {"enabled": False, "iterations": 200, "fit": False},
        "minVelocity": 1.5,
    },
}


def label(text: str) -> str:
    """A name on one line, cut to 40 characters.

    >>> label("A " + "very " * 20 + "long title")
    'A very very very very very very very…'
    """
    line = " ".join(text.split())
    if len(line) <= _LABEL_LIMIT:
        return line
    cut = line[: _LABEL_LIMIT - 1]
    return f"{cut[: cut.rfind(' ')] if cut.rfind(' ') > _LABEL_LIMIT // 2 else cut}…".replace(" …", "…")


def shown_name(graph: Graph, node: str) -> str:
    """What a node is called on the page: an address goes without its scheme, which says nothing."""
    name = display_name(graph, node)
    if graph.nodes[node]["type"] != "Repository":
        return name
    return name.removeprefix("https://").removeprefix("http://")


def drawn_size(data: Mapping[str, Any]) -> float:
    """Radius in pixels: the area grows with the number of papers."""
    papers = data.get("papers")
    if not isinstance(papers, int) or isinstance(papers, bool):
        return 8.0
    return round(min(5 + 3.4 * math.sqrt(max(papers, 0)), _LARGEST_NODE), 1)


def build_network(
    graph: Graph, *, places: Mapping[str, tuple[int, int]], more: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Nodes, edges and options as vis-network takes them.

    Args:
        graph: the graph of the page.
        places: where the nodes stand that are shown at first.
        more: properties of nodes besides those that are drawn.
    """
    from pyvis.edge import Edge
    from pyvis.network import Network
    from pyvis.node import Node

    net = Network(directed=True)
    net.nodes = [Node(**_node(graph, node, places), **more[node]).options for node in graph]
    bends: Counter[frozenset[str]] = Counter()
    for source, target, data in graph.edges(data=True):
        pair = frozenset((source, target))
        net.edges.append(Edge(source, target, **_edge(data, bends[pair])).options)
        bends[pair] += 1
    busy = len(net.edges) > _MANY_EDGES
    interaction = _OPTIONS["interaction"] | {"hideEdgesOnDrag": busy, "hideEdgesOnZoom": busy}
    net.set_options(json.dumps(_OPTIONS | {"interaction": interaction}))
    return {"nodes": net.nodes, "edges": net.edges, "options": net.options}


def _node(graph: Graph, node: str, places: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    data = graph.nodes[node]
    name = shown_name(graph, node)
    place = dict(zip("xy", places[node], strict=True)) if node in places else {}
    return {
        "n_id": node,
        "label": label(name),
        "title": _tooltip(name, data),
        "shape": SHAPES[data["type"]],
        "size": drawn_size(data),
        **place,
    }


def _tooltip(name: str, data: Mapping[str, Any]) -> str:
    """Plain text: name, type and papers, aliases."""
    papers = data.get("papers")
    count = f"{papers:,} {'paper' if papers == 1 else 'papers'}" if isinstance(papers, int) else ""
    told = (data["type"], count, data.get("venue"), data.get("year"))
    aliases = [str(alias) for alias in _texts(data.get("aliases"))[:_TOOLTIP_ALIASES]]
    lines = (name, " · ".join(str(part) for part in told if part), ", ".join(aliases))
    return "\n".join(line for line in lines if line)


def _texts(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _edge(data: Mapping[str, Any], bend: int) -> dict[str, Any]:
    """How an edge is drawn: wider with more papers; further edges of a pair are bent."""
    papers = data.get("papers")
    count = papers if isinstance(papers, int) and papers > 0 else 1
    weight = data.get("weight")
    if isinstance(weight, int | float) and weight > count:
        count = int(weight)
    drawn: dict[str, Any] = {"width": round(min(1 + math.log2(count), _WIDEST_EDGE), 2)}
    if bend:
        drawn["smooth"] = {"enabled": True, "type": "curvedCW", "roundness": round(min(0.14 * bend, 0.9), 2)}
    return drawn


def script() -> str:
    """vis-network with its licence, from pyvis' own files, without the address of its source map."""
    folder = resources.files("pyvis") / "lib" / "vis-9.1.2"
    text = (folder / "vis-network.min.js").read_text(encoding="utf-8")
    return text.partition("//# sourceMappingURL=")[0]
