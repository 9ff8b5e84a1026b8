"""The five tables of a graph, on Spark: what `kg.exports.tables` gives of the graph in memory, row for row.

Each paper meets the names of its concepts and gives its rows (`kg.page`); what several papers give is counted
up: edges over their evidence, concepts over the papers that use them, spellings over how often they are
written. No task need hold all papers of a concept: names are joined to slim rows (paper, concept), which
Spark parts where one name has very many, and sums are made in parts before they meet.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import orjson

from kg.assemble import commonest, repository_node, spelled_node
from kg.corrections import correct
from kg.naming import Name, Naming
from kg.page import Page, PaperRows, mention_rows
from kg.records import pair_of
from kg.rules import Rules
from kg.schema import ConceptType
from kg.spark.naming import Named, name_corpus
from kg.spark.rows import Row, map_rows, map_shares, saved, set_partitions
from kg.tally import paper_groups

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from kg.spark.storage import Folder

__all__ = ["Built", "build_tables"]

_ENDS = ("source", "target", "type")
_EVIDENCE = (
    "paper string, sentence string, start long, end long, score double, extractor string, read_as string"
)
_ITEM = "struct<{}>".format(", ".join(part.replace(" ", ": ", 1) for part in _EVIDENCE.split(", ")))
_ROWS = (
    "what string, source string, target string, type string, paper string, sentence string, start long, "
    f"end long, score double, role string, item string, evidence array<{_ITEM}>"
)
_NODE = (
    "type string, name string, abstract string, aliases array<string>, arxiv_id string, "
    "code_status string, doi string, host string, label string, owner string, papers long, "
    "source_ids array<string>, status string, title string, url string, venue string, year long"
)
_NODES = f"id string, {_NODE}"
#: Columns of nodes that are there only if some node has them.
_OF_PAPERS = ("abstract", "arxiv_id", "code_status", "doi", "label", "source_ids", "title", "venue", "year")
_OF_CONCEPTS = ("aliases", "papers")
_OF_REPOSITORIES = ("host", "owner")


@dataclass(frozen=True)
class Built:
    """The tables by name; and nodes, and edges with their evidence as lists, as they are saved."""

    tables: Mapping[str, DataFrame]
    nodes: DataFrame
    edges: DataFrame


def build_tables(records: DataFrame, rules: Rules, work: Folder) -> Built:
    """The tables of the graph of some papers: nodes, edges, evidence, mentions, merges.

    Columns, types and rows are those that `kg export --format parquet` writes of the graph in memory; rows
    are in no order.

    Args:
        records: columns `id`, `paper` and `extraction` (`kg.records`), one row a distinct paper.
        rules: what the user says of names and papers.
        work: a folder for what is computed once; it must stay until the tables are written.
    """
    papers = records.count()
    set_partitions(records.sparkSession, papers)
    named = name_corpus(records, papers, rules, work)
    pages = map_rows(_called(records, named, work), partial(_page_rows, rules), _ROWS)
    rows = saved(pages, work / "rows", by="what")
    edges = saved(_edges(rows), work / "edges")
    nodes = _told_nodes(saved(_nodes(rows, named), work / "nodes"))
    tables = {
        "nodes": nodes,
        "edges": _told_only(edges.drop("evidence"), {name: name for name in ("papers", "role", "score")}),
        "evidence": _evidence(edges),
        "mentions": _mentions(rows),
        "merges": named.merges,
    }
    return Built(tables, nodes, edges)


def _called(records: DataFrame, named: Named, work: Folder) -> DataFrame:
    """The records with the names of their groups and the families that these lead to."""
    from pyspark.sql import functions as f

    concepts = named.concepts.select(
        f.col("key").alias("concept"), f.col("id").alias("concept_id"), "name", "type"
    )
    concepts = concepts.join(_lineages(named, work), "concept", "left")
    told = named.groups.join(concepts, "concept", "left")
    each = f.struct("place", "concept", "concept_id", "name", "type", "lineage")
    called = told.groupBy("id").agg(f.collect_list(each).alias("called"))
    return records.select("id", "paper", "extraction").join(called, "id", "left")


def _lineages(named: Named, work: Folder) -> DataFrame:
    """The steps from each version to its families, as far as papers that write it bear them out."""
    from pyspark.sql import functions as f

    ids = named.concepts.select("key", "id")
    parents = named.parents.join(
        ids.select(f.col("key").alias("child"), f.col("id").alias("child_id")), "child"
    )
    parents = parents.join(ids.select(f.col("key").alias("parent"), f.col("id").alias("parent_id")), "parent")
    first = parents.select(f.col("child").alias("concept"), f.lit(0).alias("at"), *parents.columns)
    steps = step = saved(first, work / "lineage-0")
    following = step.select(*(f.col(name).alias(f"next_{name}") for name in parents.columns))
    for turn in count(1):
        step = saved(_next_step(step, following), work / f"lineage-{turn}")
        if step.isEmpty():
            break
        steps = steps.unionByName(step)
    each = f.struct("at", "child", "child_id", "parent", "parent_id")
    return steps.groupBy("concept").agg(f.sort_array(f.collect_list(each)).alias("lineage"))


def _next_step(step: DataFrame, following: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    found = step.where("made").join(following, f.col("parent") == f.col("next_child"))
    columns = [f.col(name).alias(name.removeprefix("next_")) for name in following.columns]
    return found.select("concept", (f.col("at") + 1).alias("at"), *columns)


def _page_rows(rules: Rules, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of each paper."""
    for row in rows:
        paper, extraction = pair_of(row["paper"], row["extraction"])
        corrected = correct(paper, extraction, rules)
        groups = paper_groups(corrected.extraction, rules)
        called = sorted(row["called"] or (), key=lambda item: item["place"])
        keys = [item["concept"] for item in called]
        naming = _naming(called)
        page = Page(row["id"], paper, corrected, rules)
        yield from _told(page.rows(groups, keys, naming))
        for mention in mention_rows(row["id"], corrected.extraction, naming.called(groups, keys)):
            yield {
                "what": "mention",
                **{name: mention[name] for name in ("paper", "start", "end", "type", "score")},
                "source": mention["concept"],
                "sentence": mention["text"],
            }


def _naming(called: Iterable[Row]) -> Naming:
    """The naming of a corpus as far as one paper needs it."""
    names: dict[str, Name] = {}
    steps: dict[str, str] = {}
    made: set[str] = set()
    for item in called:
        lineage = item["lineage"] or ()
        for step in lineage:
            steps[step["child"]] = step["parent"]
            for end in ("child", "parent"):
                names.setdefault(step[end], Name(step[f"{end}_id"], "", ConceptType.TERM, ()))
        made |= {step["child"] for step in lineage[1:]}
    for item in called:
        if item["concept_id"] is not None:
            kind = ConceptType(item["type"])
            names[item["concept"]] = Name(item["concept_id"], item["name"], kind, ())
    return Naming(names, {}, (), steps, frozenset(made))


def _told(rows: PaperRows) -> Iterator[Row]:
    """What a paper gives to the graph, as rows of one table."""
    yield {"what": "paper", "source": rows.id, "item": orjson.dumps(rows.node).decode()}
    for edge, evidence in rows.edges.items():
        source, target, relation = edge
        role = rows.codes[edge].value if edge in rows.codes else None
        yield {
            "what": "own" if rows.id in (source, target) else "shared",
            "source": source,
            "target": target,
            "type": relation,
            "role": role,
            "evidence": evidence,
        }
    yield from ({"what": "concept", "source": key, "start": 1} for key in sorted(rows.concepts))
    yield from ({"what": "concept", "source": key, "start": 0} for key in sorted(rows.families))
    for node, spelling in rows.spellings:
        yield {"what": "spelling", "source": node, "item": spelling}
    for node, link in rows.links:
        yield {"what": "link", "source": node, "item": orjson.dumps(link).decode()}


def _edges(rows: DataFrame) -> DataFrame:
    """Edges with their evidence: those of a paper as it gives them, others over the papers that have them."""
    from pyspark.sql import functions as f

    columns = [*_ENDS, "role", "evidence"]
    own = rows.where("what = 'own'").select(*columns)
    shared = rows.where("what = 'shared'").groupBy(*_ENDS)
    together = f.flatten(f.collect_list("evidence")).alias("evidence")
    edges = own.unionByName(shared.agg(f.max("role").alias("role"), together))
    papers = f.size(f.array_distinct(f.col("evidence.paper"))).cast("long")
    return edges.select(
        *_ENDS,
        f.nullif(papers, f.lit(0)).alias("papers"),
        "role",
        f.array_max(f.col("evidence.score")).alias("score"),
        "evidence",
    )


def _evidence(edges: DataFrame) -> DataFrame:
    """The sentences that show the edges."""
    from pyspark.sql import functions as f

    evidence = edges.select(*_ENDS, f.explode("evidence").alias("item")).select(*_ENDS, "item.*")
    read_as = edges.where(f.exists("evidence", lambda item: item["read_as"].isNotNull()))
    return evidence.drop("read_as") if read_as.isEmpty() else evidence


def _mentions(rows: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    return rows.where("what = 'mention'").select(
        "paper",
        f.col("source").alias("concept"),
        "start",
        "end",
        f.col("sentence").alias("text"),
        "type",
        "score",
    )


def _nodes(rows: DataFrame, named: Named) -> DataFrame:
    """Papers, concepts, repositories, authors and venues."""
    from pyspark.sql import functions as f

    papers = rows.where("what = 'paper'").select("source", f.from_json("item", _NODE).alias("node"))
    papers = papers.select(f.col("source").alias("id"), "node.*")
    used = rows.where("what = 'concept'").groupBy("source").agg(f.sum("start").alias("papers"))
    concepts = named.concepts.join(used.withColumnRenamed("source", "key"), "key").drop("key")
    written = rows.where("what in ('spelling', 'link')").groupBy(f.col("source").alias("id"), "what", "item")
    counted = written.agg(f.count("*").alias("papers"))
    tasks = max(2, rows.sparkSession.sparkContext.defaultParallelism)
    others = map_shares(counted, "id", 4 * tasks, _counted_nodes, _NODES)
    return papers.unionByName(concepts, allowMissingColumns=True).unionByName(others)


def _told_nodes(nodes: DataFrame) -> DataFrame:
    shown = dict.fromkeys(_OF_PAPERS, "label") | dict.fromkeys(_OF_CONCEPTS, "aliases")
    shown |= dict.fromkeys(_OF_REPOSITORIES, "host") | {"status": "status", "url": "coalesce(label, host)"}
    return _told_only(nodes, shown)


def _told_only(table: DataFrame, shown: Mapping[str, str]) -> DataFrame:
    """The table without columns that no row speaks of.

    Args:
        table: the rows.
        shown: by column, what is not null in the rows that have it.
    """
    from pyspark.sql import functions as f

    tests = {name: f.max(f.expr(test).isNotNull()).alias(name) for name, test in shown.items()}
    found = table.agg(*tests.values()).first()
    return table.drop(*(name for name in tests if found is None or not found[name]))


def _counted_nodes(rows: Iterable[Row]) -> Iterator[Row]:
    """The nodes of repositories, authors and venues, as they are written most."""
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    links: dict[str, Counter[tuple[str, str, str, str]]] = defaultdict(Counter)
    for row in rows:
        if row["what"] == "link":
            url, host, owner, name = orjson.loads(row["item"])
            links[row["id"]][url, host, owner, name] += row["papers"]
        else:
            spellings[row["id"]][row["item"]] += row["papers"]
    for node, found in links.items():
        yield {"id": node, **repository_node(commonest(found))}
    for node, written in spellings.items():
        yield {"id": node, **spelled_node(node, commonest(written))}
