"""Files that were damaged on their way: graph files, the cache, and the database beside a graph file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.cache import cache_path
from tests.cli.conftest import Kg, papers

#: Commands that read a graph; each refuses a damaged one before anything else.
READERS = [
    ["stats", "GRAPH"],
    ["show", "GRAPH", "BERT"],
    ["search", "GRAPH", "b"],
    ["merges", "GRAPH"],
    ["report", "GRAPH"],
    ["trends", "GRAPH"],
    ["view", "GRAPH", "-o", "out"],
    ["export", "GRAPH", "--format", "csv", "-o", "out"],
    ["add", "GRAPH", "list.jsonl", "-o", "out"],
    ["remove", "GRAPH", "p1", "-o", "out"],
    ["diff", "GRAPH", "GRAPH"],
    ["query", "GRAPH", "MATCH (m:Method) RETURN m.name"],
]


def damaged(content: bytes, times: int) -> Iterator[bytes]:
    """The content with a bit flipped, or its end cut off, at random places."""
    chance = random.Random(11)
    for turn in range(times):
        place = chance.randrange(len(content))
        flipped = bytearray(content)
        flipped[place] ^= 1 << chance.randrange(8)
        yield bytes(flipped) if turn % 2 else content[:place]


@pytest.fixture
def lists(tmp_path: Path, kg: Kg) -> Path:
    (tmp_path / "list.jsonl").write_text(papers(5), encoding="utf-8")
    kg("build", "-q", "list.jsonl", "-o", "whole")
    return tmp_path


@pytest.mark.parametrize("arguments", READERS, ids=lambda arguments: arguments[0])
def test_a_damaged_graph_is_one_line_with_the_way_out(lists: Path, kg: Kg, arguments: list[str]) -> None:
    content = (lists / "whole").read_bytes()
    (lists / "GRAPH").write_bytes(content.replace(b"ResNet1", b"ResNet!", 1))
    done = kg(*arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: GRAPH is damaged: its content is not what was written. Build the")
    assert done.stderr.count("\n") == 1
    assert not (lists / "out").exists()


@pytest.mark.parametrize("name", ["plain", "packed.gz"])
def test_wherever_a_graph_is_damaged_it_is_refused_or_whole(lists: Path, kg: Kg, name: str) -> None:
    kg("build", "-q", "list.jsonl", "-o", name)
    expected = kg("stats", name, "--format", "json").stdout
    for content in damaged((lists / name).read_bytes(), 60):
        (lists / "bad").write_bytes(content)
        done = kg("stats", "bad", "--format", "json")
        refused = (done.exit_code, done.stderr.count("\n"), done.stderr[:11]) == (1, 1, "Error: bad ")
        refused = refused or done.stderr.startswith("Error: bad: damaged compressed file")
        assert refused or done.stdout == expected, done.stderr


def test_wherever_the_cache_is_damaged_a_build_gives_the_same(lists: Path, kg: Kg) -> None:
    path, graph = cache_path(), (lists / "whole").read_bytes()
    for ending in ("-wal", "-shm"):
        assert not Path(f"{path}{ending}").exists()
    whole = path.read_bytes()
    for content in damaged(whole, 80):
        path.write_bytes(content)
        done = kg("build", "-q", "list.jsonl", "-o", "again")
        assert done.exit_code == 0, done.stderr
        assert done.stderr.count("\n") <= 1
        assert (lists / "again").read_bytes() == graph
        for left in path.parent.iterdir():
            left.unlink()


@pytest.mark.parametrize("action", ["info", "clear"])
def test_looking_into_a_damaged_cache_is_one_line_at_most(lists: Path, kg: Kg, action: str) -> None:
    path = cache_path()
    whole = path.read_bytes()
    for content in damaged(whole, 60):
        path.write_bytes(content)
        done = kg("cache", action)
        assert "should not happen" not in done.stderr
        assert done.exit_code == 0 or done.stderr.startswith(f"Error: the cache {path} cannot be used: ")
        for left in path.parent.iterdir():
            left.unlink()
