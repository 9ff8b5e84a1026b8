"""Results of one row each, printed as a table, as JSON or as CSV."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import click

from kg.cli.terminal import console, plain, print_json, table

__all__ = ["Column", "print_rows", "rows_format_option"]

#: A field of the records, its header, and "left", "right" or "grow".
Column = tuple[str, str, str]

rows_format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="A table for people; for programs one JSON array or CSV.",
)


def print_rows(
    output_format: str, title: str, columns: Sequence[Column], records: Sequence[Mapping[str, Any]]
) -> None:
    """Prints records; JSON has all their fields, table and CSV those of the columns, lists joined by "; "."""
    if output_format == "json":
        print_json(list(records))
    elif output_format == "csv":
        click.echo(_csv(columns, records), nl=False)
    elif records:
        rows = [[_cell(record.get(key)) for key, _, _ in columns] for record in records]
        console().print(table(title, [(header, kind) for _, header, kind in columns], rows))
    else:
        click.echo("Nothing found.")


def _csv(columns: Sequence[Column], records: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV, safe to open in a spreadsheet and to show in a terminal."""
    from kg.exports.csv_tables import guard, writer_to

    stream = io.StringIO()
    writer = writer_to(stream)
    writer.writerow([key for key, _, _ in columns])
    for record in records:
        writer.writerow([guard(plain(_cell(record.get(key)))) for key, _, _ in columns])
    return stream.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_cell(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(_cell, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
