"""The files of a deck pack, in a folder or in a .zip of it.

Names inside a pack are relative, with forward slashes, and never lead out of it; nothing of a
.zip is ever unpacked to the disk.
"""

from __future__ import annotations

import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from referee.errors import DeckError

DECK_FILE = "deck.yaml"
MAX_FILE_BYTES = 32 * 1024 * 1024
"""Largest file read from a pack: no picture of a card is larger, a decompression bomb is."""

MAX_ZIP_ENTRIES = 10_000
_UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, OSError, EOFError,
)  # fmt: skip
"""What Python raises where a file in a .zip is broken, encrypted or packed oddly."""


class PackFiles(Protocol):
    """Where the files of a pack are."""

    def has(self, name: str) -> bool:
        """Returns whether the pack holds a file of this name."""
        ...

    def read(self, name: str) -> bytes:
        """Returns the bytes of a file.

        Raises:
            DeckError: if there is no such file or it cannot be read.
        """
        ...


def open_pack(path: Path) -> PackFiles:
    """Returns the files of a pack.

    Raises:
        DeckError: if the path is neither a folder nor a readable .zip with a `deck.yaml`.
    """
    if path.is_dir():
        files: PackFiles = _Folder(path)
        if not files.has(DECK_FILE):
            raise DeckError(str(path), "", f"a file {DECK_FILE} in this folder", "none")
        return files
    if not path.is_file():
        raise DeckError(str(path), "", "a folder or a .zip file", "nothing of that name")
    return _Zip(path, _find_prefix(path))


def is_inside_name(name: str) -> bool:
    """Returns whether a name stays inside its pack.

    >>> is_inside_name("cards/a01.png"), is_inside_name("../a01.png"), is_inside_name("C:/a.png")
    (True, False, False)
    """
    pure = PurePosixPath(name)
    return bool(pure.parts) and not (
        pure.is_absolute() or ".." in pure.parts or any(sign in name for sign in ("\\", ":", "\0"))
    )


@dataclass(frozen=True, slots=True)
class _Folder:
    root: Path

    def has(self, name: str) -> bool:
        return self._locate(name) is not None

    def read(self, name: str) -> bytes:
        path = self._locate(name)
        if path is None:
            raise DeckError(str(self.root), name, "a file of this name", "none")
        try:
            if path.stat().st_size > MAX_FILE_BYTES:
                raise _too_large(self.root, name)
            return path.read_bytes()
        except OSError as error:
            reason = error.strerror or "an error"
            raise DeckError(str(self.root), name, "a readable file", reason) from error

    def _locate(self, name: str) -> Path | None:
        if not is_inside_name(name):
            return None
        path = (self.root / name).resolve()
        return path if path.is_relative_to(self.root.resolve()) and path.is_file() else None


@dataclass(frozen=True, slots=True)
class _Zip:
    path: Path
    prefix: str

    def has(self, name: str) -> bool:
        if not is_inside_name(name):
            return False
        with _opened(self.path) as archive:
            return self.prefix + name in archive.NameToInfo

    def read(self, name: str) -> bytes:
        where = str(self.path)
        with _opened(self.path) as archive:
            info = archive.NameToInfo.get(self.prefix + name)
            if info is None or not is_inside_name(name):
                raise DeckError(where, name, "a file of this name", "none")
            try:
                with archive.open(info) as stream:
                    data = stream.read(MAX_FILE_BYTES + 1)
            except _UNREADABLE as error:
                raise DeckError(where, name, "a readable file", str(error)) from error
        if len(data) > MAX_FILE_BYTES:
            raise _too_large(self.path, name)
        return data


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        is_zip = path.suffix.lower() == ".zip"
        got = "a damaged one" if is_zip else "a file of another kind"
        raise DeckError(str(path), "", "a folder or a .zip file", got) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "a damaged one"
        raise DeckError(str(path), "", "a folder or a .zip file", reason) from error
    if len(archive.NameToInfo) > MAX_ZIP_ENTRIES:
        archive.close()
        raise DeckError(str(path), "", f"at most {MAX_ZIP_ENTRIES} files", "more")
    return archive


def _find_prefix(path: Path) -> str:
    """Returns the folder in the .zip that holds `deck.yaml`: none, or one with a slash."""
    with _opened(path) as archive:
        if DECK_FILE in archive.NameToInfo:
            return ""
        found = [name for name in archive.NameToInfo if name.split("/")[1:] == [DECK_FILE]]
    if len(found) != 1:
        got = "several" if found else "none"
        raise DeckError(str(path), "", f"one {DECK_FILE}, at the top or in one folder", got)
    return found[0].removesuffix(DECK_FILE)


def _too_large(pack: Path, name: str) -> DeckError:
    return DeckError(str(pack), name, f"at most {MAX_FILE_BYTES // 2**20} MB", "a larger file")
