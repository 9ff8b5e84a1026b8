"""Tests of the annotated papers that training reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.annotations.json_lines import write
from kg.errors import InputError
from tests.annotations.build import METHOD, item, whole
from training.data import read_annotated


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a paper in each split."""
    for split in ("train", "dev"):
        (tmp_path / "annotated").mkdir(exist_ok=True)
        write([whole(split)], tmp_path / "annotated" / f"{split}.gold.jsonl")
    return tmp_path


def test_a_split_is_read_as_annotated(data: Path) -> None:
    paper = whole("dev")
    found = read_annotated(data / "annotated", "dev")
    (only,) = found
    assert (only.gold.id, only.paper.title, only.paper.abstract) == ("dev", "On UPGNET", paper.paper.abstract)
    assert only.gold.to_record() == paper.gold.to_record()
    assert only.text == paper.text


def test_extra_papers_are_trained_on_only(data: Path) -> None:
    (data / "extra").mkdir()
    write([item(("Cora", METHOD), identity="mine")], data / "extra" / "mine.gold.jsonl")
    assert [paper.gold.id for paper in read_annotated(data / "annotated", "train")] == ["train", "mine"]
    assert [paper.gold.id for paper in read_annotated(data / "annotated", "dev")] == ["dev"]


def test_a_wrong_line_stops_the_training(data: Path) -> None:
    with (data / "annotated" / "train.gold.jsonl").open("a", encoding="utf-8") as lines:
        lines.write("{}\n")
    with pytest.raises(InputError, match=r"train\.gold\.jsonl, line 2: "):
        read_annotated(data / "annotated", "train")
