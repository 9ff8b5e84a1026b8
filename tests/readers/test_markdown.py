"""Markdown lists."""

from __future__ import annotations

import pytest

from tests.readers.helpers import read_text, shown

ICML = {"venue": "ICML", "year": 2025}


@pytest.mark.parametrize(
    "content", [pytest.param("Data: [https://doi.org/10.5281/zenodo.1234567]()", id="c1-17")]
)
def test_a_paragraph_is_an_abstract_as_it_stands(content: str) -> None:
    result = read_text(content, format="markdown")
    assert [shown(paper) for paper in result.papers] == [{"abstract": content}]


def test_bullets_with_bold_linked_and_plain_titles() -> None:
    result = read_text(
        "# ICML 2025\n\nA list that I keep.\n\n## Oral\n\n"
        "- **Deep Cats** *Ann Roe, Bob Doe* [Paper](https://arxiv.org/abs/2401.00001v2) "
        "[Code](https://github.com/a/b)\n"
        "  We study *deep* cats on ImageNet.\n  They are deep.\n"
        "- [Shallow Dogs: A Study](https://openreview.net/forum?id=abc). Ann Roe, Cid Poe. "
        "[[code]](https://github.com/c/d)\n\n"
        "  > Dogs are shallow. See [Github](https://github.com/c/d).\n"
        "- Plain Title Without Marks [[Paper](https://x.org/1.pdf)] [[GitHub](https://github.com/e/f)]\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        ICML
        | {
            "title": "Deep Cats",
            "abstract": "We study *deep* cats on ImageNet.\nThey are deep.",
            "authors": ("Ann Roe", "Bob Doe"),
            "url": "https://arxiv.org/abs/2401.00001v2",
            "arxiv_id": "2401.00001",
            "code_urls": ("https://github.com/a/b",),
        },
        ICML
        | {
            "title": "Shallow Dogs: A Study",
            "abstract": "Dogs are shallow. See [Github](https://github.com/c/d).",
            "authors": ("Ann Roe", "Cid Poe"),
            "url": "https://openreview.net/forum?id=abc",
            "code_urls": ("https://github.com/c/d",),
        },
        ICML
        | {
            "title": "Plain Title Without Marks",
            "url": "https://x.org/1.pdf",
            "code_urls": ("https://github.com/e/f",),
        },
    ]
    assert result.warnings == ["<stdin>: 1 paragraphs outside the entries of the list were left out"]


def test_headings_as_titles() -> None:
    result = read_text(
        "# Reading list\n\n## Attention Is Nothing\n*Ann Roe and Bob Doe*, ICML 2025\n"
        "[Paper](https://arxiv.org/abs/2401.00002v3) | [Code](https://github.com/x/y)\n\n"
        "The text is **bold** and [linked](https://z.org).\n\n"
        "## [Other Title](https://arxiv.org/pdf/2401.00003)\n"
        "- Authors: Cid Poe, Dan Moe\n- Code: https://github.com/u/v\n- **Abstract**: The other.\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        ICML
        | {
            "title": "Attention Is Nothing",
            "abstract": "The text is **bold** and [linked](https://z.org).",
            "authors": ("Ann Roe", "Bob Doe"),
            "url": "https://arxiv.org/abs/2401.00002v3",
            "arxiv_id": "2401.00002",
            "code_urls": ("https://github.com/x/y",),
        },
        {
            "title": "Other Title",
            "abstract": "The other.",
            "authors": ("Cid Poe", "Dan Moe"),
            "url": "https://arxiv.org/pdf/2401.00003",
            "arxiv_id": "2401.00003",
            "code_urls": ("https://github.com/u/v",),
        },
    ]


def test_authors_and_others_and_a_venue_after_them() -> None:
    result = read_text("- **Deep Cats** *Ann Roe, Bob Doe, et al.*. Nature 2015. [Paper](https://x.org/1)\n")
    assert [shown(paper) for paper in result.papers] == [
        {
            "title": "Deep Cats",
            "authors": ("Ann Roe", "Bob Doe"),
            "venue": "Nature",
            "year": 2015,
            "url": "https://x.org/1",
        }
    ]


def test_bold_lines_as_titles() -> None:
    result = read_text(
        "**Deep Cats**\nAnn Roe, Bob Doe\nWe study cats.\n\n**Deep Dogs**\n\nWe study dogs.\n\nThey bark.\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        {"title": "Deep Cats", "authors": ("Ann Roe", "Bob Doe"), "abstract": "We study cats."},
        {"title": "Deep Dogs", "abstract": "We study dogs.\nThey bark."},
    ]


def test_a_table_of_papers() -> None:
    result = read_text(
        "| Title | Authors | Venue | Code |\n|---|:-:|---|---|\n"
        "| [Cats](https://arxiv.org/abs/2401.00004) | A. Roe, B. Doe | ICML 2025 "
        "| [GitHub](https://github.com/a/b) |\n"
        "| Dogs | C. Poe | ICLR | - |\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        ICML
        | {
            "title": "Cats",
            "authors": ("A. Roe", "B. Doe"),
            "url": "https://arxiv.org/abs/2401.00004",
            "arxiv_id": "2401.00004",
            "code_urls": ("https://github.com/a/b",),
        },
        {"title": "Dogs", "authors": ("C. Poe",), "venue": "ICLR"},
    ]


def test_paragraphs_under_a_heading_are_abstracts() -> None:
    result = read_text(
        "# ICML 2025 论文列表\n\nWe study *cats*.\n\nDogs are [here](https://github.com/a/b).\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        ICML | {"abstract": "We study *cats*."},
        ICML | {"abstract": "Dogs are [here](https://github.com/a/b)."},
    ]


@pytest.mark.parametrize(
    ("before", "expected"),
    [("", ["\n| Cats | purr |"]), ("#\n", []), ("- **A**\n\n", ["A\n"])],
)
def test_a_table_without_a_header_is_text(before: str, expected: list[str]) -> None:
    result = read_text(f"{before}|--|--|\n| Cats | purr |\n", format="markdown")
    assert [paper.text for paper in result.papers] == expected


def test_hostile_addresses_are_left_out() -> None:
    result = read_text("- **Cats** [Paper](javascript:alert(1)) [Code](data:x)\n")
    assert [shown(paper) for paper in result.papers] == [{"title": "Cats"}]


def test_a_plain_line_of_venue_and_year_is_a_heading_too() -> None:
    result = read_text("ICML 2025 Papers\n\nWe study *cats*.\n", format="markdown")
    assert [shown(paper) for paper in result.papers] == [ICML | {"abstract": "We study *cats*."}]


@pytest.mark.parametrize(
    "piece",
    ["[", "[a](", "*", "**", "_", "- [", "# ", "|", "|-", "> ", " ", "![", "`", "<", "**a", "*a ", "- **"],
)
@pytest.mark.parametrize("end", ["", "\n"])
def test_hostile_markdown_is_read_quickly(piece: str, end: str) -> None:
    read_text("- " + (piece + end) * 20_000 + "y", format="markdown")
