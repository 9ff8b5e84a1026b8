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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Spent", "family", "kilobytes", "run", "size", "spent_by", "watching"]

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
    peak = 0

    def look() -> None:
        nonlocal peak
        peak = max(peak, sum(map(_resident, family(process.pid))))

    with watching(look, _PAUSE):
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed with {process.returncode}")
    return Spent(wall, usage.ru_utime + usage.ru_stime, peak / 1e6)


@contextmanager
def watching(look: Callable[[], object], pause: float) -> Iterator[None]:
    """Looks every so many seconds, in a thread of its own."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(pause):
            look()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def family(pid: int) -> Iterator[int]:
    """A process and what descends from it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _text(children).split():
            yield from family(int(child))


def kilobytes(pid: int, file: str, field: str) -> int:
    """What a file of `/proc` says of a process; 0 where it ended meanwhile."""
    lines = _text(Path(f"/proc/{pid}/{file}")).splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{field}:")), 0)


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _resident(pid: int) -> int:
    pages = _text(Path(f"/proc/{pid}/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") if len(pages) > 1 else 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:  # it ended meanwhile
        return ""
