"""What is typed: at a terminal by a person, or line by line from a file or pipe."""

from __future__ import annotations

import io
import sys
from typing import IO


def is_typed() -> bool:
    """Returns whether a person types, who can be waited for."""
    return sys.stdin.isatty()


def ask_line(out: IO[str], prompt: str) -> str:
    """Returns a line that was typed; one that comes from a file or pipe is shown.

    Raises:
        EOFError: If there is none.
    """
    if is_typed():
        return input(prompt).strip()
    out.write(prompt)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    out.write(f"{line.strip()}\n")
    return line.strip()


def forgive_bytes() -> None:
    """Lets a stray byte that is typed, or a letter that cannot be shown, be a question mark."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
