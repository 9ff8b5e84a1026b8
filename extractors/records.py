"""From a document that was read to the plain record; offsets lead into the text as it was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spacy.tokens import Doc

from extractors.drafts import Draft, DraftRelation
from extractors.text import CleanText
from extractors.tokens import text_of
from kg.schema import Concept, ConceptType, Extraction, Mention, Paper, Relation

__all__ = ["to_extraction"]

_DIGITS = 3  # of a score: more would differ between machines


def to_extraction(paper: Paper, doc: Doc, version: str) -> Extraction:
    """Everything that the pipeline found in one paper, without a spaCy object in it."""
    source: CleanText = doc._.source
    drafts: Sequence[Draft] = doc._.concepts
    text = text_of(doc)
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
        sentences=tuple(
            source.source_span(span.start_char, span.end_char)
            for span in doc.sents
            if not text[span.start_char : span.end_char].isspace()
        ),
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


def _sentence(doc: Doc, mention: int) -> tuple[int, int]:
    """The sentence around a mention, as (start, end) of the text as given."""
    span = doc[doc._.mentions[mention].start].sent
    text = text_of(doc)[span.start_char : span.end_char]
    start, end = doc._.source.source_span(span.start_char, span.start_char + len(text.rstrip()))
    return start, end


def _relation(doc: Doc, found: DraftRelation, names: Sequence[str]) -> Relation:
    span = doc[found.start : found.end]
    text = text_of(doc)[span.start_char : span.end_char]
    start, end = doc._.source.source_span(span.start_char, span.start_char + len(text.rstrip()))
    return Relation(
        names[found.head], found.relation, names[found.tail], round(found.score, _DIGITS), start, end
    )
