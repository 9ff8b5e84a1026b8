"""`kg why`, `path`, `similar`, `trends` and `gaps`: nodes compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kg import api
from kg.cli.app import example, verbosity_options
from kg.cli.options import graph_argument, limit_option
from kg.cli.rows import print_rows, rows_format_option
from kg.cli.sources import opened
from kg.lookup import CONCEPT_TYPES, display_name, find

if TYPE_CHECKING:
    from kg.compare import Edge
    from kg.store import Graph

__all__ = ["gaps", "path", "similar", "trends", "why"]

_EDGES = (
    ("source", "From", "grow"),
    ("relation", "Relation", "left"),
    ("target", "To", "grow"),
    ("sentence", "Sentence", "grow"),
)
_WHY = (*_EDGES, ("paper", "Paper", "grow"), ("score", "Score", "right"))

_least_option = click.option(
    "--least",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Only concepts of at least so many papers.",
)


@click.command(
    epilog=example("kg why graph.json BERT 'question answering'", "kg why graph.json BERT GLUE -q")
)
@graph_argument
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@limit_option(20, "Show at most so many sentences of each relation.")
@rows_format_option
@verbosity_options
def why(graph_path: str, one: str, other: str, limit: int, output_format: str) -> None:
    """Explain each relation between two nodes by its sentences.

    A and B are names, aliases, titles or ids. GRAPH is a graph file or a folder of Parquet tables.
    """
    from kg.compare import why as explain

    with opened(graph_path) as source:
        ends = source.find_all(one)[0], source.find_all(other)[0]
        edges = explain(source.between(*ends), *ends)
        papers = {str(item.get("paper")) for edge in edges for item in edge.evidence[:limit]}
        graph = source.nodes(sorted(papers.union(ends)))
    records = [record for edge in edges for record in _evidence(graph, edge, limit)]
    print_rows(output_format, f"{len(edges)} relations", _WHY, records)


def _evidence(graph: Graph, edge: Edge, limit: int) -> list[dict[str, Any]]:
    """The sentences of an edge, one record each; one without a sentence where there is none."""
    found = list(edge.evidence)[:limit] or [{}]
    return [
        {
            "source": display_name(graph, edge.source),
            "relation": edge.relation,
            "target": display_name(graph, edge.target),
            "sentence": item.get("sentence") or "",
            "paper": display_name(graph, item["paper"]) if item.get("paper") in graph else None,
            "score": item.get("score"),
            "start": item.get("start"),
            "end": item.get("end"),
            "extractor": item.get("extractor"),
            "ids": [edge.source, edge.target, item.get("paper")],
        }
        for item in found
    ]


@click.command(epilog=example("kg path graph.json LoRA 'machine translation'"))
@graph_argument
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@rows_format_option
@verbosity_options
def path(graph_path: str, one: str, other: str, output_format: str) -> None:
    """Show the shortest way between two nodes, with sentences.

    A and B are names, aliases, titles or ids. Relations may be followed against their direction.
    """
    from kg.compare import path as find_path

    graph = api.load(graph_path)
    steps = find_path(graph, find(graph, one), find(graph, other))
    records = [record for edge in steps for record in _evidence(graph, edge, 1)]
    print_rows(output_format, f"{len(steps)} steps", _EDGES, records)


@click.command(
    epilog=example("kg similar graph.json BERT", "kg similar graph.json 'Attention Is All You Need'")
)
@graph_argument
@click.argument("name", metavar="PAPER|CONCEPT")
@limit_option(10, "Show at most so many.")
@rows_format_option
@verbosity_options
def similar(graph_path: str, name: str, limit: int, output_format: str) -> None:
    """Show what is most like a paper or a concept, and why.

    Papers are alike by shared concepts, concepts by the company they keep in papers; what few papers have
    counts most.
    """
    from kg.compare import similar as find_similar

    graph = api.load(graph_path)
    records = [
        {
            "name": display_name(graph, item.node),
            "score": item.score,
            "shared": _names(graph, item.shared),
            "id": item.node,
        }
        for item in find_similar(graph, find(graph, name), limit=limit)
    ]
    columns = (("name", "Name", "grow"), ("score", "Score", "right"), ("shared", "Shared", "grow"))
    print_rows(output_format, f"Similar to {name}", columns, records)


def _names(graph: Graph, nodes: Sequence[str]) -> list[str]:
    return [display_name(graph, node) for node in nodes]


@click.command(epilog=example("kg trends graph.json --type Method", "kg trends graph.json --format csv"))
@graph_argument
@click.option(
    "--type",
    "node_type",
    type=click.Choice(CONCEPT_TYPES, case_sensitive=False),
    help="Only concepts of this type.",
)
@_least_option
@limit_option(20, "Show at most so many.")
@rows_format_option
@verbosity_options
def trends(graph_path: str, node_type: str | None, least: int, limit: int, output_format: str) -> None:
    """Show which concepts rise and fall over the years.

    The change is the share of papers that have the concept in the later half of the years minus that in the
    earlier half, in percentage points. Papers without a year do not count.
    """
    from kg.compare import trends as find_trends

    graph = api.load(graph_path)
    records = [
        {
            "name": display_name(graph, trend.node),
            "type": graph.nodes[trend.node]["type"],
            "change": trend.change,
            "years": {str(year): count for year, count in trend.years.items()},
            "id": trend.node,
        }
        for trend in find_trends(graph, type=node_type, least=least, limit=limit)
    ]
    columns = (
        ("name", "Name", "grow"),
        ("type", "Type", "left"),
        ("change", "Change", "right"),
        ("years", "Papers a year", "grow"),
    )
    print_rows(output_format, "Rising and falling", columns, records)


@click.command(epilog=example("kg gaps graph.json", "kg gaps graph.json --least 5 --format json"))
@graph_argument
@_least_option
@limit_option(20, "Show at most so many.")
@rows_format_option
@verbosity_options
def gaps(graph_path: str, least: int, limit: int, output_format: str) -> None:
    """Show methods and tasks that no paper brings together.

    Only pairs that the method's neighbours suggest: methods that share tasks with it and are used for the
    missing one.
    """
    from kg.compare import gaps as find_gaps

    graph = api.load(graph_path)
    records = [
        {
            "method": display_name(graph, gap.method),
            "task": display_name(graph, gap.task),
            "score": gap.score,
            "neighbours": _names(graph, gap.neighbours),
            "tasks": _names(graph, gap.tasks),
            "ids": [gap.method, gap.task],
        }
        for gap in find_gaps(graph, least=least, limit=limit)
    ]
    columns = (
        ("method", "Method", "grow"),
        ("task", "Missing task", "grow"),
        ("score", "Score", "right"),
        ("neighbours", "Methods used for it", "grow"),
        ("tasks", "Tasks shared with them", "grow"),
    )
    print_rows(output_format, "Not brought together yet", columns, records)
