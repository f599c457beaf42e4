"""Under what circumstances a still is taken: table, camera, light, flaws, a hand over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from datasets.art import tabletops
from datasets.art.paint import Rng
from datasets.degrade import Blob, Flaws, Light
from datasets.items import HELD, TRAIN, Points, Shadows, Table
from datasets.scene import sample_table
from datasets.viewpoint import Viewpoint, aim

LANDSCAPE = ((1920, 1440), (1920, 1440), (2016, 1512), (1920, 1080))
PORTRAIT = ((1440, 1920),)

MOST_TILT = 45.0
"""Degrees from straight down up to which a table has to be read."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """A named kind of still.

    Attributes:
        sizes: Width and height of the picture, one of them drawn by lot.
        tilt_deg: Least and greatest tilt of the camera.
        any_table: Whether it is any surface, not only a wooden one.
        light: What lights it: even, shade, warm, dim, glare.
        grain: Deviation of the sensor's noise; with much of it comes blur and hard JPEG.
        hands: How many hands are over the table.
        is_cut: Whether the picture's edge cuts a part of it off.
    """

    sizes: tuple[tuple[int, int], ...] = LANDSCAPE
    tilt_deg: tuple[float, float] = (0.0, MOST_TILT)
    any_table: bool = False
    light: str = "even"
    grain: float = 1.5
    hands: int = 0
    is_cut: bool = False


CUT = "cut"
STYLES: Mapping[str, Circumstances] = MappingProxyType(
    {
        "plain": Circumstances(tilt_deg=(0.0, 25.0)),
        "cloth": Circumstances(any_table=True),
        "steep": Circumstances(tilt_deg=(32.0, MOST_TILT)),
        "shade": Circumstances(light="shade", any_table=True),
        "warm": Circumstances(light="warm", grain=3.0),
        "glare": Circumstances(light="glare", any_table=True),
        "dim": Circumstances(light="dim", grain=5.0),
        "rough": Circumstances(grain=6.0, any_table=True),
        "phone": Circumstances(sizes=PORTRAIT, tilt_deg=(0.0, 35.0), any_table=True),
        "hand": Circumstances(hands=1, any_table=True),
        CUT: Circumstances(is_cut=True, any_table=True),
    }
)
"""The kinds of stills, in the order in which a series takes them in turn."""


def sample_ground(rng: Rng, kind: Circumstances, *, held: bool) -> Table:
    """Draws a table top by lot; `held` takes those that no training picture shows."""
    if kind.any_table or held:
        return replace(sample_table(rng, HELD if held else TRAIN, 400.0, None), extent_mm=None)
    name = str(rng.choice(tuple(tabletops.WOODS)))
    tile = tabletops.draw_boards(rng, name)
    angle = float(rng.normal(0, 0.02))
    return Table(tile, tabletops.MM_PER_PX, angle, None, ((0, 0, 0), 0.0), tile)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera over a table and the angles at which it was placed, in degrees."""

    view: Viewpoint
    tilt_deg: float
    turn_deg: float


def sample_camera(rng: Rng, kind: Circumstances, reach: Points, *, any_side: bool) -> Camera:
    """Draws a camera by lot that sees all of what it is to see, unless the picture cuts it.

    Args:
        rng: Source of all chance.
        kind: The circumstances.
        reach: Array of shape (n, 2): the points of the table plane to be seen, in millimetres.
        any_side: Whether the camera may stand at any side of the table, or near its lower one.
    """
    size = kind.sizes[int(rng.integers(len(kind.sizes)))]
    tilt = float(rng.uniform(*kind.tilt_deg))
    turn = float(rng.normal(0, 5.0))
    if any_side:
        turn = float(rng.uniform(-180, 180))
        if rng.random() < 0.65:
            turn = 90.0 * float(rng.integers(4)) - 90.0 + float(rng.normal(0, 6.0))
    focal = float(rng.uniform(0.75, 1.5))
    k1 = float(rng.uniform(0.0, 0.05)) if rng.random() < 0.5 else 0.0
    roll = float(np.radians(rng.normal(0, 1.5)))
    fill = float(rng.uniform(0.86, 0.97))
    middle, half = (reach.min(0) + reach.max(0)) / 2, (reach.max(0) - reach.min(0)) / 2
    if kind.is_cut:
        fill = float(rng.uniform(1.25, 1.75))
        middle = middle + half * rng.uniform(-0.3, 0.3, 2)
    target = (float(middle[0]), float(middle[1]))
    near, far = 150.0, 6000.0

    def place(distance: float) -> Viewpoint:
        return aim(size, focal, np.radians(tilt), np.radians(turn), roll, distance, target, k1)

    for _ in range(28):
        distance = (near + far) / 2
        if _holds(place(distance), reach, fill):
            far = distance
        else:
            near = distance
    return Camera(place(far), tilt, turn)


def _holds(view: Viewpoint, points: Points, fill: float) -> bool:
    """Tells whether points are in a picture, within a share of it around its middle."""
    pixels, seen = view.project(points)
    half = np.asarray(view.size, np.float64) / 2
    off = np.abs(view.distort(pixels) - half) / half
    return seen and bool((off <= fill).all())


def sample_shadows(rng: Rng) -> Shadows:
    """Draws by lot how things throw shadows: those of a room, which are seldom long or black."""
    angle, steep = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.8)
    slant = (float(steep * np.cos(angle)), float(steep * np.sin(angle)))
    return Shadows(slant, float(rng.uniform(0.1, 0.7)), float(rng.uniform(0.15, 0.5)))


def sample_light(rng: Rng, kind: Circumstances) -> Light:
    """Draws the light by lot."""
    warm = float(rng.normal(0.0, 0.03))
    light = Light(
        exposure=float(rng.uniform(0.9, 1.08)),
        gains=(1 - warm, 1.0, 1 + warm),
        slope=(float(rng.normal(0, 0.08)), float(rng.normal(0, 0.08))),
        lamps=(),
        shade=(),
        shade_depth=0.0,
        shade_blur=0.0,
        glare=(),
        vignette=float(rng.uniform(0.0, 0.1)),
        gamma=float(rng.uniform(0.9, 1.15)),
    )
    match kind.light:
        case "shade":
            return _shaded(rng, light)
        case "warm":
            warmth = float(rng.uniform(0.12, 0.26))
            lamp = Blob(float(rng.uniform(0, 1)), float(rng.uniform(0, 1)), 0.6, 1.3, 0.3)
            return replace(
                light, gains=(1 - warmth, 1 - 0.1 * warmth, 1 + 0.4 * warmth), lamps=(lamp,)
            )
        case "dim":
            return replace(light, exposure=float(rng.uniform(0.42, 0.6)))
        case "glare":
            return replace(light, glare=_glare(rng))
    return light


def _shaded(rng: Rng, light: Light) -> Light:
    """A shadow with a straight edge falls over a part of the table."""
    angle, middle = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.65, 2)
    along, across = np.asarray([np.cos(angle), np.sin(angle)]), np.asarray(
        [-np.sin(angle), np.cos(angle)]
    )  # fmt: skip
    corners = (middle - along * 2, middle + along * 2, middle + along * 2 + across * 2,
               middle - along * 2 + across * 2)  # fmt: skip
    return replace(
        light,
        shade=tuple((float(x), float(y)) for x, y in corners),
        shade_depth=float(rng.uniform(0.25, 0.55)),
        shade_blur=float(rng.uniform(2, 40)),
        slope=(float(rng.normal(0, 0.15)), float(rng.normal(0, 0.15))),
    )


def _glare(rng: Rng) -> tuple[Blob, ...]:
    """Lamps mirrored in what is glossy: one or two spots that are washed out, not blank."""
    return tuple(
        Blob(
            float(rng.uniform(0.15, 0.85)),
            float(rng.uniform(0.15, 0.85)),
            float(rng.uniform(0.04, 0.12)),
            float(rng.uniform(0.6, 1.8)),
            float(rng.uniform(50, 130)),
        )
        for _ in range(int(rng.integers(1, 3)))
    )


def sample_flaws(rng: Rng, kind: Circumstances) -> Flaws:
    """Draws by lot what the camera does to the picture."""
    rough = kind.grain >= 5.0
    return Flaws(
        blur=float(rng.uniform(0.3, 0.9 if rough else 0.5)),
        motion=(0.0, 0.0),
        noise=float(kind.grain * rng.uniform(0.6, 1.2)),
        chroma_noise=float(kind.grain * 0.5),
        sharpen=float(rng.uniform(0.0, 0.6)),
        shrink=1.0,
        jpeg=int(rng.integers(48, 70)) if rough else int(rng.integers(82, 95)),
        saturation=float(rng.uniform(0.85, 1.15)),
    )
