"""Papers and extractions as rows hold them."""

from __future__ import annotations

import pytest

from kg.records import (
    Records,
    extraction_of,
    extraction_record,
    pack_extraction,
    paper_of,
    paper_record,
    rounded,
)
from kg.schema import Paper
from tests.kg.build import read

PAPER, EXTRACTION = read(
    "FooNet beats it. See https://github.com/o/foo.",
    {"FooNet": ("Method", ["foo network"], ["proposes"]), "it": ("Term", [], [])},
    title="Foo",
    relations=[("FooNet", "improves", "it")],
    links=[("https://github.com/o/foo", "official")],
    source_ids=("7",),
    authors=("Ann Roe",),
    year=2025,
    years=(2024, 2025),
    status="withdrawn",
    keys=("doi:1",),
)


@pytest.mark.parametrize(
    "paper", [PAPER, Paper(abstract=""), Paper(abstract="\n", doi="10.1/x", code_urls=("https://e.org",))]
)
def test_a_paper_comes_back_from_its_record(paper: Paper) -> None:
    assert paper_of(paper_record(paper)) == paper


def test_a_record_of_a_paper_leaves_out_what_says_nothing() -> None:
    assert paper_record(Paper(abstract="On nets.", year=2024)) == b'{"abstract":"On nets.","year":2024}'


def test_an_extraction_comes_back_rounded() -> None:
    assert extraction_of(PAPER, extraction_record(PAPER, EXTRACTION)) == rounded(EXTRACTION)


def test_half_of_a_surrogate_pair_does_not_stop_a_record() -> None:
    assert paper_of(paper_record(Paper(abstract="a\ud800b"))) == Paper(abstract="a?b")


def test_packed_records_give_papers_and_their_extractions_one_by_one() -> None:
    other = read("We use \ud800 nets.", {"nets": ("Method", [], [])}, doi="10.1/y")
    packed = Records()
    assert packed.add(PAPER.id, PAPER, EXTRACTION) == rounded(EXTRACTION)
    packed.add(other[0].id, *other)
    assert list(packed.pairs()) == [(PAPER, rounded(EXTRACTION)), other]
    assert packed.extractors == {EXTRACTION.extractor} - {""}
    assert dict(packed) == {
        PAPER.id: {
            "paper": {
                "authors": ["Ann Roe"],
                "years": [2024, 2025],
                "status": "withdrawn",
                "keys": ["doi:1"],
            },
            "extraction": pack_extraction(PAPER, EXTRACTION),
        },
        other[0].id: {"paper": {}, "extraction": pack_extraction(*other)},
    }
