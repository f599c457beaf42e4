"""The faces of Habitat cards, and their back.

A card shows sky, sea and land of an island at one time of day, their animals, its value, its
scoring method and its impact icons. One drawing unit is a tenth of a millimetre: 630 x 880.
"""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from datasets.art.digits import digits
from datasets.art.habitat_animals import ANIMALS
from datasets.art.habitat_scenery import WINDOW, scenery
from datasets.art.habitat_symbols import BOX, METHODS, TIMES, compass, footprint
from datasets.art.palette import CREAM, GOLD, INK, PAPER, WATER, WATER_DARK, WATER_PALE
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
_WINDOW_D = rounded(WINDOW, 22)

_SPOTS: MappingProxyType[str, tuple[tuple[Box, ...], tuple[Box, ...]]] = MappingProxyType(
    {
        "sky": (
            (Box(190, 106, 440, 296),),
            (Box(42, 172, 302, 320), Box(330, 172, 590, 320)),
        ),
        "sea": (
            (Box(190, 372, 440, 556),),
            (Box(44, 388, 304, 552), Box(328, 388, 588, 552)),
        ),
        "land": (
            (Box(196, 586, 434, 760),),
            (Box(44, 590, 304, 756), Box(328, 590, 588, 756)),
        ),
    }
)
"""Where one animal and where two animals are in each zone."""


def habitat_face(
    value: int, method: str, time: str, impact: int, animals: Sequence[tuple[str, str]]
) -> str:
    """A Habitat card.

    Args:
        value: Its value.
        method: Its scoring method: time, color or zone.
        time: Morning, day or night.
        impact: How many impact icons it has.
        animals: Colour and zone of each animal, at most two in a zone.
    """
    content = (
        flat(CARD, PAPER).to_svg()
        + clipped(scenery(time, value), _WINDOW_D)
        + "".join(_animals(animals, value))
        + stroke(_WINDOW_D, INK, 9).to_svg()
        + _badge(92, 92, 66, GOLD)
        + digits(value, Box(50, 54, 134, 130), weight=17)
        + _badge(538, 92, 66, CREAM)
        + _symbol(METHODS[method](), 538, 92, 92)
        + _foot(time, impact)
    )
    return document(clipped(content, CARD), WIDTH, HEIGHT)


def _animals(animals: Sequence[tuple[str, str]], value: int) -> Iterator[str]:
    for zone, (single, double) in _SPOTS.items():
        here = [color for color, where in animals if where == zone]
        frames = single if len(here) == 1 else double
        for index, color in enumerate(here):
            part = ANIMALS[color, zone]()
            frame = frames[index]
            if zone != "sky":
                yield _shadow(part, frame)
            mirrored = (value + index) % 2 == 1
            yield placed(part.to_sticker(8), part.box, frame, mirrored=mirrored)


def _shadow(part: Part, frame: Box) -> str:
    scale = min(frame.width / part.box.width, frame.height / part.box.height)
    x, y = (frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2 + scale * part.box.height / 2
    return flat(ellipse(x, y - 4, scale * part.box.width * 0.42, 13), INK, 0.22).to_svg()


def _badge(x: float, y: float, r: float, fill: str) -> str:
    return (
        flat(circle(x, y, r + 11), PAPER).to_svg() + inked(circle(x, y, r), fill, width=10).to_svg()
    )


def _symbol(content: str, x: float, y: float, size: float) -> str:
    half = size / 2
    return placed(content, BOX, Box(x - half, y - half, x + half, y + half))


def _foot(time: str, impact: int) -> str:
    """The strip below: the time of day at the left, the impact icons at the right."""
    content = _symbol(TIMES[time](), 74, 826, 76)
    content += stroke("M140 826H300", WATER_PALE, 10).to_svg()
    for index in range(2):
        x = 556 - 78 * index
        if index < impact:
            content += _symbol(footprint(), x, 826, 76)
        else:
            content += flat(circle(x, 826, 9), WATER_PALE).to_svg()
    return content


def back_face() -> str:
    """The back: a compass rose on waves; it looks the same either way up."""
    frame = rounded(Box(34, 34, WIDTH - 34, HEIGHT - 34), 22)
    rows = ""
    for row in range(-1, 19):
        y, shift = 50 + 46 * row, 45 * (row % 2)
        rows += "".join(
            f"M{x + shift} {y}Q{x + shift + 22.5} {y - 30} {x + shift + 45} {y}"
            for x in range(-45, 630, 90)
        )
    half = stroke(rows, WATER_PALE, 9, 0.8).to_svg()
    upper = clipped(half, f"M0 0H{WIDTH:g}V{HEIGHT / 2:g}H0Z")
    return document(
        clipped(
            flat(CARD, PAPER).to_svg()
            + flat(frame, WATER).to_svg()
            + clipped(upper + group(upper, f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})"), frame)
            + stroke(frame, WATER_DARK, 9).to_svg()
            + group(compass(210), f"translate({WIDTH / 2:g} {HEIGHT / 2:g})"),
            CARD,
        ),
        WIDTH,
        HEIGHT,
    )
