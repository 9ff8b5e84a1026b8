"""`kg add`: more papers for a graph."""

from __future__ import annotations

import time

import click

from kg import api
from kg.api import WorkerCount
from kg.cli.app import example, verbosity_options
from kg.cli.inputs import Rejections, read_inputs
from kg.cli.options import extraction_options, graph_argument, input_options, rewrite_option
from kg.cli.outputs import finish
from kg.cli.progress import progress

__all__ = ["add"]


@click.command(epilog=example("kg add graph.json new-papers.bib", "kg add graph.json list.txt -o both.json"))
@graph_argument
@input_options
@rewrite_option
@click.option("--reextract", is_flag=True, help="Read the graph's own papers anew, too.")
@extraction_options
@verbosity_options
@click.pass_context
def add(
    ctx: click.Context,
    graph_path: str,
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    max_bytes: int | None,
    output: str | None,
    reextract: bool,
    workers: WorkerCount,
    cache: bool,
) -> None:
    """Add papers to a graph, and rewrite its file.

    The result is what `kg build` gives for the papers of both. Only new papers are read, and those whose text
    a new record completes. If another version of the extractor made the graph, --reextract is needed.
    """
    if not inputs:
        raise click.UsageError("name at least one INPUT, or - for standard input.")
    start = time.monotonic()
    graph = api.load(graph_path)
    result = read_inputs(inputs, format=input_format, strict=strict, max_bytes=max_bytes)
    with Rejections() as rejections, progress(len(result.papers)) as advance:
        graph = api.add(
            graph,
            result,
            progress=advance,
            workers=workers,
            cache=cache,
            on_rejected=rejections.add,
            reextract=reextract,
        )
    rejected = len(result.rejected) + rejections.count
    finish(ctx, graph, output or graph_path, rejected=rejected, start=start)
