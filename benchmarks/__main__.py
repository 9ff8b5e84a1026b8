"""`python -m benchmarks [--papers N …] [--texts FILE] [--workers N] [--write]`: one table from one run."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from benchmarks.rows import Row, measured
from kg._version import __version__

__all__ = ["machine", "main", "put"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
_MARKS = ("<!-- measured -->\n", "<!-- end -->\n")
_HEADER = ("what", "papers", "clock, s", "processor, s", "memory, MB", "ratio", "beside")


def main() -> None:
    """Measures, prints the table, and puts it on the page if asked to."""
    options = _options()
    lines = [f"{machine()}\n\n"]
    rows = measured(sorted(options.papers), source=options.texts, workers=options.workers)
    for line in _table(rows):
        lines.append(line)
        sys.stdout.write(line)
        sys.stdout.flush()
    if options.write:
        put("".join(lines))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--papers", type=int, nargs="+", default=[100, 300], metavar="N", help="sizes of lists"
    )
    parser.add_argument("--texts", type=Path, metavar="FILE", help="abstracts as JSON Lines, plain or .gz")
    parser.add_argument("--workers", default="auto", metavar="N", help="as for kg build")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    return parser.parse_args()


def _table(rows: Iterable[Row]) -> Iterator[str]:
    """The rows of a Markdown table, as they come."""
    yield _line(_HEADER)
    yield _line(["---", *["---:"] * 5, "---"])
    for row in rows:
        yield _line(
            (
                row.what,
                "" if row.papers is None else f"{row.papers:,}",
                _number(row.wall),
                _number(row.cpu),
                "" if row.peak is None else f"{row.peak:,.0f}",
                "" if row.ratio is None else f"{row.ratio:.2f}",
                row.beside,
            )
        )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _number(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:,.2f}"


def machine() -> str:
    """What was measured, on which machine, when."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return (
        f"paperkg {__version__} on {date.today():%d %B %Y}: {_processor()}, {os.cpu_count()} cores, "
        f"{pages / 2**30:.0f} GB of memory, {platform.system()}, Python {platform.python_version()}."
    )


def _processor() -> str:
    """The name of the processor, as far as the system tells it."""
    told = Path("/proc/cpuinfo")
    text = told.read_text(encoding="utf-8") if told.exists() else ""
    found = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return " ".join(found[1].split()) if found else platform.processor() or platform.machine()


def put(table: str, page: Path | None = None) -> None:
    """Puts a table between the marks of a page, by default that of performance."""
    page = page or PAGE
    begin, end = _MARKS
    head, _, rest = page.read_text(encoding="utf-8").partition(begin)
    page.write_text(f"{head}{begin}{table}{end}{rest.partition(end)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
