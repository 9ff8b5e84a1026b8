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
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

from kg.schema import Extraction, Paper, Rejected

if TYPE_CHECKING:
    from kg.readers import ReadResult
    from kg.rules import Rules
    from kg.store import Graph

__all__ = [
    "Inputs",
    "OnRejected",
    "Progress",
    "Source",
    "WorkerCount",
    "add",
    "build",
    "export",
    "extract",
    "load",
    "read",
    "remove",
    "save",
]

_LOG = logging.getLogger("kg")

StrPath: TypeAlias = str | os.PathLike[str]
#: One input or several: files, folders, `-` for standard input.
Inputs: TypeAlias = StrPath | Iterable[StrPath]
#: What papers come from: inputs, or papers that were read already.
Source: TypeAlias = "Inputs | Iterable[Paper] | ReadResult"
#: Called after each paper with the number of papers that are done and the number of all.
Progress: TypeAlias = Callable[[int, int], object]
#: Called for each paper that the extractor fails on.
OnRejected: TypeAlias = Callable[[Rejected], object]
#: How many processes read papers; "auto" is as many as pay off.
WorkerCount: TypeAlias = int | Literal["auto"]


def read(
    inputs: Inputs,
    *,
    format: str | None = None,
    stdin: IO[bytes] | None = None,
    max_bytes: int | None = None,
) -> ReadResult:
    """Reads papers from files, folders or standard input.

    Args:
        inputs: one path or several; `-` is standard input.
        format: the format of all inputs, a key of `kg.readers.FORMATS`; by default each file's content tells.
        stdin: what to read for `-` instead of the process's standard input.
        max_bytes: largest size of an input after decompression; by default 4 GiB, and less for what grows
            like a decompression bomb.

    Returns:
        `papers` in input order, one for each record, unmerged; `rejected` with file, line and reason;
        `warnings`.

    Raises:
        InputError: an input cannot be read at all.
    """
    from kg import readers

    paths = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    result = readers.read(paths, format=format, stdin=stdin, max_bytes=max_bytes)
    _LOG.info("%d records read, %d rejected", len(result.papers), len(result.rejected))
    return result


def extract(
    source: Source,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    workers: WorkerCount = 1,
    cache: bool = True,
    on_rejected: OnRejected | None = None,
) -> Iterator[Extraction]:
    """Reads concepts, relations and code links out of papers, one extraction for each record, in their order.

    Args:
        source: inputs as for `read`, or papers.
        format: the format of the inputs.
        progress: called after each paper.
        workers: how many processes read; "auto" is as many as pay off. The result is the same.
        cache: whether what was read before comes out of the cache, and what is read now is kept there.
        on_rejected: called for each paper that the extractor fails on, which has no extraction then; by
            default a warning is logged.

    Raises:
        InputError: an input cannot be read at all.
        ModelError: the extractor's weights are missing or damaged.
        WorkerError: processes cannot be started.
    """
    from kg.extraction import Reading

    found = _found(source, format=format)
    reading = Reading(
        workers=workers, cache=cache, progress=progress, on_rejected=on_rejected, places=found.places
    )
    return (extraction for _, extraction in reading.pairs(found.papers))


def build(
    source: Source,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    min_score: float = 0.0,
    rules: StrPath | Rules | None = None,
    workers: WorkerCount = 1,
    cache: bool = True,
    on_rejected: OnRejected | None = None,
) -> Graph:
    """Builds the graph of some papers; records that describe one paper become one.

    Args:
        source: inputs as for `read`, or papers. Rejected records of inputs are logged as warnings; to handle
            them, call `read` first and give its papers.
        format: the format of the inputs.
        progress: called after each paper.
        min_score: leaves out concepts, roles and relations of which the extractor is less sure, from 0 to 1.
        rules: a rules file (`docs/rules.md`) or what `kg.rules` made of it: what a person says of names and
            papers. The graph keeps it. A rule that matches nothing is logged as a warning.
        workers: how many processes read; "auto" is as many as pay off. The result is the same.
        cache: whether what was read before comes out of the cache, and what is read now is kept there.
        on_rejected: called for each paper that the extractor fails on, which the graph has not then; by
            default a warning is logged.

    Raises:
        InputError: an input cannot be read at all.
        ModelError: the extractor's weights are missing or damaged.
        RulesError: the rules file cannot be read or holds what is no rule.
        WorkerError: processes cannot be started.
    """
    from kg import update
    from kg.extraction import Reading
    from kg.rules import NO_RULES, Rules, load_rules

    told = rules if isinstance(rules, Rules) else load_rules(rules) if rules is not None else NO_RULES
    found = _found(source, format=format)
    reading = Reading(
        workers=workers, cache=cache, progress=progress, on_rejected=on_rejected, places=found.places
    )
    return update.build(found.papers, reading=reading, min_score=min_score, rules=told).sums.graph()


def add(
    graph: Graph,
    source: Source,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    workers: WorkerCount = 1,
    cache: bool = True,
    on_rejected: OnRejected | None = None,
    reextract: bool = False,
) -> Graph:
    """Gives the graph with more papers: what `build` gives for the papers of both.

    Only papers that are new, or that new records change, are read.

    Args:
        graph: what `build` or `load` gave; it stays as it is.
        source: inputs as for `read`, or papers.
        format: the format of the inputs.
        progress: called after each paper that is read.
        workers: how many processes read, as for `build`.
        cache: whether the cache is used, as for `build`.
        on_rejected: called for each paper that the extractor fails on, as for `build`.
        reextract: reads the graph's own papers anew, too.

    Raises:
        InputError: an input cannot be read at all.
        GraphFileError: the graph has no extraction records, or another extractor made them and `reextract` is
            not set.
        ModelError: the extractor's weights are missing or damaged.
        WorkerError: processes cannot be started.
    """
    from kg import update
    from kg.extraction import Reading

    found = _found(source, format=format)
    reading = Reading(
        workers=workers, cache=cache, progress=progress, on_rejected=on_rejected, places=found.places
    )
    return update.add(graph, found.papers, reading=reading, reextract=reextract)


def remove(graph: Graph, papers: Iterable[str]) -> Graph:
    """Gives the graph without some papers: what `build` gives for the others.

    Args:
        graph: what `build` or `load` gave; it stays as it is.
        papers: their node ids, DOIs, arXiv ids or ids in the input.

    Raises:
        NotFoundError: no paper has the name, or several have.
        GraphFileError: the graph has no extraction records.
    """
    from kg import update

    return update.remove(graph, papers)


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


def _found(source: Source, *, format: str | None) -> ReadResult:
    """The papers of a source, whichever form it has."""
    from kg.readers import ReadResult

    if isinstance(source, ReadResult):
        return source
    if isinstance(source, str | os.PathLike):
        return _read(source, format=format)
    items = list(source)
    papers = [item for item in items if isinstance(item, Paper)]
    if papers and len(papers) < len(items):
        raise TypeError("give either papers or paths, not both")
    if papers:
        return ReadResult(papers)
    return _read([item for item in items if not isinstance(item, Paper)], format=format)


def _read(inputs: Inputs, *, format: str | None) -> ReadResult:
    result = read(inputs, format=format)
    for line in (*result.warnings, *map(str, result.rejected)):
        _LOG.warning("%s", line)
    return result
