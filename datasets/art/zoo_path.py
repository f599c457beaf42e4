"""The faces of path cards, and the pond on their back. One unit is a tenth of a millimetre."""

from collections.abc import Collection, Mapping
from math import atan2, cos, pi, sin
from types import MappingProxyType

from datasets.art.palette import (
    CREAM,
    GREEN,
    GREEN_DARK,
    INK,
    KERB,
    LAWN_DARK,
    LAWN_DARK_DARK,
    LAWN_DARK_PALE,
    LAWN_LIGHT,
    LAWN_LIGHT_DARK,
    LAWN_LIGHT_PALE,
    MEADOW,
    MEADOW_DARK,
    PATH,
    PATH_DARK,
    PATH_PALE,
    SAND,
    WATER,
    WATER_DARK,
    WATER_PALE,
)
from datasets.art.svg import (
    Box,
    circle,
    clipped,
    document,
    ellipse,
    flat,
    group,
    inked,
    number,
    rounded,
    stroke,
)
from datasets.art.zoo_plants import PROPS

SIDE = 440.0
MIDDLE = SIDE / 2
TILE = rounded(Box(0, 0, SIDE, SIDE), 10)
EDGES: MappingProxyType[str, tuple[float, float]] = MappingProxyType(
    {"n": (MIDDLE, -20), "e": (SIDE + 20, MIDDLE), "s": (MIDDLE, SIDE + 20), "w": (-20, MIDDLE)}
)
"""Where a path leaves the card: a little beyond the edge, so that its round end is cut off."""

QUARTERS: MappingProxyType[str, tuple[float, float]] = MappingProxyType(
    {"nw": (0, 0), "ne": (MIDDLE, 0), "se": (MIDDLE, MIDDLE), "sw": (0, MIDDLE)}
)
"""Upper left corner of each quarter."""

LAWNS: MappingProxyType[str, tuple[str, str, str]] = MappingProxyType(
    {
        "light": (LAWN_LIGHT, LAWN_LIGHT_DARK, LAWN_LIGHT_PALE),
        "dark": (LAWN_DARK, LAWN_DARK_DARK, LAWN_DARK_PALE),
    }
)
"""Lawn, its blades and its stripes: the greens differ threefold in brightness, not in hue alone."""

_KERB_WIDTH, _PATH_WIDTH = 104.0, 82.0


def path_face(paths: Collection[str], quarters: Mapping[str, str], number_: int) -> str:
    """A path card.

    Args:
        paths: The edges, of n, e, s and w, that a path joins to the centre.
        quarters: The lawn of each quarter, light or dark.
        number_: Counts the cards; it decides what stands on the lawns. No two of the four things
            are the same, so a card looks like itself in one rotation only.
    """
    lawns = "".join(_lawn(quarters[name], *QUARTERS[name]) for name in QUARTERS)
    props = "".join(_prop(number_, index, *QUARTERS[name]) for index, name in enumerate(QUARTERS))
    return document(clipped(lawns + _paths(paths, number_) + props, TILE), SIDE, SIDE)


def _lawn(lawn: str, x: float, y: float) -> str:
    """A quarter: the light lawn is mown in stripes, the dark one grows in tufts."""
    ground, dark, pale = LAWNS[lawn]
    content = flat(f"M0 0H{number(MIDDLE)}V{number(MIDDLE)}H0Z", ground).to_svg()
    if lawn == "light":
        stripes = "".join(f"M{k} -10L{k - 240} 230" for k in (30, 140, 250, 360, 470))
        content += stroke(stripes, pale, 38, 0.7).to_svg()
        blades = ((36, 60), (110, 30), (180, 80), (50, 150), (130, 190), (196, 170))
        content += stroke("".join(f"M{a - 6} {b - 9}L{a} {b}L{a + 7} {b - 10}" for a, b in blades),
                          dark, 5).to_svg()  # fmt: skip
    else:
        tufts = ((40, 52), (128, 44), (194, 96), (58, 128), (120, 178), (30, 200), (190, 196))
        content += flat("".join(ellipse(a, b, 19, 13) for a, b in tufts), dark).to_svg()
        content += stroke(
            "".join(
                (
                    f"M{a - 9} {b + 2}L{a - 5} {b - 12}M{a + 1} {b + 4}V{b - 14}"
                    f"M{a + 10} {b + 2}L{a + 7} {b - 10}"
                )
                for a, b in tufts
            ),
            pale,
            5,
        ).to_svg()
    square = f"M0 0H{number(MIDDLE)}V{number(MIDDLE)}H0Z"
    return group(clipped(content, square), f"translate({number(x)} {number(y)})")


def _paths(paths: Collection[str], number_: int) -> str:
    """Sand between kerbs, from the centre to the edges, strewn with pebbles."""
    ways = [EDGES[edge] for edge in EDGES if edge in paths]
    d = _way(ways)
    pebbles = ""
    for index, (x, y) in enumerate(ways):
        for step, share in enumerate((0.3, 0.62, 0.86)):
            across = 22 * sin(2.4 * (number_ + 3 * index + 5 * step))
            angle = atan2(y - MIDDLE, x - MIDDLE) + pi / 2
            px = MIDDLE + (x - MIDDLE) * share + across * cos(angle)
            py = MIDDLE + (y - MIDDLE) * share + across * sin(angle)
            pebbles += ellipse(px, py, 8, 5.5)
    return (
        stroke(d, INK, _KERB_WIDTH + 8).to_svg()
        + stroke(d, KERB, _KERB_WIDTH - 6).to_svg()
        + stroke(d, PATH_DARK, _PATH_WIDTH + 4).to_svg()
        + stroke(d, PATH, _PATH_WIDTH - 4).to_svg()
        + stroke(d, PATH_PALE, 30, 0.7).to_svg()
        + flat(pebbles, PATH_DARK).to_svg()
    )


def _way(ends: list[tuple[float, float]]) -> str:
    """The middle line of the paths; two that meet at a right angle are joined by a bend."""
    centre = f"{number(MIDDLE)} {number(MIDDLE)}"
    if len(ends) == 2 and ends[0][0] != ends[1][0] and ends[0][1] != ends[1][1]:
        (x0, y0), (x1, y1) = ends
        near = [(MIDDLE + (x - MIDDLE) * 0.3, MIDDLE + (y - MIDDLE) * 0.3) for x, y in ends]
        return (
            f"M{number(x0)} {number(y0)}L{number(near[0][0])} {number(near[0][1])}"
            f"Q{centre} {number(near[1][0])} {number(near[1][1])}L{number(x1)} {number(y1)}"
        )
    return "".join(f"M{centre}L{number(x)} {number(y)}" for x, y in ends)


def _prop(number_: int, index: int, x: float, y: float) -> str:
    names = tuple(PROPS)
    part = PROPS[names[(5 * number_ + 3 * index) % len(names)]]()
    outward = 1 if x else -1, 1 if y else -1
    stray = 10 * sin(1.7 * number_ + 2.1 * index), 10 * cos(2.3 * number_ + 1.3 * index)
    px = x + MIDDLE / 2 + outward[0] * 22 + stray[0]
    py = y + MIDDLE / 2 + outward[1] * 22 + stray[1]
    return group(part.to_svg(), f"translate({number(px)} {number(py)}) scale(1.1)")


def pond_face() -> str:
    """The back of a path card: a pond in a meadow, with a duck, a lily and reeds."""
    shore = (
        "M70 214C54 120 128 62 214 74C292 42 386 90 384 186C412 268 372 356 286 372"
        "C214 398 96 384 78 304C62 276 66 246 70 214Z"
    )
    waves = (
        "M118 168C136 156 154 156 172 168C190 180 208 180 226 168M232 316C248 306 264 306 280 316"
    )
    meadow = "".join(
        f"M{x - 9} {y - 14}L{x} {y}L{x + 10} {y - 15}"
        for x, y in ((40, 60), (400, 56), (36, 400), (404, 396), (220, 40), (24, 230), (418, 240))
    )
    return document(
        clipped(
            flat(f"M0 0H{number(SIDE)}V{number(SIDE)}H0Z", MEADOW).to_svg()
            + stroke(meadow, MEADOW_DARK, 7).to_svg()
            + stroke(shore, INK, 46).to_svg()
            + stroke(shore, PATH, 34).to_svg()
            + flat(shore, WATER).to_svg()
            + stroke(shore, WATER_DARK, 8).to_svg()
            + stroke(waves, WATER_PALE, 9).to_svg()
            + _lily(160, 300)
            + _duck()
            + _reeds(322, 296),
            TILE,
        ),
        SIDE,
        SIDE,
    )


def _lily(x: float, y: float) -> str:
    pad = (
        f"M{x} {y}L{x + 44} {y - 16}C{x + 40} {y + 30} {x - 46} {y + 34} {x - 50} {y}"
        f"C{x - 48} {y - 36} {x + 22} {y - 42} {x + 30} {y - 26}Z"
    )
    petals = (
        ellipse(x - 8, y - 18, 9, 17) + ellipse(x - 24, y - 8, 15, 9) + ellipse(x + 8, y - 8, 15, 9)
    )
    return inked(pad, GREEN, width=7).to_svg() + inked(petals, "#f6a6c6", width=5).to_svg()


def _duck() -> str:
    body = (
        "M166 226C176 186 148 158 174 136C196 118 226 134 224 158C220 180 238 186 270 178"
        "C280 212 258 246 216 246C188 246 170 240 166 226Z"
    )
    return (
        inked(body, CREAM, width=8).to_svg()
        + inked("M176 148L142 158C144 170 162 170 178 166Z", SAND, width=7).to_svg()
        + flat(circle(194, 150, 6), INK).to_svg()
        + stroke("M214 204C228 214 246 210 254 198", INK, 6).to_svg()
        + stroke("M150 254C184 264 240 264 276 250", WATER_PALE, 8).to_svg()
    )


def _reeds(x: float, y: float) -> str:
    stems = (
        f"M{x - 24} {y + 40}L{x - 30} {y - 50}M{x} {y + 44}L{x + 4} {y - 74}M{x + 24} {y + 36}"
        f"L{x + 34} {y - 40}"
    )
    heads = "".join(
        inked(ellipse(a, b, 9, 22), KERB, width=5).to_svg()
        for a, b in ((x - 30, y - 56), (x + 4, y - 82), (x + 35, y - 46))
    )
    return stroke(stems, GREEN_DARK, 9).to_svg() + heads
