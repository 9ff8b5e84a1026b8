"""`kg push`: the graph into a Neo4j database."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from kg.cli.app import example, quiet, verbosity_options
from kg.cli.connection import connection_options, read_settings
from kg.cli.options import graph_argument
from kg.cli.progress import progress
from kg.cli.sources import opened
from kg.cli.terminal import plain

if TYPE_CHECKING:
    from kg.push import Report

__all__ = ["push"]


@click.command(
    epilog=example(
        "kg push graph.json",
        "kg push graph.json --collection reading-list --prune",
        "NEO4J_URI=neo4j+s://example.databases.neo4j.io kg push graph.json --dry-run",
    )
)
@graph_argument
@connection_options
@click.option(
    "--collection",
    default="default",
    show_default=True,
    metavar="NAME",
    help="Marks what this push writes, so that several lists can share a database.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Take away what earlier pushes of this collection wrote and the graph no longer has.",
)
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    metavar="N",
    help="Rows in one transaction.",
)
@click.option("--dry-run", is_flag=True, help="Only compare: write nothing.")
@verbosity_options
def push(
    graph_path: str,
    uri: str | None,
    username: str | None,
    database: str | None,
    collection: str,
    prune: bool,
    batch: int,
    dry_run: bool,
) -> None:
    """Write a graph to a Neo4j database.

    GRAPH is a graph file or a folder of Parquet tables, of which some rows are in memory at a time.

    The server must be Neo4j 5 or later; Community edition will do. A second push changes nothing; a changed
    graph updates. What else is in the database stays untouched. The password is read from NEO4J_PASSWORD, in
    the environment or in .env, or asked for.
    """
    from kg.push import push as write

    with opened(graph_path) as source:
        graph, total = source.pushed()
        settings = read_settings(uri, username, database)
        start = time.monotonic()
        with progress(total, unit="nodes and relations", verb="Writing") as advance:
            report = write(
                graph,
                settings,
                collection=collection,
                prune=prune,
                batch=batch,
                dry_run=dry_run,
                progress=advance,
            )
    if not quiet():
        for line in _summary(report, prune=prune, dry_run=dry_run, collection=collection):
            click.echo(plain(line), err=True)
        click.echo(f"{settings.uri}, {time.monotonic() - start:.1f} s", err=True)


def _summary(report: Report, *, prune: bool, dry_run: bool, collection: str) -> list[str]:
    """What was done, in the order in which one wants to know."""
    verb = "to create" if dry_run else "created"
    changed = (
        ("", "")
        if dry_run
        else (f", {report.changed_nodes:,} changed", f", {report.changed_relations:,} changed")
    )
    lines = [
        f"{report.nodes:,} nodes: {report.created_nodes:,} {verb}{changed[0]}",
        f"{report.relations:,} relations: {report.created_relations:,} {verb}{changed[1]}",
    ]
    stale = f"{report.stale_nodes:,} nodes and {report.stale_relations:,} relations"
    if prune and not dry_run:
        lines.append(
            f"pruned: {report.pruned_nodes:,} nodes and {report.pruned_relations:,} relations of "
            f"collection {collection}"
        )
        if report.pruned_nodes < report.stale_nodes:
            kept = report.stale_nodes - report.pruned_nodes
            lines.append(f"kept: {kept:,} nodes that other collections or others' relations hold")
    elif report.stale_nodes or report.stale_relations:
        lines.append(
            f"{stale} of collection {collection} are no longer in the graph; --prune takes them away"
        )
    return lines
