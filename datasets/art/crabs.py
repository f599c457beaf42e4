"""The two crabs. They differ in build, not only in colour.

The red one is round and throws its claws up; the blue one is wide and spiny and holds them low.
"""

from datasets.art.palette import (
    BLUSH,
    CRAB_BLUE,
    CRAB_BLUE_DARK,
    CRAB_BLUE_PALE,
    CRAB_RED,
    CRAB_RED_DARK,
    CRAB_RED_PALE,
    INK,
)
from datasets.art.svg import Box, Part, Shape, circle, ellipse, flat, inked, stroke, tube


def red_crab() -> Part:
    """Round, with raised claws and a wide smile."""
    legs = [
        shape
        for side in (-1, 1)
        for dx, dy in ((72, 34), (62, 62))
        for shape in tube(f"M{side * 40} {dy - 22}L{side * (dx + 18)} {dy}", 9, CRAB_RED_DARK, 7)
    ]
    arms = [
        s
        for side in (-1, 1)
        for s in tube(f"M{side * 58} 0Q{side * 104} -8 {side * 98} -56", 16, CRAB_RED, 9)
    ]
    shell = (
        "M0 -54C52 -54 82 -26 80 10C78 48 44 66 0 66C-44 66 -78 48 -80 10C-82 -26 -52 -54 0 -54Z"
    )
    return Part(
        (
            *legs,
            *arms,
            *_open_claw(-96, -1, CRAB_RED),
            *_open_claw(96, 1, CRAB_RED),
            *_stalk(-26, -86, CRAB_RED),
            *_stalk(26, -86, CRAB_RED),
            inked(
                shell, CRAB_RED, flat("M-90 30C-40 60 40 60 90 30V80H-90Z", CRAB_RED_PALE), width=9
            ),
            stroke("M-24 16Q0 40 24 16", INK, 8),
            flat(ellipse(-46, 10, 13, 9), BLUSH),
            flat(ellipse(46, 10, 13, 9), BLUSH),
        ),
        Box(-140, -142, 140, 78),
    )


def blue_crab() -> Part:
    """Wide and pointed, with hanging claws and three pale spots."""
    legs = [
        shape
        for side in (-1, 1)
        for x, y in ((66, 66), (36, 74))
        for shape in tube(f"M{side * (x - 22)} 20L{side * x} {y}", 9, CRAB_BLUE_DARK, 7)
    ]
    arms = [
        s
        for side in (-1, 1)
        for s in tube(f"M{side * 70} -8Q{side * 124} -20 {side * 122} 24", 16, CRAB_BLUE, 9)
    ]
    shell = (
        "M-118 -22L-84 -34L-72 -56L-44 -54L-28 -70L0 -62L28 -70L44 -54L72 -56L84 -34L118 -22"
        "C104 26 60 52 0 52C-60 52 -104 26 -118 -22Z"
    )
    return Part(
        (
            *legs,
            *arms,
            *_low_claw(-122, -1, CRAB_BLUE),
            *_low_claw(122, 1, CRAB_BLUE),
            *_stalk(-22, -92, CRAB_BLUE),
            *_stalk(22, -92, CRAB_BLUE),
            inked(shell, CRAB_BLUE, width=9),
            *[
                flat(circle(x, y, r), CRAB_BLUE_PALE)
                for x, y, r in ((-58, -18, 13), (0, -30, 13), (58, -18, 13))
            ],
            stroke("M-16 16Q0 30 16 16", INK, 8),
        ),
        Box(-162, -126, 162, 98),
    )


CRABS = {"red": red_crab, "blue": blue_crab}


def _open_claw(x: float, side: int, fill: str) -> tuple[Shape, ...]:
    claw = (
        f"M{x} -52C{x - side * 36} -66 {x - side * 40} -110 {x - side * 10} -136"
        f"L{x + side * 2} -96L{x + side * 30} -128C{x + side * 48} -96 {x + side * 34} -58 {x} -52Z"
    )
    return (inked(claw, fill, width=9),)


def _low_claw(x: float, side: int, fill: str) -> tuple[Shape, ...]:
    claw = (
        f"M{x} 8C{x + side * 36} 14 {x + side * 42} 62 {x + side * 14} 88L{x + side * 4} 54"
        f"L{x - side * 22} 82C{x - side * 40} 54 {x - side * 28} 12 {x} 8Z"
    )
    return (inked(claw, fill, width=9),)


def _stalk(x: float, y: float, fill: str) -> tuple[Shape, ...]:
    return (
        *tube(f"M{x} {y + 46}V{y + 8}", 9, fill, 7),
        inked(circle(x, y, 19), "#ffffff", width=7),
        flat(circle(x + (3 if x < 0 else -3), y + 2, 10), INK),
    )
