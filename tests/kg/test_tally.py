"""The groups of a paper as bytes."""

from __future__ import annotations

import pytest

from kg.rules import parse_rules
from kg.tally import pack_groups, paper_groups, unpack_groups
from tests.kg.build import read

_, EXTRACTION = read(
    "A graph star net (GSN) beats BERT. The GSN is small.",
    {"GSN": ("Method", ["graph star net"], ["proposes"]), "BERT": ("Method", [], ["compares"])},
)


@pytest.mark.parametrize("told", [{}, {"different": [["GSN", "graph star net"]]}], ids=["whole", "in parts"])
def test_packed_groups_come_back_beside_the_concepts_of_their_paper(told: dict[str, object]) -> None:
    groups = paper_groups(EXTRACTION, parse_rules(told))
    concepts = EXTRACTION.concepts
    assert len(groups) == (3 if told else 2)
    assert unpack_groups(pack_groups(groups, concepts), concepts) == groups
