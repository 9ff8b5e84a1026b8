"""Connected components of a graph that no machine holds: alternating large-star and small-star.

Each round puts the neighbours of a node under the least node that it knows of: first those above it
(large-star), then those below it and itself (small-star). What is connected stays connected, and after a
logarithm of rounds every node stands beside the least one of its component (Kiveris et al. 2014, Connected
Components in MapReduce and Beyond). A round's minima are combined before the shuffle, so that a node with
very many neighbours costs no task more than its share.

A graph of no more edges than one task easily holds is connected by one task, without rounds.

The driver holds no more than a flag a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import TYPE_CHECKING

from kg.spark.rows import Row, map_shares, saved

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["connected"]

#: Edges that one task connects by itself.
_FEW = 500_000
_COLUMNS = "node string, component string"


def connected(edges: DataFrame, work: Folder, *, few: int = _FEW) -> DataFrame:
    """The component of each node, named by its least node.

    Args:
        edges: columns `one` and `other`, both texts; direction, order and repetition do not matter. A node
            without a neighbour is an edge to itself.
        work: a folder for what is computed once; the result stays in it.
        few: so many distinct edges are connected in one task.

    Returns:
        Columns `node` and `component`, one row a node.

    Example:
        a-b, b-c and d-d give (a, a), (b, a), (c, a) and (d, d).
    """
    from pyspark.sql import functions as f

    given = saved(edges.select("one", "other").distinct(), work / "edges")
    if given.count() <= few:
        return saved(map_shares(given, "one", 1, _in_one_task, _COLUMNS), work / "nodes")
    downward = given.where("one <> other").select(
        f.greatest("one", "other").alias("node"), f.least("one", "other").alias("above")
    )
    stars = saved(downward.distinct(), work / "round-0")
    for turn in count(1):
        if _is_forest_of_stars(stars):
            break
        stars = saved(_small_star(_large_star(stars)), work / f"round-{turn}")
    nodes = given.select(f.explode(f.array("one", "other")).alias("node")).distinct()
    found = nodes.join(stars, "node", "left").select("node", f.coalesce("above", "node").alias("component"))
    return saved(found, work / "nodes")


def _in_one_task(edges: Iterable[Row]) -> Iterator[Row]:
    """The component of each node, by union of the components of an edge's ends."""
    above: dict[str, str] = {}

    def least(node: str) -> str:
        while (parent := above.setdefault(node, node)) != node:
            above[node] = above[parent]
            node = above[node]
        return node

    for edge in edges:
        low, high = sorted((least(edge["one"]), least(edge["other"])))
        above[high] = low
    for node in above:
        yield {"node": node, "component": least(node)}


def _large_star(edges: DataFrame) -> DataFrame:
    """Every larger neighbour of a node, put under the least of the node and all its neighbours."""
    from pyspark.sql import functions as f

    upward = edges.select(f.col("above").alias("node"), f.col("node").alias("above"))
    both = edges.unionByName(upward)
    least = both.groupBy("node").agg(f.min("above").alias("least"))
    return (
        both.join(least, "node")
        .where("above > node")
        .select(f.col("above").alias("node"), f.least("least", "node").alias("above"))
        .distinct()
    )


def _small_star(edges: DataFrame) -> DataFrame:
    """A node and its smaller neighbours, put under the least of these."""
    from pyspark.sql import functions as f

    least = edges.groupBy("node").agg(f.min("above").alias("least"))
    neighbours = (
        edges.join(least, "node")
        .where("above <> least")
        .select(f.col("above").alias("node"), f.col("least").alias("above"))
    )
    return neighbours.unionByName(least.withColumnRenamed("least", "above")).distinct()


def _is_forest_of_stars(edges: DataFrame) -> bool:
    """Whether each node has one node above it, which has none: nothing would change any more."""
    from pyspark.sql import functions as f

    if not edges.groupBy("node").count().where("count > 1").isEmpty():
        return False
    above = edges.select(f.col("above").alias("node"))
    return edges.join(above, "node", "left_semi").isEmpty()
