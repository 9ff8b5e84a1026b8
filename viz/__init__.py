"""Draws a graph as one HTML page that needs nothing else: no server, no network, no other file.

>>> import kg
>>> kg.view(graph).save("view.html")                     # doctest: +SKIP

`view` chooses what is shown (`viz.selection`), folds papers or concepts away where asked (`viz.folding`),
gives every node a place (`viz.layout`) and puts all of it on a page (`viz.page`). It knows NetworkX graphs
only.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viz.page import View

__all__ = ["CAP", "view"]

#: So many nodes are shown unless asked otherwise; more than that nobody can read.
CAP = 1500


def view(
    graph: Any,
    *,
    focus: str | None = None,
    depth: int = 1,
    nodes: Collection[str] | None = None,
    types: Collection[str] = (),
    papers: bool = False,
    concepts_only: bool = False,
    timeline: bool = False,
    community: bool = False,
    top: int = CAP,
    title: str = "Knowledge graph",
) -> View:
    """Draws a graph; the result shows itself in a notebook and writes itself to a file.

    Args:
        graph: what `kg.build` or `kg.load` gave; any other NetworkX graph will do, too.
        focus: only the surroundings of the node with this name, alias, title or id.
        depth: with `focus`, how many steps from it.
        nodes: only these node ids.
        types: only nodes of these types, e.g. `["Method", "Task"]`.
        papers: papers only; two are joined where they have concepts in common.
        concepts_only: concepts only; two are joined where papers have both.
        timeline: methods in columns, by the year of their first paper.
        community: nodes coloured by the Louvain communities they form.
        top: show at most so many nodes, the best connected ones.
        title: heading of the page.

    Raises:
        NotFoundError: nothing in the graph is called `focus`.
        ValueError: two of `papers`, `concepts_only` and `timeline`.
    """
    from viz.page import render
    from viz.selection import Choice

    modes = {"papers": papers, "concepts": concepts_only, "timeline": timeline}
    asked = [name for name, wanted in modes.items() if wanted]
    if len(asked) > 1:
        raise ValueError(f"choose one of papers, concepts_only and timeline, not {' and '.join(asked)}")
    choice = Choice(
        focus=focus,
        depth=depth,
        nodes=nodes,
        types=types,
        mode=asked[0] if asked else "all",
        community=community,
        top=top,
    )
    return render(graph, choice, title=title)
