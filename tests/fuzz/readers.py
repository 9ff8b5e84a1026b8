"""Coverage-guided fuzzing of the readers: `python -m tests.fuzz.readers [-max_total_time=600 …] [CORPUS]`.

The options are libFuzzer's. The first byte of an input chooses the format (or that the content tells it),
the rest is the file. What a reader raises other than `InputError`, a paper without a text, a title of two
lines, and ten seconds for a small file are faults; each one found became a test beside the reader.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections import Counter
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kg.readers", "bibtexparser", "pylatexenc", "defusedxml"]):
    from kg import readers
    from kg.errors import InputError

from tests.readers.test_readers import SAMPLES

__all__ = ["main", "one_input"]

_FORMATS = (None, *readers.FORMATS)
_PIECES = (
    b"TY  - JOUR\nAB  - x\nER  - \n",
    b'@string{a = "b"}\n@article{a, title = {{T}} # a, abstract = "x {\\"o} $y$"}',
    b'<?xml version="1.0"?><OAI-PMH><ListRecords><record><header/><metadata><title>T</title>',
    b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><summary>x &amp; y</summary></entry></feed>',
    b'{"notes": [{"content": {"title": {"value": "T"}, "abstract": {"value": "\\ud800"}}}]}',
    b"| Title | Paper |\n|---|---|\n| **T** | [pdf](https://x.org/1706.03762) |\n",
    b'title;abstract;year\n"a ""b"";\n";c;2020\n',
    b"\xef\xbb\xbfTitle: T\r\nAuthors: A. B, C. D\r\nAbstract: x\r\n\r\n",
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
)
#: Executions between two lines of counts.
_TELL = 10_000

_counts: Counter[str] = Counter()


def one_input(data: bytes) -> None:
    """Reads one file; raises where the reader is at fault."""
    if not data:
        return
    format = _FORMATS[data[0] % len(_FORMATS)]
    _counts[format or "detected"] += 1
    if _counts.total() % _TELL == 0:
        sys.stderr.write(f"{dict(sorted(_counts.items()))}\n")
    with contextlib.suppress(InputError):
        for paper in readers.read("-", format=format, stdin=io.BytesIO(data[1:])).papers:
            assert paper.title or paper.abstract
            assert "\n" not in (paper.title or "")


def _beginning(folder: Path) -> None:
    """Writes a small file of each format, under its name and under "detected"."""
    contents = [*map(str.encode, SAMPLES.values()), *_PIECES]
    for number, content in enumerate(contents):
        for index in range(len(_FORMATS)):
            (folder / f"{number}-{index}").write_bytes(bytes([index]) + content)


def main() -> None:
    """Runs until libFuzzer's options say to end."""
    with tempfile.TemporaryDirectory() as folder:
        _beginning(Path(folder))
        options = ["-timeout=10", "-max_len=4096", "-len_control=0"]
        atheris.Setup([sys.argv[0], *options, *sys.argv[1:], folder], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
