"""Parts of a name: the head that says what kind of thing it is, the version, and what is left of its words.

Pure functions of one name as `kg.folding.clean_name` gives it; whether the corpus bears out what they suggest
is decided in `kg.merging` and `kg.families`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from kg.english import american, singular
from kg.folding import has_name_letters, is_node_name
from kg.schema import ConceptType

__all__ = [
    "families",
    "is_capitalised",
    "is_procedure",
    "is_product",
    "loose_key",
    "without_head",
]

_HEADS: Mapping[ConceptType, frozenset[str]] = {
    ConceptType.METHOD: frozenset(
        "algorithm approach architecture framework mechanism method model optimizer technique".split()
    ),
    ConceptType.DATASET: frozenset("benchmark collection corpus data database dataset".split()),
    ConceptType.METRIC: frozenset("measure metric score".split()),
    ConceptType.TASK: frozenset("problem task".split()),
    ConceptType.TERM: frozenset(),
}
_PROCEDURES = frozenset({"algorithm", "approach", "method", "technique"})
#: What comes out of doing something.
_PRODUCTS = frozenset({"architecture", "framework", "model"})
#: Adjectives made of names: "Gaussian model" is no "Gaussian".
_ADJECTIVE = re.compile(r"(?:ian|ean|esque)$", re.IGNORECASE)
#: Endings of words that need another one behind them.
_ATTRIBUTE = re.compile(r"(?:[^g]al|ic|ive|ous|ed|able|ary|less)$", re.IGNORECASE)
_DATA_SET = re.compile(r"data[\s-]set(?=s?$)", re.IGNORECASE)
_WORDS = re.compile(r"[\s\-–_/]+")


def without_head(name: str, kind: ConceptType) -> str | None:
    """A name without the head that its type implies; None if it has none, or if a mere adjective is left.

    Whether the rest is a name is another question: "language model" is no language.

    >>> without_head("BERT model", ConceptType.METHOD), without_head("ImageNet data set", ConceptType.DATASET)
    ('BERT', 'ImageNet')
    """
    words = _DATA_SET.sub("dataset", name).split()
    if len(words) == 1:
        words = name.rsplit("-", 1)
    if len(words) < 2 or singular(words[-1].casefold()) not in _HEADS[kind]:
        return None
    rest = " ".join(words[:-1])
    made = kind is ConceptType.METHOD and is_product(name, rest)
    return rest if is_node_name(rest) and not _ADJECTIVE.search(rest) and not made else None


def is_product(name: str, rest: str) -> bool:
    """Whether a name says what comes out of doing the rest: a deep learning model is not deep learning."""
    return rest.endswith("ing") and singular(re.split(r"[\s-]", name)[-1].casefold()) in _PRODUCTS


def is_procedure(name: str) -> bool:
    """Whether a name is of three words or more and a way to do something: "gradient descent algorithm"."""
    words = name.split()
    if len(words) < 3 or _ATTRIBUTE.search(words[-2]):
        return False
    return singular(words[-1].casefold()) in _PROCEDURES


def is_capitalised(name: str) -> bool:
    """Whether every word of a name begins with a capital, as those of a proper name do."""
    return all(word[:1].isupper() for word in _WORDS.split(name) if word)


_ENDINGS = re.compile(r"(?:ional|ion|ing|ed|ive|al)$")
_SMALL = frozenset("a an and as at by for from in of on or the through to via with".split())
_SHORT_NET = {"net": "network", "nets": "network"}


def loose_key(name: str) -> str:
    """What near-equal long forms of one acronym share: the stems of their words, without small words.

    >>> loose_key("convolutional neural network") == loose_key("Convolution Neural Nets")
    True
    >>> loose_key("contrastive learning") == loose_key("continual learning")
    False
    """
    words = [word.casefold() for word in _WORDS.split(name)]
    return "".join(_stem(word) for word in words if word not in _SMALL)


def _stem(word: str) -> str:
    word = american(singular(_SHORT_NET.get(word, word)))
    stem = _ENDINGS.sub("", word)
    return stem if len(stem) > 3 else word


_SIZE = r"\d+(?:\.\d+)?[BMKbmk]|base|large|small|tiny|mini|medium|huge|nano|turbo|instruct|chat|pro|lite|x?xl"
_SUFFIXES = (
    re.compile(
        rf"^(?P<family>.*\w)(?:[-\s](?:{_SIZE})|-(?:[BSLH]|Base|Large|Small|Tiny|XL))$", re.IGNORECASE
    ),
    re.compile(r"^(?P<family>.*\w)[-\s](?:v\.?\s?)?\d{1,4}(?:\.\d+)*[a-z]?$", re.IGNORECASE),
    re.compile(r"^(?P<family>.*[A-Za-z]{2}[A-Za-uw-z])v?\d{1,4}(?:\.\d+)*[a-z]?$"),
    re.compile(r"^(?P<family>.*[A-Za-z]{3})-(?:I{1,3}|IV)$"),
)
_COUNTED = frozenset(
    "class dimension experiment fig figure grade group layer level order part phase rank section stage step "
    "table task tier top track type version".split()
)


def families(name: str) -> tuple[str, ...]:
    """The families that a name says it is a version or a size of, the nearest first.

    >>> families("Llama-3-8B"), families("GPT-4"), families("YOLOv3"), families("TD3")
    (('Llama-3', 'Llama'), ('GPT',), ('YOLO',), ())
    """
    found: list[str] = []
    shorter = _family(name)
    while shorter is not None:
        found.append(shorter)
        shorter = _family(shorter)
    return tuple(found)


def _family(name: str) -> str | None:
    if not has_name_letters(name):
        return None
    for suffix in _SUFFIXES:
        if match := suffix.match(name):
            rest = match["family"].rstrip("-_ ")
            return rest if _is_family(rest) else None
    return None


def _is_family(name: str) -> bool:
    """Whether a name can be a family: of three characters, with a capital, and nothing that is counted."""
    letters = sum(character.isalnum() for character in name)
    last = _WORDS.split(name)[-1].casefold()
    versioned = any(character.isdigit() for character in name)
    fitting = (letters > 2 or versioned) and letters > 1 and any(character.isupper() for character in name)
    return fitting and singular(last) not in _COUNTED and is_node_name(name)
