"""Options and arguments that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

__all__ = [
    "LazyChoice",
    "as_json",
    "extraction_options",
    "graph_argument",
    "input_options",
    "limit_option",
    "output_format_option",
    "rewrite_option",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice


class LazyChoice(_Choice):
    """A choice among the keys of a table that is loaded when it is needed, so that `kg --help` is quick."""

    def __init__(self, load: Callable[[], Iterable[str]]) -> None:
        self._load = load
        self.case_sensitive = False

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The keys, in the order of the table."""
        return tuple(self._load())


def _formats() -> Iterable[str]:
    from kg.readers import FORMATS

    return FORMATS


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """The number of bytes of a size such as 800M."""
    found = value and re.fullmatch(r"(\d{1,9})([KMG]?)B?", value.upper(), re.ASCII)
    if found:
        return int(found[1]) * _UNITS[found[2]]
    if value is None:
        return None
    raise click.BadParameter(f"{value!r} is no size such as 800M or 16G.")


def input_options(command: _Command) -> _Command:
    """Adds INPUT…, --format, --strict and --max-size."""
    inputs = click.argument("inputs", metavar="INPUT...", nargs=-1, type=click.Path(allow_dash=True))
    input_format = click.option(
        "--format",
        "input_format",
        type=LazyChoice(_formats),
        help="The format of all inputs; by default each file tells by its content.",
    )
    strict = click.option(
        "--strict", is_flag=True, help="Stop at the first record that cannot be read, and write nothing."
    )
    max_size = click.option(
        "--max-size",
        "max_bytes",
        callback=_bytes,
        metavar="SIZE",
        help="Read inputs of up to this size when unpacked, e.g. 16G.  [default: 4G, and at most 200 times "
        "the packed size]",
    )
    return inputs(input_format(strict(max_size(command))))


def _workers(ctx: click.Context, param: click.Parameter, value: str) -> int | Literal["auto"]:
    """The number, from 1 on, or "auto"."""
    if value == "auto":
        return "auto"
    if value.isdecimal() and int(value):
        return int(value)
    raise click.BadParameter(f"{value!r} is neither a number from 1 on nor auto.")


def extraction_options(command: _Command) -> _Command:
    """Adds --workers and --no-cache."""
    workers = click.option(
        "--workers",
        callback=_workers,
        default="auto",
        show_default=True,
        metavar="N|auto",
        help="So many processes read; auto is as many as pay off. The result is the same.",
    )
    no_cache = click.option(
        "--no-cache",
        "cache",
        flag_value=False,
        default=True,
        help="Read every paper anew, and keep nothing for later runs.",
    )
    return workers(no_cache(command))


#: A graph file; for commands that only read, also a folder of tables.
graph_argument = click.argument("graph_path", metavar="GRAPH", type=click.Path())

rewrite_option = click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The graph file to write instead of GRAPH; - is standard output.",
)

output_format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="A table for people, or one JSON object for programs.",
)


def as_json(output_format: str) -> bool:
    """Whether the user asked for JSON."""
    return output_format == "json"


def limit_option(default: int, help: str) -> Callable[[_Command], _Command]:
    """Makes the option --limit of a command."""
    return click.option(
        "--limit", type=click.IntRange(min=1), default=default, show_default=True, metavar="N", help=help
    )
