"""`kg diff`: what changed between two graphs."""

from __future__ import annotations

from collections.abc import Sequence

import click

from kg import api
from kg.cli.app import example, verbosity_options
from kg.cli.options import as_json, limit_option, output_format_option
from kg.cli.terminal import console, print_json, section, table

__all__ = ["diff"]


@click.command(epilog=example("kg diff old.json new.json", "kg diff old.json new.json --format json"))
@click.argument("old_path", metavar="OLD", type=click.Path())
@click.argument("new_path", metavar="NEW", type=click.Path())
@limit_option(20, "At most so many lines of each table.")
@output_format_option
@verbosity_options
def diff(old_path: str, new_path: str, limit: int, output_format: str) -> None:
    """Show what changed from one graph to another.

    Papers, concepts and relations that came or went, and concepts that have another name now. A concept that
    was merged into another one counts as renamed.
    """
    from kg.diff import compare

    found = compare(api.load(old_path), api.load(new_path))
    if as_json(output_format):
        print_json(found.to_record())
        return
    if not found:
        click.echo("The graphs are equal in papers, concepts and relations.")
    name = found.names
    _show("Papers", [("+", name[node]) for node in found.papers_in], limit)
    _show("Papers", [("-", name[node]) for node in found.papers_out], limit)
    _show("Concepts", [("+", name[node], node.partition(":")[0]) for node in found.concepts_in], limit)
    _show("Concepts", [("-", name[node], node.partition(":")[0]) for node in found.concepts_out], limit)
    _show("Renamed", [("~", found.old_names[old], name[new]) for old, new in found.renamed.items()], limit)
    for sign, relations in (("+", found.relations_in), ("-", found.relations_out)):
        rows = [(sign, name[source], relation, name[target]) for source, relation, target in relations]
        _show("Relations", rows, limit)


def _show(title: str, rows: Sequence[Sequence[str]], limit: int) -> None:
    """Prints a table if it has lines."""
    if not rows:
        return
    shown = [*rows[:limit]]
    if len(rows) > limit:
        shown.append(["", f"and {len(rows) - limit:,} more", *[""] * (len(rows[0]) - 2)])
    columns = [("", "left"), *[("", "grow")] * (len(rows[0]) - 1)]
    section(console(), table(f"{title}: {rows[0][0]}{len(rows):,}", columns, shown))
