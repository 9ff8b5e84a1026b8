"""Normal forms of single values."""

from __future__ import annotations

from typing import Any

import pytest

from kg.readers.values import (
    RecordError,
    addresses_of,
    arxiv_id_of,
    authors_of,
    code_addresses_in,
    doi_of,
    keywords_of,
    text_of,
    venue_and_year,
    year_of,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a b ", "a b"),
        ({"value": "x"}, "x"),
        (["one", "two"], "one two"),
        (None, ""),
        (float("nan"), ""),
        ("None", ""),
        ("nan", ""),
        ("[No abstract available]", ""),
    ],
)
def test_text_is_opened_and_missing_words_are_none(value: Any, text: str) -> None:
    assert text_of(value, "abstract") == text


@pytest.mark.parametrize(
    ("value", "kind"), [(42, "a number"), (True, "a truth value"), ([1], "a list"), ({"a": 1}, "an object")]
)
def test_what_is_not_text_is_named(value: Any, kind: str) -> None:
    with pytest.raises(RecordError, match=f"abstract is {kind}, not text"):
        text_of(value, "abstract")


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2024, 2024),
        (2020.0, 2020),
        ("2020.0", 2020),
        ("2007-05-23", 2007),
        ("Mon, 2 Apr 2007 19:18:42 GMT", 2007),
        ("2019///", 2019),
        ([{"version": "v1", "created": "Mon, 2 Apr 2007"}], 2007),
        ({"date-parts": [[2021, 3]]}, 2021),
        (1_700_000_000_000, 2023),
        ("nan", None),
        (None, None),
        (True, None),
        (float("nan"), None),
        (10**400, None),
        ("in press", None),
    ],
)
def test_year_in_any_form(value: Any, year: int | None) -> None:
    assert year_of(value) == year


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("https://doi.org/10.1000/XYZ.", "10.1000/xyz"),
        ("doi:10.1109/5.771073", "10.1109/5.771073"),
        ("10.48550/arXiv.2401.00004", None),
        ("10.48550/arXiv.2401.00004 10.1000/a", "10.1000/a"),
        ("none", None),
        (10.1, None),
    ],
)
def test_doi_without_resolver(value: Any, doi: str | None) -> None:
    assert doi_of(value) == doi


@pytest.mark.parametrize(
    ("value", "bare", "identifier"),
    [
        ("http://arxiv.org/abs/2401.00002v1", False, "2401.00002"),
        ("https://arxiv.org/pdf/1706.03762v5.pdf", False, "1706.03762"),
        ("arXiv:2401.00004v2", False, "2401.00004"),
        ("10.48550/ARXIV.2401.00004", False, "2401.00004"),
        ("https://doi.org/10.48550/arXiv.2401.00004", False, "2401.00004"),
        ("oai:arXiv.org:hep-th/9901001", False, "hep-th/9901001"),
        ("arXiv preprint arXiv:1706.03762", False, "1706.03762"),
        ("abs/1706.03762", True, "1706.03762"),
        ("0704.0001", True, "0704.0001"),
        ("math.GT/0309136", True, "math/0309136"),
        ("0704.0001", False, None),
        ("2499.00001", True, None),
        ("1706.03762/extra", True, None),
    ],
)
def test_arxiv_id_without_version(value: str, bare: bool, identifier: str | None) -> None:
    assert arxiv_id_of(value, bare=bare) == identifier


@pytest.mark.parametrize(
    ("value", "authors"),
    [
        ("Roe, Ann (123)", ("Ann Roe",)),
        ("Roe, Ann (123); Doe, Bob", ("Ann Roe", "Bob Doe")),
        ("Ann Roe, Bob Doe and Cid Poe", ("Ann Roe", "Bob Doe", "Cid Poe")),
        ("Roe, Ann and Doe, Bob", ("Ann Roe", "Bob Doe")),
        ("Roe, A., Doe, B.", ("A. Roe", "B. Doe")),
        ("A. Roe, B. Doe", ("A. Roe", "B. Doe")),
        ("Roe A.; Doe B.", ("Roe A.", "Doe B.")),
        ("Ann Roe (MIT), Bob Doe (ETH)", ("Ann Roe", "Bob Doe")),
        ([["Roe", "Ann", ""], ["Doe", "Bob", "Jr"]], ("Ann Roe", "Bob Jr Doe")),
        ([{"name": "Ann Roe"}, {"family": "Doe", "given": "Bob"}], ("Ann Roe", "Bob Doe")),
        ([{"author": {"display_name": "Ann Roe"}}], ("Ann Roe",)),
        ({"value": ["Ann Roe"]}, ("Ann Roe",)),
        (r"B\'el, Ann", ("Ann Bél",)),
        (["Roe, Ann", None, "nan", 7], ("Ann Roe", "7")),
        ("Doe, Jr.", ("Doe Jr.",)),
        (42, ()),
        (None, ()),
    ],
)
def test_authors_become_first_last(value: Any, authors: tuple[str, ...]) -> None:
    assert authors_of(value) == authors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ICML 2025 Papers", ("ICML", 2025)),
        ("ICML 2025 论文列表", ("ICML", 2025)),
        ("NeurIPS 2024", ("NeurIPS", 2024)),
        ("# Accepted Papers at ICLR'23", ("ICLR", 2023)),
        ("aistats2025", ("AISTATS", 2025)),
        ("ICML 2025 poster", ("ICML", 2025)),
        ("nips-2016", ("NIPS", 2016)),
        ("icml", ("ICML", None)),
        ("EMNLP Findings 2023", ("EMNLP Findings", 2023)),
        ("BERT on GLUE", None),
        ("Attention Is All You Need", None),
        ("A Survey of Papers from 2020", None),
        ("", None),
        ("x" * 100_000, None),
    ],
)
def test_a_heading_of_venue_and_year(text: str, expected: tuple[str, int | None] | None) -> None:
    assert venue_and_year(text) == expected


@pytest.mark.parametrize(
    ("value", "addresses"),
    [
        ("see https://a.org/x). And", ("https://a.org/x",)),
        ("(https://a.org/x_(y))", ("https://a.org/x_(y)",)),
        (r"\url{https://github.com/o/a\_b}", ("https://github.com/o/a_b",)),
        ("https://github.com/o/a%5C_b", ("https://github.com/o/a_b",)),
        ("github.com/o/r", ("https://github.com/o/r",)),
        ([{"url": "https://a.org"}, "https://b.org", "https://a.org"], ("https://a.org", "https://b.org")),
        ("javascript:alert(1)", ()),
        ("https://a.org/" + ")" * 100_000, ("https://a.org/",)),
        (42, ()),
    ],
)
def test_addresses(value: Any, addresses: tuple[str, ...]) -> None:
    assert addresses_of(value) == addresses


def test_only_hosts_of_code_count_in_a_note() -> None:
    note = "12 pages, https://github.com/o/r and https://example.org/o/r"
    assert code_addresses_in(note) == ("https://github.com/o/r",)


@pytest.mark.parametrize("value", ["a; b c; a", ["a", "b c"], {"value": ["a", "b c"]}, "a, b c"])
def test_keywords(value: Any) -> None:
    assert keywords_of(value) == ("a", "b c")
