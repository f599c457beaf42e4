"""The animal chips: the animal tells the size, the colour and the sign the player.

The rim repeats the player's sign in a shape of its own, so that a chip in grey light, or one of
which a part is hidden, can still be told. Drawn in a square of 200 units.
"""

from math import cos, pi, sin

from datasets.art.marks import MARKS
from datasets.art.palette import CREAM, INK, PLAYER_COLOURS
from datasets.art.svg import (
    Box,
    circle,
    clipped,
    document,
    flat,
    group,
    inked,
    number,
    placed,
    polygon,
    rounded,
    stroke,
)
from datasets.art.zoo_heads import HEADS

SIDE = 200.0
DIAMETERS_MM = {"large": 20, "medium": 17, "small": 14}
"""A quarter is 22.5 mm wide, and part of it belongs to the path: 20 mm is what fits."""

_RING = 86.0
_GROUNDS = {"large": CREAM, "medium": "#a9ded6", "small": "#ddd3ff"}
_FRAMES = {
    "large": Box(44, 30, 156, 148),
    "medium": Box(40, 34, 160, 140),
    "small": Box(36, 34, 164, 198),
}
"""Where each animal stands; the meerkat's chest is cut by the window."""


def chip_face(player: str, size: str) -> str:
    """A chip of a player and size."""
    main, dark, pale = PLAYER_COLOURS[player]
    c = SIDE / 2
    part = HEADS[size]()
    window = circle(c, c - 5, 70)
    sign = group(flat(MARKS[player], CREAM).to_svg(), f"translate({number(c)} 166) scale(0.2)")
    return document(
        inked(circle(c, c, 97), main, width=6).to_svg()
        + _rim(player, pale)
        + flat(circle(c, c, 76), dark).to_svg()
        + flat(window, _GROUNDS[size]).to_svg()
        + clipped(placed(part.to_svg(), part.box, _FRAMES[size]), window)
        + stroke(window, INK, 5).to_svg()
        + inked(circle(c, 166, 27), main, width=6).to_svg()
        + sign,
        SIDE,
        SIDE,
    )


def _rim(player: str, pale: str) -> str:
    """Dots for red, rays for yellow, bars for green, waves for blue."""
    c, count = SIDE / 2, {"red": 8, "yellow": 12, "green": 6, "blue": 10}[player]
    shapes = {
        "red": circle(0, -_RING, 6.5),
        "yellow": polygon([(-9, -78), (0, -96), (9, -78)]),
        "green": rounded(Box(-17, -_RING - 4, 17, -_RING + 4), 4),
        "blue": _drop(),
    }
    content = "".join(
        group(flat(shapes[player], pale).to_svg(), f"rotate({number(360 * i / count)})")
        for i in range(count)
    )
    return group(content, f"translate({number(c)} {number(c)})")


def _drop() -> str:
    arc = [(_RING * sin(a * pi / 180), -_RING * cos(a * pi / 180)) for a in (-10, 10)]
    (x0, y0), (x1, y1) = arc
    return (
        f"M{number(x0)} {number(y0)}Q0 {number(-_RING - 16)} {number(x1)} {number(y1)}"
        f"Q0 {number(-_RING + 4)} {number(x0)} {number(y0)}Z"
    )
