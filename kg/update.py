"""Graphs that are built, and that grow and shrink: the same bytes as a build of the papers they end up with.

A graph carries its papers and what was read out of them (`kg.records`), so that nothing but the graph is
needed to add or remove papers. How it was made (`min_score`, `rules`) stands among its attributes and
holds for what is added.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from extractors import version
from kg.assemble import assemble, records
from kg.cache import seen
from kg.corrections import unmatched
from kg.errors import GraphFileError, NotFoundError
from kg.extraction import Reading
from kg.identity import merge_papers
from kg.readers.values import arxiv_id_of, doi_of
from kg.rules import NO_RULES, Rules
from kg.schema import Extraction, Paper
from kg.store import Graph, no_collection

__all__ = ["Built", "add", "build", "confident", "remove"]

_LOG = logging.getLogger("kg")

_MIN_SCORE = "min_score"
_SETTINGS = (_MIN_SCORE, "rules")
_RULES = "rules"
#: Of a name that several papers have, so many are named.
_SHOWN = 5


class Built(NamedTuple):
    """A graph, and whether there was nothing to say of it: no paper failed, no rule matched nothing."""

    graph: Graph
    silent: bool


def build(
    papers: Iterable[Paper], *, reading: Reading, min_score: float = 0.0, rules: Rules = NO_RULES
) -> Built:
    """The graph of some records: see `kg.build`."""
    merged = merge_papers(papers)
    _LOG.info("%d distinct papers", len(merged))
    graph = _assembled(merged, {}, reading, settings_of(min_score, rules))
    idle = unmatched(rules, *records(graph)) if rules else []
    for line in idle:
        _LOG.warning("%s", line)
    return Built(graph, not idle and len(graph.graph["records"]) == len(merged))


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
    return _assembled(merge_papers([*held, *papers]), known, reading, _settings(graph))


def remove(graph: Graph, names: Iterable[str]) -> Graph:
    """The graph without some papers: see `kg.remove`."""
    papers, extractions = records(graph)
    called = _calls(papers)
    gone = {_found(name, called) for name in names}
    kept = [pair for pair in zip(papers, extractions, strict=True) if pair[0].id not in gone]
    return _graph(kept, _settings(graph))


def _assembled(
    papers: Sequence[Paper],
    known: Mapping[tuple[object, ...], Extraction],
    reading: Reading,
    settings: Mapping[str, Any],
) -> Graph:
    """The graph of merged papers; those whose content is not known are read."""
    unread = [paper for paper in papers if seen(paper) not in known]
    min_score = settings.get(_MIN_SCORE, 0.0)
    read = {seen(paper): confident(extraction, min_score) for paper, extraction in reading.pairs(unread)}
    found = [(paper, read.get(seen(paper)) or known.get(seen(paper))) for paper in papers]
    done = [(paper, _of(paper, extraction)) for paper, extraction in found if extraction]
    graph = _graph(done, settings)
    _LOG.info("graph of %d nodes and %d edges", graph.number_of_nodes(), graph.number_of_edges())
    return graph


def _graph(pairs: Sequence[tuple[Paper, Extraction]], settings: Mapping[str, Any]) -> Graph:
    with no_collection():
        return assemble([pair[0] for pair in pairs], [pair[1] for pair in pairs], attributes=settings)


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
