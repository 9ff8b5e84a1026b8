"""Opening a graph file or a folder of tables for a command, with progress while a folder is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from kg.cli.progress import progress

if TYPE_CHECKING:
    from kg.api import Progress
    from kg.source import Source

__all__ = ["opened", "step"]


@contextmanager
def opened(path: str) -> Iterator[Source]:
    """What `kg.source.opened` gives; the index of a folder is made with progress."""
    from kg.source import opened as open_source

    with ExitStack() as stack, open_source(path, progress=step(stack, "Indexing")) as found:
        yield found


def step(stack: ExitStack, verb: str) -> Progress:
    """Progress over rows that begins with the first report and ends when all are done, or with the stack."""
    shown: list[Progress] = []

    def advance(done: int, total: int) -> None:
        if not shown:
            shown.append(stack.enter_context(progress(total, unit="rows", verb=verb)))
        shown[0](done, total)
        if done >= total:
            stack.close()
            shown.clear()

    return advance
