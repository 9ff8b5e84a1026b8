"""Sentences of abstracts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from extractors.sentences import sentence_starts


def sentences(text: str) -> list[str]:
    starts = [*sentence_starts(text), len(text)]
    return [text[start:end].strip() for start, end in pairwise(starts)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param(
            "Roe et al. (2022) use BERT, i.e. a Transformer, cf. Fig. 2 vs. Tab. 3, e.g. on GLUE. It wins.",
            2,
            id="c3-16",
        ),
        pytest.param(
            "Throughput was 3.4 GB/s and energy 0.7 nJ/op (mm2)-1 on ImageNet-1k/ReaL in both runs.",
            1,
            id="c3-17",
        ),
        pytest.param("We reach 81.2 F1. (All code is public, see Sec. 3.) We also report EM.", 3, id="c3-18"),
        pytest.param("Careful probing of frozen encoders involving the XQZ benchmark", 1, id="c3-19"),
        pytest.param("Code is at https://x.org/a.b?c=1. We thank all.", 2, id="address"),
        pytest.param("Is it good? Yes! It is.", 3, id="marks"),
        pytest.param("We extend J. Roe and A. B. Doe. Good.", 2, id="initials"),
        pytest.param("It has parts (one. Two. Three) and ends. Next.", 2, id="inside brackets"),
        pytest.param("Net, Tree, etc. We win.", 2, id="etc"),
        pytest.param("It is fast.We show that it scales.", 2, id="no space"),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, count: int) -> None:
    found = sentences(text)
    assert len(found) == count
    assert all(len(sentence) > 3 for sentence in found)


def test_the_title_is_a_sentence() -> None:
    assert sentences("Deep Nets\nWe study them.") == ["Deep Nets", "We study them."]
