"""`kg merges`: which names became one, by which rule, and which might."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kg import api
from kg.cli.app import example, verbosity_options
from kg.cli.options import graph_argument, limit_option
from kg.cli.rows import print_rows, rows_format_option
from kg.lookup import display_name

if TYPE_CHECKING:
    from kg.merges import Suggestion
    from kg.store import Graph

__all__ = ["merges"]

_LEDGER = (
    ("alias", "Alias", "grow"),
    ("canonical", "Name", "grow"),
    ("type", "Type", "left"),
    ("rule", "Rule", "grow"),
    ("support", "Papers", "right"),
)
_PAPERS = ("papers", "Papers", "grow")
_SUGGESTIONS = (
    ("one", "Name", "grow"),
    ("other", "Other name", "grow"),
    ("type", "Type", "left"),
    ("score", "Score", "right"),
    ("reason", "Why", "grow"),
)


@click.command(
    epilog=example(
        "kg merges graph.json 'graph neural network'",
        "kg merges graph.json --format csv > merges.csv",
        "kg merges graph.json --suggest --limit 50",
    )
)
@graph_argument
@click.argument("name", required=False)
@click.option("--suggest", is_flag=True, help="Show likely pairs that were not merged, with a score.")
@limit_option(100, "Show at most so many lines in a table, and so many suggestions.")
@rows_format_option
@verbosity_options
def merges(graph_path: str, name: str | None, suggest: bool, limit: int, output_format: str) -> None:
    """Show which names were merged, and why.

    With NAME only the names of one concept, with the papers that write each. What is wrong here is mended
    by a rules file: `kg build --rules FILE`. docs/naming.md explains the rules.
    """
    from kg.merges import ledger
    from kg.merges import suggest as suggested

    if name is not None and suggest:
        raise click.UsageError("give either NAME or --suggest")
    graph = api.load(graph_path)
    if suggest:
        found = [_suggestion(graph, item) for item in suggested(graph, limit=limit)]
        print_rows(output_format, "Pairs that may be one", _SUGGESTIONS, found)
        return
    lines = ledger(graph, name)
    shown = lines[:limit] if output_format == "table" else lines
    records = [
        {
            "alias": line.alias,
            "canonical": line.canonical,
            "type": line.type,
            "rule": line.rule,
            "support": line.support,
            "papers": list(line.papers),
        }
        for line in shown
    ]
    title = f"{len(lines):,} merges" + (f", the first {limit} are" if len(lines) > len(shown) else "")
    columns = _LEDGER if name is None and output_format == "table" else (*_LEDGER, _PAPERS)
    print_rows(output_format, title, columns, records)


def _suggestion(graph: Graph, found: Suggestion) -> dict[str, Any]:
    return {
        "one": display_name(graph, found.one),
        "other": display_name(graph, found.other),
        "type": found.type,
        "score": found.score,
        "reason": found.reason,
        "ids": [found.one, found.other],
    }
