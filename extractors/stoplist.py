"""Names that are no names: what a tagger may mark and a graph of concepts must not hold.

A generic head with nothing but determiners and evaluative adjectives before it ("our model", "the proposed
approach", "extensive experiments") names nothing. `trim` takes such words off the front of a name;
`is_generic` says that nothing is left.
"""

from __future__ import annotations

import re

from kg.folding import singular

__all__ = ["is_generic", "trim"]

_DETERMINERS = frozenset(
    "a an the our its their his her my your this that these those such some any each every both".split()
)
_LEADING = _DETERMINERS | frozenset(
    """
    all several many various multiple different certain two three four five six new novel proposed
    existing previous current recent other another same state-of-the-art sota own resulting corresponding
    extensive comprehensive numerous simple simpler simplest effective efficient powerful strong stronger
    better best good great general popular promising conventional traditional standard common competitive
    superior improved advanced first second final original modern latest main key core major basic typical
    widely-used well-known
    """.split()
)
_GENERIC_HEADS = frozenset(
    """
    approach algorithm analysis application architecture aspect assumption baseline benchmark bound case
    challenge code component contribution data dataset design direction effect element error evaluation
    example experiment extension factor feature field finding form framework function goal idea
    implementation improvement information input insight issue knowledge layer learning literature machine
    mechanism method methodology metric model module network number object objective observation one
    output paper parameter part perspective phase phenomenon pipeline point practice principle problem
    procedure process property question reason research result sample scenario scheme score setting setup
    signal software solution source space stage step strategy structure study subject system target task
    technique term test text theory time tool topic training type value variable variant version way word
    work world ours it they them we us i.e e.g etc al this that which et
    """.split()
)
#: Words that are no nouns: alone they say how something is, and not what.
_QUALITIES = frozenset(
    """
    adaptive adaptively additive adversarial agglutinative annotated approximate approximately asymptotic
    automatic autonomous autoregressive bayesian bounded causal classical collaborative complementary
    complex computational conditional consecutive consistent continuous contrastive convex convolutional
    cooperative decentralized deep dense deterministic differentiable discrete discriminative distributed
    dynamic empirical end-to-end equivalent explicit external fast federated fine finetuned finite fixed
    flexible fully generalized generative global gradient-free hierarchical high-dimensional human-like
    hybrid implicit independent individual induced inductive initial intelligent interactive intermediate
    isotropic iterative labeled labelled large large-scale latent learnable learned limited linear local
    low-rank memoryless minimax modified multimodal naive natural neural noiseless nominal non-convex
    nonconvex nonlinear nonparametric normal observational offline online optimal ordinary overconfident
    overparameterized parallel parametric positive pre-trained predictive pretrained principal
    probabilistic proper provably quadratic random real real-time real-world recurrent regular relative
    relaxed reliable robotic robust scalable self-supervised semantic semi-supervised sequential simulated
    simultaneous slow small sparse spatial spatiotemporal static statistical stochastic structured
    supervised symbolic syntactic synthetic tabular targeted temporal tractable transductive transitive
    unified uniform unintended universal unlabeled unlabelled unsupervised visual weak weakly-supervised
    zero-shot
    """.split()
)
_NUMBERED = re.compile(r"^(?:fig|figure|tab|table|sec|section|eq|equation|appendix|chapter)\.?\s*\d*$", re.I)
_SIZE = re.compile(r"~?\d+(?:\.\d+)?\s?[BMK](?:\s?[-–]\s?\d+(?:\.\d+)?\s?[BMK])?", re.I)
_ADDRESS = re.compile(r"https?:|www\.|\w\.(?:com|org|io|net|edu)\b", re.I)
_TRAILING = re.compile(
    r"(?<![\s,])[\s,]+(?:of|with|for|in|on|by|and|or|the|a|an|to|from|via|as|at|into|that|which|over|under|per"
    r"|using|based|between|without|within|through|during|against|across|towards?|than|like|such)$"
)
_CITATION = re.compile(r"(?<!\s)\s*\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]?$")
_QUOTES = '"“”'
_EDGE = " \t\n.,;:!?\"'“”‘’`()[]{}<>|/\\=~^_–—"


def trim(name: str) -> tuple[int, int]:
    """The (start, end) of a name without marks at its edges, determiners in front, small words at its end.

    >>> "the proposed UPGNET,"[slice(*trim("the proposed UPGNET,"))]
    'UPGNET'
    >>> "uniform sampling with"[slice(*trim("uniform sampling with"))]
    'uniform sampling'
    """
    cited = _CITATION.search(name)
    end = len(name[: cited.start() if cited else None].rstrip(_EDGE))
    for left, right in ("()", "[]"):
        if name.count(left, 0, end) > name.count(right) and (opened := name.rfind(left, 1, end)) > 0:
            end = len(name[:opened].rstrip(_EDGE))
    while match := _TRAILING.search(name, 0, end):
        end = match.start()
    while (
        end < len(name)
        and name[end] in ")]}"
        and name.count("([{"[")]}".index(name[end])], 0, end) > (name.count(name[end], 0, end))
    ):
        end += 1
    start = min(len(name) - len(name.lstrip(_EDGE.replace("(", "").replace("[", "") + "-")), end)
    start, end = _quoted(name, start, end)
    while match := re.match(r"(\S+)\s+", name[start:end]):
        if match[1].lower() not in _DETERMINERS or not name[start:end][match.end() :][:1].islower():
            break
        start += match.end()
    return start, end


def _quoted(name: str, start: int, end: int) -> tuple[int, int]:
    """The (start, end) with a quotation mark at an edge whose partner stands inside: "“hot” pages"."""
    if sum(character in _QUOTES for character in name[start:end]) % 2:
        if start and name[start - 1] in _QUOTES:
            start -= 1
        elif end < len(name) and name[end] in _QUOTES:
            end += 1
    return start, end


def is_generic(name: str) -> bool:
    """Whether a name says nothing: a generic head or a quality alone, a number, a size, a reference, an
    address, one small letter, the beginning of a word.

    >>> is_generic("our model"), is_generic("efficient algorithms"), is_generic("language models")
    (True, True, False)
    >>> is_generic("70B"), is_generic("High-")
    (True, True)
    """
    words = re.findall(r"[^\s,;]+", name.lower())
    if not any(character.isalpha() for character in name) or _NUMBERED.match(name) or _ADDRESS.search(name):
        return True
    if (len(name) == 1 and name.islower() and name.isascii()) or name.endswith("-") or _SIZE.fullmatch(name):
        return True
    while len(words) > 1 and words[0] in _LEADING:
        words.pop(0)
    if len(words) > 1 and words[-1] in ("al", "al."):
        return True
    if len(words) != 1:
        return False
    head = {words[0], singular(words[0])}
    if words[0] in _LEADING or words[0] in _QUALITIES:
        return True
    return not head.isdisjoint(_GENERIC_HEADS) and not _is_acronym(name)


def _is_acronym(name: str) -> bool:
    last = name.split()[-1]
    return sum(character.isupper() for character in last) > 1
