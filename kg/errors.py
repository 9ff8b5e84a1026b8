"""Exceptions that a user of the library may want to catch.

KgError
├── InputError        an input that cannot be read at all (missing, wrong format, not text)
├── GraphFileError    a graph file that is damaged, of another kind or of a newer format
├── RulesError        a rules file that cannot be read or holds what is no rule
├── NotFoundError     a name or id that is not in the graph
├── CacheError        the cache of extractions cannot be read or emptied (a run goes on without it)
├── ExportError       a format that is unknown, or an output that cannot be written
├── ModelError        the shipped extractor model is missing or damaged
├── WorkerError       processes that read papers cannot be started, or die one after the other
├── EngineError       Spark is missing, cannot be started, or fails
├── QueryError        a query that is wrong, unknown, or that would write
└── ServerError       a Neo4j server that is away, refuses, or fails

The command line turns each into one line: what is wrong, where, and what to do. A single bad record is
no exception: readers return it as a `kg.schema.Rejected`.
"""

from __future__ import annotations

__all__ = [
    "CacheError",
    "EngineError",
    "ExportError",
    "GraphFileError",
    "InputError",
    "KgError",
    "ModelError",
    "NotFoundError",
    "QueryError",
    "RulesError",
    "ServerError",
    "WorkerError",
]


class KgError(Exception):
    """Base of every error that paperkg raises on purpose.

    `hint` says what to do about it, in one sentence; it may be empty.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(KgError):
    """An input cannot be read at all."""


class GraphFileError(KgError):
    """A graph file is damaged, is something else, or has a format that this version does not know."""


class RulesError(KgError):
    """A rules file cannot be read, or holds what is no rule."""


class NotFoundError(KgError):
    """A name or id is not in the graph."""


class ExportError(KgError):
    """An export format is unknown or its output cannot be written."""


class ModelError(KgError):
    """The extractor's weights are missing or damaged."""


class CacheError(KgError):
    """The cache of extractions cannot be read or emptied."""


class WorkerError(KgError):
    """Processes that read papers cannot be started, or die one after the other."""


class EngineError(KgError):
    """Spark is missing, cannot be started, or fails on the way."""


class QueryError(KgError):
    """A query is wrong, unknown, lacks a parameter, or would write."""


class ServerError(KgError):
    """A Neo4j server is away, refuses the login or the request, or fails on the way."""
