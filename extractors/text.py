"""Cleans the text of a paper for reading, with a map back to the text as it was given.

Abstracts come with LaTeX, Markdown, HTML, ligatures, soft hyphens and broken lines. `clean` takes these out
so that the readers behind it see plain running text; every span found there leads back into the source by
`CleanText.source_span`. Only the first line end (between title and abstract) stays a line end.

The work is one pass of one regular expression over the source, whose matches become edits; what lies between
two matches is copied. Limits: macros that the paper defines itself keep their name as text, and nested
arguments deeper than a macro and its braces are read as they stand.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["CleanText", "clean", "plain"]

Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class CleanText:
    """Clean text and the segments that tie it to its source.

    Segment i covers the clean text from `starts[i]` to the next start, and the source from `begins[i]` to
    `ends[i]`; a segment of equal lengths is a copy, any other was rewritten as a whole.
    """

    text: str
    source: str
    starts: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def _segment(self, position: int) -> tuple[int, bool]:
        index = bisect_right(self.starts, position) - 1
        stop = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        return index, stop - self.starts[index] == self.ends[index] - self.begins[index]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the source of a span of the clean text, markup that it cuts in two included.

        >>> found = clean("We propose $S^2$FGL.")
        >>> found.source[slice(*found.source_span(11, 16))]
        '$S^2$FGL'
        """
        if start >= end:
            return (0, 0) if not self.starts else (self.begins[self._segment(start)[0]],) * 2
        first, copied = self._segment(start)
        begin = self.begins[first] + (start - self.starts[first] if copied else 0)
        last, copied = self._segment(end - 1)
        stop = self.begins[last] + (end - self.starts[last]) if copied else self.ends[last]
        return _balanced(self.source, begin, stop)

    def clean_span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the clean text of a span of the source; empty where nothing of it was kept."""
        return self._clean_offset(start, up=False), self._clean_offset(end, up=True)

    def _clean_offset(self, offset: int, *, up: bool) -> int:
        index = bisect_right(self.begins, offset - 1 if up else offset) - 1
        if index < 0:
            return 0
        stop = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        if offset >= self.ends[index]:
            return stop
        if stop - self.starts[index] == self.ends[index] - self.begins[index]:
            return self.starts[index] + offset - self.begins[index]
        return stop if up else self.starts[index]


def clean(source: str) -> CleanText:
    """Cleans the text of one paper; the first line end is kept, every other white space becomes one space.

    >>> clean("contr**A**stive \\\\emph{learning}").text
    'contrAstive learning'
    """
    edits = list(_edits(source))
    pieces: list[str] = []
    starts: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    length = at = 0
    for begin, end, new in [*edits, (len(source), len(source), "")]:
        for piece, left, right in ((source[at:begin], at, begin), (new, begin, end)):
            if piece:
                pieces.append(piece)
                starts.append(length)
                begins.append(left)
                ends.append(right)
                length += len(piece)
        at = end
    return CleanText("".join(pieces), source, tuple(starts), tuple(begins), tuple(ends))


def plain(name: str) -> str:
    """A name without its markup, on one line: how a person would write it.

    >>> plain("S$^2$FGL"), plain("contr**A**stive\\nloss")
    ('S²FGL', 'contrAstive loss')
    """
    return " ".join(clean(f"\n{name}").text.split())


# --- balance: a span that cuts a mark in two takes its other half in -------------------------------------

_OPENING = re.compile(r"(?:\\[a-zA-Z]+\*?\s?)?\{$|\\[a-zA-Z]+\{[^{}]*\}?$")


def _balanced(source: str, start: int, end: int) -> tuple[int, int]:
    """Widens a span over `$`, `**` and braces that stand directly at it and whose partner lies inside."""
    for mark in ("**", "*", "$"):
        if source.count(mark, start, end) % 2:
            if source.endswith(mark, 0, start):
                start -= len(mark)
            elif source.startswith(mark, end):
                end += len(mark)
    piece = source[start:end]
    closing, opening = piece.count("}"), piece.count("{")
    if closing > opening and (found := _OPENING.search(source, max(0, start - 40), start)):
        start = found.start()
    while opening > closing and source.startswith("}", end):
        end, closing = end + 1, closing + 1
    if source.count("$", start, end) % 2:
        if source.endswith("$", 0, start):
            start -= 1
        elif source.startswith("$", end):
            end += 1
    return start, end


# --- what is rewritten -----------------------------------------------------------------------------------

_FORMATTING = (
    "emph|text(?:bf|it|tt|sc|rm|sf|sl|up|md|normal)?|math(?:rm|bf|it|cal|bb|sf|tt|frak|scr|ds)|bm|boldsymbol"
    "|mbox|hbox|operatorname|underline|overline|uline|em|bf|bfseries|it|itshape|tt|ttfamily|sc|scshape|rm|sf|sl"
    "|small|large|footnotesize|left|right|big[lr]?|Big[lr]?|displaystyle|textstyle|limits|nolimits|url|protect"
    "|bar|hat|tilde|vec|dot|widehat|widetilde|ensuremath|xspace|noindent|par|newline|linebreak|quad|qquad|footnote|textsuperscript|textsubscript"
)
_TAGS = (
    "a|abbr|b|br|code|div|em|font|h[1-6]|hr|i|italic|bold|jats:[a-z-]+|li|math|mml:[a-z]+|mi|mn|mo|mrow|ol|p|pre"
    "|s|sc|section|small|span|strong|sub|sup|title|tt|u|ul|wbr|inline-formula|tex-math"
)
_SPACES = r"\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
    "r": "\u030a",
}  # fmt: skip
_SUPERSCRIPTS = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")

# A formula in dollars, not a sum of money: the dollars touch what they hold (as Pandoc reads them).
_FORMULA = (
    r"\$\$?(?=[^\s$])(?!\d[\d.,]*(?:[kKMB]\b|[ -][A-Za-z]{2}|[,;)]|\.\s))"
    r"(?:\\.|[^$\\]){0,400}?(?<![\s\\])\$\$?(?!\d)"
)
# Only these characters can begin a match of _GENERAL: a test that costs little where there are none.
_FIRST = (
    r"$\\{}\-`'~!\[\]<&\u2010\u00ad\s\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2060\u3000\ufeff\x00-\x1f"
    r"\x7f-\x9f\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff\u0300-\u036f"
)

_MACRO = rf"""
    (?P<accent>\\(?:['`^"~=.]\s?(?:\{{\s?\\?[A-Za-z]?\s?\}}|\\[ij]\b|[A-Za-z])
                  |[uvHckdbr](?:\{{\s?\\?[A-Za-z]\s?\}}|\s[A-Za-z]\b)))
  | (?P<dropped>\\(?:cite[a-z]*\*?(?:\[[^\]]*\])*|label|ref|eqref|vspace|hspace|thanks)\{{[^{{}}]*\}})
  | (?P<href>\\href\s?\{{[^{{}}\s]*\}}(?=\{{))
  | (?P<format>\\(?:{_FORMATTING})(?![A-Za-z])\s?(?=\{{)
             | \\(?:{_FORMATTING})(?![A-Za-z])\*?\s?)
  | (?P<escaped>\\[%&_\#${{}}])
  | (?P<thin>\\[,;:! /|>@-])
  | (?P<break>\\\\)
  | (?P<macro>\\[A-Za-z]+)
"""
_GENERAL = re.compile(
    rf"""
    (?=[{_FIRST}])(?:
    (?P<math>{_FORMULA})
  | (?P<mathtag>\\\(|\\\)|\\\[|\\\])
  | {_MACRO}
  | (?P<brace>[{{}}])
  | (?P<dash>(?<!-)---?(?!-))
  | (?P<quotes>``|'')
  | (?P<tie>(?<=\w)~(?=\w))
  | (?P<image>!?\[(?=[^\[\]]{{1,300}}\]\((?:https?:|www\.|\#|mailto:|\))))
  | (?P<target>(?<=[^\s\[])\]\((?:https?:|www\.|\#|mailto:)?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*\))
  | (?P<tag></?(?:{_TAGS})(?:\s[^<>]{{0,200}})?\s?/?>)
  | (?P<entity>&(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z]\w{{1,30}});)
  | (?P<wrap>(?<=\w)[-\u2010\u00ad][^\S\n]{{0,5}}\r?\n[{_SPACES}]{{0,20}}(?=\w))
  | (?P<soft>\u00ad[{_SPACES}]{{0,20}}(?=[a-z])|\u00ad)
  | (?P<suspended>(?<=\w-)[ ](?=[A-Za-z]))
  | (?P<space>[{_SPACES}]*[\n\r\t\v\f\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]
              [{_SPACES}]*|[ ]{{2,}})
  | (?P<zero>[\u200b\u2060\u200c\u200d\u200e\u200f\u202a-\u202e\ufeff\u00ad])
  | (?P<control>[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f])
  | (?P<compat>[\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff])
  | (?P<combining>(?<=[A-Za-z])[\u0300-\u036f]+)
    )
    """,
    re.VERBOSE,
)
_MATH = re.compile(
    rf"""
    {_MACRO}
  | (?P<raised>\^\s?(?:\{{\s?[-+=()\dni]{{1,6}}\s?\}}|[-+\dni]))
  | (?P<lowered>_\s?(?:\{{\s?[-+=()\d]{{1,6}}\s?\}}|\d))
  | (?P<brace>[{{}}^_$&])
  | (?P<space>\s+|~)
    """,
    re.VERBOSE,
)
_EMPHASIS = re.compile(
    r"""
    (?P<skip>"""
    + _FORMULA
    + r""" | https?://\S+)
  | (?P<strong>\*\*(?=[^\s*])(?P<s>[^*]{1,400}?)(?<=\S)\*\*)
  | (?P<em>(?<![\w*])\*(?=[^\s*])(?P<e>[^*]{1,400}?)(?<=[^\s*])\*(?![\w*]))
  | (?P<inner>(?<=[A-Za-z])\*(?P<i>[A-Za-z]{1,12})\*(?=[A-Za-z])
             |(?<![\w*])\*(?P<h>[A-Z][A-Za-z]{0,4})\*(?=[a-z]))
  | (?P<under>(?<![\w\\_])__?(?=[^\s_])(?P<u>[^_]{1,200}?)(?<=[^\s_])__?(?![\w]))
  | (?P<tick>(?<![\w`])`(?=[^\s`'])(?P<t>[^`'\n]{1,100}?)(?<=\S)`(?![\w`]))
    """,
    re.VERBOSE,
)
# Words that stand before a hyphen more often than a broken word begins with them.
_COMPOUND_HEADS = frozenset(
    """
    all anti auto best bi co cross data de deep down end ever few fine first full half hard high human
    hyper ill in inter intra large left light long low many meta micro mid mini model mono multi near
    neuro non of off on one open out over part per point post pre pseudo quasi re real right self semi
    short single small soft spatio state step strong sub super task the three time to token top trade two
    un under up user vision weak well wide word world zero
    """.split()
)


def _edits(source: str) -> Iterator[Edit]:
    """Non-overlapping edits of the source, in order."""
    title_end = source.find("\n")
    emphasis = _emphasis_marks(source)
    marks = iter([*emphasis, (len(source) + 1, len(source) + 1)])
    mark = next(marks)
    at = 0
    for match in _GENERAL.finditer(source):
        start, end = match.span()
        if start < at:
            continue
        while mark[0] < start:
            if mark[0] >= at:
                yield (*mark, "")
                at = mark[1]
            mark = next(marks)
        if start < at:
            continue
        yield from _edit(match, source, title_end)
        at = end
    while mark[0] < len(source):
        if mark[0] >= at:
            yield (*mark, "")
        mark = next(marks)


def _emphasis_marks(source: str) -> list[tuple[int, int]]:
    """Where Markdown's marks of emphasis stand, outside formulas and addresses."""
    if not any(mark in source for mark in "*_`"):
        return []
    marks = []
    for match in _EMPHASIS.finditer(source):
        if match.lastgroup == "skip":
            continue
        inner = next(name for name in "seihut" if match[name] is not None)
        marks += [(match.start(), match.start(inner)), (match.end(inner), match.end())]
        if inner == "s":  # **a *b* c** and in-word marks one after the other
            marks += [
                (match.start("s") + left, match.start("s") + right)
                for left, right in _emphasis_marks(match["s"])
            ]
    return sorted(marks)


def _edit(match: re.Match[str], source: str, title_end: int) -> Iterator[Edit]:
    kind = match.lastgroup or ""
    start, end = match.span()
    if kind == "math":
        yield from _math_edits(source, start, end)
    elif kind == "space":
        if start <= title_end < end:
            yield start, end, "\n" if source[:start].strip() else ""
        else:
            yield start, end, " " if start and end < len(source) else ""
    elif kind == "wrap":
        yield start, end, _unwrapped(source, start, end)
    elif kind == "zero":
        yield start, end, _zero_width(source, start, end)
    elif kind == "combining":
        yield start - 1, end, unicodedata.normalize("NFC", source[start - 1 : end])
    elif kind == "suspended":
        if re.match(r"(?:and|or|to|nor|und|versus|vs)\b", source[end : end + 7]) is None:
            yield start, end, ""
    else:
        yield start, end, _replacement(kind, match[0])


def _replacement(kind: str, found: str) -> str:
    match kind:
        case "accent":
            return _accented(found)
        case "escaped":
            return found[1:]
        case "macro":
            return _macro_text(found[1:])
        case "break" | "thin" | "tie":
            return "" if found in (r"\!", r"\-", r"\/", r"\@") else " "
        case "dash":
            return "—" if len(found) == 3 else "–"
        case "quotes":
            return "“" if found == "``" else "”"
        case "tag":
            return " " if re.match(r"</?(?:br|p|div|li|hr|h\d|title|section)\b", found) else ""
        case "entity":
            text = html.unescape(found)
            return " " if text.isspace() else "" if text in "\u00ad\u200b\u200c\u200d" else text
        case "compat":
            return unicodedata.normalize("NFKC", found)
        case "raised":
            return found.strip("^{} ").translate(_SUPERSCRIPTS)
        case "lowered":
            return found.strip("_{} ").translate(_SUBSCRIPTS)
        case "space":
            return " "
    return ""  # braces, formatting macros, link targets, marks without a text of their own


def _math_edits(source: str, start: int, end: int) -> Iterator[Edit]:
    """A formula: the dollars go, symbols become characters, digits are raised and lowered."""
    at = start
    for match in _MATH.finditer(source, start, end):
        if match.start() >= at:
            at = match.end()
            yield match.start(), match.end(), _replacement(match.lastgroup or "", match[0])


@lru_cache(maxsize=4096)
def _macro_text(name: str) -> str:
    """The character that a macro stands for, else its name as a word."""
    from pylatexenc.latex2text import get_default_latex_context_db

    spec = get_default_latex_context_db().get_macro_spec(name)
    text = getattr(spec, "simplify_repl", None)
    if isinstance(text, str) and text.strip() and "%" not in text and len(text) <= 3:
        return str(text)
    return "" if isinstance(text, str) and not text.strip() else name


def _accented(found: str) -> str:
    letter = re.sub(r"[\\{}\s]", "", found[2:]) or ""
    letter = {"i": "ı", "j": "ȷ"}.get(letter, letter) if "\\" in found[2:] else letter
    base = {"ı": "i", "ȷ": "j"}.get(letter, letter)
    return unicodedata.normalize("NFC", base + _ACCENTS[found[1]]) if base else ""


def _unwrapped(source: str, start: int, end: int) -> str:
    """What a hyphen at a line's end becomes: nothing inside a broken word, else the hyphen stays."""
    if source[start] == "\u00ad":
        return ""
    left = re.search(r"[A-Za-z]+$", source[max(0, start - 40) : start])
    right = re.match(r"[a-z]+", source[end : end + 40])
    if left is None or right is None:
        return "-"
    words = _whole_words(source)
    if left[0] + right[0] in words:
        return ""
    alone = left[0].lower() in _COMPOUND_HEADS or left[0] in words
    return "-" if alone or f"{left[0]}-{right[0]}" in words else ""


@lru_cache(maxsize=1)
def _whole_words(source: str) -> frozenset[str]:
    """The words of the source that no line end breaks."""
    return frozenset(re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*(?![A-Za-z-])", source))


def _zero_width(source: str, start: int, end: int) -> str:
    """A zero-width space parts two whole words; every other such character is nothing."""
    if source[start] != "\u200b":
        return ""
    left = re.search(r"[a-z]+$", source[max(0, start - 30) : start])
    right = re.match(r"[a-z]+", source[end : end + 30])
    return " " if left and right and min(len(left[0]), len(right[0])) >= 4 else ""
