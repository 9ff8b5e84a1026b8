"""The report: tasks, papers, and the sentences behind everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from kg.exports.markdown import report, write
from kg.exports.markdown_text import escape
from tests.exports.hostile import NAMES, named
from tests.graphs import small_graph
from tests.kg.build import Concepts, read
from tests.kg.test_assemble import BASE, UPG, built

PARSER = MarkdownIt("commonmark").enable("table")
LINK = "[UPG](https://github.com/Lab/UPG)"
FIRST = "We propose UPGNET for graph learning."
SECOND = "We test UPGNET on Cora by accuracy."


def section(text: str, heading: str) -> list[str]:
    """The lines below a heading, up to the next."""
    lines = text.split("\n")
    start = lines.index(heading) + 1
    end = next((number for number in range(start, len(lines)) if lines[number].startswith("#")), len(lines))
    return [line for line in lines[start:end] if line]


def test_a_task_has_its_methods_datasets_metrics_code_and_papers() -> None:
    assert section("".join(report(built(UPG, BASE))), "### graph learning") == [
        "1 paper",
        "| Method | Papers say | Code | Sentence |",
        "| --- | --- | --- | --- |",
        f"| UPGNET | proposed (1), for the task (1) | {LINK} | “{FIRST}” [[2](#paper-2)] (1–38, score 0.8) |",
        "| Dataset | Papers say | Code | Sentence |",
        "| --- | --- | --- | --- |",
        f"| Cora | evaluated (1) |  | “{SECOND}” [[2](#paper-2)] (39–74, score 0.8) |",
        "| Metric | Papers say | Code | Sentence |",
        "| --- | --- | --- | --- |",
        f"| accuracy | measured (1) |  | “{SECOND}” [[2](#paper-2)] (39–74, score 0.8) |",
        "| Paper | Year | Code | Sentence |",
        "| --- | --- | --- | --- |",
        f"| [[2](#paper-2)] UPGNET: graph learning | 2025 | {LINK} "
        f"| “{FIRST}” [[2](#paper-2)] (1–38, score 0.8) |",
    ]


def test_a_paper_has_its_details_and_everything_that_it_says() -> None:
    text = "".join(report(built(UPG, BASE)))
    assert section(text, '### <a id="paper-2"></a>2. UPGNET: graph learning') == [
        "Ann Roe, Bob Doe. 2025. ICML. [10.1/upg](https://doi.org/10.1/upg)",
        "| Relation | Concept | Score | Offsets | Sentence |",
        "| --- | --- | --- | --- | --- |",
        f"| evaluates on | Cora | 0.8 | 39–74 | {SECOND} |",
        f"| proposes | UPGNET | 0.8 | 1–38 | {FIRST} |",
        f"| measures | accuracy | 0.8 | 39–74 | {SECOND} |",
        "| code | https://github.com/Lab/UPG | 1.0 | 75–142 | "
        "Code: https://github.com/Lab/UPG and https://github.com/other/base. |",
        f"| addresses | graph learning | 0.8 | 1–38 | {FIRST} |",
    ]
    relations = section(text, "## Relations between concepts")
    assert relations[-1] == f"| UPGNET | used for | graph learning | [[2](#paper-2)] | 0.7 | 1–38 | {FIRST} |"


def test_every_sentence_of_the_graph_is_there() -> None:
    graph = small_graph()
    text = "".join(report(graph))
    for *_, data in graph.edges(data=True):
        assert all(escape(item["sentence"]) in text for item in data.get("evidence", ()))


def test_a_limit_keeps_the_tasks_of_the_most_papers_and_their_papers() -> None:
    concepts: Concepts = {"parsing": ("Task", [], ["tasks"])}
    other = read("Other work on tagging.", {"tagging": ("Task", [], ["tasks"])}, doi="10.1/c")
    pairs = [read(f"{number} works on parsing.", concepts, doi=f"10.1/{number}") for number in "ab"]
    text = "".join(report(built(*pairs, other), limit=1))
    assert "### parsing" in text
    assert "### tagging" not in text
    assert text.count('<a id="paper-') == 2


def test_long_tables_of_a_task_end_with_the_number_of_what_is_left_out() -> None:
    concepts: Concepts = {"parsing": ("Task", [], ["tasks"])}
    pairs = [read(f"{number} works on parsing.", concepts, doi=f"10.1/{number}") for number in "abc"]
    rows = section("".join(report(built(*pairs), rows=2)), "### parsing")
    assert rows[-1] == "| … and 1 more |  |  |  |"
    assert len(rows) == 6


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_bring_no_markup(name: str) -> None:
    tokens = PARSER.parse("".join(report(named(name))))
    markup = [
        child.content for token in tokens for child in token.children or () if child.type == "html_inline"
    ]
    assert all(tag in ('<a id="paper-1">', "</a>", "<br>") for tag in markup)
    assert sum(token.type == "heading_open" for token in tokens) == 5
    assert sum(token.type == "fence" or token.type == "html_block" for token in tokens) == 0


def test_write(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "g.md")
    assert (tmp_path / "g.md").read_text(encoding="utf-8") == "".join(report(small_graph()))
