"""Fixtures of the documentation's tests: one folder and one cache for all pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.stand_ins import prepare


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all pages: the same papers are read once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """The folder that each page gets a copy of."""
    return prepare(tmp_path_factory.mktemp("documentation") / "home", cache=cache)
