"""Writes into the documentation what its commands print now: `python -m tests.docs`."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.docs.commands import PAGES, run, steps
from tests.docs.stand_ins import prepare

_SHOWN = re.compile(r"^```console\n", re.MULTILINE)


def refreshed(page: str, *, folder: Path, cache: Path) -> str:
    """A page with the outputs that its `console` blocks have now."""
    for step in steps(page):
        if step.kind == "file":
            (folder / step.file).write_text(step.text, encoding="utf-8")
        elif step.kind == "command":
            done = run(step.text, folder=folder, cache=cache)
            done.check_returncode()
            page = _with_output(page, step.text, done.stdout) if step.shows else page
    return page


def _with_output(page: str, command: str, output: str) -> str:
    shown = "".join(f"{line.rstrip()}\n" for line in output.strip().splitlines())
    pattern = re.compile(rf"(^\$ {re.escape(command)}\n)(?:(?!```|\$ ).*\n)*", re.MULTILINE)
    return pattern.sub(lambda found: found[1] + shown, page, count=1)


def _main() -> None:
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        if _SHOWN.search(page):
            with tempfile.TemporaryDirectory() as folder:
                home = prepare(Path(folder) / "home", cache=Path(folder) / "cache")
                page = refreshed(page, folder=home, cache=Path(folder) / "empty")
                path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    _main()
