"""From a name as written to its key: a pure function, the same on one machine and on many.

Two names with one key are spellings of one name. Folded are Unicode forms and accents of Latin letters,
remains of LaTeX and Markdown, case, plural, possessive, and what parts words (hyphen, space, slash,
nothing). Kept are every letter of every script and the marks that tell names apart: `C++`, `C#`, `A*`,
`.NET`, `hits@1`, a decimal point, and a break between two digits (`Llama-2 7B` is not `Llama 27B`).

Case matters where it makes the name: an acronym or a short mixed-case name of one word (`SPIN`, `LaMDA`,
`C`) has a key of its own that ends in `^`; whether `BERT` and `Bert` are one is decided over the corpus
(`kg.naming`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

from extractors.text import plain
from kg.english import american, singular

__all__ = [
    "CASED",
    "clean_name",
    "differ_in_number",
    "has_name_letters",
    "inside_word",
    "is_acronym",
    "is_node_name",
    "is_plural",
    "name_key",
    "singular",
    "slug",
    "stands_for",
]

#: Ends the key of a name in which case matters.
CASED = "^"

_CACHED = 1 << 18  # names: more than a corpus of tens of thousands of papers has, or nothing is found again
_MAX_NAME = 200
_SHORT_NAME = 5
_SLUG_LENGTH = 80

# A capital inside is sought once in each run of other letters.
_NAME_LETTERS = re.compile(r"(?<![^\WA-Z\d])_*+[^\W\d_A-Z][^\W\dA-Z]*+[A-Z]|\d|[A-Z]{2}")
# A character of a word: anything but white space, ASCII and general punctuation.
_CHAR = (
    r"[^\s!-/:-@\[-`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf"
    r"\u2010-\u206f\u2212\u3000-\u303f]"
)
_TOKEN = re.compile(rf"(?:(?<![\w.])\.(?=[^\W\d_]))?{_CHAR}+(?:(?<=\d)\.(?=\d){_CHAR}+)*[+#*@]*")
_ORDINARY = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")  # nearly every name: nothing to clean
_SUPERSCRIPT = re.compile(r"\^(?:\{([0-9+\-*]{1,4})\}|([0-9+\-*]))")
_REMAINS = re.compile(r"[$`\\\"“”„«»]|\*\*")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_WORD = re.compile(r"[\w-]+")
_EDGES = re.compile(r"^[\s,;:!?'\"“”‘’`()\[\]{}\-–—]+|[\s,;:!?.'\"“”‘`(\[{\-–—]+$")
_POSSESSIVE = re.compile(r"(?<=\w)['’‘`]s\b")
_APOSTROPHE = re.compile(r"['’‘`]")
_PLURAL_ACRONYM = re.compile(r"(?<=[A-Za-z0-9][A-Z0-9])s\b")
_LATIN_END = 0x250

_GENERIC = frozenset(
    {"algorithm", "analysis", "approach", "architecture", "baseline", "benchmark", "code", "data", "dataset"}
    | {"evaluation", "experiment", "experimental result", "framework", "idea", "literature", "method"}
    | {"design", "methodology", "metric", "model", "paper", "performance", "pipeline", "problem", "procedure"}
    | {"process", "result", "scheme"}
    | {"setting", "solution", "strategy", "study", "system", "task", "technique", "term", "theory", "tool"}
    | {"work"}
)
#: What says how something is done, not what it is: "a two-stage framework".
_MANNERS = [
    manner.split("-")
    for manner in (
        "state-of-the-art end-to-end data-driven learning-based one-stage single-stage two-stage three-stage "
        "multi-stage two-step three-step multi-step two-phase"
    ).split()
]
_BEGINNINGS = frozenset(manner[0] for manner in _MANNERS)
#: Words that end no name: what follows them was lost.
_CUT_SHORT = frozenset("a an and as at by for from in into of on or than that the to via with".split())
_MODIFIERS = frozenset(
    {"a", "an", "the", "our", "their", "its", "this", "that", "these", "those", "such", "new", "novel"}
    | {"proposed", "existing", "previous", "prior", "current", "recent", "other", "several", "many"}
    | {"various", "different", "extensive", "baseline", "best", "better", "simple", "all", "any", "sota"}
    | {"comprehensive", "detailed", "empirical", "experimental", "qualitative", "quantitative", "rigorous"}
    | {"competitive", "evaluation", "main", "multiple", "numerous", "standard", "strong", "theoretical"}
    | {"thorough"}
)


@lru_cache(maxsize=_CACHED)
def clean_name(name: str) -> str:
    """The name as a person reads it: without remains of LaTeX and Markdown, on one line, in NFC.

    >>> clean_name("S$^2$FGL"), clean_name("contr**a**stive  loss"), clean_name("$\\\\alpha$-divergence")
    ('S²FGL', 'contrastive loss', 'α-divergence')
    """
    if len(name) <= _MAX_NAME and _ORDINARY.fullmatch(name):
        return name
    text = _REMAINS.sub("", _SUPERSCRIPT.sub(_raise, plain(name[: 2 * _MAX_NAME])))
    text = _INVISIBLE.sub("", text)
    text = _balanced(" ".join("".join(" " if _is_control(c) else c for c in text).split()))
    return unicodedata.normalize("NFC", _mended(text, _EDGES.sub("", text)))


def _balanced(text: str) -> str:
    """The text without a bracket that lost its partner; what follows an opening one goes with it."""
    for left, right in ("()", "[]"):
        surplus = text.count(left) - text.count(right)
        if surplus > 0 and text.rfind(left) > 0:
            text = text[: text.rfind(left)]
        elif surplus < 0 and text.endswith(right):
            text = text[:-1]
    return text


def _mended(text: str, name: str) -> str:
    """A name at whose front a bracket was taken off that closes inside: with it, or without both.

    >>> _mended("(semi-)automatic", "semi-)automatic"), _mended("(k, z)-means", "k, z)-means")
    ('semi-automatic', '(k, z)-means')
    """
    for left, right in ("()", "[]"):
        opened = text.removesuffix(name).endswith(left)
        while (place := _unpaired(name, left, right)) is not None:
            if opened and (left == "[" or not _WORD.fullmatch(name[:place])):
                name, opened = left + name, False
            else:
                name = name[:place] + name[place + 1 :]
    return name


def _unpaired(text: str, left: str, right: str) -> int | None:
    """The place of the first closing bracket that nothing opens."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == left) - (character == right)
        if depth < 0:
            return place
    return None


def _raise(match: re.Match[str]) -> str:
    return str(match[1] or match[2]).translate(_RAISED)


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs", "Co", "Cn"}


@lru_cache(maxsize=_CACHED)
def name_key(name: str) -> str:
    """The key of a name; empty only where the name has nothing to read.

    >>> [name_key(name) for name in ("Graph Neural Networks", "graph-neural network", "GNNs", "C++", "C")]
    ['graphneuralnetwork', 'graphneuralnetwork', 'gnn^', 'c++^', 'c^']
    """
    key = ""
    for token in map(american, _words(name)):
        gap = "-" if key[-1:].isdigit() and token[0].isdigit() else ""
        key += gap + token
    if not key:
        return clean_name(name).casefold()
    return key + CASED if _case_matters(_plain(name)) else key


@lru_cache(maxsize=_CACHED)
def _plain(name: str) -> str:
    """The cleaned name in compatibility form, without possessives and without the s of plural acronyms."""
    text = clean_name(name)
    if not _ORDINARY.fullmatch(text):
        text = _APOSTROPHE.sub("", _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text)))
    return _PLURAL_ACRONYM.sub("", text)


def _case_matters(text: str) -> bool:
    if " " in text or any(character.isdigit() for character in text):
        return False
    letters = [character for character in text if character.isalpha()]
    upper = sum(letter.isupper() for letter in letters)
    if upper < 2:
        return upper == len(letters) == 1
    return upper == len(letters) or len(letters) <= _SHORT_NAME


@lru_cache(maxsize=_CACHED)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text))


def _words(name: str) -> list[str]:
    """Folded words; the last one and one before "of" in the singular."""
    raw = _tokens(_plain(name))
    last = len(raw) - 1
    return [
        _fold(singular(word) if index == last or raw[index + 1] == "of" else word)
        for index, word in enumerate(raw)
    ]


def _fold(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    kept = ""
    for character in unicodedata.normalize("NFD", folded):
        accent = unicodedata.combining(character) and kept and ord(kept[-1]) < _LATIN_END
        kept += "" if accent else character
    return unicodedata.normalize("NFC", kept)


def has_name_letters(name: str) -> bool:
    """Whether the letters of a name make it one: two capitals, a capital inside, a digit."""
    return bool(_NAME_LETTERS.search(name))


@lru_cache(maxsize=_CACHED)
def is_plural(name: str) -> bool:
    """Whether the name's last word is written in the plural."""
    plain = _POSSESSIVE.sub("", unicodedata.normalize("NFKC", clean_name(name)))
    words = _tokens(plain)
    return bool(_PLURAL_ACRONYM.search(plain)) or (bool(words) and singular(words[-1]) != words[-1])


@lru_cache(maxsize=_CACHED)
def is_acronym(name: str) -> bool:
    """Whether the name is one word with two capitals, or a capital and a digit: `GNN`, `S²FGL`, `DIS-CO`."""
    text = _plain(name)
    if " " in text:
        return False
    upper = max(sum(character.isupper() for character in part) for part in text.split("-"))
    digits = any(character.isdigit() for character in text)
    return upper > 1 or (upper == 1 and digits)


def inside_word(text: str, offset: int) -> bool:
    """Whether an offset parts two letters or digits.

    >>> inside_word("SBERT", 1), inside_word("BERT-large", 4)
    (True, False)
    """
    return 0 < offset < len(text) and text[offset - 1].isalnum() and text[offset].isalnum()


def stands_for(short: str, long: str) -> bool:
    """Whether the letters of an acronym stand in its long form, in order and from its first letter on.

    After Schwartz and Hearst (2003), reduced to a check of a pair that was already found in a text.

    >>> stands_for("GNNs", "graph neural network"), stands_for("BERT", "language model")
    (True, False)
    """
    letters = [character for character in _fold(_plain(short)) if character.isalpha()]
    rest = _fold(_plain(long))
    if not letters or (" " not in rest and "-" not in rest) or differ_in_number(short, long):
        return False
    if letters[0] not in {word[0] for word in _TOKEN.findall(rest)}:
        return False
    characters = iter(rest)
    return all(letter in characters for letter in letters)


def differ_in_number(one: str, other: str) -> bool:
    """Whether two names are the same but for their digits: `CIFAR-10` and `CIFAR-100` are two things.

    >>> differ_in_number("CIFAR-10", "CIFAR-100"), differ_in_number("COVID-19", "Coronavirus Disease 2019")
    (True, False)
    """
    folded = [name_key(re.sub(r"\d+", "0", name)) for name in (one, other)]
    return folded[0] == folded[1] and re.findall(r"\d+", one) != re.findall(r"\d+", other)


def slug(name: str) -> str:
    """The readable part of a node id: folded words, the last in the singular, joined by hyphens; never empty.

    >>> slug("Graph Neural Networks"), slug("C++"), slug("net_北京")
    ('graph-neural-network', 'c++', 'net-北京')
    """
    joined = "-".join(_words(name)).replace("@-", "@")
    if len(joined) > _SLUG_LENGTH:
        return f"{joined[:_SLUG_LENGTH].rstrip('-')}-{digest(name)}"
    return joined or digest(name)


def digest(text: str) -> str:
    """Eight hexadecimal digits that depend on the text alone."""
    return hashlib.sha1(text.encode("utf-8", "replace")).hexdigest()[:8]


@lru_cache(maxsize=_CACHED)
def is_node_name(name: str) -> bool:
    """Whether a name may become a node: no generic head ("our approach"), number, mark or sentence."""
    if len(name) > _MAX_NAME:
        return False
    words = [word.casefold() for word in _tokens(_plain(name))]
    while len(words) > 1 and words[0] in _MODIFIERS:
        words.pop(0)
    if words[:1] and words[0] in _BEGINNINGS:
        for manner in _MANNERS:
            if words[: len(manner)] == manner:
                words = words[len(manner) :]
    if len(words) == 1 and words[0] in _MODIFIERS and not name[:1].isupper():
        return False
    if not any(map(str.isalpha, "".join(words))):
        return False
    if len(words) > 1 and name.split()[-1] in _CUT_SHORT:
        return False
    return " ".join((*words[:-1], singular(words[-1]))) not in _GENERIC
