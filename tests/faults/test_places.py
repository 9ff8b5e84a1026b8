"""Places that cannot be written: full disks, read-only folders, links to nowhere; and clocks set back."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, papers
from tests.faults.command import run

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and limits of POSIX")

#: Commands that write, with what they are given; the last argument is the output.
WRITERS = [
    pytest.param(["build", "list.jsonl", "-o"], id="build"),
    pytest.param(["extract", "list.jsonl", "-o"], id="extract"),
    pytest.param(["add", "GRAPH", "list.jsonl", "-o"], id="add"),
    pytest.param(["export", "GRAPH", "--format", "graphml", "-o"], id="export file"),
    pytest.param(["export", "GRAPH", "--format", "csv", "-o"], id="export folder"),
    pytest.param(["view", "GRAPH", "-o"], id="view"),
    pytest.param(["report", "GRAPH", "-o"], id="report"),
]


@pytest.fixture
def lists(tmp_path: Path, kg: Kg) -> Path:
    """A folder with a list, and its graph under another name."""
    (tmp_path / "list.jsonl").write_text(papers(40), encoding="utf-8")
    kg("build", "-q", "list.jsonl", "-o", "GRAPH")
    return tmp_path


def _small_files() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


@posix
@pytest.mark.parametrize("arguments", [["build", "list.jsonl", "-o"], ["view", "GRAPH", "-o"]])
def test_a_disk_that_takes_no_more_leaves_the_old_file(lists: Path, arguments: list[str]) -> None:
    (lists / "out").write_text("old", encoding="utf-8")
    before = sorted(lists.iterdir())
    done = run(*arguments, "out", cwd=lists, before=_small_files)
    assert done.returncode == 1
    told = done.stderr.decode().splitlines()
    assert told[-1].startswith("Error: cannot write out: File too large. Check the folder, its permissions")
    assert all(line.startswith("the cache of extractions cannot be used") for line in told[:-1])
    assert (lists / "out").read_text(encoding="utf-8") == "old"
    assert sorted(lists.iterdir()) == before


@posix
def test_a_disk_that_takes_no_more_leaves_no_half_of_the_seeds(tmp_path: Path, kg: Kg) -> None:
    done = run("seeds", cwd=tmp_path, before=_small_files)
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: cannot write seeds/README.md: File too large. Check the folder")
    assert list((tmp_path / "seeds").iterdir()) == []
    assert kg("-q", "seeds").exit_code == 0


@posix
def test_a_query_needs_no_room_beside_the_graph(lists: Path) -> None:
    done = run("query", "GRAPH", "MATCH (p:Paper) RETURN count(p) AS n", cwd=lists, before=_small_files)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"40" in done.stdout
    assert sorted(path.name for path in lists.iterdir()) == ["GRAPH", "list.jsonl"]


@pytest.mark.parametrize("arguments", WRITERS)
@pytest.mark.parametrize("place", ["none/out", "GRAPH/out"])
def test_a_place_that_is_none_is_one_line(lists: Path, kg: Kg, arguments: Sequence[str], place: str) -> None:
    done = kg(*arguments, place)
    assert done.exit_code == 1
    assert f"Error: cannot write {place}: " in done.stderr
    assert done.stderr.count("Error") == 1


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("arguments", WRITERS)
def test_a_read_only_folder_is_one_line(lists: Path, kg: Kg, arguments: Sequence[str]) -> None:
    (lists / "locked").mkdir(mode=0o500)
    done = kg(*arguments, "locked/out")
    assert done.exit_code == 1
    assert "Error: cannot write locked/out: Permission denied" in done.stderr


@posix
def test_links_are_followed_and_stay(lists: Path, kg: Kg) -> None:
    (lists / "kept").write_text("old", encoding="utf-8")
    (lists / "link").symlink_to("kept")
    (lists / "dangling").symlink_to("new")
    for name in ("link", "dangling"):
        assert kg("build", "-q", "list.jsonl", "-o", name).exit_code == 0
        assert (lists / name).is_symlink()
    graph = (lists / "GRAPH").read_bytes()
    assert [(lists / name).read_bytes() == graph for name in ("kept", "new")] == [True, True]


@posix
@pytest.mark.parametrize("target", ["none/out", "GRAPH/out", "loop"])
def test_a_link_to_nowhere_is_one_line(lists: Path, kg: Kg, target: str) -> None:
    (lists / "loop").symlink_to(target)
    done = kg("build", "-q", "list.jsonl", "-o", "loop")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: cannot write loop: ")
    assert done.stderr.count("\n") == 1
    assert (lists / "loop").is_symlink()


def test_files_from_the_future_are_read_and_replaced(lists: Path, kg: Kg) -> None:
    future = time.time() + 10 * 365 * 86_400
    graph = (lists / "GRAPH").read_bytes()
    for path in (*lists.iterdir(), *Path(os.environ["KG_CACHE"]).iterdir()):
        os.utime(path, (future, future))
    for command in (["build", "list.jsonl", "-o", "GRAPH"], ["add", "GRAPH", "list.jsonl"]):
        assert kg("-q", *command).exit_code == 0
        assert (lists / "GRAPH").read_bytes() == graph
