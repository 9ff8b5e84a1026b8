"""The graph file: node-link JSON with sorted keys, the same bytes for the same graph.

It is what `networkx.node_link_graph(data, edges="edges")` reads; `.gz` files hold no time and no name.
The graph's attributes hold `format`, the version of the file's layout. The last entry, `sum`, is the CRC-32
of all bytes before it: a file that was damaged on its way is refused. A file without one, or that another
program wrote anew, is checked value by value (`kg.shape`).

Limits: numpy numbers become Python's, infinite ones null; tuples and sets become lists, half surrogate pairs
"?". A node attribute called `id` and an edge attribute called `source`,
`target` or `key`, which node-link JSON has for itself, get an underscore at the end.
"""

from __future__ import annotations

import gc
import math
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

import networkx as nx
import orjson

from extractors.batches import in_batches
from kg.errors import GraphFileError, InputError
from kg.files import atomic_write
from kg.shape import fault

__all__ = [
    "FORMAT",
    "Content",
    "Graph",
    "content_of",
    "dumps",
    "load",
    "loads",
    "no_collection",
    "parts",
    "plain",
    "save",
    "write",
]

#: Version of the layout that this release writes.
FORMAT = 1

Graph: TypeAlias = "nx.MultiDiGraph[str]"

_CHUNK = 1000  # nodes or edges that are turned into text together
_RECORDS = "records"
_NODE_KEYS = frozenset({"id"})
_EDGE_KEYS = frozenset({"source", "target", "key"})
_REBUILD = "Build the graph again from its papers with `kg build`."
_NO_FOLDER = (
    "A folder of tables holds no extraction records: kg stats, show, search, why, query, view and push take "
    "it, everything else needs the graph file."
)
_EDITED = f'{_REBUILD[:-1]}; or, if you edited it, delete its entry "sum".'
_SUM = re.compile(rb',"sum":"([0-9a-f]{8})"}\n\Z')


@contextmanager
def no_collection() -> Iterator[None]:
    """Pauses the search for reference cycles: graphs are many objects and no cycles."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            _make_old()
            gc.enable()


def _make_old() -> None:
    """Lets the search begin with what is made from now on; else it looks at all that was made meanwhile."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


def plain(value: Any) -> Any:
    """The value as JSON has it: numbers of Python, valid Unicode, lists, objects with text keys."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value) if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _from_numpy(value) if hasattr(value, "tolist") else str(value)


def _from_numpy(value: Any) -> Any:
    """Numbers of Python; those of single precision with the digits that they show."""
    return plain((value.astype(str).astype(float) if value.dtype.kind == "f" else value).tolist())


def _free(attributes: Mapping[str, Any], taken: frozenset[str]) -> Mapping[str, Any]:
    if taken.isdisjoint(attributes):
        return attributes
    return {f"{name}_" if name in taken else name: value for name, value in attributes.items()}


class Content(Protocol):
    """What a graph file holds: attributes of the graph, nodes by id, edges by source, target and key."""

    @property
    def attributes(self) -> Mapping[str, Any]:
        """The attributes of the graph."""

    def nodes(self) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """The nodes with their attributes, in the order of the file."""

    def edges(self) -> Iterable[tuple[str, str, str, Mapping[str, Any]]]:
        """The edges with their attributes, in the order of the file."""

    def node_types(self) -> Iterable[str]:
        """The type of each node, in any order."""

    def edge_keys(self) -> Iterable[tuple[str, str, str]]:
        """Source, target and key of each edge, in any order."""


@dataclass(frozen=True, slots=True)
class _GraphContent:
    graph: Graph

    @property
    def attributes(self) -> Mapping[str, Any]:
        return self.graph.graph

    def nodes(self) -> Iterable[tuple[str, Mapping[str, Any]]]:
        return self.graph.nodes.items()

    def edges(self) -> Iterable[tuple[str, str, str, Mapping[str, Any]]]:
        return self.graph.edges(keys=True, data=True)

    def node_types(self) -> Iterable[str]:
        return (str(attributes.get("type")) for attributes in self.graph.nodes.values())

    def edge_keys(self) -> Iterable[tuple[str, str, str]]:
        return self.graph.edges(keys=True)


def content_of(graph: Graph) -> Content:
    """A graph as the content of its file."""
    return _GraphContent(graph)


def parts(content: Content) -> Iterator[bytes]:
    """The graph file piece by piece, so that its text never stands in memory as a whole."""
    total = 0
    for piece in _content(content):
        total = zlib.crc32(piece, total)
        yield piece
    yield b',"sum":"%08x"}\n' % total


def _content(content: Content) -> Iterator[bytes]:
    """The graph file without its checksum."""
    edges = (
        {**_free(attributes, _EDGE_KEYS), "source": source, "target": target, "key": key}
        for source, target, key, attributes in content.edges()
    )
    nodes = ({**_free(attributes, _NODE_KEYS), "id": node} for node, attributes in content.nodes())
    yield b'{"directed":true,"edges":['
    yield from _listed(edges)
    yield b'],"graph":'
    yield from _attributes({**content.attributes, "format": FORMAT})
    yield b',"multigraph":true,"nodes":['
    yield from _listed(nodes)
    yield b"]"


def _attributes(attributes: Mapping[str, Any]) -> Iterator[bytes]:
    """The attributes of a graph; its records, which may be packed, a few at a time."""
    records = attributes.get(_RECORDS)
    if not isinstance(records, Mapping):
        yield _json(attributes)
        return
    before = {name: value for name, value in attributes.items() if str(name) < _RECORDS}
    after = {name: value for name, value in attributes.items() if str(name) > _RECORDS}
    yield _json(before)[:-1] + b',"records":{'
    yield from _listed(((node, records[node]) for node in sorted(records, key=str)), of=dict)
    yield b"}" + (b"," if after else b"") + _json(after)[1:]


def _listed(items: Iterable[Any], *, of: Callable[[list[Any]], Any] = list) -> Iterator[bytes]:
    """The items of a list, or of an object in order, parted by commas."""
    comma = b""
    for chunk in in_batches(items, _CHUNK):
        yield comma + _json(of(chunk))[1:-1]
        comma = b","


def _json(value: Any) -> bytes:
    """The value as JSON; what orjson refuses is made plain first."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return orjson.dumps(plain(value), option=orjson.OPT_SORT_KEYS)


def dumps(graph: Graph) -> bytes:
    """The bytes of the graph file."""
    return b"".join(parts(content_of(graph)))


def save(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Writes the graph file, whole or not at all.

    Raises:
        ExportError: the file cannot be written.
    """
    write(parts(content_of(graph)), path)


def write(pieces: Iterable[bytes], path: str | os.PathLike[str]) -> None:
    """Writes the pieces of a graph file, whole or not at all.

    Raises:
        ExportError: the file cannot be written.
    """
    with atomic_write(path) as stream, no_collection():
        stream.writelines(pieces)


def load(path: str | os.PathLike[str]) -> Graph:
    """Reads a graph file; compression is told by its first bytes.

    Raises:
        GraphFileError: there is no such file, it is damaged, something else, or of a newer format.
    """
    try:
        content = Path(path).read_bytes()
    except IsADirectoryError as error:
        raise GraphFileError(f"{path} is a folder, not a graph file", hint=_NO_FOLDER) from error
    except OSError as error:
        raise GraphFileError(f"cannot read {path}: {error.strerror or error}") from error
    if content.startswith(b"\x1f\x8b"):
        content = _unpacked(content, os.fspath(path))
    return loads(content, name=os.fspath(path))


def _unpacked(content: bytes, name: str) -> bytes:
    from kg.readers.source import decompress

    try:
        return decompress(content, name=name)
    except InputError as error:
        raise GraphFileError(error.message, hint=error.hint) from error


def loads(content: bytes, *, name: str = "the graph") -> Graph:
    """The graph of a graph file's bytes; `name` is what messages call it.

    Raises:
        GraphFileError: the bytes are damaged, something else, or of a newer format.
    """
    try:
        data = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise GraphFileError(f"{name} is not a graph file: {error}", hint=_REBUILD) from error
    if not isinstance(data, dict) or not isinstance(data.get("graph"), dict):
        raise GraphFileError(f"{name} is not a graph file", hint=_REBUILD)
    _check_format(data["graph"].get("format"), name)
    vouched = _check_sum(content, name)
    data |= {"directed": True, "multigraph": True}
    try:
        with no_collection():
            graph = cast(Graph, nx.node_link_graph(data, edges="edges"))
    except (KeyError, TypeError, ValueError, AttributeError, nx.NetworkXError) as error:
        raise GraphFileError(f"{name} is damaged: {error!r}", hint=_REBUILD) from error
    _check_nodes(graph, name)
    if not vouched and (found := fault(graph)):
        raise GraphFileError(f"{name} is damaged: {found}", hint=_REBUILD)
    return graph


def _check_sum(content: bytes, name: str) -> bool:
    """Whether the file has a checksum; raises where it is that of another content."""
    found = _SUM.search(content, max(0, len(content) - 20))
    if found and int(found[1], 16) != zlib.crc32(memoryview(content)[: found.start()]):
        raise GraphFileError(f"{name} is damaged: its content is not what was written", hint=_EDITED)
    return bool(found)


def _check_format(version: object, name: str) -> None:
    if not isinstance(version, int) or version < 1:
        raise GraphFileError(f"{name} is not a graph file: it names no format", hint=_REBUILD)
    if version > FORMAT:
        raise GraphFileError(
            f"{name} has format {version}; this version of paperkg reads up to {FORMAT}",
            hint="Install a newer paperkg.",
        )


def _check_nodes(graph: Graph, name: str) -> None:
    """Refuses a file whose edges name nodes that it does not list, or whose nodes have no type."""
    for node, attributes in graph.nodes.items():
        if not isinstance(node, str) or "type" not in attributes:
            raise GraphFileError(f"{name} is damaged: the node {node!r} has no type", hint=_REBUILD)
