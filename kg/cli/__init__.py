"""The command line: one module a command; the library does the work.

To add a command, write its module and add it to the list below; `docs/cli-reference.md` follows with `make
docs`.
"""

from __future__ import annotations

import click

from kg._version import __version__
from kg.cli.add import add
from kg.cli.annotate import annotate
from kg.cli.app import KgGroup, example, verbosity_options
from kg.cli.build import build
from kg.cli.cache import cache
from kg.cli.compare import gaps, path, similar, trends, why
from kg.cli.diff import diff
from kg.cli.evaluate import evaluate
from kg.cli.export import export
from kg.cli.extract import extract
from kg.cli.merges import merges
from kg.cli.push import push
from kg.cli.query import query
from kg.cli.remove import remove
from kg.cli.report import report
from kg.cli.search import search
from kg.cli.seeds import seeds
from kg.cli.show import show
from kg.cli.stats import stats
from kg.cli.view import view

__all__ = ["main"]


@click.group(
    cls=KgGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=example("kg seeds", "kg build seeds -o graph.json", "kg show graph.json Transformer"),
)
@click.version_option(__version__, prog_name="kg", message="%(prog)s %(version)s")
@verbosity_options
def main() -> None:
    """A knowledge graph of papers and concepts from lists of abstracts.

    Results go to standard output, progress and messages to standard error. Exit codes: 0 fine, 1 rejected
    records or bad data, 2 wrong usage, 130 interrupted.
    """


for _command in (
    seeds,
    build,
    extract,
    add,
    remove,
    stats,
    show,
    search,
    merges,
    why,
    path,
    similar,
    trends,
    gaps,
    view,
    report,
    export,
    push,
    query,
    diff,
    annotate,
    evaluate,
    cache,
):
    main.add_command(_command)
