"""Communities of the nodes that are shown, and what to call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx

from kg.lookup import CONCEPT_TYPES
from kg.store import Graph

__all__ = ["Community", "communities"]

_SEED = 7
#: So many communities have a colour of their own; the small ones share grey.
_LARGEST = 8
_NAMES = 3


@dataclass(frozen=True, slots=True)
class Community:
    """Nodes that are joined among themselves more than with others; `name` is that of its best concepts."""

    name: str
    nodes: Sequence[str]


def communities(graph: Graph, order: Sequence[str]) -> list[Community]:
    """The largest communities of the nodes in `order` (best connected first), the largest first.

    Method: V. D. Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. (2008).
    """
    simple: nx.Graph[str] = nx.Graph()
    simple.add_nodes_from(sorted(order))
    for source, target, data in sorted(graph.edges(data=True), key=lambda edge: edge[:2]):
        if source in simple and target in simple and source != target:
            before = simple.get_edge_data(source, target, {"weight": 0})["weight"]
            simple.add_edge(source, target, weight=before + (data.get("papers") or 1))
    rank = {node: index for index, node in enumerate(order)}
    found = [
        sorted(group, key=rank.__getitem__) for group in nx.community.louvain_communities(simple, seed=_SEED)
    ]
    largest = sorted((group for group in found if len(group) > 1), key=lambda group: (-len(group), group))
    return [Community(_name(graph, group), group) for group in largest[:_LARGEST]]


def _name(graph: Graph, nodes: Sequence[str]) -> str:
    concepts = [node for node in nodes if graph.nodes[node]["type"] in CONCEPT_TYPES]
    return " · ".join(str(graph.nodes[node]["name"]) for node in (concepts or nodes)[:_NAMES])
