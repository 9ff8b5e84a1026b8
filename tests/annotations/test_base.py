"""Tests of the canonical form, and of the way from places to strings."""

from __future__ import annotations

import pytest

from kg.annotations.base import annotated, canonical, locate_address, paper_of_text
from kg.gold import AnnotatedPaper, Annotation
from kg.schema import ConceptType, Paper, RelationType, Role
from tests.annotations.build import METHOD, TASK, TERM, item


def test_the_canonical_form_is_sorted_and_holds_what_stands_in_the_text() -> None:
    paper = Paper(abstract="BERT (long BERT) does parsing.", source_ids=("p",))
    gold = Annotation(
        id="p",
        entities=(("parsing", TASK), ("absent", METHOD), (" BERT ", METHOD), ("BERT", TASK), ("pars", TERM)),
        roles={Role.USES: ("BERT", "absent", "BERT"), Role.TASKS: ("absent",)},
        code=("https://a.b/c",),
        aliases=(("BERT", "long BERT"), ("BERT", "BERT"), ("BERT", "absent")),
        relations=(("BERT", RelationType.USED_FOR, "parsing"), ("absent", RelationType.IS_A, "BERT")),
    )
    assert canonical(AnnotatedPaper(paper, gold)).gold == Annotation(
        id="p",
        entities=(("BERT", METHOD), ("parsing", TASK)),
        roles={Role.USES: ("BERT",)},
        aliases=(("BERT", "long BERT"),),
        relations=(("BERT", RelationType.USED_FOR, "parsing"),),
    )


def test_strings_with_several_types_get_the_one_marked_most() -> None:
    text = "\nnets and nets and nets"
    spans = [(1, 5, METHOD), (10, 14, TERM), (18, 23, TERM)]
    found, warnings = annotated(text, spans, Annotation(id="p"))
    assert found == item(("nets", TERM), identity="p", title=None, abstract=text[1:])
    assert warnings == ["paper p: 'nets' is marked as Method and Term; it counts as Term"]


def test_what_is_marked_here_and_there_counts_at_all_places() -> None:
    found, warnings = annotated("nets\nand nets", [(0, 4, METHOD)], Annotation(id="p"))
    assert found.gold.entities == (("nets", ConceptType.METHOD),)
    assert warnings == ["paper p: 'nets' is marked at 1 of 2 places; it counts at all"]


@pytest.mark.parametrize(
    ("text", "title", "abstract"),
    [("T\na\nb", "T", "a\nb"), ("\na", None, "a"), ("no title", None, "no title"), ("", None, "")],
)
def test_the_first_line_is_the_title(text: str, title: str | None, abstract: str) -> None:
    assert paper_of_text("p", text) == Paper(title=title, abstract=abstract, source_ids=("p",))


@pytest.mark.parametrize(
    ("url", "place"),
    [("https://a.b/c", (3, 8)), ("a.b/c", (3, 8)), ("https://a.b/d", None), ("", None), ("https://", None)],
)
def test_an_address_is_found_without_its_scheme(url: str, place: tuple[int, int] | None) -> None:
    assert locate_address("at a.b/c.", url) == place
