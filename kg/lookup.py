"""Questions to a graph: what is this name, who stands around it, what is in here at all.

Pure functions over the NetworkX graph; nothing prints. Names are compared in compatibility form, without
case and with single spaces; punctuation counts, so that `C` and `C++` stay apart.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

from kg.errors import NotFoundError
from kg.schema import CodeStatus, ConceptType

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = [
    "CONCEPT_TYPES",
    "DEGREES",
    "FORM_FIELDS",
    "ID",
    "NODE_TYPES",
    "OTHER",
    "SUGGESTIONS",
    "Neighbour",
    "Statistics",
    "closest",
    "counted",
    "display_name",
    "find",
    "find_all",
    "fold",
    "forms_of",
    "is_spelling",
    "match",
    "most_papers",
    "neighbours",
    "not_found",
    "papers_with_code",
    "relation_rank",
    "search",
    "statistics",
]

CONCEPT_TYPES = tuple(kind.value for kind in ConceptType)
_BESIDES = ("Repository", "Author", "Venue")
NODE_TYPES = ("Paper", *CONCEPT_TYPES, *_BESIDES)

#: The attribute of a part of a graph that says how many edges its nodes have in the whole.
DEGREES = "edges of nodes in the whole"

#: How close a form is to a node: its id; the name or title of a concept or a paper; an alias; the name of
#: what stands beside them; what else a node goes by.
ID, _NAME, _ALIAS, _BESIDE, OTHER = range(5)
#: The attributes that hold forms, and what they depend on.
FORM_FIELDS = frozenset({"type", "name", "title", "label", "doi", "arxiv_id", "url"})

SUGGESTIONS = 5
#: How alike a name must be to be suggested, from 0 to 1.
_ALIKE = 0.7
#: Longer names are no typing mistakes, and comparing them is slow.
_LONGEST_SUGGESTION = 60


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One edge as seen from a node: `outgoing` where the node is its source; `id` is the other end."""

    relation: str
    outgoing: bool
    id: str
    evidence: Sequence[Mapping[str, Any]]
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a graph holds; every mapping is in the order in which it should be shown."""

    papers: int
    papers_with_code: int
    code_status: Mapping[str, int]
    years: Mapping[int, int]
    venues: Mapping[str, int]
    concepts: Mapping[str, int]
    others: Mapping[str, int]
    relations: Mapping[str, int]
    top: Mapping[str, Sequence[tuple[str, int]]]

    def to_record(self) -> dict[str, Any]:
        """The statistics as one JSON object."""
        return {
            "papers": self.papers,
            "papers_with_code": self.papers_with_code,
            "code_status": dict(self.code_status),
            "years": {str(year): count for year, count in self.years.items()},
            "venues": dict(self.venues),
            "concepts": dict(self.concepts),
            "others": dict(self.others),
            "relations": dict(self.relations),
            "top": {
                kind: [{"id": node, "papers": papers} for node, papers in nodes]
                for kind, nodes in self.top.items()
            },
        }


def display_name(graph: Graph, node: str) -> str:
    """What to call a node: a paper's label, a repository's address, any other's name, else its id."""
    data = graph.nodes[node]
    address = data.get("url") if data.get("type") == "Repository" else None
    return str(address or data.get("label") or data.get("name") or node)


def find(graph: Graph, name: str) -> str:
    """The node that a name means best: see `find_all`.

    Raises:
        NotFoundError: no node has the name; the hint names the nearest ones.
    """
    return find_all(graph, name)[0]


def find_all(graph: Graph, name: str) -> list[str]:
    """All nodes that a name may mean, best first; never empty.

    An id comes first, then names of concepts and titles of papers, then aliases and ids of the input, then
    names of repositories, authors and venues, then labels, DOIs, arXiv ids and addresses, all without case;
    failing these, the one node that has a name which begins so. Among equals the spelling as typed comes
    first, then the most papers, the most edges, and the first id by code point.

    Raises:
        NotFoundError: no node has the name, or several begin with it; the hint names the nearest ones.
    """
    if name in graph:
        return [name]
    wanted = fold(name)
    exact: dict[str, tuple[int, bool]] = {}
    begun: dict[str, bool] = {}
    for node, rank, form in _forms(graph):
        folded = fold(form)
        if folded == wanted:
            found = (rank, form != name)
            exact[node] = min(exact.get(node, found), found)
        elif wanted and folded.startswith(wanted):
            begun[node] = min(begun.get(node, True), rank == OTHER)
    if exact:
        return sorted(exact, key=lambda node: (*exact[node], *_weight(graph, node)))
    closest = [node for node, far in begun.items() if far == min(begun.values())]
    if len(closest) == 1:
        return closest
    raise _not_found(graph, name, sorted(closest, key=lambda node: _weight(graph, node)))


def _forms(graph: Graph) -> Iterator[tuple[str, int, str]]:
    """Every (node, rank, form) by which nodes can be found; a lower rank is a closer name."""
    for node, data in graph.nodes.items():
        yield from ((node, rank, form) for rank, form in forms_of(node, data))


def forms_of(node: str, data: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Every (rank, form) by which a node can be found; a lower rank is a closer name."""
    yield ID, node
    name = "title" if data.get("type") == "Paper" else "name"
    rank = _BESIDE if data.get("type") in _BESIDES else _NAME
    yield from ((rank, form) for form in (data.get(name),) if isinstance(form, str))
    yield from ((_ALIAS, str(form)) for key in ("aliases", "source_ids") for form in _list(data, key))
    others = (data.get(key) for key in ("label", "doi", "arxiv_id", "url"))
    yield from ((OTHER, form) for form in others if isinstance(form, str))


def _list(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = data.get(key)
    return value if isinstance(value, list | tuple) else ()


def fold(text: str) -> str:
    """A name as it is compared: compatibility form, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _degree(graph: Graph, node: str) -> int:
    """How many edges a node has; in a part of a graph, how many it has in the whole."""
    known: Mapping[str, int] = graph.graph.get(DEGREES, {})
    return known[node] if node in known else graph.degree(node)


def _papers(graph: Graph, node: str) -> int:
    """In how many papers a node is; for authors, venues and repositories the number of their edges."""
    data = graph.nodes[node]
    count = 1 if data.get("type") == "Paper" else data.get("papers")
    return count if isinstance(count, int) else _degree(graph, node)


def _weight(graph: Graph, node: str) -> tuple[int, int, str]:
    return -_papers(graph, node), -_degree(graph, node), node


def _not_found(graph: Graph, name: str, begun: Sequence[str]) -> NotFoundError:
    """The error for a name that no node has, with what may have been meant."""
    near = () if begun else search(graph, name, limit=SUGGESTIONS) or _close(graph, name)
    shown = begun[:SUGGESTIONS] or near
    return not_found(name, len(begun), [display_name(graph, node) for node in shown])


def not_found(name: str, begun: int, shown: Sequence[str]) -> NotFoundError:
    """The error for a name that no node has.

    Args:
        name: the name.
        begun: how many nodes begin with it.
        shown: what to call the first of these, or what else is near.
    """
    listed = ", ".join(dict.fromkeys(shown))
    if begun:
        return NotFoundError(f"{begun} nodes begin with {name!r}", hint=f"Did you mean one of: {listed}?")
    hint = f"Did you mean: {listed}?" if listed else "Try `kg search` with a part of the name."
    return NotFoundError(f"nothing in the graph is called {name!r}", hint=hint)


def _close(graph: Graph, name: str) -> list[str]:
    """Nodes whose names are spelled almost so."""
    homes: dict[str, str] = {}
    for node, rank, form in _forms(graph):
        if is_spelling(rank, form):
            folded = fold(form)
            homes[folded] = min(homes.get(folded, node), node, key=partial(_weight, graph))
    return list(dict.fromkeys(homes[form] for form in closest(name, homes)))


def is_spelling(rank: int, form: str) -> bool:
    """Whether a mistyped name may be meant for a form."""
    return rank not in (ID, OTHER) and len(form) <= _LONGEST_SUGGESTION


def closest(name: str, forms: Iterable[str]) -> list[str]:
    """The folded forms that are spelled most like a name, by the matching blocks of Ratcliff and Obershelp.

    The longest common subsequence is never shorter than these blocks: it sorts most forms out in no time.
    """
    from rapidfuzz.fuzz import ratio

    wanted = fold(name)[:_LONGEST_SUGGESTION]
    near = [form for form in forms if ratio(wanted, form, score_cutoff=_ALIKE * 100 - 0.1)]
    return get_close_matches(wanted, sorted(near), SUGGESTIONS, _ALIKE)


def search(graph: Graph, text: str, *, type: str | None = None, limit: int | None = None) -> list[str]:
    """Nodes with every word of `text` somewhere in one of their names, aliases or titles.

    A name that equals the text comes first, then names with its words as whole words, then those with parts,
    then labels and addresses; within each, the nodes with the most papers.

    Args:
        graph: the graph to search.
        text: words or parts of words; an empty text finds nothing.
        type: only nodes of this type, one of `NODE_TYPES`.
        limit: at most so many.
    """
    wanted = fold(text)
    if not wanted:
        return []
    ranks: dict[str, tuple[bool, int]] = {}
    for node, rank, form in _forms(graph):
        if rank == ID or (type is not None and graph.nodes[node].get("type") != type):
            continue
        quality = match(fold(form), wanted)
        if quality is not None:
            found = (rank == OTHER, quality)
            ranks[node] = min(ranks.get(node, found), found)
    return sorted(ranks, key=lambda node: (ranks[node], _weight(graph, node)))[:limit]


def match(form: str, wanted: str) -> int | None:
    """How well a folded form fits: 0 equal, 1 whole words, 2 parts of words, None not at all."""
    if form == wanted:
        return 0
    words = wanted.split()
    if not all(word in form for word in words):
        return None
    return 1 if set(words) <= set(form.replace("-", " ").split()) else 2


def neighbours(graph: Graph, node: str) -> dict[tuple[str, bool], list[Neighbour]]:
    """The edges of a node by (relation, outgoing): its own first, then those that point to it.

    Within a relation the best attested come first: most evidence, then most papers.

    Raises:
        NotFoundError: the node is not in the graph.
    """
    if node not in graph:
        raise _not_found(graph, node, ())
    found: dict[tuple[str, bool], list[Neighbour]] = defaultdict(list)
    for _, other, key, data in graph.out_edges(node, keys=True, data=True):
        found[str(key), True].append(_neighbour(str(key), True, other, data))
    for other, _, key, data in graph.in_edges(node, keys=True, data=True):
        found[str(key), False].append(_neighbour(str(key), False, other, data))
    return {
        relation: sorted(found[relation], key=lambda item: (-len(item.evidence), *_weight(graph, item.id)))
        for relation in sorted(found, key=lambda pair: (not pair[1], relation_rank(pair[0])))
    }


def _neighbour(relation: str, outgoing: bool, other: str, data: Mapping[str, Any]) -> Neighbour:
    evidence = [item for item in _list(data, "evidence") if isinstance(item, Mapping)]
    properties = {key: value for key, value in data.items() if key not in {"evidence", "type"}}
    return Neighbour(relation, outgoing, other, evidence, properties)


#: Relations in the order in which people want to read them; others follow by name.
_RELATIONS = (
    "PROPOSES ADDRESSES USES COMPARES_WITH EVALUATES_ON MEASURES HAS_CODE IMPLEMENTED_IN "
    "IS_A PART_OF USED_FOR IMPROVES COMPARED_WITH EVALUATED_ON MEASURED_BY TRAINED_ON "
    "AUTHORED PUBLISHED_IN MENTIONS"
).split()


def relation_rank(relation: str) -> tuple[int, str]:
    return (_RELATIONS.index(relation) if relation in _RELATIONS else len(_RELATIONS), relation)


def statistics(graph: Graph, *, top: int = 10) -> Statistics:
    """Counts a graph: papers, concepts, relations, code, and the `top` concepts of each type."""
    papers = [data for data in graph.nodes.values() if data.get("type") == "Paper"]
    return counted(
        types=Counter(str(data.get("type")) for data in graph.nodes.values()),
        code_status=Counter(str(data.get("code_status") or CodeStatus.NONE) for data in papers),
        years=Counter(data["year"] for data in papers if isinstance(data.get("year"), int)),
        venues=Counter(str(data["venue"]) for data in papers if data.get("venue")),
        relations=Counter(str(key) for _, _, key in graph.edges(keys=True)),
        papers_with_code=papers_with_code(graph.edges(keys=True)),
        top={kind: most_papers(graph, kind, top) for kind in CONCEPT_TYPES},
    )


def papers_with_code(edges: Iterable[tuple[str, str, str]]) -> int:
    """How many papers have code, by source, target and key of each edge."""
    return len({source for source, _, key in edges if key == "HAS_CODE"})


def counted(
    *,
    types: Counter[str],
    code_status: Counter[str],
    years: Counter[int],
    venues: Counter[str],
    relations: Counter[str],
    papers_with_code: int,
    top: Mapping[str, Sequence[tuple[str, int]]],
) -> Statistics:
    """Statistics in the order in which they should be shown."""
    return Statistics(
        papers=types["Paper"],
        papers_with_code=papers_with_code,
        code_status={item.value: code_status[item.value] for item in CodeStatus},
        years=dict(sorted(years.items())),
        venues=dict(sorted(venues.items(), key=lambda pair: (-pair[1], pair[0]))),
        concepts={kind: types[kind] for kind in CONCEPT_TYPES},
        others={kind: types[kind] for kind in NODE_TYPES if kind not in (*CONCEPT_TYPES, "Paper")},
        relations={kind: relations[kind] for kind in sorted(relations, key=relation_rank)},
        top=top,
    )


def most_papers(graph: Graph, kind: str, limit: int) -> list[tuple[str, int]]:
    """The nodes of a type that most papers have, with how many have each."""
    nodes = [node for node, data in graph.nodes.items() if data.get("type") == kind]
    ranked = sorted(nodes, key=lambda node: _weight(graph, node))[:limit]
    return [(node, _papers(graph, node)) for node in ranked]
