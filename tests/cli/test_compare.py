"""Tests of `kg why`, `path`, `similar`, `trends` and `gaps`."""

from __future__ import annotations

import json

import pytest

from kg.store import save
from tests.cli.conftest import Kg
from tests.graphs import UPG, evidence, small_graph


def lines(output: str) -> list[str]:
    return [" ".join(line.split()) for line in output.splitlines()]


def test_why_shows_each_relation_with_its_sentence(kg: Kg, graph_file: str) -> None:
    shown = lines(kg("why", graph_file, "UPGNET", "transformers").stdout)
    assert shown[0] == "1 relations"
    assert shown[1] == "From Relation To Sentence Paper Score"
    assert shown[3] == "UPGNET IMPROVES Transformer We propose UPGNET: 0.9"
    found = json.loads(kg("why", graph_file, "UPGNET", "Transformer", "--format", "json").stdout)
    assert found == [
        {
            "source": "UPGNET",
            "relation": "IMPROVES",
            "target": "Transformer",
            "sentence": "We propose UPGNET.",
            "paper": "UPGNET: graph learning",
            "score": 0.9,
            "start": 1,
            "end": 19,
            "extractor": "test",
            "ids": ["method:upgnet", "method:transformer", UPG],
        }
    ]


def test_csv_is_safe_for_spreadsheets(kg: Kg) -> None:
    graph = small_graph()
    graph.add_edge("method:upgnet", "dataset:cora", key="IS_A", type="IS_A", evidence=[evidence(UPG, "=1+1")])
    save(graph, "g.json")
    assert kg("why", "g.json", "UPGNET", "Cora", "--format", "csv").stdout.splitlines() == [
        "source,relation,target,sentence,paper,score",
        "UPGNET,IS_A,Cora,'=1+1,UPGNET: graph learning,0.9",
    ]


def test_path_shows_its_steps(kg: Kg, graph_file: str) -> None:
    steps = json.loads(kg("path", graph_file, "Cora", "C++", "--format", "json").stdout)
    assert [step["relation"] for step in steps] == ["EVALUATES_ON", "USES", "USES", "MENTIONS"]
    assert lines(kg("path", graph_file, "Cora", "C++").stdout)[0] == "4 steps"


def test_similar_names_what_is_shared(kg: Kg, graph_file: str) -> None:
    (found,) = json.loads(kg("similar", graph_file, "Star Attention", "--format", "json").stdout)
    assert (found["name"], found["shared"]) == ("UPGNET: graph learning", ["Transformer"])
    assert lines(kg("similar", graph_file, "Star Attention").stdout)[0] == "Similar to Star Attention"


def test_trends_show_papers_a_year(kg: Kg, graph_file: str) -> None:
    (found,) = json.loads(kg("trends", graph_file, "--format", "json").stdout)
    assert (found["name"], found["years"], found["change"]) == ("Transformer", {"2024": 1, "2025": 1}, 0.0)
    assert "2024: 1; 2025: 1" in kg("trends", graph_file, "--type", "method").stdout


def test_gaps_of_a_small_graph_are_none(kg: Kg, graph_file: str) -> None:
    assert kg("gaps", graph_file).stdout == "Nothing found.\n"
    assert json.loads(kg("gaps", graph_file, "--format", "json").stdout) == []


@pytest.mark.parametrize("command", ["why", "path"])
def test_an_unknown_name_is_one_line(kg: Kg, graph_file: str, command: str) -> None:
    done = kg(command, graph_file, "UPGNET", "nothing like it")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: nothing in the graph is called 'nothing like it'.")
