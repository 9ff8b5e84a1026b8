"""Small papers and extractions, built from marked text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kg.schema import (
    CodeLink,
    CodeRole,
    CodeStatus,
    Concept,
    ConceptType,
    Extraction,
    Mention,
    Paper,
    Relation,
    RelationType,
    Role,
)

#: name -> (type, aliases, roles)
Concepts = Mapping[str, tuple[str, Sequence[str], Sequence[str]]]


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Every run up to a full stop at the end of a word."""
    return tuple(match.span() for match in re.finditer(r"\S.*?[.](?=\s|$)|\S.+", text))


def read(
    abstract: str,
    concepts: Concepts,
    *,
    title: str | None = None,
    relations: Sequence[tuple[str, str, str]] = (),
    links: Sequence[tuple[str, str]] = (),
    **fields: object,
) -> tuple[Paper, Extraction]:
    """A paper and its extraction: every place where a name or an alias stands is a mention."""
    paper = Paper(abstract=abstract, title=title, **fields)  # type: ignore[arg-type]
    parts = sentences(paper.text)
    mentions: list[Mention] = []
    found = []
    for name, (kind, aliases, roles) in concepts.items():
        places = [
            Mention(match.start(), match.end(), form, ConceptType(kind), 0.9)
            for form in (name, *aliases)
            for match in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", paper.text)
        ]
        indices = tuple(range(len(mentions), len(mentions) + len(places)))
        mentions += places
        first = places[0].start if places else 0
        start, end = next((part for part in parts if part[0] <= first < part[1]), (0, 0))
        found.append(
            Concept(
                name=name,
                type=ConceptType(kind),
                score=0.9,
                mentions=indices,
                aliases=tuple(aliases),
                roles={Role(role): (0.8, start, end) for role in roles},
            )
        )
    return paper, Extraction(
        id=paper.record_id,
        title=title,
        text=paper.text,
        sentences=parts,
        mentions=tuple(mentions),
        concepts=tuple(found),
        relations=tuple(
            Relation(head, RelationType(kind), tail, 0.7, *parts[0]) for head, kind, tail in relations
        ),
        code_links=tuple(link(url, role, paper.text) for url, role in links),
        code_status=CodeStatus.LINKED if links else CodeStatus.NONE,
        extractor="test-1",
    )


def link(url: str, role: str, text: str = "") -> CodeLink:
    """A normalised link; where the text does not hold the address, a field of the input gave it."""
    host, owner, name = [*url.removeprefix("https://").split("/"), "", ""][:3]
    start = text.find(url)
    return CodeLink(
        url=url,
        host=host,
        owner=owner,
        name=name,
        role=CodeRole(role),
        start=start if start >= 0 else None,
        end=start + len(url) if start >= 0 else None,
    )
