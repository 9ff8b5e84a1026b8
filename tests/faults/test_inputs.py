"""Inputs that are too large, too long, or made to break what reads them."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Kg, json_lines

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
ENTITIES = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><feed><entry>&l9;</entry></feed>'
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    "<feed><entry><title>&x;</title></entry></feed>"
)


def test_a_record_of_a_hundred_thousand_lines_is_one_record(tmp_path: Path, kg: Kg) -> None:
    abstract = "We use ResNet here.\n" * 100_000
    (tmp_path / "one.jsonl").write_text(json_lines([{"title": "T", "abstract": abstract}]), encoding="utf-8")
    start = time.process_time()
    done = kg("extract", "one.jsonl", "-o", "out.jsonl")
    assert done.exit_code == 0
    assert time.process_time() - start < 20
    (record,) = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(record)["text"].count("\n") > 99_000


@pytest.mark.parametrize("format", ["text", "markdown", "bibtex", "ris"])
def test_as_many_lines_without_a_record_between_cost_no_time(tmp_path: Path, kg: Kg, format: str) -> None:
    begin, end = {"bibtex": ("@misc{a, abstract={", "}}"), "ris": ("TY  - JOUR\nAB  - ", "\nER  - \n")}.get(
        format, ("", "")
    )
    text = begin + "We use ResNet here,\n" * 100_000 + end
    (tmp_path / "one").write_text(text, encoding="utf-8")
    start = time.process_time()
    done = kg("extract", "--format", format, "one", "-o", "out.jsonl")
    assert done.exit_code == 0
    assert time.process_time() - start < 20


def test_an_address_of_ten_kilobytes_costs_no_time(tmp_path: Path, kg: Kg) -> None:
    address = "https://github.com/" + "a/" * 5_000
    record = {"title": "T", "abstract": f"Code: {address}", "url": address, "code": address}
    (tmp_path / "one.jsonl").write_text(json_lines([record]), encoding="utf-8")
    start = time.process_time()
    assert kg("build", "-q", "one.jsonl").exit_code == 0
    assert kg("stats", "graph.json").exit_code == 0
    assert time.process_time() - start < 5


@pytest.mark.parametrize("content", [ENTITIES, OUTSIDE], ids=["bomb", "file"])
def test_entities_are_refused_in_one_line(tmp_path: Path, kg: Kg, content: str) -> None:
    (tmp_path / "feed.xml").write_text(content, encoding="utf-8")
    done = kg("build", "feed.xml")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: feed.xml: ")
    assert not (tmp_path / "graph.json").exists()


def test_a_decompression_bomb_is_refused_unless_a_size_is_named(tmp_path: Path, kg: Kg) -> None:
    line = json_lines([{"title": "A bomb", "abstract": "We use BERT. " + " " * (70 << 20)}])
    (tmp_path / "bomb.jsonl.gz").write_bytes(gzip.compress(line.encode(), compresslevel=1))
    done = kg("build", "bomb.jsonl.gz")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: bomb.jsonl.gz: larger than the limit of ")
    assert done.stderr.endswith("If you trust it, name a larger limit with --max-size, or split the file\n")
    assert kg("build", "--max-size", "50m", "bomb.jsonl.gz").exit_code == 1
    assert kg("build", "-q", "--max-size", "80M", "bomb.jsonl.gz").exit_code == 0


@pytest.mark.parametrize("size", ["", "much", "-1", "4 GB", "1T"])
def test_a_size_that_is_none_is_wrong_usage(kg: Kg, size: str) -> None:
    done = kg("build", "-", "--max-size", size)
    assert done.exit_code == 2
    assert "is no size such as 800M or 16G." in done.stderr
