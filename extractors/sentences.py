"""Sentences: a rule-based splitter that knows how abstracts are written.

It does not break at "et al.", "e.g.", "i.e.", "vs.", "Fig." and their kind, inside brackets or addresses, nor
before a small letter or a digit that goes on; the title is a sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["sentence_starts"]

_ABBREVIATIONS = frozenset(
    """
    al alg algs approx appx assoc aux avg b.c ca cf ch chap conf cor corp def defs dept dr e.g eg eq eqn
    eqns eqs esp est etc ex exp ext fig figs gen i.e ie inc incl intl jr lem ltd max min mr mrs ms no nos
    op p par pp prof prop props pt ref refs resp rev s.t sec secs sect sp sr subj supp suppl tab tabs thm
    univ viz vol vols vs w.r.t wrt
    """.split()
)
# A full stop, closing quotes or brackets, white space, and what may begin a sentence.
_BOUNDARY = re.compile(
    r"(?<![.!?])(?P<mark>[.!?]++)(?P<close>[\"”’')\]»]*+)(?P<gap>\s++)(?=[\"“‘'(\[«]*(?P<next>\S))"
)
_GLUED = re.compile(r"(?<=[a-z0-9)\]]{2})\.(?=[A-Z][a-z]+\s)")
_LAST_WORD = re.compile(r"[\w.]+$")


def sentence_starts(text: str) -> Iterator[int]:
    """Offsets at which a sentence begins, the first of them 0.

    >>> list(sentence_starts("Roe et al. use BERT, e.g. on GLUE. It wins."))
    [0, 35]
    """
    yield 0
    start = 0
    boundaries: list[tuple[int, re.Match[str] | None]] = [(m.end(), m) for m in _BOUNDARY.finditer(text)]
    boundaries += [(m.end(), None) for m in _GLUED.finditer(text)]
    newline = text.find("\n")
    if newline >= 0:
        boundaries.append((newline + 1, None))
    for offset, match in sorted(boundaries, key=lambda pair: pair[0]):
        if offset > start and (match is None or _ends(text, start, match)):
            yield offset
            start = offset


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the full stop of this match ends the sentence that begins at `start`."""
    following = match["next"]
    if following.islower() or following in ",;:%)]}":
        return False
    if _inside_brackets(text, start, match.start(), match["close"]):
        return False
    if match["mark"] != ".":
        return True
    word = _LAST_WORD.search(text, max(start, match.start() - 30), match.start())
    if word is None:
        return True
    last = word[0].rstrip(".").lower()
    if last in _ABBREVIATIONS:
        # "etc." and "et al." may end a sentence where a new one clearly begins.
        return last in ("etc", "al") and not match["close"] and _begins_sentence(text, match.end())
    initial = len(last) == 1 and last.isalpha() and word[0].isupper()
    return not initial or _begins_sentence(text, match.end())


def _inside_brackets(text: str, start: int, stop: int, close: str) -> bool:
    """Whether a round bracket that was opened in this sentence, not at its start, is still open."""
    body = text[start:stop]
    still_open = body.count("(") - body.count(")") - close.count(")")
    return still_open > 0 and len(body) - body.rfind("(") < 300 and not body.lstrip().startswith("(")


def _begins_sentence(text: str, offset: int) -> bool:
    return (
        re.match(r"(?:We|Our|This|These|The|In|It|However|To|Here|By)\b", text[offset : offset + 9])
        is not None
    )
