"""From a path or standard input to text: decompression by the first bytes, size limits and encodings.

Every reader gets a `Source`, whose `data` is UTF-8 without a byte order mark, whatever the file was.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import re
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from kg.errors import InputError

__all__ = ["DEFAULT_MAX_BYTES", "STDIN", "Source", "decode", "decompress", "open_source", "source_of"]

#: Name of standard input on the command line.
STDIN = "-"

#: Largest input after decompression, in bytes.
DEFAULT_MAX_BYTES = 4 * 1024**3

# A list of abstracts shrinks by a factor of 3 to 10; beyond this many bytes, a far larger one is a bomb.
_RATIO_FREE_BYTES = 64 * 1024**2
_MAX_RATIO = 200

_CHUNK = 1024**2
_HEAD = 64 * 1024
_LONGEST_RECORD = 64 * 1024**2

_DECOMPRESSORS: tuple[tuple[bytes, Any], ...] = (
    (b"\x1f\x8b", gzip.open),
    (b"\xfd7zXZ\x00", lzma.open),
    (b"BZh", bz2.open),
)

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_NOT_TEXT = (
    (b"%PDF-", "a PDF", "convert it to text first"),
    (b"PK\x03\x04", "a ZIP archive or an office document", "unpack it, or save it as CSV or text"),
    (b"\x89PNG", "a picture", "give a list of abstracts"),
    (b"\xff\xd8\xff", "a picture", "give a list of abstracts"),
    (b"SQLite format 3\x00", "an SQLite database", "export the table as CSV"),
    (b"PAR1", "a Parquet file", "export it as JSON Lines"),
    (b"\x7fELF", "a program", "give a list of abstracts"),
)
# A page begins with tags of its own; others at the beginning (Markdown has them) or in the midst are no sign.
_PAGE = re.compile(
    r"(?>\s|<!--(?s:.*?)-->|<\?(?s:.*?)\?>)*+"
    r"<(?:!doctype\s+html|html|head|body|meta\s+(?:charset|content|http-equiv|name))(?=[\s>=])",
    re.IGNORECASE,
)
# What a mailer, a browser that saves a page as one file, or a server puts before one.
_PAGE_HEADER = re.compile(
    r"^content-type:\s*(?:text/html|multipart/(?:alternative|related))\b", re.IGNORECASE | re.MULTILINE
)
_TEXT_CONTROLS = b"\t\n\r\f\v\x1b"
_CONTROLS = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS)


@dataclass(frozen=True, slots=True)
class Source:
    """One input as readers see it: a name for messages and the content as UTF-8."""

    name: str
    data: bytes

    @property
    def text(self) -> str:
        """The whole content, with line ends as they are."""
        return self.data.decode("utf-8")

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, each with its number, counted from 1; only LF ends a line."""
        for number, line in enumerate(BytesIO(self.data), 1):
            if line := line.strip():
                yield number, line

    @property
    def lines(self) -> list[str]:
        """The lines of the whole content, without their ends; only CR, LF and CRLF end a line."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    @property
    def head(self) -> str:
        """The beginning of the content, for detection; a first record of JSON Lines is not cut."""
        first = self.data.find(b"\n", 0, _LONGEST_RECORD) if self.data.startswith(b"{") else 0
        end = first + _HEAD if first >= _HEAD else _HEAD
        return self.data[:end].decode("utf-8", "ignore")


def open_source(
    path: str | os.PathLike[str], *, stdin: IO[bytes] | None = None, max_bytes: int | None = None
) -> tuple[Source, list[str]]:
    """Reads, decompresses and decodes one input.

    Args:
        path: A file, or "-" for standard input.
        stdin: What "-" stands for; the process's standard input by default.
        max_bytes: Largest size after decompression; by default `DEFAULT_MAX_BYTES`, and less for what grows
            like a decompression bomb.

    Returns:
        The source and warnings about its encoding.

    Raises:
        InputError: The file is absent, unreadable, damaged, too large, not text, or a web page.
    """
    if os.fspath(path) == STDIN:
        name = "<stdin>"
        raw = (stdin or sys.stdin.buffer).read(_limit(max_bytes) + 1)
    else:
        name = os.fspath(path)
        raw = _file_bytes(Path(path), _limit(max_bytes))
    return source_of(raw, name=name, max_bytes=max_bytes)


def source_of(raw: bytes, *, name: str, max_bytes: int | None = None) -> tuple[Source, list[str]]:
    """Decompresses and decodes the bytes of one input; arguments and errors are those of `open_source`."""
    data, warning = decode(decompress(raw, name=name, max_bytes=max_bytes), name=name)
    source = Source(name, data)
    if _is_web_page(source.head):
        raise InputError(
            f"{name}: this is HTML (a web page or a mail), not a list of abstracts",
            hint="save it as text, export BibTeX or RIS from the site, or give what its API answers",
        )
    return source, [warning] if warning else []


def _is_web_page(head: str) -> bool:
    headers = head.lstrip().replace("\r\n", "\n").partition("\n\n")[0]
    return bool(_PAGE.match(head) or _PAGE_HEADER.search(headers))


def _file_bytes(path: Path, max_bytes: int) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(max_bytes + 1)
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file or folder", hint="check the path") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{path}: cannot be read ({reason})", hint="check the path and its rights"
        ) from error


def _limit(max_bytes: int | None) -> int:
    return DEFAULT_MAX_BYTES if max_bytes is None else max_bytes


def decompress(raw: bytes, *, name: str, max_bytes: int | None = None) -> bytes:
    """The content of gzip, xz or bzip2 data, told by its first bytes; anything else as it is.

    Whoever names a size means it: then nothing but the size counts.

    Raises:
        InputError: The data is damaged, or larger than `max_bytes`, or, where that is not given, grows like a
            decompression bomb.
    """
    opener = next((opener for magic, opener in _DECOMPRESSORS if raw.startswith(magic)), None)
    if opener is None:
        if len(raw) > _limit(max_bytes):
            raise _too_large(name, _limit(max_bytes))
        return raw
    try:
        return _inflate(opener(BytesIO(raw)), len(raw), name, max_bytes)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(
            f"{name}: damaged compressed file ({error})", hint="fetch or pack it again"
        ) from error


def _inflate(stream: IO[bytes], packed: int, name: str, max_bytes: int | None) -> bytes:
    content = bytearray()
    limit = _limit(max_bytes)
    allowed = max(_RATIO_FREE_BYTES, _MAX_RATIO * packed) if max_bytes is None else limit
    while chunk := stream.read(_CHUNK):
        content += chunk
        if len(content) > min(allowed, limit):
            raise _too_large(name, limit)
    return bytes(content)


def _too_large(name: str, max_bytes: int) -> InputError:
    return InputError(
        f"{name}: larger than the limit of {max_bytes:,} bytes, or grows too much when unpacked",
        hint="if you trust it, name a larger limit with --max-size, or split the file",
    )


def decode(data: bytes, *, name: str) -> tuple[bytes, str]:
    """Brings text of any usual encoding to UTF-8 without a byte order mark.

    UTF-8 first, then UTF-16 or UTF-32 by their marks or zero bytes, then Windows' cp1252.

    Returns:
        The text and a warning, empty where the encoding was plain.

    Raises:
        InputError: The data is not text.
    """
    for magic, what, hint in _NOT_TEXT:
        if data.startswith(magic):
            raise InputError(f"{name}: this is {what}, not a list of abstracts", hint=hint)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded_as(data[len(mark) :], encoding, name)
    encoding = _utf16_without_mark(data)
    if encoding:
        return _decoded_as(data, encoding, name)
    if _is_utf8(data):
        return data, ""
    if len(data) - len(data.translate(None, _CONTROLS)) > len(data) // 10:
        raise InputError(f"{name}: this is not text", hint="give a text, JSON, CSV, BibTeX, RIS or XML file")
    return _guessed(data, name)


def _decoded_as(data: bytes, encoding: str, name: str) -> tuple[bytes, str]:
    if encoding == "utf-8" and _is_utf8(data):
        return data, ""
    text = data.decode(encoding, "replace")
    damaged = "\N{REPLACEMENT CHARACTER}" in text
    warning = f"{name}: some bytes are not {encoding.upper()} and were replaced" if damaged else ""
    return text.encode("utf-8", "replace"), warning


def _utf16_without_mark(data: bytes) -> str:
    """UTF-16 of mostly Latin text has a zero in every other byte."""
    head = data[:2048]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) * 0.3 and even < len(head) * 0.02:
        return "utf-16-le"
    if even > len(head) * 0.3 and odd < len(head) * 0.02:
        return "utf-16-be"
    return ""


def _is_utf8(data: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()  # in pieces: no second copy of a large file
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _guessed(data: bytes, name: str) -> tuple[bytes, str]:
    """UTF-8 with a few damaged bytes stays UTF-8; else it is cp1252."""
    text = data.decode("utf-8", "replace")
    damaged = text.count("\N{REPLACEMENT CHARACTER}")
    if len(text) - len(text.encode("ascii", "ignore")) > 2 * damaged:
        return text.encode("utf-8"), f"{name}: {damaged} damaged UTF-8 characters were replaced"
    text = data.decode("cp1252", "replace")
    return text.encode("utf-8"), f"{name}: not UTF-8, read as Windows-1252 (cp1252); check accented letters"
