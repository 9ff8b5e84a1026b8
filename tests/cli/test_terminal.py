"""Tests of what reaches a terminal."""

from __future__ import annotations

import json

import pytest

from kg.cli.terminal import json_line, plain


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("Kona, für 图", "Kona, für 图", id="text"),
        pytest.param("a\r\n  b\tc\u2028d", "a b c d", id="white-space"),
        pytest.param("\x1b[2Jx\x9b1m", "\\x1b[2Jx\\x9b1m", id="escapes"),
        pytest.param("a\u202eb\u2066c\u200b", "a\\u202eb\\u2066c\\u200b", id="direction"),
        pytest.param("\ud800", "\\ud800", id="half-character"),
        pytest.param("\U000e0041", "\\U000e0041", id="tag"),
        pytest.param("[red]:smile:", "[red]:smile:", id="markup-is-text"),
        pytest.param(None, "None", id="other"),
    ],
)
def test_plain_is_one_safe_line(value: object, shown: str) -> None:
    assert plain(value) == shown


@pytest.mark.parametrize(
    "text", ["\x1b[0m \x7f \x9b", "\u202e\ufeff", "\U000e0041", "\ud800", "über \U0001f600"]
)
def test_json_escapes_and_means_the_same(text: str) -> None:
    line = json_line({"text": text})
    assert json.loads(line) == {"text": text}
    assert plain(line.decode()) == line.decode().strip()
