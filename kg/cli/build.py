"""`kg build`: from lists of abstracts to a graph file."""

from __future__ import annotations

import time

import click

from kg import api
from kg.cli.app import example, quiet, verbosity_options
from kg.cli.inputs import read_inputs
from kg.cli.options import input_options
from kg.cli.progress import progress
from kg.cli.terminal import console, grid, section
from kg.lookup import Statistics, statistics

__all__ = ["build"]

_NO_INPUT = (
    "name at least one INPUT. To try it with the papers that come along: "
    "kg seeds && kg build seeds -o graph.json"
)


@click.command(
    epilog=example(
        "kg build papers.bib list.jsonl -o graph.json",
        "zcat dump.jsonl.gz | kg build - --format jsonl -o graph.json.gz",
    )
)
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="graph.json",
    show_default=True,
    help="The graph file; compressed if it ends in .gz; - is standard output.",
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SCORE",
    help="Leave out concepts, roles and relations that score less.",
)
@verbosity_options
@click.pass_context
def build(
    ctx: click.Context,
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    output: str,
    min_score: float,
) -> None:
    """Build a graph from lists of abstracts.

    INPUT is a file, a folder, or - for standard input: text lists, Markdown, JSON, JSON Lines, CSV, TSV,
    BibTeX, RIS, arXiv Atom and OAI-PMH, plain or compressed, any number of them. A paper that stands in
    several inputs becomes one.
    """
    if not inputs:
        raise click.UsageError(_NO_INPUT)
    start = time.monotonic()
    result = read_inputs(inputs, format=input_format, strict=strict)
    with progress(len(result.papers)) as advance:
        graph = api.build(result, progress=advance, min_score=min_score)
    if output == "-":
        from kg.store import dumps

        click.echo(dumps(graph), nl=False)
    else:
        api.save(graph, output)
    if not quiet():
        _summarize(statistics(graph), output, len(result.rejected), time.monotonic() - start)
    ctx.exit(1 if result.rejected else 0)


def _summarize(counts: Statistics, output: str, rejected: int, seconds: float) -> None:
    """Says on standard error what the graph holds."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.concepts.items())
    rows = {
        "Papers": f"{counts.papers:,}, {counts.papers_with_code:,} with code",
        "Concepts": f"{sum(counts.concepts.values()):,}: {kinds}",
        "Relations": f"{sum(counts.relations.values()):,}",
        "Rejected records": f"{rejected:,}",
        "Time": f"{seconds:.1f} s, {counts.papers / max(seconds, 1e-9):,.0f} papers a second",
        "Written to": "standard output" if output == "-" else output,
    }
    section(console(stderr=True), grid(rows))
