"""The page: one HTML file with its style, scripts and data, and a policy that forbids everything else."""

from __future__ import annotations

import base64
import hashlib
import html
import math
import os
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import orjson

from kg.files import atomic_write
from kg.store import Graph
from viz.communities import Community, communities
from viz.details import Sources, edge_details, node_details
from viz.layout import columns, force_layout
from viz.network import SHAPES, build_network, drawn_size, script
from viz.selection import OFF_TYPES, Choice, Selection, normalize, select, years_of

__all__ = ["View", "embed", "render"]

#: The parts of the page's script, in the order in which they need each other.
_SCRIPTS = ("data", "theme", "graph", "labels", "filters", "panel", "search", "export", "main")
#: What would end a script element or a line of JavaScript.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class View:
    """A finished page: show it in a notebook, or write it to a file."""

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page as UTF-8, whole or not at all.

        Raises:
            ExportError: the file cannot be written.
        """
        content = self.html.encode()
        with atomic_write(path) as stream:
            stream.write(content)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, which can do nothing to the notebook."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="Knowledge graph" loading="lazy" '
            'sandbox="allow-scripts allow-downloads allow-popups" '
            'style="width: 100%; height: 640px; border: 0"></iframe>'
        )


def render(graph: Any, choice: Choice, *, title: str) -> View:
    """Makes the page of a graph.

    Raises:
        NotFoundError: nothing in the graph is called `choice.focus`.
    """
    whole = normalize(graph)
    selection = select(whole, choice)
    return View(_fill(title, page_data(whole, selection, choice), _note(selection, choice)))


def page_data(whole: Graph, selection: Selection, choice: Choice) -> dict[str, Any]:
    """Everything that the script of the page works on.

    Args:
        whole: the normalised graph, which knows the papers behind what is folded.
        selection: what is on the page.
        choice: what was asked for.
    """
    graph = selection.graph
    groups = communities(graph, selection.shown) if choice.community else []
    years = years_of(whole)
    member = {node: index for index, group in enumerate(groups) for node in group.nodes}
    rank = {node: index for index, node in enumerate((*selection.shown, *selection.off))}
    more = {
        node: node_details(whole, node)
        | ({"years": years[node]} if years[node] else {})
        | ({"rank": rank[node]} if node in rank else {})
        | ({"first": graph.nodes[node]["first"]} if "first" in graph.nodes[node] else {})
        | ({"community": member[node]} if node in member else {})
        for node in graph
    }
    network = build_network(graph, places=_places(selection, choice, groups), more=more)
    sources = Sources(whole)
    for drawn, (_, _, data) in zip(network["edges"], graph.edges(data=True), strict=True):
        drawn.update(edge_details(data, sources))
    present = {data["type"] for _, data in graph.nodes(data=True)}
    return {
        **network,
        **sources.tables(),
        "types": [kind for kind in SHAPES if kind in present],
        "shapes": SHAPES,
        "off": [kind for kind in OFF_TYPES if kind not in choice.types],
        "communities": [group.name for group in groups],
        "mode": choice.mode,
        "focus": selection.focus,
    }


def _places(selection: Selection, choice: Choice, groups: list[Community]) -> dict[str, tuple[int, int]]:
    """Where the nodes stand that are shown at first."""
    graph = selection.graph
    if choice.mode == "timeline":
        years = {node: graph.nodes[node]["first"] for node in selection.shown}
        return columns(years, selection.shown, {node: drawn_size(graph.nodes[node]) for node in years})
    index = {node: number for number, node in enumerate(selection.shown)}
    member = {node: number for number, group in enumerate(groups) for node in group.nodes}
    edges = [
        (index[source], index[target], _weight(data) * (2 if _joined(member, source, target) else 1))
        for source, target, data in graph.edges(data=True)
        if source in index and target in index and source != target
    ]
    found = force_layout(len(index), edges, [drawn_size(graph.nodes[node]) for node in index])
    return dict(zip(index, found, strict=True))


def _joined(member: dict[str, int], source: str, target: str) -> bool:
    return source in member and member[source] == member.get(target)


def _weight(data: dict[str, Any]) -> float:
    papers = data.get("papers")
    light = 0.4 if data["type"] == "MENTIONS" else 1.0
    return light * (1 + math.log2(papers) if isinstance(papers, int) and papers > 1 else 1.0)


def _note(selection: Selection, choice: Choice) -> str:
    """What is not shown, and how to see it."""
    shown = len(selection.shown)
    hidden = len(selection.graph) - shown - len(selection.off)
    parts = []
    if hidden or selection.absent:
        total = shown + hidden + selection.absent
        parts.append(f"Shows the {shown:,} best connected of {total:,} nodes.")
        parts.append("Search for the others or expand a node; --top, --focus and --type choose differently.")
    if selection.absent:
        parts.append(f"{selection.absent:,} of them are not in this file.")
    if selection.undated:
        parts.append(f"{selection.undated:,} have no year and are left out.")
    if choice.mode in ("concepts", "papers"):
        parts.append("Each node keeps its strongest edges.")
    return " ".join(parts)


def embed(data: Any) -> str:
    """The data as JSON that can stand in a script element."""
    return orjson.dumps(data).decode().translate(_ESCAPES)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _parts() -> tuple[str, str, tuple[str, ...]]:
    """Template, style and scripts of the page."""
    folder = resources.files("viz") / "page"
    template, style = ((folder / name).read_text(encoding="utf-8") for name in ("page.html", "style.css"))
    own = "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return template, style, (script(), own)


def _fill(title: str, data: dict[str, Any], note: str) -> str:
    from jinja2 import Environment, StrictUndefined

    template, style, scripts = _parts()
    policy = {
        "default-src": "'none'",
        "script-src": " ".join(map(_digest, scripts)),
        "style-src": _digest(style),
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(template).render(
        title=title,
        note=note,
        policy="; ".join(f"{name} {value}" for name, value in policy.items()),
        style=style,
        scripts=scripts,
        data=embed(data),
    )
