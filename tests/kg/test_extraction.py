"""From papers to extractions: what is read, what comes from the cache, and in how many processes."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

import extractors
from extractors import version
from kg import extraction
from kg.cache import cache_path, clear
from kg.extraction import Reading, read_papers, worker_count
from kg.schema import Extraction, Paper, Rejected
from tests.cli import fake

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The quick extractor; gives the ids of the papers that it has read."""
    read: list[str] = []

    def extract(papers: Iterable[Paper]) -> Iterator[Extraction]:
        for paper in papers:
            read.append(paper.record_id)
            yield from fake.pipeline.extract([paper])

    monkeypatch.setattr(extractors, "pipeline", SimpleNamespace(extract=extract), raising=False)
    monkeypatch.setattr(version, "extractor_version", fake.extractor_version)
    return read


def papers(*numbers: int) -> list[Paper]:
    return [Paper(abstract=f"We use NET{number}.", source_ids=(f"p{number}",)) for number in numbers]


def ids(given: list[Paper], **options: bool) -> list[str]:
    found = read_papers(given, **options)
    return [outcome.id for _, outcome in found if isinstance(outcome, Extraction)]


@pytest.mark.parametrize("cached", [True, False])
def test_each_paper_has_its_extraction_in_order(cached: bool) -> None:
    given = papers(*range(80), 3, 4)
    found = list(read_papers(given, cached=cached))
    assert [paper for paper, _ in found] == given
    assert [outcome.id for _, outcome in found if isinstance(outcome, Extraction)] == [
        p.record_id for p in given
    ]


def test_a_second_run_reads_nothing(reads: list[str]) -> None:
    first = list(read_papers(papers(*range(70))))
    reads.clear()
    assert list(read_papers(papers(*range(70)))) == first
    assert reads == []


def test_only_new_papers_are_read(reads: list[str]) -> None:
    ids(papers(1, 2, 3))
    reads.clear()
    assert ids(papers(9, 1, 8, 3, 7)) == ["p9", "p1", "p8", "p3", "p7"]
    assert reads == ["p9", "p8", "p7"]


def test_without_the_cache_everything_is_read_and_nothing_kept(reads: list[str]) -> None:
    ids(papers(1, 2), cached=False)
    ids(papers(1, 2), cached=False)
    assert reads == ["p1", "p2"] * 2
    assert not cache_path().exists()


def test_another_extractor_reads_everything_again(reads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ids(papers(1, 2))
    monkeypatch.setattr(version, "extractor_version", lambda: "newer")
    ids(papers(1, 2))
    assert reads == ["p1", "p2"] * 2


def test_what_another_process_clears_meanwhile_is_read_again(reads: list[str]) -> None:
    ids(papers(*range(600)))
    reads.clear()
    stream = read_papers(papers(*range(600)))
    next(stream)
    clear()
    assert len(list(stream)) == 599
    assert reads == [f"p{number}" for number in range(512, 600)]


def test_a_damaged_cache_costs_only_time(reads: list[str]) -> None:
    first = list(read_papers(papers(1, 2)))
    with sqlite3.connect(cache_path()) as connection:
        connection.execute("UPDATE extractions SET value = x'00'")
    connection.close()
    assert list(read_papers(papers(1, 2))) == first
    cache_path().write_bytes(b"rubbish" * 1000)
    assert list(read_papers(papers(1, 2))) == first


@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
@pytest.mark.parametrize("done", [pytest.param(70, id="c8-27")])
def test_what_was_read_before_an_interruption_is_kept(
    reads: list[str], done: int, stop: type[BaseException]
) -> None:
    stream = read_papers(papers(*range(100)))
    assert len(list(islice(stream, done))) == done
    with pytest.raises(stop):
        stream.throw(stop)  # type: ignore[attr-defined]
    reads.clear()
    assert len(list(read_papers(papers(*range(100))))) == 100
    assert reads == [f"p{number}" for number in range(96, 100)]


def test_a_paper_that_fails_is_rejected_and_tried_again_next_time(reads: list[str]) -> None:
    given = [*papers(*range(100)), Paper(abstract="fail", source_ids=("bad",))]
    told: list[Rejected] = []
    reading = Reading(on_rejected=told.append)
    assert [paper.record_id for paper, _ in reading.pairs(given)] == [f"p{number}" for number in range(100)]
    assert list(map(str, told)) == ["bad: the extractor failed: ZeroDivisionError: of the extractor"]
    reads.clear()
    assert len(list(reading.pairs(given))) == 100
    assert reads == ["bad"]


@pytest.mark.parametrize(
    ("paper", "told"),
    [
        (Paper(abstract="fail", source_ids=("bad",)), "list.jsonl, line 7: record 'bad': the extractor"),
        (Paper(abstract="fail", title="Of another record"), "list.jsonl, line 7: record 'paper:sha1:"),
        (Paper(abstract="die", source_ids=("bad",)), "bad: the extractor"),
    ],
)
def test_a_paper_that_fails_is_named_by_its_place(
    monkeypatch: pytest.MonkeyPatch, paper: Paper, told: str
) -> None:
    monkeypatch.setattr(extraction, "read_papers", lambda *_, **__: [(paper, "the extractor failed")])
    rejected: list[Rejected] = []
    reading = Reading(on_rejected=rejected.append, places={"fail": ("list.jsonl", 7)})
    assert list(reading.pairs([paper])) == []
    assert str(rejected[0]).startswith(told)


def test_a_rejected_paper_is_logged_where_nobody_asks(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="kg"):
        assert list(Reading().pairs([Paper(abstract="fail", source_ids=("bad",))])) == []
    assert "rejected bad: the extractor failed" in caplog.text


def test_progress_counts_rejected_papers(reads: list[str]) -> None:
    told: list[tuple[int, int]] = []
    reading = Reading(progress=lambda done, total: told.append((done, total)))
    list(reading.pairs([Paper(abstract="fail"), *papers(1)]))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("wanted", "count", "expected"),
    [
        (1, 10_000, 1),
        (4, 10_000, 4),
        (4, 33, 2),
        (4, 0, 1),
        ("auto", 10_000, 3),
        ("auto", 150, 1),
        ("auto", 0, 1),
    ],
)
def test_worker_count(wanted: int, count: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "available_processors", lambda: 3)
    assert worker_count(wanted, count) == expected


FULL_HIT = """
import sys
import kg
papers = [kg.Paper(abstract=f"We use NET{i}.") for i in range(500)]
if len(sys.argv) > 1:
    import extractors
    from tests.cli.fake import pipeline
    vars(extractors)["pipeline"] = pipeline
    kg.build(papers)
else:
    kg.build(papers, workers=4)
    print(sorted({"spacy", "thinc", "multiprocessing.popen_spawn_posix"} & set(sys.modules)))
"""


def test_if_the_cache_has_everything_neither_spacy_nor_a_process_is_started() -> None:
    for arguments in (["fill"], []):
        done = subprocess.run(
            [sys.executable, "-c", FULL_HIT, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
        )
    assert done.stdout == "[]\n"
