"""Every concept of a corpus with its name, on Spark: `kg.naming` where no machine holds all papers or keys.

Papers give their groups and partial sums (`kg.tally`), which Spark adds up key by key; `kg.spark.keys` joins
keys, `kg.spark.meaning` says what acronyms mean in each paper. Then each share of keys shows its concepts,
and versions find their families by joins. All decisions are those of `kg.naming` and what it calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from extractors.batches import in_batches
from kg.corrections import correct
from kg.display import Speller, count_words
from kg.naming import Namer
from kg.records import extraction_of, paper_of
from kg.rules import Rules
from kg.spark.families import add_families
from kg.spark.keys import Joined, join_corpus, joined_share, shares_of, sum_row
from kg.spark.meaning import resolved_groups
from kg.spark.rows import Row, map_rows, map_shares, saved
from kg.tally import Group, Tally, paper_groups
from kg.vocabulary import Vocabulary, seed_vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["Named", "name_corpus", "read_groups"]

_READ = (
    "what string, key string, item string, papers long, mentions long, running long, "
    "id string, place int, type string, forms array<string>"
)
_GROUP = "group"
_SHOWN = (
    "key string, name string, type string, papers long, aliases array<string>, "
    "merges array<struct<alias: string, rule: string, support: long>>"
)
_WORDS = "word string, count long"
#: Papers whose sums Python makes together.
_PAPERS = 500


@dataclass(frozen=True)
class Named:
    """The naming of a corpus.

    `groups` says which concept each group of a paper is: `id`, `place`, `concept`. `concepts` has `key`,
    `id`, `name`, `type` and `aliases`, `parents` the `parent` of a `child` and whether it is `made`: a family
    that no paper writes. `merges` is the ledger.
    """

    groups: DataFrame
    concepts: DataFrame
    parents: DataFrame
    merges: DataFrame


def name_corpus(records: DataFrame, papers: int, rules: Rules, work: Folder) -> Named:
    """Names every concept of a corpus.

    Args:
        records: columns `id`, `paper` and `extraction` (`kg.records`), one row a distinct paper.
        papers: how many these are.
        rules: what the user says.
        work: a folder for what is computed once.
    """
    from pyspark.sql import functions as f

    groups, sums = read_groups(records, rules, work)
    joined = join_corpus(sums, rules, work)
    resolved = resolved_groups(groups, sums, joined, rules, papers, work)
    shown = saved(_shown(resolved, sums, joined, rules), work / "shown")
    concepts, parents = add_families(shown, joined, rules, work)
    merges = shown.select("name", "type", f.explode("merges").alias("merge")).select(
        "merge.alias", f.col("name").alias("canonical"), "type", "merge.rule", "merge.support"
    )
    return Named(resolved.select("id", "place", "concept"), concepts, parents, merges)


def read_groups(records: DataFrame, rules: Rules, work: Folder) -> tuple[DataFrame, DataFrame]:
    """The groups of all papers, and the sums over them."""
    from pyspark.sql import functions as f

    read = map_rows(records.select("id", "paper", "extraction"), partial(_read, rules), _READ)
    kept = saved(read, work / "read", by="what")
    groups = kept.where(f.col("what") == _GROUP).select("id", "place", "key", "type", "forms")
    counted = kept.where(f.col("what") != _GROUP).groupBy("what", "key", "item")
    sums = counted.agg(*(f.sum(name).alias(name) for name in ("papers", "mentions", "running")))
    return groups, saved(sums, work / "sums", by="what")


def _read(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """The groups of a task's papers, and their sums, some papers at a time."""
    for batch in in_batches(rows, _PAPERS):
        sums = Tally()
        for row in batch:
            groups = groups_of(row, rules)
            sums.add(groups)
            yield from (_group_row(row["id"], place, group) for place, group in enumerate(groups))
        for what, key, item, counts in sums.rows():
            yield {"what": what, "key": key, "item": item, **counts._asdict()}


def groups_of(record: Row, rules: Rules) -> list[Group]:
    """The groups of one record."""
    paper = paper_of(record["paper"])
    extraction = extraction_of(paper, record["extraction"])
    return paper_groups(correct(paper, extraction, rules).extraction, rules)


def _group_row(paper: str, place: int, group: Group) -> Row:
    kind = group.concept.type.value
    return {
        "what": _GROUP,
        "key": group.key,
        "id": paper,
        "place": place,
        "type": kind,
        "forms": list(group.forms),
    }


def _shown(resolved: DataFrame, sums: DataFrame, joined: Joined, rules: Rules) -> DataFrame:
    """The concepts that papers use, each with its name and its lines of the ledger."""
    from pyspark.sql import functions as f

    none = f.lit(None).cast("array<string>")
    zero = f.lit(0).cast("long")
    place = joined.places
    used = resolved.select(f.col("concept").alias("key")).distinct()
    used = used.select("key", f.lit("used").alias("what"), f.lit("").alias("item"), zero.alias("papers"))
    told = resolved.where("concept <> root").select(
        f.col("concept").alias("key"), f.explode("forms").alias("item")
    )
    told = told.groupBy("key", "item").agg(f.count("*").alias("papers"))
    told = told.select("key", f.lit("resolved").alias("what"), "item", "papers")
    added = used.unionByName(told).join(place, "key")
    words = joined.names.select("key", f.explode("words").alias("word")).join(place, "key")
    words = words.select("component", "word").distinct().join(_counted_words(sums), "word")
    words = words.select(
        "component",
        f.col("word").alias("key"),
        f.lit("word").alias("what"),
        f.lit("").alias("item"),
        f.col("count").alias("papers"),
    )
    more = added.unionByName(words).withColumns({"mentions": zero, "running": zero, "order": none})
    pieces = joined.pieces.unionByName(more.select(*joined.pieces.columns))
    return map_shares(shares_of(pieces, joined.shares), "share", partial(_show, rules), _SHOWN)


def _counted_words(sums: DataFrame) -> DataFrame:
    """How often words are written inside sentences, by the corpus and the vocabulary."""
    from pyspark.sql import functions as f

    written = map_rows(sums.where("what = 'forms' and running > 0"), _word_rows, _WORDS)
    known = count_words(Tally(), seed_vocabulary())
    listed = sums.sparkSession.createDataFrame(sorted(known.items()), _WORDS)
    return written.unionByName(listed).groupBy("word").agg(f.sum("count").alias("count"))


def _word_rows(rows: Iterable[Row]) -> Iterator[Row]:
    nothing = Vocabulary((), {})
    for batch in in_batches(rows, 10 * _PAPERS):
        sums = Tally()
        for row in batch:
            sums.put(sum_row(row))
        for word, count in count_words(sums, nothing).items():
            yield {"word": word, "count": count}


def _show(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    share = joined_share(rules, rows)
    words = {row.key: row.counts.papers for row in share.others if row.what == "word"}
    used = {row.key for row in share.others if row.what == "used"}
    resolved: dict[str, dict[str, int]] = {}
    for row in share.others:
        if row.what == "resolved":
            resolved.setdefault(row.key, {})[row.item] = row.counts.papers
    speller = Speller(share.sums, share.joins, seed_vocabulary(), rules, words)
    namer = Namer(share.sums, share.joins, speller, rules)
    for key in used - namer.dropped():
        shown = namer.show(key, resolved.get(key, {}))
        yield {
            "key": key,
            "name": shown.member.name,
            "type": shown.member.type.value,
            "papers": shown.member.papers,
            "aliases": list(shown.aliases),
            "merges": [{"alias": form, "rule": rule, "support": papers} for form, rule, papers in shown.rows],
        }
