"""The camera over the table: where it stands and how points in millimetres become pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.art.paint import Rng, f64
from datasets.items import Points, Scene

SIZES = ((512, 288), (512, 384), (384, 512), (288, 512), (480, 480), (512, 320))
FLATS = frozenset({"card", "camera", "back", "path"})


@dataclass(frozen=True, slots=True, eq=False)
class Viewpoint:
    """A pinhole camera with one radial term.

    Attributes:
        size: width and height of the picture.
        matrix: 3x4 projection of (x, y, -height, 1) in millimetres.
        k1: radial distortion, in units of half the picture's diagonal.
    """

    size: tuple[int, int]
    matrix: NDArray[np.float64]
    k1: float

    def project(self, points: Points, height: float = 0.0) -> tuple[Points, bool]:
        """Projects points of one height; False when one of them is not well before the camera."""
        flat = np.column_stack([points, np.full(len(points), -height), np.ones(len(points))])
        moved = flat @ self.matrix.T
        depth = moved[:, 2]
        seen = bool((depth > 40).all())
        return np.asarray(moved[:, :2] / np.maximum(depth, 1e-3)[:, None], np.float64), seen

    def plane(self) -> NDArray[np.float64]:
        """Homography from the table plane in millimetres to pixels."""
        return np.asarray(self.matrix[:, [0, 1, 3]], np.float64)

    def distort(self, points: Points) -> Points:
        """Moves ideal pixels to where the lens puts them."""
        if self.k1 == 0.0:
            return points
        middle, unit = f64(self.size) / 2, np.hypot(*self.size) / 2
        off = (points - middle) / unit
        radius = (off**2).sum(1, keepdims=True)
        return np.asarray(middle + off * (1 + self.k1 * radius) * unit, np.float64)


def aim(  # noqa: PLR0913, PLR0917 - a camera has that many
    size: tuple[int, int],
    focal: float,
    tilt: float,
    azimuth: float,
    roll: float,
    distance: float,
    target: tuple[float, float] = (0.0, 0.0),
    k1: float = 0.0,
) -> Viewpoint:
    """Places a camera.

    Args:
        size: width and height of the picture.
        focal: focal length in picture widths (longer side).
        tilt: angle from straight down, radians.
        azimuth: turn around the table, radians.
        roll: turn of the camera around its axis, radians.
        distance: to the target, millimetres.
        target: point of the table in the picture's middle.
        k1: radial distortion.
    """
    f = float(focal * max(size))
    lens = f64([[f, 0.0, size[0] / 2], [0.0, f, size[1] / 2], [0.0, 0.0, 1.0]])
    ct, st, ca, sa, cr, sr = (
        np.cos(tilt),
        np.sin(tilt),
        np.cos(azimuth),
        np.sin(azimuth),
        np.cos(roll),
        np.sin(roll),
    )
    around = f64([[ca, -sa, 0], [sa, ca, 0], [0, 0, 1]])
    lean = f64([[1, 0, 0], [0, ct, st], [0, -st, ct]])
    twist = f64([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    turn = twist @ lean @ around
    shift = f64([0, 0, distance]) - turn @ f64([*target, 0])
    return Viewpoint(size, np.asarray(lens @ np.column_stack([turn, shift]), np.float64), k1)


def sample_viewpoint(rng: Rng, scene: Scene) -> Viewpoint:
    """Draws a camera by lot that sees the layout, a part of it, or it small in the middle."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    flats = [item for item in scene.items if item.kind in FLATS] or list(scene.items)
    spots = f64([item.at_mm for item in flats]) if flats else np.zeros((1, 2))
    middle = (spots.min(0) + spots.max(0)) / 2
    half = max(float((spots.max(0) - spots.min(0)).max()) / 2, 60.0) + 50
    focal = rng.uniform(0.7, 1.7)
    cover = (
        rng.uniform(0.35, 0.62)
        if rng.random() < 0.6
        else np.exp(rng.uniform(np.log(0.3), np.log(1.7)))
    )
    if scene.layout == "board":
        cover *= rng.uniform(0.5, 1.0)  # the board is wider than the field of tiles
    distance = max(2 * half * focal / (2 * cover), 160.0)
    short = min(flats[0].size_mm) if flats else 60.0
    if rng.random() < 0.3:
        wanted = np.exp(rng.uniform(np.log(18), np.log(190)))  # card's short side in pixels
        distance = focal * max(size) * short / wanted
        middle = spots[int(rng.integers(len(spots)))]
    distance = float(np.clip(distance, 150, focal * max(size) * short / 14))
    tilt = np.radians(rng.uniform(0, 50) if rng.random() < 0.6 else rng.uniform(0, 30))
    azimuth = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.6:
        azimuth = int(rng.choice((0, 0, 1, 2, 3))) * np.pi / 2 + rng.normal(0, 0.15)
    jitter = rng.normal(0, 0.12, 2) * half
    k1 = float(rng.uniform(-0.12, 0.08)) if rng.random() < 0.5 else 0.0
    target = (float(middle[0] + jitter[0]), float(middle[1] + jitter[1]))
    return aim(size, focal, tilt, azimuth, rng.normal(0, 0.05), distance, target, k1)
