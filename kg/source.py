"""Where commands that only read take a graph from: a graph file, or a folder of tables.

Both answer the same questions. A graph file is loaded whole; of a folder only what an answer needs is read
(`kg.folder`). The answers are graphs, on which the functions of `kg.lookup`, `kg.compare` and `viz` work.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from kg import lookup, store
from kg.store import Graph

if TYPE_CHECKING:
    from kg.api import Progress
    from kg.folder import Folder

__all__ = ["Counts", "Source", "Whole", "opened"]

#: How many neighbours a node has, by (relation, outgoing).
Counts: TypeAlias = "Mapping[tuple[str, bool], int]"


class Source(Protocol):
    """A graph that can be asked. Every answer is a graph that holds what was asked for, or more."""

    def find_all(self, name: str) -> list[str]:
        """All nodes that a name may mean, as `kg.lookup.find_all` has them."""

    def search(self, text: str, *, type: str | None, limit: int) -> tuple[int, list[str]]:
        """How many nodes `kg.lookup.search` finds, and the first ones."""

    def nodes(self, nodes: Collection[str]) -> Graph:
        """These nodes, as far as there are such."""

    def around(self, node: str, *, limit: int) -> tuple[Graph, Counts]:
        """A node with the best attested neighbours of each relation, and how many there are."""

    def between(self, one: str, other: str) -> Graph:
        """Two nodes and the edges between them."""

    def near(self, name: str, depth: int) -> Graph:
        """What is within some steps of a node, and what a view tells of it."""

    def whole(self) -> Graph:
        """The whole graph, if it is small enough for that."""

    def pushed(self) -> tuple[Graph | Folder, int]:
        """What `kg.push.push` takes, and how many nodes and edges it has."""

    def statistics(self, *, top: int) -> tuple[lookup.Statistics, Graph]:
        """What the graph holds, and the nodes that the statistics name."""


class Whole:
    """A graph that is in memory; it answers with itself."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def find_all(self, name: str) -> list[str]:
        """All nodes that a name may mean."""
        return lookup.find_all(self.graph, name)

    def search(self, text: str, *, type: str | None, limit: int) -> tuple[int, list[str]]:
        """How many nodes a text finds, and the first ones."""
        found = lookup.search(self.graph, text, type=type)
        return len(found), found[:limit]

    def nodes(self, nodes: Collection[str]) -> Graph:
        """The graph."""
        return self.graph

    def around(self, node: str, *, limit: int) -> tuple[Graph, Counts]:
        """The graph, and how many neighbours a node has."""
        found = lookup.neighbours(self.graph, node)
        return self.graph, {relation: len(items) for relation, items in found.items()}

    def between(self, one: str, other: str) -> Graph:
        """The graph."""
        return self.graph

    def near(self, name: str, depth: int) -> Graph:
        """The graph."""
        return self.graph

    def whole(self) -> Graph:
        """The graph."""
        return self.graph

    def pushed(self) -> tuple[Graph | Folder, int]:
        """The graph, and how many nodes and edges it has."""
        return self.graph, self.graph.number_of_nodes() + self.graph.number_of_edges()

    def statistics(self, *, top: int) -> tuple[lookup.Statistics, Graph]:
        """What the graph holds, and the graph."""
        return lookup.statistics(self.graph, top=top), self.graph


@contextmanager
def opened(path: str | os.PathLike[str], *, progress: Progress | None = None) -> Iterator[Source]:
    """A graph file or a folder of tables, to be asked.

    Args:
        path: the file or the folder.
        progress: called while the index of a folder is made.

    Raises:
        GraphFileError: the file or the folder is missing, damaged, or of a newer format.
    """
    if not Path(path).is_dir():
        yield Whole(store.load(path))
        return
    from kg.folder import Folder

    with Folder(path, progress=progress) as folder:
        yield folder
