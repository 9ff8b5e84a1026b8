"""`kg build --engine spark`: its options, what does not go together, and how it tells what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from kg.cli.app import quiet
from kg.cli.inputs import name_rejected, warn
from kg.cli.terminal import console, grid, section

if TYPE_CHECKING:
    from kg.spark.engine import Job, Result

__all__ = ["build_on_spark", "check_engine", "engine_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

#: Options that only the engine memory has, and what stands in for them.
_IN_MEMORY = {
    "workers": "Spark says how many processes read (--master, spark.executor.cores)",
    "cache": "what was read is kept in the folder that is built (--resume)",
}
_ON_SPARK = ("master", "resume")


def engine_options(command: _Command) -> _Command:
    """Adds --engine, --master and --resume."""
    engine = click.option(
        "--engine",
        type=click.Choice(["memory", "spark"]),
        default="memory",
        show_default=True,
        help='What builds: this process, or Apache Spark (pip install "paperkg[spark]", and Java 17).',
    )
    master = click.option(
        "--master",
        metavar="URL",
        help="With --engine spark, where Spark runs: local[4], spark://HOST:7077, yarn, …  [default: "
        "what Spark's configuration says, else all cores of this machine]",
    )
    resume = click.option(
        "--resume",
        is_flag=True,
        help="With --engine spark, go on with what an interrupted build of the same inputs has read.",
    )
    return engine(master(resume(command)))


def check_engine(ctx: click.Context) -> None:
    """Refuses options that the engine does not have.

    Raises:
        UsageError: one was given.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if ctx.params["engine"] == "spark":
        _check_spark(given, ctx.params["inputs"], ctx.params["output"])
        return
    for name in _ON_SPARK:
        if name in given:
            raise click.UsageError(f"--{name} goes with --engine spark.")
    if ctx.params["output"] != "-" and Path(ctx.params["output"]).is_dir():
        raise click.UsageError(f"-o: {ctx.params['output']!r} is a folder; name a file.")


def _check_spark(given: set[str], inputs: Sequence[str], output: str) -> None:
    for name, instead in _IN_MEMORY.items():
        if name in given:
            option = "--no-cache" if name == "cache" else f"--{name}"
            raise click.UsageError(f"{option} does not go with --engine spark: {instead}.")
    if "-" in inputs:
        raise click.UsageError("--engine spark reads no standard input: name files that executors see.")
    if "output" not in given or output == "-":
        raise click.UsageError("--engine spark writes a folder: name it with -o DIR.")


def build_on_spark(ctx: click.Context, job: Job, *, master: str | None, start: float) -> None:
    """Builds, sums up on standard error, and ends the command.

    Args:
        ctx: the command's context.
        job: what to build.
        master: where Spark runs; None is what its configuration says.
        start: when the command began, on the monotonic clock.
    """
    from kg.spark.session import open_session

    with open_session(master) as spark:
        from kg.spark.engine import build

        result = build(spark, job, tell=_silent if quiet() else _tell)
    _report(result)
    if not quiet():
        _summarize(result, job.output, time.monotonic() - start)
    ctx.exit(1 if result.counts["rejected"] else 0)


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _silent(line: str) -> None:
    """Shows nothing."""


def _report(result: Result) -> None:
    """Names what was rejected, and what is to be said of files."""
    warn(result.warnings)
    name_rejected(result.rejected)
    more = result.counts["rejected"] - len(result.rejected)
    if more:
        click.echo(f"… and {more:,} more rejected records, in rejected.parquet", err=True)


def _summarize(result: Result, output: str, seconds: float) -> None:
    counts = result.counts
    rows = {
        "Nodes": f"{counts['nodes']:,}",
        "Relations": f"{counts['edges']:,}",
        "Rejected records": f"{counts['rejected']:,}",
        "Time": f"{seconds:.1f} s",
        "Written to": output,
    }
    section(console(stderr=True), grid(rows))
