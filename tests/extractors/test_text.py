"""Cleaning: what becomes of markup, and that every offset leads back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.text import clean, plain


def body(text: str) -> str:
    """The clean abstract of an untitled paper."""
    return clean(f"\n{text}").text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            r"A theorem of Nowi\'nski, Bab\'ic and \v{S}mid is used by Schr\"odinger networks.",
            "A theorem of Nowiński, Babíc and Šmid is used by Schrödinger networks.",
            id="c4-02",
        ),
        pytest.param(
            r"Decay in the Z $\mu\bar\mu$ channel with a \foobar classifier and \ours on ImageNet.",
            "Decay in the Z μμ channel with a foobar classifier and ours on ImageNet.",
            id="c4-03",
        ),
        pytest.param(
            r"Losses $\alpha$ $\beta$ and $\gamma$ coincide.", "Losses α β and γ coincide.", id="c4-05"
        ),
        pytest.param(
            "We use trans\u00adformer lan\u00adguage mod\u00ad\nels on Image\u00adNet.",
            "We use transformer language models on ImageNet.",
            id="c4-16",
        ),
        pytest.param(
            "Eﬃcient ﬁne-tuning and œuvre classiﬁcation on ﬂow data",
            "Efficient fine-tuning and œuvre classification on flow data",
            id="c4-18",
        ),
        pytest.param(
            "We use ＢＥＲＴ, Im\u200bage\u200dNet and Re\u0301sNet\ufeff.",
            "We use BERT, ImageNet and RésNet.",
            id="c4-19",
        ),
        pytest.param(
            "graph\u200bneural networks and auto\u200cencoder",
            "graph neural networks and autoencoder",
            id="c4-20",
        ),
        pytest.param("Penn\u00a0Treebank and Wiki\u2009Text", "Penn Treebank and Wiki Text", id="c4-22"),
        pytest.param("Using <em>BERT</em> we test <b>GLUE</b>.", "Using BERT we test GLUE.", id="c4-11"),
        pytest.param(
            "UK- built corpora and vision- language models, pre- and post-training",
            "UK-built corpora and vision-language models, pre- and post-training",
            id="c3-02",
        ),
        pytest.param(
            r"at \href{https://example-lab.github.io/demo%20page/}{this page}. We evaluate on MNIST.",
            "at this page. We evaluate on MNIST.",
            id="c1-29",
        ),
        pytest.param(
            "contr**A**stive *feature* __size__ and `Net`", "contrAstive feature size and Net", id="emphasis"
        ),
        pytest.param("A* search and LTMOA* beat D*.", "A* search and LTMOA* beat D*.", id="stars of names"),
        pytest.param("costs $5 and $10 in total", "costs $5 and $10 in total", id="money is no formula"),
        pytest.param(
            r"SAFE$^+$, $\ell_1$-norm, R$^2$, $\text{B-NCTD}^+$", "SAFE⁺, ℓ₁-norm, R², B-NCTD⁺", id="raised"
        ),
        pytest.param(r"{\em e.g.} 50\% of A\&B \cite{x} ", "e.g. 50% of A&B", id="latex"),
        pytest.param(
            "linear heuris-\ntic and state-of-the-\nart", "linear heuristic and state-of-the-art", id="wrap"
        ),
        pytest.param("a &lt; b &amp; c&nbsp;d Net<3> A<B", "a < b & c d Net<3> A<B", id="entities"),
        pytest.param("[Code](https://github.com/o/r) and [x]", "Code and [x]", id="markdown link"),
        pytest.param("a\x02b\x00c", "abc", id="control characters"),
        pytest.param("``quoted'' --- and -- so", "“quoted” — and – so", id="tex quotes"),
    ],
)
def test_markup_becomes_running_text(text: str, expected: str) -> None:
    assert body(text).strip() == expected


def test_only_the_line_end_behind_the_title_stays() -> None:
    assert clean("A Title\nfirst\nsecond\r\nthird").text == "A Title\nfirst second third"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("S$^2$FGL", "S²FGL"), ("contr**A**stive\nloss", "contrAstive loss"), (r"$\alpha$-Former", "α-Former")],
)
def test_a_name_is_shown_without_markup(name: str, expected: str) -> None:
    assert plain(name) == expected


@pytest.mark.parametrize(
    ("source", "found", "expected"),
    [
        (r"We show $S^2$FGL here", "S²FGL", "$S^2$FGL"),
        ("the *feature dimension* counts", "feature dimension", "feature dimension"),
        ("**P**ointer net", "Pointer net", "**P**ointer net"),
        (r"\textbf{Hi}erarchical nets", "Hierarchical", r"\textbf{Hi}erarchical"),
        (r"use SAFE$^+$ now", "SAFE⁺", "SAFE$^+$"),
        ("lan\u00adguage mod\u00ad\nels", "language models", "lan\u00adguage mod\u00ad\nels"),
        ("🧪👩🏽‍🔬 We present RocketNet 🛰️ on COCO.", "RocketNet", "RocketNet"),
    ],
)
def test_a_span_leads_back_into_the_source(source: str, found: str, expected: str) -> None:
    cleaned = clean(f"T\n{source}")
    start = cleaned.text.index(found)
    begin, end = cleaned.source_span(start, start + len(found))
    assert cleaned.source[begin:end] == expected
    assert cleaned.clean_span(begin, end) == (start, start + len(found))


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(list("ab A\n\t$\\{}*_`^~-&<>[]()%.'\"é\u00ad\u200b\ufb01ﬀ1🧪")), max_size=60
    )
)
def test_offsets_hold_for_any_text(text: str) -> None:
    cleaned = clean(text)
    assert "\r" not in cleaned.text
    last = 0
    for position in range(len(cleaned.text)):
        begin, end = cleaned.source_span(position, position + 1)
        assert 0 <= begin < end <= len(text)
        assert end >= last
        last = begin


@pytest.mark.parametrize(
    "unit", ["$a", "{\\em ", "*a ", "\\'{", "[a](", "<b ", "&a", "a-\n", "__a", "`", "\\textbf{", "~"]
)
def test_cleaning_takes_linear_time(unit: str) -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        clean("\n" + unit * count)
        return time.process_time() - started

    seconds(100)
    small, large = (min(seconds(count) for _ in range(2)) for count in (2_000, 16_000))
    assert large < 40 * max(small, 0.0005)
