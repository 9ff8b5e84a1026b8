"""What acronyms of several meanings mean in each paper, on Spark: `kg.context` decides.

Of a paper only those long forms are looked at that share a concept with it, so that an acronym of very many
meanings costs what the paper holds. Weights are computed and added up in Python, in the order of memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kg.context import Context, weight
from kg.rules import Rules
from kg.schema import ConceptType
from kg.spark.rows import Row, map_shares, saved, share

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.keys import Joined
    from kg.spark.storage import Folder

__all__ = ["resolved_groups"]

_MEANINGS = "id string, root string, type string, meaning string"
#: Rows that one call of Python gets together.
_SHARE = 200_000


def resolved_groups(
    groups: DataFrame, sums: DataFrame, joined: Joined, rules: Rules, papers: int, work: Folder
) -> DataFrame:
    """The canonical key of each group of each paper.

    Args:
        groups: columns `id`, `place`, `key`, `type` and `forms`: the groups of all papers.
        sums: the sums of the corpus.
        joined: the joins of its keys.
        rules: what the user says.
        papers: how many papers there are.
        work: a folder for what is computed once.

    Returns:
        The columns `id`, `place`, `root` (what the key is joined to), `concept` (what it means in this paper)
        and `forms`.
    """
    from pyspark.sql import functions as f

    rooted = groups.join(joined.roots.select("key", "root"), "key")
    rooted = saved(rooted.select("id", "place", "root", "type", "forms"), work / "rooted")
    ambiguous = saved(_candidates(sums, joined, rules), work / "ambiguous")
    if ambiguous.isEmpty():
        return rooted.withColumn("concept", f.col("root")).drop("type")
    meant = saved(_meanings(rooted, ambiguous, papers), work / "meanings")
    found = rooted.join(meant, ["id", "root", "type"], "left")
    concept = f.coalesce("meaning", "root").alias("concept")
    return saved(found.select("id", "place", "root", concept, "forms"), work / "resolved")


def _candidates(sums: DataFrame, joined: Joined, rules: Rules) -> DataFrame:
    """The long forms of each acronym that is a concept of its own: root, type, long."""
    from pyspark.sql import functions as f

    defined = sums.where("what = 'definitions'").select("key", f.col("item").alias("long"))
    mains = sums.where("what = 'mains'").select("key")
    short = joined.roots.select("key", "root")
    long = joined.roots.select(
        f.col("key").alias("long"), f.col("root").alias("long_root"), f.col("kind").alias("type")
    )
    found = defined.join(mains, "key", "left_semi").join(short, "key").join(long, "long")
    found = found.where("root <> long_root")
    found = found.select("root", "type", f.col("long_root").alias("long")).distinct()
    apart = sorted(_forbidden(joined, rules))
    if not apart:
        return found
    told = found.sparkSession.createDataFrame(apart, "root string, long string")
    return found.join(told, ["root", "long"], "left_anti")


def _forbidden(joined: Joined, rules: Rules) -> set[tuple[str, str]]:
    """The pairs of concepts that a rule calls different."""
    from pyspark.sql import functions as f

    keys = sorted(rules.conflicts)
    rows = joined.roots.where(f.col("key").isin(keys)).collect() if keys else []
    roots = {row["key"]: row["root"] for row in rows}
    return {(roots[key], roots[other]) for key in roots for other in rules.conflicts[key] if other in roots}


def _meanings(rooted: DataFrame, ambiguous: DataFrame, papers: int) -> DataFrame:
    """The meaning of acronyms in the papers whose concepts tell it."""
    from pyspark.sql import functions as f

    held = rooted.select("id", f.col("root").alias("other")).distinct()
    seen = held.groupBy("other").agg(f.count("id").alias("seen"))
    longs = ambiguous.select("long").distinct()
    having = held.join(longs, held.other == longs.long).select("id", "long")
    together = having.join(held, "id").where("long <> other")
    together = together.groupBy("long", "other").agg(f.count("id").alias("together"))
    company = together.join(seen, "other").join(
        seen.select(f.col("other").alias("long"), f.col("seen").alias("papers")), "long"
    )
    asked = rooted.select("id", "root", "type").distinct()
    asked = asked.join(ambiguous.select("root", "type").distinct(), ["root", "type"])
    beside = asked.join(held, "id").where("root <> other")
    scored = beside.join(ambiguous.join(company, "long"), ["root", "type", "other"])
    scored = scored.withColumn("all", f.lit(papers))
    count = max(1, scored.count() // _SHARE)
    return map_shares(scored.withColumn("share", share("id", count)), "share", _meant, _MEANINGS)


def _meant(rows: Iterable[Row]) -> Iterator[Row]:
    asked: dict[tuple[str, str, str], dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        worth = weight(row["together"], row["papers"], row["seen"], row["all"])
        asked[row["id"], row["root"], row["type"]][row["long"]][row["other"]] = worth
    for (paper, root, kind), company in asked.items():
        context = Context({root: {ConceptType(kind): sorted(company)}}, company)
        others = {other for found in company.values() for other in found}
        meaning = context.meaning(root, ConceptType(kind), others)
        if meaning is not None:
            yield {"id": paper, "root": root, "type": kind, "meaning": meaning}
