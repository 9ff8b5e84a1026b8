"""The tokenizer: spaCy's English rules, with names of methods and data sets in mind.

Words are parted at hyphens and slashes also next to digits ("BERT-based", "GPT-4-turbo", "w/o"), so that a
name inside a longer word can be marked; "C++", "S²FGL" and addresses stay whole.
"""

from __future__ import annotations

import spacy
from spacy.lang.char_classes import ALPHA, LIST_ELLIPSES, LIST_ICONS
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

__all__ = ["bare_language", "make_tokenizer"]

_WORD = f"{ALPHA}0-9⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
_INFIXES = [
    *LIST_ELLIPSES,
    *LIST_ICONS,
    rf"(?<=[{_WORD})\]%*+⁺⁻])[-–—−‐‑/](?=[{_WORD}(\[.$])",
    rf"(?<=[{ALPHA}]),(?=[{ALPHA}])",
    rf"(?<=[{_WORD})\]”\"'])[:<>=](?=[{_WORD}(\[“\"'])",
    rf"(?<=[{_WORD}])[()\[\]](?=[{_WORD}+\-.])",
    r"(?<=[a-z)\]])\.(?=[A-Z][a-z])",
    r"[—]|--+",
]


def bare_language() -> Language:
    """spaCy's English with this tokenizer and no component."""
    nlp = spacy.blank("en")
    nlp.tokenizer = make_tokenizer(nlp)
    return nlp


def make_tokenizer(nlp: Language) -> Tokenizer:
    """The tokenizer of one pipeline."""
    defaults = nlp.Defaults
    prefixes = [p for p in (defaults.prefixes or []) if p != r"\+"]
    suffixes = [*(defaults.suffixes or []), r"(?<=[a-z0-9][A-Z])\."]
    exceptions = {
        text: value
        for text, value in (defaults.tokenizer_exceptions or {}).items()
        if "'" in text or "’" in text or "." in text
    }
    return Tokenizer(
        nlp.vocab,
        rules=exceptions,
        prefix_search=compile_prefix_regex(prefixes).search,
        suffix_search=compile_suffix_regex(suffixes).search,
        infix_finditer=compile_infix_regex(_INFIXES).finditer,
        token_match=defaults.token_match,
        url_match=defaults.url_match,
    )
