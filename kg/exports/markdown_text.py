"""Text of strangers in Markdown: on one line and without markup, for CommonMark, GitHub and Obsidian.

https://spec.commonmark.org/0.31.2/#backslash-escapes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from kg.store import plain

__all__ = ["address", "escape", "one_line", "place", "table", "words"]

#: Relation -> what its source does, what is done to its target.
_WORDS: Mapping[str, tuple[str, str]] = {
    "ADDRESSES": ("addresses", "addressed by"),
    "AUTHORED": ("wrote", "written by"),
    "COMPARED_WITH": ("compared with", "compared with"),
    "COMPARES_WITH": ("compares with", "compared by"),
    "EVALUATED_ON": ("evaluated on", "evaluates"),
    "EVALUATES_ON": ("evaluates on", "evaluated on by"),
    "HAS_CODE": ("code", "code of"),
    "IMPLEMENTED_IN": ("implemented in", "implements"),
    "IMPROVES": ("improves", "improved by"),
    "IS_A": ("is a", "kinds"),
    "MEASURED_BY": ("measured by", "measures"),
    "MEASURES": ("measures", "measured by"),
    "MENTIONS": ("mentions", "mentioned by"),
    "PART_OF": ("part of", "has the parts"),
    "PROPOSES": ("proposes", "proposed by"),
    "PUBLISHED_IN": ("published in", "published"),
    "TRAINED_ON": ("trained on", "trains"),
    "USED_FOR": ("used for", "done with"),
    "USES": ("uses", "used by"),
}

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
_SPECIAL = re.compile(r"[\\`*_\[\]<>&|#~$=^%]")
#: What begins a list where a line begins.
_LIST = re.compile(r"^(\d{1,9}(?=[.)])|)([-+.)])(?=\s|$)")
_IN_ADDRESS = ":/?#@!$&'*+,;=%-._~"


def one_line(value: object) -> str:
    """The value with single spaces, and without characters that one does not see."""
    return " ".join(_CONTROL.sub(" ", plain(str(value))).split())


def escape(value: object) -> str:
    r"""The value as text of Markdown, on one line.

    >>> escape("R*Net* | <b>\n1")
    'R\\*Net\\* \\| \\<b\\> 1'
    """
    return _LIST.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", one_line(value)))


def address(value: object, text: object = None) -> str:
    """A link to an address of the web; anything else is text."""
    url = one_line(value)
    if not url.lower().startswith(("http://", "https://")):
        return escape(url)
    return f"[{escape(url if text is None else text)}]({quote(url, safe=_IN_ADDRESS)})"


def place(item: Mapping[str, Any]) -> str:
    """Where in its paper a piece of evidence stands."""
    return "" if item.get("start") is None else f"{item['start']}–{item['end']}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one; the cells are Markdown already."""
    head = [_row(columns), _row(["---"] * len(columns))]
    return [*head, *map(_row, rows), ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def words(relation: str, *, outgoing: bool = True) -> str:
    """A relation as people say it, from its source or from its target.

    >>> words("PROPOSES"), words("PROPOSES", outgoing=False)
    ('proposes', 'proposed by')
    """
    forth, back = _WORDS.get(relation) or (escape(relation), f"{escape(relation)} of")
    return forth if outgoing else back
