"""How papers introduce names: "methods called SAFE", "we propose UPGNET, a framework", "our framework S²FGL",
"we propose UPGNET, which …", "we propose a framework for X (FooNet)", and a title "UPGNET: …".

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
_PROPOSE = "(?:propose|introduce|present|develop|design|devise)"
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
# A single word that no sentence would write so: two capitals, a capital inside, or a digit.
_PROPER = r"(?=[^\s:]*(?:[A-Z][^\s:]*[A-Z0-9]|[a-z][A-Z]|[0-9]))[\w*][\w*+⁺²³/.-]*"
_ALONE = re.compile(
    r"\b[Ww]e (?:therefore |thus |then |first |further |also |hence |here )?"
    rf"{_PROPOSE} (?P<name>{_PROPER})(?: \([^()]*\))?"
    r"(?:[,.:;]|,? (?:which|that|to|for|by|based|where|and|with|in)\b)"
)
# "We present a fast library for trees (TreeLib)": a capital inside, since acronyms there are often others'.
_BRACKETED = re.compile(
    rf"\b{_PROPOSE}s? (?:an?|the|our) (?:[\w-]+,? ){{0,12}}?"
    r"\((?P<name>(?=[^\s:()]*[a-z][A-Z])[\w*][\w*+⁺²³/.-]*)\)"
)
# "We propose random flow matching (RFM), which …".
_DEFINED = re.compile(
    rf"\b[Ww]e (?:\w+ )?{_PROPOSE} (?:(?:an?|the|our|novel|new) )*"
    r"(?!(?:an?|the|our|novel|new|use|usage|problem|task|approach) )[\w-]+(?: [\w-]+){1,5} "
    r"\((?P<name>[A-Z][\w-]*)\),? (?:an?|which|that|as an?)\b"
)
_TITLED = re.compile(rf"\A(?P<name>{_WORD}(?: {_WORD}){{0,2}}): ")
_HEADLINE = re.compile(rf"\A(?P<name>{_PROPER}): ")
_TYPES = [(_METHOD, ConceptType.METHOD), (_DATASET, ConceptType.DATASET), (_METRIC, ConceptType.METRIC)]


@dataclass(frozen=True, slots=True)
class Introduction:
    """A name, the type that a noun beside it tells (None without one), and the way it is introduced."""

    name: str
    type: ConceptType | None
    way: str


def introductions(text: str) -> list[Introduction]:
    """Names that the text introduces, each once: as the most telling way does it."""
    found: dict[str, Introduction] = {}
    for introduction in _found(text):
        if len(introduction.name) > 1:  # "the model, denoted by S"
            found.setdefault(introduction.name, introduction)
    return list(found.values())


def _found(text: str) -> Iterator[Introduction]:
    for way, pattern in zip(("called", "ours", "proposed"), _PATTERNS, strict=True):
        for match in pattern.finditer(text):
            kind = next(kind for heads, kind in _TYPES if re.fullmatch(heads, match["head"]))
            yield Introduction(match["name"], kind, way)
    for match in _ALONE.finditer(text):
        yield Introduction(match["name"].rstrip("./-"), None, "alone")
    for match in _BRACKETED.finditer(text):
        yield Introduction(match["name"].rstrip("./-"), None, "bracketed")
    for match in _DEFINED.finditer(text):
        yield Introduction(match["name"].rstrip("-"), None, "defined")
    title, _, abstract = text.partition("\n")
    titled = _TITLED.match(title)
    if titled and titled["name"] in abstract:
        yield Introduction(titled["name"], None, "titled")
    elif not title.isupper() and (headline := _HEADLINE.match(title)):
        yield Introduction(headline["name"], None, "titled")
