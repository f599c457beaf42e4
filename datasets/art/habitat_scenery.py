"""The island behind the animals: sky, sea and land in the light of the time of day."""

from dataclasses import dataclass
from math import cos, sin
from types import MappingProxyType

from datasets.art.palette import CREAM, DAY, GOLD, MORNING, NIGHT
from datasets.art.svg import Box, circle, ellipse, flat, group, polygon, stroke

WINDOW = Box(26, 26, 604, 778)
"""The picture on the card, in card units."""

HORIZON, SHORE = 338.0, 566.0
"""Where the sea begins and where it ends."""


@dataclass(frozen=True, slots=True)
class _Light:
    """The tones of a time of day."""

    sky: tuple[str, str, str]
    island: tuple[str, str]
    sea: tuple[str, str, str]
    foam: str
    land: tuple[str, str]
    plant: tuple[str, str]


_LIGHTS: MappingProxyType[str, _Light] = MappingProxyType(
    {
        "morning": _Light(
            MORNING, ("#c98aa0", "#b0708c"), ("#7fb9cf", "#63a0bb", "#b9dfe6"), "#fff1dc",
            ("#f7cf9c", "#e5b078"), ("#7fb27c", "#5f9a6c"),
        ),
        "day": _Light(
            DAY, ("#6fbf8b", "#4fa377"), ("#35b3d6", "#1f98c2", "#8fe0ee"), "#ffffff",
            ("#ffe29a", "#efc671"), ("#5cb85f", "#3a9650"),
        ),
        "night": _Light(
            NIGHT, ("#1c2350", "#151a40"), ("#274f96", "#1d3d7c", "#4d79c4"), "#b9cdf2",
            ("#6d6a8f", "#58557a"), ("#3b5a6b", "#2c4757"),
        ),
    }
)  # fmt: skip


def scenery(time: str, variant: int) -> str:
    """The landscape at a time of day; `variant` moves clouds, island and plants."""
    light = _LIGHTS[time]
    return _sky(time, light, variant) + _sea(light, variant) + _land(light, variant)


def _sky(time: str, light: _Light, variant: int) -> str:
    base, band, glow = light.sky
    content = flat(f"M0 0H630V{HORIZON}H0Z", base).to_svg()
    content += flat(f"M0 0H630V{96}C430 140 200 70 0 120Z", band, 0.8).to_svg()
    if time == "morning":
        content += flat(circle(315, HORIZON, 190), glow, 0.5).to_svg()
        content += flat(circle(315, HORIZON, 128), glow).to_svg()
        content += flat(circle(315, HORIZON, 86), "#ff9a5c").to_svg()
    elif time == "day":
        content += flat(circle(315, 74, 66), "#fff3c4", 0.8).to_svg()
        content += flat(circle(315, 74, 44), GOLD).to_svg()
        for k in range(2):
            x = (140 + 330 * k + 47 * variant) % 560
            content += _cloud(x, 210 + 60 * k, 0.7 + 0.2 * k)
    else:
        content += (
            flat(circle(315, 78, 46), CREAM).to_svg() + flat(circle(338, 66, 40), band).to_svg()
        )
        content += "".join(_star(variant, k) for k in range(16))
    x = (110 + 173 * variant) % 420 + 60
    return content + group(_island(light), f"translate({x} {HORIZON + 4})")


def _cloud(x: float, y: float, k: float) -> str:
    puffs = (
        ellipse(x, y, 64 * k, 22 * k)
        + circle(x - 22 * k, y - 16 * k, 24 * k)
        + circle(x + 16 * k, y - 24 * k, 30 * k)
    )
    return flat(puffs, "#ffffff", 0.9).to_svg()


def _star(variant: int, index: int) -> str:
    a = 3.1 * variant + 12.9898 * (index + 1)
    x, y = 60 + 510 * (abs(sin(a) * 437.585) % 1), 150 + 170 * (abs(cos(a) * 246.346) % 1)
    r = 4 + index % 3
    return flat(
        polygon([(x, y - 2 * r), (x + r * 0.7, y), (x, y + 2 * r), (x - r * 0.7, y)]), CREAM, 0.9
    ).to_svg()


def _island(light: _Light) -> str:
    """A volcano far off."""
    fill, dark = light.island
    return (
        flat(
            "M-130 0C-90 -14 -60 -70 -34 -92L-16 -84L4 -94L26 -84C50 -60 90 -14 140 0Z", fill
        ).to_svg()
        + flat("M26 -84C50 -60 90 -14 140 0H40C50 -30 40 -60 26 -84Z", dark).to_svg()
    )


def _sea(light: _Light, variant: int) -> str:
    base, dark, pale = light.sea
    content = flat(f"M0 {HORIZON}H630V{SHORE + 60}H0Z", base).to_svg()
    content += flat(
        (
            f"M0 {HORIZON + 110}C160 {HORIZON + 84} 420 {HORIZON + 136} 630 {HORIZON + 104}"
            f"V{SHORE + 60}H0Z"
        ),
        dark,
    ).to_svg()
    waves = ""
    for row in range(5):
        y = HORIZON + 24 + 42 * row
        for k in range(3):
            x = (70 + 210 * k + 97 * row + 61 * variant) % 640 - 30
            waves += f"M{x} {y}Q{x + 22} {y - 13} {x + 44} {y}Q{x + 66} {y + 13} {x + 88} {y}"
    return content + stroke(waves, pale, 8, 0.9).to_svg()


def _land(light: _Light, variant: int) -> str:
    base, dark = light.land
    beach = (
        f"M0 {SHORE + 14}C120 {SHORE - 22} 240 {SHORE + 26} 360 {SHORE}"
        f"C470 {SHORE - 20} 560 {SHORE + 18} 630 {SHORE}V800H0Z"
    )
    content = stroke(beach, light.foam, 22, 0.9).to_svg() + flat(beach, base).to_svg()
    content += flat("M0 730C180 700 420 760 630 716V800H0Z", dark).to_svg()
    pebbles = "".join(
        ellipse((83 * k + 57 * variant) % 560 + 36, 622 + (47 * k + 31 * variant) % 140, 9, 6)
        for k in range(12)
    )
    content += flat(pebbles, dark).to_svg()
    for k, side in enumerate((64, 566)):
        place = f"translate({side} {770 - 30 * ((variant + k) % 2)}) scale({-1 if k else 1} 1)"
        plant = _fern(light) if (variant + k) % 3 else _cactus(light)
        content += group(plant, place)
    return content


def _fern(light: _Light) -> str:
    fill, dark = light.plant
    blades = (
        "M0 0C-10 -50 -40 -70 -60 -72C-30 -50 -20 -20 0 0C-10 -60 0 -90 14 -104"
        "C14 -60 14 -30 0 0C10 -40 40 -60 64 -60C40 -40 20 -20 0 0Z"
    )
    return flat(blades, fill).to_svg() + stroke("M0 0C2 -40 6 -70 12 -94", dark, 6).to_svg()


def _cactus(light: _Light) -> str:
    fill, dark = light.plant
    return (
        stroke(
            "M0 10V-110M0 -30C-40 -30 -40 -50 -40 -74M0 -50C34 -50 34 -66 34 -86", fill, 30
        ).to_svg()
        + stroke("M0 0V-104M-40 -56V-74M34 -68V-84", dark, 6).to_svg()
    )
