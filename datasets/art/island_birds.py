"""The grey birds and the blue fish of the islands. They face left, the y axis points down."""

from datasets.art.palette import (
    BIRD,
    BIRD_DARK,
    BIRD_PALE,
    CREAM,
    FISH,
    FISH_DARK,
    FISH_PALE,
    GOLD,
    INK,
)
from datasets.art.svg import Box, Part, Shape, circle, flat, inked, stroke

LINE = 8.0
"""Width of an outline."""


def eye(x: float, y: float, r: float = 9) -> tuple[Shape, ...]:
    """A round eye that looks left."""
    return (
        flat(circle(x, y, r), CREAM),
        flat(circle(x - 1, y + 1, r * 0.66), INK),
        flat(circle(x - 3, y - 2, r * 0.25), "#ffffff"),
    )


def waterline(x0: float, x1: float, y: float) -> Shape:
    """Where a swimmer meets the water."""
    return stroke(f"M{x0} {y}Q{(x0 + x1) / 2} {y + 16} {x1} {y}", "#e8f8ff", 9)


def bird_flying() -> Part:
    """A gull with both wings up."""
    return Part(
        (
            inked("M40 -6C70 -70 110 -104 168 -112C160 -60 130 -16 92 14Z", BIRD_DARK, width=LINE),
            inked("M70 10L150 22L118 40L150 58L76 44Z", BIRD_DARK, width=LINE),
            inked(
                (
                    "M-92 -8C-84 -42 -40 -46 -18 -24C20 -26 72 -8 96 22C70 58 -10 62 -44 30"
                    "C-72 30 -92 16 -92 -8Z"
                ),
                BIRD,
                flat("M-96 24C-40 30 20 40 100 20V70H-90Z", BIRD_PALE),
                width=LINE,
            ),
            inked(
                "M4 -14C0 -66 -28 -108 -80 -122C-66 -90 -64 -64 -44 -36C-28 -8 26 34 58 20Z",
                BIRD,
                width=LINE,
            ),
            stroke("M-54 -98C-36 -78 -32 -54 -16 -34", BIRD_DARK, 7),
            inked("M-90 -18L-132 -2L-88 8Z", GOLD, width=6),
            *eye(-64, -12),
        ),
        Box(-138, -128, 174, 66),
    )


def bird_swimming() -> Part:
    """A water bird on the sea, its wing folded."""
    return Part(
        (
            inked(
                "M-70 50C-96 10 -62 -14 -64 -44C-96 -54 -92 -108 -50 -108C-14 -108 -8 -72 -20 -40"
                "C-16 -14 40 -26 112 -36C116 8 92 54 40 58H-50Z",
                BIRD,
                flat("M-90 26C-40 50 40 50 110 10V70H-90Z", BIRD_PALE),
                width=LINE,
            ),
            inked("M-10 8C20 -14 66 -18 104 -22C92 18 48 36 4 28Z", BIRD_DARK, width=LINE),
            inked("M-84 -88L-132 -72L-82 -60Z", GOLD, width=6),
            *eye(-56, -78, 10),
            waterline(-96, 118, 62),
        ),
        Box(-138, -114, 124, 78),
    )


def bird_standing() -> Part:
    """A booby on the beach, on broad feet."""
    return Part(
        (
            stroke("M-10 74V108M26 74V108", GOLD, 12),
            inked(
                "M-38 122C-30 104 -8 100 4 112V122ZM2 122C10 104 30 100 42 112V122Z", GOLD, width=6
            ),
            inked("M44 40L98 84L52 78Z", BIRD_DARK, width=LINE),
            inked(
                "M-52 -116C-14 -136 26 -110 20 -70C18 -44 66 -22 68 34C68 74 38 88 8 88"
                "C-30 88 -50 60 -44 20C-42 -10 -24 -30 -36 -56C-62 -64 -76 -98 -52 -116Z",
                BIRD,
                flat("M-60 -10C-20 10 -10 60 0 96H-60Z", BIRD_PALE),
                width=LINE,
            ),
            inked("M14 -22C44 -4 72 30 84 72C50 74 18 54 10 16Z", BIRD_DARK, width=LINE),
            inked("M-58 -100L-110 -74L-50 -68Z", GOLD, width=6),
            *eye(-34, -92, 10),
        ),
        Box(-114, -128, 104, 126),
    )


def fish_swimming() -> Part:
    """A round fish with a striped side."""
    body = "M-112 0C-80 -66 20 -74 70 -8C20 70 -80 62 -112 0Z"
    return Part(
        (
            inked(
                "M52 -4C80 -50 108 -62 132 -60C118 -30 118 24 134 54C106 56 78 40 52 4Z",
                FISH_DARK,
                width=LINE,
            ),
            inked("M-44 -48C-26 -86 22 -92 50 -72C42 -56 40 -44 34 -32Z", FISH_DARK, width=LINE),
            inked("M-30 46C-16 76 14 80 32 68L14 38Z", FISH_DARK, width=LINE),
            inked(
                body,
                FISH,
                flat("M-112 14C-60 30 20 36 74 10V80H-112Z", FISH_PALE),
                stroke("M-22 -60C-6 -20 -6 20 -22 56M22 -54C36 -20 36 14 22 44", FISH_DARK, 13),
                width=LINE,
            ),
            stroke("M-106 12C-94 20 -84 20 -76 14", INK, 7),
            *eye(-70, -16, 13),
        ),
        Box(-118, -92, 140, 82),
    )


def fish_flying() -> Part:
    """A flying fish, its fins spread like wings, drops falling from it."""
    return Part(
        (
            inked(
                "M84 20C110 -14 134 -22 156 -18C142 4 146 32 166 56C130 58 104 48 84 32Z",
                FISH_DARK,
                width=LINE,
            ),
            inked("M4 -14C20 -66 58 -104 108 -116C106 -64 88 -22 56 8Z", FISH_PALE, width=LINE),
            inked(
                "M-126 6C-96 -32 0 -42 96 18C56 54 -70 56 -126 6Z",
                FISH,
                flat("M-126 14C-60 34 20 36 96 18V60H-126Z", FISH_PALE),
                width=LINE,
            ),
            inked("M-36 4C-40 -54 -14 -102 28 -132C40 -80 34 -20 14 14Z", FISH_PALE, width=LINE),
            stroke("M-14 -4C-14 -44 -2 -76 18 -102M8 2C12 -30 18 -60 24 -84", FISH_DARK, 6),
            *eye(-86, -2, 10),
            flat(circle(-30, 76, 7) + circle(30, 84, 9) + circle(86, 72, 6), "#e8f8ff"),
        ),
        Box(-132, -136, 170, 94),
    )
