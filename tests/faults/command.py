"""The command line in a process of its own, with streams, limits and an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["run"]

_ROOT = Path(__file__).resolve().parents[2]


def run(
    *arguments: str,
    cwd: Path,
    streams: str = "",
    environment: Mapping[str, str] | None = None,
    before: Callable[[], object] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Runs `kg` over the quick extractor.

    Args:
        arguments: those of the command line.
        cwd: the folder.
        streams: redirections of a shell, such as `>&-`.
        environment: what the process knows besides PATH; by default what this one does.
        before: called in the new process before it becomes `kg`.
    """
    own = dict(os.environ) if environment is None else {"PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "-m", "tests.cli.fake", *arguments]
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {streams}', "sh", *command],
        capture_output=True,
        cwd=cwd,
        env={**own, "PYTHONPATH": str(_ROOT)},
        preexec_fn=before,
        timeout=120,
        check=False,
    )
