"""The lines, the script and the words of an import set for `neo4j-admin`, from properties alone.

Pure functions that know neither graph nor file, so that the set can be written in one process
(`kg.exports.neo4j_admin`, which says what is in it) and on a cluster (`kg.spark.bulk`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from kg.errors import ExportError
from kg.flat import Value

__all__ = [
    "NODE_ENDS",
    "NO_SIGN",
    "RELATION_ENDS",
    "about",
    "as_text",
    "delimiter",
    "flattened",
    "has_break",
    "header",
    "line",
    "quoted",
    "script",
    "signs",
]

#: What the header calls the ids that a line begins with.
NODE_ENDS = ("id:ID",)
RELATION_ENDS = (":START_ID", ":END_ID")

_BREAK = re.compile(r"\r\n|[\r\n]")
_DELIMITERS = (";", "|", "\x1f", "\x1e", *map(chr, range(0xE000, 0xF900)))
_SIGNS = frozenset(_DELIMITERS)
#: As a pattern: all but these signs.
NO_SIGN = "[^;|\x1e\x1f\ue000-\uf8ff]+"
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


def has_break(properties: Mapping[str, Value]) -> bool:
    """Whether a text among the properties has a line break."""
    return any(_is_broken(value) for value in properties.values())


def _is_broken(value: Value) -> bool:
    items = value if isinstance(value, list) else [value]
    return any("\n" in item or "\r" in item for item in items if isinstance(item, str))


def signs(properties: Mapping[str, Value]) -> frozenset[str]:
    """The signs that could divide lists and that items of the properties' lists hold."""
    items = [str(item) for value in properties.values() if isinstance(value, list) for item in value]
    return _SIGNS.intersection("".join(items))


def delimiter(used: Collection[str]) -> str:
    """The first sign that divides lists none of whose items holds it.

    Raises:
        ExportError: all are used.
    """
    free = next((sign for sign in _DELIMITERS if sign not in used), None)
    if free is None:
        raise ExportError("no sign is left to divide lists with: the texts hold every private character")
    return free


def header(ends: Sequence[str], columns: Mapping[str, str]) -> str:
    """The header of a table with these kinds of columns, without the line's end."""
    return ",".join((*ends, *(f"{name}:{kind}" for name, kind in columns.items())))


def line(ends: Iterable[str], properties: Mapping[str, Value], columns: Mapping[str, str], sign: str) -> str:
    """One row, without the line's end; `sign` divides lists."""
    cells = (_cell(properties.get(name), kind, sign) for name, kind in columns.items())
    return ",".join((*(quoted(flattened(end)) for end in ends), *cells))


def _cell(value: Value | None, kind: str, sign: str) -> str:
    if value is None:
        return ""
    if kind.endswith("[]"):
        return quoted(flattened(sign.join(map(as_text, value if isinstance(value, list) else [value]))))
    return quoted(flattened(as_text(value))) if kind == "string" else as_text(value)


def as_text(value: object) -> str:
    """A number, a text or a truth as a cell has it, before quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def flattened(text: str) -> str:
    """The text with a blank for each line break."""
    return _BREAK.sub(" ", text)


def quoted(text: str) -> str:
    """The text as a cell between quotes."""
    return f'"{text}"' if '"' not in text else '"{}"'.format(text.replace('"', '""'))


def script(files: Iterable[str], sign: str, longest: int) -> str:
    """The script that imports.

    Args:
        files: an option for each table: its labels or type, its header and its parts.
        sign: what divides lists.
        longest: how many characters the longest line has.
    """
    named = sign if sign in ";|" else f"U+{ord(sign):04X}"
    options = ["--overwrite-destination", _REPORT, f"--array-delimiter='{named}'"]
    if longest * 4 > _BUFFER:  # a character has up to four bytes, and a line has to fit
        options.append(f"--read-buffer-size={longest * 4}")
    # The files begin with "./", since the importer of calendar releases takes no path without a folder.
    listed = " \\\n".join(f"    {option}" for option in (*options, *files))
    return _SCRIPT.format(options=listed)


def about(*, nodes: int, edges: int, broken: int) -> str:
    """What stands beside the files for a person."""
    return _README.format(nodes=nodes, edges=edges, broken=broken)
