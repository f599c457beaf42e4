"""One place where every foreseen failure becomes one sentence and exit status 2."""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from referee.commands.console import complain
from referee.errors import RefereeError
from vision.errors import VisionError

_BAD_INPUT = 2


_UsageError: type[Any] = typer.BadParameter.__bases__[0]
"""What typer raises for options and arguments that it cannot take: its own name for that class
has moved between versions."""
_ASKS_FOR_HELP = "NoArgsIsHelpError"


class RefereeGroup(TyperGroup):
    """A group of commands that fail with one sentence on standard error, never with a traceback."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Takes the options and the name of a command apart.

        Raises:
            typer.Exit: With status 2 where they cannot be.
        """
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            _refuse_usage(error, ctx)
            raise

    def invoke(self, ctx: Any) -> Any:
        """Runs the command that was asked for.

        Raises:
            typer.Exit: With status 2 where the input is not what it should be.
        """
        try:
            result = super().invoke(ctx)
            # What is still in the buffer must meet a reader that has gone here, where it is
            # quiet, and not when the interpreter shuts down.
            sys.stdout.flush()
            return result
        except (RefereeError, VisionError) as error:
            complain(str(error))
        except _UsageError as error:
            _refuse_usage(error, ctx)
            raise
        except BrokenPipeError:
            raise  # the reader has gone; typer ends the program quietly
        except OSError as error:
            complain(f"{error.filename or 'the output'}: {error.strerror or error}")
        except ImportError as error:
            complain(_explain_import(error))
        raise typer.Exit(_BAD_INPUT)


def _refuse_usage(error: Any, ctx: Any) -> None:
    """Says in one sentence what is wrong with an order as it was typed, and where to read more.

    Raises:
        typer.Exit: With status 2, but where a group without a command shows its help.
    """
    if type(error).__name__ == _ASKS_FOR_HELP:
        return
    inner = f"{ctx.command_path} {ctx.invoked_subcommand or ''}".strip()
    command = inner if error.ctx is None else error.ctx.command_path
    told = error.format_message().strip().rstrip(".")
    complain(f"{told[:1].lower()}{told[1:]}; `{command} --help` tells what can be typed")
    raise typer.Exit(_BAD_INPUT)


def _explain_import(error: ImportError) -> str:
    """Returns what to do about a library that cannot be loaded.

    Raises:
        ImportError: The one given, where it is no missing system library: a fault of ours.
    """
    text = str(error)
    if "libGL" in text or "libgthread" in text or "libglib" in text:
        library = text.split(":", maxsplit=1)[0]
        return (
            f"OpenCV expects the system library {library}, which is missing here; "
            "on Debian and Ubuntu: apt-get install libgl1 libglib2.0-0"
        )
    raise error
