"""What the page knows of a node or an edge besides how it is drawn: names, papers, sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from kg.lookup import display_name
from kg.store import Graph
from viz.network import shown_name

__all__ = ["Sources", "edge_details", "node_details", "safe_address"]

#: So many sentences of one edge are on the page; `papers` tells how many there are.
_SENTENCES = 12
_FIELDS = ("papers", "year", "venue", "doi", "arxiv_id", "code_status", "status", "first")


class Sources:
    """Papers and their sentences, each once on the page; evidence is a row number and a score."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._papers: dict[str, int] = {}
        self._sentences: dict[tuple[int, str], int] = {}

    def row(self, item: Mapping[str, Any]) -> list[Any]:
        """One piece of evidence: the row of its sentence, and its score where it has one."""
        paper = str(item.get("paper") or "")
        source = self._papers.setdefault(paper, len(self._papers))
        sentence = self._sentences.setdefault((source, str(item.get("sentence") or "")), len(self._sentences))
        score = item.get("score")
        return [sentence, score] if isinstance(score, int | float) else [sentence]

    def tables(self) -> dict[str, Any]:
        """The rows: papers as id, label and year, sentences as number of the paper and text."""
        return {
            "sources": [self._paper(paper) for paper in self._papers],
            "sentences": [[source, text] for source, text in self._sentences],
        }

    def _paper(self, paper: str) -> list[Any]:
        if paper not in self._graph:
            return [paper, paper, None]
        year = self._graph.nodes[paper].get("year")
        return [paper, display_name(self._graph, paper), year if isinstance(year, int) else None]


def node_details(graph: Graph, node: str) -> dict[str, Any]:
    """Properties of a node for the panel, search and filters; what is empty is left out."""
    data = graph.nodes[node]
    aliases = data.get("aliases")
    found = {
        "name": shown_name(graph, node),
        "type": data["type"],
        "aliases": [str(alias) for alias in aliases] if isinstance(aliases, list) else [],
        "authors": _authors(graph, node),
        "links": _links(data),
        **{name: data.get(name) for name in _FIELDS},
    }
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _authors(graph: Graph, node: str) -> list[str]:
    """The authors of a paper in their order; from a graph without records in that of their names."""
    if graph.nodes[node]["type"] != "Paper":
        return []
    record = (graph.graph.get("records") or {}).get(node)
    listed = record.get("paper", {}).get("authors") if isinstance(record, dict) else None
    if isinstance(listed, list):
        return [str(author) for author in listed]
    edges = graph.in_edges(node, data=True)
    return sorted(display_name(graph, author) for author, _, data in edges if data["type"] == "AUTHORED")


def _links(data: Mapping[str, Any]) -> list[list[str]]:
    """Addresses with what they are, in the order of their use."""
    doi, arxiv = data.get("doi"), data.get("arxiv_id")
    found = [
        ("Code" if data["type"] == "Repository" else "Web page", safe_address(data.get("url"))),
        ("DOI", f"https://doi.org/{quote(str(doi), safe='/')}" if doi else ""),
        ("arXiv", f"https://arxiv.org/abs/{quote(str(arxiv), safe='/')}" if arxiv else ""),
    ]
    told: dict[str, str] = {}
    for name, address in found:
        if address:
            told.setdefault(address, name)
    return [[name, address] for address, name in told.items()]


def safe_address(address: object) -> str:
    """The address if it is http or https, else nothing.

    >>> safe_address("https://github.com/o/r"), safe_address("JavaScript:alert(1)")
    ('https://github.com/o/r', '')
    """
    if not isinstance(address, str):
        return ""
    address = address.strip()
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in ("http", "https") and parts.netloc else ""


def edge_details(data: Mapping[str, Any], sources: Sources) -> dict[str, Any]:
    """Relation, papers, score and evidence of an edge; what is empty is left out."""
    evidence = [item for item in data.get("evidence") or () if isinstance(item, Mapping)]
    best = sorted(evidence, key=lambda item: -_score(item))[:_SENTENCES]
    score = data.get("score", max(map(_score, evidence), default=None))
    found = {
        "type": data["type"],
        "papers": data.get("papers"),
        "score": score,
        "role": data.get("role"),
        "evidence": [sources.row(item) for item in best],
    }
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _score(item: Mapping[str, Any]) -> float:
    score = item.get("score")
    return float(score) if isinstance(score, int | float) else 0.0
