"""Finds the addresses of code, data and project pages in the raw text of a paper.

The text is searched as it was read, with its LaTeX, Markdown, HTML and line wraps, so that offsets are those
of the record. Each address is cleaned (`\\_`, `{\\_}`, `\\~{}`, wrapped lines, trailing punctuation),
normalised by `extractors.code_hosts` and given a role by `extractors.code_roles`. All patterns are linear in
the text's length, and an address has at most 2,000 characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extractors.code_hosts import CODE_HOSTS, Address, normalise
from extractors.code_roles import role_of, stated_role, status_of
from kg.schema import CodeLink, CodeRole, CodeStatus

__all__ = ["find_code_links"]

_TOP_LEVELS = ("ai", "com", "dev", "edu", "gov", "io", "net", "org")
_HINTS = ("://", ": //", ":\\/", "www.", "git@", "github", *(f".{end}/" for end in _TOP_LEVELS), *CODE_HOSTS)
_BARE_HOSTS = "|".join(re.escape(host) for host in CODE_HOSTS)
_START = re.compile(
    rf"""(?:git\+)?https?\s?:\s?\\?/\\?/\s?(?:(?:www\.)?git(?:hub|lab)\s?\.\s?(?:com|io)\b)?
    | (?<![\w.@/-])(?:ssh://)?git@(?=[\w-]+\.[\w.-]+[:/])
    | (?<![\w.@/-])www\.(?=\w)
    | (?:(?<![\w.@/-])|(?<=\bat))(?=(?:[\w-]{{1,40}}\.){{0,2}}(?:{_BARE_HOSTS})\\?/\s?\w)
    | (?<![\w.@/-])(?=[\w-]{{1,60}}\.git(?:hub|lab)\.io\b)
    | (?<=\bat\ )(?=(?:[a-z][a-z0-9-]{{1,40}}\.){{1,5}}(?:{"|".join(_TOP_LEVELS)})/[\w~])""",
    re.IGNORECASE | re.VERBOSE,
)
_BODY = re.compile(
    r"""(?:[A-Za-gi-z0-9.~:/?\#@!&+=%()_\u2010-\u2013\u00ad\u200b-] | h(?!ttps?\s?:\s?//)
    | \\{1,2}(?:[_%\#&~/-](?:\{\})?|text(?:underscore|asciitilde)(?:\{\}|\s)?)
    | \{\\?_\} | \$\\sim\$ ){0,2000}""",
    re.VERBOSE,
)
_TEX = re.compile(
    r"""\\{1,2}(?P<kept>[_%\#&~/])(?:\{\})? | (?P<underscore>\\{1,2}textunderscore(?:\{\}|\s)?|\{\\?_\})
    | (?P<tilde>\\{1,2}textasciitilde(?:\{\}|\s)?|\$\\sim\$) | (?P<gone>\\{1,2}-|[\u00ad\u200b]|\s)
    | (?P<hyphen>[\u2010-\u2013])""",
    re.VERBOSE,
)
_ENTITY = re.compile(r"&(?:gt|lt|quot|nbsp|#\d{1,5})\b|&amp$", re.IGNORECASE)
_WRAPPED = re.compile(r"[ \t]*\r?\n[ \t]*(?=\w)")
_NEXT_WORD = re.compile(r"\s{1,3}(?=[A-Za-z0-9])([\w.-]{0,100}\w)")
_CLOSED = re.compile(r"\s*(?:$|[\n(]|[.,;:)\]}\"'](?:\s|$|[)\]}\"'.]))")
_OWNER_ONLY = re.compile(
    r"(?:git(?:hub|lab|ee)\.com|bitbucket\.org|codeberg\.org)/(?:[\w.-]+/)?|sites\.google\.com/view/",
    re.IGNORECASE,
)
_MOST_JOINS = 4


def find_code_links(text: str, *, code_urls: Sequence[str] = ()) -> tuple[tuple[CodeLink, ...], CodeStatus]:
    """The links to code, data and project pages that a paper gives, and what it says of its code.

    `text` is `Paper.text`, untouched; `start` and `end` of a link are offsets in it. `code_urls` are
    addresses that a field of the input states; their links have no offsets. Two spellings of one address
    are one link, spelled as first seen. Links come in the order of the text, those of fields last.
    """
    links: dict[str, CodeLink] = {}
    lowered = text.lower()
    if any(hint in lowered for hint in _HINTS):
        _add_stated(links, text)
    for given in code_urls:
        _add_given(links, given)
    found = tuple(links.values())
    return found, status_of(text, found)


def _add_stated(links: dict[str, CodeLink], text: str) -> None:
    previous: CodeLink | None = None
    for address, start, end in _addresses(text):
        if address.key not in links:
            role = role_of(text, start, end, kind=address.kind, host=address.host, previous=previous)
            links[address.key] = _link(address, role, start, end)
        previous = replace(links[address.key], start=start, end=end)


def _add_given(links: dict[str, CodeLink], given: str) -> None:
    for address in [found for found, _, _ in _addresses(given)] or _alone(given):
        stated = links.get(address.key)
        if stated is None:
            links[address.key] = _link(address, stated_role(address.kind), None, None)
        elif stated.role is CodeRole.OTHER:
            links[address.key] = replace(stated, role=stated_role(address.kind))


def _alone(given: str) -> list[Address]:
    """A field that is nothing but an address needs no scheme."""
    address = None if re.search(r"\s", given.strip()) else normalise(_decoded(_trimmed(given.strip())))
    return [address] if address else []


def _link(address: Address, role: CodeRole, start: int | None, end: int | None) -> CodeLink:
    return CodeLink(
        url=address.url,
        host=address.host,
        owner=address.owner,
        name=address.name,
        role=role,
        start=start,
        end=end,
        kind=address.kind,
        ref=address.ref,
        path=address.path,
        flags=address.flags,
    )


def _addresses(text: str) -> Iterator[tuple[Address, int, int]]:
    """Every address of the text with its offsets, duplicates included."""
    position = 0
    while (opening := _START.search(text, position)) is not None:
        start = opening.start()
        end, joined = _extent(text, start, opening.end())
        raw = _trimmed(text[start:end], emphasised=text[start - 1 : start] == "_")
        position = max(start + len(raw), opening.end(), start + 1)
        address = normalise(_decoded(raw))
        if address is not None:
            flags = (*address.flags, "joined") if joined else address.flags
            yield replace(address, flags=flags), start, start + len(raw)


def _extent(text: str, start: int, body: int) -> tuple[int, bool]:
    """Where the address ends, and whether it was joined over a space that may not belong to it."""
    end, doubtful = _body_end(text, body), False
    for _ in range(_MOST_JOINS):
        if (gap := _wrap(text, start, end)) is not None:
            end = _body_end(text, gap)
        elif (word_end := _loose_word(text, start, end)) is not None:
            end, doubtful = _body_end(text, word_end), True
        else:
            break
    return end, doubtful


def _body_end(text: str, position: int) -> int:
    body = _BODY.match(text, position)
    return body.end() if body else position


def _wrap(text: str, start: int, end: int) -> int | None:
    """Where a line-wrapped address goes on: after a hyphen or an underscore at the line's end."""
    wrapped = _WRAPPED.match(text, end) if end > start and text[end - 1] in "-_" else None
    return wrapped.end() if wrapped else None


def _loose_word(text: str, start: int, end: int) -> int | None:
    """The end of a word that a stray space parts from its address.

    It does where owner or repository is missing before it, and the word looks like a name or ends its clause.
    """
    raw = text[start:end]
    bare = re.sub(r"^(?:git\+)?https?\s?:\s?//\s?(?:www\.)?", "", raw, flags=re.IGNORECASE)
    if not (_OWNER_ONLY.fullmatch(bare) or raw.endswith("-")):
        return None
    word = _NEXT_WORD.match(text, end)
    if word is None:
        return None
    named = re.search(r"[\d_-]", word[1]) or text[word.end() : word.end() + 1] == "/"
    return word.end() if named or _CLOSED.match(text, word.end()) else None


def _trimmed(raw: str, *, emphasised: bool = False) -> str:
    """Without the punctuation, brackets and markup that only follow an address."""
    stop = _ENTITY.search(raw)
    kept = raw[: stop.start()] if stop else raw
    while kept:
        bare = kept.rstrip(".,;:!?'\"_" if emphasised else ".,;:!?'\"")
        if bare != kept:
            kept = bare
        elif kept[-1] == ")" and kept.count(")") > kept.count("("):
            kept = _without_closing(kept)
        else:
            break
    opened = kept.rfind("(")
    return kept[:opened] if opened >= 0 and ")" not in kept[opened:] else kept


def _without_closing(kept: str) -> str:
    """Cuts at the first bracket that closes nothing."""
    depth = 0
    for place, character in enumerate(kept):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return kept[:place]
    return kept[:-1]


def _decoded(raw: str) -> str:
    """The address without LaTeX, soft hyphens and the white space of line wraps."""
    return _TEX.sub(_plain, raw)


def _plain(found: re.Match[str]) -> str:
    marks = {"underscore": "_", "tilde": "~", "gone": "", "hyphen": "-"}
    return found["kept"] if found.lastgroup == "kept" else marks[found.lastgroup or "gone"]
