"""Folds one side of the graph away: papers into edges between concepts, or concepts into edges of papers.

How strongly a shared neighbour joins two nodes follows M. E. J. Newman, "Scientific collaboration networks.
II", Physical Review E 64 (2001): one that joins many says less of each pair. The strength only chooses which
edges stay; what an edge shows is the plain count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import networkx as nx

from kg.lookup import CONCEPT_TYPES
from kg.store import Graph

__all__ = ["fold"]

#: Every node keeps this many of its strongest edges: all pairs of a paper's concepts would be a tangle.
_STRONGEST = 5
#: A neighbour of more nodes than this joins nothing in particular.
_WIDEST = 200

_Pair = tuple[str, str]


def fold(graph: Graph, mode: str) -> Graph:
    """The graph of a mode: `concepts` and `papers` are folded, all others stay as they are."""
    if mode == "concepts":
        return _folded(graph, CONCEPT_TYPES, ("Paper",), "TOGETHER_IN")
    if mode == "papers":
        return _folded(graph, ("Paper",), CONCEPT_TYPES, "SHARES")
    return graph


def _folded(graph: Graph, kept: Iterable[str], folded: Iterable[str], relation: str) -> Graph:
    kept, folded = set(kept), set(folded)
    result: Graph = nx.MultiDiGraph()
    result.add_nodes_from((node, data) for node, data in graph.nodes(data=True) if data["type"] in kept)
    for source, target, key, data in graph.edges(keys=True, data=True):
        if source in result and target in result:
            result.add_edge(source, target, key, **data)
    shared = _shared(graph, result, [node for node, data in graph.nodes(data=True) if data["type"] in folded])
    strength = {pair: sum(share for _, share in via) for pair, via in shared.items()}
    for source, target in sorted(_backbone(strength)):
        via = [node for node, _ in shared[source, target]]
        evidence = [_witness(graph, source, target, node) for node in via]
        result.add_edge(source, target, relation, type=relation, papers=len(via), evidence=evidence)
    return result


def _shared(graph: Graph, kept: Graph, folded: Iterable[str]) -> dict[_Pair, list[tuple[str, float]]]:
    """For each pair of kept nodes the folded ones between them, each with its share."""
    shared: dict[_Pair, list[tuple[str, float]]] = defaultdict(list)
    for node in folded:
        around = sorted({other for other in nx.all_neighbors(graph, node) if other in kept})
        if 2 <= len(around) <= _WIDEST:
            for pair in combinations(around, 2):
                shared[pair].append((node, 1 / (len(around) - 1)))
    return shared


def _backbone(strength: Mapping[_Pair, float]) -> set[_Pair]:
    """The strongest pairs of each node."""
    mine: dict[str, list[_Pair]] = defaultdict(list)
    for pair in strength:
        for node in pair:
            mine[node].append(pair)
    return {
        pair
        for pairs in mine.values()
        for pair in sorted(pairs, key=lambda pair: (-strength[pair], pair))[:_STRONGEST]
    }


def _witness(graph: Graph, source: str, target: str, via: str) -> dict[str, Any]:
    """What shows that `via` joins two nodes: of a paper a sentence that has both, if there is one."""
    if graph.nodes[via]["type"] != "Paper":
        return {"concept": via, "sentence": graph.nodes[via]["name"], "paper": ""}
    first, second = _sentences(graph, via, source), _sentences(graph, via, target)
    common = [item for item in first if item.get("sentence") in {other.get("sentence") for other in second}]
    return common[0] if common else {"paper": via, "sentence": ""}


def _sentences(graph: Graph, paper: str, concept: str) -> list[dict[str, Any]]:
    edges = graph.get_edge_data(paper, concept) or {}
    return [item for data in edges.values() for item in data.get("evidence") or () if item.get("sentence")]
