"""`kg remove`: a graph without some of its papers."""

from __future__ import annotations

import time

import click

from kg import api
from kg.cli.app import example, verbosity_options
from kg.cli.options import graph_argument, rewrite_option
from kg.cli.outputs import finish

__all__ = ["remove"]


@click.command(
    epilog=example("kg remove graph.json 10.1000/xyz 1508.07909", "kg remove graph.json p17 -o without.json")
)
@graph_argument
@click.argument("papers", metavar="PAPER...", nargs=-1, required=True)
@rewrite_option
@verbosity_options
@click.pass_context
def remove(ctx: click.Context, graph_path: str, papers: tuple[str, ...], output: str | None) -> None:
    """Remove papers from a graph, and rewrite its file.

    PAPER is a node id, a DOI, an arXiv id, or an id of the input. What only this paper says goes with it: the
    result is what `kg build` gives for the other papers.
    """
    start = time.monotonic()
    graph = api.remove(api.load(graph_path), papers)
    finish(ctx, graph, output or graph_path, start=start)
