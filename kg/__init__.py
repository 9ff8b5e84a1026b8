"""A knowledge graph of papers and concepts from lists of abstracts.

Everything that a script or a notebook needs is here:

>>> import kg
>>> graph = kg.build("seeds")                    # doctest: +SKIP
>>> kg.save(graph, "graph.json")                 # doctest: +SKIP
>>> kg.view(graph).save("view.html")             # doctest: +SKIP
>>> kg.export(graph, "graph.graphml")            # doctest: +SKIP

`build` is `read`, then `extract`, then assembly into a NetworkX `MultiDiGraph`; `read` and `extract` are
there for whoever wants to look in between. The heavy libraries are loaded with the first call, not with the
import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg._version import __version__

if TYPE_CHECKING:
    from kg.api import add, build, export, extract, load, read, remove, save
    from kg.errors import KgError
    from kg.schema import Extraction, Paper
    from viz import view

__all__ = [
    "Extraction",
    "KgError",
    "Paper",
    "__version__",
    "add",
    "build",
    "export",
    "extract",
    "load",
    "read",
    "remove",
    "save",
    "view",
]

_HOMES = {"KgError": "kg.errors", "Extraction": "kg.schema", "Paper": "kg.schema", "view": "viz"}


def __getattr__(name: str) -> Any:
    """Loads a public name where it lives, when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, "kg.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
