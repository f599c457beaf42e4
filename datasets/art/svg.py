"""SVG as values: shapes, parts that can be placed and fitted, and documents that print them.

Everything is drawn in one line style: a round, dark outline around flat colour. A `Part` carries
its own bounding box, so parts can be fitted into a frame without asking a renderer.
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from datasets.art.palette import CREAM, INK

LINE = 11.0
"""Width of an outline: 1.1 mm on a card whose unit is a tenth of a millimetre."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle in drawing units."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """The vertical extent."""
        return self.y1 - self.y0

    def union(self, other: "Box") -> "Box":
        """The smallest box around both."""
        return Box(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def grown(self, margin: float) -> "Box":
        """This box with a margin added on every side."""
        return Box(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)


@dataclass(frozen=True, slots=True)
class Shape:
    """One path: its fill, its stroke, and what is painted inside its outline.

    `solid` shapes make up the silhouette around which a sticker's pale rim runs.
    """

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0.0
    solid: bool = False
    inside: tuple["Shape", ...] = ()
    opacity: float = 1.0

    def to_svg(self) -> str:
        """The markup of this shape."""
        if self.inside:
            name = f"c{zlib.crc32(self.d.encode()):08x}"
            clipped = "".join(shape.to_svg() for shape in self.inside)
            return (
                f'<clipPath id="{name}"><path d="{self.d}"/></clipPath>'
                + _path(self.d, self.fill, "none", 0.0, self.opacity)
                + f'<g clip-path="url(#{name})">{clipped}</g>'
                + _path(self.d, "none", self.stroke, self.width, self.opacity)
            )
        return _path(self.d, self.fill, self.stroke, self.width, self.opacity)

    def to_rim(self, rim: float, colour: str) -> str:
        """The markup of a rim of that width around this shape."""
        fill = "none" if self.fill == "none" else colour
        return _path(self.d, fill, colour, self.width + 2 * rim, 1.0)


@dataclass(frozen=True, slots=True)
class Part:
    """Shapes in painting order and the box they cover."""

    shapes: tuple[Shape, ...]
    box: Box

    def to_svg(self) -> str:
        """The markup of all shapes."""
        return "".join(shape.to_svg() for shape in self.shapes)

    def to_sticker(self, rim: float = 13.0, colour: str = CREAM) -> str:
        """The markup of all shapes on a pale rim, as if cut from paper."""
        rims = "".join(shape.to_rim(rim, colour) for shape in self.shapes if shape.solid)
        return rims + self.to_svg()

    def __add__(self, other: "Part") -> "Part":
        return Part(self.shapes + other.shapes, self.box.union(other.box))


def inked(d: str, fill: str, *inside: Shape, width: float = LINE) -> Shape:
    """A filled shape with the dark outline; `inside` is painted within it."""
    return Shape(d, fill, INK, width, solid=True, inside=inside)


def flat(d: str, fill: str, opacity: float = 1.0) -> Shape:
    """A filled shape without outline."""
    return Shape(d, fill, opacity=opacity)


def stroke(d: str, colour: str = INK, width: float = LINE, opacity: float = 1.0) -> Shape:
    """A line with round ends."""
    return Shape(d, "none", colour, width, opacity=opacity)


def tube(d: str, thickness: float, fill: str, line: float = LINE) -> tuple[Shape, Shape]:
    """A limb of even thickness along a path, with the dark outline."""
    outer = Shape(d, "none", INK, thickness + 2 * line, solid=True)
    return outer, stroke(d, fill, thickness)


def circle(x: float, y: float, r: float) -> str:
    """Path data of a circle."""
    return ellipse(x, y, r, r)


def ellipse(x: float, y: float, rx: float, ry: float) -> str:
    """Path data of an upright ellipse."""
    return (
        f"M{number(x - rx)} {number(y)}"
        f"a{number(rx)} {number(ry)} 0 1 0 {number(2 * rx)} 0"
        f"a{number(rx)} {number(ry)} 0 1 0 {number(-2 * rx)} 0Z"
    )


def rounded(box: Box, r: float) -> str:
    """Path data of a rectangle with round corners."""
    w, h = number(box.width - 2 * r), number(box.height - 2 * r)
    k = number(r)
    return (
        f"M{number(box.x0 + r)} {number(box.y0)}h{w}a{k} {k} 0 0 1 {k} {k}v{h}"
        f"a{k} {k} 0 0 1 -{k} {k}h-{w}a{k} {k} 0 0 1 -{k} -{k}v-{h}a{k} {k} 0 0 1 {k} -{k}Z"
    )


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def group(content: str, transform: str = "", opacity: float = 1.0) -> str:
    """Markup under one transform."""
    faded = f' opacity="{number(opacity)}"' if opacity < 1 else ""
    return f'<g transform="{transform}"{faded}>{content}</g>' if transform else content


def clipped(content: str, d: str) -> str:
    """Markup cut at a path."""
    name = f"k{zlib.crc32(d.encode()):08x}"
    return (
        f'<clipPath id="{name}"><path d="{d}"/></clipPath><g clip-path="url(#{name})">{content}</g>'
    )


def placed(content: str, box: Box, frame: Box, *, mirrored: bool = False, limit: float = 9) -> str:
    """Markup moved and scaled, `limit` times at most, so that `box` sits centred in `frame`."""
    scale = min(frame.width / box.width, frame.height / box.height, limit)
    sx = -scale if mirrored else scale
    x = (frame.x0 + frame.x1) / 2 - sx * (box.x0 + box.x1) / 2
    y = (frame.y0 + frame.y1) / 2 - scale * (box.y0 + box.y1) / 2
    return group(content, f"translate({number(x)} {number(y)}) scale({number(sx)} {number(scale)})")


def document(content: str, width: float, height: float) -> str:
    """A whole SVG file."""
    w, h = number(width), number(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f'viewBox="0 0 {w} {h}">{content}</svg>\n'
    )


def number(value: float) -> str:
    """A coordinate with at most two decimals, always written in the same way."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _path(d: str, fill: str, stroke_colour: str, width: float, opacity: float) -> str:
    line = (
        f' stroke="{stroke_colour}" stroke-width="{number(width)}"'
        ' stroke-linecap="round" stroke-linejoin="round"'
        if stroke_colour != "none" and width
        else ""
    )
    faded = f' opacity="{number(opacity)}"' if opacity < 1 else ""
    return f'<path d="{d}" fill="{fill}"{line}{faded}/>'
