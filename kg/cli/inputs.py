"""Reading inputs for a command: what the reader had to say goes to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from kg import api
from kg.cli.app import Failure, quiet
from kg.cli.terminal import plain
from kg.schema import Rejected

if TYPE_CHECKING:
    from kg.readers import ReadResult

__all__ = ["SHOWN", "Rejections", "name_rejected", "read_inputs", "warn"]

#: So many rejected records are named; the rest is counted.
SHOWN = 20


def read_inputs(
    inputs: Sequence[str], *, format: str | None, strict: bool, max_bytes: int | None
) -> ReadResult:
    """Reads the inputs and names every record that could not be read.

    Raises:
        Failure: a record was rejected and `strict` is set.
        InputError: an input cannot be read at all.
    """
    result = api.read(inputs, format=format, stdin=sys.stdin.buffer, max_bytes=max_bytes)
    warn(result.warnings)
    if strict and result.rejected:
        raise Failure(f"rejected {result.rejected[0]}", "Without --strict the other records are read.")
    name_rejected(result.rejected)
    return result


def warn(lines: Iterable[str]) -> None:
    """Shows warnings, unless nothing is to be shown."""
    if not quiet():
        for line in lines:
            click.echo(f"Warning: {plain(line)}", err=True)


def name_rejected(records: Iterable[Rejected]) -> None:
    """Names rejected records that are known already."""
    with Rejections() as rejections:
        for record in records:
            rejections.add(record)


class Rejections:
    """Names rejected records as they come, the first ones one by one, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> Rejections:
        return self

    def __exit__(self, *error: object) -> None:
        if self.count > SHOWN:
            click.echo(f"… and {self.count - SHOWN:,} more rejected records", err=True)

    def add(self, record: Rejected) -> None:
        """Takes one more."""
        self.count += 1
        if self.count <= SHOWN:
            click.echo(f"Rejected {plain(record)}", err=True)
