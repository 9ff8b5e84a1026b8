"""Tests of brat standoff: its lines, and what annotators make of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.annotations import brat
from kg.errors import ExportError, InputError
from kg.gold import Annotation
from kg.schema import RelationType, Role
from tests.annotations.build import METHOD, TERM, item, whole


def folder_of(path: Path, text: str, lines: str, *, name: str = "p1") -> Path:
    (path / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    (path / f"{name}.ann").write_text(lines, encoding="utf-8")
    return path


def test_a_paper_is_two_files_that_brat_opens(tmp_path: Path) -> None:
    brat.write([whole()], tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "annotation.conf",
        "p1.ann",
        "p1.txt",
    ]
    assert (tmp_path / "out" / "p1.txt").read_bytes().decode() == whole().text
    assert (tmp_path / "out" / "p1.ann").read_text(encoding="utf-8").splitlines() == [
        "T1\tMethod 3 9\tUPGNET",
        "T2\tMethod 21 27\tUPGNET",
        "T3\tMethod 31 43;44 51\tgraph neural network",
        "T4\tMethod 53 56\tGNN",
        "T5\tTask 62 88\tsparse node classification",
        "T6\tMethod 97 103\tUPGNET",
        "T7\tMethod 112 115\tGNN",
        "T8\tDataset 119 123\tCora",
        "T9\tName 90 93\tSNC",
        "T10\tName 69 88\tnode classification",
        "T11\tCode 131 145\tgithub.com/o/r",
        "A1\tProposes T1",
        "A2\tCompares T4",
        "A3\tDatasets T8",
        "R1\tAlias Arg1:T4 Arg2:T3",
        "R2\tAlias Arg1:T9 Arg2:T10",
        "R3\tis-a Arg1:T1 Arg2:T3",
        "R4\tevaluated-on Arg1:T1 Arg2:T8",
        "#1\tAnnotatorNotes T11\thttps://github.com/o/r",
    ]


def test_the_configuration_names_every_type_role_and_relation(tmp_path: Path) -> None:
    brat.write([], tmp_path / "out")
    lines = (tmp_path / "out" / "annotation.conf").read_text(encoding="utf-8").splitlines()
    assert lines[:8] == ["[entities]", "Method", "Task", "Dataset", "Metric", "Term", "Name", "Code"]
    assert {line.partition("\t")[0] for line in lines} > {*RelationType, "Alias", "Proposes", "[events]"}


def test_roles_and_relations_may_stand_at_any_mention_and_before_it(tmp_path: Path) -> None:
    lines = "A7\tUses T2\nR9\tis-a Arg1:T2 Arg2:T3\nT1\tMethod 1 2\tA\nT2\tMethod 7 8\tA\nT3\tTerm 3 4\tB\n"
    found = brat.read(folder_of(tmp_path, "\nA B a A", f"{lines}E1\tx\n*\tEquiv T1 T2\n#2\tNote T1\twhat?\n"))
    assert [paper.gold for paper in found.papers] == [
        Annotation(
            id="p1",
            entities=(("A", METHOD), ("B", TERM)),
            roles={Role.USES: ("A",)},
            relations=(("A", RelationType.IS_A, "B"),),
        )
    ]


def test_fragments_are_taken_from_first_to_last_and_edges_are_trimmed(tmp_path: Path) -> None:
    found = brat.read(folder_of(tmp_path, "\nred and blue nets ", "T1\tMethod 0 4;13 18\tred nets\n"))
    assert found.papers[0].gold.entities == (("red and blue nets", METHOD),)


def test_a_paper_without_annotations_is_read(tmp_path: Path) -> None:
    found = brat.read(folder_of(tmp_path, "\nNothing.", ""))
    assert found.papers == [item(title=None, abstract="Nothing.")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("T1\tPerson 1 2\tA", "'Person' is no type; write one of Method, Task, Dataset, Metric, Term"),
        ("T1\tMethod one two\tA", "invalid literal for int() with base 10: 'one'"),
        ("T1\tMethod 1 99\tA", "1 to 99 is no place in the text of 3 characters"),
        (
            "A1\tLikes T0",
            "'Likes' is no role; write one of Proposes, Uses, Compares, Tasks, Datasets, Metrics",
        ),
    ],
)
def test_a_wrong_line_costs_its_paper_and_is_named(tmp_path: Path, line: str, reason: str) -> None:
    folder_of(tmp_path, "\nA.", "", name="fine")
    found = brat.read(folder_of(tmp_path, "\nA.", f"T0\tMethod 1 2\tA\n{line}\n"))
    assert [paper.gold.id for paper in found.papers] == ["fine"]
    (rejected,) = found.rejected
    assert str(rejected) == f"{tmp_path / 'p1.ann'}, line 2: no line of brat that we know: {reason}"


def test_a_line_about_no_mention_is_named(tmp_path: Path) -> None:
    found = brat.read(folder_of(tmp_path, "\nA.", "R1\tis-a Arg1:T1 Arg2:T2\n"))
    assert str(found.rejected[0]) == f"{tmp_path / 'p1.ann'}, line 1: 'T1' is no mention of this file"


def test_an_unknown_relation_is_named(tmp_path: Path) -> None:
    found = brat.read(folder_of(tmp_path, "\nA.", "T1\tMethod 1 2\tA\nR1\tlikes Arg1:T1 Arg2:T1\n"))
    assert "'likes' is no relation; write one of used-for" in str(found.rejected[0])


def test_annotations_without_their_text_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "p1.ann").write_text("", encoding="utf-8")
    found = brat.read(tmp_path)
    assert [str(record) for record in found.rejected] == [
        f"{tmp_path / 'p1.ann'}: {tmp_path / 'p1.txt'}: no such file or folder"
    ]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no folder with \.ann files"):
        brat.read(tmp_path)


def test_an_id_that_no_file_can_be_called_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="is too long for a file"):
        brat.write([item(identity="é" * 100)], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@given(lines=st.lists(st.text("TARE#*\t\n 0123;:MethodUseArgis-", max_size=30), max_size=6))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_of_anything_give_a_paper_or_a_reason(tmp_path: Path, lines: list[str]) -> None:
    found = brat.read(folder_of(tmp_path, "\nA text.", "T1\tMethod 1 2\tA\n" + "\n".join(lines)))
    assert len(found.papers) + len(found.rejected) == 1
