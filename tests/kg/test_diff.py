"""What changed between two graphs."""

from __future__ import annotations

from kg.diff import compare
from kg.store import Graph
from tests.graphs import STAR, UPG, evidence, small_graph


def test_a_graph_does_not_differ_from_itself() -> None:
    assert compare(small_graph(), small_graph()).to_record() == {
        "papers": {"in": [], "out": []},
        "concepts": {"in": [], "out": [], "renamed": []},
        "relations": {"in": [], "out": []},
    }


def _changed() -> Graph:
    """Without one paper, with another concept, and with two concepts renamed."""
    graph = small_graph()
    graph.remove_node(STAR)
    graph.remove_node("term:transformer-c")
    graph.add_node("dataset:citeseer", type="Dataset", name="Citeseer", aliases=[], papers=1)
    graph.add_edge(UPG, "dataset:citeseer", "EVALUATES_ON", type="EVALUATES_ON", evidence=[])
    graph.nodes["task:graph-learning"]["name"] = "Graph Learning"
    graph.add_node(
        "method:unified-private-graph-network",
        type="Method",
        name="unified private graph network",
        aliases=["UPGNET"],
        papers=1,
    )
    for source, target, key, data in list(graph.edges(keys=True, data=True)):
        if "method:upgnet" in (source, target):
            ends = [
                "method:unified-private-graph-network" if n == "method:upgnet" else n
                for n in (source, target)
            ]
            graph.add_edge(ends[0], ends[1], key, **data)
    graph.remove_node("method:upgnet")
    return graph


def test_whole_difference() -> None:
    long = {"id": "method:unified-private-graph-network", "name": "unified private graph network"}
    assert compare(small_graph(), _changed()).to_record() == {
        "papers": {"in": [], "out": [{"id": STAR, "name": "Star Attention"}]},
        "concepts": {
            "in": [{"id": "dataset:citeseer", "name": "Citeseer"}],
            "out": [{"id": "term:transformer-c", "name": "C++"}],
            "renamed": [
                {"old": {"id": "method:upgnet", "name": "UPGNET"}, "new": long},
                {
                    "old": {"id": "task:graph-learning", "name": "graph learning"},
                    "new": {"id": "task:graph-learning", "name": "Graph Learning"},
                },
            ],
        },
        "relations": {
            "in": [{"source": UPG, "relation": "EVALUATES_ON", "target": "dataset:citeseer"}],
            "out": [
                {"source": STAR, "relation": "MENTIONS", "target": "term:transformer-c"},
                {"source": STAR, "relation": "USES", "target": "method:transformer"},
            ],
        },
    }


def test_a_concept_that_is_merged_into_another_is_renamed_and_its_relations_stay() -> None:
    old = small_graph()
    old.add_node("method:transformers", type="Method", name="Transformers", aliases=[], papers=1)
    old.add_edge(STAR, "method:transformers", "USES", type="USES", evidence=[evidence(STAR, "x")])
    found = compare(old, small_graph())
    assert (found.renamed, found.concepts_out) == ({"method:transformers": "method:transformer"}, ())
    assert found.relations_out == ()


def test_of_several_concepts_with_the_name_that_of_the_type_is_it() -> None:
    old, new = small_graph(), small_graph()
    new.remove_node("dataset:cora")
    for kind in ("Method", "Dataset"):
        new.add_node(f"{kind.lower()}:cora-graph", type=kind, name="Cora graph", aliases=["Cora"], papers=1)
    assert compare(old, new).renamed == {"dataset:cora": "dataset:cora-graph"}
