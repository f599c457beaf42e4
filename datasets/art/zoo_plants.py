"""Small things that stand on lawns: each a part around the origin, about 70 units wide."""

from collections.abc import Callable
from types import MappingProxyType

from datasets.art.palette import (
    CRAB_RED,
    CREAM,
    GOLD,
    GOLD_DARK,
    GREEN,
    GREEN_DARK,
    INK,
    SAND,
    STONE,
    STONE_DARK,
    WATER_PALE,
    WOOD,
    WOOD_DARK,
    WOOD_PALE,
)
from datasets.art.svg import Box, Part, Shape, circle, ellipse, flat, inked, rounded, stroke

_LINE = 6.0
_BOX = Box(-38, -38, 38, 38)


def _part(*shapes: Shape) -> Part:
    return Part((flat(ellipse(2, 30, 32, 8), INK, 0.25), *shapes), _BOX)


def daisies() -> Part:
    """Three white flowers."""
    heads = []
    for x, y, r in ((-18, -4, 13), (16, -16, 14), (8, 16, 12)):
        petals = "".join(
            circle(x + dx * r * 0.72, y + dy * r * 0.72, r * 0.52)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        )
        heads += [inked(petals, "#ffffff", width=4), flat(circle(x, y, r * 0.5), GOLD)]
    return _part(*heads)


def rock() -> Part:
    """Two grey stones."""
    return _part(
        inked("M-34 28C-40 0 -22 -22 0 -18C24 -14 32 6 28 28Z", STONE, width=_LINE),
        flat("M-22 4C-18 -10 -6 -14 4 -12C-6 -6 -14 0 -16 10Z", "#ffffff", 0.5),
        inked("M10 30C8 16 18 8 26 12C36 16 38 22 36 30Z", STONE_DARK, width=_LINE),
    )


def bush() -> Part:
    """A round bush with red berries."""
    leaf = "M-34 26C-44 4 -28 -14 -18 -12C-14 -34 18 -36 22 -12C40 -12 44 14 34 26Z"
    berries = [flat(circle(x, y, 6), CRAB_RED) for x, y in ((-16, 6), (4, -12), (18, 10), (-2, 16))]
    return _part(inked(leaf, GREEN, width=_LINE), *berries)


def fir() -> Part:
    """A fir tree."""
    return _part(
        inked("M-7 10H7V32H-7Z", WOOD_DARK, width=_LINE),
        inked("M0 -38L32 18H-32Z", GREEN_DARK, width=_LINE),
        stroke("M-10 -2L4 6M2 -16L12 -8", GREEN, 5),
    )


def mushroom() -> Part:
    """A red toadstool."""
    return _part(
        inked("M-11 2C-8 14 -12 24 -14 30H14C12 24 8 14 11 2Z", CREAM, width=_LINE),
        inked("M-34 6C-34 -44 34 -44 34 6C16 14 -16 14 -34 6Z", CRAB_RED, width=_LINE),
        *[flat(circle(x, y, r), CREAM) for x, y, r in ((-14, -6, 6), (4, -20, 7), (18, -2, 5))],
    )


def stump() -> Part:
    """The stump of a tree."""
    return _part(
        inked("M-28 -12V22C-36 32 36 32 28 22V-12Z", WOOD, width=_LINE),
        inked(ellipse(0, -12, 28, 14), WOOD_PALE, width=_LINE),
        stroke("M-12 -12C-10 -20 12 -20 12 -12C12 -6 -4 -6 -4 -12", WOOD_DARK, 4),
    )


def bench() -> Part:
    """A park bench."""
    return _part(
        stroke("M-26 30V0M26 30V0", INK, 9),
        inked(rounded(Box(-36, -22, 36, -6), 5), WOOD, width=_LINE),
        inked(rounded(Box(-38, 4, 38, 18), 5), WOOD_PALE, width=_LINE),
    )


def sunflower() -> Part:
    """One tall yellow flower."""
    petals = "".join(
        circle(x, y, 9)
        for x, y in ((0, -32), (16, -24), (18, -8), (6, 4), (-8, 4), (-18, -8), (-16, -24))
    )
    return _part(
        stroke("M0 0V32M0 20C10 18 16 12 20 8", GREEN_DARK, 8),
        inked(petals, GOLD, width=5),
        flat(circle(0, -14, 16), GOLD),
        inked(circle(0, -14, 11), WOOD_DARK, width=4),
    )


def trough() -> Part:
    """A wooden water trough."""
    return _part(
        inked("M-36 -8H36L28 28H-28Z", WOOD, width=_LINE),
        inked(ellipse(0, -8, 36, 11), WATER_PALE, width=_LINE),
        stroke("M-14 -8H6", "#ffffff", 5),
    )


def ball() -> Part:
    """A striped play ball."""
    return _part(
        inked(
            circle(0, 4, 28),
            CREAM,
            flat("M-28 -24C-8 -10 -8 18 -28 34Z", CRAB_RED),
            flat("M28 -24C8 -10 8 18 28 34Z", GOLD_DARK),
            width=_LINE,
        ),
    )


def crate() -> Part:
    """A wooden crate."""
    return _part(
        inked(rounded(Box(-30, -26, 30, 30), 4), WOOD_PALE, width=_LINE),
        stroke("M-30 -8H30M-30 12H30", WOOD_DARK, 4),
        stroke("M-22 -20L22 24", WOOD, 9),
    )


def butterfly() -> Part:
    """A butterfly over the grass."""
    wings = "M0 0C-10 -34 -40 -30 -34 -6C-30 8 -10 8 0 0C-6 20 -24 26 -26 12M0 0"
    other = "M0 0C10 -34 40 -30 34 -6C30 8 10 8 0 0C6 20 24 26 26 12"
    return Part(
        (
            inked(wings, SAND, width=_LINE),
            inked(other, SAND, width=_LINE),
            stroke("M0 -14V16", INK, 8),
            *[flat(circle(x, -12, 5), CREAM) for x in (-20, 20)],
        ),
        _BOX,
    )


PROPS: MappingProxyType[str, Callable[[], Part]] = MappingProxyType(
    {
        "daisies": daisies,
        "rock": rock,
        "fir": fir,
        "mushroom": mushroom,
        "stump": stump,
        "bush": bush,
        "bench": bench,
        "sunflower": sunflower,
        "trough": trough,
        "ball": ball,
        "butterfly": butterfly,
        "crate": crate,
    }
)
"""What stands on the lawns of the path cards, in the order in which it is dealt."""
