"""`python -m training`: from annotated abstracts to the model in `extractors/models/`, in steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

_HERE = Path(__file__).parent
_VERSION = "1"

_OPTIONS = [
    click.option(
        "--data",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=_HERE.parents[1] / "shared" / "data",
        show_default=True,
        help="The folder with annotated/.",
    ),
    click.option(
        "--work",
        type=click.Path(file_okay=False, path_type=Path),
        default=_HERE / "work",
        show_default=True,
        help="Where checkpoints and intermediate files go.",
    ),
    click.option(
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        default=_HERE.parent / "extractors" / "models",
        show_default=True,
        help="The folder of the finished model.",
    ),
    click.option("--seed", default=1, show_default=True, help="Of every random choice."),
]


def _options(command: Any) -> Any:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Train the extractor. `all` does every step; each can be repeated alone."""


@main.command()
@_options
def prepare(data: Path, work: Path, output: Path, seed: int) -> None:
    """Annotated abstracts to spaCy documents."""
    from training.prepare import prepare as run

    click.echo(run(data, work))


@main.command()
@_options
def tagger(data: Path, work: Path, output: Path, seed: int) -> None:
    """Train the tagger (about half an hour on one core)."""
    from training.tagger import train_tagger

    train_tagger(work, output, seed=seed)


@main.command()
@_options
def types(data: Path, work: Path, output: Path, seed: int) -> None:
    """Settle the types of names that annotators agree on."""
    from training.types import settle_types

    settle_types(data, output)


@main.command()
@_options
def scorers(data: Path, work: Path, output: Path, seed: int) -> None:
    """Train the scorers of roles and relations (minutes; needs torch)."""
    from training.scorers import train_scorers

    train_scorers(data, output, seed=seed)


@main.command()
@_options
def package(data: Path, work: Path, output: Path, seed: int) -> None:
    """Choose thresholds and write the card."""
    from training.package import package as run

    click.echo(run(data, output, version=_VERSION))


@main.command()
@_options
@click.option("--split", default="dev", show_default=True, help="Which annotated papers.")
def evaluate(data: Path, work: Path, output: Path, seed: int, split: str) -> None:
    """Print precision, recall and F1 of everything that is annotated."""
    from training.package import evaluate as run

    for name, row in run(data, output, split=split).items():
        click.echo(f"{name:18} P {row['P']:5.1f}  R {row['R']:5.1f}  F1 {row['F1']:5.1f}  of {row['gold']:5}")


@main.command(name="all")
@_options
@click.pass_context
def everything(ctx: click.Context, /, **options: Any) -> None:
    """Every step: prepare, tagger, types, scorers, package, evaluate."""
    options["output"].mkdir(parents=True, exist_ok=True)
    for command in (prepare, tagger, types, scorers, package):
        ctx.invoke(command, **options)
    ctx.invoke(evaluate, split="dev", **options)


if __name__ == "__main__":
    main()
