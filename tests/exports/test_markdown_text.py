"""Text of strangers is text in Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from kg.exports.markdown_text import address, escape, one_line, place, table, words
from kg.flat import RELATIONS
from tests.exports.hostile import NAMES, texts

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def rendered(source: str) -> str:
    """The text that a reader sees, where there is nothing but text in one table or list."""
    seen = []
    for token in PARSER.parse(source):
        for child in token.children or ():
            assert child.type in ("text", "text_special", "link_open", "link_close")
            seen.append(child.content)
    return "".join(seen)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_are_text_in_a_list_and_a_table(name: str) -> None:
    assert rendered(f"- {escape(name)}") == one_line(name)
    assert rendered("\n".join(table(["a"], [[escape(name)]]))) == f"a{one_line(name)}"


@given(texts)
def test_any_text_is_text(text: str) -> None:
    assert len(escape(text).splitlines()) <= 1
    assert rendered(f"- {escape(text)}") == one_line(text)
    assert rendered("\n".join(table(["a"], [[escape(text)]]))) == f"a{one_line(text)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a", "\\- a"),
        ("1. a", "1\\. a"),
        ("0.8", "0.8"),
        ("-0.5", "-0.5"),
        ("a\n\n# b", "a \\# b"),
        ("\x1b[31mred\u202e", "\\[31mred"),
        (2024, "2024"),
    ],
)
def test_escape(text: object, expected: str) -> None:
    assert escape(text) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "https://a.example/b_(c)|d e",
            "[https://a.example/b\\_(c)\\|d e](https://a.example/b_%28c%29%7Cd%20e)",
        ),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("", ""),
    ],
)
def test_only_addresses_of_the_web_are_links(url: str, expected: str) -> None:
    assert address(url) == expected
    assert address("http://a.example", "[x]") == "[\\[x\\]](http://a.example)"


def test_place() -> None:
    assert [place({"start": 1, "end": 5}), place({"start": None, "end": None})] == ["1–5", ""]


def test_every_relation_has_words_both_ways() -> None:
    spoken = [words(relation, outgoing=outgoing) for relation in RELATIONS for outgoing in (True, False)]
    assert not any(word.isupper() or "\\_" in word for word in spoken)
    assert words("NEW_ONE", outgoing=False) == "NEW\\_ONE of"
