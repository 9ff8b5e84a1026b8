"""Tests of the generated page of the documentation."""

from __future__ import annotations

import click

from kg.cli import main
from kg.cli.reference import PAGE, reference


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_the_page_names_every_command_and_option() -> None:
    page = reference()
    assert [name for name in main.commands if f"## kg {name}\n" not in page] == []
    options = {
        name
        for command in main.commands.values()
        for param in command.params
        if isinstance(param, click.Option)
        for name in param.opts
    }
    assert [name for name in sorted(options) if f"`{name}`" not in page] == []
