"""Fixtures of the tests of faults: the command line in this process, over the quick extractor."""

from __future__ import annotations

from tests.cli.conftest import _fake_extractor, graph_file, kg

__all__ = ["_fake_extractor", "graph_file", "kg"]
