"""Whose an address is, and what a paper says of its code."""

from __future__ import annotations

import pytest

from extractors.code_links import find_code_links
from extractors.code_roles import stated_role
from kg.schema import CodeRole, CodeStatus

G = "https://github.com"


def roles(text: str) -> list[tuple[str, CodeRole]]:
    return [(link.url, link.role) for link in find_code_links(text)[0]]


def status(text: str) -> CodeStatus:
    return find_code_links(text)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Our code is available at https://github.com/o/r.", CodeRole.OFFICIAL),
        ("We release our source code: https://github.com/o/r", CodeRole.OFFICIAL),
        ("It beats all baselines on GLUE. https://github.com/o/r", CodeRole.OFFICIAL),
        ("Our implementation of BERT is available at https://github.com/o/r.", CodeRole.OFFICIAL),
        ("Based on PyTorch, our code is available at https://github.com/o/r.", CodeRole.OFFICIAL),
        ("The code is public at the following repository: https://github.com/o/r.", CodeRole.OFFICIAL),
        ("Code and data: https://github.com/o/r", CodeRole.OFFICIAL),
        (r"and make the \href{https://github.com/o/r}{code available}.", CodeRole.OFFICIAL),
        ("Code is available at https://goo.gl/Ab.", CodeRole.OFFICIAL),
        ("The dataset is available at https://github.com/o/r.", CodeRole.DATA),
        ("We release the corpus at https://data.example.org/c.", CodeRole.DATA),
        ("Our data are archived at https://zenodo.org/records/1.", CodeRole.DATA),
        ("Project page: https://o.github.io/r/", CodeRole.PROJECT),
        ("Code and videos are on our project page: https://o.github.io/r/", CodeRole.PROJECT),
        ("Videos at https://sites.google.com/view/kit.", CodeRole.PROJECT),
        ("It opens the door to more sensors. https://kit.dev", CodeRole.PROJECT),
        ("We use the implementation of BERT (https://github.com/o/r).", CodeRole.OTHER),
        ("Our tool is built on https://github.com/o/r.", CodeRole.OTHER),
        ("As a baseline we run DPR (https://github.com/o/r).", CodeRole.OTHER),
        ("We extend https://github.com/o/r with masks.", CodeRole.OTHER),
        ("made by extending DRAGON (https://dragon.readthedocs.io/en/) for it", CodeRole.OTHER),
        ("articles from www.example.com show that it works", CodeRole.OTHER),
    ],
)
def test_role_comes_from_the_sentence_around(text: str, expected: CodeRole) -> None:
    assert [link.role for link in find_code_links(text)[0]] == [expected]


def test_each_of_several_addresses_has_its_own_role() -> None:
    text = (
        "We use the implementation of X (https://github.com/a/x). Videos: https://o.github.io. "
        "Data are at https://zenodo.org/records/1 and our code at https://github.com/o/r."
    )

    assert roles(text) == [
        (f"{G}/a/x", CodeRole.OTHER),
        ("https://o.github.io", CodeRole.PROJECT),
        ("https://zenodo.org/records/1", CodeRole.DATA),
        (f"{G}/o/r", CodeRole.OFFICIAL),
    ]


def test_enumeration_shares_its_role() -> None:
    text = "The datasets can be found at https://github.com/o/a and https://github.com/o/b."

    assert roles(text) == [(f"{G}/o/a", CodeRole.DATA), (f"{G}/o/b", CodeRole.DATA)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "We release training code at this https URL and weights at this http URL.",
            CodeStatus.MENTIONED,
            id="c1-02",
        ),
        pytest.param(
            "Code: https://github.com/example-lab/quad-map (coming soon).", CodeStatus.PROMISED, id="c1-25"
        ),
        ("Code is available at https://github.com/o/r.", CodeStatus.LINKED),
        ("Project page: https://o.github.io/r/", CodeStatus.LINKED),
        ("We use the implementation of X (https://github.com/a/x).", CodeStatus.NONE),
        ("Our code will be released upon acceptance.", CodeStatus.PROMISED),
        ("We will publicly release the dataset and code.", CodeStatus.PROMISED),
        ("Upon publication we make all code available.", CodeStatus.PROMISED),
        ("Data: https://zenodo.org/records/1. Code will be made available.", CodeStatus.PROMISED),
        ("Code is available in the supplementary material.", CodeStatus.MENTIONED),
        ("The source code and network structure can be downloaded at GitHub.", CodeStatus.MENTIONED),
        ("We release our code and data as a benchmark.", CodeStatus.MENTIONED),
        ("An implementation in R is available online.", CodeStatus.MENTIONED),
        ("No code is available for these methods.", CodeStatus.NONE),
        ("Their code is not publicly available.", CodeStatus.NONE),
        ("We study code generation with open models.", CodeStatus.NONE),
        ("Error-correcting codes are found by search.", CodeStatus.NONE),
        ("Videos are available at this https URL.", CodeStatus.NONE),
        ("", CodeStatus.NONE),
    ],
)
def test_status_says_what_the_paper_says(text: str, expected: CodeStatus) -> None:
    assert status(text) is expected


def test_field_for_code_states_the_role() -> None:
    assert [stated_role(kind) for kind in ("repository", "page", "dataset", "paper")] == [
        CodeRole.OFFICIAL,
        CodeRole.OFFICIAL,
        CodeRole.DATA,
        CodeRole.OTHER,
    ]
