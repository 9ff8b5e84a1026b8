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

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cypher import schema
from kg.errors import ExportError
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

_BREAK = re.compile(r"\r\n|[\r\n]")
_DELIMITERS = (";", "|", "\x1f", "\x1e", *map(chr, range(0xE000, 0xF900)))
_BUFFER = 4 * 2**20

_SCRIPT = """\
#!/bin/sh
# Imports this folder into a stopped Neo4j server, 5 or later. What the database held before is replaced.
# Usage: ./import.sh [DATABASE]. README.md says which steps follow.
set -eu
cd "$(dirname "$0")"
exec "${{NEO4J_ADMIN:-neo4j-admin}}" database import full "${{1:-neo4j}}" \\
{options}
"""
_REPORT = '--report-file="${TMPDIR:-/tmp}/neo4j-import.report"'

_README = """\
# A graph of papers and concepts for neo4j-admin

{nodes:,} nodes and {edges:,} relationships, for Neo4j 5 and later.

1. Stop the server: `neo4j stop`.
2. Run `./import.sh` as the user that the server runs as. **What the database `neo4j` held before is
   replaced** (`--overwrite-destination`). If `neo4j-admin` is not on the path:
   `NEO4J_ADMIN=/path/to/neo4j-admin ./import.sh`.
3. Start the server: `neo4j start`.
4. Run `cypher-shell -u neo4j -f finish.cypher`. It makes the constraints and indexes, which the import does
   not make, and puts back the line breaks in the texts of {broken:,} nodes and relationships.

Community Edition has one database for data, `neo4j`, which `import.sh` fills. In Enterprise Edition
`./import.sh papers` fills the database `papers`: stop it before, if it exists, with `STOP DATABASE papers`;
afterwards run `START DATABASE papers`, or `CREATE DATABASE papers` if it is new. Then step 4 is
`cypher-shell -u neo4j -d papers -f finish.cypher`.

With Docker, run the import in a container of the same version, with this folder and the data of the stopped
server mounted.
"""


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
            for value in properties.values():
                if isinstance(value, list):
                    self._used.update(*map(str, value))
            if any(_is_broken(value) for value in properties.values()):
                self.broken[table.name].append(ends)
            yield properties

    def delimiter(self) -> str:
        """The first sign that no item of a list holds."""
        free = next((sign for sign in _DELIMITERS if sign not in self._used), None)
        if free is None:
            raise ExportError("no sign is left to divide lists with: the texts hold every private character")
        return free


def write(graph: Graph, path: Path) -> None:
    """Writes the files into the folder `path`.

    Raises:
        GraphFileError: a node or an edge has an unknown type.
        ExportError: an id holds a line break.
    """
    if broken := next((node for node in graph if _BREAK.search(node)), None):
        raise ExportError(f"the id {broken!r} holds a line break, which neo4j-admin cannot import")
    tables, survey = _tables(graph), _Survey()
    for table in tables:
        survey.take(table)
    lengths = [_write_table(table, path, survey) for table in tables]
    _write_script(path / "import.sh", tables, survey.delimiter(), max(lengths, default=0))
    _write_finish(graph, path / "finish.cypher", survey.broken)
    mended = sum(map(len, survey.broken.values()))
    about = _README.format(nodes=len(graph), edges=graph.number_of_edges(), broken=mended)
    (path / "README.md").write_text(about, encoding="utf-8", newline="\n")


def _tables(graph: Graph) -> list[_Table]:
    edges: dict[str, list[tuple[str, str]]] = {}
    for kind, pairs in edge_groups(graph).items():
        edges.setdefault(kind.type, []).extend(pairs)
    nodes = [
        _Table(
            f"nodes-{label}",
            f"--nodes={':'.join(label_names(label))}",
            ("id:ID",),
            partial(_node_rows, graph, ids),
        )
        for label, ids in node_groups(graph).items()
    ]
    return nodes + [
        _Table(
            f"relationships-{relation}",
            f"--relationships={relation}",
            (":START_ID", ":END_ID"),
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
    columns, delimiter, longest = survey.columns[table.name], survey.delimiter(), 0
    header = ",".join((*table.ends, *(f"{name}:{kind}" for name, kind in columns.items())))
    (path / f"{table.name}-header.csv").write_text(f"{header}\n", encoding="utf-8", newline="\n")
    with (path / f"{table.name}-part1.csv").open("w", encoding="utf-8", newline="\n") as stream:
        for ends, properties in table.rows():
            cells = (_cell(properties.get(name), kind, delimiter) for name, kind in columns.items())
            longest = max(longest, stream.write(",".join((*map(_quoted, ends), *cells)) + "\n"))
    return longest


def _cell(value: Value | None, kind: str, delimiter: str) -> str:
    if value is None:
        return ""
    if kind.endswith("[]"):
        return _quoted(delimiter.join(map(_text, value if isinstance(value, list) else [value])))
    return _quoted(_text(value)) if kind == "string" else _text(value)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(text: str) -> str:
    flat = _BREAK.sub(" ", text).replace('"', '""')
    return f'"{flat}"'


def _write_script(path: Path, tables: Iterable[_Table], delimiter: str, longest: int) -> None:
    sign = delimiter if delimiter in ";|" else f"U+{ord(delimiter):04X}"
    options = ["--overwrite-destination", _REPORT, f"--array-delimiter='{sign}'"]
    if longest * 4 > _BUFFER:  # a character has up to four bytes, and a line has to fit
        options.append(f"--read-buffer-size={longest * 4}")
    # "./", since the importer of calendar releases takes no path without a folder
    options += [f"{table.option}=./{table.name}-header.csv,./{table.name}-part1.csv" for table in tables]
    listed = " \\\n".join(f"    {option}" for option in options)
    path.write_text(_SCRIPT.format(options=listed), encoding="utf-8", newline="\n")
    path.chmod(0o755)


def _write_finish(graph: Graph, path: Path, broken: Mapping[str, Sequence[tuple[str, ...]]]) -> None:
    """Writes what follows the import: the schema, and the rows whose line breaks were taken out."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{statement};\n" for statement in schema())
        for name, rows in broken.items():
            part, _, kind = name.partition("-")
            if part == "nodes":
                stream.writelines(node_statements(graph, kind, (node for (node,) in rows)))
                continue
            for ends, pairs in _by_labels(graph, rows).items():
                stream.writelines(edge_statements(graph, EdgeKind(ends[0], kind, ends[1]), pairs))


def _by_labels(graph: Graph, pairs: Iterable[Sequence[str]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Pairs of nodes by the labels of both."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for source, target in pairs:
        labels = graph.nodes[source]["type"], graph.nodes[target]["type"]
        groups.setdefault(labels, []).append((source, target))
    return groups


def _is_broken(value: Value) -> bool:
    """Whether a text has a line break."""
    items = value if isinstance(value, list) else [value]
    return any("\n" in item or "\r" in item for item in items if isinstance(item, str))
