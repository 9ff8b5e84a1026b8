"""Papers as the network learns from them: annotated ones, and those that the teacher labelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from extractors.judged import concepts_of, pair_candidates, pairs_between
from extractors.network import CONCEPT_FLAGS, PAIR_FLAGS, Concepts, Pairs, Rows
from extractors.relations import LABELS
from extractors.roles import ROLE_LABELS
from extractors.tagger import TAGS, word_rows
from extractors.words import COLUMNS, WordTable
from kg.schema import ConceptType, Role
from training.gold import Read
from training.network import Batch

__all__ = ["Sample", "collate", "gold_sample", "silver_sample"]

_PROPOSES = ROLE_LABELS.index(Role.PROPOSES)
_NONE = np.zeros(0, dtype=np.int64)
_NO_CONCEPTS = Concepts(_NONE, _NONE, _NONE, np.zeros((0, CONCEPT_FLAGS), dtype=np.float32))
_NO_PAIRS = Pairs(
    concepts=_NONE.reshape(0, 2),
    flags=np.zeros((0, PAIR_FLAGS), dtype=np.float32),
    mentions=_NONE.reshape(0, 2),
    mention_types=_NONE,
    pair=_NONE,
    left=_NONE,
    right=_NONE,
    swapped=_NONE.astype(np.bool_),
    distance=_NONE,
)


@dataclass
class Sample:
    """One paper. `tags` are probabilities (words, tags); silver papers have no concepts."""

    rows: Rows
    tags: NDArray[np.float16]
    concepts: Concepts = _NO_CONCEPTS
    roles: list[list[bool]] = field(default_factory=list)
    pairs: Pairs = _NO_PAIRS
    relations: list[list[bool]] = field(default_factory=list)


def silver_sample(table: WordTable, words: list[str], tags: NDArray[np.float16]) -> Sample:
    """A paper with the teacher's tag probabilities."""
    return Sample(word_rows(table, words), tags)


def gold_sample(table: WordTable, paper: Read) -> Sample:
    """An annotated paper."""
    doc, drafts, places = paper.doc, paper.doc._.concepts, paper.doc._.mentions
    central = [index for index, roles in enumerate(paper.roles) if roles[_PROPOSES]]
    candidates = pair_candidates(paper.view, drafts, central)
    return Sample(
        rows=word_rows(table, [token.text for token in doc]),
        tags=_tags(len(doc), [(place.start, place.end, place.type) for place in places]),
        concepts=concepts_of(paper.view, drafts),
        roles=paper.roles,
        pairs=pairs_between(paper.view, drafts, candidates),
        relations=[[label in paper.relations.get(pair, ()) for label in LABELS] for pair in candidates],
    )


def _tags(length: int, spans: Sequence[tuple[int, int, ConceptType]]) -> NDArray[np.float16]:
    tags = np.zeros((length, len(TAGS)), dtype=np.float16)
    tags[:, 0] = 1
    for start, end, kind in spans:
        tags[start:end] = 0
        tags[start, TAGS.index(f"B-{kind.value}")] = 1
        tags[start + 1 : end, TAGS.index(f"I-{kind.value}")] = 1
    return tags


def collate(samples: Sequence[Sample], *, forget: float = 0.0, rng: np.random.Generator) -> Batch:
    """Papers as one batch; a share of the words (`forget`) is hidden, so that affixes and shape must do."""
    longest = max(len(sample.tags) for sample in samples)
    shape = (len(samples), longest)
    rows = np.zeros((*shape, len(COLUMNS)), dtype=np.int64)
    places = np.zeros(shape, dtype=np.int64)
    mask = np.zeros((*shape, 1), dtype=np.float32)
    tags = np.zeros((*shape, samples[0].tags.shape[1]), dtype=np.float32)
    words, of_word, mentions, concepts, pairs = [], [], [], [], []
    counts = np.zeros(3, dtype=np.int64)  # concepts, mentions, pairs of concepts so far
    for index, sample in enumerate(samples):
        length, offset = len(sample.tags), index * longest
        rows[index, :length], places[index, :length] = sample.rows
        mask[index, :length], tags[index, :length] = 1, sample.tags
        words.append(sample.concepts.words + offset)
        of_word.append(counts[0] + np.repeat(np.arange(len(sample.concepts.first)), sample.concepts.sizes))
        mentions.append(sample.pairs.mentions + offset)
        concepts.append(sample.pairs.concepts + counts[0])
        pairs.append(_pair_rows(sample.pairs) + np.asarray([counts[2], counts[1], counts[1], 0, 0])[:, None])
        counts += (len(sample.concepts.first), len(sample.pairs.mentions), len(sample.pairs.concepts))
    if forget:
        rows[:, :, :2][rng.random((*shape, 2)) < forget] = 0
    return Batch(
        rows=torch.from_numpy(rows),
        places=torch.from_numpy(places),
        mask=torch.from_numpy(mask),
        tags=torch.from_numpy(tags),
        concept_words=_joined(words),
        concept_of_word=_joined(of_word),
        concept_types=_joined([sample.concepts.types for sample in samples]),
        concept_flags=_joined([sample.concepts.flags for sample in samples]),
        roles=_labels([row for sample in samples for row in sample.roles], len(ROLE_LABELS)),
        mentions=_joined(mentions),
        mention_types=_joined([sample.pairs.mention_types for sample in samples]),
        pair_concepts=_joined(concepts),
        pair_flags=_joined([sample.pairs.flags for sample in samples]),
        pairs=torch.from_numpy(np.concatenate(pairs, axis=1)),
        relations=_labels([row for sample in samples for row in sample.relations], len(LABELS)),
    )


def _pair_rows(pairs: Pairs) -> NDArray[np.int64]:
    return np.stack([pairs.pair, pairs.left, pairs.right, pairs.swapped.astype(np.int64), pairs.distance])


def _joined(parts: list[NDArray[Any]]) -> torch.Tensor:
    return torch.from_numpy(np.concatenate(parts)) if parts else torch.zeros(0, dtype=torch.long)


def _labels(rows: list[list[bool]], width: int) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float32).reshape(-1, width)
