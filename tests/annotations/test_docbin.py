"""Tests of spaCy's binary documents."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from kg.annotations import docbin
from kg.errors import InputError
from tests.annotations.build import METHOD, TASK, item, whole


def documents(path: Path) -> list[Doc]:
    return list(DocBin().from_disk(path).get_docs(spacy.blank("en").vocab))


def write_docs(path: Path, *docs: Doc) -> Path:
    DocBin(docs=docs).to_disk(path)
    return path


def test_mentions_are_the_entities_of_the_whole_text(tmp_path: Path) -> None:
    docbin.write([whole()], tmp_path / "d.spacy")
    (doc,) = documents(tmp_path / "d.spacy")
    assert doc.text == whole().text
    assert [(entity.text, entity.label_) for entity in doc.ents] == [
        ("UPGNET", "Method"),
        ("UPGNET", "Method"),
        ("graph neural\nnetwork", "Method"),
        ("GNN", "Method"),
        ("sparse node classification", "Task"),
        ("UPGNET", "Method"),
        ("GNN", "Method"),
        ("Cora", "Dataset"),
    ]
    assert doc.user_data["paperkg"]["id"] == "p1"


def test_a_mention_inside_a_token_parts_it(tmp_path: Path) -> None:
    docbin.write([item(("C", METHOD), abstract="C++ here")], tmp_path / "d.spacy")
    (doc,) = documents(tmp_path / "d.spacy")
    assert [token.text for token in doc][2:] == ["\n", "C", "++", "here"]


def test_the_same_papers_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        docbin.write([whole(), item(("Cora", METHOD))], tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_documents_of_others_are_called_after_their_number(tmp_path: Path) -> None:
    words, marks = ["BERT", "does", "parsing"], ["B-Method", "O", "B-Task"]
    doc = Doc(spacy.blank("en").vocab, words=words, ents=marks)
    found = docbin.read(write_docs(tmp_path / "d.spacy", doc))
    wanted = item(("BERT", METHOD), ("parsing", TASK), identity="document-1", title=None)
    assert [paper.gold for paper in found.papers] == [wanted.gold]
    assert found.papers[0].paper.abstract == "BERT does parsing "


def test_another_label_costs_its_document(tmp_path: Path) -> None:
    doc = Doc(spacy.blank("en").vocab, words=["Ada"], ents=["B-PERSON"])
    found = docbin.read(write_docs(tmp_path / "d.spacy", doc, Doc(doc.vocab, words=["x"])))
    assert [paper.gold.id for paper in found.papers] == ["document-2"]
    assert [record.reason for record in found.rejected] == [
        "document 1: 'PERSON' is no type; write one of Method, Task, Dataset, Metric, Term"
    ]


@pytest.mark.parametrize("content", [b"", b"{}", b"\x78\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "d.spacy").write_bytes(content)
    with pytest.raises(InputError, match="no DocBin"):
        docbin.read(tmp_path / "d.spacy")


def test_a_damaged_file_leaves_the_search_for_cycles_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "d.spacy").write_bytes(b"\x78\x9c\x03\x00\x00\x00\x00\x01")
    with pytest.raises(InputError, match="no DocBin"):
        docbin.read(tmp_path / "d.spacy")
    assert gc.isenabled()
