"""LaTeX of bibliography fields to plain text: accents, symbols, protective braces; formulas stay.

Accents and most symbols come from pylatexenc, one command at a time; the walk over the text is ours, since
the library drops what it does not know, takes `%` for a comment and needs balanced braces. Time is linear.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text, get_default_latex_context_db

__all__ = ["decode_accents", "decode_latex"]

_TAG = re.compile(r"\$\\less\$(/?)[A-Za-z][^$<>]{0,40}\$\\greater\$")  # Crossref's spelling of HTML tags

_TOKEN = re.compile(
    r"""
    (?P<math>\$\$[^$]*\$\$ | \$(?:\\.|[^$\\])*\$ | \\\((?:(?!\\\)).){0,500}\\\) )
  | (?P<accent>\\(?:["'`^~=.]|[uvHcdbkrt](?![A-Za-z]))\s*
        (?:\{\s*(?:\\[ij]|[A-Za-z])\s*\} | \\[ij](?![A-Za-z]) | [A-Za-z]))
  | (?P<escaped>\\[_%&\#${} ])
  | (?P<gap>\\[-,;:!])
  | (?P<command>\\[A-Za-z]+\*?)
  | (?P<open>\{)
  | (?P<close>\})
  | (?P<tie>(?<![/\s=])~(?=[\w(\\$]))
    """,
    re.VERBOSE,
)

# Commands that only set type: they go, and what they set stays.
_TYPE = frozenset(
    "emph textbf textit textrm textsc textsf textsl texttt text mbox textup textnormal uppercase "
    "textmd underline textsuperscript textsubscript ensuremath".split()
)
_SWITCHES = frozenset("em bf it sc tt rm sf sl bfseries itshape scshape ttfamily".split())

#: Spaces, and places where a word may break.
_GAPS = {"!": "", "-": "", ",": " ", ":": " ", ";": " "}
#: Characters of text mode that the library does not know, or takes for others.
_OWN = {
    "BibTeX": "BibTeX",
    "LaTeX": "LaTeX",
    "P": "¶",
    "S": "§",
    "TeX": "TeX",
    "checkmark": "✓",
    "copyright": "©",
    "ddag": "‡",
    "ddagger": "‡",
    "enspace": " ",
    "eth": "ð",
    "euro": "€",
    "flqq": "«",
    "frqq": "»",
    "glqq": "„",
    "grqq": "“",
    "guillemetleft": "«",
    "guillemetright": "»",
    "lq": "‘",
    "nobreakspace": " ",
    "pounds": "£",
    "qquad": " ",
    "quad": " ",
    "rq": "’",
    "slash": "/",
    "space": " ",
    "textasciicircum": "^",
    "textbar": "|",
    "textbardbl": "‖",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textgreater": ">",
    "textless": "<",
    "textminus": "−",
    "textnumbersign": "#",
    "textperiodcentered": "·",
    "textquotedbl": '"',
    "texttildelow": "~",
    "textunderscore": "_",
}
#: The library's stand for an argument ("√(%(2)s)"), a reference ("<cit.>") or the day.
_NO_SYMBOL = re.compile(r"%|<\w|\d")

# Commands that stand for a character or a word.
_DATABASE = get_default_latex_context_db()
_SYMBOLS: dict[str, str] = {
    spec.macroname: spec.simplify_repl
    for spec in _DATABASE.iter_macro_specs(_DATABASE.categories())
    if isinstance(spec.simplify_repl, str)
    and spec.simplify_repl.strip()
    and not _NO_SYMBOL.search(spec.simplify_repl)
} | _OWN


def decode_latex(text: str) -> str:
    """Plain text of a BibTeX value; `$…$` and commands that nobody knows stay as they are.

    >>> decode_latex(r"{FFT} bounds for $x^{2n}$ by G{\\"o}del")
    'FFT bounds for $x^{2n}$ by Gödel'
    """
    if "\\" not in text and "{" not in text and "}" not in text and "~" not in text:
        return text
    if "\\less" in text:
        text = _TAG.sub("", text).replace("$\\less$", "<").replace("$\\greater$", ">")
    return unicodedata.normalize("NFC", "".join(_walk(text)))


def decode_accents(text: str) -> str:
    r"""Only the accents decoded, with braces as they are: names are split by braces, and at `~`.

    >>> decode_accents(r"Jo\~ao {van Doe}")
    'João {van Doe}'
    """
    if "\\" not in text:
        return text
    return unicodedata.normalize("NFC", _TOKEN.sub(_accent_or_same, text))


def _accent_or_same(match: re.Match[str]) -> str:
    return _accented(match[0]) if match.lastgroup == "accent" else match[0]


def _walk(text: str) -> list[str]:
    pieces: list[str] = []
    braces: list[bool] = []
    position = 0
    argument = False  # whether a brace that opens here belongs to a command that stays
    for match in _TOKEN.finditer(text):
        between = text[position : match.start()]
        if between:
            pieces.append(between)
            argument = False
        position = match.end()
        kind, token = str(match.lastgroup), match[0]
        if kind == "open":
            braces.append(argument or (bool(braces) and braces[-1]))
            pieces.append("{" if braces[-1] else "")
            argument = False
        elif kind == "close":
            argument = braces.pop() if braces else False
            pieces.append("}" if argument else "")
        elif kind == "command":
            name = token[1:].rstrip("*")
            opens = text.startswith("{", position)
            piece, position = _command(name, token, text, position)
            pieces.append(piece)
            argument = opens and name not in _TYPE and piece == token
        else:
            pieces.append(_accented(token) if kind == "accent" else _plain(kind, token))
            argument = False
    return [*pieces, text[position:]]


def _plain(kind: str, token: str) -> str:
    if kind == "escaped":
        return token[1:]
    if kind == "gap":
        return _GAPS[token[1:]]
    return " " if kind == "tie" else token


def _command(name: str, token: str, text: str, position: int) -> tuple[str, int]:
    """What stands for a command, and where the text goes on."""
    if name in _SWITCHES:
        return "", position + text.startswith(" ", position)
    if name in _TYPE and text.startswith("{", position):
        return "", position
    symbol = _SYMBOLS.get(name, token)
    if symbol == token:
        return token, position
    if text.startswith(" ", position):  # it ends a command and is part of it, but nobody writes "LaTeXis"
        return symbol, position + (not (symbol.isascii() and symbol[-1].isalpha()))
    return symbol, position + 2 if text.startswith("{}", position) else position


@lru_cache(maxsize=4096)
def _accented(snippet: str) -> str:
    return str(LatexNodes2Text(math_mode="verbatim").latex_to_text(snippet))
