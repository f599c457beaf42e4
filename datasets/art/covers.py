"""What surrounds the pictures: the six Camera cards and the two backs."""

from math import cos, pi, sin

from datasets.art.marks import MARKS
from datasets.art.palette import BACK_ANIMAL, BACK_TASK, CREAM, INK, PAPER, PLAYER_COLOURS
from datasets.art.svg import Box, circle, clipped, ellipse, flat, group, inked, rounded, stroke

_WHOLE = "M0 0H630V880H0Z"


def camera_content(player: str) -> str:
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
    return (
        flat(_WHOLE, main).to_svg()
        + stripes
        + "".join(s.to_svg() for s in (flash, glow, finder, glass, glint, *lens, slot))
        + mark
    )


def back_content(of: str) -> str:
    """The back of the animal or of the task deck; it looks the same either way up."""
    main, dark, pale = BACK_ANIMAL if of == "animal" else BACK_TASK
    frame = rounded(Box(34, 34, 596, 846), 20)
    emblem_half = _aperture(main, dark, pale) if of == "animal" else _crosshair(main, dark, pale)
    half = _paws(pale) if of == "animal" else _ferns(pale)
    return (
        flat(_WHOLE, PAPER).to_svg()
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
            f"M0 {y}C{s * 20} {y - 34} {s * 56} {y - 40} {s * 74} {y - 34}"
            f"C{s * 62} {y - 6} {s * 28} {y + 6} 0 {y}Z",
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
