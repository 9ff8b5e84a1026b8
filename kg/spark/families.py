"""Versions and their families, and the ids of all concepts, on Spark, by the rules of `kg.families`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from kg.families import Known, Member, Reading, claims, commonest, may_be_version, standing, steps
from kg.folding import CASED
from kg.naming import give_ids, plain_id
from kg.rules import Rules
from kg.schema import ConceptType
from kg.spark.rows import Row, map_rows, map_shares, saved

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.keys import Joined
    from kg.spark.storage import Folder

__all__ = ["add_families"]

_CLAIMS = (
    "family string, other string, child string, type string, name string, papers long, "
    "member string, member_name string"
)
_MADE = "key string, type string, name string"
_STEPS = "child string, parent string, member string"
_PLAIN = "key string, name string, type string, papers long, aliases array<string>, plain string"
_IDS = "key string, id string, name string, type string, aliases array<string>"


def add_families(
    shown: DataFrame, roots: DataFrame, joined: Joined, rules: Rules, work: Folder
) -> tuple[DataFrame, DataFrame]:
    """All concepts with their ids, families that no paper writes among them; and the parents of versions.

    Args:
        shown: the concepts that papers use: `key`, `name`, `type`, `papers` and `aliases`.
        roots: the concept of each key.
        joined: what is known of keys.
        rules: what the user says.
        work: a folder for what is computed once.
    """
    from pyspark.sql import functions as f

    claimed = saved(
        map_rows(shown.select("key", "name", "type", "papers"), _claimed, _CLAIMS), work / "claims"
    )
    known = saved(_known(claimed, shown, roots, joined), work / "known-families")
    told = claimed.join(known, claimed.family == known.asked, "left").drop("asked")
    made = saved(map_shares(told, "family", joined.shares, partial(_made, rules), _MADE), work / "made")
    called = made.select(
        f.col("key").alias("family"), f.col("type").alias("made_type"), f.col("name").alias("made_name")
    )
    members = told.join(called, "family", "left")
    ties = saved(map_shares(members, "member", joined.shares, _tied, _STEPS), work / "steps")
    ties = ties.groupBy("child").agg(f.max_by("parent", "member").alias("parent"))
    parents = ties.join(
        made.select(f.col("key").alias("parent"), f.lit(True).alias("made")), "parent", "left"
    )
    parents = parents.select("child", "parent", f.coalesce("made", f.lit(False)).alias("made"))
    return _with_ids(shown, made, joined.shares, work), saved(parents, work / "parents")


def _claimed(rows: Iterable[Row]) -> Iterator[Row]:
    """The families that names speak of."""
    for row in rows:
        member = _member(row)
        for claim in claims(member) if may_be_version(member) else ():
            plain = claim.family.removesuffix(CASED)
            kind, name = claim.reading
            yield {
                "family": claim.family,
                "other": plain if claim.family.endswith(CASED) else plain + CASED,
                "child": claim.child,
                "type": kind.value,
                "name": name,
                "papers": claim.papers,
                "member": row["key"],
                "member_name": row["name"],
            }


def _member(row: Row) -> Member:
    return Member(row["key"], ConceptType(row["type"]), row["name"], row["papers"])


def _known(claimed: DataFrame, shown: DataFrame, roots: DataFrame, joined: Joined) -> DataFrame:
    """What is known of each family and of its other case, beside the family's key `asked`."""
    from pyspark.sql import functions as f

    asked = claimed.select(f.col("family").alias("asked"), f.explode(f.array("family", "other")).alias("key"))
    concepts = shown.select(f.col("key").alias("root"), f.col("type").alias("known_type"))
    found = asked.distinct().join(roots.select("key", "root"), "key").join(concepts, "root")
    found = found.join(joined.names.select("key", "proper"), "key")
    known = f.struct("key", f.col("root").alias("concept"), f.col("known_type").alias("type"), "proper")
    return found.groupBy("asked").agg(f.collect_list(known).alias("known"))


def _knowledge(rows: Iterable[Row]) -> dict[str, Known]:
    return {
        item["key"]: Known(item["concept"], ConceptType(item["type"]), item["proper"])
        for row in rows
        for item in row["known"] or ()
    }


def _made(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """The families that no paper writes and two names or more belong to."""
    rows = list(rows)
    known = _knowledge(rows)
    children: dict[str, set[str]] = defaultdict(set)
    readings: dict[str, Counter[Reading]] = defaultdict(Counter)
    for row in rows:
        children[row["family"]].add(row["child"])
        readings[row["family"]][ConceptType(row["type"]), row["name"]] += row["papers"]
    for key, found in children.items():
        if len(found) > 1 and standing(key, known.get) is None and not rules.drops(key):
            kind, name = commonest(readings[key])
            yield {"key": key, "type": kind.value, "name": name}


def _tied(rows: Iterable[Row]) -> Iterator[Row]:
    """The steps that each version leads over."""
    rows = list(rows)
    known = _knowledge(rows)
    made = {
        row["family"]: (ConceptType(row["made_type"]), row["made_name"]) for row in rows if row["made_type"]
    }
    members = {
        row["member"]: Member(row["member"], ConceptType(row["type"]), row["member_name"], 0) for row in rows
    }
    for key, member in members.items():
        for child, parent in steps(member, known.get, made).items():
            yield {"child": child, "parent": parent, "member": key}


def _with_ids(shown: DataFrame, made: DataFrame, shares: int, work: Folder) -> DataFrame:
    from pyspark.sql import functions as f

    none = f.array().cast("array<string>")
    new = made.select("key", "name", "type", f.lit(0).cast("long").alias("papers"), none.alias("aliases"))
    both = shown.select("key", "name", "type", "papers", "aliases").unionByName(new)
    placed = map_rows(both, _placed, _PLAIN)
    return saved(map_shares(placed, "plain", shares, _identified, _IDS), work / "concepts")


def _placed(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        yield {**row, "plain": plain_id(_member(row))}


def _identified(rows: Iterable[Row]) -> Iterator[Row]:
    """The ids of concepts; nearly all have theirs alone."""
    called: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        called[row["plain"]].append(row)
    for plain, found in called.items():
        ids = give_ids(map(_member, found)) if len(found) > 1 else {found[0]["key"]: plain}
        for row in found:
            yield {
                "key": row["key"],
                "id": ids[row["key"]],
                **{n: row[n] for n in ("name", "type", "aliases")},
            }
