"""The Special Task cards: five kinds, told by pictures alone.

unusual: two different heads make a cross; normal: twice the same head makes a whole animal; most
and least: towers of heads, a crown on the highest or an arrow to the lowest; memory: a snapshot
turned over, and a thought.
"""

from collections.abc import Sequence
from math import cos, pi, sin

from datasets.art.animals import SPECIES, creature, portrait
from datasets.art.palette import (
    CREAM,
    FORBIDDEN,
    GOLD,
    GOLD_DARK,
    INK,
    PAPER,
    SPECIAL_GROUNDS,
)
from datasets.art.svg import (
    Box,
    circle,
    clipped,
    ellipse,
    flat,
    group,
    inked,
    placed,
    rounded,
    stroke,
)

_FRAME = rounded(Box(34, 34, 596, 846), 24)


def special_content(special: str, variant: int) -> str:
    """The face of a Special Task card without the card's own edge.

    Args:
        special: any-unusual, any-normal, most, least or memory.
        variant: Which animals serve as the example, so that no two cards look the same.
    """
    ground, ray = SPECIAL_GROUNDS[special]
    names = [SPECIES[(variant * 2 + step) % len(SPECIES)] for step in range(len(SPECIES))]
    scene = _rays(ground, ray, variant) + _PICTURES[special](names, variant)
    return (
        flat("M0 0H630V880H0Z", CREAM).to_svg()
        + clipped(scene, _FRAME)
        + stroke(_FRAME, INK, 9).to_svg()
    )


def _unusual(names: Sequence[str], variant: int) -> str:
    return _sum(names[0], names[3], "plus") + _show(names[0], names[3])


def _normal(names: Sequence[str], variant: int) -> str:
    return _sum(names[1], names[1], "equals") + _show(names[1], names[1])


def _sum(left: str, right: str, sign: str) -> str:
    bars = "M278 172H352M315 135V209" if sign == "plus" else "M280 152H350M280 194H350"
    return (
        _token(left, 160, 172, 98)
        + _token(right, 470, 172, 98)
        + stroke(bars, CREAM, 44).to_svg()
        + stroke(bars, INK, 22).to_svg()
    )


def _show(head: str, body: str) -> str:
    part = creature(head, body)
    frame = Box(72, 318, 558, 806)
    scale = min(frame.width / part.box.width, frame.height / part.box.height, 1.0)
    low = Box(frame.x0, frame.y1 - scale * part.box.height, frame.x1, frame.y1)
    shadow = flat(ellipse(315, 802, scale * part.box.width * 0.42, 22), INK, 0.22).to_svg()
    return shadow + placed(part.to_sticker(15), part.box, low, limit=1.0)


def _most(names: Sequence[str], variant: int) -> str:
    heights = [(1, 4, 2), (2, 1, 4), (4, 2, 1)][variant % 3]
    high = heights.index(4)
    crown = group(_crown(), f"translate({_column(high)} 150) scale(0.86)")
    return _towers(names, heights) + crown


def _least(names: Sequence[str], variant: int) -> str:
    heights = [(3, 1, 4), (1, 4, 3), (4, 3, 1)][variant % 3]
    low = heights.index(1)
    arrow = "M-34 -120H34V0H84L0 104L-84 0H-34Z"
    sign = inked(arrow, GOLD, width=12)
    return _towers(names, heights) + group(
        sign.to_rim(12, CREAM) + sign.to_svg(), f"translate({_column(low)} 470) scale(0.82)"
    )


def _towers(names: Sequence[str], heights: Sequence[int]) -> str:
    tokens = [
        _token(name, _column(column), 738 - 140 * level, 70)
        for column, (name, height) in enumerate(zip(names, heights, strict=False))
        for level in range(height)
    ]
    floor = inked(rounded(Box(52, 806, 578, 832), 12), CREAM, width=9).to_svg()
    return floor + "".join(tokens)


def _column(index: int) -> int:
    return 153 + 162 * index


def _crown() -> str:
    shape = inked(
        "M-86 40L-98 -42L-48 -8L0 -74L48 -8L98 -42L86 40Z",
        GOLD,
        flat("M-110 14H110V60H-110Z", GOLD_DARK),
    )
    gems = "".join(
        inked(circle(x, y, 13), colour, width=7).to_svg()
        for x, y, colour in ((-98, -46, CREAM), (0, -78, FORBIDDEN), (98, -46, CREAM))
    )
    return shape.to_rim(12, CREAM) + shape.to_svg() + gems


def _memory(names: Sequence[str], variant: int) -> str:
    tilt = (-9, 8)[variant % 2]
    back = (
        inked(rounded(Box(-150, -200, 150, 200), 24), PAPER, width=12).to_svg()
        + inked(
            rounded(Box(-122, -172, 122, 118), 16), ("#8e6bd1", "#f08a3c")[variant % 2], width=9
        ).to_svg()
        + stroke(_QUESTION, CREAM, 40).to_svg()
        + flat(circle(0, 78, 25), CREAM).to_svg()
    )
    bubble = (
        "M120 250C60 250 40 190 84 162C70 96 150 66 196 100C230 52 320 52 346 98"
        "C410 60 500 90 488 152C548 166 552 240 490 254C470 296 400 300 372 276"
        "C330 306 260 304 238 276C200 300 140 290 120 250Z"
    )
    cloud = (
        inked(bubble, "#ffffff", width=11).to_svg()
        + inked(circle(188, 330, 24), "#ffffff", width=11).to_svg()
        + inked(circle(228, 384, 15), "#ffffff", width=10).to_svg()
    )
    ideas = "".join(
        placed(portrait(name).to_svg(), portrait(name).box, Box(x - 58, 118, x + 58, 238))
        for name, x in zip((names[0], names[2], names[4]), (166, 288, 410), strict=True)
    )
    return cloud + ideas + group(back, f"translate(352 590) rotate({tilt})")


_QUESTION = "M-58 -78C-58 -160 62 -160 60 -76C58 -30 0 -36 0 20"


def _token(species: str, x: float, y: float, r: float) -> str:
    head = portrait(species)
    frame = Box(x - r, y - r, x + r, y + r).grown(-0.16 * r)
    disc = circle(x, y, r)
    return (
        stroke(disc, CREAM, 30).to_svg()
        + flat(disc, "#ffffff").to_svg()
        + clipped(placed(head.to_svg(), head.box, frame), disc)
        + stroke(disc, INK, 11).to_svg()
    )


def _rays(ground: str, ray: str, variant: int) -> str:
    count, cx, cy = 12, 315.0, 520.0
    wedges = "".join(
        f"M{cx} {cy}L{cx + 900 * cos(a):.1f} {cy + 900 * sin(a):.1f}"
        f"L{cx + 900 * cos(a + pi / count):.1f} {cy + 900 * sin(a + pi / count):.1f}Z"
        for a in (2 * pi * (i + variant / 3) / count for i in range(count))
    )
    return flat("M0 0H630V880H0Z", ground).to_svg() + flat(wedges, ray).to_svg()


_PICTURES = {
    "any-unusual": _unusual,
    "any-normal": _normal,
    "most": _most,
    "least": _least,
    "memory": _memory,
}
