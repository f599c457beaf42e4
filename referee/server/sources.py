"""Where a table's frames come from: a recording inside the folders, a camera, a stream.

Nothing else is opened: a recording is a name inside the data folder or the recordings folder and
has the first bytes of a video, so that no playlist leads FFmpeg to another file or host; a stream
is opened only because a keeper named its address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.packs import is_inside_name
from referee.server.problems import Problem, bad_input
from vision.source import FrameSource, VideoFile

SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"})
_STREAM = re.compile(r"(rtsps?|https?|rtmp)://[^\s/]+\S*")
_NAME = re.compile(r"[\w][\w .()-]{0,120}")


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
            raise bad_input("source.recording", expected, "none of that name")
        if not _is_video(path):
            raise bad_input("source.recording", "a video (MP4, MKV, WebM or AVI)", "other data")
        return path

    def add(self, name: str, chunks: Iterator[bytes]) -> str:
        """Keeps a recording that was sent, and returns its name.

        Raises:
            Problem: if the name is none, is taken, or it is no video.
        """
        if not _NAME.fullmatch(name) or Path(name).suffix.lower() not in SUFFIXES:
            raise bad_input("the name", f"one ending in {', '.join(sorted(SUFFIXES))}", repr(name))
        target = self.own / name
        if target.exists():
            raise Problem(409, "There is a recording of that name already")
        part = target.with_suffix(".part")
        try:
            with part.open("wb") as file:
                for chunk in chunks:
                    file.write(chunk)
            if not _is_video(part):
                raise bad_input("the body", "a video (MP4, MKV, WebM or AVI)", "other data")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return name

    def _locate(self, name: str) -> Path | None:
        if not is_inside_name(name) or Path(name).suffix.lower() not in SUFFIXES:
            return None
        for folder in self._folders:
            path = (folder / name).resolve()
            is_hidden = self._hidden is not None and path.is_relative_to(self._hidden)
            if path.is_relative_to(folder.resolve()) and path.is_file() and not is_hidden:
                return path
        return None


def check_live(kind: str, what: str) -> None:
    """Refuses what is no camera and no stream, before anything is opened.

    Raises:
        Problem: 422 if it is none.
    """
    if kind == "stream" and not _STREAM.fullmatch(what):
        raise bad_input("source.stream", "an address such as rtsp://camera/stream", "another text")
    if kind == "camera" and ("://" in what or Path(what).is_file()):
        raise bad_input("source.camera", "the name or index of a camera", "another text")


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
