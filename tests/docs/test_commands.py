"""Every command and every piece of Python in the documentation runs, in its order, on the seeds."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.docs.commands import PAGES, ROOT, Step, run, steps

#: How what is not run here begins, and why; a block of Python goes by its first line after the imports.
SKIPPED = {
    "python3 -m venv": "sets up what runs this test",
    "pip install": "needs a package registry",
    "pytest": "would run itself",
    "python -m benchmarks": "takes minutes, and is of the checkout",
    "kg build seeds --engine spark": "takes minutes, and is tested by itself",
    'kg build "hdfs:': "needs a cluster",
    "curl ": "needs the network",
    "client = openreview.": "needs the network",
    "cp .env.example": "is for Docker",
    "docker compose": "needs Docker",
    "kg push": "needs Neo4j",
    "NEO4J_": "needs Neo4j",
    "kg query graph.json hubs --neo4j": "needs Neo4j",
    "duckdb.": "needs DuckDB, which is no dependency",
    "rows = [": "needs pandas, which is no dependency",
    "if __name__": "starts processes, which want a script of their own",
    'eval "$(_KG_COMPLETE=zsh_source kg)"': "is for zsh",
    "_KG_COMPLETE=fish_source": "is for fish",
}
#: What cannot be run in a folder with no more than the package.
_NEEDS_MORE = re.compile(r"\b(?:curl|wget|docker|pip|git|kg push)\b|--neo4j")
#: How a command says that it failed, also where a pipe hides its exit code.
_FAILURE = re.compile(r"^(?:Error:|Traceback|Usage:).*", re.MULTILINE)


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_commands_of_a_page_run(
    page: Path, home: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "page"
    shutil.copytree(home, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("KG_CACHE", str(cache))
    names: dict[str, Any] = {"__name__": "__main__"}
    for step in steps(page.read_text(encoding="utf-8")):
        if not step.name.startswith(tuple(SKIPPED)):
            perform(step, folder=folder, cache=cache, names=names)


def perform(step: Step, *, folder: Path, cache: Path, names: dict[str, Any]) -> None:
    """Does a step; a notebook's names live on from one block to the next."""
    if step.kind == "file":
        (folder / step.file).write_text(step.text, encoding="utf-8")
    elif step.kind == "python":
        exec(compile(step.text, step.name, "exec"), names)
    else:
        done = run(step.text, folder=folder, cache=cache)
        assert (done.returncode, _FAILURE.findall(done.stdout)) == (0, []), f"{step.text}\n{done.stdout}"
        assert done.stdout.strip() or not step.shows, f"{step.text} prints nothing"


def documented() -> list[str]:
    """The names of all steps of all pages."""
    return [step.name for page in PAGES for step in steps(page.read_text(encoding="utf-8"))]


def test_what_needs_more_than_a_folder_is_skipped() -> None:
    found = [name for name in documented() if _NEEDS_MORE.search(name)]
    assert [name for name in found if not name.startswith(tuple(SKIPPED))] == []


@pytest.mark.parametrize("beginning", SKIPPED)
def test_what_is_skipped_stands_in_the_documentation(beginning: str) -> None:
    assert [name for name in documented() if name.startswith(beginning)]
