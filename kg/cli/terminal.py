"""What reaches a terminal: consoles, tables, JSON, and no character of a paper that could steer the screen.

Names and sentences come from papers. They are put into rich's `Text`, never into its markup, and control
characters, escape sequences and marks that turn the direction of writing are shown as `\\x1b` and the like.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

__all__ = [
    "beside",
    "console",
    "discard_output",
    "grid",
    "json_line",
    "plain",
    "prepare_streams",
    "print_json",
    "section",
    "table",
    "tagged",
    "text",
]

#: Controls, marks of direction, invisible and half characters, tags.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNSAFE_IN_JSON = re.compile(_UNSAFE.pattern.replace("\x00-\x1f", ""))


def plain(value: object) -> str:
    """The value as one line of text that is safe to show.

    >>> plain("red \\x1b[31malert\\n  next")
    'red \\\\x1b[31malert next'
    """
    line = " ".join(str(value).split())
    return _UNSAFE.sub(lambda match: ascii(match[0])[1:-1], line)


def text(value: object, style: str = "") -> Text:
    """The value as rich text, without any meaning of markup."""
    from rich.text import Text

    return Text(plain(value), style=style)


def tagged(name: object, tag: object, style: str = "") -> Text:
    """A name and, dimmed beside it, what it is."""
    return text(name, style).append("  ").append_text(text(tag, "dim"))


def json_line(value: Any, *, indent: int | None = None) -> bytes:
    """The value as UTF-8 JSON with a newline; what could steer a terminal is escaped in JSON's own way."""
    dumped = json.dumps(value, ensure_ascii=False, indent=indent)
    escaped = _UNSAFE_IN_JSON.sub(lambda match: json.dumps(match[0])[1:-1], dumped)
    return f"{escaped}\n".encode()


def print_json(value: Any) -> None:
    """Writes one indented JSON object to standard output."""
    click.echo(json_line(value, indent=2), nl=False)


def console(*, stderr: bool = False) -> Console:
    """A console for tables; colour only on a terminal, and not with `NO_COLOR`."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False, markup=False, soft_wrap=False)


def table(title: str, columns: Sequence[tuple[str, str]], rows: Iterable[Iterable[object]]) -> Table:
    """A table of texts; a column is its header and "left", "right" or "grow" (left, takes the room left)."""
    from rich import box
    from rich.table import Table

    made = Table(
        title=text(title, "bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        show_header=any(header for header, _ in columns),
    )
    for header, kind in columns:
        made.add_column(
            text(header),
            justify="right" if kind == "right" else "left",
            ratio=1 if kind == "grow" else None,
            no_wrap=kind != "grow",
            overflow="fold",
        )
    made.expand = any(kind == "grow" for _, kind in columns)
    for row in rows:
        made.add_row(*map(text, row))
    return made


def grid(rows: Mapping[str, object]) -> Table:
    """Two columns without lines: what, and its value."""
    from rich.table import Table

    made = Table.grid(padding=(0, 2))
    made.add_column(no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in rows.items():
        made.add_row(text(name, "dim"), text(value))
    return made


def beside(*parts: RenderableType) -> Table:
    """Parts beside each other, each with its share of the width."""
    from rich.table import Table

    made = Table.grid(padding=(0, 3), expand=True)
    for _ in parts:
        made.add_column(ratio=1)
    made.add_row(*parts)
    return made


def section(out: Console, *parts: RenderableType) -> None:
    """Prints parts and an empty line after them."""
    for part in parts:
        out.print(part)
    out.print()


def prepare_streams() -> None:
    """Makes streams that take everything: a substitute for what a terminal lacks, nothing for closed ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def discard_output() -> None:
    """Sends what is left of standard output nowhere, so that Python's last attempt to write it succeeds."""
    with contextlib.suppress(OSError), Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
