"""Tiny films for tests: a patterned card that comes, lands, is held by a hand, and stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame

Picture = npt.NDArray[np.uint8]


def patterned(height: int, width: int, seed: int) -> Picture:
    """A picture with structure everywhere, `(height, width)` luma."""
    noise = np.random.default_rng(seed).integers(30, 225, (height // 6 + 1, width // 6 + 1))
    big = cv2.resize(noise.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
    return np.asarray(big, np.uint8)


@dataclass(frozen=True)
class CardFilm:
    """A card that moves in from the right and lies still from a frame on.

    Attributes:
        lands_at: Index of the first frame in which the card lies where it stays.
        hand_until: Index of the last frame in which a hand covers the lower part of the card.
        leaves_at: Index of the first frame without the card.
    """

    lands_at: int
    hand_until: int = -1
    leaves_at: int = 10_000
    count: int = 60
    step_px: int = 9
    fps: int = 30
    size: tuple[int, int] = (240, 320)
    noise: int = 2
    place: tuple[int, int] = (60, 90)

    def luma(self, index: int) -> Picture:
        """Brightness of one frame, `(H, W)`."""
        height, width = self.size
        picture = (patterned(height, width, 1) // 6 + 90).astype(np.uint8)
        if index < self.leaves_at:
            self._draw_card(picture, index)
        rng = np.random.default_rng(1000 + index)
        shaken = picture.astype(np.int16) + rng.integers(-self.noise, self.noise + 1, self.size)
        return np.clip(shaken, 0, 255).astype(np.uint8)

    def _draw_card(self, picture: Picture, index: int) -> None:
        card = patterned(90, 66, 2)
        top, left = self.place
        left += self.step_px * max(0, self.lands_at - index)
        if left >= picture.shape[1]:
            return
        shown = card[:, : picture.shape[1] - left]
        picture[top : top + 90, left : left + shown.shape[1]] = shown
        if index <= self.hand_until:
            slide = 4 * max(0, index - self.hand_until + 5)
            picture[top + 40 + slide : top + 100 + slide, left : left + 66] = 120

    def frames(self) -> Iterator[Frame]:
        """All frames with their times."""
        for index in range(self.count):
            luma = self.luma(index)
            yield Frame(index, index / self.fps, luma, as_bgr(luma))

    @property
    def card_quad(self) -> tuple[tuple[float, float], ...]:
        """Where the card stays."""
        top, left = float(self.place[0]), float(self.place[1])
        return ((left, top), (left + 66, top), (left + 66, top + 90), (left, top + 90))


def as_bgr(luma: Picture) -> Callable[[], Picture]:
    """What `Frame.to_bgr` is for a grey picture."""
    return lambda: np.asarray(cv2.cvtColor(luma, cv2.COLOR_GRAY2BGR), np.uint8)


def write_video(
    path: Path, pictures: Sequence[Picture], times_ms: Sequence[int], turn_deg: int = 0
) -> Path:
    """Writes BGR pictures with exact presentation times, and a rotation tag where asked."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "12", "preset": "ultrafast", "bf": "0"}
        stream.time_base = Fraction(1, 1000)
        stream.codec_context.time_base = Fraction(1, 1000)
        for picture, at_ms in zip(pictures, times_ms, strict=True):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = at_ms, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
