"""What Python gets of the keys of a corpus, on Spark: shares of whole components, opened as sums and joins.

A share holds *pieces*, rows of one table: all sums that a key has by itself (`OWN`), sums of other kinds, and
pairs of keys that a stage joins, each with its component.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import orjson

from kg.merging import Joins, Pair, join_acronyms, join_forms, join_pairs
from kg.rules import Rules
from kg.spark.rows import Row
from kg.tally import Row as Sum
from kg.tally import Tally, Usage
from kg.vocabulary import seed_vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["OWN", "Share", "as_pieces", "joined_share", "pack_sums", "sum_row"]

#: The kind of a piece that has all sums of a key in `sums`.
OWN = "own"
_PIECES = {
    "what": "string",
    "key": "string",
    "item": "string",
    "papers": "long",
    "order": "array<string>",
    "sums": "binary",
}


class Share(NamedTuple):
    """The keys of a share: their sums, their joins, and rows of other kinds that were added to it."""

    sums: Tally
    joins: Joins
    others: list[Sum]


def pack_sums(sums: Iterable[Sum]) -> bytes:
    """Sums of one key as the bytes of its own piece."""
    return orjson.dumps([(row.what, row.item, tuple(row.counts)) for row in sums])


def as_pieces(what: str, table: DataFrame) -> DataFrame:
    """Rows with some of the columns of pieces, and perhaps a component, as pieces of a kind."""
    from pyspark.sql import functions as f

    given = {"what": f.lit(what)} | {name: f.col(name) for name in table.columns}
    columns = [given.pop(name, f.lit(None)).cast(kind).alias(name) for name, kind in _PIECES.items()]
    return table.select(*columns, *given.values())


def joined_share(rules: Rules, rows: Iterable[Row], *, before_acronyms: bool = False) -> Share:
    """The sums and joins of a share's rows: all joins, or those that need no acronym."""
    sums = Tally()
    pairs: dict[str, list[Pair]] = {"near": [], "expanded": []}
    others: list[Sum] = []
    for row in rows:
        what, key, item = row["what"], row["key"], row["item"] or ""
        if what == OWN:
            for own, part, counts in orjson.loads(row["sums"]):
                sums.put(Sum(own, key, part, Usage(*counts)))
        elif what in pairs:
            pairs[what].append(Pair(tuple(row["order"]), key, item))
        else:
            one = Sum(what, key, item, Usage(row["papers"] or 0, 0, 0))
            if hasattr(sums, what):
                sums.put(one)
            else:
                others.append(one)
    joins = join_forms(sums, seed_vocabulary(), rules)
    if not before_acronyms:
        join_pairs(joins, pairs["near"], "long-form")
        join_acronyms(joins, sums, seed_vocabulary())
        join_pairs(joins, pairs["expanded"], "acronym-inside")
    return Share(sums, joins, others)


def sum_row(row: Row) -> Sum:
    """A row of a table as a row of a tally."""
    return Sum(row["what"], row["key"], row["item"], Usage(row["papers"], row["mentions"], row["running"]))
