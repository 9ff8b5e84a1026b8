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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from sys import intern
from typing import Any, TypeVar

import networkx as nx

from kg.corrections import correct
from kg.naming import Group, Name, Naming, name_corpus, name_sums, paper_groups
from kg.page import Edge, Evidence, Page, PaperRows, closest_role
from kg.records import Records, records
from kg.rules import Rules, parse_rules
from kg.schema import CodeRole, Extraction, Paper
from kg.store import FORMAT, Graph, no_collection
from kg.tally import Tally, pack_groups, unpack_groups

__all__ = [
    "Sums",
    "assemble",
    "commonest",
    "concept_node",
    "named_records",
    "records",
    "repository_node",
    "rules_of",
    "spelled_node",
    "sum_up",
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
    pairs = sorted(zip(papers, extractions, strict=True), key=lambda pair: pair[0].id)
    return sum_up(pairs, attributes=attributes).graph()


def sum_up(pairs: Iterable[tuple[Paper, Extraction]], *, attributes: Mapping[str, Any] | None = None) -> Sums:
    """Sums up papers, taken one by one in the order of their ids, for a graph or its file: see `assemble`.

    Of what was read out of a paper no more is kept than its record and its concepts: the record is opened
    once more when all names are known.

    Raises:
        RulesError: the rules hold what is no rule.
        ValueError: two papers have one id.
    """
    with no_collection():
        return _summed_up(pairs, attributes or {})


def _summed_up(pairs: Iterable[tuple[Paper, Extraction]], attributes: Mapping[str, Any]) -> Sums:
    rules = parse_rules(attributes.get("rules", {}))
    read, counts = _Read(rules), Tally()
    for paper, extraction in pairs:
        counts.add(read.add(paper, extraction))
    counts.find_activities()
    naming = name_sums(counts, read.keys, lambda place: read.open(place)[1], rules=rules)
    del counts  # which are large, and so will be the graph
    sums = Sums(read.records, naming, attributes)
    for place in range(len(read.keys)):
        page, groups = read.open(place)
        sums.add(page.rows(groups, naming.keys(groups), naming))
    return sums


class _Read:
    """Papers as they were read, with their concepts; packed, so that of many papers one is open at a time."""

    def __init__(self, rules: Rules) -> None:
        self.records = Records()
        self.keys: list[list[str]] = []
        self._rules = rules
        self._nodes: list[str] = []
        self._groups: list[bytes] = []

    def add(self, paper: Paper, extraction: Extraction) -> list[Group]:
        """Adds a paper; gives its concepts."""
        node = paper.id
        self._nodes.append(node)
        exact = correct(paper, self.records.add(node, paper, extraction), self._rules).extraction
        groups = paper_groups(exact, self._rules)
        self.keys.append([intern(group.key) for group in groups])
        self._groups.append(pack_groups(groups, exact.concepts))
        return groups

    def open(self, place: int) -> tuple[Page, list[Group]]:
        """The page and the groups of a paper."""
        node = self._nodes[place]
        paper, extraction = self.records.pair(node)
        corrected = correct(paper, extraction, self._rules)
        groups = unpack_groups(self._groups[place], corrected.extraction.concepts)
        return Page(node, paper, corrected, self._rules), groups


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


class Sums:
    """The graph before it is one: sums over papers, and its nodes and edges in sorted order.

    Args:
        kept: the papers and what was read out of them.
        naming: the names of their concepts.
        attributes: how the graph is made.
    """

    def __init__(self, kept: Records, naming: Naming, attributes: Mapping[str, Any]) -> None:
        self.records = kept
        self._naming = naming
        self._made = attributes
        self._papers: dict[str, dict[str, Any]] = {}
        self._edges: dict[Edge, list[Evidence]] = defaultdict(list)
        self._codes: dict[Edge, CodeRole] = {}
        self._concepts: Counter[str] = Counter()
        self._spellings: dict[str, Counter[str]] = defaultdict(Counter)
        self._links: dict[str, Counter[tuple[str, str, str, str]]] = defaultdict(Counter)

    def add(self, rows: PaperRows) -> None:
        """Adds what one paper gives; papers come in the order of their ids."""
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

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes of the graph; its records are packed."""
        return {
            **self._made,
            "format": FORMAT,
            "extractor": ", ".join(sorted(self.records.extractors)),
            "merges": [merge._asdict() | {"type": merge.type.value} for merge in self._naming.merges],
            "records": self.records,
        }

    def nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The nodes with their attributes."""
        names = self._naming.names
        concepts = {names[key].id: key for key in self._concepts}
        for node in sorted({*concepts, *self._papers, *self._links, *self._spellings}):
            if key := concepts.get(node):
                yield node, concept_node(names[key], self._concepts[key])
            elif paper := self._papers.get(node):
                yield node, paper
            elif links := self._links.get(node):
                yield node, repository_node(commonest(links))
            else:
                yield node, spelled_node(node, commonest(self._spellings[node]))

    def edges(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """The edges with their attributes."""
        for edge in sorted(self._edges):
            yield *edge, self._attributes(edge)

    def node_types(self) -> Iterator[str]:
        """The type of each node."""
        yield from repeat("Paper", len(self._papers))
        yield from repeat("Repository", len(self._links))
        yield from (_spelled_type(node) for node in self._spellings)
        yield from (self._naming.names[key].type.value for key in self._concepts)

    def edge_keys(self) -> Iterable[Edge]:
        """Source, target and relation of each edge."""
        return self._edges.keys()

    def graph(self) -> Graph:
        """The graph."""
        graph: Graph = nx.MultiDiGraph()
        with no_collection():
            graph.add_nodes_from(self.nodes())
            for source, target, relation, attributes in self.edges():
                graph.add_edge(source, target, relation, **attributes)
            graph.graph.update(self.attributes, records=dict(self.records))
        return graph

    def _attributes(self, edge: Edge) -> dict[str, Any]:
        attributes: dict[str, Any] = {"type": edge[2]}
        if evidence := self._edges[edge]:
            attributes["papers"] = len({item["paper"] for item in evidence}) if len(evidence) > 1 else 1
            attributes["score"] = max([item["score"] for item in evidence])
            attributes["evidence"] = evidence
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
    return {"type": _spelled_type(node), "name": spelling}


def _spelled_type(node: str) -> str:
    return node.partition(":")[0].title()


def repository_node(link: tuple[str, str, str, str]) -> dict[str, Any]:
    """The node of a repository from the commonest form of its address: url, host, owner, name."""
    url, host, owner, name = link
    return {"type": "Repository", "name": name or url, "url": url, "host": host, "owner": owner or None}
