"""The zoo's grounds: 8 x 9 spaces, a wall, the entrance and a score track. One unit is 0.1 mm."""

from collections.abc import Iterator
from math import cos, sin

from datasets.art.digits import digits
from datasets.art.palette import (
    CREAM,
    GOLD,
    INK,
    MEADOW,
    MEADOW_DARK,
    PATH,
    PATH_DARK,
    PATH_PALE,
    SOIL,
    SOIL_DARK,
    SOIL_PALE,
)
from datasets.art.svg import (
    Box,
    circle,
    document,
    ellipse,
    flat,
    group,
    inked,
    number,
    polygon,
    rounded,
    stroke,
)
from datasets.art.zoo_buildings import entrance, sign_post, wall

ROWS, COLS = 8, 9
SPACE = 450.0
BORDER = 320.0
"""From the outer edge of the board to the grid: track and wall."""

WIDTH, HEIGHT = COLS * SPACE + 2 * BORDER, ROWS * SPACE + 2 * BORDER
ENTRANCE = (7, 4)
SIGNS = ((7, 3), (7, 5), (6, 4))
GRID = Box(BORDER, BORDER, WIDTH - BORDER, HEIGHT - BORDER)

_LANE = 106.0
"""From the edge of the board to the middle of the score track."""

_STEPS = (26, 24)
"""How many steps the track takes along a long and along a short side."""


def board_face() -> str:
    """The whole board."""
    return document(
        _outside() + _grounds() + wall(GRID, _gate_x()) + _track() + _buildings(), WIDTH, HEIGHT
    )


def corner(row: int, col: int) -> tuple[float, float]:
    """The upper left corner of a space."""
    return BORDER + col * SPACE, BORDER + row * SPACE


def _gate_x() -> float:
    return corner(*ENTRANCE)[0] + SPACE / 2


def _outside() -> str:
    """The meadow around the zoo."""
    blades = "".join(
        f"M{x - 9} {y - 15}L{x} {y}L{x + 10} {y - 16}"
        for x, y in _strewn(0, 260, Box(14, 24, WIDTH - 14, HEIGHT - 8))
    )
    whole = f"M0 0H{number(WIDTH)}V{number(HEIGHT)}H0Z"
    return flat(whole, MEADOW).to_svg() + stroke(blades, MEADOW_DARK, 7).to_svg()


def _grounds() -> str:
    """Building ground, its spaces told apart by two tones and a faint broken line."""
    content = flat(rounded(GRID, 2), SOIL).to_svg()
    for row in range(ROWS):
        for col in range(COLS):
            x, y = corner(row, col)
            inner = Box(x + 16, y + 16, x + SPACE - 16, y + SPACE - 16)
            tone = SOIL_PALE if (row + col) % 2 else SOIL
            content += flat(rounded(inner, 40), tone, 0.55).to_svg()
            content += _specks(row * COLS + col + 1, inner)
    lines = "".join(
        _dashes(GRID.x0, GRID.x1, BORDER + k * SPACE, across=True) for k in range(1, ROWS)
    )
    lines += "".join(
        _dashes(GRID.y0, GRID.y1, BORDER + k * SPACE, across=False) for k in range(1, COLS)
    )
    return content + stroke(lines, SOIL_DARK, 9).to_svg()


def _dashes(start: float, end: float, at: float, *, across: bool) -> str:
    d, pitch = "", SPACE / 9
    for index in range(round((end - start) / pitch)):
        a = start + (index + 0.25) * pitch
        b = a + pitch / 2
        d += (
            f"M{number(a)} {number(at)}H{number(b)}"
            if across
            else f"M{number(at)} {number(a)}V{number(b)}"
        )
    return d


def _specks(seed: int, box: Box) -> str:
    """Pebbles, a raked trace or a paw print: each space a little different, none of them loud."""
    inner = box.grown(-40)
    pebbles = "".join(ellipse(x, y, 9, 6) for x, y in _strewn(seed, 7, inner))
    content = flat(pebbles, SOIL_DARK, 0.75).to_svg()
    x, y = next(_strewn(seed + 211, 1, inner.grown(-60)))
    if seed % 3 == 0:
        pads = ellipse(0, 12, 26, 21) + "".join(
            ellipse(a, b, 9, 12) for a, b in ((-30, -12), (-11, -28), (11, -28), (30, -12))
        )
        turn = number(71 * seed % 360)
        place = f"translate({number(x)} {number(y)}) rotate({turn})"
        content += group(flat(pads, SOIL_DARK, 0.45).to_svg(), place)
    elif seed % 3 == 1:
        rake = "".join(f"M{x - 60} {y + k}Q{x} {y + k - 22} {x + 60} {y + k}" for k in (-22, 0, 22))
        content += stroke(rake, SOIL_DARK, 7, 0.5).to_svg()
    return content


def _track() -> str:
    """A lane around the wall with a hundred stones: Start before the gate, then 1 to 99."""
    lane = rounded(Box(_LANE, _LANE, WIDTH - _LANE, HEIGHT - _LANE), 30)
    content = (
        stroke(lane, INK, 172).to_svg()
        + stroke(lane, PATH_DARK, 160).to_svg()
        + stroke(lane, PATH, 148).to_svg()
    )
    for value, (x, y) in enumerate(_stones()):
        if value == 0:
            content += _start(x, y)
            continue
        tone = GOLD if value % 10 == 0 else CREAM if value % 5 == 0 else PATH_PALE
        content += inked(circle(x, y, 62), tone, width=8).to_svg()
        high = 30 if value < 10 else 27
        content += digits(value, Box(x - 44, y - high, x + 44, y + high), weight=16)
    return content


def _stones() -> Iterator[tuple[float, float]]:
    """The middles of the stones, clockwise from before the gate."""
    wide, high = WIDTH - 2 * _LANE, HEIGHT - 2 * _LANE
    around = [(WIDTH - _LANE - wide * i / _STEPS[0], HEIGHT - _LANE) for i in range(_STEPS[0])]
    around += [(_LANE, HEIGHT - _LANE - high * i / _STEPS[1]) for i in range(_STEPS[1])]
    around += [(_LANE + wide * i / _STEPS[0], _LANE) for i in range(_STEPS[0])]
    around += [(WIDTH - _LANE, _LANE + high * i / _STEPS[1]) for i in range(_STEPS[1])]
    first = _STEPS[0] // 2
    yield from around[first:] + around[:first]


def _start(x: float, y: float) -> str:
    arrow = polygon([(34, -14), (34, 14), (-8, 14), (-8, 36), (-46, 0), (-8, -36), (-8, -14)])
    return inked(circle(x, y, 74), "#e4252f", width=9).to_svg() + group(
        flat(arrow, CREAM).to_svg(), f"translate({number(x)} {number(y)})"
    )


def _buildings() -> str:
    x, y = corner(*ENTRANCE)
    content = group(entrance(SPACE), f"translate({number(x)} {number(y)})")
    for row, col in SIGNS:
        x, y = corner(row, col)
        towards = (ENTRANCE[1] - col, ENTRANCE[0] - row)
        content += group(sign_post(SPACE, towards), f"translate({number(x)} {number(y)})")
    return content


def _strewn(seed: int, count: int, box: Box) -> Iterator[tuple[float, float]]:
    """Points that look strewn by chance and are the same on every run."""
    for index in range(count):
        a = 12.9898 * (index + 1) + 78.233 * seed
        x, y = abs(sin(a) * 43758.5453) % 1, abs(cos(1.7 * a) * 24634.6345) % 1
        yield round(box.x0 + x * box.width, 1), round(box.y0 + y * box.height, 1)
