"""Draws the faces of a sheet in their real size, and what shows where to cut."""

from __future__ import annotations

import io
from dataclasses import dataclass

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from referee.decks import Deck, DeckCard
from referee.errors import DeckError
from referee.printing_paper import (
    LABEL_MM,
    LABEL_PT,
    POINTS_PER_MM,
    draw_label,
    draw_line,
    to_points,
)
from referee.printing_sheets import Sheet

MARK_MM = (0.5, 3.5)
"""Where a crop mark starts and ends, outwards from the colour around the card."""

_CLEAR = 64
"""A corner with less opacity than this (of 255) is no part of the piece: the piece is round."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A face as the PDF writer takes it.

    Attributes:
        reader: The picture.
        colour: The mean colour along its edge, red, green and blue from 0 to 1.
        is_round: Whether it is a disc: nothing is seen of it near its four corners.
    """

    reader: ImageReader
    colour: tuple[float, float, float]
    is_round: bool


class Pictures:
    """The deck's pictures, each read once."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._read: dict[str, Picture] = {}

    def of(self, card: DeckCard) -> Picture:
        """Returns the picture of a card.

        Raises:
            DeckError: if it cannot be read.
        """
        if card.id not in self._read:
            place = f"{card.image} ({card.id})"
            self._read[card.id] = read_picture(self._deck, self._deck.read_image_bytes(card), place)
        return self._read[card.id]


def read_picture(deck: Deck, data: bytes, place: str) -> Picture:
    """Reads the bytes of a picture of a deck; `place` names it where it cannot be read.

    Raises:
        DeckError: if it cannot be read.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            rgba = image.convert("RGBA")
        return Picture(ImageReader(io.BytesIO(data)), _edge_colour(rgba), _is_round(rgba))
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise DeckError(
            str(deck.path), place, "a readable PNG or JPEG picture", str(error)
        ) from error


def draw_sheet(canvas: Canvas, sheet: Sheet, pictures: Pictures, title: str) -> None:
    """Draws one side of a sheet.

    Raises:
        DeckError: if a picture cannot be read.
    """
    if not sheet.is_chips:
        _draw_marks(canvas, sheet)
    for place, face in enumerate(sheet.faces):
        if face is not None:
            _draw_face(canvas, sheet, place, face, pictures.of(face))
    _draw_label(canvas, sheet, title)


def _edge_colour(image: Image.Image) -> tuple[float, float, float]:
    """Returns the colour at the middles of the four sides."""
    width, height = image.size
    points = ((width // 2, 1), (width // 2, height - 2), (1, height // 2), (width - 2, height // 2))
    pixels = [image.getpixel((max(x, 0), max(y, 0))) for x, y in points]
    red, green, blue = (
        sum(pixel[channel] for pixel in pixels if isinstance(pixel, tuple)) / (255 * len(pixels))
        for channel in range(3)
    )
    return red, green, blue


def _is_round(image: Image.Image) -> bool:
    """Tells a round piece, empty at a tenth of its size from every corner, from a card."""
    width, height = image.size
    corners = (
        image.getpixel((round(x * (width - 1)), round(y * (height - 1))))
        for x in (0.1, 0.9)
        for y in (0.1, 0.9)
    )
    return all(isinstance(pixel, tuple) and pixel[3] < _CLEAR for pixel in corners)


def _draw_face(canvas: Canvas, sheet: Sheet, place: int, face: DeckCard, picture: Picture) -> None:
    """Draws a face in its real size, on ground that reaches a little over the cut.

    Around a card this is its edge's colour, and over it the face itself, a little enlarged: what
    runs off the card, such as a path, then runs on. A chip is cut along its own edge, so only its
    back, which may come to lie a little off, has such ground.
    """
    grid = sheet.grid
    corner = grid.corner_mm(place, face.size_mm, is_back=sheet.is_back)
    left, bottom, width, height = box = to_points(grid.page_mm, corner, face.size_mm)
    more_x, more_y = (gap / 2 * POINTS_PER_MM for gap in grid.gap_mm)
    wide = (left - more_x, bottom - more_y, width + 2 * more_x, height + 2 * more_y)
    if sheet.is_back or not sheet.is_chips:
        canvas.setFillColorRGB(*picture.colour)
        _draw_form(canvas, wide, is_round=picture.is_round, fill=1)
    if not sheet.is_chips:
        canvas.drawImage(picture.reader, *wide, mask="auto")
    canvas.drawImage(picture.reader, *box, mask="auto")
    if sheet.is_chips and not sheet.is_back:
        canvas.setLineWidth(0.3)
        canvas.setStrokeGray(0.5)
        _draw_form(canvas, box, is_round=picture.is_round, fill=0)


def _draw_form(
    canvas: Canvas, box: tuple[float, float, float, float], *, is_round: bool, fill: int
) -> None:
    """Fills, or else outlines, a card's rectangle or a chip's round."""
    left, bottom, width, height = box
    if is_round:
        canvas.ellipse(left, bottom, left + width, bottom + height, stroke=1 - fill, fill=fill)
    else:
        canvas.rect(left, bottom, width, height, stroke=1 - fill, fill=fill)


def _draw_marks(canvas: Canvas, sheet: Sheet) -> None:
    """Draws the ends of every cut into the margins of the page."""
    grid = sheet.grid
    last = grid.columns * grid.rows - 1
    left, top = grid.origin_mm(0, is_back=False)
    far_x, far_y = grid.origin_mm(last, is_back=False)
    right, low = far_x + grid.card_mm[0], far_y + grid.card_mm[1]
    start, end = MARK_MM[0] + max(grid.gap_mm) / 2, MARK_MM[1] + max(grid.gap_mm) / 2
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(0.2)
    for column in range(grid.columns):
        x0 = left + column * (grid.card_mm[0] + grid.gap_mm[0])
        for x in (x0, x0 + grid.card_mm[0]):
            draw_line(canvas, grid.page_mm, (x, top - start), (x, top - end))
            draw_line(canvas, grid.page_mm, (x, low + start), (x, low + end))
    for row in range(grid.rows):
        y0 = top + row * (grid.card_mm[1] + grid.gap_mm[1])
        for y in (y0, y0 + grid.card_mm[1]):
            draw_line(canvas, grid.page_mm, (left - start, y), (left - end, y))
            draw_line(canvas, grid.page_mm, (right + start, y), (right + end, y))


def _draw_label(canvas: Canvas, sheet: Sheet, title: str) -> None:
    """Writes what is on the page under its middle column, small where crop marks are close."""
    shown = [face.id for face in sheet.faces if face is not None]
    faces = " to ".join(dict.fromkeys((shown[0], shown[-1]))) if shown else "white"
    grid = sheet.grid
    x, margin = grid.origin_mm(grid.columns // 2, is_back=False)
    is_close = margin - grid.gap_mm[1] / 2 - MARK_MM[1] < LABEL_MM + LABEL_PT / POINTS_PER_MM
    room = grid.card_mm[0] - 2 if is_close and not sheet.is_chips else grid.page_mm[0] / 2
    text = f"{title}, {'back' if sheet.is_back else 'front'}: {faces} (100 %)"
    draw_label(canvas, x + grid.card_mm[0] / 2, room, text)
