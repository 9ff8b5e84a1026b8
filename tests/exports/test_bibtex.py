"""BibTeX as bibtexparser and our own reader read it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from bibtexparser.entrypoint import parse_file
from bibtexparser.middlewares import LatexDecodingMiddleware
from hypothesis import HealthCheck, given, settings

import kg
from kg.exports.bibtex import encode, write
from kg.store import Graph
from tests.exports.hostile import NAMES, named, texts
from tests.graphs import small_graph
from tests.kg.test_assemble import BASE, UPG, built


def entries(graph: Graph, folder: Path, *, decode: bool = True) -> dict[str, dict[str, str]]:
    """Key -> the fields of an entry, LaTeX decoded."""
    write(graph, folder / "g.bib")
    more = [LatexDecodingMiddleware(keep_math_mode=True)] if decode else []
    library = parse_file(str(folder / "g.bib"), append_middleware=more)
    assert not library.failed_blocks
    return {
        entry.key: {"type": entry.entry_type, **{field.key: field.value for field in entry.fields}}
        for entry in library.entries
    }


def test_whole_file(tmp_path: Path) -> None:
    write(built(UPG, BASE), tmp_path / "g.bib")
    first = "We propose UPGNET for graph learning."
    assert (tmp_path / "g.bib").read_text(encoding="utf-8") == (
        "@misc{arxiv:2401.00001,\n"
        "  title = {On BERT},\n"
        "  eprint = {2401.00001},\n"
        "  archiveprefix = {arXiv},\n"
        "  keywords = {BERT, T5},\n"
        "  abstract = {We compare BERT with T5.},\n"
        "  evidence = {USES BERT (0.8, 0-7): On BERT\n"
        "    MENTIONS T5 (0.9, 8-32): We compare BERT with T5.},\n"
        "}\n\n"
        "@article{doi:10.1/upg,\n"
        "  title = {UPGNET: graph learning},\n"
        "  author = {Roe, Ann and Bob Doe},\n"
        "  year = {2025},\n"
        "  journal = {ICML},\n"
        "  doi = {10.1/upg},\n"
        "  code = {https://github.com/Lab/UPG},\n"
        "  keywords = {Cora, UPGNET, accuracy, graph learning},\n"
        f"  abstract = {{{UPG[0].abstract}}},\n"
        "  evidence = {UPGNET IMPLEMENTED\\_IN https://github.com/Lab/UPG (1.0, 75-142): "
        "Code: https://github.com/Lab/UPG and https://github.com/other/base.\n"
        f"    UPGNET USED\\_FOR graph learning (0.7, 1-38): {first}\n"
        "    EVALUATES\\_ON Cora (0.8, 39-74): We test UPGNET on Cora by accuracy.\n"
        f"    PROPOSES UPGNET (0.8, 1-38): {first}\n"
        "    MEASURES accuracy (0.8, 39-74): We test UPGNET on Cora by accuracy.\n"
        "    HAS\\_CODE https://github.com/Lab/UPG (1.0, 75-142): "
        "Code: https://github.com/Lab/UPG and https://github.com/other/base.\n"
        f"    ADDRESSES graph learning (0.8, 1-38): {first}}},\n"
        "}\n\n"
    )


def test_our_reader_takes_it_for_the_same_papers(tmp_path: Path) -> None:
    pair = replace(UPG[0], doi="10.1234/upg"), UPG[1]
    write(built(pair, BASE), tmp_path / "g.bib")
    papers = {paper.id: paper for paper in kg.read(tmp_path / "g.bib").papers}
    assert set(papers) == {pair[0].id, BASE[0].id}
    paper = papers[pair[0].id]
    assert (paper.abstract, paper.year, paper.venue) == (UPG[0].abstract, 2025, "ICML")
    assert paper.authors == ("Ann Roe", "Bob Doe")
    assert paper.code_urls == ("https://github.com/Lab/UPG",)


def test_authors_of_a_graph_without_records_are_those_of_its_edges(tmp_path: Path) -> None:
    assert [entry.get("author") for entry in entries(small_graph(), tmp_path).values()] == ["Ann Roe", None]


@pytest.mark.parametrize(
    "name", [name for name in NAMES if len(name) < 1000]
)  # longer ones take pylatexenc long
def test_hostile_names_come_back(tmp_path: Path, name: str) -> None:
    (entry,) = entries(named(name), tmp_path).values()
    assert entry["title"].replace("\u02c6", "^") == " ".join(name.split())


def test_a_long_name_is_one_value(tmp_path: Path) -> None:
    (entry,) = entries(named(NAMES[-1]), tmp_path, decode=False).values()
    assert entry["title"] == NAMES[-1].replace("\\", r"\textbackslash{}")


@given(text=texts)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_title_comes_back(tmp_path: Path, text: str) -> None:
    expected = " ".join(
        "".join(" " if ord(sign) < 32 or 126 < ord(sign) < 160 else sign for sign in text).split()
    )
    (entry,) = entries(named(text), tmp_path).values()
    assert entry["title"].replace("\u02c6", "^") == (expected or "paper:0").replace("\u02c6", "^")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$S^2$FGL", "$S^2$FGL"),
        (r"$\mathcal{X}_{1}$-net", r"$\mathcal{X}_{1}$-net"),
        ("from $5 to $6", r"from \$5 to \$6"),
        ("$5 and 10$", "$5 and 10$"),
        (r"$\begin{x}$", r"\$\textbackslash{}begin\{x\}\$"),
        ("$a}{b$", r"\$a\ensuremath{\rbrace}\ensuremath{\lbrace}b\$"),
        ("a -- ``b''", "a -{}- `{}`b'{}'"),
        ("a { b", r"a \ensuremath{\lbrace} b"),
        ("100% {C} #1 ~ ^ _", r"100\% \{C\} \#1 \textasciitilde{} \textasciicircum{} \_"),
    ],
)
def test_special_characters_are_commands_and_formulas_stay(text: str, expected: str) -> None:
    assert encode(text) == expected


def test_names_that_are_two_words_to_bibtex_are_in_braces(tmp_path: Path) -> None:
    graph = small_graph()
    graph.nodes["author:ann-roe"]["name"] = "Research and Co"
    graph.nodes["dataset:cora"]["name"] = "a, b"
    entry = next(iter(entries(graph, tmp_path, decode=False).values()))
    assert entry["author"] == "{Research and Co}"
    assert entry["keywords"] == "Transformer, UPGNET, {a, b}, graph learning"


def test_keys_are_unique_and_plain(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph()
    nodes: list[Any] = ["paper:a b", "paper:a}b", "paper:A,b", "paper:网"]
    graph.add_nodes_from(nodes, type="Paper", name="x")
    assert list(entries(graph, tmp_path)) == ["a-b", "a-b-2", "A-b-3", "-"]


def test_an_address_stays_one(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("paper:1", type="Paper", name="x", url="https://a.example/~b_c?d=%20&e=#{f}")
    (entry,) = entries(graph, tmp_path, decode=False).values()
    assert entry["url"] == "https://a.example/~b_c?d=%20&e=#%7Bf%7D"
