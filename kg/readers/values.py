"""One value of a record to its normal form: text, authors, year, DOI, arXiv id, addresses, venue.

All functions take what JSON, a table or an XML element may hold and never fail on odd values, except
`text_of`, which says what is wrong with a field that must be text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from kg.readers.latex import decode_latex

__all__ = [
    "RecordError",
    "addresses_of",
    "arxiv_id_of",
    "authors_of",
    "code_addresses_in",
    "doi_of",
    "keywords_of",
    "one_line",
    "text_of",
    "venue_and_year",
    "year_of",
]

_NOTHING = frozenset({"none", "nan", "null", "n/a", "[no abstract available]", "no abstract available"})

_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
_ARXIV_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_ARXIV_OLD = r"[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{7}"
_ARXIV = re.compile(rf"({_ARXIV_NEW}|{_ARXIV_OLD})(?:v\d+)?(?![\d/])")
_ARXIV_PREFIX = re.compile(
    r"^(?:https?://)?(?:(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format)/|oai:arxiv\.org:|arxiv:\s*|10\.48550/arxiv\.|abs/)",
    re.IGNORECASE,
)
_RESOLVER = re.compile(r"^https?://(?:dx\.)?doi\.org/|^doi:", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?://|(?<![\w./@])(?=(?:www\.)?(?:github|gitlab)\.(?:com|io)/))[^\s<>\"{}|\\^`]{1,2000}"
)
_ESCAPE = re.compile(r"(?:\\|%5[Cc])(?=[_%&#~])")  # LaTeX's, as exporters leave it in addresses
_CODE_HOST = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.[\w.-]+|bitbucket\.org|codeberg\.org|huggingface\.co"
    r"|anonymous\.4open\.science|sourceforge\.net|git\.[\w.-]+)/[\w.~-]+",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_INITIALS = re.compile(r"(?:[A-ZÀ-Þ]\.?[\s-]?){1,4}$")


class RecordError(ValueError):
    """A record that cannot be a paper; the message says why."""


def one_line(text: str) -> str:
    """Text with every run of white space as one space."""
    return " ".join(text.split())


def text_of(value: Any, name: str) -> str:
    """The text of a field, stripped; "" for a missing value or a word that stands for one.

    Wrappers such as `{"value": "…"}` and lists of strings are opened.

    Raises:
        RecordError: The value is a number, a truth value or a structure; `name` is named.
    """
    if isinstance(value, str):
        return _said(value)
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = " ".join(value)
    if value is None or value != value:
        return ""
    if not isinstance(value, str):
        raise RecordError(f"{name} is {_kind(value)}, not text")
    return _said(value)


def _said(text: str) -> str:
    text = text.strip()
    return "" if len(text) < 30 and text.casefold() in _NOTHING else text


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a truth value"
    return {int: "a number", float: "a number", list: "a list", dict: "an object"}.get(type(value), "odd")


def loose_text(value: Any) -> str:
    """As `text_of` for fields where a number is as good and anything else counts as missing."""
    if isinstance(value, str):
        return _said(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
        return str(int(value) if value == value // 1 and abs(value) < 1e15 else value)
    try:
        return text_of(value, "")
    except RecordError:
        return ""


def year_of(value: Any) -> int | None:
    """The year in a number, a date of any form, a list of date parts or a time in milliseconds.

    >>> year_of("Mon, 2 Apr 2007 19:18:42 GMT")
    2007
    """
    for _ in range(4):
        if isinstance(value, dict):
            names = ("value", "date-parts", "year", "created")
            value = next((value[name] for name in names if value.get(name)), None)
        elif isinstance(value, list) and value:
            value = value[0]
    if isinstance(value, int | float) and not isinstance(value, bool) and 1e11 < value < 1e13:
        return datetime.fromtimestamp(value / 1000, UTC).year
    match = _YEAR.search(loose_text(value)[:100])
    return int(match[0]) if match else None


def doi_of(value: Any) -> str | None:
    """A DOI in lower case without a resolver; None where there is none or it is arXiv's own.

    >>> doi_of("https://doi.org/10.1000/XYZ.")
    '10.1000/xyz'
    """
    for match in _DOI.finditer(loose_text(value)[:2000]):
        doi = match[0].rstrip(".,;:)]}'").casefold()
        if not doi.startswith("10.48550/arxiv."):
            return doi
    return None


def arxiv_id_of(value: Any, *, bare: bool = False) -> str | None:
    """An arXiv identifier without version, from an address, `arXiv:…`, or arXiv's own DOI.

    Args:
        value: What the input gives.
        bare: Whether the identifier may also stand alone, as in a field of that name.

    >>> arxiv_id_of("http://arxiv.org/abs/math.GT/0309136v2")
    'math/0309136'
    """
    text = loose_text(value)[:2000]
    if "." not in text and "/" not in text:
        return None
    for word in text.split():
        rest, prefixes = _ARXIV_PREFIX.subn("", _RESOLVER.sub("", word))
        match = _ARXIV.match(rest) if prefixes or bare else None
        if match and (prefixes or match.end() == len(rest)):
            return re.sub(r"\.[A-Z]{2}/", "/", match[1])
    return None


def addresses_of(value: Any) -> tuple[str, ...]:
    """Every http address in a text, a list or an object with `url`, each once, in order.

    Addresses without a scheme are taken for GitHub and GitLab alone. Anything else, such as `javascript:`,
    is no address.
    """
    return tuple(dict.fromkeys(_addresses(value, 4)))


def _addresses(value: Any, depth: int) -> Iterable[str]:
    if isinstance(value, dict):
        value = [value.get("value"), value.get("url"), value.get("html_url"), value.get("URL")]
    if isinstance(value, list) and depth:
        for item in value[:100]:
            yield from _addresses(item, depth - 1)
    elif isinstance(value, str) and ("//" in value or "git" in value):
        for match in _ADDRESS.finditer(_ESCAPE.sub("", value)):
            address = _trimmed(match[0])
            yield address if address.startswith("http") else f"https://{address}"


def _trimmed(address: str) -> str:
    address = address.rstrip(".,;:!?'*")
    while address.endswith((")", "]")) and address.count(address[-1]) > address.count(
        "(["[address[-1] == "]"]
    ):
        address = address[:-1].rstrip(".,;:!?'*")
    return address


def code_addresses_in(value: Any) -> tuple[str, ...]:
    """The addresses on hosts of code in a comment, a note or an address field."""
    return tuple(address for address in addresses_of(value) if _CODE_HOST.match(address))


def keywords_of(value: Any) -> tuple[str, ...]:
    """Keywords of a list, or of a text that parts them by semicolons, commas or line ends."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, str):
        value = re.split(r"[;\n|]" if re.search(r"[;\n|]", value) else ",", value)
    words = (one_line(loose_text(item)) for item in value) if isinstance(value, list) else ()
    return tuple(dict.fromkeys(word for word in words if word))


def authors_of(value: Any) -> tuple[str, ...]:
    """Authors as "First Last", from a text, a list of texts, of name parts or of objects.

    >>> authors_of("Roe, Ann (123); Doe, Bob")
    ('Ann Roe', 'Bob Doe')
    """
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str):
        names = split_names(text_of(value, "authors"))
    else:
        names = [_name_of(item) for item in value] if isinstance(value, list) else []
    return tuple(name for name in (first_last(name) for name in names) if name)


def _name_of(item: Any) -> str:
    if isinstance(item, list):  # arXiv: [last, first, suffix]
        last, first, suffix = (*(loose_text(part) for part in item[:3]), "", "", "")[:3]
        return f"{last}, {first} {suffix}" if first else f"{last} {suffix}"
    if not isinstance(item, dict):
        return loose_text(item)
    for key in ("author", "name", "display_name", "fullname", "full_name", "literal", "raw_author_name"):
        if item.get(key):
            return _name_of(item[key])
    last = next(
        (item[key] for key in ("family", "last", "lastName", "lastname", "last_name") if key in item), ""
    )
    first = next(
        (item[key] for key in ("given", "first", "firstName", "firstname", "first_name") if key in item), ""
    )
    return f"{loose_text(first)} {loose_text(last)}"


def split_names(text: str) -> list[str]:
    """The single names of a text, however they are parted."""
    text = _PARENTHESIS.sub("", text)
    if re.search(r"[;|\n]", text):
        return re.split(r"[;|\n]", text)
    groups = re.split(r",? (?:and|&) ", one_line(text))
    if len(groups) > 1 and all(_is_inverted(group) for group in groups):
        return groups
    return [name for group in groups for name in _comma_names(group)]


def _is_inverted(name: str) -> bool:
    """Whether a name is "Last, First" rather than several names."""
    last, comma, first = name.partition(",")
    return bool(comma) and "," not in first and (" " not in last.strip() or " " not in first.strip())


def _comma_names(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) == 2 and _is_inverted(text):
        return [text]
    if len(parts) % 2 == 0 and all(_INITIALS.match(part) for part in parts[1::2]):
        return [f"{last}, {first}" for last, first in zip(parts[::2], parts[1::2], strict=True)]
    return parts


@lru_cache(maxsize=65536)
def first_last(name: str) -> str:
    """A name as "First Last", without ids, affiliations in parentheses or LaTeX.

    >>> first_last("Roe, Ann (123)")
    'Ann Roe'
    """
    name = html.unescape(_PARENTHESIS.sub("", name))
    if "\\" in name or "{" in name:
        name = decode_latex(name)
    last, comma, first = (part.strip() for part in one_line(name).partition(","))
    suffix = first.rstrip(".") in {"Jr", "Sr", "II", "III", "IV"}
    name = (f"{last} {first}" if suffix or not comma else f"{first} {last}").strip(" ,;")
    return "" if name.casefold() in _NOTHING | {"others", "et al.", "et al"} else name


# Words that a heading or a venue field adds to the venue and that are no part of its name.
_FILLERS = frozenset(
    "a abstract abstracts accepted all at collection conference from in list main of oral orals paper papers"
    " poster posters proceedings reading selected session spotlight spotlights submitted summaries summary"
    " the titles to track".split()
)
_CHINESE_FILLERS = re.compile(
    r"(?:会议|接收|接受|录用|精选|的)*(?:论文|摘要|文章)(?:列表|清单|合集|摘要|集|汇总|总结)*|年"
)
_KNOWN_VENUES = {
    name.casefold(): name
    for name in "3DV AAAI ACCV ACL ACML AISTATS arXiv bioRxiv BMVC CHI CHIL CIKM COLING COLM COLT CoLLAs CoRL"
    " CoRR CVPR EACL ECCV ECML EMNLP FAccT GECCO ICASSP ICCV ICDE ICDM ICLR ICML ICPR ICRA IJCAI Interspeech"
    " IROS ISMIR ISWC JMLR KDD L4DC LoG MICCAI MIDL MLHC MLSys NAACL Nature NeurIPS NIPS OSDI PNAS RecSys RSS"
    " Science SIGIR SIGMOD TACL TMLR UAI VLDB WACV WSDM WWW".split()
}
_GLUED_YEAR = re.compile(r"^([A-Za-z]{3,12})((?:19|20)\d\d)$")


def venue_and_year(text: str) -> tuple[str, int | None] | None:
    """Venue and year of a heading or a venue field that names just these, else None.

    >>> venue_and_year("ICML 2025 论文列表")
    ('ICML', 2025)
    >>> venue_and_year("aistats2025")
    ('AISTATS', 2025)
    """
    return _venue_and_year(text) if len(text) <= 200 else None


@lru_cache(maxsize=4096)
def _venue_and_year(text: str) -> tuple[str, int | None] | None:
    text = one_line(text).strip('#*_ :=-–—|[]()（）【】《》“”"')
    if not text or len(text) > 100:
        return None
    text = _CHINESE_FILLERS.sub(" papers ", text)
    text = re.sub(r"['’](\d\d)\b", r" 20\1", text)
    words = [part for word in re.split(r"[\s,:;()]+", text) for part in _parted(word) if part.strip("-–—|/&")]
    years = [word for word in words if _YEAR.fullmatch(word)]
    fillers = [word for word in words if word.casefold() in _FILLERS]
    names = [word for word in words if word not in years and word not in fillers]
    if len(years) > 1 or not 1 <= len(names) <= 3 or not (years or fillers or len(words) == 1):
        return None
    if not all(_is_venue_word(word) for word in names):
        return None
    venue = " ".join(_KNOWN_VENUES.get(word.casefold(), word) for word in names)
    return venue, int(years[0]) if years else None


def _parted(word: str) -> tuple[str, ...]:
    match = _GLUED_YEAR.match(re.sub(r"[-_](?=\d{4}$)", "", word))
    return (match[1], match[2]) if match else (word,)


def _is_venue_word(word: str) -> bool:
    if word.casefold() in _KNOWN_VENUES or word in {
        "Findings",
        "Workshop",
        "Workshops",
        "Datasets",
        "Benchmarks",
    }:
        return True
    return 2 <= len(word) <= 20 and sum(char.isupper() for char in word) >= 2 and word[0].isupper()
