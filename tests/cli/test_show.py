"""Tests of `kg show`."""

from __future__ import annotations

import json
from pathlib import Path

from kg.store import save
from tests.cli.conftest import Kg
from tests.graphs import UPG, evidence, small_graph


def lines(output: str) -> list[str]:
    return [line.rstrip() for line in output.splitlines()]


def test_a_concept_is_shown_with_its_neighbours_and_their_sentences(kg: Kg, graph_file: str) -> None:
    assert lines(kg("show", graph_file, "upgnet").stdout) == [
        "UPGNET  Method",
        "id       method:upgnet",
        "aliases  unified private graph network",
        "papers   1",
        "",
        "IMPLEMENTED_IN →  1",
        "  https://github.com/o/upg  Repository",
        "",
        "IMPROVES →  1",
        "  Transformer  Method",
        "    “We propose UPGNET.”",
        "",
        "← PROPOSES  1",
        "  UPGNET: graph learning  Paper",
        "    “We propose UPGNET.”",
        "",
    ]


def test_a_paper_is_found_by_its_title(kg: Kg, graph_file: str) -> None:
    assert lines(kg("show", graph_file, "star attention", "--no-evidence").stdout) == [
        "Star Attention  Paper",
        "id           paper:arxiv:2401.00001",
        "year         2024",
        "arxiv id     2401.00001",
        "code status  none",
        "",
        "USES →  1",
        "  Transformer  Method",
        "",
        "MENTIONS →  1",
        "  C++  Term",
        "",
    ]


def test_json_holds_all_evidence_and_the_node(kg: Kg, graph_file: str) -> None:
    shown = json.loads(kg("show", graph_file, "cora", "--format", "json").stdout)
    assert shown == {
        "id": "dataset:cora",
        "type": "Dataset",
        "name": "Cora",
        "papers": 1,
        "aliases": [],
        "also": [],
        "neighbours": [
            {
                "relation": "EVALUATES_ON",
                "outgoing": False,
                "id": UPG,
                "name": "UPGNET: graph learning",
                "type": "Paper",
                "evidence": [evidence(UPG, "On Cora it wins.", start=90)],
            }
        ],
    }


def test_limit_counts_what_is_left_out(kg: Kg, graph_file: str) -> None:
    shown = kg("show", graph_file, "Transformer", "--limit", "1", "--no-evidence").stdout
    assert lines(shown)[-7:-3] == ["← USES  2", "  UPGNET: graph learning  Paper", "  … and 1 more", ""]


def test_a_name_of_several_nodes_says_so(kg: Kg) -> None:
    graph = small_graph()
    graph.add_node("term:upgnet", type="Term", name="UPGNET", papers=0)
    save(graph, "g.json")
    assert "also     term:upgnet" in lines(kg("show", "g.json", "UPGNET").stdout)


def test_an_unknown_name_is_one_line_with_a_suggestion(kg: Kg, graph_file: str) -> None:
    done = kg("show", graph_file, "UPGNETT")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: nothing in the graph is called 'UPGNETT'. Did you mean: UPGNET?\n"


def test_names_are_no_markup_and_cannot_steer_the_terminal(kg: Kg) -> None:
    graph = small_graph()
    hostile = "[bold]x[/bold] \x1b]0;title\x07 \u202egnp.exe :smile:"
    graph.add_node("method:x", type="Method", name=hostile, papers=1, aliases=[hostile])
    graph.add_edge(UPG, "method:x", key="USES", type="USES", evidence=[evidence(UPG, hostile)])
    save(graph, Path("g.json"))
    shown = kg("show", "g.json", "method:x").stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert shown.startswith("[bold]x[/bold] \\x1b]0;title\\x07 \\u202egnp.exe :smile:  Method\n")
