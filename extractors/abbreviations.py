"""Finds the abbreviations that a text defines: "graph neural network (GNN)", "WER (word error rate)".

The candidates are those of Schwartz and Hearst (A simple algorithm for identifying abbreviation definitions
in biomedical text, PSB 2003): a short form in brackets behind its long form, or the other way round; and
the ways in which papers name things: "X: Long Form" in a title, "X, short for …", "X stands for …",
"…, termed X". Which words a short form covers is decided by `extractors.alignment`. The text must be clean:
no LaTeX, no Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from extractors.alignment import FUNCTION_WORDS, GENERIC_HEADS, Alignment, Window, letters_of
from kg.folding import differ_in_number

__all__ = ["Abbreviation", "find_abbreviations"]

_BRACKET = re.compile(r"[(\[]([^()\[\]\n]{2,200})[)\]]")
_SHORT = re.compile(r"[A-Za-z0-9][\w+&./*²³⁺-]{0,18}(?:(?: (?=[A-Z0-9]))[\w-]{1,12})?")
_BEFORE_BRACKET = re.compile(r"([A-Za-z0-9][\w+&/²³⁺-]{0,18})[\"'’”]?\s?$")
_CITATION = re.compile(r"\[[A-Z][A-Za-z+]{0,5}\d\d[a-z]?\]")
_LEAD = re.compile(
    r"^(?:(?:i\.e\.|e\.g\.|or|a\.k\.a\.?|aka|also|that is|namely|short for|for short|stands for|standing for"
    r"|meaning|termed|called|named|dubbed|denoted|abbreviated|abbr\.?|hereafter|henceforth|referred to"
    r"|known|as|by|simply)(?!\w)[\s,:.]*|[\"'“‘])+",
    re.IGNORECASE,
)
_STOP = re.compile(r"[.!?;:]\s|[()\[\]\n]|[.!?]$")
_ARTICLE = re.compile(r"\s*(?:(?:a|an|the|our|new|novel)\s+){0,3}[\"'“‘]?", re.IGNORECASE)
_JOINT = re.compile(r",?\s(?:(?:and|or|&)\s)?$")
_SPLIT = re.compile(r"(?<!\s)\s*(?:,|;|/|&|\band\b|\bor\b)\s*")
_NUMBER = re.compile(r"[ivx]+|\d*[a-zA-Z]|\d+(?:[-.]\w)?|\d+(?:st|nd|rd|th)")
_NAMED = r"(?P<short>[a-z]{0,3}[A-Z0-9][\w+&/²³⁺-]{1,18})"
_AFTER_CUE = re.compile(
    rf"(?<![\w-]){_NAMED}[\"'”]?(?:,? (?:which |that )?(?:stands|standing|stand) for"
    r"|(?:,| is|,? \(?)\ ?short for|,? (?:i\.e\.|that is|namely),?|,(?= (?:a|an|the|our) ))\s"
)
_BEFORE_CUE = re.compile(
    r"(?:,(?: or| namely| i\.e\.,?)?|,?(?: also| hereafter| henceforth)? (?:abbreviated|termed|named|called"
    rf"|dubbed|denoted|coined|known|referred to)(?: by| as| to)?) [\"'“]?{_NAMED}(?![\w-])"
)
_TITLED = re.compile(rf"(?:^|\n|(?<=[.!?] )){_NAMED}: ", re.MULTILINE)
_WINDOW, _TITLE, _STRICT = 160, 200, 0.55


@dataclass(frozen=True, slots=True, order=True)
class Abbreviation:
    """A short form and its long form as they stand in the text, with their offsets."""

    short: str
    long: str
    short_start: int
    short_end: int
    long_start: int
    long_end: int


def find_abbreviations(text: str) -> list[Abbreviation]:
    """The abbreviations that a clean text defines, in order of the short forms, each pair once.

    Surface forms stay: "graph convolutional networks (GCNs)" gives the plurals. A short form with two long
    forms is given twice. No long form crosses the end of a sentence.

    >>> [(found.short, found.long) for found in find_abbreviations("We use masked memory (MM).")]
    [('MM', 'masked memory')]
    """
    seen: set[tuple[str, str]] = set()
    found: list[Abbreviation] = []
    candidates = [*_bracketed(text), *_titled(text), *_cued(text)]
    for pair in candidates:
        if (key := (pair.short, pair.long.casefold())) not in seen:
            seen.add(key)
            found.append(pair)
    return sorted(found, key=_place)


def _place(pair: Abbreviation) -> tuple[int, int]:
    return pair.short_start, pair.long_start


def _pair(text: str, short: tuple[int, int], long: tuple[int, int]) -> Abbreviation:
    return Abbreviation(text[slice(*short)], text[slice(*long)], *short, *long)


def _bracketed(text: str) -> Iterator[Abbreviation]:
    for bracket in _BRACKET.finditer(text):
        if _CITATION.fullmatch(bracket[0]):
            continue
        inside = bracket.start(1) + _lead(bracket[1])
        short_pairs = list(_short_inside(text, bracket.start(), inside, bracket.end(1)))
        yield from short_pairs or _long_inside(text, bracket.start(), inside, bracket.end(1))


def _lead(content: str) -> int:
    lead = _LEAD.match(content)
    return lead.end() if lead else 0


def _short_inside(text: str, opening: int, start: int, end: int) -> Iterator[Abbreviation]:
    """long (short), long (short; more), and lists of both ("mean and median (M and MD)")."""
    shorts = _listed(text, start, end)
    left = _left_edge(text, opening)
    found = _all_before(text, left, opening, shorts)
    yield from found if len(found) == len(shorts) else _all_before(text, left, opening, shorts[:1])


def _all_before(text: str, left: int, end: int, shorts: list[tuple[int, int]]) -> list[Abbreviation]:
    """The pairs of short forms whose long forms stand one after the other, from the right."""
    found: list[Abbreviation] = []
    for short in reversed(shorts):
        long = _long_before(text[slice(*short)], text[left:end])
        if long is None or _is_call(text[left:end], long):
            break
        found.append(_pair(text, short, (left + long.start, left + long.end)))
        joint = _JOINT.search(text, left, left + long.start)
        end = joint.start() if joint else left
    return found


def _is_call(window: str, long: Alignment) -> bool:
    """Whether the bracket follows one word without a space: f(x), Conv(BN)."""
    return window == window.rstrip() and " " not in window[long.start : long.end]


def _listed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The short forms that a bracket lists; only the first where the rest are none."""
    spans: list[tuple[int, int]] = []
    for gap in [*_SPLIT.finditer(text, start, end), None]:
        stop = gap.start() if gap else end
        span = _stripped(text, start, stop)
        if not _is_short(text[slice(*span)]):
            break
        spans.append(span)
        start = gap.end() if gap else end
    else:
        return spans
    return [span for span in spans[:1] if text[span[1] : span[1] + 1] in {",", ";"}]


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \"'“”‘’":
        start += 1
    while end > start and text[end - 1] in " \"'“”‘’,.":
        end -= 1
    return start, end


def _is_short(candidate: str) -> bool:
    """Whether this looks like a short form: two to some twenty characters, a letter, no list number."""
    letters = sum(character.isalpha() for character in candidate)
    return bool(letters >= 2 and _SHORT.fullmatch(candidate) and not _NUMBER.fullmatch(candidate))


def _left_edge(text: str, end: int) -> int:
    """Where the words that may belong to a long form before `end` begin."""
    floor = max(0, end - _WINDOW)
    edge = floor
    for stop in _STOP.finditer(text, floor, end):
        edge = stop.end() if stop.end() < end else edge
    if edge == floor and floor and text[floor - 1].isalnum():
        edge = text.find(" ", floor, end) + 1 or end
    return edge


def _long_before(short: str, window: str) -> Alignment | None:
    letters = letters_of(short)
    allowed = min(len(letters) + 5, 2 * len(letters) + 1)
    start = _last_words(window, allowed)
    found = Window(window[start:]).ending(short)
    if found is None or not _is_sound(short, window[start:], found):
        return _emphasised(short, window) or _titled_run(short, window)
    return Alignment(start + found.start, start + found.end, found.cost, found.initials)


def _emphasised(short: str, window: str) -> Alignment | None:
    """Words whose capitals, one of them inside a word, are the short form's letters in any order."""
    wanted = Counter(letters_of(short).upper())
    seen: Counter[str] = Counter()
    inner = False
    for word in reversed(list(re.finditer(r"[^\W_]+", window))):
        capitals = [character for character in word[0] if character.isupper()]
        seen.update(capitals)
        inner = inner or (word[0][1:] != word[0][1:].lower() and not word[0].isupper())
        if seen - wanted:
            return None
        if seen == wanted:
            return _without_head(window, word.start(), len(capitals)) if inner else None
    return None


def _without_head(window: str, start: int, initials: int) -> Alignment:
    end = len(window.rstrip(" ,"))
    last = window.rfind(" ", start, end)
    if window[last + 1 : end].lower() in GENERIC_HEADS:
        end = last
    return Alignment(start, end, 0.0, initials)


def _titled_run(short: str, window: str) -> Alignment | None:
    """Capitalised words whose short form has another order: Prompt-Knowledge Alignment (KA-Prompt)."""
    capitals = [character for character in short if character.isupper()]
    begin = end = len(window.rstrip())
    while begin > 0:
        place = window.rfind(" ", 0, begin - 1) + 1
        if not window[place : place + 1].isupper() or begin - place < 2:
            break
        begin = place
    initials = re.findall(r"(?<![^\W_])[A-Z]", window[begin:end])
    missing = Counter(capitals) - Counter(initials)
    if len(capitals) < 3 or missing or len(initials) > len(capitals) + 1 or " " not in window[begin:end]:
        return None
    return Alignment(begin, end, 0.0, len(capitals)) if not short.isupper() else None


def _last_words(window: str, count: int) -> int:
    """Where the last `count` words begin."""
    place = len(window.rstrip())
    for _ in range(count):
        place = window.rfind(" ", 0, max(place, 0))
        if place < 0:
            return 0
    return place + 1


def _is_sound(short: str, window: str, found: Alignment, *, limit: float | None = None) -> bool:
    """The guards: enough letters begin a word; the long form is longer and without the short one, and not the
    same with another number.
    """
    letters = letters_of(short)
    long = window[found.start : found.end]
    words = re.findall(r"[^\W_]+", long)
    if len(long) <= len(short) or re.search(r"[\"“”]", long) or differ_in_number(short, long):
        return False
    if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long, re.IGNORECASE):
        return False
    if len(words) == 1:
        return limit is None and _covers_word(letters, long.lower(), found)
    allowed = _limit(short, len(letters)) if limit is None else limit
    return found.cost <= allowed and 2 * found.initials >= min(len(letters), len(words))


def _limit(short: str, letters: int) -> float:
    """What a match may cost: little where capitals do not mark the short form."""
    marks = sum(character.isupper() or character.isdigit() for character in short)
    if marks == 0:
        return 0.1
    return 0.2 + 0.15 * letters if marks == 1 else 0.65 + 0.3 * letters


def _lenient(short: str) -> float:
    """What a match may cost where the text says that it is one."""
    return 0.5 + 0.4 * len(short)


def _covers_word(letters: str, word: str, found: Alignment) -> bool:
    """One word is a long form only where it is much longer and the letters do not run to its very end."""
    return (
        len(word) >= 3 * len(letters) and word[-1] != letters[-1] and found.cost <= 0.6 * (len(letters) - 1)
    )


def _long_inside(text: str, opening: int, start: int, end: int) -> Iterator[Abbreviation]:
    """short (long)."""
    before = _BEFORE_BRACKET.search(text, max(0, opening - 24), opening)
    if before is None or not _is_short(before[1]) or not _is_marked(before[1]):
        return
    article = _ARTICLE.match(text, start, end)
    start = article.end() if article else start
    stop = _STOP.search(text, start, end)
    window = text[start : stop.start() if stop else end]
    found = Window(window).whole(before[1])
    if found is not None and _is_sound(before[1], window, found, limit=_lenient(before[1])):
        yield _pair(text, before.span(1), (start + found.start, start + found.end))


def _is_marked(short: str) -> bool:
    """Whether capitals or digits mark a short form outside brackets."""
    return sum(character.isupper() or character.isdigit() for character in short) >= 2


def _titled(text: str) -> Iterator[Abbreviation]:
    """X: Long Form, at the head of a title or sentence."""
    for head in _TITLED.finditer(text):
        yield from _long_after(text, head, free=True)


def _long_after(
    text: str, cue: re.Match[str], *, limit: float = _STRICT, free: bool = False
) -> Iterator[Abbreviation]:
    """The long form that follows a cue; `free` where other words may stand before it."""
    short = cue["short"]
    if not _is_short(short):
        return
    article = _ARTICLE.match(text, cue.end())
    start = article.end() if article else cue.end()
    stop = _STOP.search(text, start, start + _TITLE)
    window = text[start : stop.start() if stop else start + _TITLE]
    if window[:1].lower() == short[:1].lower():
        found = Window(window).starting(short)
    else:
        found = Window(window).anywhere(short) if free else None
    bare = found is not None and ((free and found.start > 0) or cue[0].endswith(", "))
    if found is None or (bare and found.initials < len(letters_of(short))):
        return
    if _is_sound(short, window, found, limit=limit):
        end = _longer(window, found.end, letters_of(short)[-1])
        yield _pair(text, cue.span("short"), (start + found.start, start + end))


def _longer(window: str, end: int, letter: str) -> int:
    """A next word of the same letter belongs to the long form: "Semantic Segmentation"."""
    following = re.match(r" ([^\W_]+)", window[end:])
    fits = following and following[1][0].lower() == letter and following[1] not in FUNCTION_WORDS
    return end + following.end() if following and fits else end


def _cued(text: str) -> Iterator[Abbreviation]:
    for cue in _AFTER_CUE.finditer(text):
        explicit = cue[0].endswith("for ")
        if explicit or _is_marked(cue["short"]):
            yield from _long_after(text, cue, limit=_lenient(cue["short"]) if explicit else _STRICT)
    for cue in _BEFORE_CUE.finditer(text):
        if len(cue["short"]) > 2 and _is_marked(cue["short"]):
            yield from _long_ahead(text, cue)


def _long_ahead(text: str, cue: re.Match[str]) -> Iterator[Abbreviation]:
    """long, termed short."""
    left = _left_edge(text, cue.start())
    found = _long_before(cue["short"], text[left : cue.start()])
    if found is not None and found.cost <= 0.1 * len(cue["short"]):
        yield _pair(text, cue.span("short"), (left + found.start, left + found.end))
