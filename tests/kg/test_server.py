"""How to reach a server, and what its errors mean."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from kg.errors import ServerError
from kg.server import Settings, _check_version, connect, explained, settings

URI = "neo4j://db.example:7687"


def test_options_go_before_the_environment_and_that_before_defaults() -> None:
    environment = {"NEO4J_URI": URI, "NEO4J_USERNAME": "eve", "NEO4J_PASSWORD": "p", "NEO4J_DATABASE": ""}
    assert settings(environment) == Settings(uri=URI, username="eve", password="p")
    assert settings(environment, uri="bolt+s://x", username="ann", database="papers") == Settings(
        uri="bolt+s://x", username="ann", password="p", database="papers"
    )
    assert settings({}) == Settings(uri="bolt://localhost:7687", username="neo4j", password="")


def test_the_password_is_not_shown() -> None:
    assert "secret" not in repr(settings({"NEO4J_PASSWORD": "secret"}))


@pytest.mark.parametrize("uri", ["localhost:7687", "http://localhost:7474", "bolt://", "bolt"])
def test_an_address_that_is_none_is_refused(uri: str) -> None:
    with pytest.raises(ServerError, match="is no address of a Neo4j server"):
        settings({}, uri=uri)


def coded(kind: type[Neo4jError], code: str) -> Neo4jError:
    """An error as the server sends it."""
    sent: type[Neo4jError] = type("Sent", (kind,), {"code": code, "message": "told\nin lines"})
    return sent()


@pytest.mark.parametrize(
    ("error", "told", "hint"),
    [
        pytest.param(
            AuthError("wrong"), "does not accept the password of 'neo4j'", "NEO4J_PASSWORD", id="password"
        ),
        pytest.param(
            coded(AuthError, "Neo.ClientError.Security.AuthenticationRateLimit"),
            "after too many wrong ones",
            "Wait",
            id="rate",
        ),
        pytest.param(
            coded(ClientError, "Neo.ClientError.Database.DatabaseNotFound"),
            "has no database 'papers'",
            "--database",
            id="c6-14",
        ),
        pytest.param(
            coded(ClientError, "Neo.ClientError.Security.Forbidden"), "may not do that", "rights", id="rights"
        ),
        pytest.param(
            ServiceUnavailable("Unable to retrieve routing information"),
            "no routing table",
            "use bolt://db.example:7687",
            id="c6-13",
        ),
        pytest.param(
            ServiceUnavailable("[SSL: WRONG_VERSION_NUMBER]"), "no TLS connection", "neo4j+ssc://", id="tls"
        ),
        pytest.param(ServiceUnavailable("gone"), "no answer from", "--uri", id="away"),
        pytest.param(SessionExpired("lost"), "failed: lost", "again", id="lost"),
        pytest.param(ConfigurationError("odd"), "cannot use", "address", id="configuration"),
        pytest.param(coded(ClientError, "Neo.ClientError.General.X"), "refused: told", "log", id="other"),
    ],
)
def test_errors_are_one_line_with_the_fix(error: Exception, told: str, hint: str) -> None:
    with (
        pytest.raises(ServerError) as caught,
        explained(Settings(uri=URI, password="p", database="papers")),
    ):
        raise error
    assert told in caught.value.message
    assert hint in caught.value.hint
    assert "\n" not in caught.value.message


def test_nobody_there_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (
        pytest.raises(ServerError, match=f"no answer from bolt://127.0.0.1:{port}"),
        connect(Settings(uri=f"bolt://127.0.0.1:{port}", password="p")),
    ):
        pass


@pytest.mark.parametrize("agent", ["Neo4j/5.0.0", "Neo4j/5.26.12", "Neo4j/2026.05.0", "Other/1.0", ""])
def test_new_servers_are_welcome(agent: str) -> None:
    _check_version(agent)


@pytest.mark.parametrize("agent", ["Neo4j/4.4.38", "Neo4j/3.5.0"])
def test_old_servers_are_refused(agent: str) -> None:
    with pytest.raises(ServerError, match="Neo4j 5 or later is needed"):
        _check_version(agent)


def test_other_errors_pass() -> None:
    def fail() -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), explained(Settings()):
        fail()
