"""What keys of a corpus are joined to and what each concept is called, on Spark: `kg.naming.Namer` decides.

Each share of keys is opened once. It says what every key is joined to and how every concept is shown; only
the concepts that acronyms turn out to mean in some papers (`kg.spark.meaning`) are shown a second time, with
those forms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from extractors.batches import in_batches
from kg.display import Speller, count_words
from kg.naming import Namer
from kg.rules import Rules
from kg.spark.keys import Joined
from kg.spark.pieces import Share, as_pieces, joined_share, sum_row
from kg.spark.rows import Row, map_rows, map_shares, saved
from kg.tally import Tally
from kg.vocabulary import Vocabulary, seed_vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["Decided", "decide", "show"]

_ROOT, _CONCEPT = "root", "concept"
_DECIDED = (
    "what string, key string, root string, type string, name string, papers long, aliases array<string>, "
    "merges array<struct<alias: string, rule: string, support: long>>"
)
_SHOWN = ("key", "name", "type", "papers", "aliases", "merges")
_WORDS = "word string, count long"
#: Forms whose words Python counts together.
_FORMS = 10_000


@dataclass(frozen=True)
class Decided:
    """What is known of keys before papers are asked what their acronyms mean.

    `roots` has the concept of each key and the concept's type (`key`, `root`, `kind`), `concepts` what each
    is called if no paper means it by an acronym that it does not define; `pieces` what the shares hold.
    """

    roots: DataFrame
    concepts: DataFrame
    pieces: DataFrame


def decide(sums: DataFrame, joined: Joined, rules: Rules, work: Folder) -> Decided:
    """What each key is joined to, and what each concept is called by itself.

    Args:
        sums: the sums of the corpus.
        joined: what may be joined.
        rules: what the user says.
        work: a folder for what is computed once.
    """
    from pyspark.sql import functions as f

    pieces = saved(joined.pieces.unionByName(_words(sums, joined)), work / "pieces")
    found = map_shares(pieces, "component", joined.shares, partial(_decided, rules), _DECIDED)
    found = saved(found, work / "decided", by="what")
    roots = found.where(f.col("what") == _ROOT).select("key", "root", f.col("type").alias("kind"))
    return Decided(roots, found.where(f.col("what") == _CONCEPT).select(*_SHOWN), pieces)


def show(resolved: DataFrame, decided: Decided, joined: Joined, rules: Rules, work: Folder) -> DataFrame:
    """The concepts that papers use, each with its name and its lines of the ledger.

    Args:
        resolved: the concept of each group of each paper (`kg.spark.meaning.resolved_groups`).
        decided: what is known of keys.
        joined: what may be joined.
        rules: what the user says.
        work: a folder for what is computed once.
    """
    from pyspark.sql import functions as f

    told = resolved.where("concept <> root").select(
        f.col("concept").alias("key"), f.explode("forms").alias("item")
    )
    told = saved(told.groupBy("key", "item").agg(f.count("*").alias("papers")), work / "told")
    added = as_pieces("resolved", told).join(joined.places, "key")
    whole = decided.pieces.join(added.select("component").distinct(), "component", "left_semi")
    both = whole.unionByName(added)
    again = map_shares(both, "component", joined.shares, partial(_shown_again, rules), _DECIDED)
    alone = decided.concepts.join(told.select("key").distinct(), "key", "left_anti")
    used = resolved.select(f.col("concept").alias("key")).distinct()
    return saved(alone.unionByName(again.select(*_SHOWN)).join(used, "key", "left_semi"), work / "shown")


def _words(sums: DataFrame, joined: Joined) -> DataFrame:
    """How often the words are written that decide how a concept is shown, beside its component."""
    from pyspark.sql import functions as f

    words = joined.names.select("key", f.explode("words").alias("word")).join(joined.places, "key")
    words = words.select("component", "word").distinct().join(_counted_words(sums), "word")
    words = words.select("component", f.col("word").alias("key"), f.col("count").alias("papers"))
    return as_pieces("word", words)


def _counted_words(sums: DataFrame) -> DataFrame:
    """How often words are written inside sentences, by the corpus and the vocabulary."""
    from pyspark.sql import functions as f

    written = map_rows(sums.where("what = 'forms' and running > 0"), _word_rows, _WORDS)
    known = count_words(Tally(), seed_vocabulary())
    listed = sums.sparkSession.createDataFrame(sorted(known.items()), _WORDS)
    return written.unionByName(listed).groupBy("word").agg(f.sum("count").alias("count"))


def _word_rows(rows: Iterable[Row]) -> Iterator[Row]:
    nothing = Vocabulary((), {})
    for batch in in_batches(rows, _FORMS):
        sums = Tally()
        for row in batch:
            sums.put(sum_row(row))
        for word, count in count_words(sums, nothing).items():
            yield {"word": word, "count": count}


def _decided(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of a share's keys and of its concepts."""
    share = joined_share(rules, rows)
    joins = share.joins
    namer = _namer(share, rules)
    roots = {key: joins.root(key) for key in joins.types}
    for key, root in roots.items():
        yield {"what": _ROOT, "key": key, "root": root, "type": joins.types[root].value}
    for key in set(roots.values()) - namer.dropped():
        yield _shown(namer, key, {})


def _shown_again(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """The concepts of a share that acronyms mean in some papers."""
    share = joined_share(rules, rows)
    namer = _namer(share, rules)
    resolved: dict[str, dict[str, int]] = defaultdict(dict)
    for row in share.others:
        if row.what == "resolved":
            resolved[row.key][row.item] = row.counts.papers
    for key in resolved.keys() - namer.dropped():
        yield _shown(namer, key, resolved[key])


def _namer(share: Share, rules: Rules) -> Namer:
    words = {row.key: row.counts.papers for row in share.others if row.what == "word"}
    speller = Speller(share.sums, share.joins, seed_vocabulary(), rules, words)
    return Namer(share.sums, share.joins, speller, rules)


def _shown(namer: Namer, key: str, resolved: dict[str, int]) -> Row:
    shown = namer.show(key, resolved)
    return {
        "what": _CONCEPT,
        "key": key,
        "type": shown.member.type.value,
        "name": shown.member.name,
        "papers": shown.member.papers,
        "aliases": list(shown.aliases),
        "merges": [{"alias": form, "rule": rule, "support": papers} for form, rule, papers in shown.rows],
    }
