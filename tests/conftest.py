"""Shared fixtures: where the annotated data lies, and what a test needs of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A machine that is busy is no fault of the code; what must be quick has a test of its own.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

#: How Chromium starts in tests: nothing in the background.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
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


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium with an empty profile; the test is skipped where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        if required("browser"):
            pytest.fail("there is no Chromium, and KG_TEST_REQUIRE asks for it")
        pytest.skip("there is no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()
