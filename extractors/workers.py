"""The extractor in several processes: batches out, outcomes back as they are done.

Each worker is a fresh interpreter (on every system, so that no lock or thread of the caller is copied into
it) that loads the extractor once and has one batch at a time. A worker that dies costs the paper it died on:
a batch whose worker ended is read again paper by paper. Workers end with the process that started them,
however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, TypeAlias

from kg.errors import KgError, WorkerError
from kg.schema import Extraction, Paper

__all__ = ["Outcome", "Read", "Workers", "available_processors", "read_batch"]

#: What became of a paper: its extraction, or why there is none.
Outcome: TypeAlias = Extraction | str
Read: TypeAlias = Callable[[Sequence[Paper]], list[Outcome]]

#: So many workers may die in a row before the run is given up.
_DEATHS = 10
#: So many batches may be done ahead of the oldest that is not.
_LEAD = 64
_UNGUARDED = 'In a script, call it under `if __name__ == "__main__":`.'
_ONE_THREAD = (
    "BLIS_NUM_THREADS MKL_NUM_THREADS OMP_NUM_THREADS OPENBLAS_NUM_THREADS VECLIB_MAXIMUM_THREADS"
).split()


def available_processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def read_batch(papers: Sequence[Paper]) -> list[Outcome]:
    """Reads papers in this process; one that the extractor fails on costs nobody else.

    Raises:
        ModelError: the extractor's weights are missing or damaged.
    """
    from extractors import pipeline

    try:
        return list(pipeline.extract(papers))
    except KgError:
        raise
    except Exception as error:
        if len(papers) == 1:
            return [f"the extractor failed: {type(error).__name__}: {error}"]
    return [outcome for paper in papers for outcome in read_batch([paper])]


@dataclass
class _Job:
    """A batch on its way: the papers that are still to read, in parts, and what became of the others."""

    parts: deque[Sequence[Paper]]
    outcomes: list[Outcome] = field(default_factory=list)

    def lost(self, exitcode: int | None) -> None:
        """Says what happens to a part whose worker died: smaller parts, or a paper is given up."""
        part = self.parts.popleft()
        if len(part) == 1:
            self.outcomes.append(f"the extractor's process ended on it (exit code {exitcode})")
        else:
            self.parts.extendleft([paper] for paper in reversed(part))


class _Worker:
    """One process and the job that it has in hand."""

    def __init__(self, read: Read) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, read), daemon=True)
        with _no_interrupt():
            self.process.start()
        theirs.close()
        self.ready = False
        self.job: tuple[int, _Job] | None = None

    def give(self, index: int, job: _Job) -> None:
        """Hands over the first part of a job; that the worker died shows when it is asked."""
        self.job = index, job
        try:
            self.connection.send(job.parts[0])
        except OSError:
            return

    def ask(self) -> Any:
        """What the worker sent; None if it has died."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return None

    def end(self) -> None:
        """Ends the process at once."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class Workers:
    """Processes that read batches of papers; to be used in a `with` statement, which ends them.

    Args:
        count: how many processes there are at most; they start when there is work for them.
        read: what each does with a batch; a function of a module.
    """

    def __init__(self, count: int, *, read: Read = read_batch) -> None:
        self._count = count
        self._read = read
        self._workers: list[_Worker] = []
        self._deaths = 0

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def read(self, batches: Sequence[Sequence[Paper]]) -> Iterator[tuple[int, list[Outcome]]]:
        """Reads batches; gives the number of each with an outcome for each of its papers, as they are done.

        Raises:
            ModelError: the extractor's weights are missing or damaged.
            WorkerError: no worker can be started, or one after the other dies.
        """
        waiting = deque((index, _Job(deque([batch]))) for index, batch in enumerate(batches) if batch)
        while waiting or self._busy():
            self._hand_out(waiting)
            connections = {worker.connection: worker for worker in self._workers}
            for connection in wait(list(connections)):
                yield from self._heard(connections[connection], waiting)  # type: ignore[index]

    def _busy(self) -> dict[int, _Worker]:
        return {worker.job[0]: worker for worker in self._workers if worker.job}

    def _hand_out(self, waiting: deque[tuple[int, _Job]]) -> None:
        busy = self._busy()
        idle = [worker for worker in self._workers if not worker.job]
        while waiting and waiting[0][0] - min(busy, default=waiting[0][0]) < _LEAD:
            if not idle and len(self._workers) == self._count:
                return
            if not idle:
                idle.append(_Worker(self._read))
                self._workers.append(idle[-1])
            index, job = waiting.popleft()
            worker = busy[index] = idle.pop()
            worker.give(index, job)

    def _heard(
        self, worker: _Worker, waiting: deque[tuple[int, _Job]]
    ) -> Iterator[tuple[int, list[Outcome]]]:
        """Takes what a worker sent, and gives its job if that is done."""
        answer = worker.ask()
        if answer is True:
            worker.ready = True
            return
        if isinstance(answer, KgError):
            raise answer
        index, job = worker.job or (-1, _Job(deque()))
        if answer is None:
            self._bury(worker)
            if worker.job:
                job.lost(worker.process.exitcode)
        else:
            self._deaths = 0
            job.parts.popleft()
            job.outcomes += answer
        worker.job = None
        if job.parts:
            waiting.appendleft((index, job))
        elif job.outcomes:
            yield index, job.outcomes

    def _bury(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.end()
        self._deaths += 1
        code = worker.process.exitcode
        if not worker.ready:
            raise WorkerError(f"a worker process could not start (exit code {code})", hint=_UNGUARDED)
        if self._deaths >= _DEATHS:
            raise WorkerError(
                f"{_DEATHS} worker processes ended one after the other (exit code {code})",
                hint="There may be too little memory; use fewer workers.",
            )


def _serve(connection: Connection, read: Read) -> None:
    """What a worker does until its connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        connection.send(True)
        while True:
            connection.send(_answer(read, connection.recv()))
    except (EOFError, OSError):
        return


def _answer(read: Read, papers: Sequence[Paper]) -> list[Outcome] | KgError:
    try:
        return read(papers)
    except KgError as error:
        return error


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Lets a process that starts meanwhile ignore Ctrl-C from its first moment on; the caller ends it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
