"""English nouns and spellings, as far as telling names apart needs them.

Both functions fold one word; neither knows a dictionary. `american` serves keys only: it may make a form that
nobody writes ("noize"), as long as no two different words fall together.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["american", "singular"]

_IRREGULAR = {
    "analyses": "analysis",
    "automata": "automaton",
    "axes": "axis",
    "biases": "bias",
    "caches": "cache",
    "children": "child",
    "corpora": "corpus",
    "corpuses": "corpus",
    "criteria": "criterion",
    "formulae": "formula",
    "hypotheses": "hypothesis",
    "indices": "index",
    "leaves": "leaf",
    "lenses": "lens",
    "matrices": "matrix",
    "maxima": "maximum",
    "minima": "minimum",
    "movies": "movie",
    "niches": "niche",
    "nuclei": "nucleus",
    "optima": "optimum",
    "phenomena": "phenomenon",
    "prostheses": "prosthesis",
    "simplices": "simplex",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "syntheses": "synthesis",
    "theses": "thesis",
    "vertices": "vertex",
    "viruses": "virus",
}
_SINGULAR = frozenset(
    {"alias", "always", "atlas", "bias", "canvas", "chaos", "cosmos", "gas", "hermes", "keras", "lens"}
    | {"moses", "news", "pandas", "reuters", "ros", "series", "species", "texas", "whereas"}
)
_PLURAL_ICS = frozenset(
    {"characteristics", "critics", "heuristics", "logics", "metrics", "mosaics", "topics", "picks", "basics"}
)

#: British spellings that follow a rule, each with its American one; all are tried.
_BRITISH = (
    (re.compile(r"(?<=\w\w\w)is(?=(?:e|ed|er|ers|es|ing|able|ability|ation|ations|ational)$)"), "iz"),
    (re.compile(r"(?<=aly)s(?=(?:e|ed|er|ers|ing)$)"), "z"),
    (
        re.compile(
            r"(model|label|travel|channel|cancel|level|tunnel|funnel|panel|fuel|signal|equal|marshal|dial|total)"
            r"l(?=(?:ed|er|ers|ing|ings)$)"
        ),
        r"\1",
    ),
    (
        re.compile(
            r"^(behavi|col|neighb|fav|flav|tum|lab|rum|harb|vap|hon|od|vig|arm|endeav|hum)our"
            r"(?=(?:s|ed|ing|al|hood|hoods|able|ite|less|iz\w+)?$)"
        ),
        r"\1or",
    ),
    (re.compile(r"^(cent|fib|met|calib|lit|theat|spect|kilomet|millimet)re(?=s?$)"), r"\1er"),
    (re.compile(r"^(def|off|lic|pret)ence(?=s?$)"), r"\1ense"),
    (re.compile(r"^(catal|dial|anal)ogue(?=s?$)"), r"\1og"),
    (re.compile(r"^art[ei]fact"), "artifact"),
    (re.compile(r"^grey"), "gray"),
    (re.compile(r"^programme(?=s?$)"), "program"),
    (re.compile(r"^(judg|acknowledg)ement"), r"\1ment"),
    (re.compile(r"^manoeuvre(?=s?$)"), "maneuver"),
    (re.compile(r"^ageing$"), "aging"),
    (re.compile(r"adaption(?=s?$)"), "adaptation"),
)
#: Whether any of them says something of a word: of most, none does.
_ANY_BRITISH = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _BRITISH))


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """The singular of an English noun (in lower case if irregular), else the word itself.

    >>> [singular(word) for word in ("networks", "losses", "bias", "corpora", "queries", "dynamics")]
    ['network', 'loss', 'bias', 'corpus', 'query', 'dynamics']
    """
    low = word.casefold()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if len(low) < 4 or not low.endswith("s") or word.isupper() or not low.isascii() or low in _SINGULAR:
        return word
    if low.endswith(("ss", "us", "is")) or (low.endswith("ics") and low not in _PLURAL_ICS):
        return word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    return word[:-2] if low.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


@lru_cache(maxsize=1 << 16)
def american(word: str) -> str:
    """A lower-case word with British spellings folded into American ones.

    >>> [american(word) for word in ("optimisation", "modelling", "behaviour", "colourization", "four")]
    ['optimization', 'modeling', 'behavior', 'colorization', 'four']
    """
    if not _ANY_BRITISH.search(word):
        return word
    for pattern, replacement in _BRITISH:
        word = pattern.sub(replacement, word)
    return word
