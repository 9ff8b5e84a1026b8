"""How papers introduce names: "methods called SAFE", "we propose UPGNET, a framework", "our framework S²FGL".

Patterns do here what a tagger trained on a few thousand papers does not: a name that is introduced in one
of these ways is a name, and the noun beside it says of which type. Of the names found in the annotated
papers, 97 in 100 are annotated with that type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kg.schema import ConceptType

__all__ = ["Introduction", "introductions"]

_METHOD = (
    "method|methodology|model|framework|algorithm|approach|technique|architecture|network|system|pipeline|"
    "module|mechanism|scheme|strategy|paradigm|procedure|estimator|optimizer|attack|defense|loss|layer|"
    "library|toolkit|agent|learner|solver|sampler|planner|encoder|decoder|transformer|protocol|recipe|tool|variant|extension"
)
_DATASET = "dataset|data set|benchmark|corpus|test suite|testbed|challenge set|database"
_METRIC = "metric|measure|score|index"
_HEAD = rf"(?P<head>(?:{_METHOD}|{_DATASET}|{_METRIC}))"
_WORD = r"(?=[^\s,.;:()]*[A-Z0-9⁺²³])[\w*][\w*+⁺²³/-]*(?:\.[\w+-]+)*"
# A proper name: one word with a capital, a digit or a raised mark, or several up to a mark or a small word.
_END = r"(?= ?[,.;:()\"'”’]| (?:to|that|which|and|is|in|on|can|as)\b|$)"
_NAME = rf"(?P<name>{_WORD}(?: {_WORD}){{0,6}}){_END}"
_QUOTE = r"[\"'“‘]?"
_CALLED = (
    r"(?:called|named|dubbed|termed|coined|denoted(?: as| by)?|referred to as"
    r"|which we (?:call|name|term|dub))"
)
_PATTERNS = [
    re.compile(rf"\b{_HEAD}s?,? (?:\([^()]*\),? )?(?:that (?:is|we) )?{_CALLED} {_QUOTE}{_NAME}"),
    re.compile(
        r"(?<!of )\b[Oo]ur (?:(?!(?:on|of|in|for|with|to|and) )[a-z-]+ ){0,3}?"
        rf"{_HEAD},? {_QUOTE}{_NAME}"
    ),
    re.compile(
        r"\b(?:[Ww]e|[Pp]aper|[Ww]ork) (?:therefore |thus |then |first |further |also |hence |here )?"
        r"(?:propose|introduce|present|develop|design|devise|proposes|introduces|presents) (?:the )?"
        rf"{_QUOTE}(?P<name>{_WORD}(?: {_WORD}){{0,3}}){_QUOTE}(?: \([^()]*\))?"
        rf",? (?:an?|the|our|which is an?) (?:[\w-]+ ){{0,8}}?{_HEAD}s?\b"
    ),
]  # fmt: skip
_TYPES = [(_METHOD, ConceptType.METHOD), (_DATASET, ConceptType.DATASET), (_METRIC, ConceptType.METRIC)]


@dataclass(frozen=True, slots=True)
class Introduction:
    """A name, the type that the noun beside it tells, and the way in which it is introduced."""

    name: str
    type: ConceptType
    way: str


def introductions(text: str) -> Iterator[Introduction]:
    """Names that the text introduces, in the order of the patterns."""
    for way, pattern in zip(("called", "ours", "proposed"), _PATTERNS, strict=True):
        for match in pattern.finditer(text):
            kind = next(kind for heads, kind in _TYPES if re.fullmatch(heads, match["head"]))
            yield Introduction(match["name"], kind, way)
