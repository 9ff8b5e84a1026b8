"""Tests of `kg seeds`: the papers that come along, for whoever has no list."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.cli.seeds import SHIPPED
from tests.cli.conftest import Kg


@pytest.mark.parametrize("arguments", [[], ["papers"]])
def test_the_seeds_are_copied_and_a_second_time_changes_nothing(kg: Kg, arguments: list[str]) -> None:
    folder = Path(*arguments or ["seeds"])
    assert kg("seeds", *arguments).exit_code == 0
    first = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert kg("seeds", *arguments).exit_code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == first
    assert "papers.jsonl" in first
    assert first["papers.jsonl"] == (SHIPPED / "papers.jsonl").read_bytes()


def test_another_file_of_that_name_is_left_alone(kg: Kg) -> None:
    Path("seeds").mkdir()
    Path("seeds/papers.jsonl").write_text("mine", encoding="utf-8")
    done = kg("seeds")
    assert done.exit_code == 1
    assert done.stderr.endswith("exists and is something else. Name another folder.\n")
    assert Path("seeds/papers.jsonl").read_text(encoding="utf-8") == "mine"
