"""Tests of the table of formats: what is written reads back equal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.annotations import FORMATS, format_of, read, write
from kg.annotations.base import canonical
from kg.errors import ExportError, InputError
from kg.gold import AnnotatedPaper, Annotation
from kg.schema import ConceptType, Paper, RelationType, Role
from tests.annotations.build import METHOD, TERM, item, whole

ENDINGS = {"brat": "", "docbin": ".spacy", "jsonl": ".jsonl", "prodigy": ".jsonl"}
#: Names that overlap, contain each other, cut words, hold what formats use, or are broken by a line end.
NAMES = ["graph", "graph net", "net work", "net", "A B", "B C", "é-net", "a;b", "#1", "x\ny", "T1\tR", "work"]


def there_and_back(papers: list[AnnotatedPaper], folder: Path, form: str) -> list[AnnotatedPaper]:
    path = folder / f"out{ENDINGS[form]}"
    write(papers, path, format=form)
    result = read([path], format=form)
    assert (result.rejected, result.warnings) == ([], [])
    return sorted(result.papers, key=lambda paper: paper.gold.id)


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_reads_back_equal(tmp_path: Path, form: str) -> None:
    papers = [
        item(identity="empty", title=None, abstract=""),
        whole("paper:doi:10.1/a b?*%2F"),
        item(("Größe", TERM), identity="únì", title=None, abstract=" Die Größe 𝔊 zählt. "),
    ]
    assert there_and_back(papers, tmp_path, form) == papers


@st.composite
def annotated_papers(draw: st.DrawFn) -> AnnotatedPaper:
    words = draw(st.lists(st.sampled_from([*NAMES, " ", "\n", "-", "(", "."]), max_size=12))
    abstract = draw(st.sampled_from(["", " "])).join(words)
    names = st.sampled_from(NAMES)
    entities = draw(st.lists(st.tuples(names, st.sampled_from(ConceptType)), max_size=6))
    relations = draw(st.lists(st.tuples(names, st.sampled_from(RelationType), names), max_size=3))
    return AnnotatedPaper(
        Paper(title=draw(st.sampled_from([None, "graph A B C"])), abstract=abstract, source_ids=("p",)),
        Annotation(
            id="p",
            entities=tuple(entities),
            roles=draw(st.dictionaries(st.sampled_from(Role), st.lists(names, max_size=3).map(tuple))),
            aliases=tuple(draw(st.lists(st.tuples(names, names), max_size=3))),
            relations=tuple(relations),
        ),
    )


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paper=annotated_papers())
def test_the_canonical_form_survives_every_format(
    tmp_path_factory: pytest.TempPathFactory, form: str, paper: AnnotatedPaper
) -> None:
    wanted = canonical(paper)
    assert canonical(wanted) == wanted
    assert there_and_back([paper], tmp_path_factory.mktemp("round"), form) == [wanted]


@pytest.mark.parametrize(
    ("name", "form"), [("gold.jsonl", "jsonl"), ("train.spacy", "docbin"), ("folder", "brat")]
)
def test_the_ending_tells_the_format(name: str, form: str) -> None:
    assert format_of(name) == form


def test_another_ending_tells_none() -> None:
    with pytest.raises(ExportError, match=r"x\.csv: '\.csv' tells no format"):
        format_of("x.csv")


@pytest.mark.parametrize("name", ["gold.jsonl", "gold.text.jsonl"])
def test_what_may_hold_corrections_is_never_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("by hand", encoding="utf-8")
    with pytest.raises(ExportError, match="exists and may hold corrections"):
        write([whole()], tmp_path / "gold.jsonl", format="jsonl")
    assert (tmp_path / name).read_text(encoding="utf-8") == "by hand"


def test_an_id_that_comes_again_is_rejected(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write([item(("UPGNET", METHOD))], tmp_path / name, format="brat")
    result = read([tmp_path / "a", tmp_path / "b"], format="brat")
    assert len(result.papers) == 1
    assert [str(record) for record in result.rejected] == [f"{tmp_path / 'b'}: the id 'p1' came before"]


@pytest.mark.parametrize("form", FORMATS)
def test_an_absent_input_is_one_line(tmp_path: Path, form: str) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        read([tmp_path / "absent"], format=form)
