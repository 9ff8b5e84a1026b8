"""The part of a folder that a view draws: what is around a node, or a small folder as a whole.

The nodes of a view stand in a table of the connection (`near`); memory holds none but those that are drawn.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kg.errors import GraphFileError
from kg.lookup import DEGREES
from kg.store import Graph

if TYPE_CHECKING:
    from kg.folder import Folder

__all__ = ["near", "whole"]

_LOG = logging.getLogger("kg")

#: A view is made of at most so many nodes.
_NEAR = 20_000
#: Folders up to so many nodes are drawn as a whole.
_SMALL = 20_000

_STEP = """
INSERT OR IGNORE INTO near SELECT edge.{other}, ? FROM near CROSS JOIN edge ON edge.{end} = near.number
WHERE near.step = ?
"""
#: One paper of each year beside each node of a view.
_YEARS = """
SELECT min(edge.place) FROM near CROSS JOIN node ON node.number = near.number
CROSS JOIN edge ON edge.{end} = near.number CROSS JOIN node AS paper ON paper.number = edge.{other}
WHERE node.type <> 'Paper' AND paper.type = 'Paper' AND paper.{year} IS NOT NULL
GROUP BY near.number, paper.{year}
"""
_AROUND = """
SELECT edge.place FROM near CROSS JOIN edge ON edge.target = near.number
AND edge.relation IN (SELECT number FROM relation WHERE name IN ('AUTHORED', 'PROPOSES'))
"""
_INDUCED = """
SELECT edge.place FROM near CROSS JOIN edge ON edge.source = near.number
WHERE edge.target IN (SELECT number FROM near)
"""


def near(folder: Folder, name: str, depth: int) -> Graph:
    """What is within some steps of a node, and what a view tells of it."""
    node = folder.find_all(name)[0]
    _mark(folder, [folder.known(node)])
    for step in range(depth):
        for end, other in (("source", "target"), ("target", "source")):
            folder.rows(_STEP.format(end=end, other=other), step + 1, step)
        if _cut(folder):
            _LOG.warning(
                "%s has more than %s nodes around it; those with most papers are taken",
                name,
                f"{_NEAR:,}",
            )
            break
    return _marked(folder)


def whole(folder: Folder) -> Graph:
    """The whole graph of a small folder.

    Raises:
        GraphFileError: it is not small.
    """
    if folder.counts["nodes"] > _SMALL:
        raise GraphFileError(
            f"{folder.path} has {folder.counts['nodes']:,} nodes, too many to draw",
            hint="Name one with --focus; `kg search` finds names.",
        )
    _mark(folder, (number for (number,) in folder.rows("SELECT number FROM node").fetchall()))
    return _marked(folder)


def _mark(folder: Folder, numbers: Iterable[int]) -> None:
    """Begins a set of nodes."""
    folder.rows("DROP TABLE IF EXISTS temp.near")
    folder.rows("CREATE TEMP TABLE near (number INTEGER PRIMARY KEY, step INTEGER)")
    folder.database.executemany("INSERT INTO near VALUES (?, 0)", ((number,) for number in numbers))


def _cut(folder: Folder) -> bool:
    """Keeps the nearest nodes of the set; whether there were too many."""
    text = "DELETE FROM near WHERE number NOT IN (SELECT number FROM near ORDER BY step, number LIMIT ?)"
    return folder.rows(text, _NEAR).rowcount > 0


def _marked(folder: Folder) -> Graph:
    """The set of nodes with the edges among them, one paper of each year, authors and sources."""
    year = next((cell for name, cell, _ in folder.columns["node"] if name == "year"), None)
    texts = [_AROUND]
    if year is not None:
        pairs = (("source", "target"), ("target", "source"))
        texts += [_YEARS.format(end=end, other=other, year=year) for end, other in pairs]
    beside = {place for text in texts for (place,) in folder.rows(text)}
    edges = {place for (place,) in folder.rows(_INDUCED)}
    graph = folder.part(edges, (number for (number,) in folder.rows("SELECT number FROM near").fetchall()))
    more = folder.part(beside - edges, evidence=False)
    graph.graph[DEGREES] |= more.graph[DEGREES]
    graph.add_nodes_from(more.nodes(data=True))
    for source, target, relation, data in more.edges(keys=True, data=True):
        graph.add_edge(source, target, relation, **data)
    sources = {str(item["paper"]) for *_, data in graph.edges(data=True) for item in data.get("evidence", ())}
    folder.add_nodes(graph, "id", sorted(sources.difference(graph)))
    return graph
