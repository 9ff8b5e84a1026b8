"""The import set for `neo4j-admin database import full`, written on a cluster from the tables of a graph.

What stands in it and how is said in `kg.exports.neo4j_admin`. Here a label or a type has a folder of part
files, which `import.sh` names by a pattern, and the texts with line breaks are put back by the scripts of the
folder `breaks`, after `finish.cypher`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cypher import schema
from kg.errors import ExportError
from kg.exports.admin_rows import (
    NODE_ENDS,
    RELATION_ENDS,
    about,
    delimiter,
    has_break,
    header,
    line,
    script,
    signs,
)
from kg.exports.cypher_script import edge_statements, node_statements
from kg.flat import (
    COLLECTION,
    LABELS,
    RELATIONS,
    EdgeKind,
    Value,
    common_kind,
    edge_properties,
    kind_of,
    label_names,
    node_properties,
)
from kg.spark.rows import map_rows
from kg.spark.storage import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["write_import_set"]

_NODES, _EDGES = "nodes", "relationships"
_BREAKS = "breaks"
_BATCH = 256
_MORE = """
5. Run `cat breaks/*/part-* | cypher-shell -u neo4j`, which puts those line breaks back; `finish.cypher` does
   not.
"""

_Rows: TypeAlias = "Iterator[dict[str, Any]]"


class _Row(NamedTuple):
    """A node or an edge: its table, the ids that its line begins with, its properties."""

    table: str
    ends: tuple[str, ...]
    properties: dict[str, Value]


@dataclass(frozen=True, slots=True)
class _Survey:
    """What is known of all rows before the first is written."""

    columns: Mapping[str, Mapping[str, str]]
    sign: str
    longest: int
    broken: int


def write_import_set(tables: Mapping[str, DataFrame], folder: Folder, *, counts: Mapping[str, int]) -> None:
    """Writes the set.

    Args:
        tables: the tables `nodes`, `edges` and `evidence`, saved: each is read several times.
        folder: where to; what is there is replaced.
        counts: the rows of each table.

    Raises:
        ExportError: the texts hold every sign that could divide lists.
    """
    folder.delete()
    nodes, edges = tables["nodes"], _with_evidence(tables["edges"], tables["evidence"])
    survey = _surveyed(nodes, edges)
    _write_lines(nodes, _node_rows, survey, folder / _NODES)
    _write_lines(edges, _edge_rows, survey, folder / _EDGES)
    for kind in (_NODES, _EDGES):
        _settle(folder, kind)
    for table, columns in survey.columns.items():
        ends = NODE_ENDS if table.startswith(f"{_NODES}-") else RELATION_ENDS
        (folder / f"{table}-header.csv").write(f"{header(ends, columns)}\n".encode())
    text = script(map(_option, _sorted(survey.columns)), survey.sign, survey.longest)
    (folder / "import.sh").write(text.encode())
    (folder / "finish.cypher").write("".join(f"{statement};\n" for statement in schema()).encode())
    if survey.broken:
        _write_breaks(tables["nodes"], edges, folder / _BREAKS)
    told = about(nodes=counts["nodes"], edges=counts["edges"], broken=survey.broken)
    (folder / "README.md").write((told + (_MORE if survey.broken else "")).encode())


def _with_evidence(edges: DataFrame, evidence: DataFrame) -> DataFrame:
    """Each edge with a list of its evidence in order of paper and place."""
    from pyspark.sql import functions as f

    ends = ["source", "target", "type"]
    own = [name for name in evidence.columns if name not in ends]
    place = [f.col("paper"), f.coalesce("start", f.lit(-1)), f.coalesce("end", f.lit(0))]
    item = f.struct(*(column.alias(f"_by{number}") for number, column in enumerate(place)), *own)
    listed = evidence.groupBy(*ends).agg(f.array_sort(f.collect_list(item)).alias("evidence"))
    return edges.join(listed, ends, "left")


def _node_rows(rows: _Rows) -> Iterator[_Row]:
    for row in rows:
        table, node = f"{_NODES}-{row['type']}", row.pop("id")
        yield _Row(table, (node,), {**node_properties(row), "collections": [COLLECTION]})


def _edge_rows(rows: _Rows) -> Iterator[_Row]:
    for row in rows:
        table, ends = f"{_EDGES}-{row['type']}", (row.pop("source"), row.pop("target"))
        yield _Row(table, ends, {**edge_properties(row), "collection": COLLECTION})


def _surveyed(nodes: DataFrame, edges: DataFrame) -> _Survey:
    """Reads all rows once; what comes to the driver is as long as the list of columns."""
    from pyspark.sql import functions as f

    facts = "about string, one string, two string, number long"
    found = _mapped(nodes, partial(_facts, _node_rows), facts)
    found = found.unionByName(_mapped(edges, partial(_facts, _edge_rows), facts))
    numbers = f.max("number").alias("most"), f.sum("number").alias("all")
    rows = found.groupBy("about", "one", "two").agg(*numbers).collect()
    if broken := next((row.one for row in rows if row.about == "id"), None):
        raise ExportError(f"the id {broken!r} holds a line break, which neo4j-admin cannot import")
    kinds: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        if row.about not in ("sign", "longest", "broken", "id"):
            kinds.setdefault(row.about, {}).setdefault(row.one, set()).add(row.two)
    columns = {
        table: {name: common_kind(kinds[table][name]) for name in sorted(kinds[table])} for table in kinds
    }
    return _Survey(
        columns=columns,
        sign=delimiter({row.one for row in rows if row.about == "sign"}),
        longest=max((row.most for row in rows if row.about == "longest"), default=0),
        broken=sum(row.all for row in rows if row.about == "broken"),
    )


def _facts(read: Callable[[_Rows], Iterator[_Row]], rows: _Rows) -> _Rows:
    """What the rows of a task say: kinds of columns, signs in lists, the longest line, line breaks."""
    kinds: set[tuple[str, str, str]] = set()
    used: set[str] = set()
    longest = broken = 0
    for table, ends, properties in read(rows):
        found = {name: kind_of(value) for name, value in properties.items()}
        kinds.update((table, name, kind) for name, kind in found.items())
        used |= signs(properties)
        broken += has_break(properties)
        if has_break({"id": "".join(ends)}):
            yield {"about": "id", "one": "".join(ends)}
        # Columns that this row lacks take a comma each, and a column may become a quoted text.
        longest = max(longest, len(line(ends, properties, found, ";")) + 4 * len(kinds))
    yield from ({"about": table, "one": name, "two": kind} for table, name, kind in kinds)
    yield from ({"about": "sign", "one": sign} for sign in used)
    yield {"about": "longest", "number": longest}
    yield {"about": "broken", "number": broken}


def _write_lines(
    table: DataFrame, read: Callable[[_Rows], Iterator[_Row]], survey: _Survey, folder: Folder
) -> None:
    lines = partial(_lines, read, survey.columns, survey.sign)
    written = _mapped(table, lines, "table string, line string")
    written.write.mode("overwrite").partitionBy("table").text(folder.address)


def _lines(
    read: Callable[[_Rows], Iterator[_Row]], columns: Mapping[str, Mapping[str, str]], sign: str, rows: _Rows
) -> _Rows:
    for table, ends, properties in read(rows):
        yield {"table": table, "line": line(ends, properties, columns[table], sign)}


def _settle(folder: Folder, kind: str) -> None:
    """Brings the folders of a kind to where the script looks for them."""
    for name in (folder / kind).names():
        if name.startswith("table="):
            (folder / kind / name).rename(folder / name.removeprefix("table="))
    (folder / kind).delete()


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

    ends = edges
    for end in ("source", "target"):
        types = nodes.select(f.col("id").alias(end), f.col("type").alias(f"{end}_label"))
        ends = ends.join(types, end)
    for kind, table, make in ((_NODES, nodes, _node_breaks), (_EDGES, ends, _edge_breaks)):
        statements = _mapped(table, make, "line string")
        statements.write.mode("overwrite").text((folder / kind).address)


def _node_breaks(rows: _Rows) -> _Rows:
    broken = (row for row in _node_rows(rows) if has_break(row.properties))
    for table, group in groupby(broken, key=lambda row: row.table):
        nodes = ({"id": row.ends[0], **_without(row.properties, "collections")} for row in group)
        yield from ({"line": text.rstrip("\n")} for text in node_statements(table.partition("-")[2], nodes))


def _edge_breaks(rows: _Rows) -> _Rows:
    for row in rows:
        kind = EdgeKind(row.pop("source_label"), row["type"], row.pop("target_label"))
        for _, ends, properties in _edge_rows(iter([row])):
            if has_break(properties):
                own = _without(properties, "collection")
                edge = {"source": ends[0], "target": ends[1], "properties": own}
                yield from ({"line": text.rstrip("\n")} for text in edge_statements(kind, iter([edge])))


def _without(properties: Mapping[str, Value], name: str) -> dict[str, Value]:
    return {key: value for key, value in properties.items() if key != name}


def _mapped(table: DataFrame, work: Callable[[_Rows], _Rows], columns: str) -> DataFrame:
    """What some work makes of the rows of a table."""
    return map_rows(table, partial(_given, work), columns, size=_BATCH)


def _given(work: Callable[[_Rows], _Rows], rows: Iterable[dict[str, Any]]) -> _Rows:
    return work(map(_bare, rows))


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is null, its evidence without what sorted it."""
    if row.get("evidence"):
        own = [{name: item[name] for name in item if not name.startswith("_by")} for item in row["evidence"]]
        row["evidence"] = own
    return {name: value for name, value in row.items() if value is not None}
