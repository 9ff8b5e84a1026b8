"""Aligns the letters of a short form with the words of its long form.

Schwartz and Hearst (PSB 2003) walk both from the right and take the first letters that fit, so that repeated
letters give a long form that is too short. Here the same question is a shortest path: every letter of the
short form is matched, in order, to a place of the long form, and what costs is a match inside a word and a
word without a match. The cheapest path says where the long form begins and how far it can be trusted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["FUNCTION_WORDS", "GENERIC_HEADS", "Alignment", "Window", "letters_of", "readings"]

#: Words that a short form may pass over freely, and that no long form begins with.
FUNCTION_WORDS = frozenset(
    "a an and as at by for from in into is of on or over per the to under via with within without".split()
)
_NO_START = FUNCTION_WORDS | frozenset(
    "are based be been between both called coined dubbed e.g i.e its many most our several so some "
    "such termed that their these this those through various was we were which while".split()
)
#: Words that stand before a long form more often than they begin one.
_RARE_START = frozenset(
    "develop employ existing introduce named new novel present propose proposed proposes use used "
    "using".split()
)
#: Heads that follow a long form and belong to it only where a letter says so.
GENERIC_HEADS = frozenset(
    "algorithm approach fashion framework manner mechanism method methodology methods module paradigm "
    "pipeline problem procedure scheme strategy task technique".split()
)
_HEADS = frozenset(
    "architecture architectures learning loss model models network networks system systems".split()
)
_PART = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_RAISED = str.maketrans("²³", "23")
_DIGIT_WORDS = {"2": ("to", "two"), "3": ("three",), "4": ("for", "four")}

_ADJACENT, _INSIDE, _STRAY = 0.1, 0.6, 1.2
_WORD, _HYPHENATED, _FREE, _HEAD = 1.0, 0.5, 0.05, 0.4
_DIGIT, _RARE, _FUNCTION = 0.4, 0.7, 0.12


def readings(short: str) -> tuple[str, ...]:
    """What a short form may spell: its letters, and those that a digit repeats.

    >>> readings("A3C")
    ('a3c', 'aaac')
    """
    letters = letters_of(short)
    repeated = re.sub(r"([2-4])([a-z])|([a-z])([2-4])", _repeated, letters)
    return (letters,) if repeated == letters else (letters, repeated)


def _repeated(found: re.Match[str]) -> str:
    letter, digit = (found[2], found[1]) if found[1] else (found[3], found[4])
    return letter * int(digit)


def letters_of(short: str) -> str:
    """The letters and digits of a short form to account for, folded; a plural's "s" is none.

    >>> letters_of("RSTIB-MLPs")
    'rstibmlp'
    """
    plain = short.translate(_RAISED)
    kept = "".join(character for character in plain if character.isalnum())
    if len(kept) > 2 and kept.endswith("s") and kept[-2].isupper():
        kept = kept[:-1]
    return kept.lower()


@dataclass(frozen=True, slots=True)
class Alignment:
    """The long form's offsets in the window, what the match costs, and how many letters begin a word."""

    start: int
    end: int
    cost: float
    initials: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A word of the window, or a piece of a hyphenated one; `head` where a word begins."""

    start: int
    end: int
    word: int
    skip: float
    head: bool


class Window:
    """Running text in which a long form is looked for.

    All of it is a candidate: a caller cuts it at the sentence's end, at brackets and at a sensible length.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = text.lower() if len(text.lower()) == len(text) else text
        self._parts = self._split()
        self._skipped = [0.0]
        for part in self._parts:
            self._skipped.append(self._skipped[-1] + part.skip)

    def _split(self) -> list[_Part]:
        parts: list[_Part] = []
        word = -1
        for found in _PART.finditer(self.text):
            start, end = found.span()
            head = not parts or not re.fullmatch(r"[-‐‑–/]", self.text[parts[-1].end : start])
            word += head
            hyphenated = not head or self.text[end : end + 1] in {"-", "‐", "‑", "/"}
            free = self.folded[start:end] in FUNCTION_WORDS
            skip = _FREE if free else _HYPHENATED if hyphenated else _WORD
            parts.append(_Part(start, end, word, skip, head))
        return parts

    def ending(self, short: str) -> Alignment | None:
        """The best long form that ends with the window."""
        return self._best(short, to_end=True, from_start=False)

    def starting(self, short: str) -> Alignment | None:
        """The best long form that begins with the window."""
        return self._best(short, to_end=False, from_start=True)

    def whole(self, short: str) -> Alignment | None:
        """The window as the long form."""
        return self._best(short, to_end=True, from_start=True)

    def anywhere(self, short: str) -> Alignment | None:
        """The best long form within the window."""
        return self._best(short, to_end=False, from_start=False)

    def _best(self, short: str, *, to_end: bool, from_start: bool) -> Alignment | None:
        spelled = (
            self._spelled(letters, to_end=to_end, from_start=from_start) for letters in readings(short)
        )
        return min((found for found in spelled if found), key=_rank, default=None)

    def _spelled(self, letters: str, *, to_end: bool, from_start: bool) -> Alignment | None:
        paths = self._openings(letters[0], from_start=from_start) if letters and self._parts else []
        for letter in letters[1:]:
            paths = self._extended(paths, letter)
        closed = [self._closed(path, to_end=to_end) for path in paths]
        return min(closed, key=_rank, default=None)

    def _openings(self, letter: str, *, from_start: bool) -> list[_Path]:
        """Paths of one letter: it begins a word that can begin a long form."""
        return [
            _Path(index, part.start, part.start, self._opening_cost(part), 1)
            for index, part in enumerate(self._parts[:1] if from_start else self._parts)
            if part.head and _begins(self._word(index), letter) and self._may_start(index)
        ]

    def _opening_cost(self, part: _Part) -> float:
        return _RARE if self.folded[part.start : part.end] in _RARE_START else 0.0

    def _may_start(self, index: int) -> bool:
        part = self._parts[index]
        following = self._parts[index + 1] if index + 1 < len(self._parts) else None
        if following is not None and not following.head:
            return True
        if self.folded[part.start : part.end] not in _NO_START:
            return True
        titled = following is not None and self.text[following.start].isupper()
        return titled and self.text[part.start : part.end] in {"The", "New"}

    def _extended(self, paths: list[_Path], letter: str) -> list[_Path]:
        """The cheapest path to every place of the next letter."""
        best: dict[int, _Path] = {}
        for path in paths:
            for step in self._steps(path, letter):
                known = best.get(step.place)
                if known is None or (step.cost, -step.start) < (known.cost, -known.start):
                    best[step.place] = step
        return list(best.values())

    def _steps(self, path: _Path, letter: str) -> list[_Path]:
        steps = (
            [_Path(path.part, path.place, path.start, path.cost + _DIGIT, path.initials)]
            if letter.isdigit()
            else []
        )
        own = self._parts[path.part]
        place = self.folded.find(letter, path.place + 1, own.end)
        if place >= 0:
            camel = self.text[place].isupper() and not self.text[own.start : own.end].isupper()
            price = 0.0 if camel else _ADJACENT if place == path.place + 1 else _INSIDE
            steps.append(_Path(path.part, place, path.start, path.cost + price, path.initials + camel))
        for index in range(path.part + 1, len(self._parts)):
            price = path.cost + self._skipped[index] - self._skipped[path.part + 1]
            if price > path.cost + 2 * _WORD:
                break
            steps.extend(self._entry(path, index, letter, price))
        return steps

    def _entry(self, path: _Path, index: int, letter: str, price: float) -> list[_Path]:
        """The letter's match in a later word: at its beginning, at a capital, or, dearly, inside."""
        part = self._parts[index]
        word = self.folded[part.start : part.end]
        if _begins(word, letter):
            price += _FUNCTION if word in FUNCTION_WORDS else 0.0
            return [_Path(index, part.start, path.start, price, path.initials + 1)]
        place = word.find(letter)
        if place < 0:
            return []
        camel = self.text[part.start + place].isupper() and not self.text[part.start : part.end].isupper()
        cost = price if camel or word[place:] in {"former", "formers"} else price + _STRAY
        return [_Path(index, part.start + place, path.start, cost, path.initials + camel)]

    def _closed(self, path: _Path, *, to_end: bool) -> Alignment:
        """Ends the long form with a whole word; to the window's end, generic heads ("framework") left out."""
        last = len(self._parts) - 1 if to_end else path.part
        while not to_end and last + 1 < len(self._parts) and not self._parts[last + 1].head:
            last += 1
        while last > path.part and self._parts[last].head and self._word(last) in GENERIC_HEADS:
            last -= 1
        left = self._skipped[last + 1] - self._skipped[path.part + 1]
        if last > path.part and self._word(last) in _HEADS:
            left += _HEAD - _WORD
        return Alignment(path.start, self._parts[last].end, path.cost + left, path.initials)

    def _word(self, index: int) -> str:
        return self.folded[self._parts[index].start : self._parts[index].end]


@dataclass(frozen=True, slots=True)
class _Path:
    """Letters matched so far: the last one's part and place, the long form's start, cost and initials."""

    part: int
    place: int
    start: int
    cost: float
    initials: int


def _begins(word: str, letter: str) -> bool:
    return (
        word[0] == letter
        or word in _DIGIT_WORDS.get(letter, ())
        or (letter == "x" and word.startswith(("ex", "cross")))
    )


def _rank(alignment: Alignment) -> tuple[float, int, int]:
    return alignment.cost, -alignment.start, alignment.end
