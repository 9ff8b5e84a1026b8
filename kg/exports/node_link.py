"""Node-link JSON as NetworkX reads it: the graph file itself (`kg.store`), which alone loses nothing."""

from __future__ import annotations

from pathlib import Path

from kg import store
from kg.store import Graph

__all__ = ["read", "write"]


def write(graph: Graph, path: Path) -> None:
    """Writes the graph to the file `path`."""
    path.write_bytes(store.dumps(graph))


def read(path: Path) -> Graph:
    """The graph of a file that `write` wrote.

    Raises:
        GraphFileError: the file is missing, damaged, something else, or of a newer format.
    """
    return store.load(path)
