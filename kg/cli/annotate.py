"""`kg annotate`: papers to annotate by hand, prefilled, and annotations from one tool to another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from kg import api
from kg.api import WorkerCount
from kg.cli.app import example, quiet, verbosity_options
from kg.cli.inputs import Rejections, name_rejected, read_inputs, warn
from kg.cli.options import LazyChoice, extraction_options, input_options
from kg.cli.progress import progress
from kg.cli.terminal import plain

if TYPE_CHECKING:
    from kg.gold import AnnotatedPaper

__all__ = ["annotate"]


def _formats() -> Iterable[str]:
    from kg.annotations import FORMATS

    return FORMATS


@click.command(
    epilog=example(
        "kg annotate papers.bib -o gold.jsonl",
        "kg annotate papers.bib -o brat",
        "kg annotate brat --from brat -o corrected.jsonl",
        "kg annotate gold.jsonl --from jsonl -o train.spacy",
    )
)
@input_options
@click.option(
    "--from",
    "source",
    type=LazyChoice(_formats),
    help="INPUT is annotated already, in this form: convert it, read nothing.",
)
@click.option(
    "--to",
    "target",
    type=LazyChoice(_formats),
    help="What to write; by default the ending of the output tells: .jsonl, .spacy, none for a brat folder.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    required=True,
    help="The file or, for brat, the folder to write. What exists is never overwritten.",
)
@extraction_options
@verbosity_options
@click.pass_context
def annotate(
    ctx: click.Context,
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    max_bytes: int | None,
    source: str | None,
    target: str | None,
    output: str,
    workers: WorkerCount,
    cache: bool,
) -> None:
    """Prefill annotations of papers, to put right by hand.

    jsonl is the form that kg evaluate takes, with the abstracts in NAME.text.jsonl beside; brat is a folder
    of standoff files, docbin is spaCy's, prodigy its tasks. With --from, what was put right in one form is
    brought into another. docs/evaluation.md says how to annotate.
    """
    from kg.annotations import format_of, require_absent, write

    if not inputs:
        raise click.UsageError("name at least one INPUT.")
    form = target or format_of(output)
    require_absent(output, format=form)
    if source is None:
        papers, rejected = _read(inputs, input_format, strict, max_bytes, workers, cache)
    else:
        papers, rejected = _convert(inputs, source)
    write(papers, output, format=form)
    if not quiet():
        click.echo(f"{len(papers):,} papers written to {plain(output)}", err=True)
    ctx.exit(1 if rejected else 0)


def _read(
    inputs: tuple[str, ...],
    input_format: str | None,
    strict: bool,
    max_bytes: int | None,
    workers: WorkerCount,
    cache: bool,
) -> tuple[list[AnnotatedPaper], int]:
    """Papers as the extractor annotates them, and how many were rejected."""
    from kg.annotations.prefill import prefilled

    result = read_inputs(inputs, format=input_format, strict=strict, max_bytes=max_bytes)
    with Rejections() as rejections, progress(len(result.papers)) as advance:
        extractions = api.extract(
            result, progress=advance, workers=workers, cache=cache, on_rejected=rejections.add
        )
        return list(prefilled(extractions)), len(result.rejected) + rejections.count


def _convert(inputs: tuple[str, ...], source: str) -> tuple[list[AnnotatedPaper], int]:
    """Papers as they were annotated, and how many were rejected."""
    from kg.annotations import read

    found = read(inputs, format=source)
    warn(found.warnings)
    name_rejected(found.rejected)
    return found.papers, len(found.rejected)
