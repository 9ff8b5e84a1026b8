"""`kg push`: options, environment, summary; `tests/neo4j/` pushes to real servers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg import push as library
from kg.push import Report
from kg.server import Settings
from tests.cli.conftest import Kg


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the library's push was called with; it reports numbers of its own."""
    found: list[dict[str, Any]] = []

    def push(graph: object, settings: Settings, **options: Any) -> Report:
        options["progress"](1, 2)
        found.append({"settings": settings, **options})
        return Report(
            nodes=10,
            relations=11,
            created_nodes=1,
            changed_relations=2,
            stale_nodes=3,
            stale_relations=4,
            pruned_nodes=2,
            pruned_relations=4,
        )

    monkeypatch.setattr(library, "push", push)
    for name in ("URI", "USERNAME", "PASSWORD", "DATABASE"):
        monkeypatch.delenv(f"NEO4J_{name}", raising=False)
    return found


def test_settings_come_from_dotenv_and_the_environment_wins(
    kg: Kg, graph_file: str, calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".env").write_text(
        "NEO4J_URI=bolt://a\nNEO4J_PASSWORD='p # q'\nNEO4J_DATABASE=x\n", encoding="utf-8"
    )
    monkeypatch.setenv("NEO4J_URI", "bolt://b")
    done = kg("push", graph_file, "--database", "y")
    assert done.exit_code == 0, done.stderr
    assert calls[0]["settings"] == Settings(uri="bolt://b", password="p # q", database="y")
    assert {key: calls[0][key] for key in ("collection", "prune", "batch", "dry_run")} == {
        "collection": "default",
        "prune": False,
        "batch": 2000,
        "dry_run": False,
    }
    assert "p # q" not in done.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            [],
            "10 nodes: 1 created, 0 changed\n11 relations: 0 created, 2 changed\n3 nodes and 4 relations of "
            "collection default are no longer in the graph; --prune takes them away\n",
        ),
        (
            ["--prune"],
            "10 nodes: 1 created, 0 changed\n11 relations: 0 created, 2 changed\n"
            "pruned: 2 nodes and 4 relations of collection default\n"
            "kept: 1 nodes that other collections or others' relations hold\n",
        ),
        (
            ["--dry-run", "--collection", "c"],
            "10 nodes: 1 to create\n11 relations: 0 to create\n"
            "3 nodes and 4 relations of collection c are no longer in the graph; --prune takes them away\n",
        ),
        (["-q"], ""),
    ],
)
def test_the_summary_says_what_was_done(
    options: list[str], told: str, kg: Kg, graph_file: str, calls: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "p")
    done = kg("push", graph_file, *options)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.partition("bolt://")[0] == told


def test_without_a_password_and_a_terminal_it_is_wrong_usage(
    kg: Kg, graph_file: str, calls: list[object]
) -> None:
    done = kg("push", graph_file)
    assert (done.exit_code, calls) == (2, [])
    assert "no password for 'neo4j'" in done.stderr


def test_no_option_takes_a_password(kg: Kg, graph_file: str, calls: object) -> None:
    assert kg("push", graph_file, "--password", "p").exit_code == 2


def test_a_server_that_is_away_is_one_line(kg: Kg, graph_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "p")
    done = kg("push", graph_file, "--uri", "bolt://127.0.0.1:1")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: no answer from bolt://127.0.0.1:1: ")
    assert done.stderr.count("\n") == 1
