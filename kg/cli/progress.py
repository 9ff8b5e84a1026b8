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
#: Before so many seconds a rate says nothing.
_SHORT = 0.5


@contextmanager
def progress(total: int, *, unit: str = "papers", verb: str = "Reading") -> Iterator[Progress]:
    """Gives what to call when some more of `total` papers, or of what `unit` says, are done."""
    screen = console(stderr=True)
    if quiet():
        yield _silent
    elif screen.is_terminal and not screen.is_dumb_terminal:
        with _bar(total, unit, verb) as advance:
            yield advance
    else:
        yield plain_progress(unit=unit)


def _silent(done: int, total: int) -> None:
    """Shows nothing."""


@contextmanager
def _bar(total: int, unit: str, verb: str) -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(verb, total=total, rate="")
        rate = _Rate(time.monotonic, unit)

        def advance(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, rate=rate.at(done))

        yield advance


def plain_progress(*, clock: Callable[[], float] = time.monotonic, unit: str = "papers") -> Progress:
    """Makes what prints one line every `SECONDS` seconds, without carriage returns."""
    rate = _Rate(clock, unit)
    last = clock()

    def advance(done: int, total: int) -> None:
        nonlocal last
        told, now = rate.at(done), clock()
        if now - last >= SECONDS:
            last = now
            click.echo(f"{done:,} of {total:,} {unit}{told and ', '}{told}", err=True)

    return advance


class _Rate:
    """How many a second since the first one, so that loading the extractor does not count."""

    def __init__(self, clock: Callable[[], float], unit: str) -> None:
        self._clock, self._unit = clock, unit
        self._first: tuple[int, float] | None = None

    def at(self, done: int) -> str:
        """The rate as text; empty as long as it is not known."""
        now = self._clock()
        first, start = self._first = self._first or (done, now)
        seconds = now - start
        return f"{(done - first) / seconds:,.0f} {self._unit} a second" if seconds >= _SHORT else ""
