"""From papers to extractions: out of the cache, else read here or in several processes.

What is read is kept batch by batch as it is done, so that a run that is killed loses at most the batches in
hand. If the cache has everything, neither the extractor nor a process is started.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extractors import version
from extractors.workers import Outcome, Workers, available_processors, read_batch
from kg.cache import Cache
from kg.readers.base import Place, place_key
from kg.schema import Extraction, Paper, Rejected

if TYPE_CHECKING:
    from kg.api import OnRejected, Progress, WorkerCount

__all__ = ["Reading", "read_papers", "worker_count"]

_LOG = logging.getLogger("kg")

#: Papers that are read together, and lost together when a run is killed.
_BATCH = 32
#: Papers that are fetched from the cache together.
_WINDOW = 512
#: A process that reads fewer papers spends more time on starting than on reading.
_WORTH_A_WORKER = 100


def worker_count(wanted: WorkerCount, papers: int) -> int:
    """How many processes to start for so many papers; 1 is to read in this one.

    >>> worker_count(4, 1000), worker_count(4, 40), worker_count("auto", 40)
    (4, 2, 1)
    """
    if wanted == "auto":
        return max(1, min(available_processors(), papers // _WORTH_A_WORKER))
    return max(1, min(wanted, -(-papers // _BATCH)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How papers are read: see `kg.extract`.

    `cache` may be one that is open already; `places` are those of `kg.readers.ReadResult`.
    """

    workers: WorkerCount = 1
    cache: bool | Cache = True
    progress: Progress | None = None
    on_rejected: OnRejected | None = None
    places: Mapping[str, Place] = field(default_factory=dict)

    def pairs(self, papers: Sequence[Paper]) -> Iterator[tuple[Paper, Extraction]]:
        """Gives each paper with its extraction, in order; those that the extractor fails on are rejected."""
        outcomes = read_papers(papers, workers=self.workers, cached=self.cache)
        for done, (paper, outcome) in enumerate(outcomes, start=1):
            if isinstance(outcome, Extraction):
                yield paper, outcome
            else:
                self._reject(self._rejected(paper, outcome))
            if self.progress is not None:
                self.progress(done, len(papers))

    def _rejected(self, paper: Paper, reason: str) -> Rejected:
        """Names a paper by its place; by its id where nobody knows it."""
        if place := self.places.get(place_key(paper)):
            return Rejected(*place, f"record {paper.record_id!r}: {reason}")
        return Rejected(paper.record_id, None, reason)

    def _reject(self, rejected: Rejected) -> None:
        if self.on_rejected is not None:
            self.on_rejected(rejected)
        else:
            _LOG.warning("rejected %s", rejected)


def read_papers(
    papers: Sequence[Paper], *, workers: WorkerCount = 1, cached: bool | Cache = True
) -> Iterator[tuple[Paper, Outcome]]:
    """Gives each paper, in order, with its extraction, or with the reason why there is none.

    Args:
        papers: what to read.
        workers: how many processes read.
        cached: whether to take from the cache what it has, and to keep there what is read; or an open one.

    Raises:
        ModelError: the extractor's weights are missing or damaged.
        WorkerError: processes cannot be started.
    """
    with ExitStack() as stack:
        cache = cached if isinstance(cached, Cache) else None
        if cached is True:
            cache = stack.enter_context(Cache(version.extractor_version()))
        known = cache.known(papers) if cache else [False] * len(papers)
        missing = [paper for paper, hit in zip(papers, known, strict=True) if not hit]
        _LOG.info("%d of %d papers to read", len(missing), len(papers))
        fresh = _fresh(missing, cache, worker_count(workers, len(missing)))
        for start in range(0, len(papers), _WINDOW):
            window = list(zip(papers[start : start + _WINDOW], known[start : start + _WINDOW], strict=True))
            kept = iter(cache.get([paper for paper, hit in window if hit]) if cache else ())
            for paper, hit in window:
                found = next(kept) if hit else next(fresh)
                # What was damaged, or cleared by another process, is read again.
                yield paper, next(_fresh([paper], cache, 1)) if found is None else found


def _fresh(papers: Sequence[Paper], cache: Cache | None, workers: int) -> Iterator[Outcome]:
    """Reads papers batch by batch; outcomes come in the papers' order and are kept before."""
    batches = [papers[start : start + _BATCH] for start in range(0, len(papers), _BATCH)]
    done: dict[int, list[Outcome]] = {}
    upcoming = 0
    for index, outcomes in _read(batches, workers):
        if cache:
            cache.put(
                (paper, outcome)
                for paper, outcome in zip(batches[index], outcomes, strict=True)
                if isinstance(outcome, Extraction)
            )
        done[index] = outcomes
        while upcoming in done:
            yield from done.pop(upcoming)
            upcoming += 1


def _read(batches: Sequence[Sequence[Paper]], workers: int) -> Iterator[tuple[int, list[Outcome]]]:
    if workers == 1:
        for index, batch in enumerate(batches):
            yield index, read_batch(batch)
        return
    with Workers(workers) as pool:
        yield from pool.read(batches)
