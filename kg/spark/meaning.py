"""What acronyms of several meanings mean in each paper, on Spark: `kg.context` decides.

Papers that ask for a meaning travel, with their concepts, to the company of the acronym's long forms. The
papers of an acronym that very many write are cut into several shares, each with the whole company.
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

    from kg.spark.storage import Folder

__all__ = ["resolved_groups"]

_MEANINGS = "id string, root string, type string, meaning string"
#: Papers that meet the company of one acronym in one call of Python, and papers of a corpus for each call.
_ASKING = 100_000
_PAPERS = 20_000


def resolved_groups(
    groups: DataFrame, sums: DataFrame, roots: DataFrame, rules: Rules, papers: int, work: Folder
) -> DataFrame:
    """The canonical key of each group of each paper.

    Args:
        groups: columns `id`, `place`, `key`, `type` and `forms`: the groups of all papers.
        sums: the sums of the corpus.
        roots: the concept of each of its keys and the concept's type: `key`, `root`, `kind`.
        rules: what the user says.
        papers: how many papers there are.
        work: a folder for what is computed once.

    Returns:
        The columns `id`, `place`, `root` (what the key is joined to), `concept` (what it means in this paper)
        and `forms`.
    """
    from pyspark.sql import functions as f

    ambiguous = saved(_candidates(sums, roots, rules), work / "ambiguous")
    rooted = saved(_rooted(groups, roots, ambiguous), work / "rooted")
    plain = rooted.where("not asked").withColumn("concept", f.col("root"))
    if ambiguous.isEmpty():
        return plain.drop("type", "long", "asked")
    meant = _meanings(_held(rooted, work), ambiguous, papers)
    found = rooted.where("asked").join(meant, ["id", "root", "type"], "left")
    found = found.withColumn("concept", f.coalesce("meaning", "root"))
    columns = ["id", "place", "root", "concept", "forms"]
    return plain.select(*columns).unionByName(saved(found.select(*columns), work / "resolved"))


def _rooted(groups: DataFrame, roots: DataFrame, ambiguous: DataFrame) -> DataFrame:
    """Each group with its root, whether this is a long form, and whether its company has to be asked.

    Of forms, which are many, only those are kept that a meaning may need.
    """
    from pyspark.sql import functions as f

    longs = ambiguous.select(f.col("long").alias("root"), f.lit(True).alias("long")).distinct()
    kinds = ambiguous.groupBy("root").agg(f.collect_set("type").alias("kinds"))
    told = roots.select("key", "root").join(longs, "root", "left").join(kinds, "root", "left")
    asked = f.coalesce(f.array_contains("kinds", f.col("type")), f.lit(False))
    found = groups.join(told, "key").withColumn("asked", asked)
    forms = f.when(f.col("asked"), f.col("forms")).alias("forms")
    return found.select(
        "id", "place", "root", "type", forms, f.col("long").isNotNull().alias("long"), "asked"
    )


def _held(rooted: DataFrame, work: Folder) -> DataFrame:
    """The concepts of each paper, which of them are long forms, and which have to be asked."""
    from pyspark.sql import functions as f

    asked = f.when(f.col("asked"), f.struct("root", "type"))
    held = rooted.groupBy("id").agg(
        f.collect_set("root").alias("roots"),
        f.collect_set(f.when(f.col("long"), f.col("root"))).alias("longs"),
        f.collect_set(asked).alias("asked"),
    )
    return saved(held, work / "held")


def _candidates(sums: DataFrame, roots: DataFrame, rules: Rules) -> DataFrame:
    """The long forms of each acronym that is a concept of its own: root, type, long."""
    from pyspark.sql import functions as f

    defined = sums.where("what = 'definitions'").select("key", f.col("item").alias("long"))
    mains = sums.where("what = 'mains'").select("key")
    short = roots.select("key", "root")
    long = roots.select(
        f.col("key").alias("long"), f.col("root").alias("long_root"), f.col("kind").alias("type")
    )
    found = defined.join(mains, "key", "left_semi").join(short, "key").join(long, "long")
    found = found.where("root <> long_root")
    found = found.select("root", "type", f.col("long_root").alias("long")).distinct()
    apart = sorted(_forbidden(roots, rules))
    if not apart:
        return found
    told = found.sparkSession.createDataFrame(apart, "root string, long string")
    return found.join(told, ["root", "long"], "left_anti")


def _forbidden(roots: DataFrame, rules: Rules) -> set[tuple[str, str]]:
    """The pairs of concepts that a rule calls different."""
    from pyspark.sql import functions as f

    keys = sorted(rules.conflicts)
    rows = roots.where(f.col("key").isin(keys)).collect() if keys else []
    found = {row["key"]: row["root"] for row in rows}
    return {(found[key], found[other]) for key in found for other in rules.conflicts[key] if other in found}


def _meanings(held: DataFrame, ambiguous: DataFrame, papers: int) -> DataFrame:
    """The meaning of acronyms in the papers whose concepts tell it."""
    from pyspark.sql import functions as f

    asked = held.select("id", "roots", f.explode("asked").alias("at"))
    asked = asked.select("id", "roots", "at.root", "at.type")
    parts = asked.groupBy("root").agg(f.ceil(f.count("*") / _ASKING).alias("parts"))
    asked = asked.join(parts, "root").withColumn("part", share("id", f.col("parts"))).drop("parts")
    told = ambiguous.join(_company(held), "long").withColumn("all", f.lit(papers)).join(parts, "root")
    told = told.withColumn("part", f.explode(f.sequence(f.lit(0).cast("long"), f.col("parts") - 1)))
    both = asked.unionByName(told.drop("parts"), allowMissingColumns=True)
    count = max(2 * held.sparkSession.sparkContext.defaultParallelism, papers // _PAPERS)
    return map_shares(both, f.struct("root", "part"), count, _meant, _MEANINGS)


def _company(held: DataFrame) -> DataFrame:
    """What stands beside each long form, in how many papers, and in how many without it or it without."""
    from pyspark.sql import functions as f

    seen = held.select(f.explode("roots").alias("other")).groupBy("other").agg(f.count("*").alias("seen"))
    beside = held.where(f.size("longs") > 0).select("roots", f.explode("longs").alias("long"))
    beside = beside.select("long", f.explode("roots").alias("other")).where("long <> other")
    together = beside.groupBy("long", "other").agg(f.count("*").alias("together"))
    having = seen.select(f.col("other").alias("long"), f.col("seen").alias("papers"))
    return together.join(seen, "other").join(having, "long")


def _meant(rows: Iterable[Row]) -> Iterator[Row]:
    candidates: dict[str, dict[ConceptType, set[str]]] = defaultdict(lambda: defaultdict(set))
    company: dict[str, dict[str, float]] = defaultdict(dict)
    asked: list[Row] = []
    for row in rows:
        if row["long"] is None:
            asked.append(row)
        else:
            candidates[row["root"]][ConceptType(row["type"])].add(row["long"])
            worth = weight(row["together"], row["papers"], row["seen"], row["all"])
            company[row["long"]][row["other"]] = worth
    sorted_ = {
        root: {kind: sorted(longs) for kind, longs in kinds.items()} for root, kinds in candidates.items()
    }
    context = Context(sorted_, company)
    for row in asked:
        meaning = context.meaning(row["root"], ConceptType(row["type"]), row["roots"])
        if meaning is not None:
            yield {"id": row["id"], "root": row["root"], "type": row["type"], "meaning": meaning}
