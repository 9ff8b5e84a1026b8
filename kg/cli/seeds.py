"""`kg seeds`: something to build from, for whoever has no list at hand."""

from __future__ import annotations

import filecmp
import shutil
from pathlib import Path

import click

import kg
from kg.cli.app import example, quiet, verbosity_options
from kg.cli.terminal import plain
from kg.errors import ExportError
from kg.files import atomic_path, write_error

__all__ = ["SHIPPED", "seeds"]

#: Beside the package, in a checkout as in an installation.
SHIPPED = Path(kg.__file__).resolve().parent.parent / "seeds"


@click.command(epilog=example("kg seeds", "kg build seeds -o graph.json"))
@click.argument("folder", metavar="[DIR]", default="seeds", type=click.Path(path_type=Path))
@verbosity_options
def seeds(folder: Path) -> None:
    """Copy the papers that come along into a folder.

    They are landmark papers of machine learning and language processing, described in our own words, in
    several formats. DIR is "seeds" by default; what stands there already is left alone.
    """
    copied = copy_seeds(SHIPPED, folder)
    if not quiet():
        click.echo(f"{len(copied)} files in {plain(folder)}. Next: kg build {plain(folder)}", err=True)


def copy_seeds(source: Path, folder: Path) -> list[Path]:
    """Copies the files of `source` to `folder` and returns where they are; a second time changes nothing.

    Raises:
        ExportError: a file of another content stands in the way, or the folder cannot be written.
    """
    names = sorted(path.name for path in source.iterdir() if _is_data(path))
    for name in names:
        target = folder / name
        if target.exists() and not (target.is_file() and filecmp.cmp(source / name, target, shallow=False)):
            raise ExportError(f"{target} exists and is something else", hint="Name another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from error
    return [_copied(source / name, folder / name) for name in names]


def _is_data(path: Path) -> bool:
    return path.is_file() and not path.name.startswith((".", "_"))


def _copied(source: Path, target: Path) -> Path:
    if not target.exists():
        with atomic_path(target) as part:
            shutil.copyfile(source, part)
    return target
