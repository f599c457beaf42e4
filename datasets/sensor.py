"""What becomes of a filmed frame: noise, dim light, drifting colours, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art.paint import Image, Rng

_NOISE_TILES = 6


@dataclass(frozen=True, slots=True)
class Dip:
    """The light goes dim for a while: from when to when, and how much of it is left."""

    start_s: float
    end_s: float
    left: float


@dataclass(frozen=True, slots=True)
class Sensor:
    """How the camera turns light into pictures.

    Attributes:
        noise: Deviation of its noise in grey levels.
        dip: When the light is dim, if ever.
        drift: How far exposure and white balance wander.
        jpeg: Quality at which each frame is squeezed first; None: not at all.
        seed: Of the noise.
    """

    noise: float
    dip: Dip | None
    drift: float
    jpeg: int | None
    seed: int


class Exposures:
    """Turns filmed frames into what the camera hands on; frame by frame the same for one seed."""

    def __init__(self, sensor: Sensor, size: tuple[int, int]) -> None:
        """Draws the noise once; every frame takes another piece of it."""
        self._sensor = sensor
        self._rng = np.random.default_rng(sensor.seed)
        self._waves = self._rng.uniform(0, 2 * np.pi, 4)
        width, height = size
        self._tiles = []
        for _ in range(_NOISE_TILES if sensor.noise > 0 else 0):
            grain = _grain(self._rng, (width + 32, height + 32), sensor.noise)
            self._tiles.append(
                (np.clip(grain, 0, 255).astype(np.uint8), np.clip(-grain, 0, 255).astype(np.uint8))
            )

    def expose(self, image: Image, t_s: float) -> Image:
        """Returns the picture of a frame."""
        gains = self._gains(t_s)
        if abs(gains - 1).max() > 1e-3:
            image = np.asarray(cv2.multiply(image, np.asarray([*gains, 1.0])), np.uint8)
        if self._tiles:
            image = self._with_noise(image)
        if self._sensor.jpeg is not None:
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self._sensor.jpeg])
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return image

    def _gains(self, t_s: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        gains = np.ones(3)
        if self._sensor.drift:
            swing = np.sin(t_s * np.asarray([0.55, 0.31, 0.43], np.float64) + self._waves[:3])
            gains = gains + self._sensor.drift * (
                swing * (0.5, 0.0, 0.5) + np.sin(t_s * 0.4 + self._waves[3])
            )
        dip = self._sensor.dip
        if dip is not None:
            inside = min(t_s - dip.start_s, dip.end_s - t_s)
            gains = gains * (1 - (1 - dip.left) * float(np.clip(inside / 0.25, 0, 1)))
        return gains

    def _with_noise(self, image: Image) -> Image:
        more, less = self._tiles[int(self._rng.integers(len(self._tiles)))]
        dx, dy = (int(v) for v in self._rng.integers(0, 32, 2))
        rows, cols = slice(dy, dy + image.shape[0]), slice(dx, dx + image.shape[1])
        return np.asarray(
            cv2.subtract(cv2.add(image, more[rows, cols]), less[rows, cols]), np.uint8
        )


def _grain(
    rng: Rng, size: tuple[int, int], strength: float
) -> np.ndarray[tuple[int, int, int], np.dtype[np.float32]]:
    width, height = size
    grey = rng.standard_normal((height, width, 1), dtype=np.float32)
    colour = rng.standard_normal((height // 2, width // 2, 3), dtype=np.float32)
    coloured = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.round(grey * strength + coloured * strength * 0.5), np.float32)
