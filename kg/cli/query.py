"""`kg query`: Cypher over a graph file, or on a server."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from kg.cli.app import example, quiet, verbosity_options
from kg.cli.connection import connection_options, read_settings
from kg.cli.sources import step
from kg.cli.terminal import console, json_line, plain, table

if TYPE_CHECKING:
    from kg.query import Result

__all__ = ["query"]


def _pairs(ctx: click.Context, param: click.Parameter, given: Iterable[str]) -> dict[str, str]:
    """The values of --param by name."""
    found = {}
    for item in given:
        name, separator, value = item.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"{item!r} is not like name=value.")
        found[name.removeprefix("$")] = value
    return found


def _show_list(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Prints the queries that come along, and ends."""
    if not wanted:
        return
    from kg.queries import queries

    columns = (("Name", "left"), ("Title", "grow"), ("Parameters, with an example", "grow"))
    rows = [
        (item.name, item.title, ", ".join(f"{name}={value}" for name, value in item.parameters.items()))
        for item in queries().values()
    ]
    console().print(table("Queries", columns, rows))
    ctx.exit()


@click.command(
    epilog=example(
        "kg query --list",
        "kg query graph.json papers-with-code --param task='machine translation'",
        'kg query graph.json "MATCH (m:Method) RETURN m.name, m.papers ORDER BY m.papers DESC LIMIT 9"',
        "kg query graph.json hubs --neo4j --format json",
    )
)
@click.argument("graph_path", metavar="GRAPH", type=click.Path())
@click.argument("asked", metavar="NAME|FILE|CYPHER")
@click.option(
    "--param",
    "parameters",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="A value for a parameter; one without takes its example.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="A table for people; for programs CSV or one JSON array.",
)
@click.option("--neo4j", "on_server", is_flag=True, help="Ask the Neo4j server instead of the graph file.")
@connection_options
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_list,
    help="Show the queries that come along, and end.",
)
@verbosity_options
def query(
    graph_path: str,
    asked: str,
    parameters: dict[str, str],
    output_format: str,
    on_server: bool,
    uri: str | None,
    username: str | None,
    database: str | None,
) -> None:
    """Ask a graph in Cypher, without a server.

    Give the name of a query that comes along, a file, or Cypher. GRAPH is a graph file or a folder of Parquet
    tables; its database is kept beside it and made anew when it changes. Queries only read. With --neo4j,
    GRAPH is not opened: the server is asked, as kg push left it.
    """
    from kg.queries import find
    from kg.query import examples, run, run_on_server

    found = find(asked)
    if on_server:
        settings = read_settings(uri, username, database)
        result = run_on_server(settings, found, parameters=parameters)
    else:
        with ExitStack() as stack:
            result = run(graph_path, found, parameters=parameters, progress=step(stack, "Preparing"))
    taken = examples(found, parameters)
    if taken and not quiet():
        told = ", ".join(f"{name}={value}" for name, value in taken.items())
        click.echo(plain(f"Example values, change them with --param: {told}"), err=True)
    _print(result, output_format, found.title)


def _print(result: Result, output_format: str, title: str) -> None:
    if output_format == "json":
        click.echo(json_line(result.records(), indent=2), nl=False)
    elif output_format == "csv":
        click.echo(_csv(result), nl=False)
    elif result.rows:
        columns = [(name, _kind(row[at] for row in result.rows)) for at, name in enumerate(result.columns)]
        rows = [[_cell(value) for value in row] for row in result.rows]
        console().print(table(title, columns, rows))
    else:
        click.echo("Nothing found.")


def _kind(values: Iterable[Any]) -> str:
    """Numbers to the right; texts share the room."""
    return "right" if all(isinstance(value, int | float | None) for value in values) else "grow"


def _cell(value: Any) -> str:
    """A value for people."""
    if isinstance(value, list):
        return "; ".join(map(_cell, value))
    if not isinstance(value, dict):
        return "" if value is None else str(value)
    if value.keys() == {"nodes", "relationships"}:
        return _path(value)
    if "labels" in value:
        properties = value["properties"]
        return str(properties.get("label") or properties.get("name") or value["id"])
    if "source" in value:
        return f"{value['source']} {value['type']} {value['target']}"
    return json.dumps(value, ensure_ascii=False)


def _path(value: dict[str, Any]) -> str:
    """A path as arrows: A -USES-> B <-USES- C."""
    nodes = value["nodes"]
    shown = [_cell(nodes[0])]
    for relation, before, after in zip(value["relationships"], nodes, nodes[1:], strict=False):
        forward = relation["source"] == before["id"]
        shown.append(f"-{relation['type']}->" if forward else f"<-{relation['type']}-")
        shown.append(_cell(after))
    return " ".join(shown)


def _csv(result: Result) -> str:
    """The rows as CSV; lists and nodes are JSON; no spreadsheet runs a text as a formula."""
    from kg.exports.csv_tables import guard, writer_to

    stream = io.StringIO()
    writer = writer_to(stream)
    writer.writerow(result.columns)
    for row in result.rows:
        cells = [json.dumps(v, ensure_ascii=False) if isinstance(v, list | dict) else v for v in row]
        writer.writerow([guard(cell) if isinstance(cell, str) else cell for cell in cells])
    return stream.getvalue()
