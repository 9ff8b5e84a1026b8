"""Tests of the scores: what counts as right, and that every figure is that of the annotators' scorer."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import kg
from kg.evaluation import FIGURES, Counts, Difference, Evaluation, PaperScore, evaluate
from kg.gold import Annotation, Reading, read_readings, read_texts
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
from tests.conftest import json_lines

METHOD, TASK, TERM = ConceptType.METHOD, ConceptType.TASK, ConceptType.TERM
PAPER = Paper(title="On graph nets", abstract="A graph net (GN) for parsing. GNs parse.", source_ids=("p",))
GOLD = Annotation(
    id="p",
    entities=(
        ("graph nets", METHOD),
        ("graph net", METHOD),
        ("GN", METHOD),
        ("GNs", METHOD),
        ("parsing", TASK),
    ),
    roles={Role.USES: ("graph net",), Role.TASKS: ("parsing",)},
    code=("https://www.github.com/o/R.git",),
    aliases=(("GN", "graph net"),),
    relations=(("GN", RelationType.USED_FOR, "parsing"),),
)


def scores(gold: Reading, found: Reading) -> dict[str, Counts]:
    return evaluate({"p": PAPER}, {"p": gold}, {"p": found}).scores


def test_an_annotation_equals_itself() -> None:
    found = scores(GOLD, GOLD)
    assert {figure for figure, counts in found.items() if counts.wrong or counts.missed} == set()
    assert {figure: counts.right for figure, counts in found.items() if counts.right} == {
        "mentions": 5,
        "mentions4": 5,
        "mentions:Method": 4,
        "mentions:Task": 1,
        "concepts": 2,
        "concepts4": 2,
        "names4": 2,
        "concepts:Method": 1,
        "concepts:Task": 1,
        "role:uses": 1,
        "role:tasks": 1,
        "relations": 1,
        "relation pairs": 1,
        "code": 1,
    }


def test_an_extraction_is_compared_by_folded_names_and_aliases_of_both_sides() -> None:
    def link(url: str, role: CodeRole) -> CodeLink:
        return CodeLink(url=url, host="", owner="", name="", role=role, start=0, end=1)

    found = Extraction(
        id="p",
        title=PAPER.title,
        text=PAPER.text,
        mentions=(Mention(3, 13, "graph nets", METHOD, 1.0), Mention(16, 25, "graph net", TASK, 1.0)),
        concepts=(
            Concept(name="GNs", type=METHOD, score=1.0, mentions=(0, 1), roles={Role.USES: (1.0, 0, 1)}),
            Concept(name="syntax", type=TERM, score=1.0, mentions=(), aliases=("Parsing",)),
        ),
        relations=(Relation("syntax", RelationType.IS_A, "GN", 1.0, 0, 1),),
        code_links=(
            link("http://github.com/o/r/", CodeRole.OFFICIAL),
            link("https://github.com/x/y", CodeRole.OTHER),
        ),
    )
    counts = scores(GOLD, found)
    assert {figure: tuple(counts[figure]) for figure in FIGURES if any(counts[figure])} == {
        "mentions": (1, 1, 4),
        "mentions4": (1, 1, 4),
        "mentions:Method": (1, 0, 3),
        "mentions:Task": (0, 1, 1),
        "concepts": (1, 1, 1),
        "concepts4": (1, 0, 1),
        "names4": (1, 0, 1),
        "concepts:Method": (1, 0, 0),
        "concepts:Task": (0, 0, 1),
        "concepts:Term": (0, 1, 0),
        "role:uses": (1, 0, 0),
        "role:tasks": (0, 0, 1),
        "relations": (0, 1, 1),
        "relation pairs": (1, 0, 0),
        "code": (1, 0, 0),
    }


def test_each_difference_is_told_in_the_order_of_reading() -> None:
    other = Annotation(
        id="p",
        entities=(("graph nets", METHOD), ("parsing", TERM)),
        roles={Role.COMPARES: ("graph net",)},
        code=("https://github.com/o/r",),
    )
    result = evaluate({"p": PAPER}, {"p": GOLD}, {"p": other})
    told = [(d.figure, d.kind, d.name, d.type, d.start, d.end) for d in result.papers[0].differences]
    assert told == [
        ("mentions", "missed", "graph net", "Method", 16, 25),
        ("mentions", "missed", "GN", "Method", 27, 29),
        ("mentions", "missed", "parsing", "Task", 35, 42),
        ("mentions", "wrong", "parsing", "Term", 35, 42),
        ("mentions", "missed", "GNs", "Method", 44, 47),
        ("concepts", "missed", "parsing", "Task", None, None),
        ("concepts", "wrong", "parsing", "Term", None, None),
        ("role:uses", "missed", "graph nets", "", None, None),
        ("role:compares", "wrong", "graph nets", "", None, None),
        ("role:tasks", "missed", "parsing", "", None, None),
        ("relations", "missed", "graph nets used-for parsing", "", None, None),
    ]


def test_a_paper_that_was_not_read_counts_as_missed() -> None:
    result = evaluate({"p": PAPER}, {"p": GOLD}, {})
    assert result.missing == ("p",)
    assert result.scores["mentions"] == Counts(0, 0, 5)


def test_names_that_stand_for_each_other_in_a_circle_end() -> None:
    circle = Annotation(id="p", entities=(("GN", METHOD),), aliases=(("GN", "GNs x"), ("GNs x", "GN")))
    assert scores(circle, circle)["concepts"] == Counts(0, 1, 1)  # as the annotators' scorer has it


def test_shares_are_per_cent_and_zero_where_nothing_counts() -> None:
    assert Counts(2, 1, 2).to_record() == {
        "P": 66.7,
        "R": 50.0,
        "F1": 57.1,
        "gold": 4,
        "right": 2,
        "wrong": 1,
        "missed": 2,
    }
    assert Counts(0, 0, 0).to_record()["F1"] == 0.0


def evaluation(*counts: Counts) -> Evaluation:
    """Papers a, b, … of which mentions alone are counted."""
    nothing = dict.fromkeys(FIGURES, Counts(0, 0, 0))
    return Evaluation(
        tuple(
            PaperScore(name, None, {**nothing, "mentions": count}, ())
            for name, count in zip("abcdefgh", counts, strict=False)
        )
    )


def test_the_worst_papers_have_the_lowest_f1_and_most_mistakes() -> None:
    result = evaluation(Counts(1, 1, 1), Counts(0, 1, 0), Counts(0, 2, 3), Counts(9, 0, 0), Counts(0, 0, 1))
    assert [paper.id for paper in result.worst(4)] == ["c", "b", "e", "a"]
    assert result.worst(0) == []
    assert result.worst(1)[0].to_record()["missed"] == 3


def test_intervals_hold_the_score_and_are_the_same_every_time() -> None:
    result = evaluation(*[Counts(8, 2, 2), Counts(2, 8, 8)] * 4)
    found = result.intervals()
    assert found == result.intervals()
    assert result.scores["mentions"].f1 == 0.5
    # Of 8 papers drawn, 1 to 7 are of the better kind in more than 95 % of all draws.
    assert found["mentions"]["F1"] == (27.5, 72.5)
    assert found["code"] == {"P": (0.0, 0.0), "R": (0.0, 0.0), "F1": (0.0, 0.0)}


def test_papers_that_are_all_alike_leave_no_doubt() -> None:
    found = evaluation(*[Counts(3, 1, 1)] * 5).intervals()
    assert found["mentions"] == {"P": (75.0, 75.0), "R": (75.0, 75.0), "F1": (75.0, 75.0)}


def test_draws_without_any_of_a_kind_say_nothing_of_it() -> None:
    found = evaluation(Counts(1, 0, 0), *[Counts(0, 0, 0)] * 7).intervals()
    assert found["mentions"]["F1"] == (100.0, 100.0)


def test_a_difference_is_a_json_object() -> None:
    assert Difference(paper="p", figure="code", kind="wrong", name="x").to_record() == {
        "paper": "p",
        "figure": "code",
        "kind": "wrong",
        "name": "x",
        "type": "",
        "start": None,
        "end": None,
    }


# --- the annotators' scorer --------------------------------------------------------------------------------


def perturbed(record: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """An annotation with some of everything lost, retyped, turned round and added."""

    def some(items: list[Any]) -> list[Any]:
        return [item for item in items if dice.random() < 0.8]

    surfaces = [surface for surface, _ in record["entities"]]
    return {
        "id": record["id"],
        "entities": [
            [name, kind if dice.random() < 0.9 else "Term"] for name, kind in some(record["entities"])
        ],
        "paper": {
            role: [*some(names), *(dice.sample(surfaces, 1) if role != "code" else [])]
            for role, names in record["paper"].items()
        },
        "aliases": [*(pair[::-1] for pair in some(record["aliases"])), *pairwise(surfaces[:4])],
        "relations": [row if dice.random() < 0.5 else row[::-1] for row in some(record["relations"])],
    }


@pytest.mark.shared
def test_every_figure_is_that_of_the_annotators_scorer(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "annotated"
    texts = [*json_lines(folder / "dev.text.jsonl")][:12]
    gold = [*json_lines(folder / "dev.gold.jsonl")][:12]
    dice = random.Random(3)
    papers = [Paper(title=t["title"], abstract=t["abstract"], source_ids=(t["id"],)) for t in texts[:8]]
    read = [extraction.to_record() for extraction in kg.extract(papers, cache=False)]
    predictions = {
        "read": read,
        "perturbed": [perturbed(record, dice) for record in gold[:11]],
        "both": [*read[:5], *(perturbed(record, dice) for record in gold[5:])],
    }
    scorer = shared / "tools" / "score.py"
    write(tmp_path / "text", texts)
    write(tmp_path / "gold", gold)
    for name, records in predictions.items():
        write(tmp_path / name, records)
        compare(scorer, tmp_path / "text", tmp_path / "gold", tmp_path / name)
    compare(scorer, tmp_path / "text", tmp_path / "read", tmp_path / "perturbed")


def write(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def compare(scorer: Path, text: Path, gold: Path, predicted: Path) -> None:
    command = [sys.executable, *map(str, (scorer, text, gold, predicted)), "--json"]
    theirs = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    result = evaluate(read_texts(text).found, read_readings(gold).found, read_readings(predicted).found)
    ours = {
        figure: {name: counts.to_record()[name] for name in ("P", "R", "F1", "gold")}
        for figure, counts in result.scores.items()
    }
    assert {**ours, "missing": len(result.missing)} == theirs
