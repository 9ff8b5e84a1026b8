"""Tests of prefilled annotations."""

from __future__ import annotations

from kg.annotations.prefill import prefilled
from kg.evaluation import evaluate
from kg.gold import Annotation
from kg.schema import (
    CodeLink,
    CodeRole,
    Concept,
    ConceptType,
    Extraction,
    Mention,
    Paper,
    Relation,
    RelationType,
    Role,
)

METHOD, DATASET = ConceptType.METHOD, ConceptType.DATASET
TEXT = "A graph\nnetwork (GN)\nGN on Cora. Code: github.com/o/r, after github.com/x/y."


def link(name: str, role: CodeRole) -> CodeLink:
    start = TEXT.index(name)
    url = f"https://{name}"
    return CodeLink(
        url=url, host="github.com", owner="", name="", role=role, start=start, end=start + len(name)
    )


def mention(surface: str, kind: ConceptType, *, after: int = 0) -> Mention:
    start = TEXT.index(surface, after)
    return Mention(start, start + len(surface), surface, kind, 0.9)


EXTRACTION = Extraction(
    id="p",
    title=None,
    text=f"\n{TEXT}",
    mentions=(
        mention("graph\nnetwork", METHOD),
        mention("GN", METHOD),
        mention("GN", METHOD, after=20),
        mention("Cora", DATASET),
    ),
    concepts=(
        Concept(
            name="graph network",
            type=METHOD,
            score=0.9,
            mentions=(0, 1, 2),
            aliases=("GN",),
            roles={Role.USES: (0.9, 0, 9)},
        ),
        Concept(name="Cora", type=DATASET, score=0.9, mentions=(3,)),
    ),
    relations=(Relation("graph network", RelationType.EVALUATED_ON, "Cora", 0.9, 0, 9),),
    code_links=(link("github.com/o/r", CodeRole.OFFICIAL), link("github.com/x/y", CodeRole.OTHER)),
)


def test_names_are_those_of_the_text() -> None:
    (paper,) = prefilled([EXTRACTION])
    assert paper.paper == Paper(abstract=TEXT, source_ids=("p",))
    assert paper.gold == Annotation(
        id="p",
        entities=(("graph\nnetwork", METHOD), ("GN", METHOD), ("Cora", DATASET)),
        roles={Role.USES: ("graph\nnetwork",)},
        code=("https://github.com/o/r",),
        aliases=(("GN", "graph\nnetwork"),),
        relations=(("graph\nnetwork", RelationType.EVALUATED_ON, "Cora"),),
    )


def test_measured_against_it_the_extraction_has_everything() -> None:
    (paper,) = prefilled([EXTRACTION])
    shifted = Extraction(
        id="p",
        title=None,
        text=EXTRACTION.text,
        mentions=tuple(Mention(m.start + 1, m.end + 1, m.text, m.type, m.score) for m in EXTRACTION.mentions),
        concepts=EXTRACTION.concepts,
        relations=EXTRACTION.relations,
        code_links=EXTRACTION.code_links,
    )
    result = evaluate({"p": paper.paper}, {"p": paper.gold}, {"p": shifted})
    assert result.papers[0].differences == ()


def test_every_id_is_given_once_and_fits_a_file() -> None:
    extractions = [Extraction(id=name, title=None, text="\n") for name in ("a", "a", "a-2", "a", "x" * 999)]
    assert [paper.gold.id for paper in prefilled(extractions)] == ["a", "a-2", "a-2-2", "a-3", "d4013f14"]
