"""The queries that come along: one a file in `cypher/queries/`, named by the stem.

A file begins with `// Title`, then says in comments what it answers and which parameters it takes, each with
an example: `// :param task => 'node classification'`. Files of users have the same form; nothing of it is
needed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import cypher
from kg.errors import QueryError

__all__ = ["Query", "find", "parse", "queries", "values"]

_PARAM = re.compile(r"//\s*:param\s+(\w+)\s*=>\s*(.+?)\s*")
_CONSTANTS: Mapping[str, Any] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Query:
    """A query: its name, title, what it answers, its parameters with the example of each, and its Cypher.

    `variant` is the Cypher for the embedded engine where a translation is not enough.
    """

    name: str
    title: str
    about: str
    parameters: Mapping[str, Any]
    text: str
    variant: str = ""


def parse(name: str, text: str) -> Query:
    """Reads a query with its head.

    Raises:
        QueryError: the example of a parameter is no literal.
    """
    head = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        head.append(line)
    found = {match[1]: match[2] for match in map(_PARAM.fullmatch, head) if match}
    told = [line.lstrip("/ ").rstrip() for line in head if not _PARAM.fullmatch(line)]
    parameters = {key: _literal(value) for key, value in found.items()}
    return Query(name, told[0] if told else name, " ".join(told[1:]), parameters, text)


def _literal(text: str) -> Any:
    """The value of a literal: text in quotes, number, true, false, null, or a list."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise QueryError(f"{text!r} is no literal", hint="Write text in quotes, or a number.") from error


def queries() -> dict[str, Query]:
    """Every query that comes along, by name."""
    return {path.stem: _read(path) for path in sorted(cypher.QUERIES.glob("*.cypher"))}


def _read(path: Path) -> Query:
    query = parse(path.stem, path.read_text(encoding="utf-8"))
    other = cypher.VARIANTS / path.name
    if not other.exists():
        return query
    variant = other.read_text(encoding="utf-8")
    return Query(query.name, query.title, query.about, query.parameters, query.text, variant)


def find(asked: str) -> Query:
    """The query that is meant: the name of one that comes along, a file, or Cypher itself.

    Raises:
        QueryError: it is a single word, but neither a name nor a file; or the file cannot be read.
    """
    known = queries()
    if asked in known:
        return known[asked]
    if len(asked.split()) > 1:
        path = Path(asked) if "\n" not in asked and asked.endswith(".cypher") else None
        return _read_file(path) if path is not None and path.is_file() else parse("query", asked)
    if asked.endswith(".cypher") or "/" in asked or "\\" in asked:
        return _read_file(Path(asked))
    near = get_close_matches(asked, known, 3)
    meant = f"Did you mean: {', '.join(near)}?" if near else "`kg query --list` names those that there are."
    raise QueryError(f"there is no query {asked!r}", hint=meant)


def _read_file(path: Path) -> Query:
    try:
        return parse(path.stem, path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error


def values(query: Query, given: Mapping[str, str]) -> dict[str, Any]:
    """What was given for parameters, as the kind that the example has; without one, as it looks.

    Raises:
        QueryError: a value does not fit, or the query has no such parameter.
    """
    found = {}
    for name, text in given.items():
        if query.parameters and name not in query.parameters:
            known = ", ".join(query.parameters)
            raise QueryError(f"the query {query.name} has no parameter {name!r}", hint=f"It has: {known}.")
        found[name] = _value(name, text, query.parameters.get(name))
    return found


def _value(name: str, text: str, example: Any) -> Any:
    if isinstance(example, str):
        return text
    try:
        value = _literal(text)
    except QueryError:
        value = text
    if example is None or isinstance(value, type(example)) or (type(value), type(example)) == (int, float):
        return value
    raise QueryError(f"{text!r} does not fit the parameter {name}", hint=f"An example is {example!r}.")
