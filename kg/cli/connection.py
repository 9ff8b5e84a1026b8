"""Options for a Neo4j server, and the password, which never stands on a command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from kg.server import Settings

__all__ = ["connection_options", "read_settings"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


def connection_options(command: _Command) -> _Command:
    """Adds --uri, --username and --database."""
    uri = click.option(
        "--uri", help="Address of the server. Else NEO4J_URI, else bolt://localhost:7687.", metavar="URI"
    )
    username = click.option("--username", help="Else NEO4J_USERNAME, else neo4j.", metavar="NAME")
    database = click.option(
        "--database", help="Else NEO4J_DATABASE, else the user's home database.", metavar="NAME"
    )
    return uri(username(database(command)))


def read_settings(uri: str | None, username: str | None, database: str | None) -> Settings:
    """The options, else the environment, else `.env` in the current folder; asks for a missing password.

    Raises:
        ServerError: the address is none.
        click.UsageError: there is no password and nobody to ask.
    """
    from dotenv import dotenv_values

    from kg.server import settings

    places = {**dotenv_values(Path(".env")), **os.environ}
    found = settings(places, uri=uri, username=username, database=database)
    return found if found.password else replace(found, password=_ask(found))


def _ask(found: Settings) -> str:
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"no password for {found.username!r}: set NEO4J_PASSWORD in the environment or in .env."
        )
    return str(click.prompt(f"Password of {found.username} at {found.uri}", hide_input=True, err=True))
