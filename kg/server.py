"""A Neo4j server: where it is, how to get in, and what its errors mean.

Addresses are those of the official driver: `bolt://` for one server, `neo4j://` for a cluster or Aura, with
`+s` for TLS and `+ssc` for TLS with a certificate that nobody signed. Needs Neo4j 5 or later; calendar
releases (2025.01 and on) are later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
)

from kg.errors import ServerError

__all__ = ["Settings", "connect", "explained", "settings"]

_DEFAULT_URI = "bolt://localhost:7687"
_OLDEST = 5
_CONNECT_SECONDS = 15
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to reach a database; without a name it is the user's home database."""

    uri: str = _DEFAULT_URI
    username: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str | None = None


def settings(
    environment: Mapping[str, str | None],
    *,
    uri: str | None = None,
    username: str | None = None,
    database: str | None = None,
) -> Settings:
    """What was asked for, else what `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE` say.

    Raises:
        ServerError: the address is none that the driver knows.
    """
    found = Settings(
        uri=uri or environment.get("NEO4J_URI") or _DEFAULT_URI,
        username=username or environment.get("NEO4J_USERNAME") or "neo4j",
        password=environment.get("NEO4J_PASSWORD") or "",
        database=database or environment.get("NEO4J_DATABASE") or None,
    )
    scheme, separator, host = found.uri.partition("://")
    if scheme not in _SCHEMES or not separator or not host:
        raise ServerError(
            f"{found.uri!r} is no address of a Neo4j server",
            hint=f"Name one like {_DEFAULT_URI}; the first part may be {', '.join(_SCHEMES)}.",
        )
    return found


@contextmanager
def connect(settings: Settings) -> Iterator[Driver]:
    """A driver whose server answers, lets us in, and is new enough.

    Raises:
        ServerError: it is away, refuses, or is too old; also for what happens inside the `with` block.
    """
    with explained(settings), _driver(settings) as driver:
        driver.verify_connectivity()
        _check_version(str(driver.get_server_info().agent))
        yield driver


def _driver(settings: Settings) -> Driver:
    return GraphDatabase.driver(
        settings.uri,
        auth=(settings.username, settings.password),
        connection_timeout=_CONNECT_SECONDS,
        notifications_min_severity="OFF",
    )


def _check_version(agent: str) -> None:
    """Refuses a server before Neo4j 5; `agent` is such as "Neo4j/5.26.12"."""
    number = re.match(r"Neo4j/(\d+)\.", agent)
    if number and int(number[1]) < _OLDEST:
        raise ServerError(f"the server is {agent}; Neo4j 5 or later is needed", hint="Update the server.")


@contextmanager
def explained(settings: Settings) -> Iterator[None]:
    """Turns the driver's errors inside the block into a `ServerError` that says what to do."""
    try:
        yield
    except (DriverError, Neo4jError, OSError) as error:
        raise _explanation(error, settings) from error


def _explanation(error: Exception, settings: Settings) -> ServerError:
    place = settings.uri
    if isinstance(error, AuthError):
        return _login(error, settings)
    if isinstance(error, ClientError):
        return _refusal(error, settings)
    if isinstance(error, ConfigurationError | ValueError):
        return ServerError(f"cannot use {place}: {_line(error)}", hint="Check the address.")
    if isinstance(error, ServiceUnavailable | OSError):
        return _absence(error, settings)
    return ServerError(f"{place} failed: {_line(error)}", hint="Run the same command again.")


def _login(error: AuthError, settings: Settings) -> ServerError:
    if "Forbidden" in (error.code or ""):
        return _no_rights(error, settings)
    if "AuthenticationRateLimit" in (error.code or ""):
        return ServerError(
            f"{settings.uri} refuses logins of {settings.username!r} after too many wrong ones",
            hint="Wait some seconds, then check NEO4J_PASSWORD.",
        )
    return ServerError(
        f"{settings.uri} does not accept the password of {settings.username!r}",
        hint="Check NEO4J_USERNAME and NEO4J_PASSWORD (in the environment or in .env).",
    )


def _no_rights(error: Neo4jError, settings: Settings) -> ServerError:
    return ServerError(
        f"{settings.username!r} may not do that on {settings.uri}: {_line(error)}",
        hint="Ask the administrator for rights to write data and schema, or log in as somebody else.",
    )


def _refusal(error: ClientError, settings: Settings) -> ServerError:
    code = error.code or ""
    if "DatabaseNotFound" in code or "Database.Unavailable" in code:
        name = settings.database or "the home database"
        return ServerError(
            f"{settings.uri} has no database {name!r} that is online",
            hint="Leave out --database and NEO4J_DATABASE; Community edition has but one database.",
        )
    if "Forbidden" in code:
        return _no_rights(error, settings)
    return ServerError(f"{settings.uri} refused: {_line(error)}", hint="Check the server's log.")


def _absence(error: Exception, settings: Settings) -> ServerError:
    """Why nobody answers: TLS on one side only, no routing, or no server."""
    text = _line(error)
    scheme, _, host = settings.uri.partition("://")
    if re.search(r"ssl|certificate|tls", f"{text} {_line(error.__cause__)}", re.IGNORECASE):
        return ServerError(
            f"no TLS connection to {settings.uri}: {text}",
            hint=f"For a server without TLS use {scheme.partition('+')[0]}://, "
            f"for a certificate that nobody signed {scheme.partition('+')[0]}+ssc://.",
        )
    if re.search("routing", text, re.IGNORECASE):
        return ServerError(
            f"{settings.uri} gives no routing table that can be reached: {text}",
            hint=f"For a single server use bolt://{host} in place of neo4j://.",
        )
    return ServerError(
        f"no answer from {settings.uri}: {text}",
        hint=f"Start the server, or name its address with --uri; with TLS it is {scheme.partition('+')[0]}+s://.",
    )


def _line(error: BaseException | None) -> str:
    """The first line of an error's own words."""
    text = (getattr(error, "message", None) or str(error or "")).strip()
    return text.splitlines()[0].rstrip(" :") if text else type(error).__name__
