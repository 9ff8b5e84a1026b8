from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest

from kg import manifest
from kg.errors import EngineError, ExportError, InputError
from kg.rules import load_rules
from kg.spark.engine import Job, build
from tests.spark import jobs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def said(lines: list[str]) -> list[str]:
    """Steps without how far they are."""
    return [line for line in lines if "tasks" not in line]


def test_the_folder_holds_what_is_built_in_memory(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    jobs.write_list(path, 30)
    lines: list[str] = []

    told_rules = tmp_path / "rules.toml"
    told_rules.write_text(
        'drop = ["random forest", "gone"]\n[paper.p3]\nroles."accuracy" = false\n[paper.p99]\n'
    )
    rules = load_rules(told_rules)
    job = Job(inputs=[str(path)], output=str(tmp_path / "out"), min_score=0.3, rules=rules)
    result = build(spark, job, tell=lines.append)

    in_memory = jobs.in_memory(path, tmp_path / "expected", min_score=0.3, rules=rules)
    assert jobs.tables(tmp_path / "out") == in_memory
    assert result.warnings == [
        "rules.toml, line 1: drop: no paper writes 'gone'",
        'rules.toml, line 4: paper."p99": no such paper',
    ]
    assert [(record.line, record.reason[:8]) for record in result.rejected] == [(17, "not JSON")]
    assert [orjson.loads(row)["line"] for row in jobs.rows(tmp_path / "out", "rejected")] == [17]
    told = manifest.read(tmp_path / "out")
    assert told["counts"] == result.counts
    assert told["attributes"] == {"min_score": 0.3, "rules": rules.record}
    assert not (tmp_path / "out.part").exists()
    assert not (tmp_path / "out" / "work").exists()
    assert (tmp_path / "out" / "neo4j" / "import.sh").exists()
    assert said(lines)[:3] == ["Reading inputs", "Merging records", "Reading papers, part 1 of 1"]


def test_what_is_resumed_has_to_be_the_same_job(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    jobs.write_list(path, 3)
    strict = Job(inputs=[str(path)], output=str(tmp_path / "out"), strict=True)
    with pytest.raises(InputError, match=r"rejected .*list\.jsonl, line 3: not JSON"):
        build(spark, strict, tell=lambda line: None)
    assert not (tmp_path / "out").exists()

    other = Job(inputs=[str(path)], output=str(tmp_path / "out"), min_score=0.5, resume=True)
    with pytest.raises(EngineError, match="another settings, so that it cannot be resumed"):
        build(spark, other, tell=lambda line: None)


def test_a_foreign_folder_is_not_replaced(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    job = Job(inputs=["list.jsonl"], output=str(tmp_path / "out"))
    with pytest.raises(ExportError, match=r"holds other files \(thesis\.tex\)"):
        build(spark, job, tell=lambda line: None)
