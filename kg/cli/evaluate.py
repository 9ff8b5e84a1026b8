"""`kg evaluate`: how right the extractor is on annotated papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from kg import api
from kg.api import WorkerCount
from kg.cli.app import Failure, example, quiet, verbosity_options
from kg.cli.inputs import Rejections
from kg.cli.options import extraction_options
from kg.cli.progress import progress
from kg.cli.terminal import console, plain, print_json, section, table

if TYPE_CHECKING:
    from kg.evaluation import Counts, Difference, Evaluation, Interval, PaperScore
    from kg.gold import Lines, Reading
    from kg.schema import Paper

__all__ = ["evaluate"]

#: So many ids of a list are named.
_NAMED = 5
#: A title, its columns ("left", "right" or "grow") and rows.
_Table = tuple[str, Sequence[tuple[str, str]], list[list[str]]]
_LABELS = {
    "mentions4": "– no Terms",
    "concepts4": "– no Terms",
    "names4": "– names only",
    "relation pairs": "– names only",
}


@click.command(
    epilog=example(
        "kg evaluate my.text.jsonl my.gold.jsonl --intervals",
        "kg evaluate my.text.jsonl my.gold.jsonl --pred records.jsonl --worst 5 --errors",
    )
)
@click.argument("text_path", metavar="TEXT", type=click.Path(allow_dash=True))
@click.argument("gold_path", metavar="GOLD", type=click.Path(allow_dash=True))
@click.option(
    "--pred",
    "predicted_path",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="What was read, as kg extract prints it or in the form of GOLD; by default TEXT is read now.",
)
@click.option("--intervals", is_flag=True, help="Add 95 % confidence intervals (bootstrap over papers).")
@click.option(
    "--worst",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Show so many of the papers of lowest F1.",
)
@click.option("--errors", is_flag=True, help="Show everything that was missed or is wrong.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json", "markdown"]),
    default="table",
    show_default=True,
    help="Tables for people, one JSON object for programs, or Markdown.",
)
@extraction_options
@verbosity_options
@click.pass_context
def evaluate(
    ctx: click.Context,
    text_path: str,
    gold_path: str,
    predicted_path: str | None,
    intervals: bool,
    worst: int,
    errors: bool,
    output_format: str,
    workers: WorkerCount,
    cache: bool,
) -> None:
    """Measure the extractor on papers that you annotated.

    TEXT has the abstracts (id, title, abstract) and GOLD what is annotated in them, both as JSON Lines; kg
    annotate makes a first version of both. Prints precision, recall and F1 for mentions, concepts, roles,
    relations and code. docs/evaluation.md says what each figure means.
    """
    from kg import evaluation
    from kg.gold import read_readings, read_texts

    texts, gold = read_texts(text_path), read_readings(gold_path)
    with Rejections() as rejections:
        _reject(rejections, texts, gold)
        papers = _annotated(texts.found, gold.found)
        if predicted_path is None:
            found = _read(papers, rejections, workers, cache)
        else:
            found = _predicted(predicted_path, rejections, papers)
    truth = {identity: gold.found[identity] for identity in gold.found if identity in papers}
    result = evaluation.evaluate(papers, truth, found)
    _tell("papers have no prediction and count as if nothing was found", result.missing)
    _show(result, output_format, intervals=intervals, worst=worst, errors=errors)
    ctx.exit(1 if rejections.count or len(truth) < len(gold.found) else 0)


def _reject(rejections: Rejections, *files: Lines[Any]) -> None:
    for lines in files:
        for record in lines.rejected:
            rejections.add(record)


def _annotated(texts: dict[str, Paper], gold: dict[str, Reading]) -> dict[str, Paper]:
    """The papers of both; names those of one alone."""
    _tell("papers of GOLD are not in TEXT and do not count", [name for name in gold if name not in texts])
    _tell("papers of TEXT are not in GOLD and do not count", [name for name in texts if name not in gold])
    both = {name: paper for name, paper in texts.items() if name in gold}
    if not both:
        raise Failure("no paper of GOLD is in TEXT", "Give both files the same ids.")
    _tell("names of GOLD do not stand in their text", list(_strays(both, gold)))
    return both


def _strays(papers: dict[str, Paper], gold: dict[str, Reading]) -> Iterator[str]:
    from kg.gold import Annotation

    for identity, paper in papers.items():
        reading = gold[identity]
        if isinstance(reading, Annotation):
            yield from (f"{name!r} of {identity}" for name in reading.strays(paper.text))


def _read(
    papers: dict[str, Paper], rejections: Rejections, workers: WorkerCount, cache: bool
) -> dict[str, Reading]:
    """What the extractor says of the papers."""
    with progress(len(papers)) as advance:
        extractions = api.extract(
            papers.values(), progress=advance, workers=workers, cache=cache, on_rejected=rejections.add
        )
        return {extraction.id: extraction for extraction in extractions}


def _predicted(path: str, rejections: Rejections, papers: dict[str, Paper]) -> dict[str, Reading]:
    from kg.gold import read_readings
    from kg.schema import Extraction

    lines = read_readings(path)
    _reject(rejections, lines)
    others = [
        name
        for name, reading in lines.found.items()
        if isinstance(reading, Extraction) and reading.text and name in papers
        if reading.text != papers[name].text
    ]
    _tell("papers were read from another text, so that their mentions may not fit", others)
    return lines.found


def _tell(what: str, names: Sequence[str]) -> None:
    """Warns of some papers or names and tells the first ones."""
    if names and not quiet():
        more = "…" if len(names) > _NAMED else ""
        told = ", ".join([*map(plain, names[:_NAMED]), *more])
        click.echo(f"Warning: {len(names):,} {what}: {told}", err=True)


def _show(result: Evaluation, output_format: str, *, intervals: bool, worst: int, errors: bool) -> None:
    spread = result.intervals() if intervals else {}
    lowest = result.worst(worst)
    differences = [item for paper in result.papers for item in paper.differences] if errors else []
    if output_format == "json":
        print_json(_record(result, spread, lowest, differences if errors else None))
        return
    tables = [_scores(result, spread), _worst(lowest), _differences(differences)]
    _print([shown for shown in tables if shown[2]], output_format)


def _record(
    result: Evaluation,
    spread: dict[str, dict[str, Interval]],
    lowest: Iterable[PaperScore],
    differences: Iterable[Difference] | None,
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "papers": len(result.papers),
        "missing": list(result.missing),
        "scores": {
            figure: counts.to_record() | ({"intervals": spread[figure]} if spread else {})
            for figure, counts in result.scores.items()
        },
        "worst": [paper.to_record() for paper in lowest],
    }
    if differences is not None:
        record["errors"] = [difference.to_record() for difference in differences]
    return record


def _print(tables: Iterable[_Table], output_format: str) -> None:
    if output_format == "markdown":
        from kg.exports import markdown_text

        for title, columns, rows in tables:
            cells = [[markdown_text.escape(cell) for cell in row] for row in rows]
            lines = [f"## {title}", "", *markdown_text.table([name for name, _ in columns], cells)]
            click.echo("\n".join(map(plain, lines)))
        return
    for title, columns, rows in tables:
        section(console(), table(title, columns, rows))


def _scores(result: Evaluation, spread: dict[str, dict[str, Interval]]) -> _Table:
    columns = [("", "grow"), ("P", "right"), ("R", "right"), ("F1", "right")]
    columns += [("95 %", "right")] if spread else []
    columns += [(name, "right") for name in ("Gold", "Right", "Wrong", "Missed")]
    rows = []
    for figure, counts in result.scores.items():
        interval = ["{:.1f}–{:.1f}".format(*spread[figure]["F1"])] if spread else []
        numbers = (counts.right + counts.missed, *counts)
        rows.append([_label(figure), *_shares(counts), *interval, *(f"{number:,}" for number in numbers)])
    return f"{len(result.papers):,} papers", columns, rows


def _label(figure: str) -> str:
    """A figure as people read it."""
    group, _, part = figure.partition(":")
    return _LABELS.get(figure) or (f"– {part}" if part and group != "role" else part or figure)


def _shares(counts: Counts) -> list[str]:
    return [f"{100 * share:.1f}" for share in (counts.precision, counts.recall, counts.f1)]


def _worst(papers: Iterable[PaperScore]) -> _Table:
    columns = [("Paper", "left"), ("Title", "grow")]
    columns += [(name, "right") for name in ("P", "R", "F1", "Wrong", "Missed")]
    rows = [
        [
            paper.id,
            paper.title or "",
            *_shares(paper.total),
            f"{paper.total.wrong:,}",
            f"{paper.total.missed:,}",
        ]
        for paper in papers
    ]
    return "Lowest F1 over mentions, roles, relations and code", columns, rows


def _differences(differences: Iterable[Difference]) -> _Table:
    columns = [("Paper", "left"), ("What", "left"), ("", "left"), ("Name", "grow"), ("Type", "left")]
    rows = [[item.paper, item.figure, item.kind, item.name, item.type, _place(item)] for item in differences]
    return "Differences", [*columns, ("Place", "right")], rows


def _place(item: Difference) -> str:
    return "" if item.start is None else f"{item.start}–{item.end}"
