"""From papers and extractions to the graph."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg.assemble import assemble, records
from kg.errors import GraphFileError
from kg.page import paper_label, repository_id
from kg.schema import Extraction, Paper
from kg.store import Graph, dumps, loads
from tests.kg.build import Concepts, link, read

Pair = tuple[Paper, Extraction]


def built(*pairs: Pair) -> Graph:
    return assemble([paper for paper, _ in pairs], [extraction for _, extraction in pairs])


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    return [(source, relation, target) for source, target, relation in graph.edges(keys=True)]


UPG = read(
    "We propose UPGNET for graph learning. We test UPGNET on Cora by accuracy. "
    "Code: https://github.com/Lab/UPG and https://github.com/other/base.",
    {
        "UPGNET": ("Method", [], ["proposes"]),
        "graph learning": ("Task", [], ["tasks"]),
        "Cora": ("Dataset", [], ["datasets"]),
        "accuracy": ("Metric", [], ["metrics"]),
    },
    relations=[("UPGNET", "used-for", "graph learning"), ("UPGNET", "is-a", "UPGNET"), ("X", "is-a", "Y")],
    links=[("https://github.com/Lab/UPG", "official"), ("https://github.com/other/base", "other")],
    doi="10.1/upg",
    authors=("Roe, Ann", "Bob Doe"),
    venue="ICML",
    year=2025,
    source_ids=("17",),
)
BASE = read(
    "We compare BERT with T5.",
    {"BERT": ("Method", [], ["uses"]), "T5": ("Method", [], [])},
    title="On BERT",
    arxiv_id="2401.00001",
)
PAPER = "paper:doi:10.1/upg"
FIRST = "We propose UPGNET for graph learning."


def test_whole_graph() -> None:
    graph = built(UPG, BASE)
    assert edges(graph) == [
        ("author:ann-roe", "AUTHORED", PAPER),
        ("author:bob-doe", "AUTHORED", PAPER),
        ("method:upgnet", "IMPLEMENTED_IN", "repository:github.com/lab/upg"),
        ("method:upgnet", "USED_FOR", "task:graph-learning"),
        ("paper:arxiv:2401.00001", "USES", "method:bert"),
        ("paper:arxiv:2401.00001", "MENTIONS", "method:t5"),
        (PAPER, "EVALUATES_ON", "dataset:cora"),
        (PAPER, "PROPOSES", "method:upgnet"),
        (PAPER, "MEASURES", "metric:accuracy"),
        (PAPER, "HAS_CODE", "repository:github.com/lab/upg"),
        (PAPER, "ADDRESSES", "task:graph-learning"),
        (PAPER, "PUBLISHED_IN", "venue:icml"),
    ]
    assert list(graph) == sorted(graph)
    assert graph.nodes[PAPER] == {
        "type": "Paper",
        "name": "UPGNET: graph learning",
        "label": "UPGNET: graph learning",
        "title": None,
        "abstract": UPG[0].abstract,
        "year": 2025,
        "venue": "ICML",
        "url": None,
        "doi": "10.1/upg",
        "arxiv_id": None,
        "code_status": "linked",
        "source_ids": ["17"],
    }
    assert graph.nodes["method:upgnet"] == {"type": "Method", "name": "UPGNET", "aliases": [], "papers": 1}
    assert graph.nodes["author:ann-roe"] == {"type": "Author", "name": "Ann Roe"}
    assert graph.nodes["repository:github.com/lab/upg"] == {
        "type": "Repository",
        "name": "UPG",
        "url": "https://github.com/Lab/UPG",
        "host": "github.com",
        "owner": "Lab",
    }
    assert {name: graph.graph[name] for name in ("format", "extractor", "merges")} == {
        "format": 1,
        "extractor": "test-1",
        "merges": [],
    }


def test_edges_carry_evidence() -> None:
    graph = built(UPG)
    assert graph.edges[PAPER, "method:upgnet", "PROPOSES"] == {
        "type": "PROPOSES",
        "papers": 1,
        "score": 0.8,
        "evidence": [
            {"paper": PAPER, "sentence": FIRST, "start": 1, "end": 38, "score": 0.8, "extractor": "test-1"}
        ],
    }
    assert graph.edges[PAPER, "repository:github.com/lab/upg", "HAS_CODE"]["role"] == "official"
    assert graph.edges[PAPER, "venue:icml", "PUBLISHED_IN"] == {"type": "PUBLISHED_IN"}


def test_a_concept_edge_keeps_the_evidence_of_every_paper() -> None:
    concepts: Concepts = {"LoRA": ("Method", [], []), "tuning": ("Task", [], [])}
    stated = [("LoRA", "used-for", "tuning")]
    first = read("We use LoRA for tuning.", concepts, relations=stated, doi="10.1/b")
    second = read("LoRA is for tuning.", concepts, relations=stated, doi="10.1/a")
    edge = built(first, second).edges["method:lora", "task:tuning", "USED_FOR"]
    assert (edge["papers"], edge["score"]) == (2, 0.7)
    assert [item["paper"] for item in edge["evidence"]] == ["paper:doi:10.1/a", "paper:doi:10.1/b"]
    assert [item["sentence"] for item in edge["evidence"]] == [
        "LoRA is for tuning.",
        "We use LoRA for tuning.",
    ]


@pytest.mark.parametrize(
    ("kind", "roles", "expected"),
    [
        ("Method", ["proposes", "uses"], ["PROPOSES", "USES"]),
        ("Method", ["compares"], ["COMPARES_WITH"]),
        ("Method", ["tasks"], ["USES"]),
        ("Method", [], ["MENTIONS"]),
        ("Task", ["proposes"], ["ADDRESSES"]),
        ("Dataset", ["proposes"], ["EVALUATES_ON", "PROPOSES"]),
        ("Dataset", ["proposes", "datasets"], ["EVALUATES_ON", "PROPOSES"]),
        ("Dataset", ["uses"], ["EVALUATES_ON"]),
        ("Metric", ["proposes"], ["PROPOSES"]),
        ("Term", [], ["MENTIONS"]),
        ("Term", ["uses"], ["MENTIONS"]),
    ],
)
def test_relation_fits_role_and_type(kind: str, roles: list[str], expected: list[str]) -> None:
    graph = built(read("We take XQZ here.", {"XQZ": (kind, [], roles)}))
    assert [relation for _, relation, _ in edges(graph)] == expected


def test_evidence_keeps_what_a_paper_takes_a_concept_for() -> None:
    as_method = read("We use XQZ. XQZ wins.", {"XQZ": ("Method", [], ["uses"])}, doi="10.1/a")
    as_task = read("XQZ is hard.", {"XQZ": ("Task", [], ["tasks"])}, doi="10.1/b")
    graph = built(as_method, as_task)
    kept = graph.edges["paper:doi:10.1/b", "method:xqz", "USES"]["evidence"][0]
    assert (kept["read_as"], kept["sentence"]) == ("Task", "XQZ is hard.")
    assert "read_as" not in graph.edges["paper:doi:10.1/a", "method:xqz", "USES"]["evidence"][0]


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://github.com/example-lab/foo", id="c1-19"),
        pytest.param("https://GitHub.com/Example-Lab/Foo", id="c1-19 letter case"),
    ],
)
def test_spellings_of_a_repository_are_one_node(url: str) -> None:
    assert repository_id(link(url, "official")) == "repository:github.com/example-lab/foo"


@pytest.mark.parametrize(
    ("url", "kind", "expected"),
    [
        ("http://www.GitHub.com:443/Lab/Foo.git/", "archive", "repository:github.com/lab/foo"),
        ("https://huggingface.co/datasets/o/n", "dataset", "repository:huggingface.co/datasets/o/n"),
        ("https://lab.github.io/foo/", "page", "repository:lab.github.io/foo"),
        ("https://drive.google.com/open?id=1", "archive", "repository:drive.google.com/open?id=1"),
        ("http://[bad", "page", "repository:http://[bad"),
    ],
)
def test_other_addresses(url: str, kind: str, expected: str) -> None:
    assert repository_id(replace(link(url, "project"), kind=kind)) == expected


def test_host_is_part_of_a_repository() -> None:  # c1-21
    urls = [
        "https://github.com/orbit/kit",
        "https://github.orbit.example/orbit/kit",
        "https://gitlab.com/orbit/kit",
    ]
    assert len({repository_id(link(url, "official")) for url in urls}) == 3


def test_one_repository_of_many_papers_has_one_node_with_its_commonest_address() -> None:
    links = [("https://github.com/Lab/Foo", "data"), ("https://github.com/lab/foo", "official")]
    graph = built(
        read("One.", {"ABC": ("Method", [], ["proposes"])}, links=links, doi="10.1/a"),
        read("Two.", {}, links=links[1:], doi="10.1/b"),
    )
    node = "repository:github.com/lab/foo"
    assert graph.nodes[node]["url"] == "https://github.com/lab/foo"
    edge = graph.edges["paper:doi:10.1/a", node, "HAS_CODE"]
    assert (edge["role"], edge["evidence"][0]["start"], edge["evidence"][0]["sentence"]) == (
        "official",
        None,
        "",
    )
    assert ("method:abc", "IMPLEMENTED_IN", node) in edges(graph)


@pytest.mark.parametrize("role", ["data", "project"])
def test_only_official_code_implements_a_method(role: str) -> None:
    pair = read(
        "We propose ABC.",
        {"ABC": ("Method", [], ["proposes"]), "DEF": ("Method", [], ["uses"])},
        links=[("https://github.com/lab/foo", role)],
    )
    assert [relation for _, relation, _ in edges(built(pair))] == ["PROPOSES", "USES", "HAS_CODE"]


def test_no_paper_is_tied_to_a_word_that_looks_like_an_acronym() -> None:  # c2-15
    first = read(
        "Self-play fine-tuning (SPIN) improves chat models.",
        {"Self-play fine-tuning": ("Method", ["SPIN"], ["proposes"])},
        doi="10.1/a",
    )
    second = read("We simulate the spin of electrons.", {"spin": ("Term", [], [])}, doi="10.1/b")
    assert edges(built(first, second)) == [
        ("paper:doi:10.1/a", "PROPOSES", "method:spin"),
        ("paper:doi:10.1/b", "MENTIONS", "term:spin"),
    ]


@pytest.mark.parametrize(
    ("paper", "proposed", "tasks", "expected"),
    [
        (Paper(abstract="x", title="On nets"), ["A"], [], "On nets"),
        (Paper(abstract="x"), ["A", "B"], ["c"], "A: c"),
        (Paper(abstract="x"), [], ["c"], "x"),
        (Paper(abstract="one two"), [], [], "one two"),
        (Paper(abstract="a b c d e f g h i j k"), [], [], "a b c d e f g h i j…"),
    ],
)
def test_paper_label(paper: Paper, proposed: list[str], tasks: list[str], expected: str) -> None:
    assert paper_label(paper, proposed, tasks) == expected


def test_the_file_alone_gives_the_same_graph_again() -> None:
    content = dumps(built(UPG, BASE))
    papers, extractions = records(loads(content))
    assert papers == sorted([UPG[0], BASE[0]], key=lambda paper: paper.id)
    assert extractions == [BASE[1], UPG[1]]
    assert dumps(assemble(papers, extractions)) == content
    assert dumps(assemble(papers[::-1], extractions[::-1])) == content


def test_adding_and_removing_a_paper_is_a_build_of_that_set() -> None:
    papers, extractions = records(loads(dumps(built(BASE))))
    added = assemble([*papers, UPG[0]], [*extractions, UPG[1]])
    assert dumps(added) == dumps(built(UPG, BASE))
    papers, extractions = records(added)
    assert dumps(assemble(papers[:1], extractions[:1])) == dumps(built(BASE))


def test_a_changed_paper_leaves_nothing_behind() -> None:  # c8-15
    bert = read("BERT on GLUE.", {"BERT": ("Method", [], []), "GLUE": ("Dataset", [], [])}, doi="10.1/p1")
    other = read("T5.", {"T5": ("Method", [], [])}, doi="10.1/p2")
    changed = read(
        "RoBERTa on GLUE.", {"RoBERTa": ("Method", [], []), "GLUE": ("Dataset", [], [])}, doi="10.1/p1"
    )
    papers, extractions = records(built(bert, other))
    graph = assemble([changed[0], papers[1]], [changed[1], extractions[1]])
    assert {node for node in graph if not node.startswith("paper:")} == {
        "method:roberta",
        "dataset:glue",
        "method:t5",
    }
    assert dumps(graph) == dumps(built(other, changed))


SCRIPT = """
import sys
from tests.kg.test_assemble import BASE, UPG, built
from kg.store import dumps
sys.stdout.buffer.write(dumps(built(UPG, BASE)))
"""


@pytest.mark.parametrize("seed", [pytest.param(seed, id=f"c8-16 seed {seed}") for seed in ("0", "1")])
def test_bytes_do_not_depend_on_the_hash_seed(seed: str) -> None:
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        check=True,
    )
    assert run.stdout == dumps(built(BASE, UPG))


def test_unmerged_papers_and_missing_extractions_are_refused() -> None:
    with pytest.raises(ValueError, match="same id"):
        built(UPG, UPG)
    with pytest.raises(ValueError, match="shorter"):
        assemble([UPG[0]], [])


@pytest.mark.parametrize("packed", [None, {PAPER: {"paper": {}}}, {PAPER: 3}, {"paper:none": {}}])
def test_records_that_are_missing_or_damaged_are_refused(packed: Any) -> None:
    graph = built(UPG)
    graph.graph["records"] = packed
    with pytest.raises(GraphFileError):
        records(graph)


def test_an_empty_corpus_is_an_empty_graph() -> None:
    assert len(built()) == 0
    assert records(built()) == ([], [])
