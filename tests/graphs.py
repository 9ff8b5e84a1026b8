"""A small graph as `kg.assemble` makes them, built by hand."""

from __future__ import annotations

from typing import Any

import networkx as nx

from kg.store import Graph

UPG = "paper:sha1:aaaa"
STAR = "paper:arxiv:2401.00001"


def evidence(paper: str, sentence: str, *, start: int = 1, score: float = 0.9) -> dict[str, Any]:
    """One piece of evidence."""
    end = start + len(sentence)
    return {
        "paper": paper,
        "sentence": sentence,
        "start": start,
        "end": end,
        "score": score,
        "extractor": "test",
    }


def _paper(name: str, **more: Any) -> dict[str, Any]:
    empty = dict.fromkeys(("title", "year", "venue", "url", "doi", "arxiv_id"))
    common = {"type": "Paper", "name": name, "label": name, "abstract": "…", "source_ids": []}
    return {**empty, **common, "code_status": "none", **more}


def _concept(kind: str, name: str, papers: int, *aliases: str) -> dict[str, Any]:
    return {"type": kind, "name": name, "papers": papers, "aliases": list(aliases)}


def small_graph() -> Graph:
    """Two papers, five concepts, a repository, an author and a venue."""
    graph: Graph = nx.MultiDiGraph(format=1)
    graph.add_nodes_from(
        [
            (
                UPG,
                _paper(
                    "UPGNET: graph learning", venue="ICML", year=2025, code_status="linked", source_ids=["17"]
                ),
            ),
            (STAR, _paper("Star Attention", title="Star Attention", year=2024, arxiv_id="2401.00001")),
            ("method:upgnet", _concept("Method", "UPGNET", 1, "unified private graph network")),
            ("method:transformer", _concept("Method", "Transformer", 2, "Transformers")),
            ("task:graph-learning", _concept("Task", "graph learning", 1)),
            ("dataset:cora", _concept("Dataset", "Cora", 1)),
            ("term:transformer-c", _concept("Term", "C++", 1)),
            (
                "repository:github.com/o/upg",
                {
                    "type": "Repository",
                    "name": "upg",
                    "url": "https://github.com/o/upg",
                    "host": "github.com",
                },
            ),
            ("author:ann-roe", {"type": "Author", "name": "Ann Roe"}),
            ("venue:icml", {"type": "Venue", "name": "ICML"}),
        ]
    )
    proposes = evidence(UPG, "We propose UPGNET.")
    for source, target, relation, shown in (
        (UPG, "method:upgnet", "PROPOSES", [proposes]),
        (UPG, "method:transformer", "USES", [evidence(UPG, "It builds on the Transformer.", start=20)]),
        (UPG, "task:graph-learning", "ADDRESSES", [evidence(UPG, "Graph learning is hard.", start=60)]),
        (UPG, "dataset:cora", "EVALUATES_ON", [evidence(UPG, "On Cora it wins.", start=90)]),
        (
            UPG,
            "repository:github.com/o/upg",
            "HAS_CODE",
            [evidence(UPG, "Code: o/upg", start=120)],
        ),
        ("method:upgnet", "repository:github.com/o/upg", "IMPLEMENTED_IN", []),
        ("method:upgnet", "method:transformer", "IMPROVES", [proposes]),
        (STAR, "method:transformer", "USES", [evidence(STAR, "Transformers are slow.", score=0.5)]),
        (STAR, "term:transformer-c", "MENTIONS", [evidence(STAR, "Written in C++.", start=30)]),
    ):
        graph.add_edge(source, target, key=relation, type=relation, evidence=shown)
    graph.add_edge("author:ann-roe", UPG, key="AUTHORED", type="AUTHORED")
    graph.add_edge(UPG, "venue:icml", key="PUBLISHED_IN", type="PUBLISHED_IN")
    return graph
