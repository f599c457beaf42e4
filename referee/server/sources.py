"""Where a table's frames come from: a recording inside the folders, a camera, a stream.

Nothing else is opened: a recording is a name inside the data folder or the recordings folder and
has the first bytes of a video, so that no playlist leads FFmpeg to another file or host; a stream
is opened only because a keeper named its address.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.errors import shown
from referee.fields import at, listed
from referee.packs import is_inside_name
from referee.server.problems import Code, Problem, bad_input
from vision.camera_list import find_camera, list_cameras
from vision.errors import SourceError
from vision.live_stream import SCHEMES, public_address
from vision.source import FrameSource, VideoFile

_VIDEO = "a video (MP4, MKV, WebM or AVI)"
SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"})
_FORBIDDEN = frozenset('/\\:*?"<>|')
"""Signs that some file system gives a meaning."""
_MOST_BYTES = 200
"""Longer names cannot be kept on every file system."""


class Recordings:
    """Recordings in some folders, called by their names in them.

    Args:
        own: The folder for those that are sent; made where there is none.
        others: Further folders to look in.
        hidden: A folder in these whose films are no recordings, such as evidence.

    Attributes:
        own: The folder for those that are sent, or kept of a live table.
    """

    def __init__(self, own: Path, others: Sequence[Path], hidden: Path | None = None) -> None:
        self.own = own
        self._hidden = None if hidden is None else hidden.resolve()
        self._folders = (own, *others)
        self._lock = threading.Lock()
        own.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """Returns the names of all recordings."""
        found: dict[Path, str] = {}
        for folder in self._folders:
            for path in sorted(folder.glob("**/*")):
                name = path.relative_to(folder).as_posix()
                place = self._locate(name)
                if place is not None:
                    found.setdefault(place, name)
        return sorted(set(found.values()))

    def find(self, name: str) -> Path:
        """Returns where a recording lies.

        Raises:
            Problem: 422 if there is none of this name.
        """
        path = self._locate(name)
        if path is None:
            expected = "the name of a recording in the data folder or the recordings folder"
            code = Code.NO_RECORDING
            raise bad_input("source.recording", expected, "none of that name", code=code)
        if not _is_video(path):
            raise bad_input("source.recording", _VIDEO, "other data", code=Code.NO_VIDEO)
        return path

    def add(self, name: str, chunks: Iterator[bytes]) -> str:
        """Keeps a recording that was sent, and returns its name.

        Raises:
            Problem: if the name is none, is taken, or it is no video.
        """
        _check_name(name)
        target = self.own / name
        self._expect_free(target)
        handle, part_name = tempfile.mkstemp(suffix=".part", dir=self.own)
        part = Path(part_name)
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks:
                    file.write(chunk)
            if not _is_video(part):
                raise bad_input("", _VIDEO, "other data", code=Code.NO_VIDEO)
            with self._lock:
                self._expect_free(target)
                part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return name

    def _expect_free(self, target: Path) -> None:
        if target.exists():
            raise Problem(409, Code.NAME_TAKEN, "There is a recording of that name already")

    def _locate(self, name: str) -> Path | None:
        if not is_inside_name(name) or Path(name).suffix.lower() not in SUFFIXES:
            return None
        for folder in self._folders:
            path = (folder / name).resolve()
            is_hidden = self._hidden is not None and path.is_relative_to(self._hidden)
            if path.is_relative_to(folder.resolve()) and path.is_file() and not is_hidden:
                return path
        return None


def check_live(kind: str, what: str, whole: str = "") -> None:
    """Refuses what is no camera that is there and no address of a stream; opens nothing.

    Args:
        kind: `camera` or `stream`.
        what: Its name or address.
        whole: Where the table stands in the request; empty for the body itself.

    Raises:
        Problem: 422 if it is none.
    """
    try:
        if kind == "stream":
            public_address(what)
        else:
            find_camera(what, list_cameras())
    except SourceError as error:
        place, code = at(whole, f"source.{kind}"), _LIVE[kind]
        if kind == "stream":
            expected = f"an address such as rtsp://camera/stream ({listed(SCHEMES)})"
            raise bad_input(place, expected, "another text", code=code) from error
        # It names the cameras that there are.
        expected = str(error).rpartition(": expected ")[2]
        raise bad_input(place, expected, shown(what), code=code) from error


_LIVE = {"stream": Code.NO_STREAM, "camera": Code.NO_CAMERA}


def _check_name(name: str) -> None:
    """Refuses names under which no recording can be kept, or be found again on another system."""
    odd = next((sign for sign in name if sign in _FORBIDDEN or not sign.isprintable()), None)
    got = shown(name)
    if odd is not None or name[:1] in (".", " ", ""):
        signs = " ".join(sorted(_FORBIDDEN))
        expected = f"a file's name without {signs}, line breaks, or a dot or space in front"
        got = f"{got} with {odd!r}" if odd is not None and name else got
        raise bad_input("name", expected, got, code=Code.BAD_NAME)
    if len(name.encode("utf-8")) > _MOST_BYTES:
        raise bad_input("name", "a shorter name", got, code=Code.BAD_NAME)
    if Path(name).suffix.lower() not in SUFFIXES:
        expected = f"a name that ends in {listed(sorted(SUFFIXES))}"
        raise bad_input("name", expected, got, code=Code.BAD_NAME)


def open_source(kind: str, what: str) -> FrameSource:
    """Opens where a table's frames come from.

    Raises:
        SourceError: if it cannot be opened.
    """
    if kind == "recording":
        return VideoFile(Path(what))
    from vision.live_open import open_live  # noqa: PLC0415 - devices are only looked at on demand

    return open_live(what)


def _is_video(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(12)
    is_mp4 = head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")
    return (
        is_mp4 or head.startswith(b"\x1a\x45\xdf\xa3") or (head[:4], head[8:]) == (b"RIFF", b"AVI ")
    )
