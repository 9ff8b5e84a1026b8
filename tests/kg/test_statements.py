"""Tests of the names that are compared."""

from __future__ import annotations

import pytest

from kg.gold import Annotation
from kg.schema import (
    CodeLink,
    CodeRole,
    Concept,
    ConceptType,
    Extraction,
    Paper,
    Relation,
    RelationType,
    Role,
)
from kg.statements import Statements, fold, side_by_side, statements

METHOD = ConceptType.METHOD
PAPER = Paper(abstract="GNs", source_ids=("p",))


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Graph-Neural  Networks.", "graph neural network"),
        ("$\\mathcal{S}^2$FGL", "s^2fgl"),
        ("losses, classes", "losses, class"),
        ("analysis bus class", "analysis bus class"),
        ("Studies as is", "study as is"),
        ("encoder/decoder", "encoder decoder"),
        ("\\emph{x", "emphx"),
        ("ﬁne–tuning", "fine tuning"),
    ],
)
def test_names_are_folded(name: str, folded: str) -> None:
    assert fold(name) == folded


def test_folding_a_hostile_name_takes_no_time() -> None:
    assert fold("\\a{" * 50_000) == "a" * 50_000


def test_an_annotation_names_everything_by_its_long_form() -> None:
    gold = Annotation(
        id="p",
        entities=(("GNs", METHOD),),
        roles={Role.USES: ("GN",)},
        aliases=(("GN", "Graph Nets"),),
        relations=(("GN", RelationType.IS_A, "Net"),),
    )
    assert statements(PAPER, gold) == Statements(
        mentions=frozenset({(1, 4, METHOD)}),
        concepts=frozenset({(METHOD, "graph net")}),
        roles={Role.USES: frozenset({"graph net"})},
        relations=frozenset({("graph net", RelationType.IS_A, "net")}),
        code=frozenset(),
        aliases={"gn": "graph net"},
        written={"gn": "GNs", "graph net": "Graph Nets"},
    )


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://www.GitHub.com/o/R.git", "github.com/o/r"),
        ("http://github.com/o/r//", "github.com/o/r"),
        ("www.o.org", "www.o.org"),
        ("o.org/.git/", "o.org/"),
    ],
)
def test_addresses_are_folded_and_those_of_others_left_out(url: str, same: str) -> None:
    def link(role: CodeRole) -> CodeLink:
        return CodeLink(url=url, host="", owner="", name="", role=role, start=None, end=None)

    found = Extraction(id="p", title=None, text="", code_links=(link(CodeRole.OFFICIAL),))
    assert statements(PAPER, found).code == {same}
    other = Extraction(id="p", title=None, text="", code_links=(link(CodeRole.OTHER),))
    assert statements(PAPER, other).code == frozenset()


def test_what_was_found_is_named_as_it_was_annotated() -> None:
    gold = Annotation(id="p", entities=(("net", METHOD), ("RF", METHOD)), aliases=(("GN", "net"),))
    found = Extraction(
        id="p",
        title=None,
        text="",
        concepts=(
            Concept(name="GNs", type=METHOD, score=1.0, mentions=()),
            Concept(name="forest", type=METHOD, score=1.0, mentions=(), aliases=("XY", "RFs")),
        ),
        relations=(Relation("forest", RelationType.IS_A, "new", 1.0, 0, 1),),
    )
    truth, other = side_by_side(statements(PAPER, gold), statements(PAPER, found))
    assert other.concepts == truth.concepts == {(METHOD, "net"), (METHOD, "rf")}
    assert other.relations == {("rf", RelationType.IS_A, "new")}
