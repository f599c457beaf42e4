"""Paper: its sizes, and lines and rectangles on it in millimetres from its upper left corner."""

from __future__ import annotations

from types import MappingProxyType

from reportlab.pdfgen.canvas import Canvas

PAGES: MappingProxyType[str, tuple[float, float]] = MappingProxyType(
    {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
)
"""Width and height of the paper in millimetres, upright, by its name."""

POINTS_PER_MM = 72 / 25.4
FONT = "Helvetica"
LABEL_PT = 6.5

LABEL_MM = 4.6
"""Height of the label's base line above the lower edge of the page."""


def draw_line(
    canvas: Canvas,
    page_mm: tuple[float, float],
    start: tuple[float, float],
    end: tuple[float, float],
) -> None:
    """Draws a line between two points."""
    (x0, y0), (x1, y1) = start, end
    height = page_mm[1]
    canvas.line(*(v * POINTS_PER_MM for v in (x0, height - y0, x1, height - y1)))


def to_points(
    page_mm: tuple[float, float], corner_mm: tuple[float, float], size_mm: tuple[float, float]
) -> tuple[float, float, float, float]:
    """Returns left, bottom, width and height in points from the page's lower left corner."""
    k = POINTS_PER_MM
    (x, y), (width, height) = corner_mm, size_mm
    return x * k, (page_mm[1] - y - height) * k, width * k, height * k


def draw_label(canvas: Canvas, middle_mm: float, room_mm: float, text: str) -> None:
    """Writes a line at the foot of the page, centred and small enough for its room."""
    room = room_mm * POINTS_PER_MM
    size = LABEL_PT * min(1.0, room / canvas.stringWidth(text, FONT, LABEL_PT))
    canvas.setFillGray(0.35)
    canvas.setFont(FONT, size)
    canvas.drawCentredString(middle_mm * POINTS_PER_MM, LABEL_MM * POINTS_PER_MM, text)
