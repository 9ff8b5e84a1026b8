from __future__ import annotations

from typing import Any

import pytest

from kg.exports.admin_rows import line
from kg.flat import COLLECTION, EVIDENCE, edge_properties, kind_of, node_properties
from kg.spark.lines import FACTS, Facts, Layout, write_lines

OF_EVIDENCE = {name: f"{kind_of(default)}[]" for name, (_, default) in EVIDENCE.items()}
EDGES = dict(sorted({"collection": "string", "papers": "long", "score": "double", **OF_EVIDENCE}.items()))
NODES = {"aliases": "string[]", "collections": "string[]", "is_known": "boolean", "name": "string"}


def evidence(**given: Any) -> dict[str, Any]:
    usual = {
        "paper": "p",
        "sentence": "A b.",
        "start": 0,
        "end": 4,
        "score": 0.5,
        "extractor": "4",
        "read_as": None,
    }
    return usual | given


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([evidence()], id="one"),
        pytest.param([evidence(start=None, end=None, sentence="")], id="a field of the input"),
        pytest.param(
            [evidence(start=9, end=12), evidence(score=0.9), evidence()], id="the best first, then by place"
        ),
        pytest.param([evidence(sentence='He said "a; b".\r\nThen\nno more.')], id="quotes and line breaks"),
        pytest.param([], id="none"),
        pytest.param(None, id="no list"),
    ],
)
def test_an_edge_is_the_line_that_its_properties_make(found: list[dict[str, Any]] | None) -> None:
    row = {"source": 'a"', "target": "b", "type": "USES", "papers": 1, "score": 0.0001, "evidence": found}
    layout = Layout(
        "edges", ("source", "target"), {"USES": EDGES}, {"papers": ["papers"], "score": ["score"]}, "|"
    )
    placed = sorted(found or (), key=lambda item: item["start"] or 0)
    data = {"papers": 1, "score": 0.0001, "evidence": placed}
    expected = line(('a"', "b"), {**edge_properties(data), "collection": COLLECTION}, EDGES, "|")
    broken = bool(found) and "\n" in placed[0]["sentence"]

    assert list(write_lines(layout, [row])) == [
        {"table": "edges-USES", "line": expected},
        {"table": FACTS, "line": str(Facts(len(expected), int(broken)))},
    ]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"name": "Net", "is-known": True, "aliases": ["a", "", "b"]}, id="all"),
        pytest.param({"name": "", "is-known": None, "aliases": [""]}, id="nothing"),
    ],
)
def test_a_node_is_the_line_that_its_properties_make(row: dict[str, Any]) -> None:
    sources = {"name": ["name"], "is_known": ["is-known"], "aliases": ["aliases"]}
    layout = Layout("nodes", ("id",), {"Method": NODES}, sources, ";")
    expected = line(("m",), {**node_properties(row), "collections": [COLLECTION]}, NODES, ";")

    first, _ = write_lines(layout, [{"id": "m", "type": "Method", **row}])

    assert first == {"table": "nodes-Method", "line": expected}


def test_facts_of_several_tasks_are_added_up() -> None:
    facts = Facts(5, 1)
    facts.add(Facts.of(str(Facts(9, 2))))

    assert facts == Facts(9, 3)
