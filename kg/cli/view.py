"""`kg view`: the graph as an HTML page."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

import viz
from kg.cli.app import Failure, example, quiet, verbosity_options
from kg.cli.options import graph_argument
from kg.cli.sources import opened
from kg.cli.terminal import plain
from kg.lookup import NODE_TYPES, display_name

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["view"]


def _types(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """The types of options such as `Method,Task`."""
    known = {kind.casefold(): kind for kind in NODE_TYPES}
    names = [name.strip() for value in values for name in value.split(",") if name.strip()]
    for name in names:
        if name.casefold() not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(NODE_TYPES)}.", ctx, param)
    return [known[name.casefold()] for name in names]


@click.command(
    epilog=example(
        "kg view graph.json -o view.html --open",
        "kg view graph.json --focus Transformer --depth 2 -o transformer.html",
        "kg view graph.json --concepts-only --community -o fields.html",
    )
)
@graph_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="view.html",
    show_default=True,
    help="The page; - is standard output.",
)
@click.option("--focus", metavar="NAME", help="Only what is around this concept or paper.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="With --focus: so many steps around it.",
)
@click.option(
    "--query",
    "asked",
    metavar="NAME|FILE|CYPHER",
    help="Only the nodes that a query finds (as `kg query`; parameters take their examples).",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPES",
    callback=_types,
    help="Only nodes of these types, e.g. Method,Task.",
)
@click.option("--papers", is_flag=True, help="Papers only, joined where they share concepts.")
@click.option("--concepts-only", is_flag=True, help="Concepts only, joined where papers have both.")
@click.option("--timeline", is_flag=True, help="Methods (or --type) by the year of their first paper.")
@click.option("--community", is_flag=True, help="Colour nodes by the communities that they form.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=viz.CAP,
    show_default=True,
    metavar="N",
    help="Show at most so many nodes, the best connected.",
)
@click.option("--title", default="Knowledge graph", show_default=True, help="Heading of the page.")
@click.option("--open", "open_it", is_flag=True, help="Open the page in the browser.")
@verbosity_options
def view(
    graph_path: str,
    output: str,
    focus: str | None,
    depth: int,
    asked: str | None,
    types: list[str],
    papers: bool,
    concepts_only: bool,
    timeline: bool,
    community: bool,
    top: int,
    title: str,
    open_it: bool,
) -> None:
    """Draw a graph as one HTML page to search and filter.

    The page needs no network and no other file. NAME is a name, an alias, a title, an id, or the beginning of
    one. GRAPH is a graph file or a folder of Parquet tables; a large folder needs --focus.
    """
    if sum((papers, concepts_only, timeline)) > 1:
        raise click.UsageError("choose one of --papers, --concepts-only and --timeline")
    if focus is None and not _left_out("depth"):
        raise click.UsageError("--depth counts steps around a node: name it with --focus")
    if open_it and output == "-":
        raise click.UsageError("--open needs a file: name one with -o")
    with opened(graph_path) as source:
        graph = source.whole() if focus is None else source.near(focus, depth)
        nodes = None if asked is None else _found(graph, graph_path, asked)
    page = viz.view(
        graph,
        focus=focus,
        depth=depth,
        nodes=nodes,
        types=types,
        papers=papers,
        concepts_only=concepts_only,
        timeline=timeline,
        community=community,
        top=top,
        title=title,
    )
    if output == "-":
        click.echo(page.html.encode(), nl=False)
        return
    page.save(output)
    if not quiet():
        click.echo(f"Written to {plain(output)}", err=True)
    if open_it:
        _open(output)


def _left_out(option: str) -> bool:
    """Whether an option has its default, since the user gave none."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.DEFAULT


def _found(graph: Graph, graph_path: str, asked: str) -> set[str]:
    """The nodes in the answer to a query: nodes, ends of relations, and texts that are an id or a name."""
    from kg.queries import find
    from kg.query import run

    homes: dict[str, list[str]] = {node: [node] for node in graph}
    for node in graph:
        homes.setdefault(display_name(graph, node), []).append(node)
    answer = run(graph_path, find(asked)).rows
    found = {node for text in _texts(answer) for node in homes.get(text, ())}
    if not found:
        raise Failure(
            "the answer to the query names no node", "return nodes, as in MATCH (m:Method) RETURN m"
        )
    return found


def _texts(value: Any) -> Iterator[str]:
    """The texts of an answer that may name a node."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key in ("id", "source", "target", "nodes", "relationships"):
            yield from _texts(value.get(key))


def _open(path: str) -> None:
    """Shows the page in the user's browser."""
    address = Path(path).resolve().as_uri()
    if not webbrowser.open(address):
        click.echo(f"No browser could be opened; open {plain(address)} yourself.", err=True)
