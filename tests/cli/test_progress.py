"""Tests of progress: a bar for people, lines for files."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kg.cli import progress as module
from kg.cli.progress import plain_progress, progress


def test_without_a_terminal_there_is_a_line_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter([0.0, 4.0, 4.0, 9.0, 9.0, 10.0, 10.0, 14.0, 14.0])
    advance = plain_progress(clock=seconds.__next__)
    for done in (10, 1010, 1100, 2010):
        advance(done, 5000)
    assert capsys.readouterr() == (
        "",
        "1,010 of 5,000 papers, 200 papers a second\n2,010 of 5,000 papers, 200 papers a second\n",
    )


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=80, _environ={"TERM": "xterm"})
    monkeypatch.setattr(module, "console", lambda **_: terminal)
    with progress(2) as advance:
        advance(1, 2)
        advance(2, 2)
    assert "2/2" in screen.getvalue()
