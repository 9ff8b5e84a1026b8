"""Annotated papers as the pipeline would see them if its tagger and abbreviations were the annotators'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spacy.language import Language
from spacy.tokens import Doc

from extractors.drafts import Draft, Place, group_mentions
from extractors.introductions import introductions
from extractors.pipeline import blank
from extractors.text import clean
from extractors.view import View, view
from kg.folding import name_key
from kg.gold import AnnotatedPaper, occurrences
from kg.schema import Role

__all__ = ["Read", "gold_pipeline", "read_gold"]


@dataclass
class Read:
    """An annotated paper with its gold concepts, their roles and the relations between them."""

    doc: Doc
    view: View
    roles: list[list[bool]]
    relations: dict[tuple[int, int], set[str]]


def gold_pipeline() -> Language:
    """Tokens and sentences as the shipped pipeline has them, for `read_gold`."""
    nlp = blank()
    nlp.add_pipe("paperkg_mentions")  # it registers what it sets; here the annotators set it
    nlp.disable_pipe("paperkg_mentions")
    return nlp


def read_gold(nlp: Language, paper: AnnotatedPaper) -> Read:
    """The paper as the pipeline would see it if its tagger and abbreviations were those of the annotators."""
    source = clean(paper.text)
    doc = nlp(source.text)
    places: list[Place] = []
    for span, kind in occurrences(paper.text, paper.gold.entities).items():
        start, end = source.clean_span(*span)
        tokens = doc.char_span(start, end, alignment_mode="expand")
        if tokens and not (places and places[-1].end > tokens.start):
            surface = source.text[start:end]
            places.append(Place(tokens.start, tokens.end, start, end, surface, kind))
    doc._.introductions = tuple(introductions(doc.text))
    doc._.mentions = tuple(places)
    doc._.concepts = tuple(group_mentions(places, paper.gold.aliases))
    return Read(doc, view(doc), _gold_roles(doc._.concepts, paper), _gold_relations(doc._.concepts, paper))


def _gold_roles(drafts: Sequence[Draft], paper: AnnotatedPaper) -> list[list[bool]]:
    gold = {role: set(map(name_key, paper.gold.roles.get(role, ()))) for role in Role}
    keys = [{name_key(form) for form in draft.forms} for draft in drafts]
    return [[not names.isdisjoint(gold[role]) for role in Role] for names in keys]


def _gold_relations(drafts: Sequence[Draft], paper: AnnotatedPaper) -> dict[tuple[int, int], set[str]]:
    index: dict[str, int] = {}
    for number, draft in enumerate(drafts):
        for form in draft.forms:
            index.setdefault(name_key(form), number)
    found: dict[tuple[int, int], set[str]] = {}
    for head, relation, tail in paper.gold.relations:
        one, other = index.get(name_key(head)), index.get(name_key(tail))
        if one is not None and other is not None and one != other:
            direction = ">" if one < other else "<"
            found.setdefault((min(one, other), max(one, other)), set()).add(relation + direction)
    return found
