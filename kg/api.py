"""The library: read, extract, build, save, load, export.

>>> import kg
>>> result = kg.read(["papers.bib", "more.jsonl"])       # doctest: +SKIP
>>> result.rejected                                      # doctest: +SKIP
[]
>>> graph = kg.build(result.papers)                      # doctest: +SKIP
>>> graph.nodes["method:transformer"]["aliases"]         # doctest: +SKIP
['Transformer architecture', 'Transformers']

Papers, extractions and graphs are what `kg.schema` and `docs/graph-schema.md` say; the graph is a plain
NetworkX `MultiDiGraph`, so that everything NetworkX can do works on it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING, TypeAlias

from kg.schema import Extraction, Paper

if TYPE_CHECKING:
    from kg.readers import ReadResult
    from kg.store import Graph

__all__ = ["Inputs", "Progress", "Source", "build", "export", "extract", "load", "read", "save"]

_LOG = logging.getLogger("kg")

StrPath: TypeAlias = str | os.PathLike[str]
#: One input or several: files, folders, `-` for standard input.
Inputs: TypeAlias = StrPath | Iterable[StrPath]
#: What papers come from: inputs, or papers that were read already.
Source: TypeAlias = "Inputs | Iterable[Paper] | ReadResult"
#: Called after each paper with the number of papers that are done and the number of all.
Progress: TypeAlias = Callable[[int, int], object]


def read(inputs: Inputs, *, format: str | None = None, stdin: IO[bytes] | None = None) -> ReadResult:
    """Reads papers from files, folders or standard input.

    Args:
        inputs: one path or several; `-` is standard input.
        format: the format of all inputs, a key of `kg.readers.FORMATS`; by default each file's content tells.
        stdin: what to read for `-` instead of the process's standard input.

    Returns:
        `papers` in input order, one for each record, unmerged; `rejected` with file, line and reason;
        `warnings`.

    Raises:
        InputError: an input cannot be read at all.
    """
    from kg import readers

    paths = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    result = readers.read(paths, format=format, stdin=stdin)
    _LOG.info("%d records read, %d rejected", len(result.papers), len(result.rejected))
    return result


def extract(
    source: Source, *, format: str | None = None, progress: Progress | None = None
) -> Iterator[Extraction]:
    """Reads concepts, relations and code links out of papers, one extraction for each record, in their order.

    Args:
        source: inputs as for `read`, or papers.
        format: the format of the inputs.
        progress: called after each paper.

    Raises:
        InputError: an input cannot be read at all.
        ModelError: the extractor's weights are missing or damaged.
    """
    return _extractions(_papers(source, format=format), progress)


def build(
    source: Source,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    min_score: float = 0.0,
) -> Graph:
    """Builds the graph of some papers; records that describe one paper become one.

    Args:
        source: inputs as for `read`, or papers. Rejected records of inputs are logged as warnings; to handle
            them, call `read` first and give its papers.
        format: the format of the inputs.
        progress: called after each paper.
        min_score: leaves out concepts, roles and relations of which the extractor is less sure, from 0 to 1.

    Raises:
        InputError: an input cannot be read at all.
        ModelError: the extractor's weights are missing or damaged.
    """
    from kg.assemble import assemble
    from kg.identity import merge_papers

    papers = merge_papers(_papers(source, format=format))
    _LOG.info("%d distinct papers", len(papers))
    extractions = [_confident(item, min_score) for item in _extractions(papers, progress)]
    graph = assemble(papers, extractions)
    _LOG.info("graph of %d nodes and %d edges", graph.number_of_nodes(), graph.number_of_edges())
    return graph


def save(graph: Graph, path: StrPath) -> None:
    """Writes a graph file, whole or not at all; compressed where the name ends in `.gz`.

    Raises:
        ExportError: the file cannot be written.
    """
    from kg import store

    store.save(graph, path)


def load(path: StrPath) -> Graph:
    """Reads a graph file.

    Raises:
        GraphFileError: the file is missing, damaged, of another kind or of a newer format.
    """
    from kg import store

    return store.load(path)


def export(graph: Graph, path: StrPath, *, format: str | None = None) -> None:
    """Writes a graph for another program.

    Args:
        graph: what `build` or `load` gave.
        path: the file (for some formats the folder) to write.
        format: a key of `kg.exports.EXPORTERS`; by default the ending of `path` tells.

    Raises:
        ExportError: the format is unknown or the output cannot be written.
    """
    from kg import exports

    exports.export(graph, path, format=format)


def _papers(source: Source, *, format: str | None) -> list[Paper]:
    """The papers of a source, whichever form it has."""
    from kg.readers import ReadResult

    if isinstance(source, ReadResult):
        return source.papers
    if isinstance(source, str | os.PathLike):
        return _read_papers([source], format=format)
    items = list(source)
    papers = [item for item in items if isinstance(item, Paper)]
    if papers and len(papers) < len(items):
        raise TypeError("give either papers or paths, not both")
    return papers or _read_papers([item for item in items if not isinstance(item, Paper)], format=format)


def _read_papers(inputs: list[StrPath], *, format: str | None) -> list[Paper]:
    result = read(inputs, format=format)
    for line in (*result.warnings, *map(str, result.rejected)):
        _LOG.warning("%s", line)
    return result.papers


def _extractions(papers: list[Paper], progress: Progress | None) -> Iterator[Extraction]:
    from extractors import pipeline

    for done, extraction in enumerate(pipeline.extract(papers), start=1):
        yield extraction
        if progress is not None:
            progress(done, len(papers))


def _confident(extraction: Extraction, min_score: float) -> Extraction:
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
