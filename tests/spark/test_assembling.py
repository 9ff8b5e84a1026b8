from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.spark.corpus import RULES, Table, corpus, in_memory, on_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

NAMES = ("nodes", "edges", "evidence", "mentions", "merges")


@pytest.fixture(
    scope="module",
    params=[pytest.param({}, id="without rules"), pytest.param(RULES, id="with rules")],
)
def both(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Table], dict[str, Table]]:
    """The tables of both engines."""
    rules: Mapping[str, Any] = request.param
    pairs = corpus(200)
    memory = in_memory(pairs, rules, tmp_path_factory.mktemp("memory"))
    return memory, on_spark(spark, pairs[::-1], rules, tmp_path_factory.mktemp("spark"))


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_give_the_same_rows(both: tuple[dict[str, Table], dict[str, Table]], name: str) -> None:
    memory, spark = both

    assert spark[name][0] == memory[name][0]
    assert spark[name][1] == memory[name][1]


def test_the_corpus_gives_the_rules_of_the_ledger_something_to_do(
    both: tuple[dict[str, Table], dict[str, Table]],
) -> None:
    columns, rows = both[1]["merges"]
    rules = {row[list(columns).index("rule")] for row in rows}

    assert {"spelling", "head", "acronym", "acronym-context", "alias"} <= rules


def test_no_paper_gives_empty_tables(spark: SparkSession, tmp_path: Path) -> None:
    tables = on_spark(spark, [], {}, tmp_path)

    assert [sum(tables[name][1].values()) for name in NAMES] == [0] * len(NAMES)
