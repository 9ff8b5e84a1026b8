"""The small differences between Neo4j's Cypher and that of the embedded engine, and what may only be read.

======================================================= ====================================================
Neo4j                                                   Ladybug
======================================================= ====================================================
`(c:Concept)`                                           `(c:Method:Task:Dataset:Metric:Term)`
`[l IN labels(n) WHERE l <> 'Concept'][0]`              `label(n)`
`labels(n)`                                             `[label(n)]`
`type(r)`                                               `label(r)`
`list[0]`                                               `list[1]`: it counts from 1
`[x IN list | x.name]`                                  `list_transform(list, x -> x.name)`
`[x IN list WHERE x > 1]`                               `list_filter(list, x -> x > 1)`
`EXISTS { (a)--(b) }`, `COUNT { … }`                    `EXISTS { MATCH (a)--(b) }`, `COUNT { MATCH … }`
`log(x)`                                                `ln(x)`
`toInteger(x)`, `toFloat(x)`                            `to_int64(x)`, `to_double(x)`
======================================================= ====================================================

Texts and comments are left alone. A query for which that is not enough (`shortestPath`) has a variant in
`cypher/ladybug/`. What the engine still does not know, it refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.errors import QueryError
from kg.flat import CONCEPT_LABELS

__all__ = ["check_read_only", "parameters_in", "translate"]

#: Comments, texts and quoted names; what is not closed goes on to the end.
_PARTS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|`[^`]*(?:`|\Z)""",
    re.DOTALL,
)
_KEPT = re.compile("\ue000([0-9]+)\ue001")
_STEPS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r":\s*Concept\b", ":" + ":".join(CONCEPT_LABELS)),
        (r"\[(\w+) IN labels\((\w+)\) WHERE \1 <> \ue000[0-9]+\ue001\]\[0\]", r"label(\2)"),
        (r"(?<![\w.])labels\((\w+)\)", r"[label(\1)]"),
        (r"(?<![\w.])type\((\w+)\)", r"label(\1)"),
        (r"\[(\w+) IN ([\w.]+(?:\([\w.]*\))?) \| ([^\[\]|]+)\]", r"list_transform(\2, \1 -> \3)"),
        (r"\[(\w+) IN ([\w.]+(?:\([\w.]*\))?) WHERE ([^\[\]|]+)\]", r"list_filter(\2, \1 -> \3)"),
        (r"\b(EXISTS|COUNT)\s*\{\s*\(", r"\1 { MATCH ("),
        (r"(?<![\w.])log\(", "ln("),
        (r"(?<![\w.])toInteger\(", "to_int64("),
        (r"(?<![\w.])toFloat\(", "to_double("),
    )
)
_INDEX = re.compile(r"(?<=[\w\])])\[([0-9]{1,9})\]")
_PARAMETER = re.compile(r"\$(\w+)")
_WORD = re.compile(r"(?<![\w.:$])[A-Za-z]+\b(?!\s*:)")
_BEGINNINGS = frozenset("CALL CYPHER EXPLAIN MATCH OPTIONAL PROFILE RETURN SHOW UNWIND WITH".split())
_WRITES = frozenset(
    "ALTER ATTACH COPY CREATE DELETE DETACH DROP EXPORT FOREACH "
    "IMPORT INSERT INSTALL LOAD MERGE REMOVE SET".split()
)


def translate(text: str) -> str:
    """The query as the embedded engine understands it.

    >>> translate("MATCH (c:Concept)-[r]->() RETURN type(r), c.aliases[0]")
    'MATCH (c:Method:Task:Dataset:Metric:Term)-[r]->() RETURN label(r), c.aliases[1]'
    """
    kept: list[str] = []
    code = _PARTS.sub(lambda match: _keep(match, kept), text.replace("\ue000", "").replace("\ue001", ""))
    for pattern, replacement in _STEPS:
        code = pattern.sub(replacement, code)
    code = _INDEX.sub(lambda match: f"[{int(match[1]) + 1}]", code)
    return _KEPT.sub(lambda match: kept[int(match[1])], code)


def _keep(match: re.Match[str], kept: list[str]) -> str:
    """Puts a text aside; a comment becomes a space."""
    if match["comment"] is not None:
        return " "
    kept.append(match[0])
    return f"\ue000{len(kept) - 1}\ue001"


def _code(text: str) -> str:
    """The query without texts, quoted names and comments."""
    return _PARTS.sub(" ", text)


def parameters_in(text: str) -> list[str]:
    """The names of the parameters that a query asks for, in order of first use."""
    return list(dict.fromkeys(_PARAMETER.findall(_code(text))))


def check_read_only(text: str) -> None:
    """Refuses a query that would write, or that is none.

    Both engines refuse to write as well; this says so in the same words and before anything runs.

    Raises:
        QueryError: the query has a clause that writes, or begins like no query.
    """
    words = [word.upper() for word in _words(text)]
    if not words:
        raise QueryError("the query is empty")
    if writing := [word for word in words if word in _WRITES]:
        raise QueryError(f"the query would write ({writing[0]})", hint="Queries here only read.")
    if words[0] not in _BEGINNINGS:
        raise QueryError(
            f"the query begins with {words[0]}, which is no clause that reads",
            hint="Begin with MATCH, or ask `kg query --list` for the queries that come along.",
        )


def _words(text: str) -> Iterator[str]:
    return (match[0] for match in _WORD.finditer(_code(text)))
