"""Tests of the project's own two files."""

from __future__ import annotations

import json
from pathlib import Path

from kg.annotations import json_lines
from tests.annotations.build import ABSTRACT, whole


def test_the_abstracts_stand_in_the_file_beside(tmp_path: Path) -> None:
    json_lines.write([whole()], tmp_path / "dev.gold.jsonl")
    text = json.loads((tmp_path / "dev.text.jsonl").read_bytes())
    assert text == {"id": "p1", "title": "On UPGNET", "abstract": ABSTRACT}
    gold = json.loads((tmp_path / "dev.gold.jsonl").read_bytes())
    assert (gold["id"], gold["entities"][0]) == ("p1", ["UPGNET", "Method"])


def test_an_annotation_without_its_abstract_is_rejected(tmp_path: Path) -> None:
    json_lines.write([whole("a"), whole("b")], tmp_path / "g.jsonl")
    texts = (tmp_path / "g.text.jsonl").read_text(encoding="utf-8")
    (tmp_path / "g.text.jsonl").write_text(texts.splitlines()[1], encoding="utf-8")
    found = json_lines.read(tmp_path / "g.jsonl")
    assert found.papers == [whole("b")]
    assert [str(r) for r in found.rejected] == [f"{tmp_path / 'g.jsonl'}: paper 'a' is not in g.text.jsonl"]
