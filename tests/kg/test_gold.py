"""Tests of annotations: their record, their files, and where their names stand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kg.errors import InputError
from kg.gold import (
    Annotation,
    Entity,
    concept_type,
    occurrences,
    read_annotations,
    read_readings,
    read_texts,
    text_beside,
)
from kg.schema import ConceptType, Extraction, Mention, Paper, RelationType, Role

METHOD, TASK, TERM = ConceptType.METHOD, ConceptType.TASK, ConceptType.TERM
RECORD = {
    "id": "p1",
    "entities": [["BERT", "Method"], ["parsing", "Task"]],
    "paper": {
        "proposes": ["BERT"],
        "uses": [],
        "compares": [],
        "tasks": [],
        "datasets": [],
        "metrics": [],
        "code": ["https://a.b"],
    },
    "aliases": [["BERT", "long BERT"]],
    "relations": [["BERT", "used-for", "parsing"]],
}
ANNOTATION = Annotation(
    id="p1",
    entities=(("BERT", METHOD), ("parsing", TASK)),
    roles={Role.PROPOSES: ("BERT",)},
    code=("https://a.b",),
    aliases=(("BERT", "long BERT"),),
    relations=(("BERT", RelationType.USED_FOR, "parsing"),),
)


def lines(path: Path, *records: Any) -> Path:
    file = path / "lines.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return file


def test_an_annotation_is_its_record_and_back() -> None:
    assert ANNOTATION.to_record() == RECORD
    assert Annotation.from_record(RECORD) == ANNOTATION
    assert Annotation.from_record({"id": 7, "entities": []}) == Annotation(id="7")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, '"id" is missing or no text; give every paper an id'),
        ({"id": True}, '"id" is missing or no text; give every paper an id'),
        ({"entities": None}, 'entities is missing or no list; write [["string", "type"], …]'),
        ({"entities": [["BERT"]]}, 'entities[0] is wrong; write ["string", "type"]'),
        ({"entities": ["BE"]}, 'entities[0] is wrong; write ["string", "type"]'),
        (
            {"entities": [["BERT", "Method"], ["Ada", "Person"]]},
            "entities[1]: 'Person' is no type; write one of Method, Task, Dataset, Metric, Term",
        ),
        ({"paper": []}, "paper is no JSON object; write {…}"),
        ({"paper": {"uses": "BERT"}}, 'paper.uses is no list; write ["…", …]'),
        ({"paper": {"uses": ["a", 1]}}, "paper.uses[1] is no text; write a string of the abstract"),
        (
            {"paper": {"task": []}},
            "paper.task is no role; write one of proposes, uses, compares, tasks, datasets, metrics, code",
        ),
        ({"aliases": [["a", "b", "c"]]}, 'aliases[0] is wrong; write ["short form", "long form"]'),
        ({"relations": [["a", "b"]]}, 'relations[0] is wrong; write ["head", "relation", "tail"]'),
        (
            {"relations": [["a", "used_for", "b"]]},
            "relations[0]: 'used_for' is no relation; write one of used-for, is-a, part-of, improves, "
            "compared-with, evaluated-on, measured-by, trained-on",
        ),
    ],
)
def test_a_wrong_annotation_is_named_with_file_line_and_what_to_write(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = lines(tmp_path, {**RECORD, "id": "fine"}, {**RECORD, **change})
    found = read_annotations(file)
    assert list(found.found) == ["fine"]
    assert [str(record) for record in found.rejected] == [f"{file}, line 2: {message}"]


def test_broken_lines_and_repeated_ids_are_named(tmp_path: Path) -> None:
    file = tmp_path / "g.jsonl"
    file.write_text(f"{json.dumps(RECORD)}\n\n{{\n[]\n{json.dumps(RECORD)}\n", encoding="utf-8")
    assert [(record.line, record.reason) for record in read_annotations(file).rejected] == [
        (3, "not JSON: unexpected end of data, column 2; write one object a line"),
        (4, "the line is no JSON object; write {…}"),
        (5, "the id 'p1' stands in line 1, too; give every paper its own"),
    ]


def test_an_empty_and_an_absent_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        read_annotations(tmp_path / "g.jsonl")
    with pytest.raises(InputError, match="no such file"):
        read_texts(tmp_path / "absent.jsonl")


def test_texts_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl.gz"
    record = {"id": "p", "title": None, "abstract": " a \r\n b", "venue": "x"}
    file.write_bytes(gzip.compress(json.dumps(record).encode()))
    assert read_texts(file).found == {"p": Paper(abstract=" a \r\n b", source_ids=("p",))}


@pytest.mark.parametrize("wrong", [{"title": 1}, {"abstract": None}, {"id": ""}])
def test_a_wrong_text_is_rejected(tmp_path: Path, wrong: dict[str, Any]) -> None:
    found = read_texts(lines(tmp_path, {"id": "p", "title": "T", "abstract": "a", **wrong}))
    assert (found.found, len(found.rejected)) == ({}, 1)


def test_readings_are_annotations_or_extraction_records(tmp_path: Path) -> None:
    extraction = Extraction(id="p2", title="T", text="T\n", mentions=(Mention(0, 1, "T", TERM, 0.5),))
    file = lines(tmp_path, RECORD, extraction.to_record(), {"id": "p3", "mentions": []})
    assert read_readings(file).found == {
        "p1": ANNOTATION,
        "p2": extraction,
        "p3": Extraction(id="p3", title=None, text=""),
    }


def test_what_is_neither_is_named(tmp_path: Path) -> None:
    file = lines(tmp_path, {"id": "a"}, {"id": "b", "mentions": [{"start": 1}]})
    reasons = [record.reason for record in read_readings(file).rejected]
    assert reasons[0] == 'neither "entities" nor "mentions"; write an annotation or an extraction record'
    assert reasons[1].startswith("no extraction record: KeyError(")


@pytest.mark.parametrize(
    ("text", "entities", "places"),
    [
        ("nets, nets", [("nets", METHOD)], {(0, 4): METHOD, (6, 10): METHOD}),
        ("graph nets", [("nets", TERM), ("graph nets", METHOD)], {(0, 10): METHOD}),
        ("subnets nets2 Nets", [("nets", TERM)], {}),
        ("C++ and C", [("C", METHOD), ("C++", TERM)], {(0, 3): TERM, (8, 9): METHOD}),
        ("A B C", [("A B", METHOD), ("B C", TASK)], {(0, 3): METHOD}),
        ("a\nb a b", [("a\nb", METHOD), ("", TERM), (" ", TERM)], {(0, 3): METHOD}),
        ("nets", [("nets", METHOD), ("nets", TASK)], {(0, 4): METHOD}),
    ],
)
def test_strings_stand_longest_first_on_word_borders(
    text: str, entities: list[Entity], places: dict[tuple[int, int], ConceptType]
) -> None:
    assert occurrences(text, entities) == places


@pytest.mark.parametrize(
    ("label", "kind"),
    [("Method", METHOD), ("TASK", TASK), ("Concept", TERM), ("OtherScientificTerm", TERM)],
)
def test_types_go_by_other_names(label: str, kind: ConceptType) -> None:
    assert concept_type(label) is kind


@pytest.mark.parametrize("name", ["a.gold.jsonl", "a.jsonl", "a.gold.jsonl.gz", "a"])
def test_the_abstracts_stand_beside(name: str) -> None:
    assert text_beside(Path("x") / name) == Path("x") / "a.text.jsonl"
