"""Turtle and JSON-LD as rdflib reads them, and the shapes that they fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pyshacl
import pytest
import rdflib
from hypothesis import HealthCheck, given, settings
from rdflib.compare import to_canonical_graph
from rdflib.namespace import DCTERMS, PROV, RDF, RDFS, SKOS, XSD

from kg.exports import jsonld, turtle
from kg.exports.linked_data import SHAPES
from kg.store import Graph
from tests.exports.hostile import NAMES, named, texts
from tests.graphs import STAR, UPG, small_graph
from tests.kg.test_assemble import BASE, PAPER, built
from tests.kg.test_assemble import UPG as WHOLE

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib's and pyshacl's own

KG = rdflib.Namespace("urn:paperkg:vocabulary:")
SCHEMA = rdflib.Namespace("https://schema.org/")
FABIO = rdflib.Namespace("http://purl.org/spar/fabio/")
CITO = rdflib.Namespace("http://purl.org/spar/cito/")
PRISM = rdflib.Namespace("http://prismstandard.org/namespaces/basic/2.0/")

Write = Callable[[Graph, Path], None]
FORMATS = [
    pytest.param(turtle.write, "turtle", id="turtle"),
    pytest.param(jsonld.write, "json-ld", id="jsonld"),
]


def node(name: str) -> rdflib.URIRef:
    return rdflib.URIRef(f"urn:paperkg:{name}")


def triples(graph: Graph, folder: Path, write: Write = turtle.write, format: str = "turtle") -> rdflib.Graph:
    write(graph, folder / "g")
    return rdflib.Graph().parse(folder / "g", format=format)


@pytest.mark.parametrize(("write", "format"), FORMATS)
def test_papers_concepts_and_relations(tmp_path: Path, write: Write, format: str) -> None:
    read = triples(built(WHOLE, BASE), tmp_path, write, format)
    paper, method = node(PAPER), node("method:upgnet")
    assert set(read.objects(paper, RDF.type)) == {SCHEMA.ScholarlyArticle, FABIO.ResearchPaper}
    assert read.value(paper, SCHEMA.datePublished) == rdflib.Literal("2025", datatype=XSD.gYear)
    assert read.value(paper, PRISM.doi) == rdflib.Literal("10.1/upg")
    assert read.value(paper, SCHEMA.sameAs) == rdflib.URIRef("https://doi.org/10.1/upg")
    assert read.value(paper, DCTERMS.title) is None
    assert set(read.objects(paper, SCHEMA.author)) == {node("author:ann-roe"), node("author:bob-doe")}
    assert read.value(method, SKOS.prefLabel) == read.value(method, RDFS.label) == rdflib.Literal("UPGNET")
    for triple in (
        (paper, KG.proposes, method),
        (paper, CITO.usesDataFrom, node("dataset:cora")),
        (paper, SCHEMA.about, node("task:graph-learning")),
        (method, KG.usedFor, node("task:graph-learning")),
        (
            node("repository:github.com/lab/upg"),
            SCHEMA.codeRepository,
            rdflib.URIRef("https://github.com/Lab/UPG"),
        ),
    ):
        assert triple in read


@pytest.mark.parametrize(("write", "format"), FORMATS)
def test_every_edge_has_its_evidence(tmp_path: Path, write: Write, format: str) -> None:
    graph = built(WHOLE, BASE)
    read = triples(graph, tmp_path, write, format)
    found = {
        (
            str(read.value(statement, RDF.subject)),
            str(read.value(statement, RDF.object)),
            str(read.value(place, PROV.wasQuotedFrom)),
            *(_python(read.value(place, name)) for name in (PROV.value, KG.start, KG.end, KG.score)),
        )
        for statement in read.subjects(RDF.type, RDF.Statement)
        for place in read.objects(statement, PROV.wasDerivedFrom)
    }
    assert found == {
        (
            *(str(node(name)) for name in (source, target, item["paper"])),
            *(item[name] for name in ("sentence", "start", "end", "score")),
        )
        for source, target, data in graph.edges(data=True)
        for item in data.get("evidence", ())
    }


def _python(value: Any) -> Any:
    return value.toPython()


@pytest.mark.parametrize("graph", [small_graph(), built(WHOLE, BASE), named(*NAMES)])
def test_both_formats_hold_the_same_triples(tmp_path: Path, graph: Graph) -> None:
    one = triples(graph, tmp_path)
    other = triples(graph, tmp_path, jsonld.write, "json-ld")
    assert set(to_canonical_graph(one)) == set(to_canonical_graph(other))


@pytest.mark.parametrize(("write", "format"), FORMATS)
def test_the_shapes_hold(tmp_path: Path, write: Write, format: str) -> None:
    whole = built(WHOLE, BASE)
    whole.update(named(*NAMES))
    valid, _, text = pyshacl.validate(triples(whole, tmp_path, write, format), shacl_graph=str(SHAPES))
    assert valid, text


@pytest.mark.parametrize(
    "damage",
    [
        (node("method:upgnet"), KG.papers, rdflib.Literal(0)),
        (node("method:upgnet"), RDF.type, KG.Task),
        (node(PAPER), KG.uses, node("task:graph-learning")),
        (node(PAPER), RDFS.label, rdflib.Literal("another")),
        (node("x"), RDF.type, KG.Evidence),
        (node("x"), RDF.type, RDF.Statement),
    ],
)
def test_the_shapes_find_what_is_wrong(tmp_path: Path, damage: tuple[Any, Any, Any]) -> None:
    read = triples(built(WHOLE, BASE), tmp_path)
    read.add(damage)
    assert not pyshacl.validate(read, shacl_graph=str(SHAPES))[0]


@pytest.mark.parametrize(("write", "format"), FORMATS)
def test_hostile_names_are_literals(tmp_path: Path, write: Write, format: str) -> None:  # c5-15
    read = triples(named(*NAMES), tmp_path, write, format)
    for number, name in enumerate(NAMES):
        method = node(f"method:{number}")
        assert read.value(method, SKOS.prefLabel) == rdflib.Literal(name)
        assert set(read.objects(method, SKOS.altLabel)) == {rdflib.Literal(f"{name}s"), rdflib.Literal("x;y")}


@pytest.mark.parametrize(("write", "format"), FORMATS)
@given(text=texts)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_comes_back(tmp_path: Path, write: Write, format: str, text: str) -> None:
    read = triples(named(text), tmp_path, write, format)
    assert str(read.value(node("paper:0"), DCTERMS.title)) == text


@pytest.mark.parametrize("hostile", ['a b"<>{}|\\^`', "网络", "a%20b", "a\nb", "#?&"])
def test_iris_are_encoded(tmp_path: Path, hostile: str) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node(f"method:{hostile}", type="Method", name=hostile, url=f"https://x.example/{hostile}")
    graph.add_node("paper:1", type="Paper", name="x", doi=f"10.1/{hostile}", url="javascript:1")
    graph.add_edge("paper:1", f"method:{hostile}", "USES", **{f"at {hostile}": 1})
    write = turtle.write
    read = triples(graph, tmp_path, write)
    (method,) = read.subjects(RDFS.label, rdflib.Literal(hostile))
    assert str(method).isascii()
    assert (node("paper:1"), KG.uses, method) in read
    assert read.value(node("paper:1"), SCHEMA.url) == rdflib.Literal("javascript:1")


def test_ids_that_differ_have_iris_that_differ(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_nodes_from(["method:a b", "method:a%20b"], type="Method", name="x")
    assert len(set(triples(graph, tmp_path).subjects(RDF.type, KG.Method))) == 2


def test_other_attributes_are_kept(tmp_path: Path) -> None:
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("paper:1", type="Paper", name="x", odd_name={"a": [1]}, flag=True, number=0.5, year="n.d.")
    read = triples(graph, tmp_path)
    assert read.value(node("paper:1"), KG.oddName) == rdflib.Literal('{"a":[1]}')
    assert read.value(node("paper:1"), KG.flag) == rdflib.Literal(True)
    assert read.value(node("paper:1"), KG.number) == rdflib.Literal(0.5)
    assert read.value(node("paper:1"), KG.year) == rdflib.Literal("n.d.")


def test_an_empty_graph_is_valid(tmp_path: Path) -> None:
    for parameter in FORMATS:
        assert len(triples(nx.MultiDiGraph(), tmp_path, *parameter.values)) == 0  # type: ignore[arg-type]


def test_arxiv_papers_have_their_address(tmp_path: Path) -> None:
    read = triples(small_graph(), tmp_path)
    assert read.value(node(STAR), SCHEMA.sameAs) == rdflib.URIRef("https://arxiv.org/abs/2401.00001")
    assert read.value(node(UPG), SCHEMA.identifier) == rdflib.Literal("17")
