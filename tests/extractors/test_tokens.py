"""Tokens: names can be marked wherever they stand."""

from __future__ import annotations

import pytest
import spacy

from extractors.tokens import make_tokenizer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BERT-based", ["BERT", "-", "based"]),
        ("GPT-4o/Llama-3.1", ["GPT", "-", "4o", "/", "Llama", "-", "3.1"]),
        ("C++ and S²FGL.", ["C++", "and", "S²FGL", "."]),
        ("on HM3D.", ["on", "HM3D", "."]),
        ("SiT.", ["SiT", "."]),
        ("Models(LLMs)", ["Models", "(", "LLMs", ")"]),
        ("LLMs:Our", ["LLMs", ":", "Our"]),
        ("at https://github.com/o/r-x.", ["at", "https://github.com/o/r-x", "."]),
        ("e.g., Newton's", ["e.g.", ",", "Newton", "'s"]),
    ],
)
def test_words_are_parted(text: str, expected: list[str]) -> None:
    tokenizer = make_tokenizer(spacy.blank("en"))
    assert [token.text for token in tokenizer(text)] == expected
