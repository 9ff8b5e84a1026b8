"""The ledger of names, and pairs of names that are likely one and were not merged.

Suggestions come from sorted neighbourhoods (Hernández and Stolfo 1995): names are sorted by several keys, and
each is compared with the few that follow, so that the work grows with the number of names, not of pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from kg.folding import clean_name, name_key
from kg.lookup import CONCEPT_TYPES, display_name, find_all

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["LedgerLine", "Suggestion", "ledger", "suggest"]

_WINDOW = 8


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
    lines = graph.graph.get("merges", ())
    if name is not None:
        nodes = [graph.nodes[node] for node in find_all(graph, name)]
        meant = {(data.get("name"), data.get("type")) for data in nodes}
        lines = [line for line in lines if (line["canonical"], line["type"]) in meant]
    writers = _writers(graph) if lines else {}
    return [
        LedgerLine(**line, papers=tuple(sorted(writers.get((line["alias"], line["canonical"]), ()))))
        for line in lines
    ]


def _writers(graph: Graph) -> dict[tuple[str, str], set[str]]:
    """The papers that use each form for each concept."""
    from kg.assemble import named_records

    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    if "records" in graph.graph:
        for paper, _, named in named_records(graph):
            for group, name in named:
                for form in group.forms:
                    found[form, name.name].add(paper.id)
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
    return sorted(best.values(), key=lambda item: (-item.score, item.one, item.other))[:limit]


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

    for one, other in _neighbours(graph):
        names = [clean_name(display_name(graph, node)).casefold() for node in (one, other)]
        if _numbers(names[0]) != _numbers(names[1]):
            continue
        score = max(fuzz.ratio(*names), fuzz.token_sort_ratio(*names)) / 100
        if score >= least:
            pair = sorted((one, other))
            kind = graph.nodes[one]["type"]
            yield Suggestion(pair[0], pair[1], kind, round(score, 2), "written almost alike")


def _numbers(name: str) -> list[str]:
    return re.findall(r"\d+", name)


def _neighbours(graph: Graph) -> Iterator[tuple[str, str]]:
    """Each concept with the few that follow it, sorted by letters, by letters from the end, and by words."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for node, data in _concepts(graph):
        kinds[data["type"]].append(node)
    for _, nodes in sorted(kinds.items()):
        names = {node: display_name(graph, node).casefold() for node in nodes}
        for order in (
            {node: name_key(names[node]) for node in nodes},
            {node: name_key(names[node])[::-1] for node in nodes},
            {node: " ".join(sorted(names[node].split())) for node in nodes},
        ):
            ordered = sorted((key, node) for node, key in order.items())
            yield from _windows(node for _, node in ordered)


def _windows(nodes: Iterable[str]) -> Iterator[tuple[str, str]]:
    ordered = list(nodes)
    for index, node in enumerate(ordered):
        yield from ((node, other) for other in islice(ordered, index + 1, index + 1 + _WINDOW))
