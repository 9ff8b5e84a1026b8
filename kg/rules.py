"""Rules of a person: what is one, what is two, what a name is, and what a paper says or does not say.

A rules file is TOML; `docs/rules.md` describes it. Rules win over everything that is found or decided
elsewhere. They are stored in the graph as the tables that they were written as, so that papers can be added
and removed and other models tried, and the rules still hold.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kg.errors import RulesError
from kg.folding import CASED, clean_name, name_key
from kg.schema import CodeRole, ConceptType, Paper, RelationType, Role

__all__ = ["NO_RULES", "PaperRules", "Rules", "StatedRelation", "load_rules", "paper_ids", "parse_rules"]

_KEYS = ("same", "different", "type", "drop", "paper")
_PAPER_KEYS = ("roles", "links", "relations")
_NOT = "not "


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation that a person states (`holds`) or strikes out."""

    head: str
    relation: RelationType
    tail: str
    holds: bool


@dataclass(frozen=True, slots=True)
class PaperRules:
    """What a person says of one paper; None strikes a concept or an address out."""

    roles: Mapping[str, tuple[Role, ...] | None]
    links: Mapping[str, CodeRole | None]
    relations: tuple[StatedRelation, ...]


@dataclass(frozen=True)
class Rules:
    """The rules of one file; `record` is what the file holds, `lines` its text, for messages only."""

    same: tuple[tuple[str, ...], ...] = ()
    different: tuple[tuple[str, ...], ...] = ()
    types: Mapping[str, ConceptType] = field(default_factory=dict)
    drop: tuple[str, ...] = ()
    papers: Mapping[str, PaperRules] = field(default_factory=dict)
    record: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = field(default=(), compare=False)
    file: str = field(default="rules", compare=False)

    def __bool__(self) -> bool:
        return bool(self.record)

    def key(self, form: str) -> str:
        """The key of a form (`kg.folding.name_key`); its own where rules part spellings of a key."""
        return (self._apart.get(clean_name(form)) if self._apart else None) or name_key(form)

    def known(self, name: str, keys: Container[str]) -> str | None:
        """The key that a rule means by a name: among some keys, as it is written, else in other case."""
        return next((form for form in self.forms(name) if form in keys), None)

    def forms(self, name: str) -> tuple[str, str]:
        """The keys that a rule may mean by a name, the likelier first."""
        key = self.key(name)
        return key, key.removesuffix(CASED) if key.endswith(CASED) else key + CASED

    def drops(self, key: str) -> bool:
        """Whether a key is a name that the user does not want, in whatever case."""
        return any(self.known(name, (key,)) for name in self.drop)

    @cached_property
    def _apart(self) -> dict[str, str]:
        """Keys of their own for the forms that a rule calls different although they have one key."""
        keys: dict[str, str] = {}
        for names in self.different:
            seen: set[str] = set()
            for name in map(clean_name, names):
                key = name_key(name)
                if key in seen:
                    keys[name] = f"{key}≠{name}"
                seen.add(key)
        return keys

    @cached_property
    def conflicts(self) -> Mapping[str, frozenset[str]]:
        """For each key the keys that must not be one with it."""
        found: dict[str, set[str]] = {}
        for names in self.different:
            keys = {self.key(name) for name in names}
            for key in keys:
                found.setdefault(key, set()).update(keys - {key})
        return {key: frozenset(others) for key, others in found.items()}

    def place(self, section: str, name: str) -> str:
        """Where a rule stands: the file, and the line that holds the name."""
        return f"{self.file}, line {_line(self.lines, section, name)}" if self.lines else self.file


NO_RULES = Rules()


def load_rules(path: str | os.PathLike[str]) -> Rules:
    """Reads a rules file.

    Raises:
        RulesError: it cannot be read, is no TOML, or holds what is no rule.
    """
    name = os.fspath(path)
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from error
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{name} is not TOML: {error}", hint="See docs/rules.md for examples.") from error
    return parse_rules(tables, file=name, text=text)


def parse_rules(tables: Mapping[str, Any], *, file: str = "rules", text: str = "") -> Rules:
    """The rules of a file's tables, or of what a graph keeps of them (`Rules.record`).

    Args:
        tables: what the TOML file holds.
        file: how messages call it.
        text: the file's text, so that messages can name lines.

    Raises:
        RulesError: something in it is no rule; the message names the key and the hint shows how to write it.
    """
    reader = _Reader(file)
    if not isinstance(tables, Mapping):
        raise reader.fail("the whole", "must be a table", "See docs/rules.md for examples.")
    reader.known(tables, _KEYS, "")
    types = reader.table(tables, "type", 'type = {"ImageNet" = "Dataset"}')
    papers = reader.table(tables, "paper", '[paper."2401.00001"]')
    return Rules(
        same=reader.groups(tables, "same"),
        different=reader.groups(tables, "different"),
        types={name: reader.choice(ConceptType, kind, f'type."{name}"') for name, kind in types.items()},
        drop=reader.names(tables.get("drop", []), "drop", 'drop = ["our net"]'),
        papers={name: reader.paper(name, table) for name, table in papers.items()},
        record=dict(tables),
        lines=tuple(text.splitlines()),
        file=os.path.basename(file),  # noqa: PTH119
    )


class _Reader:
    """Checks the tables of one file."""

    def __init__(self, file: str) -> None:
        self._file = file

    def fail(self, key: str, problem: str, hint: str) -> RulesError:
        return RulesError(f"{self._file}: {key} {problem}", hint=hint)

    def known(self, table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
        for key in table:
            if key not in keys:
                raise self.fail(f"{where}{key}", "is no rule", f"Rules are {', '.join(keys)}.")

    def table(self, tables: Mapping[str, Any], key: str, example: str) -> Mapping[str, Any]:
        found = tables.get(key, {})
        if not isinstance(found, Mapping):
            raise self.fail(key, "must be a table", f"Write it so: {example}")
        return found

    def names(self, value: Any, key: str, example: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(name, str) and name_key(name) for name in value):
            raise self.fail(key, "must be a list of names", f"Write it so: {example}")
        return tuple(value)

    def groups(self, tables: Mapping[str, Any], key: str) -> tuple[tuple[str, ...], ...]:
        example = f'{key} = [["GNN", "graph neural network"]]'
        found = tables.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, list) for item in found):
            raise self.fail(key, "must be a list of lists of names", f"Write it so: {example}")
        groups = tuple(self.names(item, key, example) for item in found)
        if any(len(set(map(clean_name, names))) < 2 for names in groups):
            raise self.fail(key, "needs two different names in each of its lists", f"Write it so: {example}")
        return groups

    def choice(self, kinds: type[Any], value: Any, key: str) -> Any:
        names = [item.value for item in kinds]
        for name in names:
            if isinstance(value, str) and value.casefold() == name.casefold():
                return kinds(name)
        raise self.fail(key, f"cannot be {value!r}", f"It is one of {', '.join(names)}.")

    def paper(self, name: str, table: Any) -> PaperRules:
        where = f'paper."{name}".'
        if not isinstance(table, Mapping):
            raise self.fail(f'paper."{name}"', "must be a table", f'Write it so: [paper."{name}"]')
        self.known(table, _PAPER_KEYS, where)
        roles = self.table(table, "roles", 'roles."Transformer" = ["proposes"]')
        links = self.table(table, "links", 'links."https://github.com/o/r" = "official"')
        return PaperRules(
            roles={key: self._roles(value, f'{where}roles."{key}"') for key, value in roles.items()},
            links={
                key: None if value is False else self.choice(CodeRole, value, f'{where}links."{key}"')
                for key, value in links.items()
            },
            relations=tuple(self._relations(table.get("relations", []), f"{where}relations")),
        )

    def _roles(self, value: Any, key: str) -> tuple[Role, ...] | None:
        if value is False:
            return None
        if not isinstance(value, list):
            raise self.fail(key, "must be a list of roles, or false", f'Write it so: {key} = ["uses"]')
        return tuple(self.choice(Role, role, key) for role in value)

    def _relations(self, value: Any, key: str) -> Iterator[StatedRelation]:
        example = f'Write it so: relations = [["LoRA", "used-for", "fine-tuning"]] (or "{_NOT}used-for")'
        if not isinstance(value, list):
            raise self.fail(key, "must be a list of [head, relation, tail]", example)
        for item in value:
            if not isinstance(item, list) or len(item) != 3 or not all(isinstance(x, str) for x in item):
                raise self.fail(key, f"cannot hold {item!r}", example)
            head, relation, tail = item
            kind = self.choice(RelationType, relation.removeprefix(_NOT), key)
            yield StatedRelation(head, kind, tail, not relation.startswith(_NOT))


def paper_ids(paper: Paper) -> frozenset[str]:
    """Everything that a paper can be named by: node id, DOI, arXiv id, ids of the input; without case."""
    arxiv = (paper.arxiv_id, f"arxiv:{paper.arxiv_id}") if paper.arxiv_id else ()
    doi = (paper.doi, f"doi:{paper.doi}") if paper.doi else ()
    return frozenset(name.casefold() for name in (paper.id, *arxiv, *doi, *paper.source_ids))


def _line(lines: Iterable[str], section: str, name: str) -> int:
    """The first line from the section's own on that holds the name; the section's if none does."""
    start = 0
    opening = re.compile(rf"\s*\[?\s*{re.escape(section)}\b")
    for number, line in enumerate(lines, start=1):
        if not start and opening.match(line):
            start = number
        if start and name in line:
            return number
    return max(start, 1)
