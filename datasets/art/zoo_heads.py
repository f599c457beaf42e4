"""The animals on the chips: a gorilla is large, a panda medium, a meerkat small."""

from collections.abc import Callable
from types import MappingProxyType

from datasets.art.heads import gorilla_head
from datasets.art.palette import BLUSH, COAL, COAL_DARK, CREAM, INK, SAND, SAND_DARK, SAND_PALE
from datasets.art.svg import Box, Part, Shape, circle, ellipse, flat, inked, stroke


def panda_head() -> Part:
    """A white round face, black ears and patches around the eyes."""
    face = (
        "M0 -96C70 -98 112 -52 112 0C112 58 62 88 0 88C-62 88 -112 58 -112 0"
        "C-112 -52 -70 -98 0 -96Z"
    )
    patches = (
        "M-24 -26C-34 -52 -78 -40 -82 -4C-84 30 -48 36 -34 14C-24 0 -18 -10 -24 -26Z",
        "M24 -26C34 -52 78 -40 82 -4C84 30 48 36 34 14C24 0 18 -10 24 -26Z",
    )
    eyes: list[Shape] = []
    for sign in (-1, 1):
        eyes += [
            flat(circle(sign * 48, -8, 17), CREAM),
            flat(circle(sign * 46, -6, 11), INK),
            flat(circle(sign * 46 - 4, -11, 4.5), "#ffffff"),
        ]
    return Part(
        (
            inked(circle(-84, -78, 40), COAL),
            inked(circle(84, -78, 40), COAL),
            inked(face, "#ffffff", flat("M-112 40C-60 96 60 96 112 40V100H-112Z", "#e9e4f0")),
            *[flat(patch, COAL_DARK) for patch in patches],
            *eyes,
            flat("M-22 22C-22 10 22 10 22 22C22 36 8 42 0 42C-8 42 -22 36 -22 22Z", INK),
            stroke("M0 42V54M-26 52C-20 68 -4 66 0 54C4 66 20 68 26 52", INK, 8),
            flat(ellipse(-74, 42, 17, 11), BLUSH, 0.8),
            flat(ellipse(74, 42, 17, 11), BLUSH, 0.8),
        ),
        Box(-130, -124, 130, 94),
    )


def meerkat_head() -> Part:
    """A slim head on an upright neck, a pointed muzzle, dark rings around the eyes."""
    chest = "M-44 20C-52 70 -78 110 -82 170H82C78 110 52 70 44 20Z"
    head = (
        "M0 -128C50 -130 72 -92 70 -54C68 -8 40 34 0 40C-40 34 -68 -8 -70 -54"
        "C-72 -92 -50 -130 0 -128Z"
    )
    muzzle = (
        "M0 -28C24 -28 36 -10 30 10C24 34 12 40 0 40C-12 40 -24 34 -30 10C-36 -10 -24 -28 0 -28Z"
    )
    eyes: list[Shape] = []
    for sign in (-1, 1):
        eyes += [
            flat(ellipse(sign * 34, -58, 25, 22), COAL_DARK),
            flat(circle(sign * 32, -58, 14), CREAM),
            flat(circle(sign * 31, -56, 9.5), INK),
            flat(circle(sign * 31 - 4, -60, 4), "#ffffff"),
        ]
    return Part(
        (
            inked(
                chest,
                SAND,
                flat("M-30 60C-40 100 -44 140 -46 176H46C44 140 40 100 30 60Z", SAND_PALE),
            ),
            stroke("M-36 128C-20 146 -8 140 -4 128M36 128C20 146 8 140 4 128", INK, 9),
            inked(ellipse(-70, -62, 20, 25), SAND_DARK),
            inked(ellipse(70, -62, 20, 25), SAND_DARK),
            inked(head, SAND, flat("M-24 -134C-10 -90 10 -90 24 -134Z", SAND_DARK)),
            *eyes,
            flat(muzzle, SAND_PALE),
            flat("M-17 4C-15 -8 15 -8 17 4C15 18 6 24 0 24C-6 24 -15 18 -17 4Z", INK),
        ),
        Box(-96, -134, 96, 176),
    )


HEADS: MappingProxyType[str, Callable[[], Part]] = MappingProxyType(
    {"large": gorilla_head, "medium": panda_head, "small": meerkat_head}
)
"""The animal of each size."""
