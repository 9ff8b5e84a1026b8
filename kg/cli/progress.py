"""Progress on standard error: a bar on a terminal, elsewhere a plain line every few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from kg.api import Progress
from kg.cli.app import quiet
from kg.cli.terminal import console

__all__ = ["SECONDS", "plain_progress", "progress"]

#: Between two lines where there is no terminal.
SECONDS = 5.0


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """Gives what to call after each of `total` papers."""
    screen = console(stderr=True)
    if quiet():
        yield _silent
    elif screen.is_terminal and not screen.is_dumb_terminal:
        with _bar(total) as advance:
            yield advance
    else:
        yield plain_progress()


def _silent(done: int, total: int) -> None:
    """Shows nothing."""


@contextmanager
def _bar(total: int) -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("papers  {task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading", total=total, rate="")
        start = time.monotonic()

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, rate=_rate(done, time.monotonic() - start))

        yield advance


def plain_progress(*, clock: Callable[[], float] = time.monotonic) -> Progress:
    """Makes what prints one line every `SECONDS` seconds, without carriage returns."""
    start = clock()
    last = start

    def advance(done: int, total: int) -> None:
        nonlocal last
        now = clock()
        if now - last >= SECONDS:
            last = now
            click.echo(f"{done:,} of {total:,} papers, {_rate(done, now - start)}", err=True)

    return advance


def _rate(done: int, seconds: float) -> str:
    return f"{done / seconds:,.0f} papers a second" if seconds > 0 else ""
