"""Trains the hashed linear scorers of roles and relations on the annotated papers.

Both learn from the annotated mentions, so that the words around decide and not the tagger's mistakes. The
relations see the roles that a scorer trained on the other half of the papers gives, as they will in use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import spacy
import torch
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc

import extractors.entities
import extractors.sentences  # noqa: F401  (registers the component)
from extractors.drafts import Draft, Place, group_mentions
from extractors.features import View
from extractors.introductions import introductions
from extractors.linear import HashedLinear, feature_rows
from extractors.relations import LABELS, pairs_of, role_tags
from extractors.roles import ROLE_LABELS, analyse
from extractors.text import clean
from extractors.tokens import make_tokenizer
from kg.folding import name_key
from kg.schema import ConceptType
from training.data import Annotated, occurrences, read_annotated

__all__ = ["Examples", "fit", "train_scorers"]

_ROWS = 1 << 18
_BATCH = 64


@dataclass
class Examples:
    """Rows of features and, for each, which labels hold."""

    rows: list[NDArray[np.int64]] = field(default_factory=list)
    labels: list[list[bool]] = field(default_factory=list)

    def add(self, features: Sequence[str], labels: list[bool]) -> None:
        """Adds one example."""
        self.rows.append(np.asarray(feature_rows(features, _ROWS), dtype=np.int64))
        self.labels.append(labels)


def fit(
    examples: Examples, labels: Sequence[str], *, epochs: int, seed: int, rate: float = 2e-3
) -> HashedLinear:
    """Logistic regression by Adam with a linearly falling rate; thresholds are left at one half."""
    torch.manual_seed(seed)
    table = torch.nn.EmbeddingBag(_ROWS, len(labels), mode="sum", sparse=True)
    torch.nn.init.zeros_(table.weight)
    bias = torch.nn.Parameter(torch.full((len(labels),), -2.0))
    optimizers = [
        torch.optim.SparseAdam(list(table.parameters()), lr=rate),
        torch.optim.Adam([bias], lr=rate),
    ]
    truth = torch.tensor(np.asarray(examples.labels), dtype=torch.float32)
    order = np.random.default_rng(seed)
    steps = epochs * (len(examples.rows) // _BATCH + 1)
    step = 0
    for _ in range(epochs):
        shuffled = order.permutation(len(examples.rows))
        for start in range(0, len(shuffled), _BATCH):
            chosen = shuffled[start : start + _BATCH]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                table(*_bags(examples.rows, chosen)) + bias, truth[chosen]
            ) * len(labels)
            for optimizer in optimizers:
                optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
                optimizer.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            step += 1
    weights = table.weight.detach().numpy().copy()
    weights[np.abs(weights) < 0.01] = 0  # what says next to nothing need not be shipped
    half = np.full(len(labels), 0.5, dtype=np.float32)
    return HashedLinear(tuple(labels), weights, bias.detach().numpy().copy(), half)


def _bags(rows: Sequence[NDArray[np.int64]], chosen: Iterable[int]) -> tuple[torch.Tensor, torch.Tensor]:
    items = [rows[index] for index in chosen]
    starts = np.cumsum([0, *(len(item) for item in items[:-1])])
    return torch.from_numpy(np.concatenate(items)), torch.from_numpy(starts)


@dataclass
class Read:
    """An annotated paper with its gold concepts, their roles and the relations between them."""

    doc: Doc
    view: View
    roles: list[list[bool]]
    flat: list[list[str]]
    relations: dict[tuple[int, int], set[str]]


def blank() -> Language:
    """Tokens and sentences as the shipped pipeline has them."""
    nlp = spacy.blank("en")
    nlp.tokenizer = make_tokenizer(nlp)
    nlp.add_pipe("paperkg_sentences")
    nlp.add_pipe("paperkg_mentions")
    nlp.disable_pipe("paperkg_mentions")
    return nlp


def read_gold(nlp: Language, paper: Annotated) -> Read:
    """The paper as the pipeline would see it if its tagger and abbreviations were those of the annotators."""
    source = clean(paper.text)
    doc = nlp(source.text)
    places: list[Place] = []
    entities = [(surface, label) for surface, label in paper.gold["entities"]]
    for span, label in sorted(occurrences(paper.text, entities).items()):
        start, end = source.clean_span(*span)
        tokens = doc.char_span(start, end, alignment_mode="expand")
        if tokens is not None and not (places and places[-1].end > tokens.start):
            surface = source.text[start:end]
            places.append(Place(tokens.start, tokens.end, start, end, surface, ConceptType(label)))
    doc._.introductions = tuple(introductions(doc.text))
    doc._.mentions = tuple(places)
    doc._.concepts = tuple(group_mentions(places, [(s, long) for s, long in paper.gold["aliases"]]))
    seen, features = analyse(doc)
    return Read(
        doc,
        seen,
        _gold_roles(doc._.concepts, paper),
        [item.flat for item in features],
        _gold_relations(doc._.concepts, paper),
    )


def _gold_roles(drafts: Sequence[Draft], paper: Annotated) -> list[list[bool]]:
    gold = {role: {name_key(name) for name in paper.gold["paper"].get(role, [])} for role in ROLE_LABELS}
    keys = [{name_key(form) for form in draft.forms} for draft in drafts]
    return [[not names.isdisjoint(gold[role]) for role in ROLE_LABELS] for names in keys]


def _gold_relations(drafts: Sequence[Draft], paper: Annotated) -> dict[tuple[int, int], set[str]]:
    index: dict[str, int] = {}
    for number, draft in enumerate(drafts):
        for form in draft.forms:
            index.setdefault(name_key(form), number)
    found: dict[tuple[int, int], set[str]] = {}
    for head, relation, tail in paper.gold["relations"]:
        one, other = index.get(name_key(head)), index.get(name_key(tail))
        if one is not None and other is not None and one != other:
            direction = ">" if one < other else "<"
            found.setdefault((min(one, other), max(one, other)), set()).add(relation + direction)
    return found


def train_scorers(data: Path, output: Path, *, seed: int = 1) -> None:
    """Trains both scorers on the train split and writes `roles.npz` and `relations.npz`."""
    nlp = blank()
    papers = [read_gold(nlp, paper) for paper in read_annotated(data / "annotated", "train")]
    halves = [papers[::2], papers[1::2]]
    relations = Examples()
    for half, other in (halves, halves[::-1]):
        judge = fit(_role_examples(other), ROLE_LABELS, epochs=4, seed=seed)
        for paper in half:
            _add_relations(relations, paper, judge)
    fit(_role_examples(papers), ROLE_LABELS, epochs=4, seed=seed).to_disk(output / "roles.npz")
    fit(relations, LABELS, epochs=3, seed=seed).to_disk(output / "relations.npz")


def _role_examples(papers: Iterable[Read]) -> Examples:
    examples = Examples()
    for paper in papers:
        for features, labels in zip(paper.flat, paper.roles, strict=True):
            examples.add(features, labels)
    return examples


def _add_relations(examples: Examples, paper: Read, judge: HashedLinear) -> None:
    drafts = paper.doc._.concepts
    scores = judge.probabilities(paper.flat)
    pairs, features, _ = pairs_of(paper.view, drafts, role_tags(scores, ROLE_LABELS))
    for pair, described in zip(pairs, features, strict=True):
        held = paper.relations.get(pair, set())
        examples.add(described, [label in held for label in LABELS])
