"""Versions and their families."""

from __future__ import annotations

import pytest

from kg.assemble import assemble
from kg.families import Families, Known, Member, find_families
from kg.folding import name_key
from kg.schema import ConceptType
from tests.kg.build import Concepts, read


def found(*names: str, kind: ConceptType = ConceptType.METHOD) -> Families:
    members = [Member(name_key(name), kind, name, 1) for name in names]
    return find_families(members, {member.key: Known(member.key, kind, True) for member in members}.get)


@pytest.mark.parametrize(
    ("names", "parents", "made"),
    [
        (["GPT", "GPT-4"], {"gpt4": "gpt^"}, []),
        (["GPT-3", "GPT-4"], {"gpt3": "gpt^", "gpt4": "gpt^"}, ["GPT"]),
        (["GPT-4"], {}, []),
        (["Llama", "Llama-3-8B"], {"llama3-8b": "llama"}, []),
        (["Llama-3-8B", "Llama-3-70B"], {"llama3-8b": "llama3", "llama3-70b": "llama3"}, ["Llama-3"]),
        (["LLaMA", "Llama 2"], {"llama2": "llama^"}, []),
    ],
)
def test_families(names: list[str], parents: dict[str, str], made: list[str]) -> None:
    families = found(*names)
    assert families.parents == parents
    assert [name for _, name in families.made.values()] == made


@pytest.mark.parametrize("kind", [ConceptType.TASK, ConceptType.METRIC, ConceptType.TERM])
def test_only_methods_and_datasets_have_versions(kind: ConceptType) -> None:
    assert found("GPT-3", "GPT-4", kind=kind) == Families()


def test_a_family_must_be_a_proper_name_of_the_same_type() -> None:
    member = Member("videomatting108", ConceptType.METHOD, "VideoMatting108", 1)
    for kind, proper in ((ConceptType.METHOD, False), (ConceptType.DATASET, True)):
        known = {"videomatting": Known("videomatting", kind, proper)}
        assert find_families([member], known.get) == Families()


def test_the_graph_says_why_one_is_a_version_of_another() -> None:
    def one(name: str) -> Concepts:
        return {name: ("Method", [], ["uses"])}

    pairs = [read(f"We use {name}.", one(name), doi=f"10.1/{name}") for name in ("GPT-3", "GPT-4")]
    graph = assemble([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    assert graph.nodes["method:gpt"] == {"type": "Method", "name": "GPT", "aliases": [], "papers": 0}
    assert graph.edges["method:gpt-4", "method:gpt", "IS_A"] == {
        "type": "IS_A",
        "papers": 1,
        "score": 0.9,
        "evidence": [
            {
                "paper": pairs[1][0].id,
                "sentence": "We use GPT-4.",
                "start": 1,
                "end": 14,
                "score": 0.9,
                "extractor": "version",
            }
        ],
    }
