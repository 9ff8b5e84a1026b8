"""Reading as a whole: detection, folders, several inputs, hostile bytes, the real lists."""

from __future__ import annotations

import contextlib
import gzip
import io
from pathlib import Path, PurePath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.readers import FORMATS, detect, may_be_list, read, read_bytes, read_member
from kg.readers.source import Source
from tests.readers.helpers import read_text, titles

SAMPLES = {
    "text": "ICML 2025\n\nWe study cats.\n",
    "markdown": "# ICML 2025\n\n- **Cats** [Paper](https://x.org)\n",
    "json": '[{"title": "T"}]',
    "jsonl": '{"title": "T"}\n{"title": "U"}\n',
    "csv": "title,abstract\nT,A\n",
    "tsv": "title\tabstract\nT\tA\n",
    "bibtex": "% a comment\n@article{a, title={T}}\n",
    "ris": "TY  - JOUR\nTI  - T\nER  - \n",
    "xml": "<?xml version='1.0'?><feed><entry><title>T</title></entry></feed>",
}


def test_every_format_has_a_sample_here_and_its_own_name() -> None:
    assert sorted(SAMPLES) == list(FORMATS) == [reader.name for reader in FORMATS.values()]


@pytest.mark.parametrize("name", ["list", "list.txt", "list.json", "list.csv", "list.bib.gz"])
@pytest.mark.parametrize("format", [name for name in SAMPLES if name != "text"])
def test_content_counts_more_than_the_name(format: str, name: str) -> None:
    reader = detect(Source(name, SAMPLES[format].encode()))
    assert reader is not None
    assert reader.name == format


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.md", "We study cats.", "markdown"),
        ("a.txt", "We study cats.", "text"),
        ("a", "We study cats.", "text"),
        ("a.csv.gz", "foo,bar\n1,2", "csv"),
        ("a.json", "{broken", "json"),
        ("a.txt", "We study **cats**.\n\n- and\n- dogs", "text"),
        ("a.jsonl", '{"title": "T"}', "jsonl"),
    ],
)
def test_the_name_breaks_a_tie(name: str, content: str, format: str) -> None:
    reader = detect(Source(name, content.encode()))
    assert reader is not None
    assert reader.name == format


def test_a_named_format_overrules_the_content() -> None:
    result = read_text(SAMPLES["jsonl"], format="text")
    assert all('{"title"' in paper.text for paper in result.papers)


def test_an_unknown_format_is_an_input_error() -> None:
    with pytest.raises(InputError, match="unknown format 'docx'") as caught:
        read_text("x", format="docx")
    assert "bibtex, csv" in caught.value.hint


def test_an_empty_input_is_a_warning() -> None:
    assert read_text(b" \n").warnings == ["<stdin>: the file is empty"]


def test_an_input_without_papers_is_a_warning() -> None:
    assert read_text("We study cats.", format="bibtex").warnings == [
        "<stdin>: no papers in it, read as bibtex"
    ]


def test_several_inputs_keep_their_order(tmp_path: Path) -> None:
    (tmp_path / "b.bib").write_text("@misc{b, title={B}}")
    (tmp_path / "a.csv").write_text("title,abstract\nA,x\n")
    stdin = io.BytesIO(b'{"title": "S"}\n{"title": "T"}')
    result = read([tmp_path / "b.bib", "-", str(tmp_path / "a.csv")], stdin=stdin)
    assert titles(result) == ["B", "S", "T", "A"]


def test_the_first_place_of_each_text_is_known(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.jsonl"
    one.write_text("title,abstract\nA,x\nB,\n")
    two.write_text('{"title": "A", "abstract": "x"}\n\n{"title": "A", "abstract": "y"}\n')
    assert read([one, two]).places == {"x": (str(one), 2), "B": (str(one), 3), "y": (str(two), 3)}
    assert read_text('[{"abstract": "in an array"}]').places == {"in an array": ("<stdin>", None)}


def test_a_folder_is_read_sorted_and_what_is_no_list_is_named(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.bib").write_text("@misc{b, title={B}}")
    (tmp_path / "a.txt").write_text("We study cats.")
    (tmp_path / "broken.json").write_text('[{"title": ')
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "page.txt").write_text("<!doctype html><p>We study cats.")
    (tmp_path / "tool").write_text("import os\n")
    (tmp_path / "script.py").write_text("# Cats\nimport os")
    (tmp_path / "README.md").write_text("# Lists\n\nThe lists that I keep.\n")
    (tmp_path / ".hidden.txt").write_text("We hide.")
    result = read(tmp_path)
    assert [paper.text for paper in result.papers] == ["\nWe study cats.", "B\n"]
    assert [(item.file, item.reason[:8]) for item in result.rejected] == [
        (str(tmp_path / "broken.json"), "not JSON")
    ]
    assert result.warnings == [
        f"skipped, {tmp_path / 'logo.png'}: this is a picture, not a list of abstracts",
        f"skipped, {tmp_path / 'page.txt'}: this is HTML (a web page or a mail), not a list of abstracts",
        f"skipped, {tmp_path / 'tool'}: not recognised as a list of papers",
    ]


@pytest.mark.parametrize("format", [None, *FORMATS])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    data=st.binary(max_size=300) | st.sampled_from(sorted(SAMPLES.values())).map(str.encode),
    cut=st.integers(0, 60),
)
def test_no_bytes_crash_a_reader(format: str | None, data: bytes, cut: int) -> None:
    papers = []
    with contextlib.suppress(InputError):
        papers = read("-", format=format, stdin=io.BytesIO(data[cut:] + data[:cut])).papers
    assert all(paper.title or paper.abstract for paper in papers)
    assert all("\n" not in (paper.title or "") for paper in papers)


@pytest.mark.shared
def test_the_real_lists(shared: Path) -> None:
    paths = sorted((shared / "seeds").glob("*.txt"))
    result = read(paths)
    assert len(result.papers) == 54
    assert {(paper.title, paper.venue, paper.year) for paper in result.papers} == {(None, "ICML", 2025)}
    assert (result.rejected, result.warnings) == ([], [])


@pytest.mark.shared
def test_one_paper_reads_alike_from_two_formats(shared: Path) -> None:
    folder = shared / "data" / "icml2025"
    lines = read(folder / "sample.jsonl").papers
    entries = read(folder / "sample_from_icml25_bib.bib").papers
    assert len(lines) == len(entries) == 6
    for line, entry in zip(lines, entries, strict=True):
        assert (line.authors, line.url, line.code_urls) == (entry.authors, entry.url, entry.code_urls)


@pytest.mark.shared
def test_links_of_a_conference_dump(shared: Path) -> None:
    result = read(shared / "data" / "icml2025" / "code_links.jsonl")
    assert len(result.papers) == 209
    assert sum(paper.arxiv_id is not None for paper in result.papers) == 183
    assert sum(bool(paper.code_urls) for paper in result.papers) == 157
    assert result.rejected == []


@pytest.mark.parametrize("packed", [False, True])
def test_bytes_are_read_as_the_file_that_holds_them(packed: bool, tmp_path: Path) -> None:
    raw = SAMPLES["jsonl"].encode() + b"{broken\n"
    raw = gzip.compress(raw) if packed else raw
    (tmp_path / "list.jsonl").write_bytes(raw)
    name = str(tmp_path / "list.jsonl")
    assert read_bytes(raw, name=name) == read(name)


@pytest.mark.parametrize("content", [*SAMPLES.values(), "%PDF-1.7", "<html>", "", "a,b\n1,2\n"])
def test_a_member_of_a_folder_is_read_as_in_its_folder(content: str, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(content, encoding="utf-8")
    found = read_member(content.encode(), name=str(tmp_path / "list"))
    alone = read(tmp_path)
    assert found.papers == alone.papers
    assert found.warnings == [line for line in alone.warnings if "no papers in this folder" not in line]


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a.txt", True), ("b/a", True), (".git/a.txt", False), ("README.md", False), ("b/run.sh", False)],
)
def test_hidden_files_and_those_about_a_folder_are_no_lists(path: str, expected: bool) -> None:
    assert may_be_list(PurePath(path)) is expected
