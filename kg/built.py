"""Graph files that were built before, kept beside the extractions: the same build again is a copy.

The same records and settings give the same bytes as long as the code is the same, so a hash over these three
is the name under which a graph file is kept. A build that had something to say (a paper that the extractor
fails on, a rule that matches nothing) is not kept: it says it again.
"""

from __future__ import annotations

import logging
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import orjson

from extractors import version
from kg import update
from kg.cache import GRAPHS, Cache
from kg.extraction import Reading
from kg.lookup import CONCEPT_TYPES, papers_with_code
from kg.rules import NO_RULES, Rules
from kg.schema import Paper
from kg.store import Content, Graph, content_of, parts

__all__ = ["GraphFile", "Summary", "build_file", "build_key", "graph_file"]

_LOG = logging.getLogger("kg")

#: zlib's fastest; graph files shrink to a fifth.
_LEVEL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a command says of a graph that it wrote."""

    papers: int
    papers_with_code: int
    concepts: Mapping[str, int]
    relations: int


@dataclass(frozen=True, slots=True)
class GraphFile:
    """A graph file that is ready to be written: its bytes, piece by piece, once."""

    parts: Iterable[bytes]
    summary: Summary


def graph_file(graph: Graph) -> GraphFile:
    """The file of a graph."""
    return _file(content_of(graph))


def _file(content: Content) -> GraphFile:
    types = Counter(content.node_types())
    edges = list(content.edge_keys())
    summary = Summary(
        papers=types["Paper"],
        papers_with_code=papers_with_code(edges),
        concepts={kind: types[kind] for kind in CONCEPT_TYPES},
        relations=len(edges),
    )
    return GraphFile(parts(content), summary)


def build_file(
    papers: Sequence[Paper], *, reading: Reading, min_score: float = 0.0, rules: Rules = NO_RULES
) -> GraphFile:
    """The graph file of some records: that of `kg.build`, out of the cache if it was built before."""
    if not reading.cache:
        return _file(update.build(papers, reading=reading, min_score=min_score, rules=rules).sums)
    key = build_key(papers, min_score=min_score, rules=rules)
    with Cache(version.extractor_version()) as opened:
        if kept := _unpacked(opened.graph(key)):
            _LOG.info("the same build was made before")
            return kept
        reading = replace(reading, cache=opened)
        built = update.build(papers, reading=reading, min_score=min_score, rules=rules)
    file = _file(built.sums)
    return replace(file, parts=_keeping(opened, key, file)) if built.silent else file


def _keeping(cache: Cache, key: bytes, file: GraphFile) -> Iterator[bytes]:
    """The graph file; once it was taken as a whole, it is kept, unless it is too large."""
    packer = zlib.compressobj(_LEVEL)
    packed = [packer.compress(orjson.dumps(asdict(file.summary)) + b"\n")]
    size = 0
    for piece in file.parts:
        yield piece
        if size <= GRAPHS:
            packed.append(packer.compress(piece))
            size += len(packed[-1])
        else:
            packed.clear()
    if packed:
        with cache:
            cache.put_graph(key, b"".join([*packed, packer.flush()]))


def build_key(papers: Iterable[Paper], *, min_score: float = 0.0, rules: Rules = NO_RULES) -> bytes:
    """What a build depends on, as a hash: records, settings, extractor, and the code that makes the graph."""
    made_by = (version.extractor_version(), _code(), min_score, rules.record)
    found = blake2b(repr(made_by).encode(), digest_size=16)
    for paper in papers:
        found.update(repr(paper).encode() + b"\n")
    return found.digest()


@cache
def _code() -> str:
    """A hash over the modules of this folder and the vocabulary."""
    vocabulary = files("seeds").joinpath("vocabulary.toml").read_bytes()
    contents = {path.name: path.read_bytes() for path in Path(__file__).parent.glob("*.py")}
    digests = [blake2b(content).hexdigest() for _, content in sorted(contents.items())]
    return blake2b(vocabulary + "".join(digests).encode()).hexdigest()


def _unpacked(value: bytes | None) -> GraphFile | None:
    """The inverse; None where there is nothing, or it is damaged."""
    if value is None:
        return None
    try:
        head, _, content = zlib.decompress(value).partition(b"\n")
        return GraphFile([content], Summary(**orjson.loads(head)))
    except (zlib.error, ValueError, TypeError):
        return None
