"""`python -m training`: from annotated abstracts to the model in `extractors/models/`, in steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

_HERE = Path(__file__).parent
_VERSION = "4"

_OPTIONS = [
    click.option(
        "--data",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        default=_HERE.parents[1] / "shared" / "data",
        show_default=True,
        help="The folder with annotated/ and corpus.jsonl.gz.",
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
def words(data: Path, work: Path, output: Path, seed: int) -> None:
    """The words of the corpus, and the base model's vectors for them (minutes)."""
    from extractors.pipeline import blank
    from training.network import WORD_WIDTH
    from training.teacher import unpack_base
    from training.words import write_words

    work.mkdir(parents=True, exist_ok=True)
    click.echo(write_words(blank(), data, unpack_base(work), work / "words.npz", WORD_WIDTH))


@main.command()
@_options
def teacher(data: Path, work: Path, output: Path, seed: int) -> None:
    """Fine-tune the teacher (two hours on two cores; goes on where it was stopped)."""
    from extractors.pipeline import blank
    from training.data import gold_doc, read_annotated
    from training.teacher import train_teacher, unpack_base

    nlp = blank()
    docs = [gold_doc(nlp, paper) for paper in read_annotated(data / "annotated", "train")]
    train_teacher(docs, unpack_base(work), work / "teacher", seed=seed)


@main.command()
@_options
@click.option("--papers", default=20_480, show_default=True, help="How many abstracts to label.")
def silver(data: Path, work: Path, output: Path, seed: int, papers: int) -> None:
    """Label abstracts of the corpus with the teacher (ten a second on two cores; goes on likewise)."""
    from extractors.pipeline import blank
    from training.silver import label
    from training.teacher import load_teacher, unpack_base

    judge = load_teacher(unpack_base(work), work / "teacher")
    for done in label(blank(), judge, data, work / "silver", number=papers):
        click.echo(done)


@main.command()
@_options
def student(data: Path, work: Path, output: Path, seed: int) -> None:
    """Train the network that is shipped (half an hour on two cores; goes on likewise)."""
    from training.student import build_student

    click.echo(build_student(data, work, output, seed=seed))


@main.command()
@_options
def types(data: Path, work: Path, output: Path, seed: int) -> None:
    """Settle the types of names that annotators agree on."""
    from training.types import settle_types

    settle_types(data, output)


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
    from training.card import measure

    for name, counts in measure(data, output, split=split).scores.items():
        row = counts.to_record()
        click.echo(f"{name:18} P {row['P']:5.1f}  R {row['R']:5.1f}  F1 {row['F1']:5.1f}  of {row['gold']:5}")


@main.command()
@_options
def card(data: Path, work: Path, output: Path, seed: int) -> None:
    """Write the measured part of the model card."""
    from training.card import write_card

    write_card(data, output)


@main.command()
@_options
def scierc(data: Path, work: Path, output: Path, seed: int) -> None:
    """The same recipe on the public benchmark SciERC: F1 on its test split (half an hour)."""
    from training.scierc import run

    click.echo(run(data, work, seed=seed))


@main.command(name="all")
@_options
@click.pass_context
def everything(ctx: click.Context, /, **options: Any) -> None:
    """Every step: words, teacher, silver, student, types, package, card, evaluate."""
    options["output"].mkdir(parents=True, exist_ok=True)
    for command in (words, teacher, silver, student, types, package, card):
        ctx.invoke(command, **options)
    ctx.invoke(evaluate, split="dev", **options)


if __name__ == "__main__":
    main()
