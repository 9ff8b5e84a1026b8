"""Every concept of a corpus with its name, on Spark: `kg.naming` where no machine holds all papers or keys.

Papers give their groups and partial sums (`kg.tally`), which Spark adds up key by key; `kg.spark.keys` says
which keys must meet, `kg.spark.showing` joins them and calls each concept by its name, `kg.spark.meaning`
says what acronyms mean in each paper. Then versions find their families by joins. All decisions are those of
`kg.naming` and what it calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from extractors.batches import in_batches
from kg.corrections import correct
from kg.records import pair_of
from kg.rules import Rules
from kg.spark.families import add_families
from kg.spark.keys import join_corpus
from kg.spark.meaning import resolved_groups
from kg.spark.rows import Row, map_rows, saved
from kg.spark.showing import decide, show
from kg.tally import Group, Tally, paper_groups

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["Named", "name_corpus", "read_groups"]

_READ = (
    "what string, key string, item string, papers long, mentions long, running long, "
    "id string, place int, type string, forms array<string>"
)
_GROUP = "group"
#: Papers whose sums Python makes together.
_PAPERS = 2000


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
    decided = decide(sums, joined, rules, work)
    resolved = resolved_groups(groups, sums, decided.roots, rules, papers, work)
    shown = show(resolved, decided, joined, rules, work)
    concepts, parents = add_families(shown, decided.roots, joined, rules, work)
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
    paper, extraction = pair_of(record["paper"], record["extraction"])
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
