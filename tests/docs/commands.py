"""The commands of the documentation: found in its pages, and run in their order.

Blocks marked `sh` hold commands, those marked `console` commands behind `$ ` with what they print, those
marked `python` what one types into a notebook. Two comments, which no reader sees, make ready what a page
needs:

    <!-- test: file rules.toml -->        the block below is the content of this file
    <!-- test: run cp a.json b.json -->   a command that is not shown
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

__all__ = ["PAGES", "ROOT", "Step", "environment", "run", "steps"]

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "seeds" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_PART = re.compile(
    r"^<!-- test: (?P<what>file|run) (?P<told>.+) -->$"
    r"|^ *```(?P<language>\w+)\n(?P<body>(?:.*\n)*?) *```$",
    re.MULTILINE,
)
_CONTINUED = re.compile(r" *\\\n *")
_IMPORT = re.compile(r"import |from |\"\"\"")
_COMMENT = re.compile(r"(?:^|\s+)# .*")


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a page has its reader do: a `command`, `python`, or a `file` to write."""

    kind: str
    text: str
    file: str = ""
    shows: bool = False

    @property
    def name(self) -> str:
        """What it is called: a command as it stands, Python by its first line after the imports."""
        lines = [line for line in self.text.splitlines() if line and not _IMPORT.match(line)]
        return lines[0] if self.kind == "python" else self.text


def steps(page: str) -> Iterator[Step]:
    """What a page has its reader do, in order."""
    file = ""
    for part in _PART.finditer(page):
        if part["what"] == "run":
            yield Step("command", part["told"])
        elif part["what"] == "file":
            file = part["told"]
        elif file:
            yield Step("file", dedent(part["body"]), file)
            file = ""
        else:
            yield from _of_block(part["language"], dedent(part["body"]))


def _of_block(language: str, body: str) -> Iterator[Step]:
    lines = _CONTINUED.sub(" ", body).splitlines()
    if language == "python":
        yield Step("python", body)
    elif language == "console":
        yield from (Step("command", line[2:], shows=True) for line in lines if line.startswith("$ "))
    elif language == "sh":
        found = [_COMMENT.sub("", line).strip() for line in lines]
        yield from (Step("command", line) for line in found if line)


def environment(cache: Path) -> dict[str, str]:
    """What commands run in: this Python's `kg`, a cache of their own, a narrow terminal, no browser."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    told = {"PATH": path, "KG_CACHE": str(cache), "COLUMNS": "90", "NO_COLOR": "1", "BROWSER": "true"}
    return {**os.environ, **told}


def run(command: str, *, folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder as bash does."""
    return subprocess.run(
        ["bash", "-euc", command],
        cwd=folder,
        env=environment(cache),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
