from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.identity import merge_papers
from kg.records import paper_of
from kg.schema import Paper
from kg.spark.merging import distinct_papers, record_row
from kg.spark.storage import Folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

COLUMNS = "id string, paper binary, keys array<string>, file string, line long"
LONG = "We study how cats sleep in boxes that are far too small for them."
CHAIN = [
    Paper(abstract=LONG, title="Cats", source_ids=("a",)),
    Paper(abstract=LONG.upper(), title="Cats in Boxes", authors=("Ann Roe",), source_ids=("b",)),
    Paper(abstract="", title="Cats in boxes.", authors=("Roe, A.",), arxiv_id="2401.00001"),
    Paper(abstract="Short.", title="Other", arxiv_id="2401.00001", doi="10.1/a", year=2024),
    Paper(abstract="Dogs bark.", title="Dogs", year=2023),
    Paper(abstract="Dogs bark.", title="Dogs", year=2020),
    Paper(abstract="Dogs bark.", title="Dogs", year=2020),
    Paper(abstract="Alone.", keywords=("b", "a", "b"), year=2020),
]


def distinct(spark: SparkSession, papers: Sequence[Paper]) -> list[Paper]:
    """The papers that Spark makes of records, sorted by id."""
    rows = [(*record_row(paper), "list", 1) for paper in papers]
    records = spark.createDataFrame(rows, COLUMNS)
    with tempfile.TemporaryDirectory() as work:
        found = distinct_papers(records, Folder.at(spark, work)).collect()
    assert [row.id for row in found] == [paper_of(row.paper).id for row in found]
    return sorted((paper_of(row.paper) for row in found), key=lambda paper: paper.id)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_papers_are_those_of_the_merge_in_memory(spark: SparkSession, seed: int) -> None:
    papers = random.Random(seed).sample(CHAIN, len(CHAIN))

    assert distinct(spark, papers) == merge_papers(CHAIN)


def test_papers_that_merging_gives_one_id_become_one(spark: SparkSession) -> None:
    papers = [
        Paper(abstract=LONG, title="One", doi="10.1/a"),
        Paper(abstract=LONG, title="One", doi="10.48550/arxiv.2401.00001"),
        Paper(abstract="Cats.", title="One", arxiv_id="2401.00001"),
    ]
    assert distinct(spark, papers) == merge_papers(papers)


_TITLES = st.sampled_from([None, "On Cats", "On cats.", "On Dogs", "Preface"])
_RECORDS = st.builds(
    Paper,
    abstract=st.sampled_from(["", "Cats.", LONG, LONG.lower(), f"{LONG} Again."]),
    title=_TITLES,
    authors=st.sampled_from([(), ("Ann Roe",), ("Roe, A.",), ("Bo Lee", "Ann Roe")]),
    year=st.sampled_from([None, 2020, 2024]),
    doi=st.sampled_from([None, "10.1/a", "10.1/b", "10.48550/arxiv.2401.00001"]),
    arxiv_id=st.sampled_from([None, "2401.00001", "2401.00002"]),
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(papers=st.lists(_RECORDS, max_size=12))
def test_any_records_give_the_papers_of_the_merge_in_memory(spark: SparkSession, papers: list[Paper]) -> None:
    assert distinct(spark, papers) == merge_papers(papers)


def test_a_paper_stands_where_its_abstract_stands_first(spark: SparkSession, tmp_path: Path) -> None:
    doi = "10.1/a"
    papers = [Paper(abstract=LONG, title="Cats"), Paper(abstract="", doi=doi), Paper(abstract=LONG, doi=doi)]
    rows = [(*record_row(paper), "list", 9 - i) for i, paper in enumerate(papers)]
    records = spark.createDataFrame(rows, COLUMNS)

    found = distinct_papers(records, Folder.at(spark, str(tmp_path)))

    assert [(row.file, row.line) for row in found.collect()] == [("list", 7)]
