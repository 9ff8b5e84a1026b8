"""Graph files that were built before: the same bytes, without building, and never where something differs."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import replace
from types import SimpleNamespace

import pytest

import extractors
import kg
from extractors import version
from kg import built, update
from kg.built import GraphFile, Summary, build_file, build_key, graph_file
from kg.cache import cache_path, contents
from kg.extraction import Reading
from kg.rules import NO_RULES, Rules, parse_rules
from kg.schema import Paper
from kg.store import dumps
from tests.cli import fake

PAPERS = [
    Paper(abstract=f"We use NET{number} and BERT \ud800.", source_ids=(f"p{number}",), year=2000 + number)
    for number in range(3)
]
BAD = Paper(abstract="fail", source_ids=("bad",))
NAMED, IDLE = (parse_rules({"drop": [name]}) for name in ("BERT", "ELMo"))


@pytest.fixture(autouse=True)
def builds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The quick extractor; gives how many records each build that is not a copy has."""
    found: list[int] = []
    build = update.build

    def counted(papers: list[Paper], *, reading: Reading, min_score: float, rules: Rules) -> update.Built:
        found.append(len(papers))
        return build(papers, reading=reading, min_score=min_score, rules=rules)

    monkeypatch.setattr(update, "build", counted)
    monkeypatch.setattr(extractors, "pipeline", SimpleNamespace(extract=fake.pipeline.extract), raising=False)
    monkeypatch.setattr(version, "extractor_version", fake.extractor_version)
    return found


def run(*papers: Paper, cache: bool = True, rules: Rules = NAMED, min_score: float = 0.0) -> GraphFile:
    """A build; its bytes in one piece."""
    reading = Reading(cache=cache, on_rejected=str)
    file = build_file(papers, reading=reading, rules=rules, min_score=min_score)
    return replace(file, parts=[b"".join(file.parts)])


@pytest.mark.parametrize("papers", [PAPERS, PAPERS[:1], []])
def test_the_same_build_is_a_copy(builds: list[int], papers: list[Paper]) -> None:
    first = run(*papers, rules=NO_RULES)
    assert run(*papers, rules=NO_RULES) == first
    assert builds == [len(papers)]
    assert first.parts == [dumps(kg.build(papers, cache=False))]


def test_the_file_of_a_graph_sums_it_up() -> None:
    file = graph_file(kg.build([PAPERS[0], replace(PAPERS[1], code_urls=("https://github.com/o/r",))]))
    kinds = {"Method": 4, "Task": 0, "Dataset": 0, "Metric": 0, "Term": 0}
    assert file.summary == Summary(papers=2, papers_with_code=0, concepts=kinds, relations=6)


def test_without_the_cache_everything_is_built_and_nothing_kept(builds: list[int]) -> None:
    assert run(*PAPERS, cache=False) == run(*PAPERS, cache=False)
    assert builds == [3, 3]
    assert not cache_path().exists()


def test_what_a_build_depends_on_makes_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [
        build_key(PAPERS),
        build_key(PAPERS[:2]),
        build_key([*PAPERS[:2], replace(PAPERS[2], venue="ICML")]),
        build_key(PAPERS, min_score=0.5),
        build_key(PAPERS, rules=NAMED),
        build_key(PAPERS, rules=IDLE),
    ]
    monkeypatch.setattr(built, "_code", lambda: "other code")
    keys.append(build_key(PAPERS))
    monkeypatch.setattr(version, "extractor_version", lambda: "newer")
    keys.append(build_key(PAPERS))
    assert len(set(keys)) == len(keys)


def test_a_setting_is_not_answered_by_a_build_without_it(builds: list[int]) -> None:
    files = [run(*PAPERS), run(*PAPERS, min_score=0.95), run(*PAPERS, rules=IDLE)]
    assert len({bytes(part) for file in files for part in file.parts}) == len(builds) == 3


def test_a_paper_that_fails_is_told_again(builds: list[int]) -> None:
    told: list[str] = []
    reading = Reading(on_rejected=lambda rejected: told.append(str(rejected)))
    for _ in range(2):
        build_file([*PAPERS, BAD], reading=reading)
    assert (len(told), told[0], builds) == (2, told[1], [4, 4])
    assert contents().graphs == 0


def test_a_rule_that_matches_nothing_is_told_again(
    builds: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="kg"):
        assert run(*PAPERS, rules=IDLE) == run(*PAPERS, rules=IDLE)
    assert [record.getMessage() for record in caplog.records] == ["rules: drop: no paper writes 'ELMo'"] * 2
    assert builds == [3, 3]


@pytest.mark.parametrize("change", ["x''", "x'00'", "substr(value, 1, length(value) - 3)", "zeroblob(999)"])
def test_a_damaged_graph_file_is_built_again(builds: list[int], change: str) -> None:
    first = run(*PAPERS)
    with sqlite3.connect(cache_path()) as connection:
        connection.execute(f"UPDATE graphs SET value = {change}")
    connection.close()
    again = [run(*PAPERS), run(*PAPERS)]
    assert again == [first, first]
    assert builds == [3, 3]


def test_a_cache_that_cannot_be_used_is_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    cache_path().parent.rmdir()
    cache_path().parent.write_text("in the way", encoding="utf-8")
    with caplog.at_level(logging.WARNING, logger="kg"):
        assert run(*PAPERS) == run(*PAPERS, cache=False)
    assert len(caplog.records) == 1
