"""The landscapes behind the animals: calm, pale shapes, so that the animal stays what one sees."""

from collections.abc import Callable

from datasets.art.svg import Box, Shape, circle, ellipse, flat, stroke

WINDOW = Box(34, 34, 596, 676)
"""The photograph on an Animal card, in card units."""


def morning() -> str:
    """Mint hills under a pale sun."""
    return _paint(
        _sky("#d5f3e4"),
        flat(circle(470, 150, 74), "#fff6c9"),
        _cloud(150, 150, 1.0, "#ffffff"),
        flat("M0 470C120 380 250 400 340 450C430 400 540 380 630 440V880H0Z", "#a9e0bf"),
        flat("M0 560C160 500 330 520 630 550V880H0Z", "#83cf9f"),
        *_tufts("#5fb883", ((90, 610), (520, 600), (330, 648))),
    )


def sunset() -> str:
    """A large sun sinking behind a plain with one flat-topped tree."""
    return _paint(
        _sky("#ffd9b8"),
        flat("M0 0H630V150C420 190 200 120 0 180Z", "#ffc7a8"),
        flat(circle(330, 420, 190), "#ff9d7a"),
        flat(circle(330, 420, 140), "#ffb78c"),
        flat("M0 500H630V880H0Z", "#f0a36b"),
        flat("M470 520C480 450 480 380 470 330L500 330C496 390 500 450 512 520Z", "#b3664f"),
        flat(
            "M350 330C380 270 450 250 500 262C560 250 610 280 620 330C540 346 430 346 350 330Z",
            "#b3664f",
        ),
        flat("M0 580C200 540 420 570 630 560V880H0Z", "#e08d58"),
        *_tufts("#b96a48", ((80, 600), (420, 616), (560, 640))),
    )


def lagoon() -> str:
    """A bright bay with a palm and sails of cloud."""
    return _paint(
        _sky("#c9ecff"),
        _cloud(430, 130, 1.2, "#ffffff"),
        _cloud(120, 210, 0.8, "#ffffff"),
        flat("M0 400H630V600H0Z", "#74cfe8"),
        stroke("M60 440H150M240 462H360M450 436H560M120 500H210M420 506H520", "#b9ecf7", 9),
        flat("M0 540C140 500 380 560 630 510V880H0Z", "#ffe6a8"),
        flat("M62 560C80 480 76 400 60 330L82 326C104 400 106 480 100 560Z", "#c98f5c"),
        flat(
            "M70 330C20 290 0 310 -20 350C10 340 40 340 70 330C60 270 20 250 -20 260"
            "C20 290 50 310 70 330C110 260 160 270 190 300C140 300 110 310 70 330"
            "C120 320 150 350 160 390C130 350 100 340 70 330Z",
            "#4fb58a",
        ),
        *_pebbles("#e9c684", ((180, 600), (420, 580), (540, 630), (300, 650))),
    )


def dusk() -> str:
    """A lilac evening with a moon and a sleeping volcano."""
    return _paint(
        _sky("#dccdf5"),
        flat(circle(140, 150, 62), "#fff3d0"),
        flat(circle(166, 136, 54), "#dccdf5"),
        *[flat(circle(x, y, r), "#fff9e6") for x, y, r in _STARS],
        flat("M120 540L290 250Q330 230 380 252L560 540Z", "#b79fe0"),
        flat(
            "M262 298L290 250Q330 230 380 252L408 298L380 284L352 312L326 286L296 314Z", "#f3a9b8"
        ),
        flat("M0 520C180 470 420 500 630 480V880H0Z", "#9b86cf"),
        flat("M0 600C220 560 400 600 630 570V880H0Z", "#8874bd"),
        *_tufts("#6f5ca6", ((110, 630), (500, 620), (340, 650))),
    )


def savanna() -> str:
    """A wide yellow plain, dunes and high grass."""
    return _paint(
        _sky("#fff1bd"),
        flat(circle(150, 170, 80), "#ffd873"),
        flat("M0 430C170 360 300 420 420 440C500 420 580 400 630 410V880H0Z", "#f6d588"),
        flat("M0 540C170 500 420 560 630 520V880H0Z", "#e6bf63"),
        *_blades("#bf9a3f", 24, 640),
        *_blades("#bf9a3f", 540, 630),
    )


BACKDROPS: tuple[Callable[[], str], ...] = (morning, sunset, lagoon, dusk, savanna)

_STARS = ((250, 100, 6), (340, 170, 5), (430, 90, 7), (520, 160, 5), (570, 260, 6), (80, 280, 5))


def _paint(*shapes: Shape) -> str:
    return "".join(shape.to_svg() for shape in shapes)


def _sky(colour: str) -> Shape:
    return flat("M0 0H630V880H0Z", colour)


def _cloud(x: float, y: float, size: float, colour: str) -> Shape:
    a, b, c = 62 * size, 44 * size, 30 * size
    return flat(
        ellipse(x, y, a, c)
        + ellipse(x - b, y + 8, b, c * 0.8)
        + ellipse(x + b, y + 8, b, c * 0.8)
        + circle(x + 4, y - 18 * size, 34 * size),
        colour,
    )


def _tufts(colour: str, places: tuple[tuple[float, float], ...]) -> list[Shape]:
    return [
        stroke(
            f"M{x - 18} {y - 12}L{x - 8} {y + 14}M{x} {y - 22}V{y + 14}"
            f"M{x + 18} {y - 12}L{x + 8} {y + 14}",
            colour,
            9,
        )
        for x, y in places
    ]


def _pebbles(colour: str, places: tuple[tuple[float, float], ...]) -> list[Shape]:
    return [flat(ellipse(x, y, 20, 10), colour) for x, y in places]


def _blades(colour: str, x: float, y: float) -> list[Shape]:
    return [
        stroke(f"M{x + dx} {y + 30}Q{x + dx} {y - h / 2} {x + dx + lean} {y - h}", colour, 10)
        for dx, h, lean in ((0, 90, -14), (18, 130, 8), (36, 100, 20), (54, 70, 30))
    ]
