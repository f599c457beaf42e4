"""The orange mammals and the green reptiles of the islands, facing left like the birds."""

from datasets.art.island_birds import LINE, eye, waterline
from datasets.art.palette import (
    CREAM,
    INK,
    MAMMAL,
    MAMMAL_DARK,
    MAMMAL_PALE,
    REPTILE,
    REPTILE_DARK,
    REPTILE_PALE,
)
from datasets.art.svg import Box, Part, circle, ellipse, flat, inked, polygon, stroke


def mammal_flying() -> Part:
    """An orange bat."""
    wing = (
        "M{a} -8C{b} -70 {c} -86 {d} -74C{e} -50 {f} -10 {d} 26C{g} 12 {h} 18 {i} 44"
        "C{j} 30 {k} 32 {a} 44Z"
    )
    keys = "abcdefghijk"
    right = dict(zip(keys, (18, 50, 96, 152, 140, 140, 126, 106, 92, 66, 44), strict=True))
    left = {key: -value for key, value in right.items()}
    return Part(
        (
            inked(wing.format(**left), MAMMAL_DARK, width=LINE),
            inked(wing.format(**right), MAMMAL_DARK, width=LINE),
            inked(polygon([(-40, -44), (-44, -96), (-10, -68)]), MAMMAL, width=LINE),
            inked(polygon([(40, -44), (44, -96), (10, -68)]), MAMMAL, width=LINE),
            inked(
                ellipse(0, 22, 36, 54),
                MAMMAL,
                flat(ellipse(0, 40, 22, 40), MAMMAL_PALE),
                width=LINE,
            ),
            inked(circle(0, -34, 46), MAMMAL, width=LINE),
            *eye(-17, -38, 11),
            *eye(17, -38, 11),
            flat(ellipse(0, -18, 10, 7), INK),
            stroke("M-12 -6C-4 2 4 2 12 -6", INK, 6),
            flat(
                polygon([(-12, -4), (-4, -1), (-9, 10)]) + polygon([(12, -4), (4, -1), (9, 10)]),
                CREAM,
            ),
        ),
        Box(-158, -102, 158, 82),
    )


def mammal_swimming() -> Part:
    """A sea lion with its head above the water."""
    return Part(
        (
            inked(
                "M86 34C112 4 140 -4 164 2C148 20 150 38 162 58C128 62 104 58 86 50Z",
                MAMMAL_DARK,
                width=LINE,
            ),
            inked(
                "M-104 -66C-90 -104 -30 -104 -22 -60C-18 -30 20 -14 60 -2C90 8 108 28 104 56H-58"
                "C-76 30 -70 0 -74 -26C-98 -30 -116 -44 -104 -66Z",
                MAMMAL,
                flat("M-90 20C-40 44 40 40 110 30V70H-90Z", MAMMAL_PALE),
                width=LINE,
            ),
            inked("M-34 22C-14 14 10 26 14 56H-22C-34 46 -40 34 -34 22Z", MAMMAL_DARK, width=LINE),
            flat(ellipse(-104, -62, 12, 9), INK),
            stroke("M-96 -44L-124 -34M-94 -40L-116 -22", INK, 5),
            *eye(-66, -68, 10),
            waterline(-84, 166, 62),
        ),
        Box(-128, -102, 170, 78),
    )


def mammal_walking() -> Part:
    """A rice rat on the beach: round ears, a long tail."""
    return Part(
        (
            stroke("M84 44C128 60 150 20 128 -8C116 -24 96 -14 104 2", INK, 24),
            stroke("M84 44C128 60 150 20 128 -8C116 -24 96 -14 104 2", MAMMAL_PALE, 10),
            inked("M-48 62H-14V78H-54ZM38 62H78V78H32Z", MAMMAL_DARK, width=7),
            inked(
                circle(-48, -44, 27), MAMMAL, flat(circle(-48, -44, 14), MAMMAL_PALE), width=LINE
            ),
            inked(
                "M-130 24C-116 -20 -76 -44 -34 -36C20 -62 92 -40 98 20C100 58 74 70 40 70H-56"
                "C-90 66 -132 54 -130 24Z",
                MAMMAL,
                flat("M-120 46C-60 52 20 60 80 50V80H-120Z", MAMMAL_PALE),
                width=LINE,
            ),
            inked(
                circle(-14, -40, 29), MAMMAL, flat(circle(-14, -40, 15), MAMMAL_PALE), width=LINE
            ),
            flat(circle(-128, 22, 11), INK),
            stroke("M-104 36L-132 50M-98 42L-118 62", INK, 5),
            *eye(-82, 2, 12),
        ),
        Box(-142, -76, 148, 82),
    )


def reptile_swimming() -> Part:
    """A sea turtle."""
    shell = "M-66 16C-66 -50 -10 -74 36 -66C90 -56 112 -10 108 24C80 46 -20 50 -66 16Z"
    return Part(
        (
            inked("M96 20C122 14 138 24 148 42C126 50 104 44 90 34Z", REPTILE, width=LINE),
            inked(
                "M-60 6C-76 -28 -136 -26 -138 10C-138 38 -92 46 -60 28Z",
                REPTILE,
                flat("M-140 22C-110 34 -80 34 -56 24V50H-140Z", REPTILE_PALE),
                width=LINE,
            ),
            inked("M36 34C60 40 76 60 74 84C50 80 28 60 20 38Z", REPTILE, width=LINE),
            inked(
                shell,
                REPTILE_DARK,
                stroke(
                    "M-30 -40L-8 -6L-30 30M-8 -6H46M22 -66L46 -6L26 40M46 -6L76 -44M46 -6L90 22",
                    REPTILE_PALE,
                    8,
                ),
                width=LINE,
            ),
            inked("M-36 22C-20 34 -22 70 -62 92C-78 62 -66 32 -36 22Z", REPTILE, width=LINE),
            *eye(-108, 0, 11),
            stroke("M-134 20C-124 26 -112 26 -104 20", INK, 6),
        ),
        Box(-144, -74, 154, 98),
    )


def reptile_walking() -> Part:
    """An iguana with a crest along its back."""
    crest = "".join(
        polygon([(x - 12, y + 6), (x + 2, y - 24), (x + 14, y + 6)])
        for x, y in ((-70, -56), (-44, -52), (-16, -42), (14, -36), (44, -30), (72, -20))
    )
    return Part(
        (
            inked(crest, REPTILE_DARK, width=6),
            inked(
                "M-150 -14C-146 -56 -84 -72 -56 -48C0 -40 60 -36 92 -10C130 16 156 20 186 6"
                "C172 48 120 62 74 48H-40C-60 44 -66 30 -72 18C-100 26 -150 20 -150 -14Z",
                REPTILE,
                flat("M-150 4C-60 24 40 36 120 40V70H-150Z", REPTILE_PALE),
                stroke("M0 -30V-6M30 -26V0M60 -18V8", REPTILE_DARK, 9),
                width=LINE,
            ),
            inked("M-40 36C-52 50 -56 64 -78 72H-36C-24 62 -16 50 -12 38Z", REPTILE, width=LINE),
            inked("M48 40C40 54 36 64 20 72H62C74 62 82 52 84 42Z", REPTILE, width=LINE),
            stroke("M-146 0C-124 8 -104 6 -92 0", INK, 6),
            *eye(-110, -26, 12),
        ),
        Box(-156, -84, 192, 78),
    )
