"""The network of `extractors.network` in torch, for training, and its weights on disk for reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from extractors.network import CONCEPT_FLAGS, DISTANCES, HEADS, PAIR_FLAGS
from extractors.relations import LABELS
from extractors.roles import ROLE_LABELS
from extractors.tagger import TAGS
from extractors.words import COLUMNS, PLACE_ROWS
from kg.schema import ConceptType
from training.teacher import PooledDropout

__all__ = ["PLAN", "Batch", "Student", "export"]

#: Dilations of the convolutions, and 0 for self-attention.
PLAN = (1, 2, 0, 1, 2, 0, 1)
WORD_WIDTH = 128
_WIDTHS = {"word": WORD_WIDTH, "exact": 48, "prefix": 32, "stem": 32, "suffix": 32, "shape": 32}
_PLACE_WIDTH = 16
_INNER = 128
_SIDES = ("left", "right")
_TYPES = len(ConceptType)


@dataclass
class Batch:
    """Papers as tensors, padded; see `training.samples.Sample` for what they hold.

    Mentions and concepts of all papers are counted on, their words are positions in the flattened batch.
    """

    rows: torch.Tensor  # papers, words, columns
    places: torch.Tensor  # papers, words
    mask: torch.Tensor  # papers, words, 1
    tags: torch.Tensor  # papers, words, tags: probabilities
    concept_words: torch.Tensor  # flat words of concepts
    concept_of_word: torch.Tensor  # the concept of each of them
    concept_types: torch.Tensor
    concept_flags: torch.Tensor  # concepts, flags
    roles: torch.Tensor  # concepts, roles
    mentions: torch.Tensor  # mentions, 2: flat start and end
    mention_types: torch.Tensor
    pair_concepts: torch.Tensor  # pairs of concepts, 2
    pair_flags: torch.Tensor  # pairs of concepts, flags
    pairs: torch.Tensor  # 5, pairs of mentions: pair, left, right, swapped, distance
    relations: torch.Tensor  # pairs of concepts, labels


class Gate(nn.Module):
    """A gated convolution with a residual connection."""

    def __init__(self, width: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.conv = nn.Conv1d(width, 2 * width, 3, padding=dilation, dilation=dilation)
        self.dropout = PooledDropout(dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(papers, words, width) in and out."""
        open_, value = self.conv((self.norm(x) * mask).transpose(1, 2)).transpose(1, 2).chunk(2, -1)
        return x + self.dropout(torch.relu(open_) * value)


class Attention(nn.Module):
    """Self-attention over the paper with a residual connection."""

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.dropout = PooledDropout(dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(papers, words, width) in and out."""
        papers, words, width = x.shape
        q, k, v = (
            part.view(papers, words, HEADS, width // HEADS).transpose(1, 2)
            for part in self.qkv(self.norm(x)).chunk(3, -1)
        )
        hidden = (mask[:, None, None, :, 0] - 1) * 1e4
        scores = q @ k.transpose(2, 3) / (width // HEADS) ** 0.5 + hidden
        mixed = torch.softmax(scores, -1).to(v.dtype) @ v
        return x + self.dropout(self.out(mixed.transpose(1, 2).reshape(papers, words, width)))


class Student(nn.Module):
    """Embeddings, layers, and the heads for tags, roles and relations."""

    def __init__(
        self,
        words: int,
        *,
        tags: int = len(TAGS),
        width: int = 192,
        dropout: float = 0.2,
        plan: Sequence[int] = PLAN,
    ) -> None:
        super().__init__()
        self.plan = tuple(plan)
        sizes = COLUMNS | {"word": words + 1}
        self.tables = nn.ModuleDict({name: nn.Embedding(sizes[name], _WIDTHS[name]) for name in COLUMNS})
        self.place = nn.Embedding(PLACE_ROWS, _PLACE_WIDTH)
        self.join = nn.Linear(sum(_WIDTHS.values()) + _PLACE_WIDTH, width)
        self.dropout = PooledDropout(dropout)
        self.layers = nn.ModuleList(
            [Gate(width, n, dropout) if n else Attention(width, dropout) for n in plan]
        )
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.head = nn.Linear(width, tags)
        self.role_join = nn.Linear(2 * width, _INNER)
        self.role_flags = nn.Linear(CONCEPT_FLAGS, _INNER, bias=False)
        self.role_type = nn.Embedding(_TYPES, _INNER)
        self.role_out = nn.Linear(_INNER, len(ROLE_LABELS))
        for side in _SIDES:
            setattr(self, f"pair_{side}", nn.Linear(width, _INNER, bias=False))
            setattr(self, f"pair_{side}_concept", nn.Linear(width + len(ROLE_LABELS), _INNER, bias=False))
            setattr(self, f"pair_{side}_type", nn.Embedding(_TYPES, _INNER))
        self.pair_between = nn.Linear(width, _INNER)
        self.pair_flags = nn.Linear(PAIR_FLAGS, _INNER, bias=False)
        self.pair_distance = nn.Embedding(DISTANCES, _INNER)
        self.pair_out = nn.Linear(_INNER, len(LABELS))
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)

    def know_words(self, vectors: NDArray[np.float32]) -> None:
        """Starts from what is known of each word (words, width); an unknown word is nought."""
        weight = self.tables["word"].weight.data
        weight[0] = 0
        weight[1:] = torch.from_numpy(vectors)

    def encode(self, batch: Batch) -> torch.Tensor:
        """A vector for each word: (papers, words, width)."""
        parts = [table(batch.rows[:, :, index]) for index, table in enumerate(self.tables.values())]
        x = self.join(self.dropout(torch.cat([*parts, self.place(batch.places)], -1))) * batch.mask
        for layer in self.layers:
            x = layer(x, batch.mask)
        return self.norm(x)

    def tag_logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """(papers, words, tags)."""
        return self.head(self.dropout(hidden))

    def role_logits(self, flat: torch.Tensor, batch: Batch) -> torch.Tensor:
        """(concepts, roles), of the flattened vectors."""
        pooled = self.dropout(torch.cat([pool(flat, batch, how) for how in ("mean", "amax")], -1))
        inner = self.role_join(pooled) + self.role_flags(batch.concept_flags)
        return self.role_out(self.dropout(torch.relu(inner + self.role_type(batch.concept_types))))

    def pair_logits(self, flat: torch.Tensor, roles: torch.Tensor, batch: Batch) -> torch.Tensor:
        """(pairs of concepts, labels), of the flattened vectors: the best of what pairs of mentions say."""
        known = torch.cat([pool(flat, batch, "mean"), torch.sigmoid(roles)], -1)
        sums = torch.cat([flat.new_zeros((1, flat.shape[1])), flat.cumsum(0)])
        start, end = batch.mentions.unbind(1)
        spoken = (sums[end] - sums[start]) / (end - start)[:, None]
        pair, left, right, swapped, distance = batch.pairs.unbind(0)
        begin, stop = end[left], start[right]
        between = (sums[stop] - sums[begin]) / (stop - begin).clamp(min=1)[:, None]
        inner = self.pair_between(self.dropout(between)) + self.pair_distance(distance)
        for side, mention, column in (("left", left, swapped), ("right", right, 1 - swapped)):
            said, types, concept = (getattr(self, f"pair_{side}{part}") for part in ("", "_type", "_concept"))
            inner = inner + (said(self.dropout(spoken)) + types(batch.mention_types))[mention]
            inner = inner + concept(self.dropout(known))[batch.pair_concepts[pair, column]]
        flags = batch.pair_flags[pair]
        turned_flags = torch.cat([flags[:, [1, 0]], flags[:, 2:]], -1)
        inner = inner + self.pair_flags(torch.where(swapped[:, None].bool(), turned_flags, flags))
        logits = self.pair_out(self.dropout(torch.relu(inner)))
        turned = logits.view(-1, logits.shape[1] // 2, 2).flip(-1).reshape(logits.shape)
        said = torch.where(swapped[:, None].bool(), turned, logits)
        found = logits.new_full((len(batch.relations), logits.shape[1]), -10.0)
        return found.scatter_reduce(0, pair[:, None].expand(-1, logits.shape[1]), said, "amax")


def pool(flat: torch.Tensor, batch: Batch, how: str) -> torch.Tensor:
    """Mean or largest values ("mean", "amax") of the vectors of each concept's words."""
    words = flat[batch.concept_words]
    index = batch.concept_of_word[:, None].expand(-1, flat.shape[1])
    empty = flat.new_zeros((len(batch.concept_types), flat.shape[1]))
    return empty.scatter_reduce(0, index, words, how, include_self=False)


def export(model: Student, keys: NDArray[np.uint32], path: Path) -> None:
    """Writes the weights as `extractors.network.Network` reads them, in half precision."""
    found = {name: tensor.detach().float().numpy() for name, tensor in model.state_dict().items()}
    weights: dict[str, NDArray[Any]] = {
        f"tables.{index}": found[f"tables.{name}.weight"] for index, name in enumerate(COLUMNS)
    }
    weights["place"] = found["place.weight"]
    renamed = {
        "join": "join",
        "head": "head",
        "role_join": "roles.join",
        "role_out": "roles.out",
        "pair_between": "pairs.between",
        "pair_out": "pairs.out",
    }
    for name, stored in renamed.items():
        weights |= _linear(stored, found[f"{name}.weight"], found[f"{name}.bias"])
    sides = [f"pair.{side}{part}" for side in _SIDES for part in ("", "_concept")]
    for name in ("role.flags", "pair.flags", *sides):
        head, _, part = name.partition(".")
        weights[f"{head}s.{part}"] = found[f"{head}_{part}.weight"].T
    for side in _SIDES:
        weights[f"pairs.{side}_type"] = found[f"pair_{side}_type.weight"]
    weights["roles.type"] = found["role_type.weight"]
    weights["pairs.distance"] = found["pair_distance.weight"]
    for index, dilation in enumerate(model.plan):
        name = f"layers.{index}"
        if dilation:
            weights[f"{name}.conv"] = found[f"{name}.conv.weight"].transpose(2, 1, 0)
            weights[f"{name}.bias"] = found[f"{name}.conv.bias"]
        else:
            weights |= _attention(name, found)
    half: dict[str, Any] = {name: value.astype(np.float16) for name, value in weights.items()}
    np.savez_compressed(path, words=keys, plan=np.asarray(model.plan, dtype=np.int8), **half)


def _linear(name: str, weight: NDArray[Any], bias: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {f"{name}.weight": weight.T, f"{name}.bias": bias}


def _attention(name: str, found: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The two linear layers; the queries are scaled already."""
    weight, bias = found[f"{name}.qkv.weight"].copy(), found[f"{name}.qkv.bias"].copy()
    width = weight.shape[1]
    scale = (width // HEADS) ** -0.5
    weight[:width] *= scale
    bias[:width] *= scale
    out = _linear(f"{name}.out", found[f"{name}.out.weight"], found[f"{name}.out.bias"])
    return _linear(f"{name}.qkv", weight, bias) | out
