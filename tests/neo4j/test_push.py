"""What a push does to a real server, of both lines."""

from __future__ import annotations

import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from neo4j import Driver

import cypher
from cypher import schema
from kg.errors import ServerError
from kg.exports import export
from kg.flat import LABELS, RELATIONS, edge_groups, node_groups
from kg.folder import Folder
from kg.push import Report, push
from kg.readback import statement
from kg.server import Settings
from kg.store import Graph
from tests.graphs import STAR, UPG, evidence, small_graph
from tests.neo4j.conftest import empty
from tests.query_graph import query_graph

pytestmark = pytest.mark.neo4j

HOSTILE = (
    'O\'Reilly "double" `back`',
    "a\\b \\u0027 \\",
    "line\nbreak\r\ttab",
    "*/ // /* -- {}",
    "Net`) DETACH DELETE n // and O'Reilly\\' \"}) MATCH (n) DETACH DELETE n;//",
    "😀 \U0001f468\u200d\U0001f52c \u202e \x07",
    "x" * 65536,
)


def hostile_graph() -> Graph:
    """Concepts with the worst names, each tied to the next with the name as sentence."""
    graph: Graph = nx.MultiDiGraph(format=1)
    for number, name in enumerate(HOSTILE):
        graph.add_node(f"method:{number}", type="Method", name=name, aliases=[name, "A;B"], papers=1)
    for number, name in enumerate(HOSTILE[1:], start=1):
        shown = [evidence(f"p{name[:9]}", name)]
        graph.add_edge(f"method:{number - 1}", f"method:{number}", "IS_A", type="IS_A", evidence=shown)
    return graph


def counts(driver: Driver) -> dict[str, int]:
    """How many nodes of each label and relations of each type there are."""
    nodes = driver.execute_query("MATCH (n) UNWIND labels(n) AS name RETURN name, count(*)").records
    relations = driver.execute_query("MATCH ()-[r]->() RETURN type(r) AS name, count(*)").records
    return {str(name): int(count) for name, count in [*nodes, *relations]}


def dump(driver: Driver) -> dict[str, Any]:
    """Everything in the database, in a form that can be compared."""
    nodes = driver.execute_query("MATCH (n) RETURN labels(n), properties(n)").records
    relations = driver.execute_query(
        "MATCH (a)-[r]->(b) RETURN coalesce(a.id, ''), type(r), coalesce(b.id, ''), properties(r)"
    ).records
    return {
        "nodes": sorted((sorted(labels), sorted(found.items())) for labels, found in nodes),
        "relations": sorted((a, kind, b, sorted(found.items())) for a, kind, b, found in relations),
    }


def expected(graph: Graph) -> dict[str, int]:
    """What `counts` must say of a graph."""
    nodes = {label: len(found) for label, found in node_groups(graph).items()}
    concepts = sum(nodes.get(label, 0) for label in ("Method", "Task", "Dataset", "Metric", "Term"))
    relations: dict[str, int] = {}
    for kind, pairs in edge_groups(graph).items():
        relations[kind.type] = relations.get(kind.type, 0) + len(pairs)
    return {**nodes, "Concept": concepts, **relations}


def test_everything_arrives_and_a_second_push_changes_nothing(server: Settings, database: Driver) -> None:
    graph = query_graph()
    size = {"nodes": graph.number_of_nodes(), "relations": graph.number_of_edges()}
    first = push(graph, server)
    assert first == Report(**size, created_nodes=size["nodes"], created_relations=size["relations"])
    assert counts(database) == expected(graph)
    before = dump(database)
    assert push(graph, server, batch=7) == Report(**size)  # c6-04
    assert dump(database) == before


def test_evidence_is_flat_on_relations(server: Settings, database: Driver) -> None:
    push(small_graph(), server)
    query = "MATCH (:Method {id: 'method:upgnet'})-[r:IMPROVES]->() RETURN properties(r)"
    assert database.execute_query(query).records[0][0] == {
        "collection": "default",
        "sentences": ["We propose UPGNET."],
        "evidence_papers": [UPG],
        "evidence_scores": [0.9],
        "evidence_starts": [1],
        "evidence_ends": [19],
        "evidence_extractors": ["test"],
    }


def test_constraints_and_indexes_are_there_before_the_data(server: Settings, bare: Driver) -> None:
    push(small_graph(), server)
    rows = bare.execute_query("SHOW CONSTRAINTS YIELD name RETURN name").records
    assert {row[0] for row in rows} == {f"paperkg_{label.lower()}_id" for label in (*LABELS, "Concept")}
    found = bare.execute_query(
        "CALL db.index.fulltext.queryNodes('paperkg_names', 'unified') YIELD node RETURN node.name"
    ).records
    assert [row[0] for row in found] == ["UPGNET"]  # by its alias


def test_a_changed_graph_updates(server: Settings, database: Driver) -> None:
    graph = small_graph()
    push(graph, server)
    graph.nodes["method:transformer"]["aliases"] = []
    graph.nodes[STAR]["year"] = None
    graph.edges[UPG, "dataset:cora", "EVALUATES_ON"]["evidence"][0]["score"] = 0.3
    report = push(graph, server)
    assert (report.changed_nodes, report.changed_relations) == (2, 1)
    assert (report.created_nodes, report.created_relations) == (0, 0)
    row = database.execute_query(
        "MATCH (m {id: 'method:transformer'}), (p {id: $id}) RETURN m.aliases, p.year", id=STAR
    )
    assert list(row.records[0]) == [None, None]


def test_prune_takes_the_share_of_a_paper_and_nothing_else(server: Settings, database: Driver) -> None:
    graph = small_graph()
    push(graph, server)
    database.execute_query("CREATE (:Method {id: 'mine'})-[:NOTED]->(:Note {text: 'foreign'})")
    database.execute_query("MATCH (m:Method {id: 'method:upgnet'}) CREATE (:Note)-[:ABOUT]->(m)")
    gone = ["term:transformer-c", STAR]
    graph.remove_nodes_from(gone)
    left = push(graph, server)
    assert (left.stale_nodes, left.stale_relations, left.pruned_nodes) == (2, 2, 0)
    report = push(graph, server, prune=True)
    assert (report.pruned_nodes, report.pruned_relations) == (2, 2)
    assert database.execute_query("MATCH (n) WHERE n.id IN $gone RETURN n", gone=gone).records == []
    assert counts(database) == {
        **expected(graph),
        "Method": 3,
        "Note": 2,
        "NOTED": 1,
        "ABOUT": 1,
    }


def test_prune_keeps_a_node_that_a_foreign_relation_holds(server: Settings, database: Driver) -> None:
    graph = small_graph()
    push(graph, server)
    database.execute_query("MATCH (m:Term) CREATE (:Note)-[:ABOUT]->(m)")
    graph.remove_node("term:transformer-c")
    report = push(graph, server, prune=True)
    assert (report.stale_nodes, report.pruned_nodes, report.pruned_relations) == (1, 0, 1)
    assert push(graph, server, prune=True).stale_nodes == 0
    assert counts(database)["Term"] == 1


def test_collections_share_nodes_and_prune_their_own(server: Settings, database: Driver) -> None:
    one, two = small_graph(), small_graph()
    two.remove_node(UPG)
    push(one, server, collection="one")
    push(two, server, collection="two")
    before = counts(database)
    assert before["HAS_CODE"] == expected(one)["HAS_CODE"]
    assert before["USES"] == 3  # the relation of both lists stands there with the evidence of each
    push(nx.MultiDiGraph(), server, collection="one", prune=True)
    assert counts(database) == expected(two)
    marks = database.execute_query("MATCH (n) RETURN DISTINCT n.collections").records
    assert [row[0] for row in marks] == [["two"]]


def test_a_dry_run_writes_nothing(server: Settings, database: Driver) -> None:
    graph = small_graph()
    size = {"nodes": graph.number_of_nodes(), "relations": graph.number_of_edges()}
    would = Report(**size, created_nodes=size["nodes"], created_relations=size["relations"])
    assert push(graph, server, dry_run=True) == would
    assert counts(database) == {}
    push(graph, server)
    graph.remove_node(STAR)
    assert asdict(push(graph, server, dry_run=True))["stale_relations"] == 2


@pytest.mark.parametrize("case", [pytest.param("names", id="c6-09")])
def test_hostile_names_arrive_unchanged(case: str, server: Settings, database: Driver) -> None:
    database.execute_query("CREATE (:Canary)")
    graph = hostile_graph()
    push(graph, server)
    rows = database.execute_query("MATCH (m:Method) RETURN m.name, m.aliases ORDER BY m.id").records
    assert [row[0] for row in rows] == list(HOSTILE)
    assert [row[1] for row in rows] == [[name, "A;B"] for name in HOSTILE]
    sentences = database.execute_query("MATCH (a)-[r:IS_A]->() RETURN r.sentences[0] ORDER BY a.id").records
    assert [row[0] for row in sentences] == list(HOSTILE[1:])
    assert counts(database)["Canary"] == 1


@pytest.mark.parametrize("case", [pytest.param("deprecated", id="c6-19")])
def test_no_statement_is_deprecated(case: str, server: Settings, database: Driver) -> None:
    push(query_graph(), server)
    names = {"LABEL": "Method", "EXTRA": "Concept", "SOURCE": "Paper", "TYPE": "USES", "TARGET": "Method"}
    texts = [statement(path.stem, **names) for path in sorted(cypher.PUSH.glob("*.cypher"))]
    for text in texts:
        summary = database.execute_query(f"EXPLAIN {text}", rows=[], collection="c").summary
        assert [str(found) for found in summary.gql_status_objects if found.gql_status == "01N00"] == []


@pytest.mark.parametrize("case", [pytest.param("constraint", id="c6-03")])
def test_a_constraint_that_cannot_be_made_stops_the_push(case: str, server: Settings, bare: Driver) -> None:
    bare.execute_query("UNWIND [1, 2] AS n CREATE (:Method {id: 'same'})")
    with pytest.raises(ServerError, match=r"CREATE CONSTRAINT paperkg_method_id: .*same") as caught:
        push(small_graph(), server)
    assert caught.value.hint
    assert counts(bare) == {"Method": 2}


def test_an_index_of_the_same_name_is_no_constraint(server: Settings, bare: Driver) -> None:
    bare.execute_query("CREATE INDEX paperkg_task_id FOR (n:Other) ON (n.id)")
    with pytest.raises(ServerError, match="already exists an index called 'paperkg_task_id'"):
        push(small_graph(), server)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"password": "wrong"}, "does not accept the password of 'neo4j'", id="password"),
        pytest.param({"database": "default_db"}, "has no database 'default_db'", id="c6-14"),
    ],
)
def test_what_the_server_refuses_is_one_line_with_a_hint(
    change: dict[str, str], told: str, server: Settings, database: Driver
) -> None:
    with pytest.raises(ServerError) as caught:
        push(small_graph(), replace(server, **change))
    assert told in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_tls_to_a_server_without_it_says_so(server: Settings, database: Driver) -> None:
    plain = server.uri.removeprefix("bolt://")
    with pytest.raises(ServerError, match="no TLS connection") as caught:
        push(small_graph(), replace(server, uri=f"bolt+s://{plain}"))
    assert "bolt://" in caught.value.hint


@pytest.mark.parametrize("case", [pytest.param("deadlock", id="c6-05")])
def test_two_pushes_at_once_end_right(case: str, server: Settings, database: Driver) -> None:
    graph = query_graph()
    push(graph, server)
    alone = dump(database)
    database.execute_query("MATCH (n) DETACH DELETE n")
    failed: list[Exception] = []

    def run() -> None:
        try:
            push(graph, server, batch=5)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert dump(database) == alone


def test_the_schema_is_one_statement_for_each_label_and_two_indexes() -> None:
    assert len(schema()) == len(LABELS) + 3
    assert len(RELATIONS) == 19


def test_schema_file_has_no_semicolon_in_comments() -> None:
    lines = Path(cypher.SCHEMA).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("//") and ";" in line] == []


def test_a_folder_of_tables_is_pushed_like_its_graph(
    server: Settings, database: Driver, tmp_path: Path
) -> None:
    graph, less = query_graph(), query_graph()
    less.remove_nodes_from(["method:bert", "author:cy-orr"])
    less.nodes["task:parsing"]["name"] = "Parsing"
    whole, part = tmp_path / "whole", tmp_path / "part"
    export(graph, whole, format="parquet")
    export(less, part, format="parquet")
    push(graph, server)
    pushed = dump(database)
    with Folder(whole) as folder:
        same = Report(nodes=graph.number_of_nodes(), relations=graph.number_of_edges())
        assert push(folder, server) == same
        empty(database)
        assert push(folder, server, batch=7) == replace(
            same, created_nodes=same.nodes, created_relations=same.relations
        )
    assert dump(database) == pushed
    reports = []
    for kind in ("graph", "folder"):
        empty(database)
        push(graph, server)
        with Folder(part) as folder:
            dry = push(folder if kind == "folder" else less, server, dry_run=True)
            reports.append(
                (dry, push(folder if kind == "folder" else less, server, prune=True), dump(database))
            )
    assert reports[0] == reports[1]
