"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from referee.commands.console import CommandError
from referee.fields import listed

_FILMS = (".mp4", ".mkv", ".mov")
"""Kinds of film that keep the time of every frame."""


def expect_apart(outputs: Sequence[Path | None], inputs: Sequence[Path | None]) -> None:
    """Refuses to write over what is read, or two outputs to one file.

    Args:
        outputs: The files to write; None stands for one that is not wanted.
        inputs: The files that are read, and deck packs.

    Raises:
        CommandError: If an output is an input, a file of a deck's folder, or another output.
    """
    wanted = [path for path in outputs if path is not None]
    for index, path in enumerate(wanted):
        if any(path.absolute() == other.absolute() for other in wanted[:index]):
            raise CommandError(f"{path}: expected a file of its own for each output")
        if any(_is_of(path, source) for source in inputs if source is not None):
            raise CommandError(
                f"{path}: expected another file to write to than those that are read"
            )


def expect_film(path: Path | None) -> None:
    """Refuses a name that says of no kind of film what it is; None stands for no film.

    Raises:
        CommandError: If the name ends in something else.
    """
    if path is not None and path.suffix.lower() not in _FILMS and not path.is_dir():
        raise CommandError(f"{path}: expected a name ending in {listed(_FILMS)}")


def _is_of(path: Path, source: Path) -> bool:
    """Whether a file is the source, or lies in the folder that is the source."""
    if not path.is_file():
        return False
    if source.is_dir():
        return path.resolve().is_relative_to(source.resolve())
    return source.is_file() and path.samefile(source)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Gives a file beside `path` to write to, and puts it in its place once the block is done.

    Whatever stops the block, `path` stays as it was and nothing half-written is left behind.

    Raises:
        CommandError: If there can be no such file: its folder is missing or cannot be written.
    """
    unfinished = expect_place(path)
    try:
        unfinished.touch()
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def expect_place(path: Path) -> Path:
    """Returns the file beside `path` that is written to first, when it can be; nothing stays there.

    Raises:
        CommandError: If `path` is a folder, or its folder is missing or cannot be written to.
    """
    if path.is_dir():
        raise CommandError(f"{path}: expected the name of a file to write, got a folder")
    if not path.parent.is_dir():
        raise CommandError(f"{path}: expected a folder {path.parent} to write to, got none")
    unfinished = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        unfinished.touch()
        unfinished.unlink()
    except OSError as error:
        raise CommandError(f"{path}: expected a place to write to, got {error.strerror}") from error
    return unfinished


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
