"""A vault whose notes find each other on every system."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.exports.obsidian import note_names, write
from kg.store import Graph
from tests.exports.hostile import NAMES, named, texts
from tests.graphs import small_graph
from tests.kg.test_assemble import BASE, UPG, built

ILLEGAL = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]')
DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)),
}


def concepts(*names: tuple[str, str]) -> Graph:
    graph: Graph = nx.MultiDiGraph()
    for number, (name, kind) in enumerate(names):
        graph.add_node(f"{number}", type=kind, name=name)
    return graph


def notes(graph: Graph, folder: Path) -> dict[str, str]:
    """Path below the vault -> text."""
    write(graph, folder)
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
    }


def properties(note: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(note.split("---\n")[1])
    return found


def test_whole_note(tmp_path: Path) -> None:
    vault = notes(built(UPG, BASE), tmp_path)
    first, paper = (
        "We propose UPGNET for graph learning.",
        "[[UPGNET - graph learning|UPGNET: graph learning]]",
    )
    assert vault["Methods/UPGNET.md"].split("\n") == [
        "---",
        'id: "method:upgnet"',
        'name: "UPGNET"',
        'type: "Method"',
        "papers: 1",
        'tags: ["method"]',
        "---",
        "# UPGNET",
        "",
        "## Implemented in",
        "",
        "- [https://github.com/Lab/UPG](https://github.com/Lab/UPG)",
        "    - “Code: https://github.com/Lab/UPG and https://github.com/other/base.” "
        f"({paper}, 75–142, score 1.0)",
        "",
        "## Used for",
        "",
        "- [[graph learning]]",
        f"    - “{first}” ({paper}, 1–38, score 0.7)",
        "",
        "## Proposed by",
        "",
        f"- {paper}",
        f"    - “{first}” (1–38, score 0.8)",
        "",
    ]
    assert properties(vault["Papers/UPGNET - graph learning.md"]) == {
        "id": "paper:doi:10.1/upg",
        "name": "UPGNET: graph learning",
        "type": "Paper",
        "aliases": ["UPGNET: graph learning"],
        "authors": ["Ann Roe", "Bob Doe"],
        "year": 2025,
        "venue": "ICML",
        "doi": "10.1/upg",
        "code_status": "linked",
        "source_ids": ["17"],
        "tags": ["paper"],
    }


@pytest.mark.parametrize("graph", [small_graph(), built(UPG, BASE), named(*NAMES)])
def test_one_note_a_paper_and_a_concept_linked_both_ways(tmp_path: Path, graph: Graph) -> None:
    vault = notes(graph, tmp_path)
    names = note_names(graph)
    assert len(vault) == len(names)
    bodies = {Path(path).stem: text.split("---\n", 2)[2] for path, text in vault.items()}
    linked = {name: set(re.findall(r"\[\[([^]|]+)", body)) for name, body in bodies.items()}
    for source, target in graph.edges():
        if source in names and target in names:
            assert names[target] in linked[names[source]]
            assert names[source] in linked[names[target]]
    assert set().union(*linked.values()) <= set(names.values())


def test_names_are_unique_without_case_and_legal(tmp_path: Path) -> None:  # c8-23
    graph = concepts(
        ("Dropout", "Method"), ("dropout", "Task"), ("CON", "Method"), ("a/b", "Method"), ("a:b", "Method")
    )
    assert list(note_names(graph).values()) == ["Dropout", "dropout (Task)", "CON_", "a-b", "a-b (Method)"]
    vault = notes(graph, tmp_path)
    assert len({Path(path).name.casefold() for path in vault}) == len(graph)


@given(st.lists(st.tuples(texts, st.sampled_from(["Paper", "Method", "Term"])), max_size=8))
def test_any_names_give_legal_and_unique_notes(names: list[tuple[str, str]]) -> None:
    given_names = list(note_names(concepts(*names)).values())
    assert len({unicodedata.normalize("NFKC", name).casefold() for name in given_names}) == len(names)
    for name in given_names:
        assert name
        assert not ILLEGAL.search(name)
        assert name.strip(". ") == name
        assert name.split(".")[0].strip().casefold() not in DEVICES
        assert len(f"{name}.md".encode()) <= 255


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("...", "_"),
        ("", "0"),
        ("nul.txt", "nul.txt_"),
        ("COM¹", "COM¹_"),
        ("e\u0301", "é"),
        ("[[x]] # ^y", "-x- - -y"),
        ("网" * 200, "网" * 60),
        ("a" * 300, "a" * 100),
        ("Net: a study", "Net - a study"),
        ('What is "new"?', "What is new"),
        ("word " * 30, "word " * 19 + "word"),
    ],
)
def test_legal_names(name: str, expected: str) -> None:
    assert note_names(concepts((name, "Method"))) == {"0": expected}


def test_many_equal_names_are_numbered() -> None:
    names = list(note_names(concepts(*[("Preface", "Paper")] * 4)).values())
    assert names == ["Preface", "Preface (Paper)", "Preface (Paper 2)", "Preface (Paper 3)"]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_come_back_from_the_properties(tmp_path: Path, name: str) -> None:
    vault = notes(named(name), tmp_path)
    read = {Path(path).parent.name: properties(text) for path, text in vault.items()}
    assert read["Methods"]["name"] == read["Papers"]["title"] == name
    assert read["Methods"]["aliases"][-2:] == [f"{name}s", "x;y"]


@given(text=texts)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_comes_back_from_the_properties(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    vault = notes(named(text), tmp_path_factory.mktemp("vault"))
    assert {properties(note)["title"] for path, note in vault.items() if path.startswith("Papers")} == {text}
