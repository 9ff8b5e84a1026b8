"""Plain text lists."""

from __future__ import annotations

import textwrap

import pytest

from kg.readers.text import looks_like_authors, looks_like_title
from tests.readers.helpers import read_text, shown, titles

ONE = (
    "We introduce CatRank, a method that ranks the cats of large collections by their charm. It learns from "
    "pairs of pictures with a contrastive loss and needs no labels. On ImageNet it gains 3.1 points over "
    "ResNet. The code is at https://github.com/o/r."
)
TWO = (
    "Dogs are harder to rank than cats, since they differ more from each other. BERT reads what their owners "
    "write, and GLUE measures how well it does. In this study we show that both are needed."
)


def test_untitled_abstracts_under_a_header() -> None:
    result = read_text(f"ICML 2025 论文列表\n\n{ONE}\n\n{TWO}\n")
    assert [shown(paper) for paper in result.papers] == [
        {"abstract": ONE, "venue": "ICML", "year": 2025},
        {"abstract": TWO, "venue": "ICML", "year": 2025},
    ]


def test_a_second_header_holds_for_what_follows() -> None:
    result = read_text(f"ICML 2025 Papers\n{ONE}\n\n-----\nNeurIPS 2024\n\n{TWO}")
    assert [(paper.abstract, paper.venue, paper.year) for paper in result.papers] == [
        (ONE, "ICML", 2025),
        (TWO, "NeurIPS", 2024),
    ]


@pytest.mark.parametrize("width", [60, 70, 79, 100])
def test_wrapped_abstracts_stay_one_paper_without_a_title(width: int) -> None:
    blocks = [textwrap.fill(text, width) for text in (ONE, TWO, ONE)]
    result = read_text("\n\n".join(blocks))
    assert [(paper.title, paper.abstract) for paper in result.papers] == [(None, block) for block in blocks]


def test_a_single_wrapped_abstract_is_one_paper() -> None:
    block = textwrap.fill(ONE, 72)
    assert [paper.text for paper in read_text(block).papers] == ["\n" + block]


@pytest.mark.parametrize("width", [70, 100, 10_000])
def test_titles_above_abstracts(width: int) -> None:
    blocks = [
        f"{title}\n{textwrap.fill(text, width)}"
        for title, text in [("Cats: A Ranking", ONE), ("On Dogs", TWO)]
    ]
    result = read_text("\n\n".join(blocks))
    assert titles(result) == ["Cats: A Ranking", "On Dogs"]
    assert [paper.abstract for paper in result.papers] == [
        textwrap.fill(ONE, width),
        textwrap.fill(TWO, width),
    ]


def test_titles_wider_or_as_wide_as_the_wrapped_text() -> None:
    wide = "A Title That Is Much Wider Than the Seventy Columns of the Abstracts That Stand Below It"
    names = [wide, "A Title That Fills Its Line of Seventy Columns Nearly to the Very End", "On Dogs"]
    blocks = [f"{name}\n{textwrap.fill(text, 70)}" for name, text in zip(names, (ONE, TWO, TWO), strict=True)]
    assert titles(read_text("\n\n".join(blocks))) == names


def test_authors_between_title_and_abstract() -> None:
    result = read_text(f"On Cats\nAnn Roe, Bob M. Doe\n{ONE}")
    assert [shown(paper) for paper in result.papers] == [
        {"title": "On Cats", "authors": ("Ann Roe", "Bob M. Doe"), "abstract": ONE}
    ]


@pytest.mark.parametrize(
    ("line", "authors"),
    [
        ("Authors: Ann Roe, Bob Doe", ("Ann Roe", "Bob Doe")),
        ("Author: Ann Roe", ("Ann Roe",)),
        ("Authors: Plato", ("Plato",)),
    ],
)
def test_labels_are_taken_off(line: str, authors: tuple[str, ...]) -> None:
    result = read_text(f"Title: On Cats\n{line}\nAbstract: {ONE}")
    assert [shown(paper) for paper in result.papers] == [
        {"title": "On Cats", "authors": authors, "abstract": ONE}
    ]


def test_titles_and_abstracts_in_turns() -> None:
    result = read_text(f"On Cats\n\n{ONE}\n\nOn Dogs\n\n{TWO}")
    assert [(paper.title, paper.abstract) for paper in result.papers] == [("On Cats", ONE), ("On Dogs", TWO)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("BERT on GLUE\r\nT5 on SQuAD\r\n", ["\nBERT on GLUE", "\nT5 on SQuAD"], id="c4-32"),
        pytest.param(f"{ONE * 2}\n{TWO * 2}\n", ["\n" + ONE * 2, "\n" + TWO * 2], id="abstracts"),
        pytest.param(f"On Cats\n{ONE}\nOn Dogs\n{TWO}", [f"On Cats\n{ONE}", f"On Dogs\n{TWO}"], id="turns"),
    ],
)
def test_files_without_blank_lines_hold_a_record_a_line(content: str, expected: list[str]) -> None:
    texts = [paper.text for paper in read_text(content).papers]
    assert [text if text.startswith("On") else "\n" + text.strip() for text in texts] == expected


def test_inner_line_ends_and_spaces_stay() -> None:
    result = read_text("We study cats  and\tdogs.\r\nThey  differ.\n \n\n\n")
    assert [paper.text for paper in result.papers] == ["\nWe study cats  and\tdogs.\nThey  differ."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Attention Is All You Need", True),
        ("Learning to rank. II", True),
        ("eMLM: A New Objective", True),
        ("What Is a Cat?", True),
        ("we study cats", False),
        ("We study cats", False),
        ("Cats are cute.", False),
        ("Cats are cute. Dogs are not", False),
        ("Cats " * 60, False),
        ("", False),
    ],
)
def test_what_looks_like_a_title(text: str, expected: bool) -> None:
    assert looks_like_title(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Ann Roe, Bob M. Doe", True), ("Ann Roe*, Bob Doe1", True), ("BERT, GLUE", False), ("Ann Roe", False)],
)
def test_what_looks_like_authors(text: str, expected: bool) -> None:
    assert looks_like_authors(text) is expected


@pytest.mark.parametrize("piece", ["-", "- ", " ", "\t", "\n", "a\n", "A b\n", "*", ",", "(", "1999 "])
def test_hostile_text_is_read_quickly(piece: str) -> None:
    read_text("x" + piece * 20_000 + "y", format="text")
