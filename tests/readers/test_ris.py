"""RIS."""

from __future__ import annotations

from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles


def test_tags_of_a_record() -> None:
    result = read_text(
        "TY  - CONF\r\nT1  - Deep\r\nAU  - Roe, Ann\r\nAU  - Doe, Bob\r\nN2  - We study\r\n  cats.\r\n"
        "PY  - 2019///\r\nDO  - 10.1000/X\r\nUR  - https://x.org/1\r\nT2  - ICML\r\n"
        "KW  - cats\r\nKW  - dogs\r\nER  - \r\n"
    )
    assert [shown(paper) for paper in result.papers] == [
        {
            "title": "Deep",
            "abstract": "We study\n  cats.",
            "authors": ("Ann Roe", "Bob Doe"),
            "year": 2019,
            "venue": "ICML",
            "url": "https://x.org/1",
            "doi": "10.1000/x",
            "keywords": ("cats", "dogs"),
        }
    ]


def test_a_missing_end_costs_nothing_and_lines_outside_are_counted() -> None:
    result = read_text("Provider: X\nTY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\nAB  - b\n")
    assert titles(result) == ["A", "B"]
    assert result.warnings == ["<stdin>: 1 lines outside records (TY to ER) were left out"]


def test_a_record_without_title_and_abstract_is_rejected() -> None:
    result = read_text("TY  - JOUR\nTI  - A\nER  - \n\nTY  - JOUR\nID  - k\nER  - \n")
    assert titles(result) == ["A"]
    assert result.rejected == [Rejected("<stdin>", 5, "record 'k': neither title nor abstract")]
