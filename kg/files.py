"""Writing files whole or not at all: a temporary neighbour first, then a rename.

A reader never sees half a file, and a run that fails leaves what stood there before. Symbolic links stay
links: the file they point to is replaced. What is no regular file (`/dev/null`, a pipe) is written directly.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from kg.errors import ExportError

__all__ = ["atomic_folder", "atomic_path", "atomic_write", "write_error"]


def write_error(path: Path, error: OSError | ValueError) -> ExportError:
    """The one line that says why `path` could not be written."""
    reason = getattr(error, "strerror", None) or str(error)
    return ExportError(
        f"cannot write {path}: {reason}", hint="Check the folder, its permissions and the free space."
    )


def _resolved(path: str | os.PathLike[str]) -> Path:
    """Where the links of a path lead, whether something is there or not.

    Raises:
        ExportError: they lead in a circle, or through what is no folder.
    """
    try:
        return Path(os.path.realpath(path, strict=True))
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise write_error(Path(path), error) from error


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Gives the path of a temporary file in the folder of `path`, which takes its place at the end.

    Raises:
        ExportError: the folder is missing or read-only, or the disk is full.
    """
    target = _resolved(path)
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise ExportError(f"cannot write {path}: it is a folder", hint="Name a file.")
        yield target
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise write_error(Path(path), error) from error
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _settle(part, target)
    except OSError as error:
        raise write_error(Path(path), error) from error
    finally:
        part.unlink(missing_ok=True)


def _settle(part: Path, target: Path) -> None:
    """Puts a finished temporary file in its place, on the disk before under its name."""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    part.chmod(mode)
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.replace(target)


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Gives a binary stream whose bytes become `path` at the end; compressed where the name ends in `.gz`.

    The compressed bytes hold no time and no name, so that the same content gives the same file.

    Raises:
        ExportError: the folder is missing or read-only, or the disk is full.
    """
    with atomic_path(path) as part, part.open("wb") as stream:
        if os.fspath(path).endswith(".gz"):
            with gzip.GzipFile(filename="", mode="wb", fileobj=stream, compresslevel=6, mtime=0) as packed:
                yield cast(IO[bytes], packed)
        else:
            yield stream


@contextmanager
def atomic_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Gives a temporary folder beside `path`, which takes its place at the end.

    A folder that stands there already is replaced if it holds nothing but files that are written anew.

    Raises:
        ExportError: the place is taken by something else, read-only, or the disk is full.
    """
    target = _resolved(path)
    if target.exists() and not target.is_dir():
        raise ExportError(f"cannot write {path}: a file of that name exists", hint="Name a folder.")
    try:
        part = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", suffix=".part", dir=target.parent))
    except OSError as error:
        raise write_error(Path(path), error) from error
    try:
        yield part
        _refuse_foreign(target, part)
        _swap(part, target)
    except OSError as error:
        raise write_error(Path(path), error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _refuse_foreign(target: Path, part: Path) -> None:
    """Raises where replacing `target` would delete files that this export does not write."""
    if not target.exists():
        return
    foreign = {item.name for item in target.iterdir()} - {item.name for item in part.iterdir()}
    if foreign:
        raise ExportError(
            f"cannot write {target}: the folder holds other files ({min(foreign)})",
            hint="Name a new or an empty folder.",
        )


def _swap(part: Path, target: Path) -> None:
    part.chmod(0o777 & ~_umask())
    if not target.exists():
        part.replace(target)
        return
    old = part.with_suffix(".old")
    target.replace(old)
    try:
        part.replace(target)
    except OSError:
        old.replace(target)
        raise
    shutil.rmtree(old)
