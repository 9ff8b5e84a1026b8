"""Reviews and other replies to papers are no papers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kg.readers.replies import reply
from tests.readers.helpers import read_text, titles

PAPER = {"id": "p1", "forum": "p1", "content": {"title": {"value": "T"}, "abstract": {"value": "A."}}}
REVIEW = {
    "id": "r1",
    "forum": "p1",
    "replyto": "p1",
    "invitations": [
        "ICLR.cc/2025/Conference/Submission1/-/Official_Review",
        "ICLR.cc/2025/Conference/-/Edit",
    ],
    "content": {"summary": {"value": "It studies cats."}, "rating": {"value": 6}, "confidence": {"value": 4}},
}


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        pytest.param(
            {"invitation": "ICLR.cc/2021/Conference/Paper1/-/Official_Review", "title": "Review #2"},
            "an OpenReview official review",
            id="invitation",
        ),
        pytest.param(
            {"invitations": ["x/Submission1/-/Meta_Review", "x/-/Edit"], "summary": "S."},
            "an OpenReview meta review",
            id="invitations",
        ),
        pytest.param(
            {"invitation": "x/Paper1/-/Decision", "title": "Paper Decision"},
            "an OpenReview decision",
            id="decision",
        ),
        pytest.param(
            {"id": "r1", "forum": "p1", "replyto": "p1", "title": "Thanks"},
            "a reply on OpenReview to 'p1'",
            id="replyto",
        ),
        pytest.param(
            {"Summary": "It studies cats.", "Rating": "6: accept"},
            "a review (it has rating)",
            id="fields-alone",
        ),
        pytest.param(
            {"title": "A fine paper", "review": "Good.", "rating": 8, "confidence": 3},
            "a review (it has confidence and rating and review)",
            id="titled",
        ),
    ],
)
def test_replies_are_told_by_what_they_answer_or_hold(record: dict[str, Any], kind: str) -> None:
    assert reply(record) == kind


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(
            {"title": "T", "abstract": "A.", "rating": "6;8", "confidence": "3;4"}, id="rated-paper"
        ),
        pytest.param(
            {"title": "T", "authors": ["Ann Roe"], "summary": "A.", "rating": 5, "review": "x"}, id="own"
        ),
        pytest.param({"title": "T", "summary": "A.", "rating": 5}, id="reading-list"),
        pytest.param({"title": "T", "rating": 5, "confidence": 3}, id="without-abstract"),
        pytest.param({"title": "T", "invitation": "x/-/Blind_Submission", "replyto": None}, id="submission"),
        pytest.param(
            {"title": "T", "invitations": ["x/-/Submission", "x/P1/-/Official_Review"]}, id="changed"
        ),
        pytest.param({"id": "p1", "forum": "p1", "replyto": "p1", "title": "T"}, id="answers-itself"),
        pytest.param({"title": "T", "invitations": [], "replyto": 7, "forum": "p1"}, id="odd-values"),
        pytest.param({"title": "T", "invitation": [{"a": 1}]}, id="odder-values"),
    ],
)
def test_papers_are_no_replies(record: dict[str, Any]) -> None:
    assert reply(record) == ""


@pytest.mark.parametrize("lines", [False, True])
def test_reviews_among_papers_are_rejected_with_a_reason(lines: bool) -> None:
    records = [REVIEW, PAPER, {**REVIEW, "id": "r2"}]
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps({"notes": records})
    result = read_text(text)
    assert titles(result) == ["T"]
    assert [item.reason.partition("record ")[2] for item in result.rejected] == [
        "'r1': an OpenReview official review, not a paper",
        "'r2': an OpenReview official review, not a paper",
    ]


def test_the_list_of_papers_comes_before_one_of_reviews() -> None:
    result = read_text(json.dumps({"reviews": [REVIEW] * 3, "papers": [PAPER]}))
    assert (titles(result), result.rejected) == (["T"], [])
