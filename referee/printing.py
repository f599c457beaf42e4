"""A deck as a PDF to print, cut out and play with.

First come the sheets of cards and chips, printed on both sides (`referee.printing_sheets`), then
the board of a game that has one, in parts to be glued together (`referee.printing_board`).
"""

from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from referee.decks import Deck
from referee.printing_board import draw_tile, plan_board
from referee.printing_faces import Pictures, draw_sheet
from referee.printing_paper import PAGES, POINTS_PER_MM
from referee.printing_sheets import plan_sheets

__all__ = ["PAGES", "print_deck"]


def print_deck(deck: Deck, out: Path, page: str = "A4", *, duplex: bool = True) -> None:
    """Writes a deck as a PDF.

    Args:
        deck: The deck; a card is printed as often as its `count` says.
        out: The file to write.
        page: Name of the paper, one of `PAGES`.
        duplex: Whether every page of faces is followed by the page of their backs, and every part
            of the board by a white page, so that nothing is printed behind it.

    Raises:
        DeckError: if a picture cannot be read, or a card is larger than the page.
    """
    sheets = plan_sheets(deck, page, duplex=duplex)
    board = plan_board(deck, page)
    tiles = () if board is None else board.tiles
    total = len(sheets) + len(tiles)
    width_mm, height_mm = PAGES[page]
    size_pt = (width_mm * POINTS_PER_MM, height_mm * POINTS_PER_MM)
    canvas = Canvas(str(out), pagesize=size_pt, invariant=1)
    canvas.setTitle(deck.name)
    pictures = Pictures(deck)
    for number, sheet in enumerate(sheets, 1):
        draw_sheet(canvas, sheet, pictures, f"{deck.name}, {number} of {total}")
        canvas.showPage()
    if board is not None:
        for number, tile in enumerate(tiles, len(sheets) + 1):
            draw_tile(canvas, board, tile, f"{deck.name}, {number} of {total}")
            canvas.showPage()
            if duplex:
                canvas.showPage()
    canvas.save()
