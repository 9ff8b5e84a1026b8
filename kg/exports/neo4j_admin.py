"""A folder for `neo4j-admin database import full`, Neo4j 5 and later: header and part files and `import.sh`.

One header and one part file for each label (`nodes-Paper-header.csv`, `nodes-Paper-part1.csv`) and each type
(`relationships-USES-…`). Columns are typed; every text is in quotes, with its own quotes doubled; where there
is no value, the cell is empty. A row is one line: a line break inside a text is written as a space, and
`finish.cypher`, which makes the constraints and indexes once the server runs, puts such texts back as they
were. The items of a list are divided by the first of `;`, `|` and rarer signs that no item holds; `import.sh`
names it. `README.md` says which steps follow. Nodes and relationships carry the mark of the default
collection, so that a later `kg push` takes them for its own.

Limits: the extraction records and the ledger stay behind; an id with a line break is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

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
    EdgeKind,
    Value,
    edge_groups,
    edge_row,
    kinds,
    label_names,
    node_groups,
    node_row,
)
from kg.store import Graph

__all__ = ["write"]

#: The ids that a row begins with (its own, or those of both ends), and its properties.
_Row: TypeAlias = "tuple[tuple[str, ...], dict[str, Value]]"


class _Table(NamedTuple):
    """The nodes of one label or the relationships of one type; `rows` makes its rows anew each time."""

    name: str
    option: str
    ends: tuple[str, ...]
    rows: Callable[[], Iterator[_Row]]


class _Survey:
    """What is to be known of all rows before the first is written."""

    def __init__(self) -> None:
        self.columns: dict[str, dict[str, str]] = {}
        self.broken: dict[str, list[tuple[str, ...]]] = {}
        self._used: set[str] = set()

    def take(self, table: _Table) -> None:
        """Reads the rows of a table: kinds of columns, signs in lists, rows with line breaks."""
        self.broken[table.name] = []
        self.columns[table.name] = kinds(self._properties(table))

    def _properties(self, table: _Table) -> Iterator[dict[str, Value]]:
        for ends, properties in table.rows():
            self._used |= signs(properties)
            if has_break(properties):
                self.broken[table.name].append(ends)
            yield properties

    def delimiter(self) -> str:
        """The first sign that no item of a list holds."""
        return delimiter(self._used)


def write(graph: Graph, path: Path) -> None:
    """Writes the files into the folder `path`.

    Raises:
        GraphFileError: a node or an edge has an unknown type.
        ExportError: an id holds a line break.
    """
    if broken := next((node for node in graph if has_break({"id": node})), None):
        raise ExportError(f"the id {broken!r} holds a line break, which neo4j-admin cannot import")
    tables, survey = _tables(graph), _Survey()
    for table in tables:
        survey.take(table)
    lengths = [_write_table(table, path, survey) for table in tables]
    _write_script(path / "import.sh", tables, survey.delimiter(), max(lengths, default=0))
    _write_finish(graph, path / "finish.cypher", survey.broken)
    mended = sum(map(len, survey.broken.values()))
    text = about(nodes=len(graph), edges=graph.number_of_edges(), broken=mended)
    (path / "README.md").write_text(text, encoding="utf-8", newline="\n")


def _tables(graph: Graph) -> list[_Table]:
    edges: dict[str, list[tuple[str, str]]] = {}
    for kind, pairs in edge_groups(graph).items():
        edges.setdefault(kind.type, []).extend(pairs)
    nodes = [
        _Table(
            f"nodes-{label}",
            f"--nodes={':'.join(label_names(label))}",
            NODE_ENDS,
            partial(_node_rows, graph, ids),
        )
        for label, ids in node_groups(graph).items()
    ]
    return nodes + [
        _Table(
            f"relationships-{relation}",
            f"--relationships={relation}",
            RELATION_ENDS,
            partial(_edge_rows, graph, relation, pairs),
        )
        for relation, pairs in edges.items()
    ]


def _node_rows(graph: Graph, ids: Iterable[str]) -> Iterator[_Row]:
    for node in ids:
        row = node_row(graph, node)
        yield (str(row.pop("id")),), {**row, "collections": [COLLECTION]}


def _edge_rows(graph: Graph, relation: str, pairs: Iterable[tuple[str, str]]) -> Iterator[_Row]:
    for source, target in pairs:
        row = edge_row(graph, source, relation, target)
        yield (row["source"], row["target"]), {**row["properties"], "collection": COLLECTION}


def _write_table(table: _Table, path: Path, survey: _Survey) -> int:
    """Writes header and part; returns the length of the longest line."""
    columns, sign, longest = survey.columns[table.name], survey.delimiter(), 0
    first = header(table.ends, columns)
    (path / f"{table.name}-header.csv").write_text(f"{first}\n", encoding="utf-8", newline="\n")
    with (path / f"{table.name}-part1.csv").open("w", encoding="utf-8", newline="\n") as stream:
        for ends, properties in table.rows():
            longest = max(longest, stream.write(f"{line(ends, properties, columns, sign)}\n"))
    return longest


def _write_script(path: Path, tables: Iterable[_Table], sign: str, longest: int) -> None:
    files = [f"{table.option}=./{table.name}-header.csv,./{table.name}-part1.csv" for table in tables]
    path.write_text(script(files, sign, longest), encoding="utf-8", newline="\n")
    path.chmod(0o755)


def _write_finish(graph: Graph, path: Path, broken: Mapping[str, Sequence[tuple[str, ...]]]) -> None:
    """Writes what follows the import: the schema, and the rows whose line breaks were taken out."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{statement};\n" for statement in schema())
        for name, rows in broken.items():
            part, _, kind = name.partition("-")
            if part == "nodes":
                stream.writelines(node_statements(kind, (node_row(graph, node) for (node,) in rows)))
                continue
            for ends, pairs in _by_labels(graph, rows).items():
                found = (edge_row(graph, source, kind, target) for source, target in pairs)
                stream.writelines(edge_statements(EdgeKind(ends[0], kind, ends[1]), found))


def _by_labels(graph: Graph, pairs: Iterable[Sequence[str]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Pairs of nodes by the labels of both."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for source, target in pairs:
        labels = graph.nodes[source]["type"], graph.nodes[target]["type"]
        groups.setdefault(labels, []).append((source, target))
    return groups
