"""Neo4j's Cypher for the embedded engine, and the refusal of what writes."""

from __future__ import annotations

import time

import pytest

from kg.errors import QueryError
from kg.translate import check_read_only, parameters_in, translate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (c:Concept {id: 1})", "MATCH (c:Method:Task:Dataset:Metric:Term {id: 1})"),
        ("MATCH (: Concept)--(:Conceptual)", "MATCH (:Method:Task:Dataset:Metric:Term)--(:Conceptual)"),
        ("RETURN [l IN labels(n) WHERE l <> 'Concept'][0]", "RETURN label(n)"),
        ("RETURN labels(n)", "RETURN [label(n)]"),
        ("RETURN type(r), r.type, mytype(r)", "RETURN label(r), r.type, mytype(r)"),
        ("RETURN r.sentences[0], xs[10], f(x)[2]", "RETURN r.sentences[1], xs[11], f(x)[3]"),
        ("RETURN [1, 2], [3][0..2]", "RETURN [1, 2], [3][0..2]"),
        ("RETURN [n IN nodes(p) | n.name]", "RETURN list_transform(nodes(p), n -> n.name)"),
        ("RETURN [a IN n.aliases WHERE a > 1]", "RETURN list_filter(n.aliases, a -> a > 1)"),
        ("WHERE EXISTS { (a)--(b) }", "WHERE EXISTS { MATCH (a)--(b) }"),
        ("WHERE EXISTS { MATCH (a)--(b) }", "WHERE EXISTS { MATCH (a)--(b) }"),
        ("RETURN log(x), log10(x)", "RETURN ln(x), log10(x)"),
        ("RETURN toInteger(x), toFloat(x)", "RETURN to_int64(x), to_double(x)"),
        ("RETURN ':Concept type(r) xs[0] //' // type(r)", "RETURN ':Concept type(r) xs[0] //'  "),
        ("RETURN 'it\\'s [0]', `odd type(r)`, 1 /* [0] */", "RETURN 'it\\'s [0]', `odd type(r)`, 1  "),
        ("RETURN 'open xs[0]", "RETURN 'open xs[0]"),
        ("MATCH p = (a)-[:IS_A|PART_OF*1..4]->(b)", "MATCH p = (a)-[:IS_A|PART_OF*1..4]->(b)"),
    ],
)
def test_only_what_differs_is_translated(text: str, expected: str) -> None:
    assert translate(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n)",
        "MATCH (n) SET n.x = 1",
        "match (n) detach delete n",
        "MATCH (n)\nMERGE/**/(m)",
        "COPY (MATCH (n) RETURN n) TO 'x.csv'",
        "RETURN 1; DROP TABLE Method",
        "LOAD CSV FROM 'file:///etc/passwd' AS x RETURN x",
        "ATTACH 'other.db' AS o (dbtype duckdb)",
        "BEGIN TRANSACTION",
        "",
        "// nothing",
    ],
)
def test_what_does_not_read_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        check_read_only(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n.set, n.create",
        "RETURN 'CREATE (n)' AS text // DELETE",
        "MATCH (n:Create)-[:SET]->() RETURN $delete, {set: 1}",
        "optional match (n) return n",
        "WITH 1 AS x RETURN x",
    ],
)
def test_words_of_clauses_elsewhere_are_no_clauses(text: str) -> None:
    check_read_only(text)


def test_parameters_are_those_outside_of_texts() -> None:
    assert parameters_in("RETURN $b, '$no', $a, $b // $never") == ["b", "a"]


@pytest.mark.parametrize("text", ["'" * 50_000, "/*" * 50_000, "[x IN " * 20_000, ":" * 50_000, "`" * 50_001])
def test_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    start = time.monotonic()
    translate(text)
    assert time.monotonic() - start < 5
