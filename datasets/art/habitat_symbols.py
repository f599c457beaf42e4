"""The symbols on Habitat cards: scoring methods, times of day, the impact icon. 100 units wide."""

from collections.abc import Callable
from math import cos, pi, sin
from types import MappingProxyType

from datasets.art.palette import (
    CREAM,
    FISH,
    GOLD,
    GOLD_DARK,
    IMPACT,
    INK,
    MAMMAL,
    NIGHT,
    REPTILE,
    STONE,
    WATER,
    WOOD_PALE,
)
from datasets.art.svg import Box, circle, ellipse, flat, inked, polygon, rounded, stroke

BOX = Box(-50, -50, 50, 50)


def clock() -> str:
    """Scoring by time."""
    ticks = "".join(
        f"M{30 * sin(a):.1f} {30 * cos(a):.1f}L{36 * sin(a):.1f} {36 * cos(a):.1f}"
        for a in (i * pi / 2 for i in range(4))
    )
    return (
        stroke("M-30 34L-38 46M30 34L38 46", INK, 10).to_svg()
        + inked(circle(-26, -38, 13) + circle(26, -38, 13), GOLD, width=7).to_svg()
        + inked(circle(0, 2, 44), "#ffffff", width=9).to_svg()
        + stroke(ticks, INK, 6).to_svg()
        + stroke("M0 2V-24M0 2L18 14", INK, 8).to_svg()
        + flat(circle(0, 2, 6), IMPACT).to_svg()
    )


def palette() -> str:
    """Scoring by colour."""
    board = (
        "M-2 -42C36 -44 52 -12 44 14C38 32 16 18 8 26C-2 36 14 44 -4 46"
        "C-40 46 -52 14 -46 -10C-40 -32 -22 -42 -2 -42Z"
    )
    dabs = ((-24, -14, STONE), (-2, -26, FISH), (22, -12, MAMMAL), (-26, 14, REPTILE))
    return inked(board, WOOD_PALE, width=8).to_svg() + "".join(
        inked(circle(x, y, 9.5), tone, width=4).to_svg() for x, y, tone in dabs
    )


def globe() -> str:
    """Scoring by zone."""
    net = "M-44 0H44M-36 -24H36M-36 24H36M0 -44C-28 -20 -28 20 0 44C28 20 28 -20 0 -44V44"
    return (
        inked(circle(0, 0, 45), WATER, width=9).to_svg()
        + stroke(net, CREAM, 6).to_svg()
        + stroke(circle(0, 0, 45), INK, 9).to_svg()
    )


def sunrise() -> str:
    """Morning: half a sun over the horizon."""
    rays = "".join(
        f"M{31 * cos(a):.1f} {18 - 31 * sin(a):.1f}L{44 * cos(a):.1f} {18 - 44 * sin(a):.1f}"
        for a in (pi * k / 6 for k in range(1, 6))
    )
    return (
        stroke(rays, GOLD_DARK, 9).to_svg()
        + inked("M-24 18C-24 -14 24 -14 24 18Z", "#ff9a5c", width=7).to_svg()
        + stroke("M-46 20H46M-30 36H30", INK, 8).to_svg()
    )


def sun() -> str:
    """Day: a whole sun."""
    rays = "".join(
        f"M{33 * cos(a):.1f} {33 * sin(a):.1f}L{45 * cos(a):.1f} {45 * sin(a):.1f}"
        for a in (pi * k / 4 for k in range(8))
    )
    return stroke(rays, GOLD_DARK, 9).to_svg() + inked(circle(0, 0, 25), GOLD, width=7).to_svg()


def moon() -> str:
    """Night: a crescent and a star."""
    crescent = "M8 -42C-60 -34 -56 42 4 42C24 42 36 30 40 18C0 30 -22 -14 8 -42Z"
    star = polygon(
        (26 + r * sin(pi * k / 5), -12 - r * cos(pi * k / 5)) for k, r in enumerate((18, 8) * 5)
    )
    return inked(crescent, NIGHT[0], width=7).to_svg() + inked(star, GOLD, width=5).to_svg()


def footprint() -> str:
    """The impact icon: the sole of a boot."""
    sole = (
        "M-2 -48C22 -48 28 -24 22 -2C20 8 20 12 22 18H-18C-16 10 -22 2 -24 -12"
        "C-28 -32 -20 -48 -2 -48Z"
    )
    heel = rounded(Box(-18, 26, 22, 48), 9)
    treads = "M-16 -30H16M-18 -14H18M-16 2H16M-12 36H16"
    return (
        flat(sole, IMPACT).to_svg()
        + flat(heel, IMPACT).to_svg()
        + stroke(treads, CREAM, 5).to_svg()
    )


METHODS: MappingProxyType[str, Callable[[], str]] = MappingProxyType(
    {"time": clock, "color": palette, "zone": globe}
)
TIMES: MappingProxyType[str, Callable[[], str]] = MappingProxyType(
    {"morning": sunrise, "day": sun, "night": moon}
)


def compass(r: float) -> str:
    """A compass rose of that radius around the origin, the same either way up."""

    def point(k: int, reach: float) -> tuple[float, float]:
        return reach * sin(pi * k / 8), -reach * cos(pi * k / 8)

    content = inked(circle(0, 0, r), CREAM, width=12).to_svg()
    content += stroke(circle(0, 0, r * 0.84), GOLD_DARK, 8).to_svg()
    for k, reach in (
        (2, 0.6),
        (6, 0.6),
        (10, 0.6),
        (14, 0.6),
        (0, 0.8),
        (4, 0.8),
        (8, 0.8),
        (12, 0.8),
    ):
        for side, tone in ((-1, INK), (1, GOLD)):
            tip = polygon([(0, 0), point(k, r * reach), point(k + side, r * 0.24)])
            content += inked(tip, tone, width=6).to_svg()
    return content + inked(ellipse(0, 0, 20, 20), IMPACT, width=7).to_svg()
