"""Graphs for other programs: one module a format, with `write(graph, path)` and, where it can be,
`read(path)`.

To add a format, write such a module and name it in `EXPORTERS`. `write` gets a path inside a temporary
place: it need not care about existing files, compression or half-written output.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kg.errors import ExportError
from kg.exports import (
    bibtex,
    csv_tables,
    cypher_script,
    gexf,
    graphml,
    jsonld,
    markdown,
    neo4j_admin,
    node_link,
    obsidian,
    parquet,
    turtle,
)
from kg.files import atomic_folder, atomic_write
from kg.store import Graph

__all__ = ["EXPORTERS", "Exporter", "export", "exporter_for"]


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format: its name, the endings that tell it, how to write and read it, and whether it is a folder."""

    name: str
    extensions: tuple[str, ...]
    write: Callable[[Graph, Path], None]
    read: Callable[[Path], Graph] | None = None
    folder: bool = False


#: Every format by its name.
EXPORTERS: Mapping[str, Exporter] = {
    exporter.name: exporter
    for exporter in (
        Exporter("bibtex", (".bib", ".bibtex"), bibtex.write),
        Exporter("csv", (".csv",), csv_tables.write, csv_tables.read, folder=True),
        Exporter("cypher", (".cypher", ".cql"), cypher_script.write),
        Exporter("gexf", (".gexf",), gexf.write, gexf.read),
        Exporter("graphml", (".graphml",), graphml.write, graphml.read),
        Exporter("json", (".json",), node_link.write, node_link.read),
        Exporter("jsonld", (".jsonld",), jsonld.write),
        Exporter("markdown", (".md", ".markdown"), markdown.write),
        Exporter("neo4j-admin", (".neo4j-admin",), neo4j_admin.write, folder=True),
        Exporter("obsidian", (".obsidian", ".vault"), obsidian.write, folder=True),
        Exporter("parquet", (".parquet",), parquet.write, parquet.read, folder=True),
        Exporter("turtle", (".ttl",), turtle.write),
    )
}


def exporter_for(path: str | os.PathLike[str], *, format: str | None = None) -> Exporter:
    """The exporter of a format, or of what the ending of a path tells (`.gz` aside).

    Raises:
        ExportError: there is no such format, or the ending tells none.
    """
    names = ", ".join(sorted(EXPORTERS))
    if format is not None:
        if format not in EXPORTERS:
            raise ExportError(f"unknown format {format!r}", hint=f"Choose one of {names}.")
        return EXPORTERS[format]
    name = os.fspath(path).lower().removesuffix(".gz").rstrip("/")
    for exporter in EXPORTERS.values():
        if name.endswith(exporter.extensions):
            return exporter
    raise ExportError(
        f"the ending of {os.fspath(path)!r} tells no format", hint=f"Name it with --format: {names}."
    )


def export(graph: Graph, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Writes a graph for another program, whole or not at all.

    Args:
        graph: the graph.
        path: the file to write, for formats of several files the folder; `-` is standard output. A file whose
            name ends in `.gz` is compressed.
        format: a key of `EXPORTERS`; by default the ending of `path` tells.

    Raises:
        ExportError: the format is unknown or the output cannot be written.
    """
    exporter = exporter_for(path, format=format)
    target = os.fspath(path)
    if exporter.folder:
        _export_folder(exporter, graph, target)
    elif target == "-":
        _copy_to(exporter, graph, sys.stdout.buffer)
    else:
        with atomic_write(target) as stream:
            _copy_to(exporter, graph, stream)


def _export_folder(exporter: Exporter, graph: Graph, target: str) -> None:
    if target == "-" or target.endswith(".gz"):
        raise ExportError(f"{exporter.name} writes a folder", hint="Name a folder with -o.")
    with atomic_folder(target) as part:
        exporter.write(graph, part)


def _copy_to(exporter: Exporter, graph: Graph, stream: IO[bytes]) -> None:
    """Writes a format of one file to a stream, by a temporary file, since some libraries only know paths."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"graph{exporter.extensions[0]}")
        exporter.write(graph, path)
        with path.open("rb") as written:
            shutil.copyfileobj(written, stream)
