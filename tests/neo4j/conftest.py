"""Real servers of both lines for the tests, one at a time, and an empty database for each test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, LiteralString

import pytest
from neo4j import Driver, GraphDatabase

import kg
from kg.server import Settings
from kg.store import Graph
from tests.conftest import required
from tests.neo4j.server import LINES, PASSWORD, Server, java_of, running

ROOT = Path(__file__).resolve().parents[2]
GIVEN = os.environ.get("KG_TEST_NEO4J_URI")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests of one server in one process."""
    for item in items:
        if item.get_closest_marker("neo4j"):
            line = getattr(item, "callspec", None) and item.callspec.params.get("server", "")  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.xdist_group(f"neo4j-{line or 'other'}"))


def need_server(line: str) -> None:
    """Skips where no server of a line can run, or fails if the environment asks for one."""
    lacking = [] if shutil.which("mvn") else ["Maven (mvn)"]
    lacking += [] if java_of(line) else [f"Java {LINES[line][1]} or newer"]
    if lacking and required("neo4j"):
        pytest.fail(f"no {' and no '.join(lacking)}, and KG_TEST_REQUIRE asks for it")
    if lacking:
        pytest.skip(f"no {' and no '.join(lacking)} for a Neo4j server")


@pytest.fixture(scope="session", params=["given"] if GIVEN else list(LINES))
def server(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """The settings of a running server."""
    if GIVEN:
        password = os.environ.get("NEO4J_PASSWORD", "")
        username = os.environ.get("NEO4J_USERNAME", "neo4j")
        given = Settings(uri=GIVEN, username=username, password=password)
        _refuse_data(given)
        yield given
        with open_driver(given) as driver:
            empty(driver)
        return
    need_server(request.param)
    with running(request.param) as started:
        yield settings_of(started)


@pytest.fixture(scope="session")
def seeds_graph() -> Graph:
    """The graph of the papers that come along, as the shipped extractor reads them."""
    return kg.build(ROOT / "seeds", workers=1, cache=False)


@pytest.fixture
def browser_page(server: Settings, browser: Any) -> Iterator[Any]:
    """A page of Chromium with Neo4j Browser, which a server offers at its HTTP address."""
    with open_driver(server) as driver:
        ports = driver.execute_query(
            "SHOW SETTINGS YIELD name, value WHERE name = 'server.http.advertised_address' RETURN value"
        )
    host, _, port = ports.records[0][0].rpartition(":")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.route("**/*", lambda route: route.continue_() if _is_local(route.request.url) else route.abort())
    page.goto(f"http://{host or '127.0.0.1'}:{port}/browser/")
    yield page
    page.close()


def _is_local(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:"))


def settings_of(server: Server) -> Settings:
    """How to reach a server of ours."""
    return Settings(uri=server.uri, password=PASSWORD)


def _refuse_data(given: Settings) -> None:
    """Keeps the tests, which delete everything, away from a database that is in use."""
    with open_driver(given) as driver:
        if driver.execute_query("MATCH (n) RETURN count(n)").records[0][0]:
            pytest.fail(f"the database at {given.uri} is not empty; the tests would delete what it holds")


def open_driver(settings: Settings) -> Driver:
    """A driver, to be closed by the caller."""
    return GraphDatabase.driver(settings.uri, auth=(settings.username, settings.password))


@pytest.fixture
def database(server: Settings) -> Iterator[Driver]:
    """A driver to a database without data."""
    with open_driver(server) as driver:
        empty(driver)
        yield driver


@pytest.fixture
def bare(database: Driver) -> Iterator[Driver]:
    """A driver to a database without data, constraints and indexes."""
    _drop_schema(database)
    yield database
    empty(database)
    _drop_schema(database)


def _drop_schema(database: Driver) -> None:
    for name in _names(database, "SHOW CONSTRAINTS YIELD name"):
        database.execute_query(f"DROP CONSTRAINT `{name}`")
    for name in _names(database, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        database.execute_query(f"DROP INDEX `{name}`")


def _names(driver: Driver, query: LiteralString) -> list[str]:
    return [row[0] for row in driver.execute_query(query).records]


def empty(driver: Driver) -> None:
    """Deletes every node and relation."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
