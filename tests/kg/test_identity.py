"""Which records are one paper, and that merging is a join."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.identity import merge_papers, paper_keys, surname
from kg.schema import Paper

CENSUS = (
    Paper(
        abstract="",
        title="A Census of Robot Play-Fighting Studies",
        authors=("Ann Roe",),
        year=2023,
        doi="10.48550/arxiv.2401.00004",
        arxiv_id="2401.00004",
        source_ids=("arxiv:2401.00004v2",),
    ),
    Paper(
        abstract="",
        title="A census of robot play–fighting studies.",
        authors=("Roe, A. C.",),
        year=2024,
        doi="10.1000/xyz",
        source_ids=("conf/x/24",),
    ),
    Paper(
        abstract="",
        title="A Census of Robot Play-Fighting Studies",
        year=2023,
        arxiv_id="2401.00004",
        source_ids=("arxiv:2401.00004v1",),
    ),
)

LONG = "We study nets that learn to read many papers and remember them."


def paper(abstract: str = "", **fields: object) -> Paper:
    return Paper(abstract=abstract, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", list(permutations(CENSUS)))
def test_preprint_and_publication_are_one_paper(order: tuple[Paper, ...]) -> None:  # c4-26
    (merged,) = merge_papers(order)
    assert merged == Paper(
        abstract="",
        title="A Census of Robot Play-Fighting Studies",
        authors=("Ann Roe",),
        year=2023,
        years=(2023, 2024),
        doi="10.1000/xyz",
        arxiv_id="2401.00004",
        source_ids=("arxiv:2401.00004v1", "arxiv:2401.00004v2", "conf/x/24"),
        keys=merged.keys,
    )


@pytest.mark.parametrize(
    ("records", "count"),
    [
        pytest.param(
            [
                paper(title="Learning to rank. I", authors=("Roe",)),
                paper(title="Learning to rank. II", authors=("Roe",)),
                paper(title="Preface", authors=("Doe",), year=2010),
                paper(title="Preface", authors=("Lee",), year=2012),
            ],
            4,
            id="c4-27",
        ),
        pytest.param([paper(LONG), paper(LONG.upper())], 1, id="equal abstract"),
        pytest.param(
            [paper("Short one.", title="A b"), paper("Short one.", title="C d")], 2, id="short abstract"
        ),
        pytest.param([paper(LONG, doi="10.1/a"), paper("x", doi="10.1/a")], 1, id="equal doi"),
        pytest.param(
            [paper(LONG, doi="10.48550/arxiv.2401.1v2"), paper("x", arxiv_id="2401.1")], 1, id="doi of arXiv"
        ),
        pytest.param(
            [
                paper("x", title="On nets", authors=("A. Roe",)),
                paper("y", title="On nets", authors=("B. Doe",)),
            ],
            2,
            id="equal title, other authors",
        ),
        pytest.param(
            [
                paper("x", title="Preface", authors=("A. Roe",)),
                paper("y", title="Preface", authors=("A. Roe",)),
            ],
            2,
            id="generic title, same author",
        ),
        pytest.param(
            [paper(LONG, status="withdrawn", title="A b"), paper(LONG, status="withdrawn", title="C d")],
            2,
            id="equal notice of withdrawal",
        ),
        pytest.param(
            [
                paper("x", title="On nets", authors=("A. Roe",), doi="10.1/a", year=2010),
                paper("y", title="On nets", authors=("A. Roe",), doi="10.1/b", year=2020),
            ],
            1,
            id="other doi and year",
        ),
        pytest.param(
            [
                paper("深度学习方法用于图像分类和目标检测任务"),
                paper("深度学习方法用于图像分类和目标检测任务。"),
            ],
            1,
            id="script without spaces",
        ),
        pytest.param([paper("x"), paper("x")], 1, id="equal id"),
    ],
)
def test_what_is_one_paper(records: list[Paper], count: int) -> None:
    merged = merge_papers(records)
    assert len(merged) == count
    assert len({paper.id for paper in merged}) == count


def test_a_paper_that_stands_for_itself_is_unchanged_but_for_order() -> None:
    alone = paper(LONG, source_ids=("b", "a"), year=2020)
    assert merge_papers([alone]) == [replace(alone, source_ids=("a", "b"), years=(2020,))]


def test_a_notice_of_withdrawal_never_wins_over_an_abstract() -> None:
    notice = paper("This paper was withdrawn by its authors because of a grave error.", status="withdrawn")
    first, second = replace(notice, arxiv_id="1"), paper("We read.", arxiv_id="1")
    (merged,) = merge_papers([first, second])
    assert (merged.abstract, merged.status) == ("We read.", "")


def test_publication_is_preferred_to_preprint_server() -> None:
    records = [
        paper("x", arxiv_id="1", venue="arXiv preprint"),
        paper("x y", arxiv_id="1", venue="ICML"),
    ]
    assert [paper.venue for paper in merge_papers(records)] == ["ICML"]


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Ann Roe", "roe"),
        ("Roe, A. C.", "roe"),
        ("Ann van der Roe, Jr", "ann van der roe"),
        ("", ""),
        ("Roe", "roe"),
    ],
)
def test_surname(author: str, expected: str) -> None:
    assert surname(author) == expected


def test_keys_are_sorted_and_never_empty() -> None:
    keys = paper_keys(paper("x", title="On big nets", authors=("B. Doe", "A. Roe"), doi="10.1/a"))
    assert keys == tuple(sorted(keys))
    assert [key.partition(":")[0] for key in keys] == ["doi", "paper", "title", "title"]
    assert paper_keys(paper())


RECORDS = st.builds(
    Paper,
    abstract=st.sampled_from(["", LONG, LONG.upper(), "Other words that are enough to be an abstract here."]),
    title=st.sampled_from([None, "On nets", "On Nets.", "Preface"]),
    authors=st.sampled_from([(), ("Ann Roe",), ("Roe, A.", "B. Doe")]),
    year=st.sampled_from([None, 2020, 2021]),
    doi=st.sampled_from([None, "10.1/a", "10.48550/arxiv.1"]),
    arxiv_id=st.sampled_from([None, "1", "2"]),
    venue=st.sampled_from([None, "ICML", "arXiv"]),
    source_ids=st.sampled_from([(), ("a",), ("b",)]),
)


@given(st.lists(RECORDS, max_size=6), st.randoms())
@settings(max_examples=150, deadline=None)
def test_merging_in_any_order_and_in_rounds_gives_the_same(records: list[Paper], random: object) -> None:
    at_once = merge_papers(records)
    shuffled = list(records)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge_papers(shuffled) == at_once
    assert merge_papers([*merge_papers(records[:3]), *merge_papers(records[3:])]) == at_once
    assert merge_papers(at_once) == at_once
