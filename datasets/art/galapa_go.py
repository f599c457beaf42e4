"""The card faces of our Galapa Go deck as SVG.

An Animal card is a snapshot, a Task card a look through the viewfinder, a Camera card the front of
a camera in its player's colour. One drawing unit is a tenth of a millimetre: 630 x 880.
"""

from collections.abc import Sequence
from math import cos, pi

from datasets.art.animals import creature, portrait
from datasets.art.backdrops import BACKDROPS, WINDOW
from datasets.art.covers import back_content, camera_content
from datasets.art.crabs import CRABS
from datasets.art.palette import (
    CREAM,
    FORBIDDEN,
    INK,
    PAPER,
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
    placed,
    rounded,
    stroke,
)

WIDTH, HEIGHT = 630.0, 880.0
CARD = rounded(Box(0, 0, WIDTH, HEIGHT), 30)
_WINDOW_D = rounded(WINDOW, 20)
_STAGE = Box(56, 62, 574, 652)
"""Where a single animal stands in the photograph."""


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
        empty = _STAGE.height - part.box.height * _STAGE.width / part.box.width
        low = Box(_STAGE.x0, _STAGE.y0, _STAGE.x1, _STAGE.y1 - max(0.0, 0.2 * empty))
        return _standing(part, low, rim=13, limit=1.05)
    behind, front = (creature(*animal) for animal in animals)
    return _standing(behind, Box(196, 50, 584, 510), rim=16, mirrored=True) + _standing(
        front, Box(46, 376, 456, 660), rim=18
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
    says = "mixed" if require and forbid else "required" if require else "forbidden"
    ground, pattern = TASK_GROUNDS[says][len(wanted) - 1]
    discs, signs = "", ""
    for (feature, required), (x, y, r) in zip(wanted, _DISCS[len(wanted)], strict=True):
        discs += _disc(feature, x, y, r, required=required)
        signs += _tick(x + 0.8 * r, y + 0.72 * r, 0.3 * r) if required else _strike(x, y, r)
    return _card(
        flat(CARD, ground).to_svg() + _leaves(pattern) + _viewfinder(CREAM) + discs + signs
    )


_DISCS = {
    1: ((315.0, 440.0, 222.0),),
    2: ((315.0, 250.0, 166.0), (315.0, 630.0, 166.0)),
    3: ((232.0, 200.0, 136.0), (398.0, 440.0, 136.0), (232.0, 680.0, 136.0)),
}


def _disc(feature: str, x: float, y: float, r: float, *, required: bool) -> str:
    rim = circle(x, y, r)
    inset = 0.22 if feature.endswith("-crab") else 0.13
    frame = Box(x - r, y - r, x + r, y + r).grown(-inset * r)
    return (
        stroke(rim, CREAM, 62).to_svg()
        + flat(rim, "#ffffff" if required else "#ffe1e1").to_svg()
        + clipped(emblem(feature, frame), rim)
        + stroke(rim, REQUIRED if required else FORBIDDEN, 36).to_svg()
    )


def emblem(feature: str, frame: Box) -> str:
    """The head of a species, or a crab, within a frame."""
    colour, _, crab = feature.partition("-")
    part = CRABS[colour]() if crab else portrait(feature)
    return placed(part.to_svg(), part.box, frame)


def _strike(x: float, y: float, r: float) -> str:
    k = r * cos(pi / 4)
    bar = f"M{x + k:.1f} {y - k:.1f}L{x - k:.1f} {y + k:.1f}"
    return stroke(bar, "#ffe1e1", 40).to_svg() + stroke(bar, FORBIDDEN, 27).to_svg()


def _tick(x: float, y: float, r: float) -> str:
    check = (
        f"M{x - 0.45 * r:.1f} {y + 0.05 * r:.1f}l{0.33 * r:.1f} {0.34 * r:.1f}"
        f"l{0.6 * r:.1f} {-0.72 * r:.1f}"
    )
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
    return _card(camera_content(player))


def back_face(of: str) -> str:
    """The back of the animal or of the task deck."""
    return _card(back_content(of))


def _card(content: str) -> str:
    return document(clipped(content, CARD), WIDTH, HEIGHT)
