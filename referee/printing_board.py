"""A board on several sheets of paper that are cut and glued into one.

Every sheet shows a part of the board in its real size. A part that has a neighbour on its right
or below it goes on there for a flap, which repeats the neighbour's edge: the neighbour is cut at
its marks and glued onto the flap, so that a cut that is a little off shows no white.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from referee.decks import Deck
from referee.errors import DeckError
from referee.games.panda_gorilla.model import Board
from referee.printing_faces import Picture, read_picture
from referee.printing_paper import FONT, PAGES, POINTS_PER_MM, draw_label, draw_line, to_points

BOARD_MARGIN_MM = 10.0
"""Free border around a part of the board: the marks of its cuts and its label stand there."""

FLAP_MM = 10.0
"""Width of what two parts share: enough for a glue stick."""

_MARK_MM = (1.0, 6.0)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST = len(_LETTERS)
"""Parts that can be named on one side."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One part of a board on its sheet; millimetres.

    Attributes:
        name: Its row as a letter and its column as a number, such as B2.
        page_mm: Width and height of the paper as it lies.
        part_mm: Left, top, width and height of the part on the board, its flaps with it.
        flap_mm: Width of the flap at the right, and height of the one below; 0 where there is none.
        right: Name of the part that is glued onto the right flap, or an empty text.
        below: Name of the part that is glued onto the lower flap, or an empty text.
    """

    name: str
    page_mm: tuple[float, float]
    part_mm: tuple[float, float, float, float]
    flap_mm: tuple[float, float]
    right: str
    below: str

    @property
    def corner_mm(self) -> tuple[float, float]:
        """The part's upper left corner on the page."""
        _, _, width, height = self.part_mm
        return (self.page_mm[0] - width) / 2, (self.page_mm[1] - height) / 2


@dataclass(frozen=True, slots=True)
class BoardPrint:
    """A board ready to be printed: its picture, its whole size, its parts row by row."""

    picture: Picture
    size_mm: tuple[float, float]
    tiles: tuple[Tile, ...]


def board_size_mm(board: Board, size_px: tuple[int, int]) -> tuple[float, float]:
    """Returns width and height of the whole board, by its grid's corners and the side of a space.

    Args:
        board: A pack's board, whose picture and corners are known.
        size_px: Width and height of its picture.

    Raises:
        ValueError: if it is a question's board, which has no picture, or its grid has no extent.
    """
    if board.space_mm is None or len(board.corners_px) != 4:
        raise ValueError("expected a board with space_mm and four corners_px")
    nw, ne, se, sw = board.corners_px
    across = (math.dist(nw, ne) + math.dist(sw, se)) / 2 / (board.cols * board.space_mm)
    down = (math.dist(nw, sw) + math.dist(ne, se)) / 2 / (board.rows * board.space_mm)
    if not min(across, down) > 0:
        raise ValueError(f"expected four corners_px around a grid, got {board.corners_px}")
    return size_px[0] / across, size_px[1] / down


def plan_tiles(size_mm: tuple[float, float], page: str) -> tuple[Tile, ...]:
    """Returns the parts of a board row by row, on paper laid so that fewest sheets are needed.

    Args:
        size_mm: Width and height of the board.
        page: Name of the paper, one of `PAGES`.

    Raises:
        ValueError: if a side needs more than 26 sheets.
    """
    upright = PAGES[page]
    count, page_mm = min(
        (_count_tiles(size_mm, paper), paper) for paper in (upright, (upright[1], upright[0]))
    )
    _, rows, columns = count
    if max(rows, columns) > _MOST:
        sides = " x ".join(f"{side:g}" for side in size_mm)
        raise ValueError(f"expected a board of at most {_MOST} sheets a side, got {sides} mm")
    width, height = (
        (side + (parts - 1) * FLAP_MM) / parts
        for side, parts in zip(size_mm, (columns, rows), strict=True)
    )
    tiles = []
    for row in range(rows):
        for column in range(columns):
            has_right, has_below = column < columns - 1, row < rows - 1
            tiles.append(
                Tile(
                    name=_name(row, column),
                    page_mm=page_mm,
                    part_mm=(column * (width - FLAP_MM), row * (height - FLAP_MM), width, height),
                    flap_mm=(FLAP_MM if has_right else 0.0, FLAP_MM if has_below else 0.0),
                    right=_name(row, column + 1) if has_right else "",
                    below=_name(row + 1, column) if has_below else "",
                )
            )
    return tuple(tiles)


def _count_tiles(
    size_mm: tuple[float, float], page_mm: tuple[float, float]
) -> tuple[int, int, int]:
    """Returns how many sheets it takes in all, then below each other, then side by side."""
    columns, rows = (
        max(1, math.ceil((side - FLAP_MM) / (paper - 2 * BOARD_MARGIN_MM - FLAP_MM)))
        for side, paper in zip(size_mm, page_mm, strict=True)
    )
    return rows * columns, rows, columns


def _name(row: int, column: int) -> str:
    return f"{_LETTERS[row]}{column + 1}"


def plan_board(deck: Deck, page: str) -> BoardPrint | None:
    """Returns how a deck's board is printed; None for a game without one.

    Raises:
        DeckError: if its picture cannot be read, or it cannot be printed.
    """
    if deck.board is None:
        return None
    picture = read_picture(deck, deck.read_board_bytes(), f"{deck.board.image} (board)")
    try:
        size_mm = board_size_mm(deck.board, picture.reader.getSize())
        return BoardPrint(picture, size_mm, plan_tiles(size_mm, page))
    except ValueError as error:
        expected = "corners of a board that can be printed"
        raise DeckError(str(deck.path), "board.corners_px", expected, str(error)) from error


def draw_tile(canvas: Canvas, board: BoardPrint, tile: Tile, title: str) -> None:
    """Draws a part of the board on a page of its own."""
    width_mm, height_mm = tile.page_mm
    canvas.setPageSize((width_mm * POINTS_PER_MM, height_mm * POINTS_PER_MM))
    x, y = tile.corner_mm
    left, top, width, height = tile.part_mm
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(*to_points(tile.page_mm, (x, y), (width, height)))
    canvas.clipPath(window, stroke=0, fill=0)
    whole = to_points(tile.page_mm, (x - left, y - top), board.size_mm)
    canvas.drawImage(board.picture.reader, *whole, mask="auto")
    canvas.restoreState()
    _draw_flaps(canvas, tile)
    _draw_corners(canvas, tile)
    flaps = ((tile.right, "right"), (tile.below, "lower"))
    glue = [f"{name} goes onto its {side} flap" for name, side in flaps if name]
    text = ", ".join([f"{title}, board {tile.name}", *glue])
    draw_label(canvas, tile.page_mm[0] / 2, tile.page_mm[0] - 40, f"{text} (100 %)")


def _draw_flaps(canvas: Canvas, tile: Tile) -> None:
    """Hatches the flaps, and draws a broken line where the neighbour's edge comes to lie."""
    x, y = tile.corner_mm
    _, _, width, height = tile.part_mm
    if tile.right:
        start = x + width - tile.flap_mm[0]
        _draw_flap(canvas, tile, (start, y), (tile.flap_mm[0], height), f"glue {tile.right} here")
        _draw_seam(canvas, tile, (start, y - _MARK_MM[1]), (start, y + height + _MARK_MM[1]))
    if tile.below:
        start = y + height - tile.flap_mm[1]
        _draw_flap(canvas, tile, (x, start), (width, tile.flap_mm[1]), f"glue {tile.below} here")
        _draw_seam(canvas, tile, (x - _MARK_MM[1], start), (x + width + _MARK_MM[1], start))


def _draw_flap(
    canvas: Canvas,
    tile: Tile,
    corner_mm: tuple[float, float],
    size_mm: tuple[float, float],
    text: str,
) -> None:
    left, bottom, width, height = to_points(tile.page_mm, corner_mm, size_mm)
    canvas.saveState()
    canvas.setFillGray(1.0)
    canvas.setFillAlpha(0.72)
    canvas.rect(left, bottom, width, height, stroke=0, fill=1)
    canvas.setFillAlpha(1.0)
    canvas.setFillGray(0.3)
    canvas.setFont(FONT, 9)
    canvas.translate(left + width / 2, bottom + height / 2)
    if height > width:
        canvas.rotate(90)
    canvas.drawCentredString(0, -3, text)
    canvas.restoreState()


def _draw_seam(
    canvas: Canvas, tile: Tile, start: tuple[float, float], end: tuple[float, float]
) -> None:
    canvas.saveState()
    canvas.setLineWidth(0.5)
    canvas.setStrokeGray(0.1)
    canvas.setDash(4, 3)
    draw_line(canvas, tile.page_mm, start, end)
    canvas.restoreState()


def _draw_corners(canvas: Canvas, tile: Tile) -> None:
    """Draws the ends of the four cuts into the margins."""
    x, y = tile.corner_mm
    _, _, width, height = tile.part_mm
    near, far = _MARK_MM
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(0.2)
    for edge in (x, x + width):
        draw_line(canvas, tile.page_mm, (edge, y - near), (edge, y - far))
        draw_line(canvas, tile.page_mm, (edge, y + height + near), (edge, y + height + far))
    for edge in (y, y + height):
        draw_line(canvas, tile.page_mm, (x - near, edge), (x - far, edge))
        draw_line(canvas, tile.page_mm, (x + width + near, edge), (x + width + far, edge))
