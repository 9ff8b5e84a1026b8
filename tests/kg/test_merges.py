"""The ledger, and what might have been merged."""

from __future__ import annotations

import pytest

from kg.assemble import assemble
from kg.errors import NotFoundError
from kg.merges import LedgerLine, Suggestion, ledger, suggest
from kg.store import Graph
from tests.kg.build import Concepts, read


def built(*papers: Concepts, rules: dict[str, object] | None = None) -> Graph:
    pairs = [
        read(f"We use {' and '.join(names)}.", names, doi=f"10.1/{index}")
        for index, names in enumerate(papers)
    ]
    attributes = {"rules": rules} if rules else {}
    return assemble([pair[0] for pair in pairs], [pair[1] for pair in pairs], attributes=attributes)


def method(*names: str) -> Concepts:
    return {name: ("Method", [], ["uses"]) for name in names}


def test_a_line_names_the_papers_that_write_the_alias() -> None:
    graph = built(method("BERT"), method("BERT model"), method("BERT models"), method("T5 model", "T5"))
    lines = [
        LedgerLine("BERT model", "BERT", "Method", "head", 1, ("paper:doi:10.1/1",)),
        LedgerLine("BERT models", "BERT", "Method", "head", 1, ("paper:doi:10.1/2",)),
    ]
    assert ledger(graph, "bert") == lines
    assert ledger(graph, "BERT models") == lines
    assert [line.alias for line in ledger(graph)] == ["BERT model", "BERT models", "T5 model"]


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(NotFoundError):
        ledger(built(method("BERT")), "GPT")


def test_names_written_almost_alike_are_suggested() -> None:
    graph = built(method("latent semantic indexing", "latent sematic indexing", "graph cut", "lasso"))
    assert suggest(graph) == [
        Suggestion(
            "method:latent-semantic-indexing",
            "method:latent-sematic-indexing",
            "Method",
            0.98,
            "written almost alike",
        )
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("GPT-3", "GPT-4"),
        ("supervised segmentation", "unsupervised segmentation"),
        ("graph segmentation nets", "subgraph segmentation net"),
        ("local differential privacy", "differential privacy"),
        ("image segmentation", "video prediction"),
    ],
)
def test_versions_opposites_and_other_names_are_not(names: tuple[str, str]) -> None:
    assert suggest(built(method(*names))) == []


def test_what_the_user_calls_different_is_not_suggested() -> None:
    names = ("latent semantic indexing", "latent sematic indexing")
    assert suggest(built(method(*names), rules={"different": [list(names)]})) == []


def test_an_acronym_that_stands_apart_is_suggested_with_its_long_form() -> None:
    graph = built(
        {"motion tags": ("Task", ["MT"], [])},
        {"machine text": ("Task", ["MT"], [])},
        {"MT": ("Task", [], [])},
    )
    assert [(item.one, item.other, item.score) for item in suggest(graph)] == [
        ("task:machine-text", "task:mt", 0.5),
        ("task:motion-tag", "task:mt", 0.5),
    ]
