"""Graph files that were built before, kept beside the extractions: the same build again is a copy.

The same records and settings give the same bytes as long as the code is the same, so a hash over these three
is the name under which a graph file is kept. A build that had something to say (a paper that the extractor
fails on, a rule that matches nothing) is not kept: it says it again.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

import orjson

from extractors import version
from kg import update
from kg.cache import Cache
from kg.extraction import Reading
from kg.lookup import statistics
from kg.rules import NO_RULES, Rules
from kg.schema import Paper
from kg.store import Graph, parts

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
    counts = statistics(graph)
    summary = Summary(
        papers=counts.papers,
        papers_with_code=counts.papers_with_code,
        concepts=counts.concepts,
        relations=sum(counts.relations.values()),
    )
    return GraphFile(parts(graph), summary)


def build_file(
    papers: Sequence[Paper], *, reading: Reading, min_score: float = 0.0, rules: Rules = NO_RULES
) -> GraphFile:
    """The graph file of some records: that of `kg.build`, out of the cache if it was built before."""
    if not reading.cache:
        return graph_file(update.build(papers, reading=reading, min_score=min_score, rules=rules).graph)
    with Cache(version.extractor_version()) as opened:
        key = build_key(papers, min_score=min_score, rules=rules)
        if kept := _unpacked(opened.graph(key)):
            _LOG.info("the same build was made before")
            return kept
        reading = replace(reading, cache=opened)
        built = update.build(papers, reading=reading, min_score=min_score, rules=rules)
        file = graph_file(built.graph)
        if built.silent:
            opened.put_graph(key, _packed(file))
            file = replace(file, parts=parts(built.graph))
        return file


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


def _packed(file: GraphFile) -> bytes:
    """A line with the summary, then the graph file, compressed with a checksum."""
    return b"".join(_compressed([orjson.dumps(asdict(file.summary)), b"\n", *file.parts]))


def _compressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(_LEVEL)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def _unpacked(value: bytes | None) -> GraphFile | None:
    """The inverse; None where there is nothing, or it is damaged."""
    if value is None:
        return None
    try:
        head, _, content = zlib.decompress(value).partition(b"\n")
        return GraphFile([content], Summary(**orjson.loads(head)))
    except (zlib.error, ValueError, TypeError):
        return None
