"""What one paper gives to the graph: its node, edges with their evidence, and what is counted over papers.

A pure function of a paper, what was read out of it and the names of its concepts (`Page.rows`). `kg.assemble`
sums the rows of papers in memory, `kg.spark.assembling` over a cluster.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from kg.corrections import Corrected
from kg.naming import Group, Name, Naming, local_names
from kg.records import NODE_FIELDS
from kg.rules import NO_RULES, Rules
from kg.schema import ROLE_RELATIONS, CodeLink, CodeRole, ConceptType, Extraction, Paper, Role, fold_text

__all__ = [
    "VERSION_RULE",
    "Edge",
    "Evidence",
    "Page",
    "PaperRows",
    "closest_role",
    "mention_rows",
    "paper_label",
    "repository_id",
]

#: Source, target and relation.
Edge: TypeAlias = tuple[str, str, str]
Evidence: TypeAlias = dict[str, Any]


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


def _as_read(evidence: Evidence, group: Group, name: Name) -> Evidence:
    """Evidence with what its paper takes a concept for, where the corpus votes for another type."""
    if group.concept.type is not name.type:
        evidence["read_as"] = group.concept.type.value
    return evidence


@dataclass(frozen=True, slots=True)
class PaperRows:
    """What one paper gives to the graph; what several papers give is counted up (`add` of the builder).

    `edges` have their evidence, distinct within the paper; `codes` the role of an edge to a repository.
    `concepts` are the canonical keys that the paper uses, `families` those that names of it speak of.
    `spellings` are pairs of an author's or venue's node id and how it is written; `links` of a repository's
    node id and (url, host, owner, name).
    """

    id: str
    node: dict[str, Any]
    edges: Mapping[Edge, Sequence[Evidence]]
    codes: Mapping[Edge, CodeRole]
    concepts: frozenset[str]
    families: frozenset[str]
    spellings: Sequence[tuple[str, str]]
    links: Sequence[tuple[str, tuple[str, str, str, str]]]


class Page:
    """One paper while it is read for the graph.

    Args:
        paper_id: its node id.
        paper: the paper.
        corrected: what was read out of it, with what the user says of it.
        rules: what the user says of names.
    """

    def __init__(self, paper_id: str, paper: Paper, corrected: Corrected, rules: Rules = NO_RULES) -> None:
        self.id = paper_id
        self._paper = paper
        self._corrected = corrected
        self._rules = rules
        self._extraction = extraction = corrected.extraction
        self._sentences = sorted(extraction.sentences)
        self._starts = [start for start, _ in self._sentences]
        self._texts: dict[tuple[int, int], str] = {}
        self._edges: dict[Edge, list[Evidence]] = defaultdict(list)
        self._codes: dict[Edge, CodeRole] = {}
        self._spellings: list[tuple[str, str]] = []
        self._links: list[tuple[str, tuple[str, str, str, str]]] = []

    def rows(self, groups: Sequence[Group], keys: Sequence[str], naming: Naming) -> PaperRows:
        """Everything that the paper gives to the graph: a pure function of it and the names of its groups.

        Args:
            groups: its concepts.
            keys: the canonical key of each.
            naming: the names of these keys, and of the families that they lead to.
        """
        named = naming.called(groups, keys)
        self._bibliography()
        proposed = self._concepts(named)
        families = self._versions(groups, keys, naming)
        self._stated(local_names(named))
        self._code(proposed)
        return PaperRows(
            id=self.id,
            node=_paper_node(self._paper, self._extraction, named),
            edges={edge: _distinct(evidence) for edge, evidence in self._edges.items()},
            codes=self._codes,
            concepts=frozenset(key for key in keys if key in naming.names),
            families=frozenset(families),
            spellings=self._spellings,
            links=self._links,
        )

    def _bibliography(self) -> None:
        for person in map(_person, self._paper.authors):
            if folded := fold_text(person):
                author = f"author:{folded.replace(' ', '-')}"
                self._spellings.append((author, person))
                self._edges[(author, self.id, "AUTHORED")]
        venue = self._paper.venue
        if venue and (folded := fold_text(venue)):
            node = f"venue:{folded.replace(' ', '-')}"
            self._spellings.append((node, venue))
            self._edges[(self.id, node, "PUBLISHED_IN")]

    def _concepts(self, named: Sequence[tuple[Group, Name]]) -> list[str]:
        """Adds the concepts of the paper; returns the methods that it proposes."""
        closer: set[str] = set()
        proposed: set[str] = set()
        for group, name in named:
            for role, relation, shown in _relations(name.type, group):
                by = _USER if (group.concept.name, role) in self._corrected.roles else None
                evidence = _as_read(self.evidence(*shown, by=by), group, name)
                self._edges[(self.id, name.id, relation)].append(evidence)
                closer.add(name.id)
                if relation == "PROPOSES" and name.type is ConceptType.METHOD:
                    proposed.add(name.id)
        for group, name in named:
            if name.id not in closer:
                evidence = _as_read(self.mention(group), group, name)
                self._edges[(self.id, name.id, "MENTIONS")].append(evidence)
        return sorted(proposed)

    def _versions(self, groups: Sequence[Group], keys: Sequence[str], naming: Naming) -> set[str]:
        """Ties versions to their families, this paper being the evidence; returns the keys of both."""
        tied: set[str] = set()
        if not naming.parents:
            return tied
        for group, key in zip(groups, keys, strict=True):
            for member, family in naming.lineage(key):
                if member in naming.names and family in naming.names:
                    evidence = self.mention(group, by=VERSION_RULE)
                    edge = (naming.names[member].id, naming.names[family].id, "IS_A")
                    self._edges[edge].append(evidence)
                    tied |= {member, family}
        return tied

    def _stated(self, known: Mapping[str, Name]) -> None:
        for relation in self._extraction.relations:
            head, tail = (known.get(self._rules.key(name)) for name in (relation.head, relation.tail))
            if head and tail and head.id != tail.id:
                kind = relation.relation.value.upper().replace("-", "_")
                by = _USER if relation in self._corrected.relations else None
                evidence = self.evidence(relation.score, relation.start, relation.end, by=by)
                self._edges[(head.id, tail.id, kind)].append(evidence)

    def _code(self, proposed: Sequence[str]) -> None:
        for link in self._extraction.code_links:
            if link.role not in _CODE_RANK:
                continue
            node = repository_id(link)
            edge = (self.id, node, "HAS_CODE")
            evidence = self.around(1.0, link.start, link.end)
            self._links.append((node, (link.url, link.host, link.owner, link.name)))
            self._edges[edge].append(evidence)
            self._codes[edge] = closest_role((self._codes.get(edge, link.role), link.role))
            if link.role is CodeRole.OFFICIAL:
                for method in proposed:
                    self._edges[(method, node, "IMPLEMENTED_IN")].append(evidence)

    def evidence(
        self, score: float, start: int | None, end: int | None, *, by: str | None = None
    ) -> Evidence:
        """Evidence of a sentence that is known, or of a field of the input (None); `by` is who says so."""
        sentence = ""
        if not end:
            start = end = None
        if start is not None and end is not None:
            place = (start, end)
            if place not in self._texts:
                self._texts[place] = self._extraction.text[start:end]
            sentence = self._texts[place]
        return {
            "paper": self.id,
            "sentence": sentence,
            "start": start,
            "end": end,
            "score": score,
            "extractor": by or self._extraction.extractor,
        }

    def around(self, score: float, start: int | None, end: int | None, *, by: str | None = None) -> Evidence:
        """Evidence of the sentence around a place, which stands for itself where there is none."""
        if start is None or end is None:
            return self.evidence(score, None, None, by=by)
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and start < self._sentences[index][1]:
            start, last = self._sentences[index]
            end = max(last, end)
        return self.evidence(score, start, end, by=by)

    def mention(self, group: Group, *, by: str | None = None) -> Evidence:
        """Evidence of the first mention of a concept."""
        places = [self._extraction.mentions[index] for index in group.concept.mentions]
        start, end = min(((place.start, place.end) for place in places), default=(None, None))
        return self.around(group.concept.score, start, end, by=by)


def mention_rows(
    paper_id: str, extraction: Extraction, named: Iterable[tuple[Group, Name]]
) -> Iterator[dict[str, Any]]:
    """The places in a paper's text that name concepts, in their order."""
    concepts = {index: name.id for group, name in named for index in group.concept.mentions}
    mentions = extraction.mentions
    for index in sorted(concepts, key=lambda index: (mentions[index].start, index)):
        mention = mentions[index]
        yield {
            "paper": paper_id,
            "concept": concepts[index],
            "start": mention.start,
            "end": mention.end,
            "text": mention.text,
            "type": mention.type.value,
            "score": mention.score,
        }


def closest_role(roles: Iterable[CodeRole]) -> CodeRole:
    """The role that says most of whose a repository is: the paper's code before its page and its data."""
    return min(roles, key=_CODE_RANK.index)


def _distinct(evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The evidence of one paper in order of place, one item a place: the best scored."""
    if len(evidence) < 2:
        return evidence
    best: dict[tuple[int, int], Evidence] = {}
    for item in evidence:
        place = (-1 if item["start"] is None else item["start"], item["end"] or 0)
        if place not in best or item["score"] > best[place]["score"]:
            best[place] = item
    return [best[place] for place in sorted(best)]


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
