"""Extractions that were made before, kept in SQLite by content and extractor version; and graph files.

What an extractor sees of a paper (title, abstract, code addresses, status) and its version
(`extractors.version`) make the key; the rest of the paper is the caller's, so that the same abstract under
another id is a hit. Values hold offsets instead of the text. The file lies in the user's cache folder, or in
the folder that the environment variable `KG_CACHE` names; several processes may use it at once. What a graph
file's key and value are, `kg.built` knows; of these, only the latest are kept, of limited size together.

A cache never stops a run: where it cannot be used, one warning says so and the run goes on without. A damaged
file is set aside under its name with `.damaged` at the end.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from kg.errors import CacheError
from kg.records import pack_extraction, unpack_extraction
from kg.schema import Extraction, Paper

__all__ = ["GRAPHS", "Cache", "Contents", "cache_path", "clear", "contents", "seen"]

_LOG = logging.getLogger("kg")

_VARIABLE = "KG_CACHE"
#: The number is that of the layout.
_NAME = "extractions-1.sqlite3"
_SECONDS = 30.0  # to wait for another process
_VARIABLES = 500  # of one statement; older SQLite allows 999
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_OWN = ("id", "title", "text")
#: All graph files together take no more bytes.
GRAPHS = 1 << 28
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS extractions "
    "(key BLOB PRIMARY KEY, extractor TEXT NOT NULL, value BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS graphs (key BLOB PRIMARY KEY, value BLOB NOT NULL)",
)
_DROP_OLDEST = """
DELETE FROM graphs WHERE rowid NOT IN (
    SELECT rowid FROM (SELECT rowid, sum(length(value)) OVER (ORDER BY rowid DESC) AS total FROM graphs)
    WHERE total <= ?
)
"""


def cache_path() -> Path:
    """The file of the cache, whether it exists or not.

    Raises:
        CacheError: there is no home folder to keep it in.
    """
    if folder := os.environ.get(_VARIABLE):
        return Path(folder) / _NAME
    from platformdirs import user_cache_path

    path = user_cache_path("paperkg", appauthor=False)
    if not path.is_absolute():
        raise CacheError("there is no home folder for the cache", hint=f"Name a folder in {_VARIABLE}.")
    return path / _NAME


def seen(paper: Paper) -> tuple[object, ...]:
    """What an extractor sees of a paper: equal values give equal extractions."""
    return paper.title, paper.abstract, paper.code_urls, paper.status


class Cache:
    """The extractions of one version of the extractor.

    Nothing is created before something is stored, and no method raises where the file cannot be used.
    """

    def __init__(self, version: str) -> None:
        self._version = version
        self._prefix = f"{version}\0".encode()
        self._usable = True
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; what was stored stays."""
        if self._connection:
            self._connection.close()
        self._connection = None

    def known(self, papers: Sequence[Paper]) -> list[bool]:
        """Whether there is an extraction for each paper, as far as one can tell without reading it."""
        keys = [self._key(paper) for paper in papers]
        found = {row[0] for row in self._rows("key", keys)}
        return [key in found for key in keys]

    def get(self, papers: Sequence[Paper]) -> list[Extraction | None]:
        """The extraction of each paper, with the paper's own id and title; None where there is none."""
        keys = [self._key(paper) for paper in papers]
        found = dict(self._rows("key, value", keys))
        return [
            _opened(paper, found[key]) if key in found else None
            for paper, key in zip(papers, keys, strict=True)
        ]

    def put(self, pairs: Iterable[tuple[Paper, Extraction]]) -> None:
        """Keeps extractions, all or none of them, and for good when it returns."""
        rows = [
            (self._key(paper), self._version, value)
            for paper, extraction in pairs
            if (value := _closed(paper, extraction)) is not None
        ]
        if rows:
            self._write(("INSERT OR REPLACE INTO extractions VALUES (?, ?, ?)", rows))

    def graph(self, key: bytes) -> bytes | None:
        """What was kept under the key of a graph file."""
        rows = self._rows("value", [key], table="graphs")
        return rows[0][0] if rows else None

    def put_graph(self, key: bytes, value: bytes) -> None:
        """Keeps a graph file, if it is not too large; the oldest ones make room for it."""
        if len(value) <= GRAPHS:
            insert = ("INSERT OR REPLACE INTO graphs VALUES (?, ?)", [(key, value)])
            self._write(insert, (_DROP_OLDEST, [(GRAPHS,)]))

    def _write(self, *statements: tuple[str, Sequence[tuple[object, ...]]]) -> None:
        """Runs statements over their rows, all or none of them."""
        if connection := self._opened(create=True):
            try:
                with connection:
                    for statement, rows in statements:
                        connection.executemany(statement, rows)
            except sqlite3.Error as error:
                self._give_up(error)

    def _key(self, paper: Paper) -> bytes:
        return blake2b(self._prefix + json.dumps(seen(paper)).encode(), digest_size=16).digest()

    def _rows(self, columns: str, keys: Sequence[bytes], *, table: str = "extractions") -> list[Any]:
        rows: list[Any] = []
        for start in range(0, len(keys), _VARIABLES):
            part = keys[start : start + _VARIABLES]
            connection = self._opened(create=False)
            if not connection:
                return []
            marks = ",".join("?" * len(part))
            try:
                rows += connection.execute(
                    f"SELECT {columns} FROM {table} WHERE key IN ({marks})", part
                ).fetchall()
            except sqlite3.Error as error:
                self._give_up(error)
        return rows

    def _opened(self, *, create: bool) -> sqlite3.Connection | None:
        """The open file; None where there is none yet, or it cannot be used."""
        if self._connection or not self._usable:
            return self._connection
        try:
            path = cache_path()
            if create or path.exists():
                self._connection = _connect(path)
        except (OSError, sqlite3.Error, CacheError) as error:
            self._give_up(error)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        """Warns once, sets a damaged file aside, and goes on without the cache."""
        self.close()
        self._usable = False
        if not _is_damage(error):
            _LOG.warning("the cache of extractions cannot be used, going on without it: %s", error)
            return
        path = cache_path()
        aside = _set_aside(path)
        _LOG.warning("the cache of extractions %s is damaged and %s; going on without it", path, aside)


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_SECONDS, check_same_thread=False)
    try:
        # Write-ahead logging: readers and a writer do not wait for each other, and a killed process leaves
        # a file that is whole.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        for table in _SCHEMA:
            connection.execute(table)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_damage(error: Exception) -> bool:
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def _set_aside(path: Path) -> str:
    """Moves a damaged file out of the way; says what became of it."""
    try:
        path.replace(f"{path}.damaged")
        for ending in ("-wal", "-shm"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
    except OSError as error:
        return f"cannot be moved ({error.strerror})"
    return "was set aside"


def _closed(paper: Paper, extraction: Extraction) -> bytes | None:
    packed = pack_extraction(paper, extraction)
    try:
        return zlib.compress(
            orjson.dumps({name: value for name, value in packed.items() if name not in _OWN})
        )
    except TypeError:  # half a surrogate pair, which no file can hold
        return None


def _opened(paper: Paper, value: bytes) -> Extraction | None:
    try:
        return unpack_extraction(paper, orjson.loads(zlib.decompress(value)))
    except (zlib.error, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


@dataclass(frozen=True, slots=True)
class Contents:
    """What the cache holds: its file, its size in bytes, extractions of each version, and graph files."""

    path: Path
    size: int
    extractions: Mapping[str, int]
    graphs: int


def contents() -> Contents:
    """What the cache holds now.

    Raises:
        CacheError: the file cannot be read.
    """
    path = cache_path()
    if not path.exists():
        return Contents(path, 0, {}, 0)
    counts = _run(path, "SELECT extractor, count(*) FROM extractions GROUP BY extractor ORDER BY extractor")
    ((size,),) = _run(path, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    ((graphs,),) = _run(path, "SELECT count(*) FROM graphs")
    return Contents(path, size, dict(counts), graphs)


def clear() -> Contents:
    """Empties the cache; other processes may go on using it. Gives what it held.

    Raises:
        CacheError: the file cannot be written.
    """
    held = contents()
    if held.size:
        _run(held.path, "DELETE FROM extractions")
        _run(held.path, "DELETE FROM graphs")
        _run(held.path, "VACUUM")
        _run(held.path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return held


def _run(path: Path, statement: str) -> list[Any]:
    try:
        with closing(_connect(path)) as connection, connection:
            return connection.execute(statement).fetchall()
    except (OSError, sqlite3.Error) as error:
        raise CacheError(f"the cache {path} cannot be used: {error}", hint="Delete the file.") from error
