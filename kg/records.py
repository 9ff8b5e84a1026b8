"""The papers and extractions inside a graph: compact, so that the graph's file alone can be built anew.

`graph.graph["records"]` maps a paper's node id to what its node does not say already; `Records` packs them,
`unpack` is the inverse, apart from scores, which keep four digits.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

import orjson

from kg.errors import GraphFileError
from kg.schema import (
    CodeLink,
    CodeStatus,
    Concept,
    ConceptType,
    Extraction,
    Mention,
    Paper,
    Relation,
    RelationType,
    Role,
)
from kg.store import Graph, plain

__all__ = [
    "NODE_FIELDS",
    "Records",
    "extraction_of",
    "extraction_record",
    "pack_extraction",
    "pair_of",
    "paper_of",
    "paper_record",
    "records",
    "rounded",
    "unpack",
    "unpack_extraction",
]

#: Fields of a paper that its node holds under the same name.
NODE_FIELDS = ("abstract", "arxiv_id", "doi", "source_ids", "title", "url", "venue", "year")

_DIGITS = 4
# Members by value: quicker than asking the class.
_TYPES = {kind.value: kind for kind in ConceptType}
_RELATIONS = {relation.value: relation for relation in RelationType}
_ROLES = {role.value: role for role in Role}
_FIELDS = {field.name: None if field.default is MISSING else field.default for field in fields(Paper)}
_DEFAULTS = {name: default for name, default in _FIELDS.items() if name not in NODE_FIELDS}


class Records(Mapping[str, dict[str, Any]]):
    """Papers and what was read out of them, packed as bytes: of many papers one is open at a time.

    As a mapping it is what a graph holds as its records.
    """

    def __init__(self) -> None:
        self._papers: dict[str, Paper] = {}
        self._read: dict[str, bytes] = {}
        self.extractors: set[str] = set()

    def add(self, node: str, paper: Paper, extraction: Extraction) -> Extraction:
        """Keeps a paper with its extraction; gives the extraction as it is kept (`rounded`).

        Args:
            node: the paper's node id.
            paper: the paper.
            extraction: what was read out of it.

        Raises:
            ValueError: there is a paper with this id.
        """
        if node in self._papers:
            raise ValueError("two papers have the same id; merge them first (kg.identity.merge_papers)")
        self._papers[node] = paper
        # JSON would not hold half a surrogate pair.
        self._read[node] = pickle.dumps(pack_extraction(paper, extraction), pickle.HIGHEST_PROTOCOL)
        if extraction.extractor:
            self.extractors.add(extraction.extractor)
        return rounded(extraction)

    def pairs(self) -> Iterator[tuple[Paper, Extraction]]:
        """The papers, each with what was read out of it, in the order in which they were added."""
        return map(self.pair, self)

    def pair(self, node: str) -> tuple[Paper, Extraction]:
        """A paper and what was read out of it."""
        paper = self._papers[node]
        return paper, unpack_extraction(paper, pickle.loads(self._read[node]))

    def __getitem__(self, node: str) -> dict[str, Any]:
        return {"paper": _own(self._papers[node]), "extraction": pickle.loads(self._read[node])}

    def __iter__(self) -> Iterator[str]:
        return iter(self._papers)

    def __len__(self) -> int:
        return len(self._papers)


def records(graph: Graph) -> tuple[list[Paper], list[Extraction]]:
    """The papers of a graph, sorted by id, and the extraction of each: what `assemble` takes.

    Raises:
        GraphFileError: the graph carries no records (it was read from a lossy format), or damaged ones.
    """
    packed = graph.graph.get("records")
    if packed is None:
        raise GraphFileError(
            "the graph does not hold its extraction records",
            hint="Take the JSON graph file that `kg build` wrote.",
        )
    try:
        pairs = [unpack(graph.nodes[node], packed[node]) for node in sorted(packed)]
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise GraphFileError(f"the graph's extraction records are damaged: {error!r}") from error
    return [paper for paper, _ in pairs], [extraction for _, extraction in pairs]


def rounded(extraction: Extraction) -> Extraction:
    """The extraction as its record keeps it: scores with four digits."""
    scores = _scores(extraction)
    if [round(score, _DIGITS) for score in scores] == scores:
        return extraction
    return replace(
        extraction,
        mentions=tuple(replace(m, score=round(m.score, _DIGITS)) for m in extraction.mentions),
        concepts=tuple(_concept(_packed_concept(concept)) for concept in extraction.concepts),
        relations=tuple(replace(r, score=round(r.score, _DIGITS)) for r in extraction.relations),
    )


def _scores(extraction: Extraction) -> list[float]:
    found = [mention.score for mention in extraction.mentions]
    for concept in extraction.concepts:
        found.append(concept.score)
        found += [score for score, _, _ in concept.roles.values()]
    found += [relation.score for relation in extraction.relations]
    return found


def _own(paper: Paper) -> dict[str, Any]:
    """What the paper's node does not hold of it; defaults are left out."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, default in _DEFAULTS.items()
        if (value := getattr(paper, name)) != default
    }


def unpack(node: Mapping[str, Any], packed: Mapping[str, Any]) -> tuple[Paper, Extraction]:
    """The paper and its extraction from the attributes of the paper's node and its record."""
    own: dict[str, Any] = {name: node.get(name) for name in NODE_FIELDS} | packed["paper"]
    own["source_ids"] = own["source_ids"] or ()
    paper = _paper(own)
    return paper, unpack_extraction(paper, packed["extraction"])


def pack_extraction(paper: Paper, extraction: Extraction) -> dict[str, Any]:
    """What the paper itself does not say of its extraction: offsets, no text; empty values are left out."""
    known = {"id": paper.record_id, "title": paper.title, "text": paper.text}
    given = {"id": extraction.id, "title": extraction.title, "text": extraction.text}
    read = {
        "sentences": [offset for pair in extraction.sentences for offset in pair],
        "mentions": [_packed_mention(mention, extraction.text) for mention in extraction.mentions],
        "concepts": [_packed_concept(concept) for concept in extraction.concepts],
        "relations": [
            [r.head, r.relation.value, r.tail, round(r.score, _DIGITS), r.start, r.end]
            for r in extraction.relations
        ],
        "code_links": _packed_links(extraction.code_links),
        "code_status": extraction.code_status.value,
        "extractor": extraction.extractor,
    }
    differing = {name: value for name, value in given.items() if value != known[name]}
    return differing | {name: value for name, value in read.items() if value}


def unpack_extraction(paper: Paper, packed: Mapping[str, Any]) -> Extraction:
    """The inverse of `pack_extraction`; raises KeyError, TypeError or ValueError on another shape."""
    text = packed.get("text", paper.text)
    offsets = packed.get("sentences", ())
    return Extraction(
        id=packed.get("id", paper.record_id),
        title=packed.get("title", paper.title),
        text=text,
        sentences=tuple(zip(offsets[::2], offsets[1::2], strict=True)),
        mentions=tuple(_mention(item, text) for item in packed.get("mentions", ())),
        concepts=tuple(_concept(item) for item in packed.get("concepts", ())),
        relations=tuple(
            Relation(head, _RELATIONS[relation], tail, score, start, end)
            for head, relation, tail, score, start, end in packed.get("relations", ())
        ),
        code_links=_links(packed.get("code_links", ())),
        code_status=CodeStatus(packed.get("code_status", "none")),
        extractor=packed.get("extractor", ""),
    )


def paper_record(paper: Paper) -> bytes:
    """A paper as JSON that stands by itself, as rows of tables hold it: the fields that say something.

    Half of a surrogate pair, which JSON cannot hold, becomes "?".
    """
    return _json(
        {name: value for name, default in _FIELDS.items() if (value := getattr(paper, name)) != default}
    )


def paper_of(record: bytes) -> Paper:
    """The inverse of `paper_record`; raises KeyError, TypeError or ValueError on another shape."""
    return _paper(orjson.loads(record))


def _paper(read: Mapping[str, Any]) -> Paper:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in read.items()
    }
    return Paper(**values)


def extraction_record(paper: Paper, extraction: Extraction) -> bytes:
    """What was read out of a paper as JSON that stands beside `paper_record`; scores keep four digits."""
    return _json(pack_extraction(paper, extraction))


def extraction_of(paper: Paper, record: bytes) -> Extraction:
    """The inverse of `extraction_record`; raises KeyError, TypeError or ValueError on another shape."""
    return unpack_extraction(paper, orjson.loads(record))


def pair_of(paper: bytes, extraction: bytes) -> tuple[Paper, Extraction]:
    """A paper and what was read out of it, from their records (`paper_record`, `extraction_record`)."""
    read = paper_of(paper)
    return read, extraction_of(read, extraction)


def _json(values: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(values)
    except orjson.JSONEncodeError:
        return orjson.dumps(plain(values))


def _packed_links(links: tuple[CodeLink, ...]) -> list[Any]:
    empty = Extraction(id="", title=None, text="", code_links=links)
    packed: list[Any] = empty.to_record()["code_links"]
    return packed


def _links(packed: Sequence[Any]) -> tuple[CodeLink, ...]:
    empty = Extraction(id="", title=None, text="").to_record()
    return Extraction.from_record(empty | {"code_links": packed}).code_links if packed else ()


def _packed_mention(mention: Mention, text: str) -> list[Any]:
    row = [mention.start, mention.end, mention.type.value, round(mention.score, _DIGITS)]
    return row if text[mention.start : mention.end] == mention.text else [*row, mention.text]


def _mention(row: list[Any], text: str) -> Mention:
    start, end, kind, score, *written = row
    return Mention(start, end, written[0] if written else text[start:end], _TYPES[kind], score)


def _packed_concept(concept: Concept) -> list[Any]:
    roles = {
        role.value: [round(score, _DIGITS), start, end]
        for role, (score, start, end) in sorted(concept.roles.items())
    }
    score = round(concept.score, _DIGITS)
    return [concept.name, concept.type.value, score, list(concept.mentions), list(concept.aliases), roles]


def _concept(row: list[Any]) -> Concept:
    name, kind, score, mentions, aliases, roles = row
    return Concept(
        name=name,
        type=_TYPES[kind],
        score=score,
        mentions=tuple(mentions),
        aliases=tuple(aliases),
        roles={_ROLES[role]: (value, start, end) for role, (value, start, end) in roles.items()},
    )
