"""Numbers as drawn lines, so that no picture depends on the fonts of a machine."""

from types import MappingProxyType

from datasets.art.palette import INK
from datasets.art.svg import Box, group, number, placed, stroke

_HEIGHT = 100.0
_GAP = 22.0
_STROKES: MappingProxyType[str, tuple[str, float]] = MappingProxyType(
    {
        "0": ("M28 4C4 4 4 96 28 96C52 96 52 4 28 4Z", 56),
        "1": ("M6 24L26 6V94", 32),
        "2": ("M6 30C6 -4 50 -2 50 30C50 54 12 66 6 94H52", 56),
        "3": ("M8 8H46L26 40C58 38 60 94 26 94C14 94 8 88 4 80", 54),
        "4": ("M42 96V6L4 66H56", 60),
        "5": ("M48 6H14L10 44C30 32 52 40 52 64C52 96 16 102 5 82", 56),
        "6": ("M44 8C18 20 5 46 5 66C5 104 51 104 51 66C51 36 12 38 6 60", 56),
        "7": ("M5 6H51L22 95", 56),
        "8": ("M28 46C3 42 3 5 28 5C53 5 53 42 28 46C-1 50 -1 95 28 95C57 95 57 50 28 46Z", 56),
        "9": ("M48 40C42 64 5 62 5 34C5 -4 51 -4 51 34C51 54 40 82 14 94", 56),
    }
)
"""Path data of each digit from the left, 100 units high, and its width."""


def digits(value: int, frame: Box, colour: str = INK, weight: float = 17.0) -> str:
    """The markup of a number fitted into a frame; `weight` is in hundredths of its height."""
    content, x = "", 0.0
    for digit in str(value):
        d, width = _STROKES[digit]
        content += group(stroke(d, colour, weight).to_svg(), f"translate({number(x)} 0)")
        x += width + _GAP
    margin = weight / 2
    box = Box(-margin, -margin, x - _GAP + margin, _HEIGHT + margin)
    return placed(content, box, frame)
