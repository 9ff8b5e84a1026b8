"""What a person says of single papers."""

from __future__ import annotations

from typing import Any

from kg.assemble import assemble
from kg.corrections import Corrected, correct
from kg.rules import parse_rules
from kg.schema import CodeRole, CodeStatus
from kg.store import Graph
from tests.kg.build import read

PAPER, READ = read(
    "We use BERT for parsing. We test on Cora. Code: https://github.com/o/r.",
    {
        "BERT": ("Method", [], ["proposes", "uses"]),
        "parsing": ("Task", [], ["tasks"]),
    },
    relations=[("BERT", "used-for", "parsing"), ("BERT", "is-a", "parsing")],
    links=[("https://github.com/o/r", "other")],
    doi="10.1/a",
    source_ids=("K7",),
)
NODE = "paper:doi:10.1/a"


def corrected(**table: Any) -> Corrected:
    return correct(PAPER, READ, parse_rules({"paper": {"K7": table}}))


def graph(**table: Any) -> Graph:
    return assemble([PAPER], [READ], attributes={"rules": {"paper": {"10.1/A": table}}})


def test_other_papers_stay_as_they_were_read() -> None:
    assert correct(PAPER, READ, parse_rules({"paper": {"K8": {"roles": {"BERT": False}}}})).extraction is READ


def test_roles_are_set_as_told_and_evidence_says_who_told() -> None:
    made = graph(roles={"bert": ["proposes", "compares"]})
    assert {key for _, _, key in made.out_edges(NODE, keys=True)} == {
        "PROPOSES",
        "COMPARES_WITH",
        "ADDRESSES",
    }
    (told,) = made.edges[NODE, "method:bert", "COMPARES_WITH"]["evidence"]
    assert told == {
        "paper": NODE,
        "sentence": "We use BERT for parsing.",
        "start": 1,
        "end": 25,
        "score": 1.0,
        "extractor": "rules",
    }
    assert made.edges[NODE, "method:bert", "PROPOSES"]["evidence"][0]["extractor"] == "test-1"


def test_no_roles_leave_a_mention() -> None:
    assert (NODE, "method:bert", "MENTIONS") in graph(roles={"BERT": []}).edges(keys=True)


def test_a_concept_that_was_not_read_is_added_where_the_text_has_it() -> None:
    made = graph(roles={"Cora": ["datasets"], "GLUE": ["datasets"]})
    assert made.nodes["dataset:cora"]["type"] == "Dataset"
    assert made.edges[NODE, "dataset:cora", "EVALUATES_ON"]["evidence"][0]["sentence"] == "We test on Cora."
    absent = made.edges[NODE, "dataset:glue", "EVALUATES_ON"]["evidence"][0]
    assert (absent["sentence"], absent["start"], absent["end"]) == ("", None, None)


def test_a_concept_is_struck_out_with_its_relations() -> None:
    found = corrected(roles={"BERT": False}).extraction
    assert [concept.name for concept in found.concepts] == ["parsing"]
    assert found.relations == ()


def test_relations_are_stated_and_struck_out() -> None:
    made = graph(relations=[["BERT", "not is-a", "parsing"], ["parsing", "part-of", "BERT"]])
    edges = set(made.edges(keys=True))
    assert ("task:parsing", "method:bert", "PART_OF") in edges
    assert ("method:bert", "task:parsing", "USED_FOR") in edges
    assert ("method:bert", "task:parsing", "IS_A") not in edges
    assert made.edges["task:parsing", "method:bert", "PART_OF"]["evidence"][0]["extractor"] == "rules"


def test_links_change_their_role_come_and_go() -> None:
    found = corrected(links={"https://github.com/O/R/": "official", "https://github.com/o/new": "data"})
    assert [(link.url, link.role) for link in found.extraction.code_links] == [
        ("https://github.com/o/r", CodeRole.OFFICIAL),
        ("https://github.com/o/new", CodeRole.DATA),
    ]
    assert found.extraction.code_status is CodeStatus.LINKED
    gone = corrected(links={"https://github.com/o/r": False}).extraction
    assert (gone.code_links, gone.code_status) == ((), CodeStatus.NONE)


def test_what_had_nothing_to_do_is_named() -> None:
    found = corrected(
        roles={"T5": False}, links={"https://github.com/o/x": False}, relations=[["BERT", "not part-of", "x"]]
    )
    assert found.idle == (("roles", "T5"), ("relations", "BERT"), ("links", "https://github.com/o/x"))


def test_the_graph_keeps_what_was_read() -> None:
    from kg.assemble import records

    assert records(graph(roles={"BERT": False}))[1] == [READ]
