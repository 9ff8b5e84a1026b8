"""`kg cache`: what is kept between runs."""

from __future__ import annotations

import click

from kg.cli.app import example, quiet, verbosity_options
from kg.cli.terminal import console, grid, section

__all__ = ["cache"]


@click.command(epilog=example("kg cache info", "kg cache clear"))
@click.argument("action", metavar="info|clear", type=click.Choice(["info", "clear"]))
@verbosity_options
def cache(action: str) -> None:
    """Show or empty the cache of extractions and graph files.

    `kg build`, `kg extract` and `kg add` keep there what they read, so that nothing is read twice by one
    version of the extractor, and `kg build` its latest graph files. The environment variable KG_CACHE names
    another folder for it.
    """
    from kg.cache import clear, contents

    if action == "clear":
        held = clear()
        if not quiet():
            count = sum(held.extractions.values())
            files = f"{held.graphs:,} graph file{'' if held.graphs == 1 else 's'}"
            click.echo(f"{count:,} extractions and {files} deleted", err=True)
        return
    held = contents()
    rows: dict[str, object] = {"File": held.path, "Size": f"{held.size / 1e6:,.1f} MB"}
    rows |= {f"Extractions of {name}": f"{count:,}" for name, count in held.extractions.items()}
    rows["Graph files"] = f"{held.graphs:,}"
    section(console(), grid(rows))
