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


class RefereeGroup(TyperGroup):
    """A group of commands that fail with one sentence on standard error, never with a traceback."""

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
        except BrokenPipeError:
            raise  # the reader has gone; typer ends the program quietly
        except OSError as error:
            complain(f"{error.filename or 'the output'}: {error.strerror or error}")
        except ImportError as error:
            complain(_explain_import(error))
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
