"""The graph as linked data: what Turtle and JSON-LD have in common.

Papers are `schema:ScholarlyArticle` and `fabio:ResearchPaper`; methods, tasks, datasets, metrics and terms
are `skos:Concept` and a class of our own (`kg:Method`); repositories `schema:SoftwareSourceCode`; authors
`schema:Person`. Every relation is a property of our own (`USED_FOR` is `kg:usedFor`), and the property of a
known vocabulary beside it where one fits. What is known of a relation hangs on a `rdf:Statement`, which
`prov:wasDerivedFrom` its evidence; evidence `prov:wasQuotedFrom` its paper, and has the sentence as
`prov:value`, offsets, score, and the extractor by `prov:wasAttributedTo`.

A node's IRI is `urn:paperkg:` and its id, percent-encoded; names are literals only. `SHAPES` is a file of
SHACL shapes that every export fits. Limits: the extraction records and the ledger stay behind.

Vocabularies: https://schema.org, http://purl.org/spar/fabio, http://purl.org/spar/cito,
https://www.w3.org/TR/skos-reference, https://www.w3.org/TR/prov-o.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import orjson

from kg.flat import CONCEPT_LABELS
from kg.store import Graph, plain

__all__ = ["PREFIXES", "SHAPES", "Iri", "Literal", "Resource", "resources"]

#: SHACL shapes of what is written here.
SHAPES = Path(__file__).with_name("shapes.ttl")

PREFIXES: Mapping[str, str] = {
    "cito": "http://purl.org/spar/cito/",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "kg": "urn:paperkg:vocabulary:",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@dataclass(frozen=True, slots=True)
class Iri:
    """A resource: a whole IRI, or prefix and name where `short`."""

    value: str
    short: bool = False


@dataclass(frozen=True, slots=True)
class Literal:
    """A text, or a value of an XML Schema type (`integer`, `double`, `boolean`, `gYear`)."""

    value: str | int | float
    type: str = "string"


Term: TypeAlias = "Iri | Literal"
#: A subject, and its properties (prefix and name) with their values.
Resource: TypeAlias = "tuple[Iri, list[tuple[str, Term]]]"

_TYPES: Mapping[str, tuple[str, ...]] = {
    "Paper": ("schema:ScholarlyArticle", "fabio:ResearchPaper"),
    "Dataset": ("skos:Concept", "kg:Dataset", "schema:Dataset"),
    "Repository": ("schema:SoftwareSourceCode",),
    "Author": ("schema:Person",),
    "Venue": ("schema:CreativeWorkSeries",),
    **{label: ("skos:Concept", f"kg:{label}") for label in CONCEPT_LABELS if label != "Dataset"},
}
#: Attribute -> property; any other attribute is a property of our own.
_ATTRIBUTES: Mapping[str, str] = {
    "abstract": "schema:abstract",
    "aliases": "skos:altLabel",
    "doi": "prism:doi",
    "name": "rdfs:label",
    "source_ids": "schema:identifier",
    "title": "dcterms:title",
}
#: Relation -> property of a known vocabulary.
_KNOWN: Mapping[str, str] = {
    "ADDRESSES": "schema:about",
    "EVALUATES_ON": "cito:usesDataFrom",
    "IS_A": "skos:broader",
    "MENTIONS": "schema:mentions",
    "PART_OF": "dcterms:isPartOf",
    "PUBLISHED_IN": "schema:isPartOf",
}
_IN_ID = ":/-._~"
_IN_ADDRESS = ":/?#@!$&'()*+,;=%-._~"
_DIGITS = 20


def resources(graph: Graph) -> Iterator[Resource]:
    """Every resource of the graph: nodes with their relations, then statements with their evidence."""
    for node, data in graph.nodes.items():
        yield _node(node), [*_described(data), *_related(graph, node)]
    for source, target, relation, data in graph.edges(keys=True, data=True):
        known = {name: value for name, value in data.items() if name not in ("type", "evidence")}
        if known or data.get("evidence"):
            yield from _statement((source, relation, target), known, data.get("evidence") or ())
    yield from _extractors(graph)


@lru_cache(maxsize=2**16)
def _node(node: str) -> Iri:
    return Iri(f"urn:paperkg:{quote(plain(node), safe=_IN_ID)}")


@lru_cache(maxsize=2**10)
def _property(relation: str) -> str:
    """`USED_FOR` is `kg:usedFor`; what no name may hold is percent-encoded."""
    first, *others = str(relation).lower().split("_")
    return f"kg:{quote(first + ''.join(word.title() for word in others), safe='')}"


def _described(data: Mapping[str, Any]) -> Iterator[tuple[str, Term]]:
    """The properties of a node."""
    kind = data.get("type")
    for name in _TYPES.get(str(kind), ("kg:Thing",)):
        yield "rdf:type", Iri(name, short=True)
    if kind in CONCEPT_LABELS and data.get("name"):
        yield "skos:prefLabel", Literal(plain(data["name"]))
    for name in sorted(data):
        if name == "year" and _is_year(data[name]):
            yield "schema:datePublished", Literal(f"{data[name]:04}", "gYear")
        elif name == "url":
            yield from _address(kind, data[name])
        elif name not in ("type", "label"):
            property = _ATTRIBUTES.get(name) or _property(name)
            yield from ((property, term) for term in _literals(data[name]))
    if doi := data.get("doi"):
        yield "schema:sameAs", Iri(f"https://doi.org/{quote(plain(str(doi)), safe=_IN_ID)}")
    if arxiv := data.get("arxiv_id"):
        yield "schema:sameAs", Iri(f"https://arxiv.org/abs/{quote(plain(str(arxiv)), safe=_IN_ID)}")


def _is_year(value: Any) -> bool:
    return isinstance(value, int) and 0 < value < 10_000


def _address(kind: Any, value: Any) -> Iterator[tuple[str, Term]]:
    """An address as a resource; what is none, as a text."""
    property = "schema:codeRepository" if kind == "Repository" else "schema:url"
    if isinstance(value, str) and value.lower().startswith(("http://", "https://")):
        yield property, Iri(quote(plain(value), safe=_IN_ADDRESS))
    else:
        yield from ((property, term) for term in _literals(value))


def _literals(value: Any) -> Iterator[Literal]:
    value = plain(value)
    if isinstance(value, list):
        for item in value:
            yield from _literals(item)
    elif isinstance(value, dict):
        yield Literal(orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode())
    elif isinstance(value, bool):
        yield Literal(str(value).lower(), "boolean")
    elif value is not None:
        kinds = {int: "integer", float: "double"}
        yield Literal(value, kinds.get(type(value), "string"))


def _related(graph: Graph, node: str) -> Iterator[tuple[str, Term]]:
    """The relations of a node; an author stands at the paper too, as schema.org has it."""
    for _, target, relation in graph.out_edges(node, keys=True):
        yield _property(relation), _node(target)
        if known := _KNOWN.get(str(relation)):
            yield known, _node(target)
    for source, _, relation in graph.in_edges(node, keys=True):
        if relation == "AUTHORED":
            yield "schema:author", _node(source)


def _statement(
    edge: tuple[str, str, str], known: Mapping[str, Any], evidence: Iterable[Mapping[str, Any]]
) -> Iterator[Resource]:
    """What is known of a relation, and each piece of its evidence."""
    source, relation, target = edge
    digest = hashlib.sha1(orjson.dumps(plain(edge))).hexdigest()[:_DIGITS]
    name = f"urn:paperkg:statement:{digest}"
    shown = [(Iri(f"{name}-{number}"), item) for number, item in enumerate(evidence, 1)]
    properties: list[tuple[str, Term]] = [
        ("rdf:type", Iri("rdf:Statement", short=True)),
        ("rdf:subject", _node(source)),
        ("rdf:predicate", Iri(_property(relation), short=True)),
        ("rdf:object", _node(target)),
    ]
    properties += [(_property(key), term) for key in sorted(known) for term in _literals(known[key])]
    properties += [("prov:wasDerivedFrom", place) for place, _ in shown]
    yield Iri(name), properties
    for place, item in shown:
        yield place, list(_evidence(item))


def _evidence(item: Mapping[str, Any]) -> Iterator[tuple[str, Term]]:
    yield "rdf:type", Iri("kg:Evidence", short=True)
    yield "prov:wasQuotedFrom", _node(str(item.get("paper")))
    if item.get("sentence"):
        yield "prov:value", Literal(plain(item["sentence"]))
    for name in ("start", "end", "score"):
        yield from ((f"kg:{name}", term) for term in _literals(item.get(name)))
    if item.get("extractor"):
        yield "prov:wasAttributedTo", _extractor(item["extractor"])


def _extractor(name: str) -> Iri:
    return Iri(f"urn:paperkg:extractor:{quote(plain(name), safe=_IN_ID)}")


def _extractors(graph: Graph) -> Iterator[Resource]:
    """The programs that the evidence names."""
    names = {
        str(item["extractor"])
        for *_, data in graph.edges(data=True)
        for item in data.get("evidence") or ()
        if item.get("extractor")
    }
    for name in sorted(names):
        yield (
            _extractor(name),
            [
                ("rdf:type", Iri("prov:SoftwareAgent", short=True)),
                ("rdfs:label", Literal(plain(name))),
            ],
        )
