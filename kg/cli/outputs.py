"""Writing a graph file at the end of a command, and saying what is in it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from kg.cli.app import quiet
from kg.cli.terminal import console, grid, section

if TYPE_CHECKING:
    from kg.built import GraphFile, Summary
    from kg.store import Graph

__all__ = ["finish"]


def finish(
    ctx: click.Context, graph: Graph | GraphFile, output: str, *, rejected: int = 0, start: float
) -> None:
    """Writes a graph (`-` is standard output), sums it up on standard error, and ends the command.

    Args:
        ctx: the command's context.
        graph: what to write: a graph, or the file of one.
        output: the path.
        rejected: how many records were rejected; any makes the exit code 1.
        start: when the command began, on the monotonic clock.
    """
    from kg.built import GraphFile, graph_file
    from kg.store import write

    file = graph if isinstance(graph, GraphFile) else graph_file(graph)
    if output == "-":
        click.echo(b"".join(file.parts), nl=False)
    else:
        write(file.parts, output)
    if not quiet():
        _summarize(file.summary, output, rejected, time.monotonic() - start)
    ctx.exit(1 if rejected else 0)


def _summarize(counts: Summary, output: str, rejected: int, seconds: float) -> None:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.concepts.items())
    rows = {
        "Papers": f"{counts.papers:,}, {counts.papers_with_code:,} with code",
        "Concepts": f"{sum(counts.concepts.values()):,}: {kinds}",
        "Relations": f"{counts.relations:,}",
        "Rejected records": f"{rejected:,}",
        "Time": f"{seconds:.1f} s, {counts.papers / max(seconds, 1e-9):,.0f} papers a second",
        "Written to": "standard output" if output == "-" else output,
    }
    section(console(stderr=True), grid(rows))
