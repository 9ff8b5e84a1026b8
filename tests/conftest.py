"""Shared fixtures: where the annotated data lies, and what a test needs of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps stand-in extractors out of the user's cache, and tests apart."""
    monkeypatch.setenv("KG_CACHE", str(tmp_path_factory.mktemp("cache")))


def required(marker: str) -> bool:
    """Whether the environment forbids tests with this marker to skip."""
    return marker in os.environ.get("KG_TEST_REQUIRE", "").split(",")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of annotated data; the test is skipped where there is none."""
    if not SHARED.is_dir():
        if required("shared"):
            pytest.fail(f"the data folder {SHARED} is absent, and KG_TEST_REQUIRE asks for it")
        pytest.skip(f"the data folder {SHARED} is absent")
    return SHARED


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
