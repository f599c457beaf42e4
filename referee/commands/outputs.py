"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.commands.console import CommandError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a file beside `path` to write to, and puts it in its place once the block is done.

    Whatever stops the block, `path` stays as it was and nothing half-written is left behind.

    Raises:
        CommandError: If there can be no such file: its folder is missing or cannot be written.
    """
    if path.is_dir():
        raise CommandError(f"{path}: expected the name of a file to write, got a folder")
    if not path.parent.is_dir():
        raise CommandError(f"{path}: expected a folder {path.parent} to write to, got none")
    unfinished = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        unfinished.touch()
    except OSError as error:
        raise CommandError(f"{path}: expected a place to write to, got {error.strerror}") from error
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def replacing_each(*paths: Path | None) -> Iterator[list[Path | None]]:
    """Does `replacing` for several files at once, where None stands for one that is not wanted."""
    if not paths:
        yield []
        return
    first, *rest = paths
    with replacing_each(*rest) as others:
        if first is None:
            yield [None, *others]
            return
        with replacing(first) as unfinished:
            yield [unfinished, *others]
