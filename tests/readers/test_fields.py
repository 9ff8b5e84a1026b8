"""The names of fields, and the page that lists the formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.readers import FORMATS
from kg.readers.fields import NAMES, Context, canonical, likeness, paper_of
from kg.readers.values import RecordError
from tests.readers.helpers import read_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "input-formats.md"


@pytest.mark.parametrize("name", ["Document Title", "document_title", "documentTitle", "DOCUMENT-TITLE"])
def test_case_and_punctuation_of_a_name_do_not_count(name: str) -> None:
    assert [field for field, _ in canonical(name)] == ["title"]


def test_names_are_in_the_form_in_which_they_are_compared() -> None:
    names = [name for field in NAMES.values() for name in field.split()]
    assert [name for name in names if not name.isalnum() or name != name.casefold()] == []


def test_the_own_fields_of_a_paper_come_before_the_context() -> None:
    context = Context(venue="ICML", year=2025)
    papers = [
        paper_of(record, context=context) for record in ({"title": "T"}, {"title": "T", "venue": "ICLR 2020"})
    ]
    assert [(paper.venue, paper.year) for paper in papers] == [("ICML", 2025), ("ICLR", 2020)]


def test_a_record_with_neither_title_nor_abstract_is_none() -> None:
    with pytest.raises(RecordError, match="neither title nor abstract"):
        paper_of({"title": " ", "abstract": "nan", "year": 2020})


def test_likeness_needs_a_text() -> None:
    assert likeness({"title": "T", "year": 1}) == 2
    assert likeness({"year": 1, "url": "x"}) == likeness("x") == 0


def test_an_abstract_that_only_begins_like_a_notice_is_none() -> None:
    notice = "Withdrawn by the authors."
    statuses = [paper_of({"abstract": text}).status for text in (notice, notice + " We study cats." * 40)]
    assert statuses == ["withdrawn", ""]


def test_every_format_is_on_the_page_and_its_examples_are_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in FORMATS)
    blocks = page.split("```")[1::2]
    kinds = {"text", "markdown", "json", "csv", "bibtex", "xml"}
    examples = [block.partition("\n")[::2] for block in blocks if block.partition("\n")[0] in kinds]
    counts = [(kind, len(read_text(example).papers)) for kind, example in examples]
    assert counts == [
        ("text", 2),
        ("markdown", 2),
        ("json", 1),
        ("csv", 1),
        ("bibtex", 1),
        ("text", 1),
        ("xml", 1),
    ]
