"""`kg show`: one concept or paper, and everything around it with the sentence that says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from kg.cli.app import example, verbosity_options
from kg.cli.options import as_json, graph_argument, limit_option, output_format_option
from kg.cli.sources import opened
from kg.cli.terminal import console, grid, plain, print_json, section, tagged, text
from kg.lookup import Neighbour, display_name, neighbours

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kg.source import Counts
    from kg.store import Graph

__all__ = ["show"]

_FIELDS = ("id", "aliases", "papers", "authors", "year", "venue", "url", "doi", "arxiv_id", "code_status")


@click.command(
    epilog=example(
        "kg show graph.json Transformer", "kg show graph.json 'Attention Is All You Need' --limit 3"
    )
)
@graph_argument
@click.argument("name")
@click.option(
    "--evidence/--no-evidence",
    default=True,
    show_default=True,
    help="With the sentence behind each relation.",
)
@limit_option(10, "Show at most so many neighbours of each relation.")
@output_format_option
@verbosity_options
def show(graph_path: str, name: str, evidence: bool, limit: int, output_format: str) -> None:
    """Show a concept or a paper and what stands around it.

    NAME is a name, an alias, a title, an id, or the beginning of one. GRAPH is a graph file or a folder of
    Parquet tables.
    """
    with opened(graph_path) as source:
        node, *others = source.find_all(name)
        graph, counts = source.around(node, limit=limit)
    around = neighbours(graph, node)
    if as_json(output_format):
        print_json(_record(graph, node, others, around, limit=limit, evidence=evidence))
        return
    out = console()
    section(out, *_heading(graph, node, others))
    for (relation, outgoing), found in around.items():
        shown = found[:limit]
        section(out, *_relation(graph, relation, outgoing, shown, counts=counts, evidence=evidence))


def _heading(graph: Graph, node: str, others: Sequence[str]) -> list[RenderableType]:
    """The name and type of a node and its properties."""
    data = {**graph.nodes[node], "id": node}
    rows = {
        key.replace("_", " "): _value(data[key]) for key in _FIELDS if data.get(key) not in (None, "", [])
    }
    if others:
        rows["also"] = ", ".join(others)
    title = tagged(display_name(graph, node), data.get("type"), "bold")
    return [title, grid(rows)]


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _relation(
    graph: Graph, relation: str, outgoing: bool, shown: Sequence[Neighbour], *, counts: Counts, evidence: bool
) -> list[RenderableType]:
    """One relation: its neighbours, each with a sentence."""
    from rich.padding import Padding

    count = counts[relation, outgoing]
    arrow = f"{relation} →" if outgoing else f"← {relation}"
    parts: list[RenderableType] = [tagged(arrow, f"{count:,}", "bold green")]
    for neighbour in shown:
        name = tagged(display_name(graph, neighbour.id), graph.nodes[neighbour.id].get("type"))
        parts.append(Padding(name, (0, 0, 0, 2)))
        sentence = _sentence(neighbour) if evidence else ""
        if sentence:
            parts.append(Padding(text(f"“{sentence}”", "italic dim"), (0, 0, 0, 4)))
    if count > len(shown):
        parts.append(Padding(text(f"… and {count - len(shown):,} more", "dim"), (0, 0, 0, 2)))
    return parts


def _sentence(neighbour: Neighbour) -> str:
    """The sentence that shows the relation best; the first of those with the highest score."""
    best = max(neighbour.evidence, key=lambda item: item.get("score") or 0, default={})
    return plain(best.get("sentence") or "")


def _record(
    graph: Graph,
    node: str,
    others: Sequence[str],
    around: Mapping[tuple[str, bool], Sequence[Neighbour]],
    *,
    limit: int,
    evidence: bool,
) -> dict[str, Any]:
    return {
        **graph.nodes[node],
        "id": node,
        "also": list(others),
        "neighbours": [
            {
                "relation": item.relation,
                "outgoing": item.outgoing,
                "id": item.id,
                "name": display_name(graph, item.id),
                "type": graph.nodes[item.id].get("type"),
                **({"evidence": list(item.evidence)} if evidence else {}),
            }
            for found in around.values()
            for item in found[:limit]
        ],
    }
