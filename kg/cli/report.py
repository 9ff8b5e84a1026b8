"""`kg report`: what a graph says, to read."""

from __future__ import annotations

import click

from kg import api
from kg.cli.app import example, quiet, verbosity_options
from kg.cli.options import graph_argument, limit_option
from kg.cli.terminal import plain

__all__ = ["report"]


@click.command(
    epilog=example(
        "kg report graph.json -o report.md",
        "kg report graph.json --limit 3 | less",
        "kg export graph.json -o everything.md",
    )
)
@graph_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    help="The file to write; by default standard output.",
)
@limit_option(30, "At most so many tasks, those of the most papers.")
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
    metavar="N",
    help="At most so many methods, datasets, metrics and papers in the tables of a task.",
)
@verbosity_options
def report(graph_path: str, output: str, limit: int, rows: int) -> None:
    """Report tasks with their methods, datasets and code.

    The report is Markdown, with metrics and the sentences beside them. The papers of the tasks follow
    with all that they say; kg export --format markdown writes every task and every paper.
    """
    from kg.exports import markdown
    from kg.files import atomic_write

    lines = markdown.report(api.load(graph_path), limit=limit, rows=rows)
    if output == "-":
        for line in lines:
            click.echo(line, nl=False)
        return
    with atomic_write(output) as stream:
        stream.writelines(line.encode() for line in lines)
    if not quiet():
        click.echo(f"Written to {plain(output)}", err=True)
