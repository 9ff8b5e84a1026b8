"""`kg search`: nodes by a part of their name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kg.cli.app import example, verbosity_options
from kg.cli.options import as_json, graph_argument, limit_option, output_format_option
from kg.cli.sources import opened
from kg.cli.terminal import console, print_json, table
from kg.lookup import NODE_TYPES, display_name

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["search"]


@click.command(
    epilog=example("kg search graph.json attention", "kg search graph.json 'graph neural' --type Method")
)
@graph_argument
@click.argument("text")
@click.option(
    "--type",
    "node_type",
    type=click.Choice(NODE_TYPES, case_sensitive=False),
    help="Only nodes of this type.",
)
@limit_option(20, "Show at most so many nodes.")
@output_format_option
@verbosity_options
def search(graph_path: str, text: str, node_type: str | None, limit: int, output_format: str) -> None:
    """Find papers and concepts by a part of their name.

    Every word of TEXT must occur in one name, alias or title; a part of a word will do. Finding nothing is
    no error. GRAPH is a graph file or a folder of Parquet tables.
    """
    with opened(graph_path) as source:
        count, nodes = source.search(text, type=node_type, limit=limit)
        graph = source.nodes(nodes)
    records = [_record(graph, node) for node in nodes]
    if as_json(output_format):
        print_json({"query": text, "found": count, "nodes": records})
        return
    columns = (("Name", "grow"), ("Type", "left"), ("Papers", "right"))
    rows = [(record["name"], record["type"], record["papers"] or "") for record in records]
    title = f"{count:,} found" + (f", the first {limit} are" if count > limit else "")
    console().print(table(title, columns, rows) if rows else "Nothing found.")


def _record(graph: Graph, node: str) -> dict[str, Any]:
    data = graph.nodes[node]
    return {
        "id": node,
        "name": display_name(graph, node),
        "type": data.get("type"),
        "papers": data.get("papers"),
        "aliases": list(data.get("aliases", ())),
    }
