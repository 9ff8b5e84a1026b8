"""How a push behaves towards a driver; `tests/neo4j/` shows it on real servers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from neo4j.exceptions import TransientError

from cypher import schema
from kg.errors import ServerError
from kg.exports import export
from kg.flat import CONCEPT_LABELS, LABELS, RELATIONS
from kg.folder import Folder
from kg.folder_push import FolderContent
from kg.push import Content, Report, _Count, _GraphContent, _with_plain_ids, _Writer
from kg.readback import statement
from kg.server import Settings
from tests.graphs import small_graph

_SETTINGS = Settings(password="x")


class _Session:
    """Takes batches instead of a server; fails for good at the batch with number `fails`."""

    def __init__(self, fails: int = -1) -> None:
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self._fails = fails

    def execute_read(self, work: Callable[[Any], Any]) -> Any:
        """Runs a reading piece of work on an empty database."""
        return work(SimpleNamespace(run=lambda *_: ()))

    def execute_write(self, work: object, text: str, parameters: Mapping[str, Any]) -> tuple[int, int]:
        """Notes the batch and says that all of it was created."""
        if len(self.calls) == self._fails:
            raise TransientError("the lock was not to be had")
        self.calls.append((text, parameters))
        return len(parameters["rows"]), 0


def written(session: _Session, batch: int) -> Report:
    """The report of a writer."""
    graph = small_graph()
    report = Report(nodes=graph.number_of_nodes(), relations=graph.number_of_edges())
    content = _GraphContent(graph)
    content.compare(session, collection="mine")  # type: ignore[arg-type]
    count = _Count(report.nodes + report.relations, None)
    merge = _Writer(session, _SETTINGS, "mine", batch, count).merge  # type: ignore[arg-type]
    content.write(merge, report, batch=batch)
    return report


@pytest.mark.parametrize("batch", [1, pytest.param(2, id="c6-07"), 2000])
def test_no_statement_has_more_rows_than_a_batch(batch: int) -> None:
    session = _Session()
    report = written(session, batch)
    assert max(len(parameters["rows"]) for _, parameters in session.calls) <= batch
    assert (report.created_nodes, report.created_relations) == (10, 11)


def test_every_text_of_the_graph_is_a_parameter() -> None:
    session = _Session()
    written(session, 2000)
    texts = " ".join(text for text, _ in session.calls)
    assert [word for word in ("UPGNET", "Star", "Cora", "mine") if word in texts] == []
    assert all(parameters["collection"] == "mine" for _, parameters in session.calls)


@pytest.mark.parametrize("fails", [pytest.param(4, id="c6-06")])
def test_a_batch_that_fails_for_good_ends_the_push_with_both_counts(fails: int) -> None:
    with pytest.raises(ServerError, match="6 of 21 nodes and relations had been written") as caught:
        written(_Session(fails), 2)
    assert caught.value.hint == "Run the same command again."


def test_what_left_the_graph_is_sent_as_null() -> None:
    session = _Session()
    written(session, 2000)
    papers = next(parameters["rows"] for text, parameters in session.calls if ":Paper {id" in text)
    assert {key for row in papers for key, value in row["properties"].items() if value is None} == {
        *("arxiv_id", "doi", "source_ids", "status", "title", "url", "venue"),
    }


@pytest.mark.parametrize("case", [pytest.param("community", id="c6-11")])
def test_constraints_are_of_the_kind_that_community_has(case: str) -> None:
    made = [text for text in schema() if text.startswith("CREATE CONSTRAINT")]
    assert len(made) == len(LABELS) + 1
    assert all(text.endswith("REQUIRE n.id IS UNIQUE") for text in made)
    assert all("IF NOT EXISTS" in text for text in schema())


def test_statements_take_only_labels_and_types() -> None:
    text = statement("relations", SOURCE="Paper", TYPE="USES", TARGET="Method")
    assert "(a:Paper {id: row.source})" in text
    assert "(b:Method {id: row.target})" in text
    assert "[r:USES {collection: $collection}]" in text
    names = (*LABELS, *RELATIONS, *CONCEPT_LABELS, "Concept")
    assert all(name.replace("_", "").isalpha() for name in names)


def test_ids_that_no_database_holds_are_made_plain() -> None:
    graph = small_graph()
    assert _with_plain_ids(graph) is graph
    graph.add_edge("term:\ud800", "term:x", "IS_A", type="IS_A")
    assert ("term:?", "term:x", "IS_A") in _with_plain_ids(graph).edges(keys=True)


@pytest.mark.parametrize("batch", [2, 2000])
def test_a_folder_of_tables_writes_what_its_graph_does(tmp_path: Path, batch: int) -> None:
    export(small_graph(), tmp_path / "tables", format="parquet")
    sessions = _Session(), _Session()
    reports = []
    with Folder(tmp_path / "tables") as folder:
        contents: tuple[Content, Content] = (_GraphContent(small_graph()), FolderContent(folder))
        for session, content in zip(sessions, contents, strict=True):
            report = Report(nodes=content.nodes, relations=content.relations)
            content.compare(session, collection="c", equal=lambda _: None)  # type: ignore[arg-type]
            merge = _Writer(session, _SETTINGS, "c", batch, _Count(21, None)).merge  # type: ignore[arg-type]
            content.write(merge, report, batch=batch)
            reports.append(report)
    assert reports[0] == reports[1]
    rows = [
        sorted((text, repr(sorted(row.items()))) for text, given in session.calls for row in given["rows"])
        for session in sessions
    ]
    assert rows[0] == rows[1]
    assert all(len(given["rows"]) <= batch for _, given in sessions[1].calls)
