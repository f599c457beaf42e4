"""A camera that is opened by negotiate-then-verify, through four calls that every driver has.

Cameras grant what they like: a pixel format that was asked for is ignored and raw pictures come at
a sixth of the rate, sizes snap to others, the order of the settings matters (failure C13). So each
setting is asked for in one order, read back, and the rate measured from the stamps of real frames.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median
from typing import Protocol

from vision.errors import SourceError
from vision.frame import Image

_SETTLING_FRAMES = 5
"""The first frames after a start come in bursts and are badly exposed."""
_SAME_RATE = 0.8
"""Share of the wanted rate from which a camera counts as giving it."""


class Setting(Enum):
    """What is negotiated with a camera; the pixel format is a FOURCC as a number."""

    PIXEL_FORMAT = "pixel format"
    WIDTH = "width"
    HEIGHT = "height"
    RATE = "rate"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture as it was grabbed.

    Attributes:
        time_s: When it was taken, on a clock that never goes back.
        luma: `(H, W)` uint8 brightness, upright.
        to_bgr: Makes the `(H, W, 3)` BGR picture.
        nbytes: Memory that keeping it takes.
    """

    time_s: float
    luma: Image
    to_bgr: Callable[[], Image]
    nbytes: int


class CameraDriver(Protocol):
    """One camera as its driver gives it; a test puts a faulty one in its place."""

    def open(self) -> None:
        """Takes the camera.

        Raises:
            SourceError: It is not there, is not permitted, or is taken by another program.
        """

    def set(self, setting: Setting, value: float) -> bool:
        """Asks for a value; a camera may agree and do something else."""

    def get(self, setting: Setting) -> float:
        """The value that the driver says is in force, 0 where it does not know."""

    def read(self) -> Shot | None:
        """Waits for the next picture, stamped at the grab; None where none came."""

    def close(self) -> None:
        """Gives the camera back."""


@dataclass(frozen=True, slots=True)
class CameraMode:
    """What a camera is asked for, or what it gives.

    Attributes:
        pixel_format: FOURCC, such as MJPG; empty where unknown.
        size_wh: Width and height in pixels.
        rate_fps: Frames a second, 0 where unknown.
    """

    pixel_format: str = "MJPG"
    size_wh: tuple[int, int] = (1280, 720)
    rate_fps: float = 30.0

    def __str__(self) -> str:
        width, height = self.size_wh
        rate = f" at {self.rate_fps:.0f} frames a second" if self.rate_fps else ""
        return f"{width}x{height} {self.pixel_format or 'of unknown format'}{rate}"


WANTED = CameraMode()
"""What the referee asks for: a card of a whole table then has some 80 pixels on its short side,
and Motion JPEG is the one format in which USB 2 carries that at the full rate."""


def negotiate(driver: CameraDriver, wanted: CameraMode = WANTED) -> CameraMode:
    """Asks an open camera for a mode and returns the one that it says it has taken.

    The format goes first, as it decides which sizes and rates there are, and again last where a
    driver has gone back to its own when the size was set.
    """
    code = float(to_fourcc(wanted.pixel_format))
    driver.set(Setting.PIXEL_FORMAT, code)
    driver.set(Setting.WIDTH, wanted.size_wh[0])
    driver.set(Setting.HEIGHT, wanted.size_wh[1])
    driver.set(Setting.RATE, wanted.rate_fps)
    if driver.get(Setting.PIXEL_FORMAT) != code:
        driver.set(Setting.PIXEL_FORMAT, code)
    size_wh = int(driver.get(Setting.WIDTH)), int(driver.get(Setting.HEIGHT))
    return CameraMode(
        from_fourcc(int(driver.get(Setting.PIXEL_FORMAT))),
        size_wh,
        max(0.0, driver.get(Setting.RATE)),
    )


def measure(driver: CameraDriver, said: CameraMode, frames: int = 45) -> CameraMode:
    """The mode that an open camera really gives, from the pictures and stamps of some frames.

    Raises:
        SourceError: No picture comes.
    """
    times_s: list[float] = []
    size_wh = said.size_wh
    for _ in range(frames):
        shot = driver.read()
        if shot is None:
            break
        height, width = shot.luma.shape
        size_wh = (width, height)
        times_s.append(shot.time_s)
    if not times_s:
        raise SourceError("expected pictures of the camera, it was opened and gives none")
    return CameraMode(said.pixel_format, size_wh, rate_of(times_s[_SETTLING_FRAMES:]))


def rate_of(times_s: Sequence[float]) -> float:
    """Frames a second by the median step between stamps, 0 where there are too few."""
    steps_s = [later - earlier for earlier, later in itertools.pairwise(times_s)]
    step_s = median(steps_s) if steps_s else 0.0
    return 1 / step_s if step_s > 0 else 0.0


def shortfalls(wanted: CameraMode, given: CameraMode) -> list[str]:
    """What a camera gives otherwise than asked, in words; nothing where all is as asked."""
    found = []
    if given.pixel_format != wanted.pixel_format:
        name = given.pixel_format or "no known format"
        found.append(f"asked for {wanted.pixel_format}, the camera gives {name}")
    if given.size_wh != wanted.size_wh:
        asked, got = ("x".join(map(str, size)) for size in (wanted.size_wh, given.size_wh))
        found.append(f"asked for {asked}, the camera gives {got}")
    if 0 < given.rate_fps < _SAME_RATE * wanted.rate_fps:
        found.append(
            f"asked for {wanted.rate_fps:.0f} frames a second, the camera gives "
            f"{given.rate_fps:.0f}"
        )
    return found


def to_fourcc(name: str) -> int:
    """The number of a pixel format.

    >>> from_fourcc(to_fourcc("MJPG"))
    'MJPG'
    """
    return int.from_bytes(name.encode("ascii").ljust(4)[:4], "little")


def from_fourcc(code: int) -> str:
    """The name of a pixel format, empty for a number that is none."""
    letters = (code & 0xFFFFFFFF).to_bytes(4, "little")
    return letters.decode("ascii").strip() if letters.isalnum() or b" " in letters else ""
