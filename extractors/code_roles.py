"""Whose code an address in a paper is, and what the paper says of its code.

Roles come from the sentence around the address (from the clause since the address before it, where one
sentence gives several): "our code is available at" makes it official, "we use the implementation of … (…)"
somebody else's. Without a cue, a code host is taken for the paper's own, any other page for nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kg.schema import CodeLink, CodeRole, CodeStatus

__all__ = ["role_of", "stated_role", "status_of"]

_BEFORE, _NEAR, _AFTER = 400, 160, 120
_BREAK = re.compile(
    r"(?<![.\s][A-Za-z])(?<!\sal)(?<!e\.g)(?<!i\.e)[.!?][\"')\]}]{0,2}\s+(?=[A-Z\[(\"'\\*_$]|https?:|$)|(?<=[a-z)]{2})\.(?=[A-Z][a-z]+\s)|\n\s*\n"
)

_LABEL = re.compile(r"\}\s?\{([^{}]{1,60})\}")
_LISTED = re.compile(r"(?:[\s,;&()\[\]{}\\]|\b(?:and|or|as well as|url)\b){1,30}")

_CODE = re.compile(
    r"\b(?:tool[- ]?(?:kit|box)e?s?|packages?|librar(?:y|ies)|checkpoints?|weights|models?|tools?|frameworks?"
    r"|simulators?|systems?|plugins?|platforms?)\b[^.]{0,60}\b(?:available|accessible|released?|open|public|found"
    r"|downloaded|hosted)|\brepositor(?:y|ies)\b",
    re.IGNORECASE,
)
_SURE_CODE = re.compile(
    r"\b(?:source[- ]?codes?|codes?(?:[- ]?bases?)?|implementations?|software|scripts|git ?hub)\b",
    re.IGNORECASE,
)
_DATA = re.compile(
    r"\b(?:data(?:[- ]?sets?|[- ]?bases?)?|corpus|corpora|benchmarks?|annotations?"
    r"|leaderboards?|test ?sets?)\b",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?:project|home|web|demo|companion|anonymous)[- ]?(?:web)?[- ]?(?:pages?|sites?)\b"
    r"|\bweb ?sites?\b|\bour page\b",
    re.IGNORECASE,
)
_PAGE_HOSTS = ("github.io", "gitlab.io", "sites.google.com", "netlify.app")
_GIVEN = re.compile(
    r"\b(?:available|accessible|access(?:ed)?|found|released?|releasing|open[- ]?sourc\w*|hosted|host"
    r"|provided?|public|shared?|published|publish|downloaded|download|obtained|visit|viewed|see|check)\b"
    r"|(?:\b(?:at|here|link|url)|[:–—-])\s?[:(\[{]?\s*(?:\\url\s?\{)?$",
    re.IGNORECASE,
)
_BORROWED = re.compile(
    r"""\b(?:
      (?:us(?:e|es|ed|ing)|utili[sz]\w+|adopt\w*|employ\w*|follow(?:s|ed)?|re-?us\w+|extend\w*|modif\w+|adapt\w*
        |start(?:ed|ing)?\ from|rel(?:y|ies|ied)\ on|leverag\w+|compar\w+|run|ran|took|take)\b[^.;:]{0,90}?
        \b(?:implementations?|code(?:base)?|repositor(?:y|ies)|repo|librar(?:y|ies)|toolkit|package|toolbox
        |simulator|baselines?)
      | (?:built|builds?|building|based|implemented|developed)\ (?:up)?on(?:\ top\ of)?
      | on\ top\ of | fork(?:ed)?\ (?:of|from) | baselines? | compar\w+\ (?:with|to|against)
      | by\ extending | evaluat\w+\ (?:on|by) | experiments?\ on | tested\ on
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_BORROWED_ITSELF = re.compile(
    r"\b(?:(?:we|by|and) (?:use|used|extend|extended|extending|fork|forked|modify|modified|follow"
    r"|followed|adapt|adapted|using)|see also|cf\.?)\s*[(\[]?\s*(?:\\(?:url|href|footnote)\s*\{\s*)*$",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:our|ours|we (?:release|share|provide|publish|open|make|host|introduce|propose|present)"
    r"|(?:is|are|was|be|been|made|being) (?:\w+ ){0,3}(?:available|accessible|found|released|open|hosted"
    r"|provided|published|public|shared|accessed|obtained|downloaded))\b"
    r"|\b(?:code|codes|source code|project page|website)(?: is| are)?(?: available)?(?: at\b|(?: at)?\s*:)",
    re.IGNORECASE,
)


def role_of(
    text: str, start: int, end: int, *, kind: str, host: str, previous: CodeLink | None = None
) -> CodeRole:
    """The role of the address at `start`:`end` of a paper's text.

    `kind` and `host` are those of its normalised form; `previous` is the link before it in the text, whose
    role it takes over in an enumeration ("at A and B").
    """
    if kind == "paper":
        return CodeRole.OTHER
    floor, listed = _floor(text, start, previous)
    if listed is not None:
        return _of_kind(listed, kind)
    left, alone = _left_clause(text, floor, start)
    right = _right_clause(text, end)
    if not alone and _is_borrowed(left[-_NEAR:]):
        return CodeRole.OTHER
    if alone and not _GIVEN.search(left):
        return CodeRole.PROJECT if kind == "page" else stated_role(kind)
    label = _LABEL.match(right)
    return _own_role(left + label[1] if label else left, right, kind=kind, host=host)


def stated_role(kind: str) -> CodeRole:
    """The role of an address that a field for code gives."""
    roles = {"paper": CodeRole.OTHER, "dataset": CodeRole.DATA}
    return roles.get(kind, CodeRole.OFFICIAL)


def _of_kind(role: CodeRole, kind: str) -> CodeRole:
    """A role taken over from a neighbour, where the kind does not speak against it."""
    return CodeRole.DATA if kind == "dataset" and role is CodeRole.OFFICIAL else role


def _floor(text: str, start: int, previous: CodeLink | None) -> tuple[int, CodeRole | None]:
    """Where the clause of an address begins at the earliest, and the role of the list that it is in."""
    floor = max(0, start - _BEFORE)
    if previous is None or previous.end is None or previous.end < floor:
        return floor, None
    listed = _LISTED.fullmatch(text[previous.end : start])
    return previous.end, previous.role if listed else None


def _left_clause(text: str, floor: int, start: int) -> tuple[str, bool]:
    """The sentence before the address, and whether the address is a sentence of its own, told of before."""
    window = text[floor:start]
    cuts = [cut.end() for cut in _BREAK.finditer(window)]
    alone = bool(cuts) and not re.search(r"\w", window[cuts[-1] :])
    if alone:
        cuts.pop()
    return window[cuts[-1] if cuts else 0 :], alone


def _right_clause(text: str, end: int) -> str:
    window = text[end : end + _AFTER]
    stop = re.search(r"[.!?](?:\s|$)|\n\s*\n|https?:", window)
    return window[: stop.start()] if stop else window


def _is_borrowed(left: str) -> bool:
    if _BORROWED_ITSELF.search(left):
        return True
    last = max(_BORROWED.finditer(left), key=re.Match[str].end, default=None)
    return last is not None and not _OWN.search(left, last.end())


def _own_role(left: str, right: str, *, kind: str, host: str) -> CodeRole:
    code, data = bool(_SURE_CODE.search(left)), bool(_DATA.search(left))
    if kind == "page":
        return _page_role(left, right, code=code, data=data, host=host)
    if kind == "demo":
        return CodeRole.OFFICIAL if code else CodeRole.PROJECT
    if kind == "dataset":
        return CodeRole.OFFICIAL if code and data else CodeRole.DATA
    return CodeRole.DATA if data and not code and not _CODE.search(left) else CodeRole.OFFICIAL


def _page_role(left: str, right: str, *, code: bool, data: bool, host: str) -> CodeRole:
    """A page that is called one is the project's, whatever else lies there; else what is said to be there."""
    told = any(cue.search(clause) for cue in (_GIVEN, _PROJECT) for clause in (left, right))
    if not told and not host.endswith(_PAGE_HOSTS):
        return CodeRole.OTHER
    if _PROJECT.search(left):
        return CodeRole.PROJECT
    if code or _CODE.search(left):
        return CodeRole.OFFICIAL
    return CodeRole.DATA if data else CodeRole.PROJECT


_SENTENCE = re.compile(r"(?<=[.!?;])[\"')\]}]{0,2}\s+|\n")
_STATUS_HINTS = ("code", "implementation", "software", "script", "librar", "tool", "package", "https url")
_TOLD = re.compile(
    r"access|attach|avail|download|found|https url|includ|ma[dk]e|open|provid|publi|releas|shar|soon|upon"
)
_LONGEST = 800
_THING = (
    r"(?:source[- ]?codes?|codes?(?:[- ]?bases?)?|implementations?|software|scripts|librar(?:y|ies)|toolkits?"
    r"|toolbox|packages?)"
)
_LATER = (
    r"(?:upon|after|once|on|following) (?:the )?(?:acceptance|publication|accepted|the review|review)"
    r"|\bcoming soon|\bsoon\b(?! as)"
    r"|\bwill (?:(?:also|soon|then|\w+ly) ){0,2}(?:make|release|open|publish|share"
    r"|be (?:\w+ ){0,2}?(?:available|made|released?|open|provided|published|public|shared|found"
    r"|uploaded|accessible|posted))"
    r"|to be (?:released|published|made)"
    r"|(?:plan|intend) to (?:release|open|publish|share|make)"
)
_PROMISE = re.compile(
    rf"\b{_THING}\b.{{0,120}}?(?:{_LATER})|(?:{_LATER}).{{0,100}}?\b{_THING}\b", re.IGNORECASE | re.DOTALL
)
_SOON = re.compile(_LATER, re.IGNORECASE)
_MISSING_URL = re.compile(r"\bthis (?:https?|ftp) url\b", re.IGNORECASE)
_EXISTS = re.compile(
    rf"""\b{_THING}\b(?:\s*\([^)]{{0,60}}\))?(?:(?:,|\ and|\ for|\ of|\ to|\ in|\ with|\ used|\ &
        |\ as\ well\ as)[^.;]{{0,90}}?)?
        \s*\b(?:is|are|has\ been|have\ been|can\ be|was|were)\ (?:\w+\ ){{0,3}}?
        (?:available|released|open-?\ ?sourced?|provided|published|attached|included|accessible
          |accessed|found\ (?:at|here|in|on|online|under)|shared|public|downloaded)\b
    | \b(?:we|authors)\ (?:\w+\ ){{0,3}}?(?:release|open-?\ ?source|share|publish|provide|make)
        \b(?:\ (?:all|both|our|the|its|source|training|full|complete|associated|relevant|of)\b){{0,5}}
        (?:\ [\w-]+(?:,|\ and|\ \&)){{0,4}}(?:\ (?:and|our|the|source|training|evaluation)){{0,3}}\ {_THING}\b
    | \b{_THING}\b\s*(?:and\ \w+\ )?(?:(?:publicly|freely|openly)\ )?available
        \ (?:at|in|on|from|here|online|under|via)\b
    | \bour\ (?:\w+\ ){{0,3}}(?:is|are)\ open-?\ ?sourced?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DENIED = re.compile(
    r"\b(?:no|not|never|without|neither|nor|lacks?|lacking|absence|unavailable|cannot|when|if|whether|unless|their"
    r"|whose|where|existing|closed|often|only a few|rarely|seldom|most|many)\b|n't\b",
    re.IGNORECASE,
)


def status_of(text: str, links: Sequence[CodeLink]) -> CodeStatus:
    """What a paper says of its code: linked, promised, mentioned without an address, or nothing.

    A link whose own sentence says "coming soon" or "will be released" is promised: what is stated is not
    there yet. A project page or data alone count as linked where nothing is promised.
    """
    roles = {link.role for link in links}
    official = [link for link in links if link.role is CodeRole.OFFICIAL]
    if any(not _is_later(text, link) for link in official):
        return CodeStatus.LINKED
    if official:
        return CodeStatus.PROMISED
    said = _said(text)
    if said is CodeStatus.PROMISED or not roles & {CodeRole.PROJECT, CodeRole.DATA}:
        return said
    return CodeStatus.LINKED if said is CodeStatus.NONE or CodeRole.PROJECT in roles else said


def _is_later(text: str, link: CodeLink) -> bool:
    if link.start is None or link.end is None:
        return False
    left, _ = _left_clause(text, max(0, link.start - _BEFORE), link.start)
    return bool(_SOON.search(left + " " + _right_clause(text, link.end)))


def _said(text: str) -> CodeStatus:
    lowered = text.lower()
    if not any(hint in lowered for hint in _STATUS_HINTS):
        return CodeStatus.NONE
    found = {_sentence_says(sentence) for sentence in _SENTENCE.split(text)}
    return next((s for s in (CodeStatus.PROMISED, CodeStatus.MENTIONED) if s in found), CodeStatus.NONE)


def _sentence_says(sentence: str) -> CodeStatus:
    lowered = sentence.lower()
    if not (any(hint in lowered for hint in _STATUS_HINTS) and _TOLD.search(lowered)):
        return CodeStatus.NONE
    said = sentence[-_LONGEST:]
    if _MISSING_URL.search(said) and (_SURE_CODE.search(said) or _PROJECT.search(said)):
        return CodeStatus.MENTIONED
    exists = _EXISTS.search(said)
    later = _PROMISE.search(said)
    if later and not _DENIED.search(said[: later.end()]):
        return CodeStatus.PROMISED
    if exists and not _DENIED.search(said[: exists.end()]):
        return CodeStatus.MENTIONED
    return CodeStatus.NONE
