"""`kg extract`: what was read out of each paper, as JSON Lines."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import IO

import click

from kg import api
from kg.api import WorkerCount
from kg.cli.app import example, verbosity_options
from kg.cli.inputs import Rejections, read_inputs
from kg.cli.options import extraction_options, input_options
from kg.cli.progress import progress
from kg.cli.terminal import json_line

__all__ = ["extract"]


@click.command(
    epilog=example(
        "kg extract abstracts.txt > records.jsonl", "kg extract papers.bib | head -1 | python -m json.tool"
    )
)
@input_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    default="-",
    help="The file to write; compressed if it ends in .gz.  [default: standard output]",
)
@extraction_options
@verbosity_options
@click.pass_context
def extract(
    ctx: click.Context,
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    max_bytes: int | None,
    output: str,
    workers: WorkerCount,
    cache: bool,
) -> None:
    """Print what each abstract says, one JSON object a line.

    There is one record for each record of the input, in its order, with mentions, concepts, relations and
    code links; offsets count characters of its "text". docs/graph-schema.md describes the fields.
    """
    if not inputs:
        raise click.UsageError("name at least one INPUT, or - for standard input.")
    result = read_inputs(inputs, format=input_format, strict=strict, max_bytes=max_bytes)
    with _opened(output) as stream, Rejections() as rejections, progress(len(result.papers)) as advance:
        extractions = api.extract(
            result, progress=advance, workers=workers, cache=cache, on_rejected=rejections.add
        )
        for extraction in extractions:
            stream.write(json_line(extraction.to_record()))
        stream.flush()
    ctx.exit(1 if result.rejected or rejections.count else 0)


def _opened(output: str) -> AbstractContextManager[IO[bytes]]:
    from kg.files import atomic_write

    return nullcontext(sys.stdout.buffer) if output == "-" else atomic_write(output)
