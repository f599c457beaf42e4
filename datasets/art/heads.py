"""The heads of the five species, drawn around the joint where a body ends.

The joint is the origin; a head covers the circle of radius 72 around it and hides the stump of
whatever body stands below. Heads face left, the y axis points down.
"""

from math import cos, pi, sin

from datasets.art.palette import (
    BLUE,
    BLUE_DARK,
    BLUE_PALE,
    BLUSH,
    CLAW,
    COAL,
    COAL_DARK,
    COAL_PALE,
    CREAM,
    GREEN,
    GREEN_DARK,
    GREEN_PALE,
    HOOF,
    INK,
    MANE,
    MANE_LIGHT,
    MOUTH,
    PATCH,
    SAND,
    SAND_PALE,
    YELLOW,
    YELLOW_DARK,
    YELLOW_PALE,
)
from datasets.art.svg import Box, Part, Shape, circle, ellipse, flat, inked, polygon, stroke, tube


def crocodile_head() -> Part:
    """A long toothy grin in profile, the eye on a bump."""
    skull = (
        "M84 22C92 -60 44 -104 -16 -104C-80 -100 -140 -74 -206 -74C-232 -112 -300 -100 -304 -52"
        "C-306 -26 -288 -16 -262 -16C-190 -14 -120 -8 -66 10C-60 60 -30 86 6 86C50 86 78 64 84 22Z"
    )
    jaw = (
        "M60 30C40 96 -40 118 -120 108C-190 100 -240 96 -276 78C-300 62 -284 34 -254 38"
        "C-180 48 -110 40 -40 16Z"
    )
    mouth = flat("M-40 -10L-250 -22L-258 44L-120 56L-20 40Z", MOUTH)
    teeth = [
        inked(polygon([(x - 15, y), (x, y + 32), (x + 15, y + 1)]), CLAW, width=6)
        for x, y in ((-262, -20), (-214, -18), (-166, -14), (-118, -8))
    ]
    fangs = [
        inked(polygon([(x - 14, y), (x, y - 28), (x + 14, y - 1)]), CLAW, width=6)
        for x, y in ((-238, 42), (-190, 48), (-142, 46), (-94, 40))
    ]
    crest = [
        inked(polygon([(46, -84), (92, -104), (80, -54)]), GREEN_DARK),
        inked(polygon([(74, -46), (120, -42), (88, 0)]), GREEN_DARK),
    ]
    return Part(
        (
            *crest,
            mouth,
            *teeth,
            *fangs,
            inked(jaw, GREEN_PALE),
            inked(skull, GREEN, flat("M20 120C50 70 70 20 60 -60L120 -60V120Z", GREEN_DARK, 0.6)),
            inked(circle(-38, -112, 42), GREEN),
            *_eye(-44, -112, 27),
            flat(ellipse(-262, -66, 9, 6), INK),
            flat(ellipse(-232, -62, 8, 6), INK),
            stroke("M-62 12C-66 -8 -56 -26 -38 -32", width=9),
            flat(ellipse(-4, 8, 24, 16), BLUSH, 0.8),
            *[flat(circle(x, y, 8), GREEN_DARK) for x, y in ((-120, -52), (-152, -44), (-92, -40))],
        ),
        Box(-310, -160, 126, 116),
    )


def elephant_head() -> Part:
    """Two fan-shaped ears, small tusks and a trunk that waves hello."""
    far_ear = (
        "M-96 -138C-150 -196 -238 -170 -240 -92C-242 -20 -200 30 -150 20C-120 12 -104 -30 -96 -60Z"
    )
    near_ear = "M44 -146C100 -206 204 -178 214 -86C222 0 172 66 108 54C66 44 50 0 44 -40Z"
    skull = (
        "M-28 -178C60 -178 104 -112 98 -40C94 40 52 82 -12 82C-96 82 -138 20 -134 -52"
        "C-130 -122 -96 -178 -28 -178Z"
    )
    trunk = "M-52 -6C-60 90 -116 146 -178 130C-226 116 -246 70 -268 34"
    rings = stroke(
        "M-86 66L-36 84M-104 100L-62 128M-146 108L-138 150M-186 102L-208 138", BLUE_DARK, 8
    )
    return Part(
        (
            inked(far_ear, BLUE_DARK),
            inked(skull, BLUE, stroke("M-62 -152C-34 -164 6 -160 32 -142", BLUE_PALE, 16)),
            inked(near_ear, BLUE, _inner_ear()),
            inked("M8 34C20 78 -8 116 -54 118C-28 98 -30 70 -34 44Z", CLAW),
            inked("M-96 30C-124 52 -132 76 -128 100C-106 92 -84 76 -70 46Z", CLAW),
            *tube(trunk, 54, BLUE),
            inked(ellipse(-270, 30, 16, 30), BLUE_PALE, width=8),
            flat(
                "M-118 -30C-110 -60 -10 -60 6 -28C10 0 -8 20 -26 24L-78 24"
                "C-108 10 -118 -6 -118 -30Z",
                BLUE,
            ),
            rings,
            *_eye(-88, -58, 20),
            *_eye(10, -58, 20),
            flat(ellipse(-102, -14, 18, 12), BLUSH, 0.8),
            flat(ellipse(34, -14, 18, 12), BLUSH, 0.8),
            stroke("M-104 -98Q-88 -108 -72 -100M-4 -100Q12 -108 28 -98", width=8),
        ),
        Box(-306, -186, 222, 171),
    )


def _inner_ear() -> Shape:
    return flat(
        "M74 -122C116 -162 176 -136 182 -82C186 -22 150 24 112 14C86 4 76 -40 74 -80Z", "#f4b6c8"
    )


def giraffe_head() -> Part:
    """A small face with horns high up on a patched neck."""
    neck = (
        "M-74 24C-62 -70 -78 -170 -104 -250L-6 -286C4 -190 40 -90 76 10C92 60 40 86 -6 84"
        "C-48 82 -80 60 -74 24Z"
    )
    patches = [
        flat(polygon(points), PATCH)
        for points in (
            [(-84, -226), (-44, -238), (-30, -196), (-66, -180)],
            [(-20, -232), (8, -240), (20, -186), (-8, -180)],
            [(-74, -152), (-36, -166), (-18, -120), (-58, -104)],
            [(-4, -152), (30, -146), (40, -92), (6, -90)],
            [(-78, -74), (-30, -88), (-10, -40), (-60, -22)],
            [(16, -62), (60, -56), (74, -6), (24, -4)],
            [(-86, 10), (-34, -2), (-22, 46), (-62, 70)],
            [(2, 22), (50, 22), (60, 62), (10, 70)],
        )
    ]
    skull = (
        "M20 -318C20 -378 -30 -400 -78 -384C-124 -370 -150 -328 -196 -318"
        "C-238 -310 -252 -262 -226 -240"
        "C-198 -220 -130 -228 -92 -224C-30 -218 18 -262 20 -318Z"
    )
    muzzle = (
        "M-180 -322C-250 -310 -252 -250 -224 -240C-196 -226 -150 -230 -140 -236"
        "C-120 -270 -140 -320 -180 -322Z"
    )
    return Part(
        (
            *tube("M22 -330C28 -220 60 -110 96 -14", 14, HOOF),
            inked(neck, YELLOW, *patches),
            *_horn(-84, -384, -98, -450),
            *_horn(-30, -390, -26, -458),
            inked("M4 -350C30 -400 76 -410 106 -388C96 -346 60 -318 14 -322Z", YELLOW),
            flat("M34 -352C50 -378 72 -384 88 -376C80 -354 60 -340 36 -338Z", "#f4a6a0"),
            inked(skull, YELLOW, flat(muzzle, YELLOW_PALE)),
            flat("M-30 -396C-6 -392 12 -370 16 -340C-6 -336 -24 -352 -30 -396Z", PATCH),
            *_eye(-72, -322, 22),
            stroke("M-52 -350L-38 -362M-46 -336L-30 -342", width=8),
            flat(ellipse(-212, -286, 8, 6), INK),
            flat(ellipse(-184, -294, 8, 6), INK),
            stroke("M-222 -258C-196 -246 -164 -250 -146 -266", width=8),
            flat(ellipse(-104, -274, 20, 13), BLUSH, 0.8),
        ),
        Box(-250, -482, 112, 90),
    )


def _horn(x0: float, y0: float, x1: float, y1: float) -> tuple[Shape, ...]:
    return (
        *tube(f"M{x0} {y0}L{x1} {y1}", 16, YELLOW_DARK),
        inked(circle(x1, y1, 19), HOOF),
    )


def lion_head() -> Part:
    """A round face in a mane like a flame."""
    x, y = -14.0, -66.0
    mane = inked(_flames(x, y, 172, 132, 15), MANE, flat(_flames(x, y, 136, 112, 15), MANE_LIGHT))
    face = (
        "M-14 -158C48 -158 82 -112 80 -62"
        "C78 -4 32 30 -14 30"
        "C-60 30 -106 -4 -108 -62C-110 -112 -76 -158 -14 -158Z"
    )
    muzzle = (
        "M-14 -44C16 -56 48 -38 44 -8"
        "C38 18 10 22 -14 10C-38 22 -66 18 -72 -8"
        "C-76 -38 -44 -56 -14 -44Z"
    )
    nose = "M-40 -52Q-14 -62 12 -52Q8 -30 -14 -22Q-36 -30 -40 -52Z"
    return Part(
        (
            mane,
            *_lion_ear(x - 82, y - 84),
            *_lion_ear(x + 82, y - 84),
            inked(face, SAND),
            flat(
                "M-44 -154Q-24 -116 -14 -106Q-4 -116 16 -154Z",
                MANE_LIGHT,
            ),
            flat(muzzle, CREAM),
            flat(nose, INK),
            stroke(
                "M-14 -24V-8M-42 -6Q-28 8 -14 -8Q0 8 14 -6",
                width=8,
            ),
            *_eye(x - 44, y - 18, 21),
            *_eye(x + 44, y - 18, 21),
            *[flat(circle(x + dx, y + 50, 5), INK) for dx in (-44, -34, 34, 44)],
            flat(ellipse(x - 70, y + 30, 16, 12), BLUSH, 0.8),
            flat(ellipse(x + 70, y + 30, 16, 12), BLUSH, 0.8),
        ),
        Box(x - 176, y - 176, x + 176, y + 176),
    )


def _flames(x: float, y: float, outer: float, inner: float, count: int) -> str:
    def at(step: float, r: float) -> str:
        angle = 2 * pi * step / count - pi / 2
        return f"{x + r * cos(angle):.1f} {y + r * sin(angle):.1f}"

    curves = "".join(
        f"Q{at(i - 0.12, outer)} {at(i + 0.14, outer)}"
        f"Q{at(i + 0.42, outer * 0.96)} {at(i + 0.5, inner)}"
        for i in range(count)
    )
    return f"M{at(-0.5, inner)}{curves}Z"


def _lion_ear(x: float, y: float) -> tuple[Shape, ...]:
    return inked(circle(x, y, 32), SAND), flat(circle(x, y, 17), SAND_PALE)


def gorilla_head() -> Part:
    """A tall crest, a heavy brow and a heart-shaped face."""
    skull = (
        "M-10 -220C50 -222 86 -176 98 -112C110 -70 118 -10 96 34C76 76 34 90 -8 90"
        "C-54 90 -98 76 -114 34C-132 -10 -122 -70 -110 -112C-98 -176 -66 -222 -10 -220Z"
    )
    face = (
        "M-8 -96C16 -124 78 -118 80 -72C82 -44 66 -26 66 -8C90 14 84 70 -8 72"
        "C-100 70 -104 14 -82 -8C-82 -26 -98 -44 -96 -72C-94 -118 -32 -124 -8 -96Z"
    )
    return Part(
        (
            *_gorilla_ear(-124, -56),
            *_gorilla_ear(108, -56),
            inked(
                skull,
                COAL,
                flat("M-60 -150C-50 -190 -20 -206 -4 -204C0 -180 -20 -150 -60 -150Z", "#6f6790"),
            ),
            inked(
                face, COAL_PALE, flat("M-110 14C-60 -20 50 -20 96 14V90H-110Z", "#cdbdd6"), width=9
            ),
            stroke(
                "M-84 -88C-60 -108 -30 -100 -14 -82M-2 -82C14 -100 44 -108 68 -88", COAL_DARK, 20
            ),
            *_eye(-48, -58, 20),
            *_eye(32, -58, 20),
            flat(
                "M-46 0C-52 -24 -26 -30 -8 -16C10 -30 36 -24 30 0C28 16 6 16 -8 6"
                "C-22 16 -44 16 -46 0Z",
                COAL_DARK,
            ),
            stroke("M-62 28C-36 56 20 56 46 28", COAL_DARK, 9),
            flat(ellipse(-72, 14, 15, 11), BLUSH, 0.8),
            flat(ellipse(56, 14, 15, 11), BLUSH, 0.8),
            stroke("M-40 -216C-36 -240 -22 -250 -4 -252M-8 -218C-2 -238 12 -246 30 -244", width=11),
        ),
        Box(-158, -258, 142, 96),
    )


def _gorilla_ear(x: float, y: float) -> tuple[Shape, ...]:
    return inked(circle(x, y, 27), COAL), flat(circle(x, y, 13), COAL_PALE)


def _eye(x: float, y: float, r: float) -> tuple[Shape, ...]:
    return (
        inked(circle(x, y, r), "#ffffff", width=r * 0.32),
        flat(circle(x - r * 0.18, y + r * 0.06, r * 0.62), INK),
        flat(circle(x - r * 0.36, y - r * 0.22, r * 0.24), "#ffffff"),
    )
