"""The cache of extractions: what it gives back, and that it never stops a run."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from kg.cache import Cache, cache_path, clear, contents
from kg.errors import CacheError
from kg.schema import Extraction, Paper
from tests.kg.build import read

ROOT = Path(__file__).resolve().parents[2]
PAPER, EXTRACTION = read(
    "We propose UPGNET. Code: https://github.com/Lab/UPG.",
    {"UPGNET": ("Method", ["UPG"], ["proposes"]), "coding": ("Task", [], [])},
    title="On UPG",
    relations=[("UPGNET", "used-for", "coding")],
    links=[("https://github.com/Lab/UPG", "official")],
    source_ids=("17",),
    year=2025,
)
OTHER = read("Nothing.", {}, doi="10.1/x")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def cache(folder: Path) -> Iterator[Cache]:
    with Cache("v1") as opened:
        yield opened


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_an_extraction_comes_back_whole(cache: Cache) -> None:
    cache.put([(PAPER, EXTRACTION)])
    assert cache.get([PAPER, OTHER[0]]) == [EXTRACTION, None]
    assert cache.known([OTHER[0], PAPER]) == [False, True]


def test_it_is_there_for_the_next_process(cache: Cache) -> None:
    cache.put([(PAPER, EXTRACTION), OTHER])
    with Cache("v1") as again:
        assert again.get([PAPER, OTHER[0]]) == [EXTRACTION, OTHER[1]]


def test_id_is_that_of_the_paper_at_hand(cache: Cache) -> None:
    cache.put([(PAPER, EXTRACTION)])
    same = replace(PAPER, source_ids=("99",), doi="10.1/upg", year=1999)
    assert cache.get([same]) == [replace(EXTRACTION, id="99")]


@pytest.mark.parametrize(
    "changed",
    [
        replace(PAPER, title="Another"),
        replace(PAPER, title=None),
        replace(PAPER, abstract="Another."),
        replace(PAPER, code_urls=("https://github.com/Lab/UPG",)),
        replace(PAPER, status="withdrawn"),
    ],
)
def test_whatever_the_extractor_sees_makes_another_paper(cache: Cache, changed: Paper) -> None:
    cache.put([(PAPER, EXTRACTION)])
    assert cache.get([changed]) == [None]


def test_another_extractor_finds_nothing(cache: Cache) -> None:
    cache.put([(PAPER, EXTRACTION)])
    with Cache("v2") as newer:
        assert newer.get([PAPER]) == [None]


def test_more_papers_than_one_statement_takes(cache: Cache) -> None:
    pairs = [read(f"Paper {number}.", {}) for number in range(1200)]
    cache.put(pairs)
    assert cache.get([paper for paper, _ in pairs]) == [extraction for _, extraction in pairs]


def test_reading_creates_no_file(cache: Cache, folder: Path) -> None:
    assert cache.get([PAPER]) == [None]
    assert not folder.exists()


def test_half_characters_are_not_kept(cache: Cache) -> None:
    paper = Paper(abstract="a \ud800b")
    concept = replace(EXTRACTION.concepts[0], name="\ud800b", mentions=())
    cache.put([(paper, Extraction(id=paper.id, title=None, text=paper.text, concepts=(concept,)))])
    assert cache.get([paper]) == [None]


def test_a_damaged_value_is_read_again(cache: Cache, folder: Path) -> None:
    cache.put([(PAPER, EXTRACTION)])
    with sqlite3.connect(cache_path()) as connection:
        connection.execute("UPDATE extractions SET value = x'00'")
    connection.close()
    assert cache.get([PAPER]) == [None]
    cache.put([(PAPER, EXTRACTION)])
    assert cache.get([PAPER]) == [EXTRACTION]


def _no_database(path: Path) -> None:
    path.write_bytes(b"no database at all" * 99)


def _torn(path: Path) -> None:
    with Cache("v1") as cache:
        cache.put([read(f"Paper {number} with some words.", {}) for number in range(300)])
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


@pytest.mark.parametrize("damage", [_no_database, _torn])
def test_a_damaged_file_is_set_aside_with_one_warning(
    folder: Path, caplog: pytest.LogCaptureFixture, damage: object
) -> None:
    folder.mkdir()
    damage(cache_path())  # type: ignore[operator]
    with Cache("v1") as cache:
        assert cache.get([PAPER]) == [None]
        cache.put([(PAPER, EXTRACTION)])
        assert cache.get([PAPER]) == [None]
    (told,) = warnings(caplog)
    assert told.endswith("is damaged and was set aside; going on without it")
    assert [path.name for path in folder.iterdir()] == ["extractions-1.sqlite3.damaged"]
    with Cache("v1") as cache:
        cache.put([(PAPER, EXTRACTION)])
        assert cache.get([PAPER]) == [EXTRACTION]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder it may not write")
def test_a_read_only_folder_is_one_warning(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.parent.chmod(0o500)
    with Cache("v1") as cache:
        cache.put([(PAPER, EXTRACTION)])
        cache.put([(PAPER, EXTRACTION)])
    folder.parent.chmod(0o700)
    assert len(warnings(caplog)) == 1


def test_a_place_that_is_no_folder_is_one_warning(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder.write_text("in the way", encoding="utf-8")
    with Cache("v1") as cache:
        assert cache.get([PAPER]) == [None]
        cache.put([(PAPER, EXTRACTION)])
        cache.put([(PAPER, EXTRACTION)])
    (told,) = warnings(caplog)
    assert told.startswith("the cache of extractions cannot be used, going on without it: ")


def test_without_a_home_folder_there_is_no_cache(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("KG_CACHE")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache/paperkg"))
    with Cache("v1") as cache:
        cache.put([(PAPER, EXTRACTION)])
    assert warnings(caplog) == [
        "the cache of extractions cannot be used, going on without it: there is no home folder for the cache"
    ]


def test_by_default_it_lies_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_CACHE", "")
    assert cache_path() == platformdirs.user_cache_path("paperkg", appauthor=False) / "extractions-1.sqlite3"


WRITING = """
import sys
from kg.cache import Cache
from tests.kg.build import read
with Cache("v1") as cache:
    for number in range(40):
        pairs = [read(f"Paper {number} {other} of {sys.argv[1]}.", {}) for other in range(5)]
        cache.put(pairs)
        assert cache.get([paper for paper, _ in pairs]) == [extraction for _, extraction in pairs]
"""


def test_several_processes_write_at_once(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITING, name], env=environment, stderr=subprocess.PIPE, text=True
        )
        for name in ("one", "two", "three")
    ]
    assert [writer.communicate(timeout=60)[1] for writer in writers] == ["", "", ""]
    assert contents().extractions == {"v1": 600}


def test_contents_and_clearing(cache: Cache, folder: Path) -> None:
    assert contents().extractions == {}
    cache.put([(PAPER, EXTRACTION), OTHER])
    with Cache("v2") as newer:
        newer.put([OTHER])
        newer.put_graph(b"key", b"value")
    held = contents()
    assert (held.path, held.size > 0) == (folder / "extractions-1.sqlite3", True)
    assert (held.extractions, held.graphs) == ({"v1": 2, "v2": 1}, 1)
    assert (clear().extractions, clear().graphs) == (held.extractions, 0)
    assert contents().extractions == {}
    assert cache.get([PAPER]) == [None]


def test_a_graph_file_comes_back(cache: Cache, folder: Path) -> None:
    assert cache.graph(b"key") is None
    assert not folder.exists()
    for value in (b"first", b"second"):
        cache.put_graph(b"key", value)
        assert (cache.graph(b"key"), cache.graph(b"other"), contents().graphs) == (value, None, 1)


def test_old_graph_files_make_room_for_new_ones(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.cache.GRAPHS", 10)
    for key, size in ((b"1", 4), (b"2", 4), (b"1", 5), (b"3", 5), (b"4", 11)):
        cache.put_graph(key, b"x" * size)
    assert [cache.graph(key) for key in (b"1", b"2", b"3", b"4")] == [b"x" * 5, None, b"x" * 5, None]


def test_clearing_what_is_no_database_is_refused(folder: Path) -> None:
    folder.mkdir()
    _no_database(cache_path())
    with pytest.raises(CacheError, match="cannot be used") as caught:
        clear()
    assert caught.value.hint == "Delete the file."
