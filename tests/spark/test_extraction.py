from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from extractors.workers import Outcome
from kg.records import extraction_of, paper_of, paper_record
from kg.schema import Concept, ConceptType, Extraction, Paper
from kg.spark.extraction import _extracted, extract_part, part_count, split_papers, task_count
from kg.spark.merging import PAPERS
from kg.spark.storage import Folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CATS = Paper(abstract="We propose CATNET for cat detection.", title="Cats", source_ids=("a",))
DOGS = Paper(abstract="We study dogs.", source_ids=("b",))


def read(papers: Sequence[Paper]) -> list[Outcome]:
    """A stand-in that fails on dogs."""
    concepts = [Concept(name=name, type=ConceptType.TERM, score=score, mentions=()) for name, score in SCORES]
    done = [
        Extraction(id=paper.record_id, title=paper.title, text=paper.text, concepts=tuple(concepts))
        for paper in papers
    ]
    return [
        "the extractor failed" if "dogs" in paper.abstract else found
        for paper, found in zip(papers, done, strict=True)
    ]


SCORES = [("sure", 0.9), ("unsure", 0.1)]


@pytest.mark.parametrize(
    ("papers", "cores", "wanted", "parts"),
    [(0, 4, None, 1), (1000, 2, None, 1), (3_000_000, 200, None, 3), (100, 2, 10, 10), (101, 2, 10, 11)],
)
def test_a_part_keeps_all_cores_busy(papers: int, cores: int, wanted: int | None, parts: int) -> None:
    assert part_count(papers, cores, wanted=wanted) == parts


@pytest.mark.parametrize(("papers", "cores", "tasks"), [(0, 4, 4), (500, 1, 1), (501, 1, 2), (9170, 2, 20)])
def test_all_cores_get_as_many_tasks(papers: int, cores: int, tasks: int) -> None:
    assert task_count(papers, cores) == tasks


def test_what_the_extractor_fails_on_is_rejected_with_its_place() -> None:
    pandas = pytest.importorskip("pandas")
    places: list[tuple[str | None, int | None]] = [("list", 7), ("list", 8), (None, None)]
    ids = [CATS.id, DOGS.id, "paper:x"]
    papers = zip(ids, [CATS, DOGS, DOGS], places, strict=True)
    rows = [(name, paper_record(paper), *place) for name, paper, place in papers]
    frame = pandas.DataFrame(rows, columns=["id", "paper", "file", "line"]).astype({"line": "Int64"})

    [found] = _extracted(read, 0.5, [frame])

    assert found["id"].tolist() == [CATS.id, DOGS.id, "paper:x"]
    done = extraction_of(CATS, found["extraction"][0])
    assert [concept.name for concept in done.concepts] == ["sure"]
    assert found["reason"].tolist() == [None, "record 'b': the extractor failed", "the extractor failed"]
    assert found["file"].tolist() == ["list", "list", "b"]
    assert found["line"].tolist()[:2] == [7, 8]


@pytest.mark.spark
def test_a_part_that_is_done_is_not_read_again(spark: SparkSession, tmp_path: Path) -> None:
    rows = [(paper.id, paper_record(paper), "list", 1) for paper in (CATS, DOGS)]
    papers, outcomes = Folder.at(spark, str(tmp_path / "papers")), Folder.at(spark, str(tmp_path / "out"))
    split_papers(spark.createDataFrame(rows, PAPERS), 3, papers)
    for part in range(3):
        extract_part(papers, outcomes, part, min_score=0.0)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")}

    for part in range(3):
        extract_part(papers, outcomes, part, min_score=0.0)

    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*")} == times
    found = spark.read.parquet(f"{outcomes.address}/part=*").collect()
    assert sorted(row.id for row in found) == sorted([CATS.id, DOGS.id])
    assert {paper_of(row.paper) for row in found if row.extraction is not None} == {CATS, DOGS}
