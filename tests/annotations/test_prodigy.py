"""Tests of Prodigy's tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.annotations import prodigy
from kg.gold import Annotation
from kg.schema import RelationType
from tests.annotations.build import METHOD, TASK, item

SPANS = [{"start": 0, "end": 4, "label": "Method"}, {"start": 10, "end": 17, "label": "Task"}]


def read(path: Path, *tasks: Any) -> Any:
    (path / "tasks.jsonl").write_text("".join(f"{json.dumps(task)}\n" for task in tasks), encoding="utf-8")
    return prodigy.read(path / "tasks.jsonl")


def test_a_paper_is_a_task(tmp_path: Path) -> None:
    prodigy.write([item(("BERT", METHOD), title=None, abstract="BERT runs")], tmp_path / "t.jsonl")
    assert json.loads((tmp_path / "t.jsonl").read_bytes()) == {
        "text": "\nBERT runs",
        "meta": {"id": "p1"},
        "spans": [{"start": 1, "end": 5, "label": "Method"}],
        "annotation": {
            "paper": {
                name: [] for name in ("proposes", "uses", "compares", "tasks", "datasets", "metrics", "code")
            },
            "aliases": [],
            "relations": [],
        },
    }


def test_relations_that_were_drawn_in_prodigy_are_taken(tmp_path: Path) -> None:
    drawn = [
        {"head": 0, "child": 2, "label": label, "head_span": SPANS[0], "child_span": SPANS[1]}
        for label in ("used-for", "ALIAS")
    ]
    task = {"text": "BERT does parsing", "spans": SPANS, "relations": drawn, "answer": "accept"}
    assert [paper.gold for paper in read(tmp_path, task).papers] == [
        Annotation(
            id="task-1",
            entities=(("BERT", METHOD), ("parsing", TASK)),
            aliases=(("BERT", "parsing"),),
            relations=(("BERT", RelationType.USED_FOR, "parsing"),),
        )
    ]


def test_tasks_that_were_not_accepted_are_left_out(tmp_path: Path) -> None:
    tasks = [{"text": "a", "answer": answer} for answer in ("accept", "reject", "ignore")]
    found = read(tmp_path, *tasks)
    assert [paper.gold.id for paper in found.papers] == ["task-1"]
    assert found.warnings == [
        f"{tmp_path / 'tasks.jsonl'}: 2 tasks that were rejected or ignored are left out"
    ]


@pytest.mark.parametrize(
    "task",
    [
        [],
        {},
        {"text": 7},
        {"text": "a", "spans": [{"start": 0, "end": 1, "label": "PERSON"}]},
        {"text": "a", "spans": [{"start": "0", "end": 1, "label": "Method"}]},
        {"text": "a", "spans": [{"start": 0, "end": 2, "label": "Method"}]},
        {"text": "a", "spans": 3},
        {"text": "a", "meta": []},
        {"text": "a", "relations": [{"label": "likes"}]},
        {"text": "a", "annotation": {"paper": {"likes": []}}},
    ],
    ids=json.dumps,
)
def test_a_wrong_task_costs_that_task(tmp_path: Path, task: Any) -> None:
    found = read(tmp_path, task, {"text": "fine", "meta": {"id": "f"}})
    assert [paper.gold.id for paper in found.papers] == ["f"]
    (rejected,) = found.rejected
    assert (rejected.line, rejected.reason.startswith("no task of Prodigy: ")) == (1, True)


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text("{", encoding="utf-8")
    (rejected,) = prodigy.read(tmp_path / "t.jsonl").rejected
    assert (rejected.line, rejected.reason.startswith("not JSON: ")) == (1, True)
