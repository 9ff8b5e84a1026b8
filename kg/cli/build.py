"""`kg build`: from lists of abstracts to a graph file."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from kg.api import WorkerCount
from kg.cli.app import example, verbosity_options
from kg.cli.engine import build_on_spark, check_engine, engine_options
from kg.cli.inputs import Rejections, read_inputs
from kg.cli.options import extraction_options, input_options
from kg.cli.outputs import finish
from kg.cli.progress import progress

if TYPE_CHECKING:
    from kg.rules import Rules

__all__ = ["build"]

_NO_INPUT = (
    "name at least one INPUT. To try it with the papers that come along: "
    "kg seeds && kg build seeds -o graph.json"
)


@click.command(
    epilog=example(
        "kg build papers.bib list.jsonl -o graph.json",
        "zcat dump.jsonl.gz | kg build - --format jsonl -o graph.json.gz",
        'kg build "hdfs:///papers/*.jsonl.gz" --engine spark --master yarn -o hdfs:///graph',
    )
)
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    default="graph.json",
    show_default=True,
    help="The graph file; compressed if it ends in .gz; - is standard output. With --engine spark, a folder.",
)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SCORE",
    help="Leave out concepts, roles and relations that score less.",
)
@click.option(
    "--rules",
    type=click.Path(),
    metavar="FILE",
    help="What a person says of names and papers, as TOML; it wins over everything. See docs/rules.md.",
)
@extraction_options
@engine_options
@verbosity_options
@click.pass_context
def build(
    ctx: click.Context,
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    max_bytes: int | None,
    output: str,
    min_score: float,
    rules: str | None,
    workers: WorkerCount,
    cache: bool,
    engine: str,
    master: str | None,
    resume: bool,
) -> None:
    """Build a graph from lists of abstracts.

    INPUT is a file, a folder, or - for standard input: text lists, Markdown, JSON, JSON Lines, CSV, TSV,
    BibTeX, RIS, Atom, RSS and OAI-PMH, plain or compressed, any number of them. A paper that stands in
    several inputs becomes one.

    What was read is kept: of a list that was built before, only new and changed papers are read, and after
    an interruption the same command goes on where it was. The same build again is a copy.

    For more papers than one machine reads, --engine spark does the same on a cluster, and writes a folder of
    Parquet tables and of files for neo4j-admin. See docs/scale.md.
    """
    if not inputs:
        raise click.UsageError(_NO_INPUT)
    start = time.monotonic()
    check_engine(ctx)
    if engine == "spark":
        from kg.spark.engine import Job

        job = Job(
            inputs=inputs,
            output=output,
            format=input_format,
            max_bytes=max_bytes,
            min_score=min_score,
            rules=_load(rules),
            resume=resume,
            strict=strict,
        )
        build_on_spark(ctx, job, master=master, start=start)
    from kg.built import build_file
    from kg.extraction import Reading
    from kg.store import no_collection

    told = _load(rules)
    result = read_inputs(inputs, format=input_format, strict=strict, max_bytes=max_bytes)
    with Rejections() as rejections, progress(len(result.papers)) as advance, no_collection():
        reading = Reading(
            workers=workers,
            cache=cache,
            progress=advance,
            on_rejected=rejections.add,
            places=result.places,
        )
        file = build_file(result.papers, reading=reading, min_score=min_score, rules=told)
    finish(ctx, file, output, rejected=len(result.rejected) + rejections.count, start=start)


def _load(path: str | None) -> Rules:
    """The rules of a file, before anything is read: a mistake in them shows at once."""
    from kg.rules import NO_RULES, load_rules

    return NO_RULES if path is None else load_rules(path)
