"""From papers and what was read out of them to the graph.

What a paper gives to the graph is a pure function of it and of the names of its concepts (`kg.page`); here
that is summed. `assemble` is a pure function of the set of its papers: nodes and edges stand in sorted order,
whatever the order of the input. The graph carries its papers and extractions (`kg.records`), so that
`assemble(*records(graph))` gives the same graph, and papers can be added and removed with nothing but the
file.

In evidence, `start` and `end` are the offsets of `sentence` in the paper's text (title, newline, abstract);
they are null where a field of the input, not the text, is the evidence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import networkx as nx

from kg.corrections import correct
from kg.naming import Group, Name, Naming, name_corpus, paper_groups
from kg.page import Edge, Evidence, Page, PaperRows, closest_role
from kg.records import pack, records, rounded
from kg.rules import Rules, parse_rules
from kg.schema import CodeRole, Extraction, Paper
from kg.store import FORMAT, Graph

__all__ = [
    "assemble",
    "commonest",
    "concept_node",
    "named_records",
    "records",
    "repository_node",
    "rules_of",
    "spelled_node",
]

_T = TypeVar("_T", str, tuple[str, str, str, str])


def assemble(
    papers: Sequence[Paper],
    extractions: Sequence[Extraction],
    *,
    attributes: Mapping[str, Any] | None = None,
) -> Graph:
    """Builds the graph of some papers.

    Args:
        papers: distinct papers, as `kg.identity.merge_papers` gives them.
        extractions: what was read out of each, in the same order.
        attributes: how the graph is made, to be kept among its attributes; `rules` are what a person says of
            names and papers (`kg.rules.Rules.record`) and hold here.

    Raises:
        RulesError: the rules hold what is no rule.
        ValueError: there are not as many extractions as papers, or two papers have one id.
    """
    rules = parse_rules((attributes or {}).get("rules", {}))
    by_id = {pair[0].id: pair for pair in zip(papers, map(rounded, extractions), strict=True)}
    if len(by_id) < len(papers):
        raise ValueError("two papers have the same id; merge them first (kg.identity.merge_papers)")
    ids = sorted(by_id)
    pairs = [by_id[paper] for paper in ids]
    read = [correct(paper, extraction, rules) for paper, extraction in pairs]
    groups = [paper_groups(corrected.extraction, rules) for corrected in read]
    naming = name_corpus(groups, rules=rules)
    builder = _Builder(naming)
    for node, (paper, _), corrected, found in zip(ids, pairs, read, groups, strict=True):
        page = Page(node, paper, corrected, rules)
        builder.add(page.rows(found, naming.keys(found), naming))
    graph = builder.graph()
    graph.graph.update(attributes or {})
    graph.graph["format"] = FORMAT
    graph.graph["extractor"] = ", ".join(sorted({read.extractor for _, read in pairs} - {""}))
    graph.graph["merges"] = [merge._asdict() | {"type": merge.type.value} for merge in naming.merges]
    graph.graph["records"] = {paper: pack(*by_id[paper]) for paper in ids}
    return graph


def rules_of(graph: Graph) -> Rules:
    """The user's rules that a graph was built with.

    Raises:
        RulesError: they are damaged.
    """
    return parse_rules(graph.graph.get("rules", {}), file="the graph's rules")


def named_records(graph: Graph) -> list[tuple[Paper, Extraction, list[tuple[Group, Name]]]]:
    """The papers of a graph with what was read out of them, rules applied, and the concepts that it names.

    Raises:
        GraphFileError: the graph carries no records, or damaged ones.
        RulesError: its rules are damaged.
    """
    papers, extractions = records(graph)
    rules = rules_of(graph)
    read = [correct(*pair, rules).extraction for pair in zip(papers, extractions, strict=True)]
    groups = [paper_groups(extraction, rules) for extraction in read]
    naming = name_corpus(groups, rules=rules)
    return [
        (paper, extraction, naming.named(found))
        for paper, extraction, found in zip(papers, read, groups, strict=True)
    ]


class _Builder:
    """Sums the rows of papers, which come in the order of their ids, to the nodes and edges of the graph."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._papers: dict[str, dict[str, Any]] = {}
        self._edges: dict[Edge, list[Evidence]] = defaultdict(list)
        self._codes: dict[Edge, CodeRole] = {}
        self._concepts: Counter[str] = Counter()
        self._spellings: dict[str, Counter[str]] = defaultdict(Counter)
        self._links: dict[str, Counter[tuple[str, str, str, str]]] = defaultdict(Counter)

    def add(self, rows: PaperRows) -> None:
        """Adds what one paper gives."""
        self._papers[rows.id] = rows.node
        for edge, evidence in rows.edges.items():
            self._edges[edge] += evidence
        for edge, role in rows.codes.items():
            self._codes[edge] = closest_role((self._codes.get(edge, role), role))
        self._concepts.update(rows.concepts)
        for family in rows.families:
            self._concepts[family] += 0
        for node, spelling in rows.spellings:
            self._spellings[node][spelling] += 1
        for node, link in rows.links:
            self._links[node][link] += 1

    def graph(self) -> Graph:
        """The graph, with nodes and edges in sorted order."""
        names = self._naming.names
        nodes: dict[str, dict[str, Any]] = {
            **{names[key].id: concept_node(names[key], papers) for key, papers in self._concepts.items()},
            **self._papers,
            **{node: repository_node(commonest(links)) for node, links in self._links.items()},
            **{node: spelled_node(node, commonest(found)) for node, found in self._spellings.items()},
        }
        graph: Graph = nx.MultiDiGraph()
        graph.add_nodes_from((node, nodes[node]) for node in sorted(nodes))
        for edge in sorted(self._edges):
            source, target, relation = edge
            graph.add_edge(source, target, relation, **self._attributes(edge))
        return graph

    def _attributes(self, edge: Edge) -> dict[str, Any]:
        attributes: dict[str, Any] = {"type": edge[2]}
        if evidence := self._edges[edge]:
            attributes |= {
                "papers": len({item["paper"] for item in evidence}),
                "score": max(item["score"] for item in evidence),
                "evidence": evidence,
            }
        if edge in self._codes:
            attributes["role"] = self._codes[edge].value
        return attributes


def commonest(counts: Counter[_T]) -> _T:
    """What is counted most; of equals the first by code point."""
    return min(counts, key=lambda item: (-counts[item], item))


def concept_node(name: Name, papers: int) -> dict[str, Any]:
    """The node of a concept that so many papers use."""
    return {"type": name.type.value, "name": name.name, "aliases": list(name.aliases), "papers": papers}


def spelled_node(node: str, spelling: str) -> dict[str, Any]:
    """The node of an author or a venue in its commonest spelling."""
    return {"type": node.partition(":")[0].title(), "name": spelling}


def repository_node(link: tuple[str, str, str, str]) -> dict[str, Any]:
    """The node of a repository from the commonest form of its address: url, host, owner, name."""
    url, host, owner, name = link
    return {"type": "Repository", "name": name or url, "url": url, "host": host, "owner": owner or None}
