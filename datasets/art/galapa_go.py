"""The card faces of our Galapa Go deck as SVG.

An Animal card is a snapshot, a Task card a look through the viewfinder, a Camera card the front of
a camera in its player's colour. One drawing unit is a tenth of a millimetre: 630 x 880.
"""

from collections.abc import Sequence
from math import cos, pi, sin

from datasets.art.animals import creature, portrait
from datasets.art.backdrops import BACKDROPS, WINDOW
from datasets.art.crabs import CRABS
from datasets.art.marks import MARKS
from datasets.art.palette import (
    BACK_ANIMAL,
    BACK_TASK,
    CREAM,
    FORBIDDEN,
    INK,
    PAPER,
    PLAYER_COLOURS,
    REQUIRED,
    TASK_GROUNDS,
)
from datasets.art.specials import special_content
from datasets.art.svg import (
    Box,
    Part,
    circle,
    clipped,
    document,
    ellipse,
    flat,
    group,
    inked,
    placed,
    rounded,
    stroke,
)

WIDTH, HEIGHT = 630.0, 880.0
CARD = rounded(Box(0, 0, WIDTH, HEIGHT), 30)
_WINDOW_D = rounded(WINDOW, 20)


def animal_face(animals: Sequence[tuple[str, str]], crabs: Sequence[str], backdrop: int) -> str:
    """A snapshot of one or two animals, with the crabs on its lower edge.

    Args:
        animals: `(head, body)` of each animal shown.
        crabs: `red` and/or `blue`.
        backdrop: Index of the landscape, counted round.
    """
    scene = BACKDROPS[backdrop % len(BACKDROPS)]() + _cast(animals)
    corners = {"red": Box(22, 700, 232, 862), "blue": Box(398, 700, 608, 862)}
    visitors = "".join(_standing(CRABS[crab](), corners[crab], rim=8) for crab in crabs)
    return _card(
        flat(CARD, PAPER).to_svg()
        + clipped(scene, _WINDOW_D)
        + stroke(_WINDOW_D, INK, 8).to_svg()
        + visitors
    )


def _cast(animals: Sequence[tuple[str, str]]) -> str:
    if len(animals) == 1:
        part = creature(*animals[0])
        return _standing(part, Box(56, 62, 574, 652), rim=13, limit=1.05)
    behind, front = (creature(*animal) for animal in animals)
    return _standing(behind, Box(226, 52, 582, 470), rim=16, mirrored=True) + _standing(
        front, Box(48, 372, 452, 658), rim=18
    )


def _standing(
    part: Part, frame: Box, rim: float, *, mirrored: bool = False, limit: float = 9.0
) -> str:
    """A part centred across the frame and standing on its lower edge, with a shadow."""
    scale = min(frame.width / part.box.width, frame.height / part.box.height, limit)
    low = Box(frame.x0, frame.y1 - scale * part.box.height, frame.x1, frame.y1)
    x = (frame.x0 + frame.x1) / 2
    shadow = flat(ellipse(x, frame.y1 - 4, scale * part.box.width * 0.4, 20), INK, 0.22)
    return shadow.to_svg() + placed(
        part.to_sticker(rim), part.box, low, mirrored=mirrored, limit=limit
    )


def task_face(require: Sequence[str], forbid: Sequence[str]) -> str:
    """Up to three discs: what the photo must show in green, what it must not in red."""
    wanted = [(feature, True) for feature in require] + [(feature, False) for feature in forbid]
    ground, pattern = TASK_GROUNDS[len(wanted)]
    discs = "".join(
        _disc(feature, x, y, r, required=required)
        for (feature, required), (x, y, r) in zip(wanted, _DISCS[len(wanted)], strict=True)
    )
    return _card(flat(CARD, ground).to_svg() + _leaves(pattern) + _viewfinder(CREAM) + discs)


_DISCS = {
    1: ((315.0, 440.0, 222.0),),
    2: ((315.0, 250.0, 166.0), (315.0, 630.0, 166.0)),
    3: ((232.0, 200.0, 136.0), (398.0, 440.0, 136.0), (232.0, 680.0, 136.0)),
}


def _disc(feature: str, x: float, y: float, r: float, *, required: bool) -> str:
    colour = REQUIRED if required else FORBIDDEN
    inner = circle(x, y, r)
    content = group(
        clipped(emblem(feature, Box(x - r, y - r, x + r, y + r).grown(-0.2 * r)), inner)
    )
    sign = _tick(x + 0.8 * r, y + 0.72 * r, 0.3 * r) if required else _strike(x, y, r)
    return (
        stroke(inner, CREAM, 62).to_svg()
        + flat(inner, "#ffffff" if required else "#ffe1e1").to_svg()
        + content
        + stroke(inner, colour, 36).to_svg()
        + sign
    )


def emblem(feature: str, frame: Box) -> str:
    """The head of a species, or a crab, within a frame."""
    colour, _, crab = feature.partition("-")
    part = CRABS[colour]() if crab else portrait(feature)
    return placed(part.to_svg(), part.box, frame)


def _strike(x: float, y: float, r: float) -> str:
    k = r * cos(pi / 4)
    bar = f"M{x + k:.1f} {y - k:.1f}L{x - k:.1f} {y + k:.1f}"
    return stroke(bar, "#ffe1e1", 44).to_svg() + stroke(bar, FORBIDDEN, 30).to_svg()


def _tick(x: float, y: float, r: float) -> str:
    check = f"M{x - 0.45 * r:.1f} {y + 0.05 * r:.1f}l{0.33 * r:.1f} {0.34 * r:.1f}l{0.6 * r:.1f} {-0.72 * r:.1f}"
    return (
        flat(circle(x, y, r + 10), CREAM).to_svg()
        + flat(circle(x, y, r), REQUIRED).to_svg()
        + stroke(check, "#ffffff", 0.28 * r).to_svg()
    )


def _viewfinder(colour: str) -> str:
    brackets = "M44 120V44H120M510 44H586V120M586 760V836H510M120 836H44V760"
    return stroke(brackets, colour, 14).to_svg()


def _leaves(colour: str) -> str:
    leaf = "M0 -62C40 -30 40 30 0 62C-40 30 -40 -30 0 -62Z"
    vein = stroke("M0 -40V56", colour, 7, 0.9).to_svg()
    one = flat(leaf, colour, 0.55).to_svg() + vein
    places = (
        (90, 210, -30),
        (540, 130, 40),
        (560, 420, -20),
        (70, 520, 25),
        (110, 770, 60),
        (520, 740, -40),
        (316, 70, 80),
        (310, 450, 10),
        (430, 290, -60),
        (200, 360, 70),
        (330, 815, -75),
    )
    return "".join(group(one, f"translate({x} {y}) rotate({a})") for x, y, a in places)


def special_face(special: str, variant: int) -> str:
    """A Special Task card; `variant` chooses the example animals."""
    return _card(special_content(special, variant))


def camera_face(player: str) -> str:
    """The front of a camera in the player's colour, the player's mark in its lens."""
    main, dark, pale = PLAYER_COLOURS[player]
    stripes = "".join(flat(f"M0 {y}H630V{y + 26}H0Z", dark, 0.5).to_svg() for y in (262, 706))
    flash = inked(rounded(Box(70, 76, 286, 206), 26), CREAM, width=13)
    glow = stroke("M104 172L146 110M150 176L204 98M210 172L250 112", pale, 13)
    finder = inked(circle(482, 142, 66), "#ffffff", width=13)
    glass = flat(circle(482, 142, 36), INK)
    glint = flat(circle(470, 128, 11), "#ffffff")
    lens = (
        inked(circle(315, 476, 226), CREAM, width=13),
        inked(circle(315, 476, 186), dark, width=13),
        flat(circle(315, 476, 160), main),
        stroke("M196 424C216 366 262 330 316 322", "#ffffff", 18, 0.55),
    )
    mark = group(
        inked(MARKS[player], "#ffffff", width=9).to_svg(), "translate(315 480) scale(1.22)"
    )
    slot = inked(rounded(Box(120, 772, 510, 812), 20), INK)
    return _card(
        flat(CARD, main).to_svg()
        + stripes
        + "".join(s.to_svg() for s in (flash, glow, finder, glass, glint, *lens, slot))
        + mark
    )


def back_face(of: str) -> str:
    """The back of the animal or of the task deck; it looks the same either way up."""
    main, dark, pale = BACK_ANIMAL if of == "animal" else BACK_TASK
    frame = rounded(Box(34, 34, 596, 846), 20)
    emblem_half = _aperture(main, dark, pale) if of == "animal" else _crosshair(main, dark, pale)
    half = _paws(pale) if of == "animal" else _ferns(pale)
    return _card(
        flat(CARD, PAPER).to_svg()
        + flat(frame, main).to_svg()
        + clipped(half + group(half, "rotate(180 315 440)"), frame)
        + emblem_half
        + stroke(frame, dark, 8).to_svg()
    )


def _aperture(main: str, dark: str, pale: str) -> str:
    cx, cy, count = 315.0, 440.0, 6

    def at(step: float, r: float) -> str:
        angle = 2 * pi * step / count
        return f"{cx + r * cos(angle):.1f} {cy + r * sin(angle):.1f}"

    blades = "".join(
        stroke(f"M{at(i, 70)}L{at(i + 1.35, 168)}", dark, 11).to_svg() for i in range(count)
    )
    hole = "M" + "L".join(at(i, 70) for i in range(count)) + "Z"
    return (
        inked(circle(cx, cy, 206), CREAM, width=13).to_svg()
        + inked(circle(cx, cy, 168), pale, width=11).to_svg()
        + blades
        + inked(hole, main).to_svg()
    )


def _crosshair(main: str, dark: str, pale: str) -> str:
    cx, cy = 315.0, 440.0
    return (
        inked(rounded(Box(cx - 190, cy - 150, cx + 190, cy + 150), 40), CREAM, width=13).to_svg()
        + stroke(
            "M176 400V340H246M384 340H454V400M454 480V540H384M246 540H176V480", dark, 20
        ).to_svg()
        + inked(circle(cx, cy, 58), pale).to_svg()
        + flat(circle(cx, cy, 24), main).to_svg()
    )


def _paws(colour: str) -> str:
    paw = flat(
        ellipse(0, 14, 34, 28)
        + ellipse(-40, -16, 13, 18)
        + ellipse(-15, -38, 14, 19)
        + ellipse(15, -38, 14, 19)
        + ellipse(40, -16, 13, 18),
        colour,
        0.8,
    ).to_svg()
    places = (
        (110, 120, -20),
        (250, 190, 20),
        (390, 110, -10),
        (530, 190, 25),
        (110, 290, 15),
        (520, 330, -25),
        (80, 440, -12),
    )
    return "".join(group(paw, f"translate({x} {y}) rotate({a})") for x, y, a in places)


def _ferns(colour: str) -> str:
    leaves = "".join(
        flat(
            f"M0 {y}C{s * 20} {y - 34} {s * 56} {y - 40} {s * 74} {y - 34}C{s * 62} {y - 6} {s * 28} {y + 6} 0 {y}Z",
            colour,
            0.8,
        ).to_svg()
        for y in (-60, -10, 40)
        for s in (-1, 1)
    )
    fern = (
        leaves
        + stroke("M0 -110V80", colour, 9).to_svg()
        + flat(ellipse(0, -112, 16, 30), colour, 0.8).to_svg()
    )
    places = ((120, 190, -25), (315, 170, 0), (510, 190, 25), (96, 440, 0))
    return "".join(group(fern, f"translate({x} {y}) rotate({a})") for x, y, a in places)


def _card(content: str) -> str:
    return document(clipped(content, CARD), WIDTH, HEIGHT)
