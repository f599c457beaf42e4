"""A deck as a PDF to print on both sides, cut out and play with.

Faces have their real size, stand in rows and columns with crop marks around, and are followed by
a page of backs whose columns run the other way, so that they meet when the sheet is turned over
its long edge. Cards of one size and back share sheets.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from referee.decks import Deck, DeckCard
from referee.errors import DeckError

PAGES: MappingProxyType[str, tuple[float, float]] = MappingProxyType(
    {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
)
"""Width and height of the paper in millimetres, upright, by its name."""

POINTS_PER_MM = 72 / 25.4
MARGIN_MM = 7.0
"""Free border: most printers leave 4 to 6 mm white, and the crop marks need room."""

GAPS_MM = (2.0, 0.0)
"""Room between cards, the widest first; a narrower one is taken only where it saves paper."""

LABEL_MM = 4.6
"""Height of the label's base line above the lower edge of the page."""

MARK_MM = (0.5, 3.5)
"""Where a crop mark starts and ends, outwards from the colour around the card."""

LABEL_PT = 6.5
_FONT = "Helvetica"

_TWO_FACED = ("camera", "chip")
"""Kinds that without a back show their face on both sides: they may not lie the wrong way up."""

_BACK_OF = MappingProxyType({"special": "task"})
"""Kinds that are shuffled into another kind's deck and share its back."""


@dataclass(frozen=True, slots=True)
class Grid:
    """How cards of one size stand on a page; millimetres from its upper left corner."""

    page_mm: tuple[float, float]
    card_mm: tuple[float, float]
    columns: int
    rows: int
    gap_mm: tuple[float, float]

    def origin_mm(self, place: int, *, is_back: bool) -> tuple[float, float]:
        """Returns the upper left corner of a place; backs count their columns from the right."""
        row, column = divmod(place, self.columns)
        if is_back:
            column = self.columns - 1 - column
        x, y = (
            (page - count * card - (count - 1) * gap) / 2 + index * (card + gap)
            for page, count, card, gap, index in zip(
                self.page_mm,
                (self.columns, self.rows),
                self.card_mm,
                self.gap_mm,
                (column, row),
                strict=True,
            )
        )
        return x, y


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side of a sheet of paper.

    Attributes:
        grid: Where its places are.
        faces: What lies on them, in reading order of the front; None on a side left white.
        is_back: Whether this is the side with the backs.
    """

    grid: Grid
    faces: tuple[DeckCard | None, ...]
    is_back: bool


def print_deck(deck: Deck, out: Path, page: str = "A4", *, duplex: bool = True) -> None:
    """Writes a deck as a PDF.

    Args:
        deck: The deck; a card is printed as often as its `count` says.
        out: The file to write.
        page: Name of the paper, one of `PAGES`.
        duplex: Whether every page of faces is followed by the page of their backs.

    Raises:
        DeckError: if a picture cannot be read, or a card is larger than the page.
    """
    sheets = plan_sheets(deck, page, duplex=duplex)
    width_mm, height_mm = PAGES[page]
    size_pt = (width_mm * POINTS_PER_MM, height_mm * POINTS_PER_MM)
    canvas = Canvas(str(out), pagesize=size_pt, invariant=1)
    canvas.setTitle(deck.name)
    pictures = _Pictures(deck)
    for number, sheet in enumerate(sheets, 1):
        _draw_marks(canvas, sheet)
        for place, face in enumerate(sheet.faces):
            if face is not None:
                _draw_face(canvas, sheet, place, pictures.of(face))
        _draw_label(canvas, sheet, f"{deck.name}, {number} of {len(sheets)}")
        canvas.showPage()
    canvas.save()


def plan_sheets(deck: Deck, page: str, *, duplex: bool = True) -> tuple[Sheet, ...]:
    """Returns the pages of a deck in the order of printing.

    Raises:
        DeckError: if a card is larger than the page.
    """
    backs = {card.piece.of: card for card in deck.of_kind("back") if hasattr(card.piece, "of")}
    groups: dict[tuple[tuple[float, float], str], list[tuple[DeckCard, DeckCard | None]]] = {}
    for card in deck.cards:
        if card.kind != "back":
            back = _back_of(card, backs)
            key = (card.size_mm, "" if back is None or back is card else back.id)
            groups.setdefault(key, []).extend([(card, back)] * getattr(card.piece, "count", 1))
    sheets: list[Sheet] = []
    for (card_mm, _), cards in groups.items():
        grid = _fit_grid(PAGES[page], card_mm, deck, cards[0][0])
        for chunk in _chunks(cards, grid.columns * grid.rows):
            sheets.append(Sheet(grid, tuple(front for front, _ in chunk), is_back=False))
            if duplex:
                sheets.append(Sheet(grid, tuple(back for _, back in chunk), is_back=True))
    return tuple(sheets)


def _back_of(card: DeckCard, backs: dict[str, DeckCard]) -> DeckCard | None:
    for kind in (card.kind, _BACK_OF.get(card.kind, card.kind)):
        if kind in backs and backs[kind].size_mm == card.size_mm:
            return backs[kind]
    return card if card.kind in _TWO_FACED else None


def _chunks(
    cards: list[tuple[DeckCard, DeckCard | None]], size: int
) -> Iterator[list[tuple[DeckCard, DeckCard | None]]]:
    for start in range(0, len(cards), size):
        yield cards[start : start + size]


def _fit_grid(
    page_mm: tuple[float, float], card_mm: tuple[float, float], deck: Deck, card: DeckCard
) -> Grid:
    fits = [_fit_side(*sides) for sides in zip(page_mm, card_mm, strict=True)]
    if min(count for count, _ in fits) < 1:
        room = " x ".join(f"{side - 2 * MARGIN_MM:g}" for side in page_mm)
        got = f"{card_mm[0]:g} x {card_mm[1]:g} mm"
        raise DeckError(str(deck.path), card.id, f"a card of at most {room} mm for this page", got)
    (columns, gap_x), (rows, gap_y) = fits
    return Grid(page_mm, card_mm, columns, rows, (gap_x, gap_y))


def _fit_side(page_mm: float, card_mm: float) -> tuple[int, float]:
    """Returns how many cards stand side by side, and the widest gap that costs none of them."""
    room = page_mm - 2 * MARGIN_MM
    counts = [(int((room + gap) / (card_mm + gap)), gap) for gap in GAPS_MM]
    return max(counts)


class _Pictures:
    """The deck's pictures as the PDF writer takes them, each read once."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._read: dict[str, tuple[ImageReader, tuple[float, float, float]]] = {}

    def of(self, card: DeckCard) -> tuple[ImageReader, tuple[float, float, float]]:
        """Returns the picture of a card and the mean colour along its edge, 0 to 1."""
        if card.id not in self._read:
            data = self._deck.read_image_bytes(card)
            try:
                with Image.open(io.BytesIO(data)) as image:
                    colour = _edge_colour(image.convert("RGBA"))
                self._read[card.id] = (ImageReader(io.BytesIO(data)), colour)
            except (OSError, ValueError, Image.DecompressionBombError) as error:
                place = f"{card.image} ({card.id})"
                raise DeckError(
                    str(self._deck.path), place, "a readable PNG or JPEG picture", str(error)
                ) from error
        return self._read[card.id]


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


def _draw_face(
    canvas: Canvas,
    sheet: Sheet,
    place: int,
    picture: tuple[ImageReader, tuple[float, float, float]],
) -> None:
    """Draws a face in its real size, on ground that reaches a little over the cut."""
    reader, colour = picture
    grid = sheet.grid
    x, y = grid.origin_mm(place, is_back=sheet.is_back)
    bleed_x, bleed_y = (gap / 2 for gap in grid.gap_mm)
    left, bottom, width, height = _to_points(grid, x, y, *grid.card_mm)
    canvas.setFillColorRGB(*colour)
    canvas.rect(
        left - bleed_x * POINTS_PER_MM,
        bottom - bleed_y * POINTS_PER_MM,
        width + 2 * bleed_x * POINTS_PER_MM,
        height + 2 * bleed_y * POINTS_PER_MM,
        stroke=0,
        fill=1,
    )
    canvas.drawImage(reader, left, bottom, width, height, mask="auto")


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
            _line(canvas, grid, (x, top - start), (x, top - end))
            _line(canvas, grid, (x, low + start), (x, low + end))
    for row in range(grid.rows):
        y0 = top + row * (grid.card_mm[1] + grid.gap_mm[1])
        for y in (y0, y0 + grid.card_mm[1]):
            _line(canvas, grid, (left - start, y), (left - end, y))
            _line(canvas, grid, (right + start, y), (right + end, y))


def _draw_label(canvas: Canvas, sheet: Sheet, text: str) -> None:
    """Writes what is on the page under its middle column, small where crop marks are close."""
    shown = [face.id for face in sheet.faces if face is not None]
    faces = " to ".join(dict.fromkeys((shown[0], shown[-1]))) if shown else "white"
    text = f"{text}, {'back' if sheet.is_back else 'front'}: {faces} (100 %)"
    grid = sheet.grid
    x, margin = grid.origin_mm(grid.columns // 2, is_back=False)
    middle = (x + grid.card_mm[0] / 2) * POINTS_PER_MM
    is_close = margin - grid.gap_mm[1] / 2 - MARK_MM[1] < LABEL_MM + LABEL_PT / POINTS_PER_MM
    room = (grid.card_mm[0] - 2 if is_close else grid.page_mm[0] / 2) * POINTS_PER_MM
    size = LABEL_PT * min(1.0, room / canvas.stringWidth(text, _FONT, LABEL_PT))
    canvas.setFillGray(0.35)
    canvas.setFont(_FONT, size)
    canvas.drawCentredString(middle, LABEL_MM * POINTS_PER_MM, text)


def _line(canvas: Canvas, grid: Grid, start: tuple[float, float], end: tuple[float, float]) -> None:
    (x0, y0), (x1, y1) = start, end
    height = grid.page_mm[1]
    canvas.line(*(v * POINTS_PER_MM for v in (x0, height - y0, x1, height - y1)))


def _to_points(
    grid: Grid, x: float, y: float, width: float, height: float
) -> tuple[float, float, float, float]:
    """Returns left, bottom, width and height in points from the page's lower left corner."""
    k = POINTS_PER_MM
    return x * k, (grid.page_mm[1] - y - height) * k, width * k, height * k
