"""Graphs that grow and shrink are what a build of their papers is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import extractors
import kg
from extractors import version
from kg.errors import GraphFileError, NotFoundError
from kg.schema import Extraction, Paper
from kg.store import Graph, dumps, loads
from tests.cli import fake

#: Records as lists have them: repeated, completed by another list, with names that papers share.
RECORDS = [
    Paper(
        title="On BERT",
        abstract="We compare BERT with RoBERTa, and win.",
        doi="10.1000/bert",
        source_ids=("1",),
    ),
    Paper(title="On BERT", abstract="We compare BERT.", doi="10.1000/bert", year=2019, source_ids=("a",)),
    Paper(abstract="UPGNET is a method that uses BERT for graphs of all sizes.", source_ids=("1",)),
    Paper(
        title="UPGNET",
        abstract="UPGNET is a method that uses BERT for graphs of all sizes.",
        authors=("Ann Roe",),
        arxiv_id="2401.00001",
        source_ids=("b",),
    ),
    Paper(title="Bert again", abstract="Bert, RoBERTas and GPT are used.", venue="ICML", source_ids=("c",)),
    Paper(
        abstract="ResNet50 and ResNet101 and GPTs.", code_urls=("https://github.com/o/r",), source_ids=("d",)
    ),
]
T5 = Paper(abstract="T5NET is all that we use.", doi="10.1000/t5", source_ids=("t5",))


@pytest.fixture(autouse=True)
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The quick extractor; gives the ids of the papers that it has read."""
    read: list[str] = []

    def extract(papers: Iterable[Paper]) -> Iterator[Extraction]:
        for paper in papers:
            read.append(paper.record_id)
            yield from fake.pipeline.extract([paper])

    monkeypatch.setattr(extractors, "pipeline", SimpleNamespace(extract=extract), raising=False)
    monkeypatch.setattr(version, "extractor_version", fake.extractor_version)
    return read


def built(*papers: Paper) -> Graph:
    return kg.build(papers)


def stored(graph: Graph) -> Graph:
    """The graph as its file gives it back."""
    return loads(dumps(graph))


@given(
    records=st.permutations(RECORDS).flatmap(lambda some: st.integers(1, len(some)).map(lambda n: some[:n])),
    cuts=st.lists(st.integers(0, len(RECORDS)), max_size=2).map(sorted),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_adding_in_any_order_and_in_rounds_is_a_build(records: list[Paper], cuts: list[int]) -> None:
    graph = kg.build([])
    for start, end in zip([0, *cuts], [*cuts, len(records)], strict=True):
        graph = kg.add(stored(graph), records[start:end])
    assert dumps(graph) == dumps(kg.build(sorted(records, key=repr), cache=False))


@given(
    records=st.permutations(RECORDS).flatmap(lambda some: st.integers(0, len(some)).map(lambda n: some[:n]))
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_removing_undoes_adding(records: list[Paper]) -> None:
    before = kg.build(records)
    after = kg.remove(stored(kg.add(stored(before), [T5])), ["t5"])
    assert dumps(after) == dumps(before)


def test_adding_what_is_there_changes_nothing(reads: list[str]) -> None:
    graph = built(*RECORDS)
    reads.clear()
    assert dumps(kg.add(stored(graph), RECORDS, cache=False)) == dumps(graph)
    assert reads == []


def test_only_new_and_completed_papers_are_read(reads: list[str]) -> None:
    graph = built(RECORDS[1], RECORDS[4])
    reads.clear()
    kg.add(stored(graph), [RECORDS[0], T5], cache=False)
    assert sorted(reads) == ["1", "t5"]  # the longer abstract, and the new paper


@pytest.mark.parametrize("title", [pytest.param("Paper one", id="c8-15")])
def test_a_changed_paper_leaves_nothing_behind(title: str) -> None:
    one, changed = (
        Paper(title=title, abstract=f"{name} on GLUE.", source_ids=("p1",)) for name in ("BERT", "RoBERTa")
    )
    two = Paper(title="Paper two", abstract="We use GPT.", source_ids=("p2",))
    graph = kg.add(kg.remove(built(one, two), ["p1"]), [changed])
    assert {node for node in graph if node.startswith("method:")} == {
        "method:roberta",
        "method:glue",
        "method:gpt",
    }
    assert dumps(graph) == dumps(built(changed, two))


def test_what_was_left_out_of_a_graph_is_left_out_of_what_is_added() -> None:
    sure = kg.build(RECORDS[:1], min_score=0.85)
    assert dumps(kg.add(stored(sure), [T5])) == dumps(kg.build([RECORDS[0], T5], min_score=0.85))


def test_another_extractors_graph_is_refused_unless_it_is_read_again(
    reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = stored(built(RECORDS[0]))
    monkeypatch.setattr(version, "extractor_version", lambda: "newer")
    reads.clear()
    with pytest.raises(GraphFileError, match=r"another extractor \(fake; this one is newer\)") as caught:
        kg.add(graph, [T5])
    assert "--reextract" in caught.value.hint
    kg.add(graph, [T5], reextract=True)
    assert sorted(reads) == ["1", "t5"]


def test_papers_that_fail_are_left_out_and_told() -> None:
    told: list[str] = []
    bad = Paper(abstract="fail", source_ids=("bad",))
    graph = kg.add(built(T5), [bad], on_rejected=lambda rejected: told.append(str(rejected)))
    assert dumps(graph) == dumps(built(T5))
    assert told == ["bad: the extractor failed: ZeroDivisionError: of the extractor"]


@pytest.mark.parametrize(
    "name",
    ["paper:doi:10.1000/bert", "10.1000/bert", "https://doi.org/10.1000/BERT", "doi:10.1000/bert", "a"],
)
def test_a_paper_is_removed_by_any_of_its_ids(name: str) -> None:
    graph = built(RECORDS[0], RECORDS[1], T5)
    assert dumps(kg.remove(graph, [name])) == dumps(built(T5))


@pytest.mark.parametrize(
    "name", ["2401.00001", "arXiv:2401.00001v3", "https://arxiv.org/abs/2401.00001", "b"]
)
def test_a_paper_is_removed_by_its_arxiv_id(name: str) -> None:
    assert dumps(kg.remove(built(RECORDS[3], T5), [name])) == dumps(built(T5))


def test_several_papers_are_removed_at_once_and_one_may_be_named_twice() -> None:
    graph = built(*RECORDS, T5)
    assert dumps(kg.remove(graph, ["10.1000/bert", "a", "b", "c", "d"])) == dumps(built(T5))
    assert dumps(kg.remove(built(T5), ["t5"])) == dumps(built())


def test_an_id_of_several_papers_or_of_none_is_refused() -> None:
    graph = built(*RECORDS)
    with pytest.raises(NotFoundError, match="2 papers are called '1'") as caught:
        kg.remove(graph, ["1"])
    assert caught.value.hint.startswith("Name a node id: paper:arxiv:2401.00001, paper:doi:10.1000/bert")
    with pytest.raises(NotFoundError, match="no paper of the graph is called 'method:bert'"):
        kg.remove(graph, ["10.1000/bert", "method:bert"])


def test_the_graph_that_is_given_stays_as_it_is() -> None:
    graph = built(*RECORDS)
    before = dumps(graph)
    kg.remove(kg.add(graph, [T5]), ["10.1000/bert"])
    assert dumps(graph) == before


def test_a_graph_without_records_is_refused() -> None:
    graph = built(T5)
    del graph.graph["records"]
    with pytest.raises(GraphFileError, match="extraction records"):
        kg.add(graph, [T5])
