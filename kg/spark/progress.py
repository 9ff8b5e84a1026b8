"""What a build on Spark is doing: its step, and how many of the step's tasks are done."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SECONDS", "Steps"]

#: Between two lines.
SECONDS = 5.0


class Steps:
    """Tells each step as it begins and, every few seconds, how far it is; to be used in a `with` statement.

    Args:
        spark: the session that works.
        tell: called with each line; also from another thread.
        seconds: how long to wait between two lines.
    """

    def __init__(
        self, spark: SparkSession, tell: Callable[[str], object], *, seconds: float = SECONDS
    ) -> None:
        self._context = spark.sparkContext
        self._tell, self._seconds = tell, seconds
        self._name = self._last = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def begin(self, name: str) -> None:
        """Begins a step; Spark's own pages show its name, too."""
        self._name = name
        self._context.setJobDescription(name)
        self._tell(name)

    def _watch(self) -> None:
        while not self._over.wait(self._seconds):
            line = self._line()
            if line and line != self._last:
                self._tell(line)
            self._last = line

    def _line(self) -> str:
        """The step with its tasks; empty where nothing runs."""
        tracker = self._context.statusTracker()
        found = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        stages = [stage for stage in found if stage is not None]
        total = sum(stage.numTasks for stage in stages)
        done = sum(stage.numCompletedTasks for stage in stages)
        return f"{self._name}: {done:,} of {total:,} tasks" if total else ""
