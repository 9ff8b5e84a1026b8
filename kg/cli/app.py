"""The command group: how options, errors and interruptions behave, the same for every command.

Exit codes: 0 fine; 1 rejected records, bad data, or a file that fails; 2 wrong usage; 130 interrupted.
"""

from __future__ import annotations

import errno
import logging
import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import click

from kg.cli.terminal import discard_output, plain, prepare_streams
from kg.errors import KgError

__all__ = ["EXIT_INTERRUPTED", "Failure", "KgGroup", "example", "quiet", "verbosity_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

EXIT_INTERRUPTED = 130
_INTERRUPTED = "Interrupted; no file was written. The same command goes on where it was."
_VERBOSITY = "kg.verbosity"
_TRACEBACKS = 2
#: A reader that stopped, and a full disk: other outputs are written by `kg.files`, which names them.
_OF_OUTPUT = frozenset({errno.EPIPE, errno.ENOSPC})
#: Level of verbosity -> the least serious kind of log record that is shown.
_SHOWN = {-1: logging.ERROR, 0: logging.WARNING, 1: logging.INFO}


class Failure(click.ClickException):
    """One line on standard error: what is wrong, where, and what to do."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        line, advice = plain(message).rstrip("."), plain(hint)
        super().__init__(f"{line}. {advice[0].upper()}{advice[1:]}" if advice else line)


class KgGroup(click.Group):
    """Commands in the order in which they are needed, and what becomes of their errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands as they were added, not by name."""
        return list(self.commands)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs the command line; where its output cannot be written, it says so."""
        prepare_streams()
        try:
            try:
                return super().main(*args, **extra)
            finally:
                sys.stdout.flush()
        except OSError as error:
            discard_output()
            if error.errno != errno.EPIPE:
                click.echo(f"Error: cannot write standard output: {error.strerror or error}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command and turns what it raises into a line and an exit code."""
        _listen(ctx)
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo(_INTERRUPTED, err=True)
            ctx.exit(EXIT_INTERRUPTED)
        except Exception as error:
            raise _failure(error) from error


def _failure(error: Exception) -> Exception:
    """What to raise instead of an error: a standard output that fails as it is, anything else as one line."""
    if isinstance(error, OSError) and error.errno in _OF_OUTPUT and not error.filename:
        return error
    if _level() >= _TRACEBACKS:
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, KgError):
        return Failure(error.message, error.hint)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return Failure(f"{place}{error.strerror or error}")
    return Failure(
        f"this should not happen: {type(error).__name__}: {error}",
        "Run the command again with -vv and report what it prints.",
    )


class _Lines(logging.Handler):
    """Shows the library's log on standard error, as far as the user asked for it."""

    def emit(self, record: logging.LogRecord) -> None:
        """Shows one record as a line."""
        if record.levelno >= _SHOWN.get(_level(), logging.DEBUG):
            click.echo(plain(record.getMessage()), err=True)


def _listen(ctx: click.Context) -> None:
    """Puts the handler in place for as long as the command runs."""
    log, handler = logging.getLogger("kg"), _Lines()
    before = log.level
    log.setLevel(logging.DEBUG)
    log.addHandler(handler)
    ctx.call_on_close(lambda: log.setLevel(before))
    ctx.call_on_close(lambda: log.removeHandler(handler))


def _level() -> int:
    context = click.get_current_context(silent=True)
    return int(context.meta.get(_VERBOSITY, 0)) if context else 0


def quiet() -> bool:
    """Whether the user asked for nothing but results and errors."""
    return _level() < 0


def _set_verbosity(ctx: click.Context, param: click.Parameter, value: int | bool) -> None:
    """Stores the level: -1 for quiet."""
    if value:
        ctx.meta[_VERBOSITY] = -1 if param.name == "quiet" else int(value)


def verbosity_options(command: _Command) -> _Command:
    """Adds -v and -q, which every command has."""
    verbose = click.option(
        "-v",
        "--verbose",
        count=True,
        expose_value=False,
        callback=_set_verbosity,
        help="Say more on standard error; -vv also shows where an error came from.",
    )
    silent = click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_set_verbosity,
        help="No progress, no summary: results and errors only.",
    )
    return verbose(silent(command))


def example(*lines: str) -> str:
    """The end of a command's help: what one types."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
