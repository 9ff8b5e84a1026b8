from __future__ import annotations

import random
import tempfile
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from kg.spark.components import connected
from kg.spark.storage import Folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def _components(spark: SparkSession, edges: list[tuple[str, str]], *, few: int = 0) -> list[tuple[str, str]]:
    given = spark.createDataFrame(edges, "one string, other string")
    with tempfile.TemporaryDirectory() as work:
        rows = connected(given, Folder.at(spark, work), few=few).collect()
    return sorted((row.node, row.component) for row in rows)


def _expected(edges: list[tuple[str, str]]) -> list[tuple[str, str]]:
    found = nx.connected_components(nx.Graph(edges))
    return sorted((node, min(nodes)) for nodes in found for node in nodes)


def _random(*, nodes: int, edges: int, seed: int) -> list[tuple[str, str]]:
    rng = random.Random(seed)
    return [(f"n{rng.randrange(nodes)}", f"n{rng.randrange(nodes)}") for _ in range(edges)]


def test_each_node_is_named_by_the_least_node_of_its_component(spark: SparkSession) -> None:
    edges = [("b", "a"), ("b", "c"), ("a", "b"), ("d", "d"), ("é", "f")]

    assert _components(spark, edges) == [
        ("a", "a"),
        ("b", "a"),
        ("c", "a"),
        ("d", "d"),
        ("f", "f"),
        ("é", "f"),
    ]


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param([(f"{i * 97 % 151:03}", f"{(i + 1) * 97 % 151:03}") for i in range(150)], id="path"),
        pytest.param([("m", f"{side}{i}") for side in "az" for i in range(200)], id="star"),
        pytest.param(_random(nodes=200, edges=120, seed=1), id="random"),
    ],
)
def test_components_are_those_of_networkx(spark: SparkSession, edges: list[tuple[str, str]]) -> None:
    assert _components(spark, edges) == _expected(edges)
    assert _components(spark, edges, few=1000) == _expected(edges)


def test_no_edges_give_no_components(spark: SparkSession) -> None:
    assert _components(spark, []) == []
