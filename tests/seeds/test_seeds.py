"""The seeds hold together: they are read here with plain libraries, not with this project's readers."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import pytest
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors

from kg.schema import fold_text

SEEDS = files("seeds")
FORMATS = ("jsonl", "bib", "md")
TYPES = ("dataset", "method", "metric", "task", "term")

MARKDOWN_ENTRY = re.compile(
    r"^- \*\*(?P<title>.+)\*\* \*(?P<authors>[^*\n]+)\*\. (?P<venue>.+) (?P<year>\d{4})\. "
    r"\[Paper\]\((?P<url>[^)\s]+)\)(?: \[Code\]\((?P<code>[^)\s]+)\))?\n"
    r"\n"
    r"  > (?P<abstract>.+)$",
    re.MULTILINE,
)
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
CODE_SITE = re.compile(r"[\w./:]*github\.com/[^\s()\[\]{}]+")
CODE_ADDRESS = re.compile(r"https://github\.com/[\w-]+/[\w.-]*\w(/tree/\w+/[\w/-]+)?")
ARXIV_ID = re.compile(r"\d{2}(0[1-9]|1[0-2])\.(\d{4}|\d{5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """What the three files say of one paper, whatever their form."""

    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    abstract: str
    url: str
    arxiv_id: str | None = None
    code: str | None = None


def _jsonl() -> Iterator[Seed]:
    for line in SEEDS.joinpath("papers.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        yield Seed(
            title=item["title"],
            authors=tuple(item["authors"]),
            year=item["year"],
            venue=item["venue"],
            abstract=item["abstract"],
            url=item["url"],
            arxiv_id=item.get("arxiv_id"),
            code=item.get("code_url"),
        )


def _bib() -> Iterator[Seed]:
    library = parse_string(
        SEEDS.joinpath("papers.bib").read_text("utf-8"),
        append_middleware=[SeparateCoAuthors(), LatexDecodingMiddleware(keep_braced_groups=False)],
    )
    assert not library.failed_blocks
    for entry in library.entries:
        fields = dict(entry.items())
        venue = next(fields[key] for key in ("booktitle", "journal") if key in fields)
        yield Seed(
            title=fields["title"],
            authors=tuple(fields["author"]),
            year=int(fields["year"]),
            venue=venue,
            abstract=" ".join(fields["abstract"].split()),
            url=fields["url"],
            arxiv_id=fields.get("eprint"),
        )


def _md() -> Iterator[Seed]:
    text = SEEDS.joinpath("papers.md").read_text("utf-8")
    entries = list(MARKDOWN_ENTRY.finditer(text))
    assert len(entries) == text.count("\n- ")
    for entry in entries:
        arxiv = re.fullmatch(r"https://arxiv\.org/abs/(.+)", entry["url"])
        yield Seed(
            title=entry["title"],
            authors=tuple(entry["authors"].split(", ")),
            year=int(entry["year"]),
            venue=entry["venue"],
            abstract=entry["abstract"],
            url=entry["url"],
            arxiv_id=arxiv[1] if arxiv else None,
            code=entry["code"],
        )


@cache
def seeds_of(form: str) -> tuple[Seed, ...]:
    return tuple({"jsonl": _jsonl, "bib": _bib, "md": _md}[form]())


@cache
def all_seeds() -> tuple[Seed, ...]:
    return tuple(seed for form in FORMATS for seed in seeds_of(form))


@cache
def vocabulary() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(SEEDS.joinpath("vocabulary.toml").read_text("utf-8"))


def _fold(name: str) -> str:
    """Folds case, hyphens and spaces, but keeps signs: PointNet and PointNet++ are two."""
    return re.sub(r"[\s_-]+", " ", name.casefold())


def _repeated(values: list[str]) -> list[str]:
    return sorted(value for value, count in Counter(values).items() if count > 1)


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_holds_about_a_third(form: str) -> None:
    assert len(seeds_of(form)) * 4 > len(all_seeds())


def test_at_least_66_papers() -> None:
    assert len(all_seeds()) >= 66


def test_no_title_stands_twice() -> None:
    assert _repeated([fold_text(seed.title) for seed in all_seeds()]) == []


def test_no_arxiv_id_stands_twice() -> None:
    assert _repeated([seed.arxiv_id for seed in all_seeds() if seed.arxiv_id]) == []


@pytest.mark.parametrize("seed", all_seeds(), ids=lambda seed: seed.title)
def test_paper_is_complete(seed: Seed) -> None:
    assert seed.title.strip()
    assert all(name.strip() for name in seed.authors)
    assert 1 <= len(seed.authors) <= 11
    assert 1990 < seed.year < 2030
    assert seed.venue.strip()
    assert seed.url.startswith("https://")


@pytest.mark.parametrize("seed", all_seeds(), ids=lambda seed: seed.title)
def test_abstract_has_two_to_six_sentences(seed: Seed) -> None:
    sentences = SENTENCE_END.findall(seed.abstract)
    assert 2 <= len(sentences) <= 6
    assert 40 <= len(seed.abstract.split()) <= 140


def test_arxiv_ids_are_well_formed_and_agree_with_the_address() -> None:
    for seed in all_seeds():
        if seed.arxiv_id:
            assert ARXIV_ID.fullmatch(seed.arxiv_id)
            assert seed.url == f"https://arxiv.org/abs/{seed.arxiv_id}"


def test_no_paper_is_older_at_its_venue_than_on_arxiv() -> None:
    early = [
        seed.title for seed in all_seeds() if seed.arxiv_id and 2000 + int(seed.arxiv_id[:2]) > seed.year
    ]
    assert early == []


def test_code_addresses_are_https_and_name_a_repository() -> None:
    found = [
        address.rstrip(".,")
        for seed in all_seeds()
        for address in [*CODE_SITE.findall(seed.abstract), *([seed.code] if seed.code else [])]
    ]
    assert len(found) > 60
    bad = [
        address
        for address in found
        if not CODE_ADDRESS.fullmatch(f"https://{address.removeprefix('https://')}")
    ]
    assert bad == []
    assert [address for address in found if address.startswith("http:")] == []


def test_vocabulary_has_its_types_with_hundreds_of_names() -> None:
    sizes = {kind: len(names) for kind, names in vocabulary().items()}
    assert sorted(sizes) == list(TYPES)
    assert sizes["task"] >= 150
    assert sizes["method"] >= 200
    assert sizes["dataset"] >= 120
    assert sizes["metric"] >= 60


@pytest.mark.parametrize("kind", TYPES)
def test_no_alias_stands_under_two_names_or_says_nothing_new(kind: str) -> None:
    folded = [_fold(form) for name, aliases in vocabulary()[kind].items() for form in [name, *aliases]]
    assert _repeated(folded) == []


def test_no_name_is_of_two_types_and_no_alias_is_another_name() -> None:
    forms = [
        _fold(form)
        for names in vocabulary().values()
        for name, aliases in names.items()
        for form in [name, *aliases]
    ]
    assert _repeated(forms) == []


@pytest.mark.parametrize("kind", TYPES)
def test_names_are_sorted_and_trimmed(kind: str) -> None:
    names = list(vocabulary()[kind])
    assert names == sorted(names, key=lambda name: (name.casefold(), name))
    assert all(
        form == form.strip() for name, aliases in vocabulary()[kind].items() for form in [name, *aliases]
    )
