"""Papers as the pipeline would see them if its tagger were the annotators', or the teacher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

from extractors.abbreviations import find_abbreviations
from extractors.drafts import Draft, Place, group_mentions
from extractors.introductions import introductions
from extractors.layout import layout
from extractors.pipeline import blank
from extractors.tagger import TYPES, best_tags, spans_of
from extractors.text import clean
from extractors.view import View, view
from kg.folding import name_key
from kg.gold import AnnotatedPaper, occurrences
from kg.schema import Role
from training.labelled import Labelled

__all__ = ["Guessed", "Read", "gold_pipeline", "read_gold", "read_labelled"]


_LEAST = np.float32(1e-6)


@dataclass
class Read:
    """An annotated paper with its gold concepts, their roles and the relations between them."""

    doc: Doc
    view: View
    roles: list[list[bool]]
    relations: dict[tuple[int, int], set[str]]


@dataclass
class Guessed:
    """A labelled paper with the concepts that the teacher sees, and the probabilities of their roles."""

    doc: Doc
    view: View
    tags: NDArray[np.float16]
    roles: list[list[float]]


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


def read_labelled(nlp: Language, paper: Labelled) -> Guessed:
    """The paper as the pipeline would see it if its tagger were the teacher."""
    doc = nlp(paper.text)
    read = layout(doc)
    tags = best_tags([np.log(paper.tags.astype(np.float32) + _LEAST)])[0]
    places = []
    for start, end, kind in spans_of(tags.tolist(), TYPES):
        first, last = read.characters(start, end)
        places.append(Place(start, end, first, last, read.text[first:last], kind))
    pairs = [(found.short, found.long) for found in find_abbreviations(read.text)]
    drafts = group_mentions(places, pairs)
    doc._.introductions = tuple(introductions(read.text))
    doc._.mentions, doc._.concepts = tuple(places), tuple(drafts)
    said = paper.roles.astype(np.float32)
    roles = [
        np.concatenate([said[places[m].start : places[m].end] for m in draft.mentions]).mean(0).tolist()
        for draft in drafts
    ]
    return Guessed(doc, view(doc), paper.tags, roles)


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
