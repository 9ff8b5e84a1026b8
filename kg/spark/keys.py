"""Which keys of a corpus are one concept, where no machine holds all keys.

The functions that decide are those of `kg.merging`. They are called on *shares* of the keys: a share holds
whole components, and no stage can join keys of two components. What may join is therefore found first, as
edges, and `connected` brings it together:

- a key and the keys that its own letters lead to (`kin`): the name without its head, the other case;
- what the vocabulary lists and what the user's rules name;
- nearly equal long forms of one acronym, which are computed first, acronym by acronym (`near_forms`);
- an acronym and a long form that outweighs all its others `DOMINANCE` times: no other can be joined with it;
- a name and the same name with an acronym written out (`expansions`).

So an acronym of many meanings ties none of them together. What bounds a component, whatever the number of
papers, are the heads that a name can have, the near spellings of one long form, the acronyms that nearly
always mean it, and the ways to write those inside longer names; of a definition across two components only
its sum stays (`ELSEWHERE`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from kg.display import title_words
from kg.folding import CASED
from kg.heads import loose_key
from kg.merging import (
    DOMINANCE,
    ELSEWHERE,
    Joins,
    acronym_places,
    kin,
    near_forms,
    written_out,
)
from kg.rules import Rules
from kg.schema import ConceptType
from kg.spark.components import connected
from kg.spark.pieces import OWN, as_pieces, joined_share, pack_sums, sum_row
from kg.spark.rows import Row, map_rows, map_shares, saved
from kg.tally import Row as Sum
from kg.tally import Tally, Usage
from kg.vocabulary import seed_vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["Joined", "join_corpus"]

_PAIRS = "order array<string>, key string, target string"
_NAMES = (
    "key string, name string, stem string, proper boolean, kin array<string>, words array<string>, "
    "places array<struct<place: int, short: string>>, sums binary"
)
_ROOTS = "key string, root string, kind string"
#: Keys that one call of Python gets together.
_SHARE = 20_000
#: The sums of a key that joins and names need, but for definitions.
_KEPT = ("votes", "forms", "local", "papers", "proposed")


@dataclass(frozen=True)
class Joined:
    """The joins of a corpus.

    `names` has each key's sums, its commonest form and what follows from its letters, `places` its component,
    `pieces` what the `shares` of `joined_share` hold, each with its `component`; they are not computed yet.
    """

    names: DataFrame
    places: DataFrame
    pieces: DataFrame
    shares: int


def join_corpus(sums: DataFrame, rules: Rules, work: Folder) -> Joined:
    """Joins the keys of a corpus.

    Args:
        sums: the sums of the corpus: `what`, `key`, `item`, `papers`, `mentions`, `running` (`kg.tally.Row`).
        rules: what the user says.
        work: a folder for what is computed once.
    """
    count = sums.where("what = 'forms'").select("key").distinct().count()
    stage = _Stages(sums, rules, work, -(-max(count, 1) // _SHARE))
    names = stage.names()
    defined = saved(stage.definitions(), work / "definitions")
    first = connected(stage.own_edges(names, defined), work / "own")
    near = stage.near(names, defined, first)
    second = connected(_stars(first).unionByName(_edges(near)), work / "near-forms")
    third = connected(_stars(second).unionByName(_dominant(defined, second)), work / "acronyms")
    some = stage.pieces(names, defined, third, near, among=_placed(third))
    expanded = stage.expanded(names, stage.roots(some, "roots-of-acronyms"))
    last = connected(_stars(third).unionByName(_edges(expanded)), work / "components")
    places = _complete(names.select("key").join(_placed(last), "key", "left"))
    return Joined(names, places, stage.pieces(names, defined, last, near, expanded), stage.shares)


@dataclass(frozen=True)
class _Stages:
    """What every stage needs."""

    sums: DataFrame
    rules: Rules
    work: Folder
    shares: int

    def names(self) -> DataFrame:
        """The sums of each key, and what its own forms say."""
        from pyspark.sql import functions as f

        kept = self.sums.where(f.col("what").isin(*_KEPT))
        found = map_shares(kept, "key", self.shares, partial(_named, self.rules), _NAMES)
        return saved(found, self.work / "names")

    def definitions(self) -> DataFrame:
        """How many papers define an acronym by a long form: short, long, papers."""
        from pyspark.sql import functions as f

        rows = self.sums.where("what = 'definitions'")
        return rows.select(f.col("key").alias("short"), f.col("item").alias("long"), "papers")

    def own_edges(self, names: DataFrame, defined: DataFrame) -> DataFrame:
        """What may be joined before acronyms are, and what votes on its type together."""
        from pyspark.sql import functions as f

        keys = names.select(f.col("key").alias("other"))
        own = names.select(f.col("key").alias("one"), f.explode("kin").alias("other"))
        told = names.sparkSession.createDataFrame(list(_listed(self.rules)), "one string, other string")
        longs = defined.groupBy("short").agg(f.count("long").alias("longs"), f.first("long").alias("other"))
        sole = longs.where("longs = 1").select(f.col("short").alias("one"), "other")
        return own.unionByName(told).join(keys, "other", "left_semi").unionByName(sole).select("one", "other")

    def near(self, names: DataFrame, defined: DataFrame, components: DataFrame) -> DataFrame:
        """The nearly equal long forms of each acronym, as pairs."""
        from pyspark.sql import functions as f

        some = self.pieces(names, defined, components, among=_concerned(defined, components))
        roots = self.roots(some, "roots-of-forms", before_acronyms=True)
        papers = self.sums.where("what = 'papers'").select("key", f.col("papers").alias("seen"))
        shorts = roots.select(f.col("key").alias("short"), f.col("root").alias("short_root"))
        longs = roots.select(f.col("key").alias("long"), f.col("root").alias("key"), "kind")
        pairs = defined.join(shorts, "short").join(longs, "long").where("short_root <> key")
        meant = pairs.groupBy("short_root", "key", "kind").agg(f.sum("papers").alias("papers"))
        several = meant.groupBy("short_root").count().where("count > 1").select("short_root")
        told = meant.join(several, "short_root", "left_semi").join(names.select("key", "name"), "key")
        told = told.join(papers, "key", "left")
        return saved(map_shares(told, "short_root", self.shares, _near, _PAIRS), self.work / "near")

    def expanded(self, names: DataFrame, roots: DataFrame) -> DataFrame:
        """Names that differ in an acronym written out, as pairs."""
        from pyspark.sql import functions as f

        inside = names.select("key", "name", f.explode("places").alias("at"))
        inside = inside.select("key", "name", "at.place", "at.short")
        short = roots.where("key <> root").select(f.col("key").alias("short"), "root")
        long = roots.join(names.select("key", f.col("name").alias("long_name")), "key")
        long = long.select("root", f.col("key").alias("long"), "long_name")
        meant = inside.join(short, "short").join(long, "root")
        pairs = map_rows(meant, partial(_written, self.rules), _PAIRS)
        keys = names.select(f.col("key").alias("target"))
        there = pairs.where("key <> target").join(keys, "target", "left_semi")
        return saved(there.select("order", "key", "target"), self.work / "expanded")

    def pieces(
        self,
        names: DataFrame,
        defined: DataFrame,
        components: DataFrame,
        *pairs: DataFrame,
        among: DataFrame | None = None,
    ) -> DataFrame:
        """What the shares hold: sums and pairs, each with its component.

        Of definitions, those across components are summed up; `pairs` are those of near forms and of
        expansions. `among` has the keys, with their components, that alone are wanted.
        """
        from pyspark.sql import functions as f

        rows = as_pieces(OWN, names.select("key", "sums"))
        rows = rows.unionByName(as_pieces("definitions", _within(defined, components)))
        rows = rows.unionByName(as_pieces("activities", _activities(names, defined)))
        for what, table in zip(("near", "expanded"), pairs, strict=False):
            rows = rows.unionByName(
                as_pieces(what, table.select("key", f.col("target").alias("item"), "order"))
            )
        if among is not None:
            return rows.join(among, "key")
        return _complete(rows.join(_placed(components), "key", "left"))

    def roots(self, pieces: DataFrame, name: str, *, before_acronyms: bool = False) -> DataFrame:
        """The concept of each key as far as it is known by then, kept under a name."""
        rooted = partial(_rooted, self.rules, before_acronyms)
        return saved(map_shares(pieces, "component", self.shares, rooted, _ROOTS), self.work / name)


def _rooted(rules: Rules, before_acronyms: bool, rows: Iterable[Row]) -> Iterator[Row]:
    joins = joined_share(rules, rows, before_acronyms=before_acronyms).joins
    for key in joins.types:
        root = joins.root(key)
        yield {"key": key, "root": root, "kind": joins.types[root].value}


def _named(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    sums = Tally()
    own: dict[str, list[Sum]] = defaultdict(list)
    for row in map(sum_row, rows):
        own[row.key].append(row)
        if row.what == "forms":
            sums.put(row)
    for key, forms in sums.forms.items():
        name = sums.commonest(key)
        one = Tally(forms={key: forms})
        yield {
            "key": key,
            "name": name,
            "stem": loose_key(name),
            "proper": sums.proper(key),
            "kin": sorted(kin(key, name, rules)),
            "words": sorted(title_words(one)),
            "places": [{"place": index, "short": short} for index, short in acronym_places(name, rules)],
            "sums": pack_sums(own[key]),
        }


def _near(rows: Iterable[Row]) -> Iterator[Row]:
    sums = Tally()
    types: dict[str, ConceptType] = {}
    for row in rows:
        key = row["key"]
        sums.definitions[row["short_root"]][key] += row["papers"]
        sums.forms[key][row["name"]] = Usage(1, 1, 1)
        sums.papers[key] = row["seen"] or 0
        types[key] = ConceptType(row["kind"])
    for order, key, target in near_forms(Joins(types, Rules()), sums):
        yield {"order": list(order), "key": key, "target": target}


def _written(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        written = written_out(row["name"], row["place"], row["long_name"], rules)
        order = [row["key"], f"{row['place']:09}", row["long"]]
        yield {"order": order, "key": row["key"], "target": written}


def _listed(rules: Rules) -> Iterator[tuple[str, str]]:
    """Edges from a node of its own to each key, in either case, that a rule or an entry names."""
    for index, entry in enumerate(seed_vocabulary().entries):
        for key in (entry.key, *entry.aliases):
            yield from ((f"\0vocabulary {index}", form) for form in _cases(key))
    for index, names in enumerate((*rules.same, *rules.different)):
        for name in names:
            yield from ((f"\0rule {index}", form) for form in _cases(rules.key(name)))


def _cases(key: str) -> tuple[str, str]:
    plain = key.removesuffix(CASED)
    return plain, plain + CASED


def _dominant(defined: DataFrame, components: DataFrame) -> DataFrame:
    """Edges between acronyms and the component of long forms that outweighs all others."""
    from pyspark.sql import functions as f

    short, long = (
        components.select(f.col("node").alias(name), f.col("component").alias(f"{name}_component"))
        for name in ("short", "long")
    )
    placed = defined.join(short, "short", "left").join(long, "long", "left")
    placed = placed.withColumn("there", f.coalesce("long_component", "long"))
    placed = placed.where(f.coalesce("short_component", "short") != f.col("there"))
    total = placed.groupBy("short").agg(f.sum("papers").alias("all"))
    sums = placed.groupBy("short", "there").agg(f.sum("papers").alias("papers"))
    clear = sums.join(total, "short").where(f.col("papers") >= DOMINANCE * (f.col("all") - f.col("papers")))
    return clear.select(f.col("short").alias("one"), f.col("there").alias("other"))


def _placed(components: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return components.select(f.col("node").alias("key"), "component")


def _complete(placed: DataFrame) -> DataFrame:
    """Makes a component of each key that is in none."""
    from pyspark.sql import functions as f

    return placed.withColumn("component", f.coalesce("component", "key"))


def _concerned(defined: DataFrame, components: DataFrame) -> DataFrame:
    """The keys of all components that an acronym or a long form is in."""
    from pyspark.sql import functions as f

    keys = defined.select(f.explode(f.array("short", "long")).alias("key")).distinct()
    placed = _complete(keys.join(_placed(components), "key", "left"))
    beside = _placed(components).join(placed.select("component"), "component", "left_semi")
    return placed.unionByName(beside).distinct()


def _within(defined: DataFrame, components: DataFrame) -> DataFrame:
    """The definitions of each key; those across components are summed up."""
    from pyspark.sql import functions as f

    short, long = (
        components.select(f.col("node").alias(name), f.col("component").alias(f"{name}_component"))
        for name in ("short", "long")
    )
    placed = defined.join(short, "short", "left").join(long, "long", "left")
    inside = f.coalesce("short_component", "short") == f.coalesce("long_component", "long")
    item = f.when(inside, f.col("long")).otherwise(f.lit(ELSEWHERE))
    summed = placed.groupBy(f.col("short").alias("key"), item.alias("item"))
    return summed.agg(f.sum("papers").alias("papers"))


def _activities(names: DataFrame, defined: DataFrame) -> DataFrame:
    """The acronyms of activities, each with a long form that ends in "-ing"."""
    from pyspark.sql import functions as f

    doing = defined.join(names.select(f.col("key").alias("long"), "name"), "long")
    doing = doing.where(f.col("name").endswith("ing")).select(f.col("short").alias("key"), "name")
    return doing.groupBy("key").agg(f.min("name").alias("item"))


def _stars(components: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return components.select(f.col("node").alias("one"), f.col("component").alias("other"))


def _edges(pairs: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return pairs.select(f.col("key").alias("one"), f.col("target").alias("other"))
