"""Opening: compression by first bytes, limits, encodings."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.readers.source import decode, decompress, open_source

TEXT = "naïve Bayes – 图"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, bytes])
def test_compression_is_told_by_the_first_bytes(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(pack(TEXT.encode()))
    source, warnings = open_source(path)
    assert (source.name, source.text, warnings) == (str(path), TEXT, [])


def test_standard_input_is_read_from_the_stream() -> None:
    source, _ = open_source("-", stdin=io.BytesIO(b"abc"))
    assert (source.name, source.data) == ("<stdin>", b"abc")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_become_utf8_without_mark(encoding: str) -> None:
    text = "A long enough English text, with ä."
    assert decode(text.encode(encoding), name="x") == (text.encode(), "")


def test_windows_text_is_read_with_a_warning() -> None:
    data, warning = decode("Gödel’s naïve – proof".encode("cp1252"), name="list.txt")
    assert data.decode() == "Gödel’s naïve – proof"
    assert warning.startswith("list.txt: not UTF-8, read as Windows-1252")


def test_a_damaged_character_does_not_make_utf8_windows_text() -> None:
    data, warning = decode("äöü".encode() * 5 + b"\xff" + "ß".encode(), name="x")
    assert data.decode() == "äöü" * 5 + "\N{REPLACEMENT CHARACTER}ß"
    assert warning == "x: 1 damaged UTF-8 characters were replaced"


def test_nul_characters_stay() -> None:
    assert decode(b"a\0b and more", name="x") == (b"a\0b and more", "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"%PDF-1.7 \xe2", "a PDF", id="pdf"),
        pytest.param(b"PK\x03\x04\x00", "a ZIP archive", id="zip"),
        pytest.param(bytes(range(128, 256)) + bytes(range(32)) * 4, "not text", id="noise"),
    ],
)
def test_binary_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        decode(data, name="x")
    assert caught.value.hint


PAGE = "<html><head><title>Papers</title></head><body><p>We study cats.</p></body></html>"


@pytest.mark.parametrize("name", ["page.html", "list.txt", "list.md", "feed.xml", "list.json", "page"])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PAGE, id="html"),
        pytest.param(f"\n <!DOCTYPE HTML>\n{PAGE}", id="doctype"),
        pytest.param(
            f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">{PAGE}', id="doctype-public"
        ),
        pytest.param(f"<?xml version='1.0'?>\n<!-- saved -->\n<!-- twice -->{PAGE}", id="xhtml-and-comments"),
        pytest.param("<HEAD><title>x</title>", id="head"),
        pytest.param("<body class='x'>We study cats.", id="body"),
        pytest.param("<meta charset='utf-8'><b>We study cats.</b>", id="from-the-clipboard"),
        pytest.param(f"HTTP/2 503\r\nContent-Type: text/html\r\n\r\n{PAGE}", id="answer-of-a-server"),
        pytest.param(f"From: a@b.org\nContent-Type: text/html; charset=utf-8\n\n{PAGE}", id="mail"),
        pytest.param(
            'From: <Saved by x>\ncontent-type: multipart/related;\n\ttype="text/html"\n\n', id="mhtml"
        ),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_web_pages_are_refused_whatever_their_name(
    content: str, name: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    with pytest.raises(InputError) as caught:
        open_source(path)
    assert caught.value.message == f"{path}: this is HTML (a web page or a mail), not a list of abstracts"
    assert caught.value.hint.startswith("save it as text, export BibTeX or RIS")


@pytest.mark.parametrize(
    "content",
    [
        "<i>E. coli</i> and H<sub>2</sub>O are studied.",
        "<p>We study cats.</p>\n\n<p>We study dogs.</p>",
        "We write <html>, <head> and <!doctype html> by a model.\n\n<html> is a tag.",
        "<headline> tokens are masked.",
        "<body-part> detection is hard.",
        '<div align="center">\n\n# Papers\n\n- **Cats**',
        "<!-- a list -->\n# Papers\n",
        "<!-- never closed <html>",
        '[{"title": "<html> and more"}]',
        "We parse mail.\n\nContent-Type: text/html",
    ],
)
def test_texts_with_some_tags_are_no_web_pages(content: str) -> None:
    source, _ = open_source("-", stdin=io.BytesIO(content.encode()))
    assert source.text == content


@pytest.mark.parametrize("piece", ["<!-- x -->", "<!--", "<?x?>", "\n", "content-type: ", "<!doctype "])
def test_long_beginnings_of_a_page_cost_no_time(piece: str) -> None:
    content = piece * (100_000 // len(piece)) + "We study cats."
    assert open_source("-", stdin=io.BytesIO(content.encode()))[0].text == content


def test_a_decompression_bomb_is_refused_before_it_fills_the_memory() -> None:
    bomb = gzip.compress(bytes(80 * 1024**2))
    with pytest.raises(InputError, match="grows too much"):
        decompress(bomb, name="bomb.gz")


def test_who_names_a_size_means_it() -> None:
    bomb = gzip.compress(bytes(80 * 1024**2))
    assert len(decompress(bomb, name="bomb.gz", max_bytes=80 * 1024**2)) == 80 * 1024**2


@pytest.mark.parametrize("pack", [gzip.compress, bytes])
def test_the_size_limit_holds(pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InputError, match="limit of 10 bytes"):
        decompress(pack(b"x" * 11), name="x", max_bytes=10)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_a_truncated_archive_is_an_input_error(pack: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InputError, match="damaged compressed file"):
        decompress(pack(TEXT.encode() * 100)[:-12], name="x")


def test_a_missing_file_is_an_input_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder") as caught:
        open_source(tmp_path / "absent.txt")
    assert caught.value.hint == "check the path"


def test_a_path_with_a_nul_is_an_input_error() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_source("a\0b")
