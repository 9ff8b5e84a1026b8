"""What a graph has to look like for the commands: the check of a file that no checksum vouches for.

Such a file was edited by hand or came from another program. Each attribute that we know has its kind of
value; what we do not know is nobody's business here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from kg.store import Graph

__all__ = ["fault"]

#: The kinds of value that an attribute may have; of a list, those of its items.
_Kinds: TypeAlias = tuple[type, ...]

_TEXT: _Kinds = (str,)
_TEXT_OR_NONE: _Kinds = (str, NoneType)
_WHOLE: _Kinds = (int,)
_WHOLE_OR_NONE: _Kinds = (int, NoneType)
_NUMBER: _Kinds = (int, float)

_NODE: Mapping[str, _Kinds] = {
    **dict.fromkeys(("abstract", "host", "label", "name", "type"), _TEXT),
    **dict.fromkeys(("arxiv_id", "code_status", "doi", "owner", "title", "url", "venue"), _TEXT_OR_NONE),
    "papers": _WHOLE,
    "year": _WHOLE_OR_NONE,
}
_EDGE: Mapping[str, _Kinds] = {
    "type": _TEXT,
    "role": _TEXT,
    "papers": _WHOLE,
    "score": (int, float, NoneType),
}
_EVIDENCE: Mapping[str, _Kinds] = {
    **dict.fromkeys(("paper", "sentence", "extractor"), _TEXT),
    **dict.fromkeys(("start", "end"), _WHOLE_OR_NONE),
    "score": _NUMBER,
}
_MERGE: Mapping[str, _Kinds] = {
    **dict.fromkeys(("alias", "canonical", "type", "rule"), _TEXT),
    "support": _WHOLE,
}
_GRAPH: Mapping[str, _Kinds] = {
    "extractor": _TEXT,
    "min_score": _NUMBER,
    "records": (dict,),
    "rules": (dict,),
}
_NODE_LISTS: Mapping[str, _Kinds] = {"aliases": _TEXT, "source_ids": _TEXT}


def fault(graph: Graph) -> str:
    """The first thing about a graph that is not as `docs/graph-schema.md` says; empty where there is none."""
    return next(_faults(graph), "")


def _faults(graph: Graph) -> Iterator[str]:
    yield from (f"its {found}" for found in _wrong(graph.graph, _GRAPH))
    yield from (f"its merges: {found}" for found in _wrong_rows(graph.graph.get("merges", []), _MERGE))
    for node, data in graph.nodes.items():
        for found in _wrong(data, _NODE, required=("name", "type")):
            yield f"the node {node!r}: {found}"
        for name, kinds in _NODE_LISTS.items():
            if not _is_list(data.get(name, []), kinds):
                yield f"the node {node!r}: {name} is no list of texts"
    for source, target, data in graph.edges(data=True):
        for found in (
            *_wrong(data, _EDGE, required=("type",)),
            *_wrong_rows(data.get("evidence", []), _EVIDENCE),
        ):
            yield f"the edge from {source!r} to {target!r}: {found}"


def _wrong(
    data: Mapping[str, Any], kinds: Mapping[str, _Kinds], *, required: tuple[str, ...] = ()
) -> list[str]:
    """What is missing or of another kind."""
    missing = [f"it has no {name}" for name in required if name not in data]
    return missing + [
        f"{name} is {type(data[name]).__name__}"
        for name, allowed in kinds.items()
        if name in data and not isinstance(data[name], allowed)
    ]


def _wrong_rows(rows: Any, kinds: Mapping[str, _Kinds]) -> list[str]:
    """What is wrong with a list of objects that have all of some keys."""
    if not _is_list(rows, (dict,)):
        return ["there is no list of objects"]
    return [found for row in rows for found in _wrong(row, kinds, required=tuple(kinds))]


def _is_list(value: Any, kinds: _Kinds) -> bool:
    return isinstance(value, list) and all(isinstance(item, kinds) for item in value)
