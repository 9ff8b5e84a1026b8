"""Annotations prefilled by the extractor, to be put right by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from urllib.parse import quote

from kg.annotations.base import canonical
from kg.annotations.brat import LONGEST_NAME
from kg.folding import digest, name_key
from kg.gold import AnnotatedPaper, Annotation
from kg.schema import CodeRole, Concept, Extraction, Paper, Role

__all__ = ["prefilled"]

#: Room for the number behind an id.
_NUMBER = 10


def prefilled(extractions: Iterable[Extraction]) -> Iterator[AnnotatedPaper]:
    """The annotated paper of each extraction, as an annotator would have written it; every id is given once.

    Names are strings of the text; of a concept the form that the extractor names it by. Somebody else's code
    is left out.
    """
    taken: set[str] = set()
    for extraction in extractions:
        identity = _own_id(extraction, taken)
        taken.add(identity)
        abstract = extraction.text[len(extraction.title or "") + 1 :]
        paper = Paper(title=extraction.title, abstract=abstract, source_ids=(identity,))
        yield canonical(AnnotatedPaper(paper, _annotation(identity, extraction)))


def _own_id(extraction: Extraction, taken: set[str]) -> str:
    """The paper's id, shortened where no file could be called so, numbered where it was taken."""
    fits = len(quote(extraction.id, safe="", errors="replace")) + _NUMBER <= LONGEST_NAME
    stem = extraction.id if fits else digest(extraction.id)
    numbered = (f"{stem}-{number}" for number in count(2))
    return stem if stem not in taken else next(name for name in numbered if name not in taken)


def _annotation(identity: str, found: Extraction) -> Annotation:
    names = {concept.name: _surface(concept, found) for concept in found.concepts}
    return Annotation(
        id=identity,
        entities=tuple((mention.text, mention.type) for mention in found.mentions),
        roles={
            role: tuple(names[concept.name] for concept in found.concepts if role in concept.roles)
            for role in Role
        },
        code=tuple(link.url for link in found.code_links if link.role is not CodeRole.OTHER),
        aliases=tuple(
            (_verbatim(alias, found.text), names[concept.name])
            for concept in found.concepts
            for alias in concept.aliases
            if name_key(alias) != name_key(concept.name)
        ),
        relations=tuple(
            (names.get(r.head, r.head), r.relation, names.get(r.tail, r.tail)) for r in found.relations
        ),
    )


def _surface(concept: Concept, found: Extraction) -> str:
    """The concept's name as it stands in the text, else its first mention."""
    name = _verbatim(concept.name, found.text)
    if name in found.text or not concept.mentions:
        return name
    return found.mentions[concept.mentions[0]].text


def _verbatim(name: str, text: str) -> str:
    """The name with the white space that it has in the text; as it is where it does not stand there."""
    if name in text:
        return name
    found = re.search(r"\s+".join(map(re.escape, name.split())) or "$", text)
    return found[0] if found else name
