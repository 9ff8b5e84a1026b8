"""From papers and what was read out of them to the graph.

`assemble` is a pure function of the set of its papers: nodes and edges stand in sorted order, whatever the
order of the input. The graph carries its papers and extractions (`kg.records`), so that
`assemble(*records(graph))` gives the same graph, and papers can be added and removed with nothing but the
file.

In evidence, `start` and `end` are the offsets of `sentence` in the paper's text (title, newline, abstract);
they are null where a field of the input, not the text, is the evidence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import networkx as nx

from kg.corrections import Corrected, correct
from kg.naming import Group, Name, Naming, name_corpus, paper_groups
from kg.records import NODE_FIELDS, pack, records, rounded
from kg.rules import Rules, parse_rules
from kg.schema import (
    ROLE_RELATIONS,
    CodeLink,
    CodeRole,
    ConceptType,
    Extraction,
    Paper,
    Role,
    fold_text,
)
from kg.store import FORMAT, Graph

__all__ = [
    "VERSION_RULE",
    "assemble",
    "named_records",
    "paper_label",
    "records",
    "repository_id",
    "rules_of",
]

#: What evidence names as its extractor where a name says that it is a version of another.
VERSION_RULE = "version"
_USER = "rules"


_LABEL_WORDS = 10
_FITTING: Mapping[str, frozenset[ConceptType]] = {
    "PROPOSES": frozenset({ConceptType.METHOD, ConceptType.DATASET, ConceptType.METRIC}),
    "USES": frozenset({ConceptType.METHOD}),
    "COMPARES_WITH": frozenset({ConceptType.METHOD}),
    "ADDRESSES": frozenset({ConceptType.TASK}),
    "EVALUATES_ON": frozenset({ConceptType.DATASET}),
    "MEASURES": frozenset({ConceptType.METRIC}),
}
_USUAL: Mapping[ConceptType, str] = {
    ConceptType.METHOD: "USES",
    ConceptType.TASK: "ADDRESSES",
    ConceptType.DATASET: "EVALUATES_ON",
    ConceptType.METRIC: "MEASURES",
    ConceptType.TERM: "MENTIONS",
}
_CODE_RANK = (CodeRole.OFFICIAL, CodeRole.PROJECT, CodeRole.DATA)

_Evidence = dict[str, Any]


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
    builder = _Builder(naming, rules)
    for (paper, _), corrected, found in zip(pairs, read, groups, strict=True):
        builder.add(paper, corrected, found)
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


def repository_id(link: CodeLink) -> str:
    """The node id of a repository: host and path of its address, whatever the case, `www.`, port or `.git`.

    >>> link = CodeLink(url="https://www.GitHub.com:443/Lab/Foo.git/", host="github.com", owner="Lab",
    ...     name="Foo", role=CodeRole.OFFICIAL, start=0, end=9)
    >>> repository_id(link)
    'repository:github.com/lab/foo'
    """
    if link.kind == "repository" and link.host and link.owner and link.name:
        place = f"{link.host}/{link.owner}/{link.name}"
    else:
        place = _place(link.url)
    return f"repository:{place.casefold().removeprefix('www.').removesuffix('.git')}"


def _place(url: str) -> str:
    """Host, path and query of an address; the address itself if it cannot be parted."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.hostname or ''}{parts.path.rstrip('/')}{query}"


def paper_label(paper: Paper, proposed: Iterable[str] = (), tasks: Iterable[str] = ()) -> str:
    """What a person calls a paper: its title, else its method and task, else its first words."""
    if paper.title:
        return paper.title
    if methods := list(proposed)[:1]:
        return ": ".join([*methods, *list(tasks)[:1]])
    words = paper.abstract.split()
    return " ".join(words[:_LABEL_WORDS]) + ("…" if len(words) > _LABEL_WORDS else "")


def _person(author: str) -> str:
    """The name in natural order: "Roe, Ann" is "Ann Roe"."""
    surname, comma, given = author.partition(",")
    return " ".join(f"{given} {surname}".split()) if comma else " ".join(author.split())


def _relations(
    kind: ConceptType, group: Group
) -> Iterator[tuple[Role, str, tuple[float, int | None, int | None]]]:
    """The relations of a paper to a concept of this type, each with its role, score and sentence.

    Where the corpus votes for another type than the paper's role fits, the relation that is usual for the
    type takes its place.
    """
    roles = group.concept.roles
    for role, shown in sorted(roles.items()):
        relation = ROLE_RELATIONS[role]
        yield role, relation if kind in _FITTING[relation] else _USUAL[kind], shown
        if relation == "PROPOSES" and kind is ConceptType.DATASET and Role.DATASETS not in roles:
            yield role, "EVALUATES_ON", shown


def _reading(group: Group, name: Name) -> dict[str, str]:
    """What a paper takes a concept for, where the corpus votes for another type."""
    kind = group.concept.type
    return {} if kind is name.type else {"read_as": kind.value}


class _Page:
    """One paper as evidence: its id and the sentences of its text."""

    def __init__(self, paper: Paper, corrected: Corrected) -> None:
        self.id = paper.id
        self._extraction = extraction = corrected.extraction
        self._sentences = sorted(extraction.sentences)
        self._starts = [start for start, _ in self._sentences]
        self._texts: dict[tuple[int, int], str] = {}

    def evidence(
        self, score: float, start: int | None, end: int | None, *, by: str | None = None
    ) -> _Evidence:
        """Evidence of a sentence that is known, or of a field of the input (None); `by` is who says so."""
        sentence = ""
        if not end:
            start = end = None
        if start is not None and end is not None:
            sentence = self._texts.setdefault((start, end), self._extraction.text[start:end])
        return {
            "paper": self.id,
            "sentence": sentence,
            "start": start,
            "end": end,
            "score": score,
            "extractor": by or self._extraction.extractor,
        }

    def around(self, score: float, start: int | None, end: int | None, *, by: str | None = None) -> _Evidence:
        """Evidence of the sentence around a place, which stands for itself where there is none."""
        if start is None or end is None:
            return self.evidence(score, None, None, by=by)
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and start < self._sentences[index][1]:
            start, last = self._sentences[index]
            end = max(last, end)
        return self.evidence(score, start, end, by=by)

    def mention(self, group: Group, *, by: str | None = None) -> _Evidence:
        """Evidence of the first mention of a concept."""
        places = [self._extraction.mentions[index] for index in group.concept.mentions]
        start, end = min(((place.start, place.end) for place in places), default=(None, None))
        return self.around(group.concept.score, start, end, by=by)


class _Builder:
    """Collects nodes and edges paper by paper."""

    def __init__(self, naming: Naming, rules: Rules) -> None:
        self._naming = naming
        self._rules = rules
        self._nodes: dict[str, dict[str, Any]] = {}
        self._edges: dict[tuple[str, str, str], list[_Evidence]] = defaultdict(list)
        self._codes: dict[tuple[str, str, str], CodeRole] = {}
        self._counts: Counter[str] = Counter()
        self._spellings: dict[str, Counter[str]] = defaultdict(Counter)
        self._links: dict[str, Counter[tuple[str, str, str, str]]] = defaultdict(Counter)

    def add(self, paper: Paper, corrected: Corrected, groups: Sequence[Group]) -> None:
        """Adds one paper with everything that was read out of it."""
        page = _Page(paper, corrected)
        extraction = corrected.extraction
        named = self._naming.named(groups)
        self._bibliography(page.id, paper)
        proposed = self._concepts(page, named, corrected)
        self._versions(page, groups)
        self._stated(page, corrected, self._naming.local(groups))
        self._code(page, extraction.code_links, proposed)
        self._nodes[page.id] = _paper_node(paper, extraction, named)

    def _bibliography(self, paper_id: str, paper: Paper) -> None:
        for person in map(_person, paper.authors):
            if folded := fold_text(person):
                author = f"author:{folded.replace(' ', '-')}"
                self._spellings[author][person] += 1
                self._edges[(author, paper_id, "AUTHORED")]
        if paper.venue and (folded := fold_text(paper.venue)):
            venue = f"venue:{folded.replace(' ', '-')}"
            self._spellings[venue][paper.venue] += 1
            self._edges[(paper_id, venue, "PUBLISHED_IN")]

    def _concepts(self, page: _Page, named: Sequence[tuple[Group, Name]], corrected: Corrected) -> list[str]:
        """Adds the concepts of a paper; returns the methods that it proposes."""
        closer: set[str] = set()
        proposed: set[str] = set()
        for name in {name.id: name for _, name in named}.values():
            self._nodes.setdefault(name.id, _concept_node(name))
            self._counts[name.id] += 1
        for group, name in named:
            for role, relation, shown in _relations(name.type, group):
                by = _USER if (group.concept.name, role) in corrected.roles else None
                evidence = page.evidence(*shown, by=by) | _reading(group, name)
                self._edges[(page.id, name.id, relation)].append(evidence)
                closer.add(name.id)
                if relation == "PROPOSES" and name.type is ConceptType.METHOD:
                    proposed.add(name.id)
        for group, name in named:
            if name.id not in closer:
                evidence = page.mention(group) | _reading(group, name)
                self._edges[(page.id, name.id, "MENTIONS")].append(evidence)
        return sorted(proposed)

    def _versions(self, page: _Page, groups: Sequence[Group]) -> None:
        """Ties versions to their families; the paper that writes the version is the evidence."""
        for group, key in zip(groups, self._naming.keys(groups), strict=True):
            for member, family in self._naming.lineage(key):
                names = self._naming.names
                if member in names and family in names:
                    child, parent = names[member], names[family]
                    for name in (child, parent):
                        self._nodes.setdefault(name.id, _concept_node(name))
                    evidence = page.mention(group, by=VERSION_RULE)
                    self._edges[(child.id, parent.id, "IS_A")].append(evidence)

    def _stated(self, page: _Page, corrected: Corrected, known: Mapping[str, Name]) -> None:
        for relation in corrected.extraction.relations:
            head, tail = (known.get(self._rules.key(name)) for name in (relation.head, relation.tail))
            if head and tail and head.id != tail.id:
                kind = relation.relation.value.upper().replace("-", "_")
                by = _USER if relation in corrected.relations else None
                evidence = page.evidence(relation.score, relation.start, relation.end, by=by)
                self._edges[(head.id, tail.id, kind)].append(evidence)

    def _code(self, page: _Page, links: Iterable[CodeLink], proposed: Sequence[str]) -> None:
        for link in links:
            if link.role not in _CODE_RANK:
                continue
            node = repository_id(link)
            edge = (page.id, node, "HAS_CODE")
            evidence = page.around(1.0, link.start, link.end)
            self._links[node][(link.url, link.host, link.owner, link.name)] += 1
            self._edges[edge].append(evidence)
            self._codes[edge] = min(self._codes.get(edge, link.role), link.role, key=_CODE_RANK.index)
            if link.role is CodeRole.OFFICIAL:
                for method in proposed:
                    self._edges[(method, node, "IMPLEMENTED_IN")].append(evidence)

    def graph(self) -> Graph:
        """The graph, with nodes and edges in sorted order."""
        self._nodes |= {node: _repository_node(links) for node, links in self._links.items()}
        self._nodes |= {
            node: {"type": node.partition(":")[0].title(), "name": _most(spellings)}
            for node, spellings in self._spellings.items()
        }
        for node, data in self._nodes.items():
            if "aliases" in data:
                data["papers"] = self._counts[node]
        graph: Graph = nx.MultiDiGraph()
        graph.add_nodes_from((node, self._nodes[node]) for node in sorted(self._nodes))
        for source, target, relation in sorted(self._edges):
            graph.add_edge(source, target, relation, **self._edge_attributes((source, target, relation)))
        return graph

    def _edge_attributes(self, edge: tuple[str, str, str]) -> dict[str, Any]:
        attributes: dict[str, Any] = {"type": edge[2]}
        evidence = _distinct(self._edges[edge])
        if evidence:
            attributes |= {
                "papers": len({item["paper"] for item in evidence}),
                "score": max(item["score"] for item in evidence),
                "evidence": evidence,
            }
        if edge in self._codes:
            attributes["role"] = self._codes[edge].value
        return attributes


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda text: (-counts[text], text))


def _distinct(evidence: Iterable[_Evidence]) -> list[_Evidence]:
    """Evidence in order of paper and place, one item a place: the best scored."""
    best: dict[tuple[str, int, int], _Evidence] = {}
    for item in evidence:
        place = (item["paper"], -1 if item["start"] is None else item["start"], item["end"] or 0)
        if place not in best or item["score"] > best[place]["score"]:
            best[place] = item
    return [best[place] for place in sorted(best)]


def _concept_node(name: Name) -> dict[str, Any]:
    return {"type": name.type.value, "name": name.name, "aliases": list(name.aliases)}


def _paper_node(paper: Paper, extraction: Extraction, named: Sequence[tuple[Group, Name]]) -> dict[str, Any]:
    label = paper_label(paper, _by_role(named, Role.PROPOSES), _by_role(named, Role.TASKS))
    held = {name: getattr(paper, name) for name in NODE_FIELDS}
    status = {"status": paper.status} if paper.status else {}
    return {
        "type": "Paper",
        "name": label,
        "label": label,
        "code_status": extraction.code_status.value,
        **status,
        **held,
        "source_ids": list(paper.source_ids),
    }


def _by_role(named: Sequence[tuple[Group, Name]], role: Role) -> list[str]:
    """The names that have a role in a paper, the surest first."""
    scored = {
        (-group.concept.roles[role][0], name.name) for group, name in named if role in group.concept.roles
    }
    return [name for _, name in sorted(scored)]


def _repository_node(links: Counter[tuple[str, str, str, str]]) -> dict[str, Any]:
    url, host, owner, name = min(links, key=lambda link: (-links[link], link))
    return {"type": "Repository", "name": name or url, "url": url, "host": host, "owner": owner or None}
