"""`kg export`: the graph for another program."""

from __future__ import annotations

from collections.abc import Iterable

import click

from kg import api
from kg.cli.app import example, quiet, verbosity_options
from kg.cli.options import LazyChoice, graph_argument
from kg.cli.terminal import plain

__all__ = ["export"]


def _formats() -> Iterable[str]:
    from kg.exports import EXPORTERS

    return EXPORTERS


@click.command(
    epilog=example(
        "kg export graph.json -o graph.graphml",
        "kg export graph.json -o papers.bib",
        "kg export graph.json --format csv -o tables",
        "kg export graph.json --format turtle -o - | gzip > graph.ttl.gz",
    )
)
@graph_argument
@click.option(
    "--format",
    "output_format",
    type=LazyChoice(_formats),
    help="What to write; by default the ending of the output tells.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    required=True,
    help="The file to write, .gz for a compressed one; for csv, parquet, obsidian and neo4j-admin a folder.",
)
@verbosity_options
def export(graph_path: str, output_format: str | None, output: str) -> None:
    """Write a graph for another program.

    Gephi reads gexf, yEd and Cytoscape graphml, spreadsheets csv, pandas and DuckDB parquet, triple stores
    turtle and jsonld, reference managers bibtex, people markdown, Neo4j cypher and neo4j-admin, scripts json.
    obsidian is a vault of linked notes. Each carries the sentences behind the relations.
    """
    api.export(api.load(graph_path), output, format=output_format)
    if output != "-" and not quiet():
        click.echo(f"Written to {plain(output)}", err=True)
