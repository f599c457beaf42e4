"""The players' marks: one plain shape a colour, so that nobody has to tell colours apart."""

from math import cos, pi, sin
from types import MappingProxyType


def _star(points: int, outer: float, inner: float) -> str:
    corners = (
        (
            (outer if i % 2 == 0 else inner) * cos(pi * i / points - pi / 2),
            (outer if i % 2 == 0 else inner) * sin(pi * i / points - pi / 2),
        )
        for i in range(2 * points)
    )
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


MARKS: MappingProxyType[str, str] = MappingProxyType(
    {
        "red": "M0 92C-40 56 -98 20 -98 -34C-98 -92 -24 -104 0 -50C24 -104 98 -92 98 -34"
        "C98 20 40 56 0 92Z",
        "yellow": _star(5, 106, 46),
        "green": "M0 -100L92 70H24V104H-24V70H-92Z",
        "blue": "M0 -108C30 -58 76 -14 76 34C76 78 40 104 0 104C-40 104 -76 78 -76 34"
        "C-76 -14 -30 -58 0 -108Z",
        "orange": "M0 -106L84 0L0 106L-84 0Z",
        "purple": "M32 -100C-20 -104 -84 -62 -84 6C-84 70 -30 108 28 100C76 94 96 60 100 40"
        "C40 66 -14 34 -14 -20C-14 -60 8 -86 32 -100Z",
    }
)
"""Path data around the origin, at most 110 units in any direction, by colour."""
