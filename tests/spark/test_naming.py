from __future__ import annotations

from typing import Any

import pytest

from kg.folding import name_key
from kg.merging import acronym_places, kin, written_out
from kg.naming import paper_groups
from kg.rules import NO_RULES
from kg.spark.pieces import OWN, joined_share, pack_sums
from kg.tally import Row, Tally, Usage, tally
from tests.spark.corpus import corpus


def test_sums_of_parts_put_together_are_the_sums_of_the_whole() -> None:
    groups = [paper_groups(extraction) for _, extraction in corpus(60)]
    together = Tally()
    for part in (groups[:20], groups[20:]):
        for row in tally(part).rows():
            together.put(row)
    together.find_activities()

    assert together == tally(groups)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BERT model", {"bert^", "bert"}),
        ("BERT", {"bert"}),
        ("ImageNet data set", {"imagenet"}),
        ("deep learning model", set()),
        ("graph network", set()),
    ],
)
def test_the_kin_of_a_name_is_its_other_case_and_what_stands_before_its_head(
    name: str, expected: set[str]
) -> None:
    assert kin(name_key(name), name, NO_RULES) == expected


def test_an_acronym_inside_a_name_is_written_out() -> None:
    (place, short), *others = acronym_places("deep RL agent", NO_RULES)

    assert (place, short, others) == (1, "rl^", [])
    assert written_out("deep RL agent", place, "reinforcement learning", NO_RULES) == name_key(
        "deep reinforcement learning agent"
    )


def test_a_share_keeps_rows_of_other_kinds_apart() -> None:
    own = pack_sums(
        [Row("votes", "a", "Term", Usage(1, 0, 0)), Row("forms", "a", "a", Usage(1, 1, 1))],
    )
    rows: list[dict[str, Any]] = [
        {"what": OWN, "key": "a", "item": None, "papers": None, "order": None, "sums": own},
        {"what": "definitions", "key": "a", "item": "b", "papers": 2, "order": None, "sums": None},
        {"what": "word", "key": "a", "item": None, "papers": 3, "order": None, "sums": None},
    ]
    share = joined_share(NO_RULES, rows)

    assert share.others == [Row("word", "a", "", Usage(3, 0, 0))]
    assert share.sums.forms == {"a": {"a": Usage(1, 1, 1)}}
    assert share.sums.definitions == {"a": {"b": 2}}
    assert list(share.joins.types) == ["a"]
