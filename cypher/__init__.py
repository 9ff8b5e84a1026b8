"""The Cypher that comes along: schema, push, queries, variants for the embedded engine, Browser's style."""

from __future__ import annotations

from pathlib import Path

__all__ = ["PUSH", "QUERIES", "SCHEMA", "STYLE", "VARIANTS", "schema"]

_HERE = Path(__file__).parent

#: Constraints and indexes, one statement after another, each ended by a semicolon.
SCHEMA = _HERE / "schema.cypher"
#: One query a file; its name is the stem of the file.
QUERIES = _HERE / "queries"
#: What `kg push` runs; `:LABEL` and the like are put in place from fixed lists.
PUSH = _HERE / "push"
#: For the embedded engine, in place of the query of the same name.
VARIANTS = _HERE / "ladybug"
#: Colours, sizes and captions for Neo4j Browser.
STYLE = _HERE / "style.grass"


def schema() -> list[str]:
    """The statements of the schema, each on one line and without its semicolon: constraints and indexes."""
    lines = SCHEMA.read_text(encoding="utf-8").splitlines()
    code = " ".join(line.strip() for line in lines if not line.lstrip().startswith("//"))
    return [statement.strip() for statement in code.split(";") if statement.strip()]
