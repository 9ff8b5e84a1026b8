"""What a folder of graph tables holds, counted batch by batch in memory that does not grow with it.

What grows are the sources of HAS_CODE, which are counted once each, and the concepts that tie for the last
place at the top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from kg.folder_index import read_batches, schema
from kg.lookup import CONCEPT_TYPES, DEGREES, Statistics, counted, most_papers
from kg.schema import CodeStatus
from kg.store import Graph

if TYPE_CHECKING:
    import pyarrow

__all__ = ["statistics"]

_NODE = ("id", "type", "name", "papers", "year", "venue", "code_status")


def statistics(folder: Path, *, top: int) -> tuple[Statistics, Graph]:
    """Counts a folder: what `kg.lookup.statistics` says of its graph, and the nodes at the top.

    Raises:
        GraphFileError: a table is missing or damaged.
    """
    nodes, edges = _Nodes(top), _Edges()
    schema(folder, "nodes", ("id", "type"))
    for batch in read_batches(folder, "nodes", _NODE):
        nodes.add(batch)
    graph = nodes.candidates()
    ids = list(graph)
    schema(folder, "edges", ("source", "target", "type"))
    for batch in read_batches(folder, "edges", ("source", "target", "type")):
        edges.add(batch, ids)
    graph.graph[DEGREES] = dict(zip(ids, edges.degrees.tolist(), strict=True)) if ids else {}
    found = counted(
        types=nodes.types,
        code_status=nodes.status,
        years=nodes.years,
        venues=nodes.venues,
        relations=edges.relations,
        papers_with_code=edges.with_code(),
        top={kind: most_papers(graph, kind, top) for kind in CONCEPT_TYPES},
    )
    return found, graph


def _counts(column: pyarrow.Array) -> dict[Any, int]:
    """How often each value stands in a column."""
    return {item["values"]: item["counts"] for item in column.value_counts().to_pylist()}


class _Nodes:
    """Counts nodes, and keeps those that may be at the top."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._kept: dict[str, list[tuple[int | None, str, Any]]] = {kind: [] for kind in CONCEPT_TYPES}
        self.types: Counter[str] = Counter()
        self.status: Counter[str] = Counter()
        self.years: Counter[int] = Counter()
        self.venues: Counter[str] = Counter()

    def add(self, batch: pyarrow.RecordBatch) -> None:
        """Counts some rows."""
        from pyarrow import compute, types

        self.types.update({str(kind): count for kind, count in _counts(batch["type"]).items()})
        held = set(batch.schema.names)
        papers = batch.filter(compute.equal(batch["type"], "Paper"))
        status = _counts(papers["code_status"]) if "code_status" in held else {None: len(papers)}
        for name, count in status.items():
            self.status[str(name or CodeStatus.NONE)] += count
        if "year" in held and types.is_integer(batch["year"].type):
            self.years.update({y: count for y, count in _counts(papers["year"]).items() if y is not None})
        if "venue" in held:
            self.venues.update({str(v): count for v, count in _counts(papers["venue"]).items() if v})
        for kind in CONCEPT_TYPES:
            self._keep(kind, batch.filter(compute.equal(batch["type"], kind)))

    def _keep(self, kind: str, batch: pyarrow.RecordBatch) -> None:
        """Keeps what has as many papers as the last one at the top; what tells no number, too."""
        from pyarrow import types

        numbers = "papers" in batch.schema.names and types.is_integer(batch["papers"].type)
        papers = batch["papers"].to_pylist() if numbers else [None] * len(batch)
        names = batch["name"].to_pylist() if "name" in batch.schema.names else [None] * len(batch)
        kept = [*self._kept[kind], *zip(papers, batch["id"].to_pylist(), names, strict=True)]
        known = sorted((count for count, *_ in kept if count is not None), reverse=True)
        least = known[self._top - 1] if len(known) >= self._top else -1
        self._kept[kind] = [row for row in kept if row[0] is None or row[0] >= least]

    def candidates(self) -> Graph:
        """The nodes that may be at the top."""
        graph: Graph = nx.MultiDiGraph()
        for kind, rows in self._kept.items():
            for papers, node, name in rows:
                own: Mapping[str, Any] = {"name": name, "papers": papers}
                told = {key: value for key, value in own.items() if value is not None}
                graph.add_node(node, type=kind, **told)
        return graph


class _Edges:
    """Counts edges, and those of some nodes."""

    def __init__(self) -> None:
        self.relations: Counter[str] = Counter()
        self.degrees = np.zeros(0, dtype=np.int64)
        self._coded: list[pyarrow.Array] = []

    def add(self, batch: pyarrow.RecordBatch, ids: list[str]) -> None:
        """Counts some rows; `ids` are the nodes whose edges are counted."""
        import pyarrow
        from pyarrow import compute

        self.relations.update({str(kind): count for kind, count in _counts(batch["type"]).items()})
        coded = batch.filter(compute.equal(batch["type"], "HAS_CODE"))
        self._coded.append(coded["source"].unique())
        if not len(self.degrees):
            self.degrees = np.zeros(len(ids), dtype=np.int64)
        for end in ("source", "target"):
            known = pyarrow.array(ids, batch[end].type)
            found = compute.drop_null(compute.index_in(batch[end], value_set=known))
            self.degrees += np.bincount(found.to_numpy(zero_copy_only=False), minlength=len(ids))

    def with_code(self) -> int:
        """How many papers link code."""
        import pyarrow

        return len(pyarrow.chunked_array(self._coded).unique()) if self._coded else 0
