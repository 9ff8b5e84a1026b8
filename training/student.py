"""Trains the network on annotated papers and on what the teacher thinks of others.

Annotated papers teach tags, roles and relations, the others tags alone. Every epoch ends with a checkpoint;
what is kept is a running average of the weights (Polyak and Juditsky 1992).
"""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from torch.nn import functional

from extractors.tagger import TYPES, best_tags, spans_of
from extractors.words import WordTable
from training.checkpoints import in_like_length, log, resume, save
from training.data import read_annotated
from training.gold import gold_pipeline, read_gold
from training.network import Batch, Student, export
from training.samples import Sample, collate, gold_sample, silver_sample
from training.silver import read_silver
from training.words import read_words

_JUDGED = 32

Judge: TypeAlias = Callable[[Student], dict[str, float]]

__all__ = ["Recipe", "build_student", "judge_tags", "train_student"]


@dataclass(frozen=True)
class Recipe:
    """What was chosen by measurement."""

    epochs: int = 4
    repeats: int = 2  # how often an epoch shows an annotated paper
    batch: int = 16
    rate: float = 1e-3
    decay: float = 0.01
    forget: float = 0.1
    roles: float = 0.3
    relations: float = 0.3
    warmup: int = 200


def train_student(
    model: Student,
    samples: Sequence[Sample],
    output: Path,
    recipe: Recipe,
    *,
    seed: int,
    judge: Judge,
) -> Student:
    """Trains and returns the averaged model; goes on from `output/last.pt` where there is one.

    `judge` scores the averaged model after each epoch for `output/log.jsonl`.
    """
    torch.set_flush_denormal(True)  # moments of rare words fade to numbers that are slow to reckon with
    averaged = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=recipe.decay, fused=True)
    steps = math.ceil(len(samples) / recipe.batch) * recipe.epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / recipe.warmup, 0.02 + 0.49 * (1 + math.cos(math.pi * step / steps))),
    )
    parts = {"model": model, "averaged": averaged, "optimizer": optimizer, "schedule": schedule}
    first = resume(output, parts)
    for epoch in range(first, recipe.epochs):
        torch.manual_seed(seed * 1000 + epoch)
        losses = []
        model.train()
        for batch in _batches(samples, recipe, seed * 1000 + epoch):
            losses.append(_step(model, batch, optimizer, recipe))
            schedule.step()
            _average(averaged, model, schedule.last_epoch)
        averaged.eval()
        save(output, epoch + 1, parts)
        log(output, {"epoch": epoch, "loss": np.mean(losses, 0).round(4).tolist(), **judge(averaged)})
    return averaged


def _batches(samples: Sequence[Sample], recipe: Recipe, seed: int) -> Iterator[Batch]:
    """Batches of like length in random order."""
    noise = np.random.default_rng(seed)
    lengths = [len(sample.tags) for sample in samples]
    for chosen in in_like_length(lengths, recipe.batch, random.Random(seed), mixed=30):
        yield collate([samples[index] for index in chosen], forget=recipe.forget, rng=noise)


def _step(model: Student, batch: Batch, optimizer: torch.optim.Optimizer, recipe: Recipe) -> list[float]:
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.encode(batch)
        tags = model.tag_logits(hidden)
    flat = hidden.float().flatten(0, 1)
    roles = model.role_logits(flat, batch)
    relations = model.pair_logits(flat, roles.detach(), batch)
    losses = [
        _tag_loss(tags.float(), batch),
        recipe.roles * _label_loss(roles, batch.roles),
        recipe.relations * _label_loss(relations, batch.relations),
    ]
    optimizer.zero_grad()
    torch.stack(losses).sum().backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return [float(loss.detach()) for loss in losses]


def _tag_loss(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Cross-entropy against the probabilities of the target, over all words of the batch."""
    losses = -(batch.tags * torch.log_softmax(logits, -1)).sum(-1)
    return losses.sum() / batch.mask.sum()


def _label_loss(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Binary cross-entropy summed over labels; nought where there is nothing to learn."""
    if not len(truth):
        return logits.new_zeros(())
    return functional.binary_cross_entropy_with_logits(logits, truth) * truth.shape[1]


@torch.no_grad()
def _average(averaged: Student, model: Student, step: int) -> None:
    share = min(0.998, (1 + step) / (10 + step))
    for kept, current in zip(averaged.parameters(), model.parameters(), strict=True):
        kept.lerp_(current, 1 - share)


def build_student(data: Path, work: Path, output: Path, *, seed: int) -> dict[str, float]:
    """From annotated and labelled papers to `output/network.npz`; returns its F1 by type on `dev`."""
    keys, vectors = read_words(work / "words.npz")
    table, nlp = WordTable(keys), gold_pipeline()
    gold = {
        split: [
            gold_sample(table, read_gold(nlp, paper)) for paper in read_annotated(data / "annotated", split)
        ]
        for split in ("train", "dev")
    }
    silver = [silver_sample(table, words, tags) for words, tags in read_silver(work / "silver")]
    torch.manual_seed(seed)
    model = Student(len(keys))
    model.know_words(vectors)
    judge: Judge = partial(judge_tags, samples=gold["dev"])
    recipe = Recipe()
    samples = gold["train"] * recipe.repeats + silver
    trained = train_student(model, samples, work / "student", recipe, seed=seed, judge=judge)
    export(trained, keys, output / "network.npz")
    return judge(trained)


@torch.inference_mode()
def judge_tags(model: Student, samples: Sequence[Sample]) -> dict[str, float]:
    """F1 (per cent) of the tagged spans of each type, and of all."""
    right, gold, marked = Counter[str](), Counter[str](), Counter[str]()
    for start in range(0, len(samples), _JUDGED):
        part = samples[start : start + _JUDGED]
        batch = collate(part, rng=np.random.default_rng())
        scores = torch.log_softmax(model.tag_logits(model.encode(batch)), -1).numpy()
        found = best_tags([rows[: len(sample.tags)] for rows, sample in zip(scores, part, strict=True)])
        for sample, tags in zip(part, found, strict=True):
            sequences = (sample.tags.argmax(1), tags)
            truth, spans = (set(spans_of(sequence.tolist(), TYPES)) for sequence in sequences)
            for counter, side in ((right, truth & spans), (gold, truth), (marked, spans)):
                counter.update(kind.value for _, _, kind in side)
                counter["all"] += len(side)
    return {kind: round(200 * right[kind] / (gold[kind] + marked[kind]), 1) for kind in sorted(gold)}
