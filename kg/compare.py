"""Comparing nodes: why they are tied, how they connect, what is alike, what rises, what is missing.

Pure functions over the NetworkX graph; nothing prints. Weights follow one idea: what few papers have tells
more than what many have (inverse document frequency, Spärck Jones 1972); similarity is the cosine of such
weights (Salton, Wong and Yang 1975).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx

from kg.errors import NotFoundError
from kg.lookup import CONCEPT_TYPES, display_name

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["Edge", "Gap", "Similar", "Trend", "gaps", "path", "similar", "trends", "why"]

#: A concept that a larger part of the papers has tells nothing about what is similar.
_COMMON = 0.2
#: In smaller graphs every concept counts.
_FEW_PAPERS = 50
_REASONS = 5
#: So many of the methods that most papers have are compared with each other when gaps are looked for.
_POOL = 1000
#: The more tasks two methods share, the more their likeness counts: k shared ones as (k / (k + this))².
_SURE = 2


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge between two nodes with its evidence, the best first."""

    source: str
    relation: str
    target: str
    evidence: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Similar:
    """A node that is like another one, how much (0 to 1), and the shared concepts that make it so."""

    node: str
    score: float
    shared: Sequence[str]


@dataclass(frozen=True, slots=True)
class Trend:
    """How many papers of each year have a concept, and how its share changed over the years.

    `change` is the share of papers in the later half minus that in the earlier half, in percentage points.
    """

    node: str
    years: Mapping[int, int]
    change: float


@dataclass(frozen=True, slots=True)
class Gap:
    """A method and a task that no paper brings together, and who suggests that one could.

    `neighbours` are methods that share `tasks` with the method and are used for the missing task.
    """

    method: str
    task: str
    score: float
    neighbours: Sequence[str]
    tasks: Sequence[str]


def why(graph: Graph, one: str, other: str) -> list[Edge]:
    """Every edge between two nodes, in either direction, with its evidence."""
    pairs = ((one, other), (other, one))
    return [
        Edge(source, str(relation), target, _best(data))
        for source, target in pairs
        for relation, data in sorted((graph.get_edge_data(source, target) or {}).items())
    ]


def _best(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The evidence of an edge, the surest first."""
    return sorted(data.get("evidence", ()), key=_weakness)


def _weakness(item: Mapping[str, Any]) -> tuple[float, str, int]:
    return -(item.get("score") or 0), str(item.get("paper")), item.get("start") or 0


def path(graph: Graph, one: str, other: str) -> list[Edge]:
    """The shortest way between two nodes, whatever the direction of its edges; one edge for each step.

    Among ways of equal length it takes the one over nodes that fewer others are tied to.

    Raises:
        NotFoundError: nothing connects them.
    """
    size = graph.number_of_nodes() or 1

    def cost(_: str, node: str, __: object) -> float:
        return 1 + math.log1p(graph.degree(node)) / (size * 100)

    try:
        nodes = nx.bidirectional_dijkstra(graph.to_undirected(as_view=True), one, other, weight=cost)[1]
    except nx.NetworkXNoPath:
        names = f"{display_name(graph, one)!r} and {display_name(graph, other)!r}"
        raise NotFoundError(f"nothing connects {names}") from None
    return [_strongest(why(graph, *step)) for step in pairwise(nodes)]


def _strongest(edges: Sequence[Edge]) -> Edge:
    return min(edges, key=lambda edge: (-len(edge.evidence), edge.relation, edge.source))


class _Corpus:
    """Which paper has which concept, both ways, and what a concept weighs."""

    def __init__(self, graph: Graph) -> None:
        self.concepts: dict[str, set[str]] = {}
        self.papers: dict[str, set[str]] = defaultdict(set)
        self.types = {node: str(data.get("type")) for node, data in graph.nodes.items()}
        for node, kind in self.types.items():
            if kind == "Paper":
                found = {target for _, target in graph.out_edges(node) if self.types[target] in CONCEPT_TYPES}
                self.concepts[node] = found
                for concept in found:
                    self.papers[concept].add(node)

    def weight(self, concept: str) -> float:
        """The rarer, the more; nothing for what too many papers have."""
        count, known = len(self.concepts), len(self.papers[concept])
        if count > _FEW_PAPERS and known > _COMMON * count:
            return 0.0
        return math.log(1 + count / known) if known else 0.0

    def profile(self, node: str) -> dict[str, float]:
        """The concepts that tell what a paper is about, or in what company a concept stands, with weights."""
        if self.types[node] == "Paper":
            return {concept: self.weight(concept) for concept in self.concepts[node]}
        beside = Counter(concept for paper in self.papers[node] for concept in self.concepts[paper])
        del beside[node]
        return {concept: self.weight(concept) * (1 + math.log(count)) for concept, count in beside.items()}

    def candidates(self, node: str, profile: Iterable[str]) -> set[str]:
        """Nodes of the same type that share something of a profile."""
        papers = {paper for concept in profile for paper in self.papers[concept]}
        if self.types[node] == "Paper":
            return papers - {node}
        kind = self.types[node]
        return {
            concept for paper in papers for concept in self.concepts[paper] if self.types[concept] == kind
        } - {node}


def similar(graph: Graph, node: str, *, limit: int = 10) -> list[Similar]:
    """The papers most like a paper, or the concepts of the same type most like a concept.

    Papers are compared by their concepts, concepts by the concepts that stand beside them in papers; each
    weighs the more, the fewer papers have it.

    Raises:
        NotFoundError: the node is neither a paper nor a concept.
    """
    corpus = _Corpus(graph)
    if corpus.types[node] not in ("Paper", *CONCEPT_TYPES):
        raise NotFoundError(f"{display_name(graph, node)!r} is neither a paper nor a concept")
    own = {concept: weight for concept, weight in corpus.profile(node).items() if weight > 0}
    found = []
    for other in sorted(corpus.candidates(node, own)):
        theirs = corpus.profile(other)
        shared = {concept: own[concept] * theirs[concept] for concept in own.keys() & theirs.keys()}
        score = sum(shared[concept] for concept in sorted(shared)) / (_length(own) * _length(theirs) or 1)
        if score > 0:
            reasons = sorted(shared, key=lambda concept: (-shared[concept], concept))[:_REASONS]
            found.append(Similar(other, round(score, 4), tuple(reasons)))
    return sorted(found, key=lambda item: (-item.score, item.node))[:limit]


def _length(weights: Mapping[str, float]) -> float:
    return math.sqrt(sum(weights[concept] ** 2 for concept in sorted(weights)))


def trends(graph: Graph, *, type: str | None = None, least: int = 2, limit: int = 20) -> list[Trend]:
    """The concepts whose share of papers changed most over the years, rising ones first; none in one year.

    Args:
        graph: the graph; papers without a year do not count.
        type: only concepts of this type.
        least: only concepts of at least so many papers with a year.
        limit: at most so many.
    """
    years = {
        node: data["year"]
        for node, data in graph.nodes.items()
        if data.get("type") == "Paper" and isinstance(data.get("year"), int)
    }
    totals = Counter(years.values())
    later = _later_years(totals)
    if not later:
        return []
    earlier = totals.keys() - later
    corpus = _Corpus(graph)
    found = []
    for concept, papers in sorted(corpus.papers.items()):
        counts = Counter(years[paper] for paper in papers if paper in years)
        if counts.total() >= least and type in (None, corpus.types[concept]):
            change = _share(counts, totals, later) - _share(counts, totals, earlier)
            found.append(Trend(concept, dict(sorted(counts.items())), round(100 * change, 2)))
    strongest = sorted(found, key=lambda trend: (-abs(trend.change), trend.node))[:limit]
    return sorted(strongest, key=lambda trend: (-trend.change, trend.node))


def _later_years(totals: Mapping[int, int]) -> set[int]:
    """The later half of the years, by papers; none if all papers are of one year."""
    half, seen = sum(totals.values()) / 2, 0
    later: set[int] = set()
    for year in sorted(totals, reverse=True)[:-1]:
        if later and seen + totals[year] > half:
            break
        later.add(year)
        seen += totals[year]
    return later


def _share(counts: Mapping[int, int], totals: Mapping[int, int], years: Iterable[int]) -> float:
    chosen = sorted(years)
    total = sum(totals[year] for year in chosen)
    return sum(counts.get(year, 0) for year in chosen) / total if total else 0.0


def gaps(graph: Graph, *, least: int = 2, limit: int = 20) -> list[Gap]:
    """Pairs of a method and a task that no paper brings together although their neighbours suggest it.

    A method's neighbours are the methods that papers bring together with the same tasks (item-based
    collaborative filtering, Sarwar and others 2001). A pair scores high if near neighbours are used for the
    task; tasks that many methods are used for count less.

    Args:
        graph: the graph.
        least: only methods and tasks of at least so many papers.
        limit: at most so many pairs.
    """
    corpus = _Corpus(graph)
    tasks_of = _tasks_of(graph, corpus, least)
    methods_of: dict[str, set[str]] = defaultdict(set)
    for method, tasks in tasks_of.items():
        for task in tasks:
            methods_of[task].add(method)
    weights = {task: math.log(1 + len(tasks_of) / len(methods)) for task, methods in methods_of.items()}
    lengths = {
        method: math.sqrt(sum(weights[task] ** 2 for task in sorted(tasks)))
        for method, tasks in tasks_of.items()
    }
    found = [
        gap
        for method in sorted(tasks_of)
        for gap in _gaps_of(method, tasks_of, methods_of, weights, lengths)
        if not corpus.papers[method] & corpus.papers[gap.task]
    ]
    return sorted(found, key=lambda gap: (-gap.score, gap.method, gap.task))[:limit]


def _tasks_of(graph: Graph, corpus: _Corpus, least: int) -> dict[str, set[str]]:
    """The tasks that papers bring together with each method, or that a text says it is used for."""
    often = {
        kind: {
            node
            for node, papers in corpus.papers.items()
            if corpus.types[node] == kind and len(papers) >= least
        }
        for kind in ("Method", "Task")
    }
    pool = sorted(often["Method"], key=lambda node: (-len(corpus.papers[node]), node))[:_POOL]
    found = {}
    for method in pool:
        beside = {concept for paper in corpus.papers[method] for concept in corpus.concepts[paper]}
        stated = {target for _, target, key in graph.out_edges(method, keys=True) if key == "USED_FOR"}
        if tasks := (beside | stated) & often["Task"]:
            found[method] = tasks
    return found


def _gaps_of(
    method: str,
    tasks_of: Mapping[str, set[str]],
    methods_of: Mapping[str, set[str]],
    weights: Mapping[str, float],
    lengths: Mapping[str, float],
) -> Iterator[Gap]:
    """The tasks that a method's neighbours are used for and the method is not."""
    own = tasks_of[method]
    near: dict[str, float] = {}
    for neighbour in sorted({other for task in own for other in methods_of[task]} - {method}):
        both = sorted(own & tasks_of[neighbour])
        alike = sum(weights[task] ** 2 for task in both) / (lengths[method] * lengths[neighbour])
        near[neighbour] = alike * (len(both) / (len(both) + _SURE)) ** 2
    scores: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for neighbour, closeness in near.items():
        for task in tasks_of[neighbour] - own:
            scores[task].append((-closeness, neighbour))
    for task, found in scores.items():
        closest = [neighbour for _, neighbour in sorted(found)[:_REASONS]]
        shared_tasks = sorted(
            set().union(*(own & tasks_of[neighbour] for neighbour in closest)),
            key=lambda shared: (-weights[shared], shared),
        )
        score = -sum(closeness for closeness, _ in sorted(found)) / math.sqrt(len(found))
        yield Gap(method, task, round(score, 4), tuple(closest), tuple(shared_tasks[:_REASONS]))
