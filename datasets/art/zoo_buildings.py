"""What stands on the board: the wall with its gate, the ticket booth, the sign posts."""

from datasets.art.digits import digits
from datasets.art.palette import (
    BRICK,
    BRICK_DARK,
    BRICK_PALE,
    CREAM,
    GOLD,
    INK,
    KERB,
    LAWN_LIGHT_DARK,
    PAPER,
    PATH,
    PATH_DARK,
    PATH_PALE,
    SOIL_PALE,
    STONE,
    WOOD,
    WOOD_DARK,
    WOOD_PALE,
)
from datasets.art.svg import (
    Box,
    circle,
    clipped,
    ellipse,
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

THICK = 92.0
"""Of the wall, around the grid."""

GATE_WIDTH = 300.0
_COURSES = 2
_BRICK = 94.0
POINTS = {"large": 5, "medium": 3, "small": 1}
FOOTPRINTS = {"large": (3, 2), "medium": (2, 2), "small": (2, 1)}
"""Quarters across and down that an animal fills (R-PG "How Much Space Does an Animal Need?")."""


def wall(grid: Box, gate_x: float) -> str:
    """A brick wall around the grid, open below at `gate_x`, with a tower at each corner."""
    outer = grid.grown(THICK)
    content = ""
    for box in (
        Box(outer.x0, outer.y0, outer.x1, grid.y0),
        Box(outer.x0, grid.y1, gate_x - GATE_WIDTH / 2, outer.y1),
        Box(gate_x + GATE_WIDTH / 2, grid.y1, outer.x1, outer.y1),
        Box(outer.x0, outer.y0, grid.x0, outer.y1),
        Box(grid.x1, outer.y0, outer.x1, outer.y1),
    ):
        content += _bricks(box)
    gate = Box(gate_x - GATE_WIDTH / 2, grid.y1, gate_x + GATE_WIDTH / 2, outer.y1)
    content += flat(rounded(gate.grown(1), 0), PATH).to_svg()
    for x in (gate.x0, gate.x1):
        content += inked(
            rounded(Box(x - 44, gate.y0 + 2, x + 44, gate.y1 - 2), 14), STONE, width=9
        ).to_svg()
        content += inked(circle(x, (gate.y0 + gate.y1) / 2, 22), GOLD, width=8).to_svg()
    middle = THICK / 2
    for x in (grid.x0 - middle, grid.x1 + middle):
        for y in (grid.y0 - middle, grid.y1 + middle):
            content += inked(circle(x, y, 66), BRICK_DARK, width=10).to_svg()
            content += inked(circle(x, y, 42), BRICK_PALE, width=8).to_svg()
            content += flat(circle(x, y, 16), CREAM).to_svg()
    return content


def _bricks(box: Box) -> str:
    """Courses of bricks along a wall, the joints of each shifted against the next."""
    across = box.width > box.height
    long, deep = (box.width, box.height) if across else (box.height, box.width)
    course = deep / _COURSES
    tones: dict[str, str] = {BRICK: "", BRICK_PALE: "", BRICK_DARK: ""}
    names = tuple(tones)
    for row in range(_COURSES):
        start, index = -(row % 2) * _BRICK / 2, 0
        while start < long:
            a, b = max(start + 4, 3), min(start + _BRICK - 4, long - 3)
            if b - a > 12:
                low, high = row * course + 4, (row + 1) * course - 4
                brick = Box(a, low, b, high) if across else Box(low, a, high, b)
                moved = Box(
                    brick.x0 + box.x0, brick.y0 + box.y0, brick.x1 + box.x0, brick.y1 + box.y0
                )
                tones[names[(7 * index + 3 * row) % 5 % 3]] += rounded(moved, 8)
            start, index = start + _BRICK, index + 1
    whole = inked(rounded(box, 4), "#6e2a25", width=8).to_svg()
    return whole + "".join(flat(d, tone).to_svg() for tone, d in tones.items())


def entrance(side: float) -> str:
    """The space of the entrance: paths to three sides and to the gate, the booth, the overview."""
    m = side / 2
    ways = f"M{m} {m}V0M{m} {m}H0M{m} {m}H{side}M{m} {m}V{side}"
    ground = Box(0, 0, side, side)
    return (
        clipped(
            flat(rounded(ground, 12), SOIL_PALE).to_svg()
            + stroke(ways, KERB, 98).to_svg()
            + stroke(ways, PATH, 82).to_svg(),
            rounded(ground, 12),
        )
        + inked(rounded(ground.grown(-22), 60), PATH_DARK, width=9).to_svg()
        + flat(rounded(ground.grown(-34), 50), PATH_PALE).to_svg()
        + group(_booth(), f"translate({number(m)} 0)")
        + _overview(Box(42, 216, side - 42, side - 42))
        + stroke(rounded(ground.grown(-5), 12), INK, 10).to_svg()
    )


def _booth() -> str:
    """A ticket booth with a striped roof, a window and a pennant."""
    house = inked(rounded(Box(-126, 110, 126, 208), 8), CREAM, width=9)
    window = inked(rounded(Box(-58, 124, 58, 184), 8), "#8fd6f7", width=8)
    counter = inked(rounded(Box(-76, 180, 76, 200), 6), WOOD, width=7)
    tickets = inked(rounded(Box(78, 132, 112, 172), 5), GOLD, width=6)
    roof, x0, step = "", -150.0, 300 / 6
    for index in range(6):
        a = x0 + index * step
        top = (a * 0.72, a * 0.72 + step * 0.72)
        d = f"M{top[0]} 50L{top[1]} 50L{a + step} 108A{step / 2} 20 0 0 1 {a} 108Z"
        roof += inked(d, "#e4252f" if index % 2 == 0 else PAPER, width=8).to_svg()
    pole = stroke("M0 50V14", INK, 9).to_svg() + inked("M0 14L62 24L0 40Z", GOLD, width=7).to_svg()
    shapes = "".join(s.to_svg() for s in (house, window, counter, tickets))
    return pole + shapes + roof


def _overview(box: Box) -> str:
    """What an animal of each size needs and scores: quarters, head, points."""
    content = inked(rounded(box, 18), PAPER, width=9).to_svg()
    high = box.height / 3
    for row, (size, points) in enumerate(POINTS.items()):
        y = box.y0 + row * high
        if row:
            content += stroke(f"M{box.x0 + 14} {number(y)}H{box.x1 - 14}", WOOD_PALE, 5).to_svg()
        part = HEADS[size]()
        head = Box(box.x0 + 20, y + 5, box.x0 + 120, y + high - 5)
        content += placed(part.to_svg(), part.box, head)
        content += _squares(FOOTPRINTS[size], box.x0 + 190, y + high / 2, 24)
        content += digits(points, Box(box.x1 - 104, y + 9, box.x1 - 30, y + high - 9), weight=20)
    return content


def _squares(count: tuple[int, int], x: float, y: float, side: float) -> str:
    across, down = count
    x0, y0 = x - across * side / 2, y - down * side / 2
    content = ""
    for index in range(across * down):
        left, top = x0 + index % across * side, y0 + index // across * side
        square = Box(left, top, left + side, top + side)
        content += inked(rounded(square, 3), LAWN_LIGHT_DARK, width=5).to_svg()
    return content


def sign_post(side: float, towards: tuple[int, int]) -> str:
    """A wooden sign with a paw on a post; a small arrow says on which side the entrance lies."""
    m = side / 2
    paw = ellipse(0, 16, 30, 24) + "".join(
        ellipse(a, b, 11, 15) for a, b in ((-36, -12), (-13, -32), (13, -32), (36, -12))
    )
    arrow = polygon([(-34, -30), (0, 12), (34, -30), (34, -2), (0, 40), (-34, -2)])
    angle = {(0, 1): 0, (-1, 0): 90, (0, -1): 180, (1, 0): 270}[towards]
    at = (m + towards[0] * 178, m + towards[1] * 178)
    place = f"translate({number(at[0])} {number(at[1])}) rotate({angle})"
    return (
        flat(circle(m, m, 190), "#efd3b4", 0.75).to_svg()
        + flat(ellipse(m, m + 128, 90, 22), INK, 0.2).to_svg()
        + inked(rounded(Box(m - 17, m - 20, m + 17, m + 132), 8), WOOD_DARK, width=9).to_svg()
        + inked(rounded(Box(m - 108, m - 118, m + 108, m + 18), 20), WOOD_PALE, width=10).to_svg()
        + stroke(f"M{m - 84} {m - 92}H{m + 40}M{m - 60} {m - 8}H{m + 84}", WOOD, 7, 0.8).to_svg()
        + group(flat(paw, WOOD_DARK).to_svg(), f"translate({m} {m - 46})")
        + group(inked(arrow, GOLD, width=8).to_svg(), place)
    )
