"""The import set for `neo4j-admin database import full`, written on a cluster from the tables of a graph.

What stands in it and how is said in `kg.exports.neo4j_admin`. Here a label or a type has a folder of part
files, which `import.sh` names by a pattern, and the texts with line breaks are put back by the scripts of the
folder `breaks`, after `finish.cypher`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, reduce
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from cypher import schema
from kg.errors import ExportError
from kg.exports.admin_rows import (
    NO_SIGN,
    NODE_ENDS,
    RELATION_ENDS,
    about,
    delimiter,
    has_break,
    header,
    script,
)
from kg.exports.cypher_script import edge_statements, node_statements
from kg.flat import (
    EVIDENCE,
    LABELS,
    RELATIONS,
    EdgeKind,
    common_kind,
    edge_properties,
    kind_of,
    label_names,
    node_properties,
)
from kg.flat import properties as named_properties
from kg.spark.lines import FACTS, Facts, Layout, place_of, write_lines
from kg.spark.rows import map_rows
from kg.spark.storage import Folder

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

__all__ = ["write_import_set"]

_NODES, _EDGES = "nodes", "relationships"
_BREAKS = "breaks"
_BREAK = r"[\r\n]"
_BATCH = 256
#: What the kinds of Spark are called in a header.
_KINDS = {
    "array<string>": "string[]",
    "bigint": "long",
    "boolean": "boolean",
    "double": "double",
    "string": "string",
}
_MORE = """
5. Run `cat breaks/*/part-* | cypher-shell -u neo4j`, which puts those line breaks back; `finish.cypher` does
   not.
"""

_Rows: TypeAlias = "Iterator[dict[str, Any]]"


def write_import_set(
    nodes: DataFrame, edges: DataFrame, folder: Folder, *, counts: Mapping[str, int]
) -> None:
    """Writes the set.

    Args:
        nodes: the table `nodes`, saved: it is read several times.
        edges: the table `edges`, saved, each edge with its `evidence` as a list.
        folder: where to; what is there is replaced.
        counts: the rows of each table.

    Raises:
        ExportError: the texts hold every sign that could divide lists, or an id holds a line break.
    """
    folder.delete()
    layouts = _layouts(nodes, edges)
    facts = Facts()
    for table, layout in zip((nodes, edges), layouts, strict=True):
        facts.add(_write_lines(table, layout, folder))
    tables = {f"{layout.kind}-{kind}": found for layout in layouts for kind, found in layout.tables.items()}
    for name, columns in tables.items():
        ends = NODE_ENDS if name.startswith(f"{_NODES}-") else RELATION_ENDS
        (folder / f"{name}-header.csv").write(f"{header(ends, columns)}\n".encode())
    text = script(map(_option, _sorted(tables)), layouts[0].sign, facts.longest)
    (folder / "import.sh").write(text.encode())
    (folder / "finish.cypher").write("".join(f"{statement};\n" for statement in schema()).encode())
    if facts.broken:
        _write_breaks(nodes, edges, folder / _BREAKS)
    told = about(nodes=counts["nodes"], edges=counts["edges"], broken=facts.broken)
    (folder / "README.md").write((told + (_MORE if facts.broken else "")).encode())


def _layouts(nodes: DataFrame, edges: DataFrame) -> tuple[Layout, Layout]:
    """What has to be known of all rows before the first is written: Spark says it without Python."""
    from pyspark.sql import functions as f

    broken = nodes.where(f.col("id").rlike(_BREAK)).select("id").first()
    if broken is not None:
        raise ExportError(f"the id {broken.id!r} holds a line break, which neo4j-admin cannot import")
    sign = delimiter(_signs(nodes, edges))
    own, linked = nodes.drop("id"), edges.drop("source", "target")
    return (
        Layout(_NODES, ("id",), _columns(own, {"collections": "string[]"}), _sources(own), sign),
        Layout(
            _EDGES, ("source", "target"), _columns(linked, {"collection": "string"}), _sources(linked), sign
        ),
    )


def _signs(nodes: DataFrame, edges: DataFrame) -> set[str]:
    """The signs that could divide lists and that items of lists hold."""
    from pyspark.sql import functions as f

    listed = [nodes.select(f.array_join(name, "").alias("texts")) for name in _lists(nodes)]
    listed += [
        edges.select(f.array_join(f"evidence.{name}", "").alias("texts"))
        for name in ("sentence", "paper", "extractor")
    ]
    texts = reduce(lambda one, other: one.unionByName(other), listed)
    used = texts.select(f.regexp_replace("texts", NO_SIGN, "").alias("signs")).distinct()
    return {sign for row in used.toLocalIterator() for sign in row.signs or ""}


def _lists(table: DataFrame) -> list[str]:
    return [name for name, kind in table.dtypes if kind == "array<string>"]


def _sources(table: DataFrame) -> dict[str, list[str]]:
    """The properties that columns become, each with its columns."""
    found: dict[str, list[str]] = {}
    for name in sorted(set(table.columns) - {"type", "evidence"}):
        for column in named_properties({name: 0}):
            found.setdefault(column, []).append(name)
    return found


def _columns(table: DataFrame, added: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The columns that the lines of each type have, with their kinds.

    Args:
        table: the rows.
        added: columns that all lines get.
    """
    types = {name: _KINDS[kind] for name, kind in table.dtypes if kind in _KINDS}
    kinds = {name: {types[column] for column in columns} for name, columns in _sources(table).items()}
    of_evidence = {name: {f"{kind_of(default)}[]"} for name, (_, default) in EVIDENCE.items()}
    found: dict[str, dict[str, str]] = {}
    for row in table.groupBy("type").agg(*_tests(table)).collect():
        held = {name: set(kinds[name]) for name in kinds if row[name]}
        if row.asDict().get("evidence"):
            held |= of_evidence
        held |= {name: {kind} for name, kind in added.items()}
        found[row.type] = {name: common_kind(held[name]) for name in sorted(held)}
    return found


def _tests(table: DataFrame) -> Iterator[Column]:
    """Of each property, whether some row has it."""
    from pyspark.sql import Column
    from pyspark.sql import functions as f

    lists = _lists(table)

    def said(name: str) -> Column:
        return f.size(f.array_remove(f.array_compact(name), "")) > 0 if name in lists else f.isnotnull(name)

    for name, columns in _sources(table).items():
        yield f.max(reduce(Column.__or__, map(said, columns))).alias(name)
    if "evidence" in table.columns:
        yield f.max(f.size("evidence") > 0).alias("evidence")


def _write_lines(table: DataFrame, layout: Layout, folder: Folder) -> Facts:
    """Writes the lines of all nodes or edges, a folder a label or a type."""
    whole = folder / layout.kind
    lines = map_rows(table, partial(write_lines, layout), "table string, line string", size=_BATCH)
    lines.write.mode("overwrite").partitionBy("table").text(whole.address)
    facts = Facts()
    for name in whole.names():
        held = name.removeprefix("table=")
        if held == FACTS:
            for row in table.sparkSession.read.text((whole / name).address).toLocalIterator():
                facts.add(Facts.of(row.value))
        elif held != name:
            (whole / name).rename(folder / held)
    whole.delete()
    return facts


def _sorted(tables: Iterable[str]) -> list[str]:
    """Nodes before relationships, labels and types in the order of the schema."""
    order = [*(f"{_NODES}-{label}" for label in LABELS), *(f"{_EDGES}-{kind}" for kind in RELATIONS)]
    return sorted(tables, key=lambda name: (order.index(name) if name in order else len(order), name))


def _option(table: str) -> str:
    kind, _, name = table.partition("-")
    labels = ":".join(label_names(name)) if kind == _NODES else name
    return f"--{kind}={labels}=./{table}-header.csv,./{table}/part-.*"


def _write_breaks(nodes: DataFrame, edges: DataFrame, folder: Folder) -> None:
    """Statements that put line breaks back, for the nodes and edges that have some."""
    from pyspark.sql import functions as f

    own = [f.col(name) for name, kind in nodes.dtypes if kind in ("string", "array<string>")]
    broken = nodes.where(f.concat_ws("", *own).rlike(_BREAK))
    own = [f.col(name) for name, kind in edges.dtypes if kind in ("string", "array<string>")]
    own += [f.col(f"evidence.{name}") for name in ("sentence", "paper", "extractor")]
    ends = edges.where(f.concat_ws("", *own).rlike(_BREAK))
    for end in ("source", "target"):
        types = nodes.select(f.col("id").alias(end), f.col("type").alias(f"{end}_label"))
        ends = ends.join(types, end)
    for kind, table, make in ((_NODES, broken, _node_breaks), (_EDGES, ends, _edge_breaks)):
        statements = _mapped(table, make, "line string")
        statements.write.mode("overwrite").text((folder / kind).address)


def _node_breaks(rows: _Rows) -> _Rows:
    nodes = ((row["type"], {"id": row.pop("id"), **node_properties(row)}) for row in rows)
    broken = ((label, node) for label, node in nodes if has_break(node))
    for label, group in groupby(broken, key=itemgetter(0)):
        yield from _lines(node_statements(label, (node for _, node in group)))


def _edge_breaks(rows: _Rows) -> _Rows:
    for row in rows:
        kind = EdgeKind(row.pop("source_label"), row["type"], row.pop("target_label"))
        ends = {end: row.pop(end) for end in ("source", "target")}
        properties = edge_properties(row)
        if has_break(properties):
            yield from _lines(edge_statements(kind, [{**ends, "properties": properties}]))


def _lines(statements: Iterable[str]) -> _Rows:
    return ({"line": text.rstrip("\n")} for text in statements)


def _mapped(table: DataFrame, work: Callable[[_Rows], _Rows], columns: str) -> DataFrame:
    """What some work makes of the rows of a table."""
    return map_rows(table, partial(_given, work), columns, size=_BATCH)


def _given(work: Callable[[_Rows], _Rows], rows: Iterable[dict[str, Any]]) -> _Rows:
    return work(map(_bare, rows))


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is null, its evidence in the order of papers and places."""
    if len(row.get("evidence") or ()) > 1:
        row["evidence"].sort(key=place_of)
    return {name: value for name, value in row.items() if value is not None}
