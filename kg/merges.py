"""The ledger of names, and pairs of names that are likely one and were not merged.

Suggestions come from sorted neighbourhoods (Hernández and Stolfo 1995): names are sorted by several keys, and
each is compared with the few that follow, so that the work grows with the number of names, not of pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from kg.english import singular
from kg.folding import clean_name, name_key
from kg.lookup import CONCEPT_TYPES, display_name, find_all

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["LedgerLine", "Suggestion", "ledger", "suggest"]

_WINDOW = 8
#: Words in another order are less alike than their letters say.
_REORDERED = 0.95
_PREFIXES = ("un", "non", "in", "im", "anti", "semi", "multi", "sub", "self")


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One merge: `alias` names the node called `canonical`, by which rule, and who writes it so."""

    alias: str
    canonical: str
    type: str
    rule: str
    support: int
    papers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two nodes that may be one, how alike they are from 0 to 1, and what makes them so."""

    one: str
    other: str
    type: str
    score: float
    reason: str


def ledger(graph: Graph, name: str | None = None) -> list[LedgerLine]:
    """The merges of a graph, of all nodes or of those that a name may mean.

    A line names its papers where the graph carries its records.

    Raises:
        NotFoundError: no node has the name.
    """
    nodes = set(graph) if name is None else set(find_all(graph, name))
    named = {(data["name"], data["type"]): node for node, data in _concepts(graph) if node in nodes}
    lines = [
        (named[line["canonical"], line["type"]], line)
        for line in graph.graph.get("merges", ())
        if (line["canonical"], line["type"]) in named
    ]
    writers = _writers(graph, {line["alias"] for _, line in lines})
    return [
        LedgerLine(**line, papers=tuple(sorted(writers[line["alias"]] & set(graph.predecessors(node)))))
        for node, line in lines
    ]


def _writers(graph: Graph, forms: Set[str]) -> dict[str, set[str]]:
    """The papers that write each of some forms."""
    from kg.records import records

    found: dict[str, set[str]] = defaultdict(set)
    if forms and "records" in graph.graph:
        for paper, extraction in zip(*records(graph), strict=True):
            listed = (form for concept in extraction.concepts for form in (concept.name, *concept.aliases))
            written = (mention.text for mention in extraction.mentions)
            for form in {clean_name(form) for form in (*listed, *written)} & forms:
                found[form].add(paper.id)
    return found


def suggest(graph: Graph, *, least: float = 0.85, limit: int | None = None) -> list[Suggestion]:
    """Pairs of concepts of one type that were not merged and look alike, the likeliest first.

    Versions of one family ("GPT-3", "GPT-4") and what the user's rules call different are no suggestions.

    Args:
        graph: the graph.
        least: how alike two names must be, from 0 to 1.
        limit: at most so many.
    """
    from kg.assemble import rules_of

    conflicts = rules_of(graph).conflicts
    best: dict[tuple[str, str], Suggestion] = {}
    for found in (*_defined(graph), *_alike(graph, least)):
        one, other = (name_key(display_name(graph, node)) for node in (found.one, found.other))
        pair = (found.one, found.other)
        if other not in conflicts.get(one, ()) and (pair not in best or found.score > best[pair].score):
            best[pair] = found

    def rank(found: Suggestion) -> tuple[float, int, str, str]:
        papers = sum(int(graph.nodes[node].get("papers") or 0) for node in (found.one, found.other))
        return -found.score, -papers, found.one, found.other

    return sorted(best.values(), key=rank)[:limit]


def _defined(graph: Graph) -> Iterator[Suggestion]:
    """Acronyms that stand apart although a paper defines them as another concept of the same type."""
    nodes = {(data["name"], data["type"]): node for node, data in _concepts(graph)}
    for line in graph.graph.get("merges", ()):
        one, other = nodes.get((line["alias"], line["type"])), nodes.get((line["canonical"], line["type"]))
        if line["rule"] == "alias" and one and other and one != other:
            papers = max(int(graph.nodes[one].get("papers") or 0), 1)
            score = round(line["support"] / (line["support"] + papers), 2)
            pair = sorted((one, other))
            yield Suggestion(pair[0], pair[1], line["type"], score, f"defined so in {line['support']} papers")


def _concepts(graph: Graph) -> Iterator[tuple[str, dict[str, str]]]:
    return ((node, data) for node, data in graph.nodes.items() if data.get("type") in CONCEPT_TYPES)


def _alike(graph: Graph, least: float) -> Iterator[Suggestion]:
    """Names that are written almost alike, from neighbours in sorted order."""
    from rapidfuzz import fuzz

    kinds: dict[str, dict[str, str]] = defaultdict(dict)
    for node, data in _concepts(graph):
        kinds[data["type"]][node] = data["name"].casefold()
    for kind, names in sorted(kinds.items()):
        for one, other in sorted(set(_neighbours(names))):
            pair = names[one], names[other]
            score = max(fuzz.ratio(*pair), _REORDERED * fuzz.token_sort_ratio(*pair)) / 100
            if score < least or _numbers(pair[0]) != _numbers(pair[1]):
                continue
            if not _opposite(*pair) and not _contained(*pair):
                yield Suggestion(one, other, kind, round(score, 2), "written almost alike")


def _opposite(one: str, other: str) -> bool:
    """Whether a prefix of one word makes all the difference: "supervised", "unsupervised"."""
    shorter, longer = sorted((name_key(one), name_key(other)), key=len)
    return any(longer.replace(prefix, "", 1) == shorter for prefix in _PREFIXES)


def _contained(one: str, other: str) -> bool:
    """Whether one name is the other with more words: a kind of it ("local differential privacy")."""
    words = [{singular(word) for word in re.split(r"[\s-]+", name)} for name in (one, other)]
    return words[0] < words[1] or words[1] < words[0]


def _numbers(name: str) -> list[str]:
    return re.findall(r"\d+", name)


def _neighbours(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each concept with the few that follow it, sorted by letters, by letters from the end, and by words."""
    keys = {node: name_key(name) for node, name in names.items()}
    words = {node: " ".join(sorted(name.split())) for node, name in names.items()}
    for order in (keys, {node: key[::-1] for node, key in keys.items()}, words):
        ordered = [node for _, node in sorted((key, node) for node, key in order.items())]
        for index, node in enumerate(ordered):
            yield from (
                (min(node, other), max(node, other))
                for other in islice(ordered, index + 1, index + 1 + _WINDOW)
            )
