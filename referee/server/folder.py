"""A data folder belongs to one service at a time: two would rule on each table twice."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from referee.storage import StorageError


class FolderLock:
    """Holds a folder until it is let go of, or the process ends, however hard.

    Args:
        folder: The folder.

    Raises:
        StorageError: if another process holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "service.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise StorageError(
                f"{folder}: expected a data folder of its own, another service uses it"
            ) from error

    def release(self) -> None:
        """Lets go of the folder."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
