"""What a command costs: it runs in a process of its own; its clock, its processor time and its memory count.

Memory is the largest sum of what the command and its workers had resident at one moment; pages that they
share count for each of them. It is looked up in `/proc` (0 where there is none).
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Spent", "family", "run", "spent_by"]

_ROOT = Path(__file__).resolve().parents[1]
#: Seconds between two looks at the memory.
_PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the clock, seconds of the processor, and megabytes."""

    wall: float
    cpu: float
    peak: float


def run(*arguments: str, folder: Path) -> Spent:
    """Runs `kg` in a folder, whose subfolder `cache` is its cache.

    Raises:
        RuntimeError: the command failed.
    """
    return spent_by([sys.executable, "-m", "kg", *arguments], folder)


def spent_by(command: list[str], folder: Path) -> Spent:
    """Runs any command; its output goes nowhere.

    Raises:
        RuntimeError: the command failed.
    """
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "KG_CACHE": str(folder / "cache")}
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    memory = _Memory(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    peak = memory.end()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with {process.returncode}")
    return Spent(wall, usage.ru_utime + usage.ru_stime, peak)


class _Memory:
    """Watches a process and its children in a thread."""

    def __init__(self, pid: int) -> None:
        self._pid, self._peak = pid, 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(_PAUSE):
            self._peak = max(self._peak, sum(map(_resident, family(self._pid))))

    def end(self) -> float:
        """Stops watching; gives the megabytes."""
        self._ended.set()
        self._thread.join()
        return self._peak / 1e6


def family(pid: int) -> Iterator[int]:
    """A process and what descends from it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _text(children).split():
            yield from family(int(child))


def _resident(pid: int) -> int:
    pages = _text(Path(f"/proc/{pid}/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # it ended meanwhile
        return ""
