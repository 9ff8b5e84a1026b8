"""`kg stats`: what a graph holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from kg.cli.app import example, verbosity_options
from kg.cli.options import as_json, graph_argument, limit_option, output_format_option
from kg.cli.sources import opened
from kg.cli.terminal import beside, console, print_json, section, table
from kg.lookup import Statistics, display_name

if TYPE_CHECKING:
    from rich.table import Table

    from kg.store import Graph

__all__ = ["stats"]

#: A table of counts has at most so many lines.
_LONGEST = 20


@click.command(epilog=example("kg stats graph.json", "kg stats graph.json --format json"))
@graph_argument
@limit_option(10, "So many of the best-connected concepts of each type.")
@output_format_option
@verbosity_options
def stats(graph_path: str, limit: int, output_format: str) -> None:
    """Count what is in a graph: papers, concepts, relations, code.

    GRAPH is a graph file or a folder of Parquet tables.
    """
    with opened(graph_path) as source:
        counts, graph = source.statistics(top=limit)
    if as_json(output_format):
        print_json(counts.to_record())
    else:
        _show(graph, counts)


def _show(graph: Graph, counts: Statistics) -> None:
    out = console()
    nodes = {"Paper": counts.papers, **counts.concepts, **counts.others}
    code = {"with an address": counts.papers_with_code, **counts.code_status}
    columns = [_counts("Nodes", nodes), _counts("Relations", counts.relations), _counts("Code", code)]
    section(out, beside(*columns))
    if counts.years or counts.venues:
        years = {str(year): count for year, count in counts.years.items()}
        section(out, beside(_counts("Years", years), _counts("Venues", counts.venues)))
    tops = [_top(graph, kind, nodes_of_kind) for kind, nodes_of_kind in counts.top.items() if nodes_of_kind]
    for start in range(0, len(tops), 2):
        section(out, beside(*tops[start : start + 2]))


def _counts(title: str, counts: Mapping[str, int]) -> Table:
    rows = [(name, f"{count:,}") for name, count in list(counts.items())[:_LONGEST]]
    if len(counts) > _LONGEST:
        rows.append((f"and {len(counts) - _LONGEST:,} more", ""))
    return table(title, (("", "grow"), ("", "right")), rows)


def _top(graph: Graph, kind: str, nodes: Sequence[tuple[str, int]]) -> Table:
    rows = [(display_name(graph, node), f"{papers:,}") for node, papers in nodes]
    return table(kind, (("", "grow"), ("Papers", "right")), rows)
