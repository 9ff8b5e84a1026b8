"""What is on the page: which nodes, which of them are shown at first, and what is left out.

Nodes are ranked by how many relations they have; bibliographic nodes (authors, venues) come along but start
switched off, because they outnumber everything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from kg.lookup import NODE_TYPES, find
from kg.store import Graph, plain
from viz.folding import fold

__all__ = ["OFF_TYPES", "Choice", "Selection", "normalize", "ranked", "select", "years_of"]

#: Types that are on the page but not shown until they are asked for.
OFF_TYPES = ("Author", "Venue")
#: So many nodes are on the page at most, hidden ones among them: they bound the size of the file.
_CARRIED = 10_000
_UNTYPED = "Other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the user wants to see; see `viz.view`. `mode` is all, papers, concepts or timeline."""

    focus: str | None = None
    depth: int = 1
    nodes: Collection[str] | None = None
    types: Collection[str] = ()
    mode: str = "all"
    community: bool = False
    top: int = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The graph of the page; `shown` and `off` are node ids, best connected first.

    `focus` is the node to open with. `off` are nodes whose type is switched off at first, `absent` counts
    the nodes that the view would hold but the page does not. `undated` ones have no year.
    """

    graph: Graph
    shown: Sequence[str]
    off: Sequence[str]
    focus: str | None
    absent: int
    undated: int


def normalize(graph: Any) -> Graph:
    """A copy that holds text ids, types, names, and values that JSON has, whatever NetworkX graph comes in.

    Ids without a type in front get one: the dataset `2014` becomes `dataset:2014`.
    """
    clean: Graph = nx.MultiDiGraph(**graph.graph)
    ids: dict[Any, str] = {}
    for node, data in sorted(graph.nodes(data=True), key=lambda item: str(item[0])):
        ids[node] = _free_id(_text_id(node, data), clean)
        name = data.get("name") or data.get("label") or ids[node].partition(":")[2]
        values = {**_plain(data), "type": _type(node, data), "name": str(plain(name))}
        clean.add_node(ids[node], **values)
    edges = graph.edges(keys=True, data=True) if graph.is_multigraph() else graph.edges(data=True)
    found = []
    for source, target, *key, data in edges:
        relation = str(plain(data.get("type") or (key[0] if key and isinstance(key[0], str) else "RELATED")))
        found.append((ids[source], ids[target], relation, {**_plain(data), "type": relation}))
    for first, second, relation, values in sorted(found, key=lambda edge: edge[:3]):
        free = None if clean.has_edge(first, second, relation) else relation
        clean.add_edge(first, second, free, **values)
    return clean


def _plain(data: dict[Any, Any]) -> dict[str, Any]:
    return {str(name): plain(value) for name, value in data.items()}


def _type(node: object, data: dict[str, Any]) -> str:
    given = str(data.get("type") or (node[0] if isinstance(node, tuple) and node else "")).strip()
    known = {kind.casefold(): kind for kind in NODE_TYPES}
    return known.get(given.casefold(), _UNTYPED)


def _text_id(node: object, data: dict[str, Any]) -> str:
    parts = node if isinstance(node, tuple) else (node,)
    text = ":".join(str(plain(part)) for part in parts)
    return text if ":" in text else f"{_type(node, data).casefold()}:{text}"


def _free_id(text: str, graph: Graph) -> str:
    number, free = 2, text
    while free in graph:
        free, number = f"{text}-{number}", number + 1
    return free


def years_of(graph: Graph) -> dict[str, list[int]]:
    """The years of each node: a paper's own, any other's those of the papers around it."""
    years: dict[str, set[int]] = defaultdict(set)
    for node, data in graph.nodes(data=True):
        year = data.get("year")
        if isinstance(year, int):
            years[node].add(year)
            for other in nx.all_neighbors(graph, node):
                if data["type"] == "Paper" and graph.nodes[other]["type"] != "Paper":
                    years[other].add(year)
    return {node: sorted(years[node]) for node in graph}


def ranked(graph: Graph) -> list[str]:
    """All nodes, those with most relations first; papers and id decide between equals."""

    def weight(node: str) -> tuple[int, int, str]:
        papers = graph.nodes[node].get("papers")
        return -graph.degree(node), -papers if isinstance(papers, int) else 0, node

    return sorted(graph, key=weight)


def select(graph: Graph, choice: Choice) -> Selection:
    """Chooses nodes and edges of a normalised graph.

    Raises:
        NotFoundError: nothing in the graph is called `choice.focus`.
    """
    focus = None if choice.focus is None else find(graph, choice.focus)
    kept: Iterable[str] = graph
    if focus is not None:
        kept = nx.ego_graph(graph.to_undirected(as_view=True), focus, radius=choice.depth)
    if choice.nodes is not None:
        wanted = set(choice.nodes)
        kept = (node for node in kept if node in wanted)
    whole = fold(_induced(graph, kept), choice.mode)
    types = set(choice.types)
    if types:
        whole = _induced(whole, (n for n, data in whole.nodes(data=True) if data["type"] in types))
    undated = 0
    if choice.mode == "timeline":
        whole, undated = _dated(graph, whole, types or {"Method"})
    return _cut(whole, choice, focus if focus in whole else None, undated)


def _induced(graph: Graph, nodes: Iterable[str]) -> Graph:
    """The part of a graph with these nodes, in the order of the graph."""
    wanted = set(nodes)
    part: Graph = nx.MultiDiGraph()
    part.add_nodes_from((node, data) for node, data in graph.nodes(data=True) if node in wanted)
    for source, target, key, data in graph.edges(keys=True, data=True):
        if source in wanted and target in wanted:
            part.add_edge(source, target, key, **data)
    return part


def _dated(graph: Graph, part: Graph, types: Collection[str]) -> tuple[Graph, int]:
    """The nodes of some types that have a year, with it, and how many have none."""
    years = years_of(graph)
    nodes = [node for node, data in part.nodes(data=True) if data["type"] in types]
    dated = _induced(part, (node for node in nodes if years[node]))
    nx.set_node_attributes(dated, {node: _first_year(graph, node, years[node]) for node in dated}, "first")
    return dated, len(nodes) - len(dated)


def _first_year(graph: Graph, node: str, years: Sequence[int]) -> int:
    """The year of the paper that proposes a method, else of the first that names it."""
    proposed = [
        graph.nodes[paper].get("year")
        for paper, _, data in graph.in_edges(node, data=True)
        if data["type"] == "PROPOSES"
    ]
    return min((year for year in proposed if isinstance(year, int)), default=years[0])


def _cut(graph: Graph, choice: Choice, focus: str | None, undated: int) -> Selection:
    off_types = set(OFF_TYPES) - set(choice.types)
    content = _induced(graph, (n for n, data in graph.nodes(data=True) if data["type"] not in off_types))
    order = ranked(content)
    if focus is not None and focus in content:
        order.remove(focus)
        order.insert(0, focus)
    shown = order[: choice.top]
    near = {other for node in shown for other in nx.all_neighbors(graph, node)}
    rest = [node for node in ranked(graph) if node not in content]
    off = [node for node in rest if node in near or node == focus][: choice.top]
    carried = [*shown, *off]
    hidden = [node for node in (*order[choice.top :], *rest) if node not in set(off)]
    carried += hidden[: max(0, _CARRIED - len(carried))]
    return Selection(
        graph=_induced(graph, carried),
        shown=shown,
        off=off,
        focus=focus,
        absent=len(graph) - len(carried),
        undated=undated,
    )
