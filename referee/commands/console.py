"""What commands share: where they print, how they fail, how they show progress.

Results go to standard output, everything else to standard error, so that a program can read the
one while a person watches the other.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from referee.errors import RefereeError

DISTRIBUTION = "table-referee"
"""What the program is called where it is installed."""

ReportProgress = Callable[[int, int | None], None]
"""Takes how much is done and of how much, None where nobody knows."""

PLAYER_STYLES = {
    "red": "bold red",
    "yellow": "bold yellow",
    "green": "bold green",
    "blue": "bold dodger_blue1",
    "orange": "bold dark_orange",
    "purple": "bold medium_purple1",
}


class CommandError(RefereeError):
    """An order that cannot be carried out; the message says what, where and what was expected."""


def output() -> Console:
    """Returns the console for results; brackets and colons in names mean nothing to it."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=False, markup=False, emoji=False)


def messages() -> Console:
    """Returns the console for progress and remarks."""
    return Console(file=sys.stderr, highlight=False, markup=False, emoji=False)


def settle_streams() -> None:
    """Makes the standard streams take whatever comes.

    One that whoever started the program has closed leads nowhere. A letter that the encoding of a
    console lacks is written by its number, as JSON spells it, and ends no command.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, nowhere)
        elif mode == "w" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def tell_version() -> None:
    """Writes the name and the version of the installed program to standard output.

    Raises:
        CommandError: If the program runs without having been installed.
    """
    try:
        sys.stdout.write(f"{DISTRIBUTION} {version(DISTRIBUTION)}\n")
    except PackageNotFoundError as error:
        raise CommandError(
            f"--version: expected {DISTRIBUTION} to be installed, got its source alone"
        ) from error


def complain(text: str) -> None:
    """Writes one sentence to standard error, as it is: no wrapping, no markup."""
    sys.stderr.write(f"table-referee: {' '.join(text.split())}\n")


def print_json(value: object) -> None:
    """Writes one JSON value on a line of its own to standard output."""
    sys.stdout.write(json_line(value))


def json_line(value: object) -> str:
    """Returns a JSON value as one line, its end included; the same value gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")) + "\n"


@contextmanager
def progress(what: str) -> Iterator[ReportProgress]:
    """Shows a bar on standard error while the block reports how far it has come."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=36),
        MofNCompleteColumn(),
        TextColumn("frames"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages()) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
