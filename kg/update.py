"""Graphs that are built, and that grow and shrink: the same bytes as a build of the papers they end up with.

A graph carries its papers and what was read out of them (`kg.records`), so that nothing but the graph is
needed to add or remove papers. How it was made (`min_score`, `rules`) stands among its attributes and
holds for what is added.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from typing import Any, NamedTuple

from extractors import version
from kg.assemble import Sums, records, sum_up
from kg.cache import seen
from kg.corrections import matches, unmatched
from kg.errors import GraphFileError, NotFoundError
from kg.extraction import Reading
from kg.identity import merge_papers
from kg.readers.values import arxiv_id_of, doi_of
from kg.rules import NO_RULES, Rules
from kg.schema import Extraction, Paper
from kg.store import Graph

__all__ = ["Built", "add", "build", "confident", "remove"]

_LOG = logging.getLogger("kg")

_MIN_SCORE = "min_score"
_SETTINGS = (_MIN_SCORE, "rules")
_RULES = "rules"
#: Of a name that several papers have, so many are named.
_SHOWN = 5


class Built(NamedTuple):
    """The sums of a graph, and whether there was nothing to say: no paper failed, no rule matched nothing."""

    sums: Sums
    silent: bool


def build(
    papers: Iterable[Paper], *, reading: Reading, min_score: float = 0.0, rules: Rules = NO_RULES
) -> Built:
    """The graph of some records: see `kg.build`."""
    merged = merge_papers(papers)
    _LOG.info("%d distinct papers", len(merged))
    sums = _summed(merged, {}, reading, settings_of(min_score, rules))
    idle = unmatched(rules, matches(rules, sums.records.pairs())) if rules else []
    for line in idle:
        _LOG.warning("%s", line)
    return Built(sums, not idle and len(sums.records) == len(merged))


def settings_of(min_score: float, rules: Rules) -> dict[str, Any]:
    """What the attributes of a graph say of how it was made, where it is not as usual."""
    given: dict[str, Any] = {_MIN_SCORE: min_score} if min_score > 0 else {}
    return given | ({_RULES: dict(rules.record)} if rules else {})


def add(graph: Graph, papers: Iterable[Paper], *, reading: Reading, reextract: bool = False) -> Graph:
    """The graph with more records: see `kg.add`."""
    held, extractions = records(graph)
    if not reextract:
        _refuse_other_extractor(extractions)
    known = {} if reextract else dict(zip(map(seen, held), extractions, strict=True))
    return _summed(merge_papers([*held, *papers]), known, reading, _settings(graph)).graph()


def remove(graph: Graph, names: Iterable[str]) -> Graph:
    """The graph without some papers: see `kg.remove`."""
    papers, extractions = records(graph)
    called = _calls(papers)
    gone = {_found(name, called) for name in names}
    kept = (pair for pair in zip(papers, extractions, strict=True) if pair[0].id not in gone)
    return sum_up(kept, attributes=_settings(graph)).graph()


def _summed(
    papers: Sequence[Paper],
    known: Mapping[tuple[object, ...], Extraction],
    reading: Reading,
    settings: Mapping[str, Any],
) -> Sums:
    """The sums over merged papers; those whose content is not known are read."""
    pairs = _extracted(papers, known, reading, settings.get(_MIN_SCORE, 0.0))
    return sum_up(pairs, attributes=settings)


def _extracted(
    papers: Sequence[Paper],
    known: Mapping[tuple[object, ...], Extraction],
    reading: Reading,
    min_score: float,
) -> Iterator[tuple[Paper, Extraction]]:
    """The papers, in their order, each with what is known or read of it; without those that fail."""
    unread = [paper for paper in papers if seen(paper) not in known]
    read = ((paper, confident(extraction, min_score)) for paper, extraction in reading.pairs(unread))
    held = ((paper, known[seen(paper)]) for paper in papers if seen(paper) in known)
    for paper, extraction in merge(read, held, key=lambda pair: pair[0].id):
        yield paper, _of(paper, extraction)


def _of(paper: Paper, extraction: Extraction) -> Extraction:
    """The extraction under the paper's own id; papers may share a text, and merging gives another id."""
    return replace(extraction, id=paper.record_id) if extraction.id != paper.record_id else extraction


def _settings(graph: Graph) -> dict[str, Any]:
    """What a graph's attributes say of how it was made."""
    return {name: graph.graph[name] for name in (_MIN_SCORE, _RULES) if name in graph.graph}


def _refuse_other_extractor(extractions: Iterable[Extraction]) -> None:
    current = version.extractor_version()
    others = sorted({extraction.extractor for extraction in extractions} - {current})
    if others:
        raise GraphFileError(
            f"the graph was made by another extractor ({', '.join(others)}; this one is {current})",
            hint="With --reextract its papers are read again.",
        )


def _calls(papers: Iterable[Paper]) -> dict[str, list[str]]:
    """What papers can be called -> their node ids."""
    called: dict[str, list[str]] = defaultdict(list)
    for paper in papers:
        for name in {paper.id, paper.doi, paper.arxiv_id, *paper.source_ids} - {None}:
            called[str(name)].append(paper.id)
    return called


def _found(name: str, called: Mapping[str, Sequence[str]]) -> str:
    """The node id of the one paper that a name means."""
    forms = [form for form in (name, doi_of(name), arxiv_id_of(name, bare=True)) if form]
    found = next((called[form] for form in forms if form in called), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFoundError(
            f"{len(found)} papers are called {name!r}",
            hint=f"Name a node id: {', '.join(sorted(found)[:_SHOWN])}.",
        )
    raise NotFoundError(
        f"no paper of the graph is called {name!r}",
        hint="Name its node id, DOI, arXiv id or id of the input; `kg search` shows node ids.",
    )


def confident(extraction: Extraction, min_score: float) -> Extraction:
    """The extraction without what scores less than `min_score`."""
    if min_score <= 0:
        return extraction
    concepts = tuple(
        replace(
            concept, roles={role: shown for role, shown in concept.roles.items() if shown[0] >= min_score}
        )
        for concept in extraction.concepts
        if concept.score >= min_score
    )
    names = {concept.name for concept in concepts}
    relations = tuple(
        relation
        for relation in extraction.relations
        if relation.score >= min_score and relation.head in names and relation.tail in names
    )
    return replace(extraction, concepts=concepts, relations=relations)
