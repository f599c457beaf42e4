"""Which cameras there are, by names that stay the same: index orders change (failure C11).

On Linux the names are those of /dev/v4l/by-id, else what the driver calls the camera. Elsewhere
the operating system hides them from OpenCV, so a camera is called by its index.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.errors import SourceError

_MOST_INDICES = 4


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera that is plugged in.

    Attributes:
        name: What it is called by, the same after every start.
        index: Its present number, which may change.
        label: What the driver calls it.
        device: Its file, on Linux.
    """

    name: str
    index: int
    label: str
    device: Path | None = None


def list_cameras(root: Path = Path("/"), platform: str = sys.platform) -> list[CameraInfo]:
    """Cameras in the order of their index; off Linux, indices that may be cameras.

    Args:
        root: Where /dev and /sys are.
        platform: As `sys.platform`.
    """
    if not platform.startswith("linux"):
        return [CameraInfo(str(i), i, f"camera {i}") for i in range(_MOST_INDICES)]
    nodes = sorted((root / "sys/class/video4linux").glob("video*"), key=_number)
    stable = _stable_names(root / "dev/v4l/by-id")
    labels = [_read(node / "name") for node in nodes]
    cameras = []
    for node, label in zip(nodes, labels, strict=True):
        if _read(node / "index") not in ("", "0"):
            continue  # a second node of one camera gives metadata, no pictures
        name = stable.get(node.name) or (label if labels.count(label) == 1 else "") or node.name
        cameras.append(CameraInfo(name, _number(node), label, root / "dev" / node.name))
    return cameras


def find_camera(text: str, cameras: Sequence[CameraInfo]) -> CameraInfo:
    """The camera of a stable name, a label, a part of them, a device file, or an index.

    Raises:
        SourceError: There is none of it, or several; the message lists what there is.
    """
    wanted = text.strip().lower()
    exact = [c for c in cameras if wanted in (c.name.lower(), c.label.lower(), str(c.device))]
    exact = exact or [c for c in cameras if wanted.isdigit() and wanted == str(c.index)]
    partly = [c for c in cameras if wanted and wanted in f"{c.name}\n{c.label}".lower()]
    found = exact or (partly if not wanted.isdigit() else [])
    if len(found) == 1:
        return found[0]
    there = "; ".join(f"{c.index}: {c.name} ({c.label})" for c in cameras) or "none"
    what = "one camera" if found else "a camera that is plugged in"
    named = text if wanted and text.isprintable() else repr(text)
    raise SourceError(f"{named}: expected {what}, there are: {there}")


def _stable_names(folder: Path) -> dict[str, str]:
    """Names in /dev/v4l/by-id by the device that each one stands for."""
    if not folder.is_dir():
        return {}
    links = sorted(folder.glob("*-video-index0"))
    return {link.resolve().name: link.name.removesuffix("-video-index0") for link in links}


def _number(node: Path) -> int:
    digits = node.name.removeprefix("video")
    return int(digits) if digits.isdigit() else -1


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
