"""From a document that was read to the plain record; offsets lead into the text as it was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spacy.tokens import Doc

from extractors.drafts import Draft, DraftRelation
from extractors.layout import layout
from extractors.text import CleanText
from kg.schema import Concept, ConceptType, Extraction, Mention, Paper, Relation

__all__ = ["to_extraction"]

_DIGITS = 3  # of a score: more would differ between machines


def to_extraction(paper: Paper, doc: Doc, version: str) -> Extraction:
    """Everything that the pipeline found in one paper, without a spaCy object in it."""
    source: CleanText = doc._.source
    drafts: Sequence[Draft] = doc._.concepts
    mentions = tuple(
        _mention(paper.text, source.source_span(place.start_char, place.end_char), kind, place.score)
        for place, kind in zip(doc._.mentions, _types(doc), strict=True)
    )
    written = {place.text: mention.text for place, mention in zip(doc._.mentions, mentions, strict=True)}
    names = [" ".join(written.get(draft.name, draft.name).split()) for draft in drafts]
    links, status = doc._.code_links
    return Extraction(
        id=paper.record_id,
        title=paper.title,
        text=paper.text,
        sentences=tuple(_sentences(doc)),
        mentions=mentions,
        concepts=tuple(
            _concept(doc, draft, name, written) for draft, name in zip(drafts, names, strict=True)
        ),
        relations=tuple(_relation(doc, found, names) for found in doc._.relations),
        code_links=links,
        code_status=status,
        extractor=version,
    )


def _types(doc: Doc) -> list[ConceptType]:
    """The type of each mention: that of its concept."""
    types = [place.type for place in doc._.mentions]
    for draft in doc._.concepts:
        for index in draft.mentions:
            types[index] = draft.type
    return types


def _mention(text: str, span: tuple[int, int], kind: ConceptType, score: float) -> Mention:
    start, end = span
    return Mention(start, end, text[start:end], kind, round(score, _DIGITS))


def _concept(doc: Doc, draft: Draft, name: str, written: Mapping[str, str]) -> Concept:
    return Concept(
        name=name,
        type=draft.type,
        score=round(draft.score, _DIGITS),
        mentions=tuple(draft.mentions),
        aliases=tuple(" ".join(written.get(alias, alias).split()) for alias in draft.aliases),
        roles={
            role: (round(score, _DIGITS), *_sentence(doc, mention))
            for role, (score, mention) in draft.roles.items()
        },
    )


def _sentences(doc: Doc) -> Iterator[tuple[int, int]]:
    """The sentences that hold more than white space, as (start, end) of the text as given."""
    read, source = layout(doc), doc._.source
    for bounds in read.bounds:
        start, end = read.characters(*bounds)
        if not read.text[start:end].isspace():
            yield source.source_span(start, end)


def _stated(doc: Doc, start: int, end: int) -> tuple[int, int]:
    """Tokens [start, end) without white space at their end, as (start, end) of the text as given."""
    read = layout(doc)
    begin, stop = read.characters(start, end)
    span: tuple[int, int] = doc._.source.source_span(begin, begin + len(read.text[begin:stop].rstrip()))
    return span


def _sentence(doc: Doc, mention: int) -> tuple[int, int]:
    """The sentence around a mention."""
    read = layout(doc)
    return _stated(doc, *read.bounds[read.sentence[doc._.mentions[mention].start]])


def _relation(doc: Doc, found: DraftRelation, names: Sequence[str]) -> Relation:
    start, end = _stated(doc, found.start, found.end)
    return Relation(
        names[found.head], found.relation, names[found.tail], round(found.score, _DIGITS), start, end
    )
