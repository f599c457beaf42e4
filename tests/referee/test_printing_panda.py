"""The PDF of a Panda deck: its cards as often as they count, chips to cut out, a board in parts."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from referee.decks import Deck, load_deck
from referee.errors import DeckError
from referee.games.panda_gorilla.model import Board, Space
from referee.printing import PAGES, print_deck
from referee.printing_board import (
    BOARD_MARGIN_MM,
    FLAP_MM,
    Tile,
    board_size_mm,
    plan_board,
    plan_tiles,
)
from referee.printing_sheets import plan_sheets
from tests.referee.pdf_pages import drawn_images, page_sizes, page_streams, written_words

POINTS_PER_MM = 72 / 25.4
QUARTERS = "{nw: dark, ne: dark, se: dark, sw: dark}"
BOARD = (
    "{rows: 8, cols: 9, space_mm: 45, entrance: [[0, 4]], signs: [[0, 3]], image: board.png, "
    "corners_px: [[20, 20], [290, 20], [290, 260], [20, 260]]}"
)
CARDS = f"""
  - {{id: p01, kind: path, image: p.png, paths: [n, s], quarters: {QUARTERS}, count: 3}}
  - {{id: back-path, kind: back, image: p.png, of: path}}
  - {{id: chip-red-large, kind: chip, image: round.png, player: red, size: large, mm: [20, 20],
     count: 2}}
  - {{id: chip-red-small, kind: chip, image: square.png, player: red, size: small, mm: [14, 14]}}
"""


def pack(folder: Path, board: str = BOARD) -> Deck:
    """A deck with a board of 465 x 420 mm, a round and a square chip."""
    Image.new("RGB", (210, 210), "green").save(folder / "p.png")
    Image.new("RGB", (310, 280), "brown").save(folder / "board.png")
    Image.new("RGB", (200, 200), "red").save(folder / "square.png")
    disc = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    ImageDraw.Draw(disc).ellipse((0, 0, 199, 199), fill=(255, 0, 0, 255))
    disc.save(folder / "round.png")
    head = "format: 1\ngame: panda-gorilla\nname: P\ncard_mm: [44, 44]\n"
    (folder / "deck.yaml").write_text(f"{head}board: {board}\ncards:{CARDS}", encoding="utf-8")
    return load_deck(folder)


def board_of(corners: tuple[tuple[float, float], ...]) -> Board:
    return Board(8, 9, (Space(0, 4),), (), 45.0, "board.png", corners)


def flat(tiles: tuple[Tile, ...]) -> dict[str, Tile]:
    return {tile.name: tile for tile in tiles}


def test_cards_are_printed_as_often_as_they_count_and_chips_share_sheets(tmp_path: Path) -> None:
    sheets = plan_sheets(pack(tmp_path), "A4")
    assert [[face and face.id for face in sheet.faces] for sheet in sheets] == [
        ["p01"] * 3,
        ["back-path"] * 3,
        ["chip-red-large", "chip-red-large", "chip-red-small"],
        ["chip-red-large", "chip-red-large", "chip-red-small"],
    ]
    assert [sheet.is_chips for sheet in sheets] == [False, False, True, True]


@pytest.mark.parametrize("page", PAGES)
def test_chips_of_all_sizes_have_their_backs_behind_them(tmp_path: Path, page: str) -> None:
    front, back = (sheet for sheet in plan_sheets(pack(tmp_path), page) if sheet.is_chips)
    assert front.grid.card_mm == (20, 20)
    for place, face in enumerate(front.faces):
        assert face is not None
        x, y = front.grid.corner_mm(place, face.size_mm, is_back=False)
        back_x, back_y = back.grid.corner_mm(place, face.size_mm, is_back=True)
        assert back_x == pytest.approx(PAGES[page][0] - x - face.size_mm[0])
        assert back_y == y


def test_chips_are_drawn_in_their_real_size_with_a_line_to_cut_along(tmp_path: Path) -> None:
    print_deck(pack(tmp_path), tmp_path / "out.pdf")
    front, back = page_streams(tmp_path / "out.pdf")[2:4]
    sizes = [width / POINTS_PER_MM for width, _, _, _ in drawn_images(front)]
    assert sizes == pytest.approx([20, 20, 14], abs=0.01)
    assert drawn_images(back)[0][:2] == drawn_images(front)[0][:2]
    assert len(re.findall(r" c\s+(?:h\s+)?S\b", front)) == 2  # the round ones
    assert re.search(r"re S", front)  # the square one
    assert not re.search(r"\sS\s", back)  # what is cut is seen from the front only


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "size_mm", [(150.0, 120.0), (465.0, 420.0), (900.0, 300.0), (190.0, 277.0), (200.1, 90.0)]
)
def test_parts_of_the_board_cover_it_and_share_their_flaps(
    page: str, size_mm: tuple[float, float]
) -> None:
    tiles = flat(plan_tiles(size_mm, page))
    right = max(tile.part_mm[0] + tile.part_mm[2] for tile in tiles.values())
    low = max(tile.part_mm[1] + tile.part_mm[3] for tile in tiles.values())
    assert (right, low) == pytest.approx(size_mm)
    assert min(tile.part_mm[:2] for tile in tiles.values()) == (0, 0)
    for tile in tiles.values():
        left, top, width, height = tile.part_mm
        for side, paper in zip((width, height), tile.page_mm, strict=True):
            assert side <= paper - 2 * BOARD_MARGIN_MM + 1e-9
        assert bool(tile.right) == (left + width < size_mm[0] - 1e-6) == (tile.flap_mm[0] > 0)
        assert bool(tile.below) == (top + height < size_mm[1] - 1e-6) == (tile.flap_mm[1] > 0)
        if tile.right:
            assert tiles[tile.right].part_mm[0] == pytest.approx(left + width - FLAP_MM)
            assert tiles[tile.right].part_mm[1] == top
        if tile.below:
            assert tiles[tile.below].part_mm[1] == pytest.approx(top + height - FLAP_MM)
            assert tiles[tile.below].part_mm[0] == left


def test_paper_is_turned_where_that_saves_sheets() -> None:
    wide = plan_tiles((270.0, 180.0), "A4")
    assert [tile.page_mm for tile in wide] == [(297.0, 210.0)]
    tall = plan_tiles((180.0, 270.0), "A4")
    assert [tile.page_mm for tile in tall] == [(210.0, 297.0)]


@pytest.mark.parametrize(("page", "count"), [("A4", 6), ("Letter", 6)])
def test_board_of_the_usual_size_takes_six_sheets(page: str, count: int) -> None:
    assert [tile.name for tile in plan_tiles((465.0, 420.0), page)] == [
        "A1", "A2", "A3", "B1", "B2", "B3",
    ][:count]  # fmt: skip


def test_board_size_follows_from_its_grid() -> None:
    corners = ((20.0, 20.0), (290.0, 20.0), (290.0, 260.0), (20.0, 260.0))
    assert board_size_mm(board_of(corners), (310, 280)) == pytest.approx((465, 420))
    turned = tuple((y, 310 - x) for x, y in corners)  # the picture lies on its side
    assert board_size_mm(board_of(turned), (280, 310)) == pytest.approx((420, 465))


@pytest.mark.parametrize(
    "corners", [(), ((5.0, 5.0),) * 4], ids=["a question's board", "no extent"]
)
def test_board_without_an_extent_has_no_size(corners: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="corners_px"):
        board_size_mm(board_of(corners), (310, 280))


@pytest.mark.parametrize("corner", ["[20, 20]", "[289.5, 20]"])
def test_board_that_cannot_be_printed_is_refused_by_name(tmp_path: Path, corner: str) -> None:
    """All corners in one place, or a grid so small in the picture that the board is a field."""
    corners = f"corners_px: [{corner}, [290, 20], [290, 20.2], {corner}]"
    if corner == "[20, 20]":
        corners = f"corners_px: [{', '.join([corner] * 4)}]"
    deck = pack(tmp_path, re.sub(r"corners_px: .*\]\]", corners, BOARD))
    with pytest.raises(DeckError, match=r"board\.corners_px"):
        plan_board(deck, "A4")


def test_board_picture_that_is_none_is_named(tmp_path: Path) -> None:
    deck = pack(tmp_path)
    (tmp_path / "board.png").write_bytes(b"no picture")
    with pytest.raises(DeckError, match=r"board\.png \(board\).*PNG or JPEG"):
        print_deck(deck, tmp_path / "out.pdf")


def test_pdf_draws_the_board_in_its_real_size_and_says_what_is_glued_where(
    tmp_path: Path,
) -> None:
    deck = pack(tmp_path)
    print_deck(deck, tmp_path / "out.pdf", duplex=False)
    board = plan_board(deck, "A4")
    assert board is not None
    parts = page_streams(tmp_path / "out.pdf")[2:]
    assert len(parts) == len(board.tiles) == 6
    for stream, tile in zip(parts, board.tiles, strict=True):
        (width, height, left, bottom), = whole_images(stream)  # fmt: skip
        assert (width, height) == pytest.approx((465 * POINTS_PER_MM, 420 * POINTS_PER_MM), abs=0.1)
        x, y = tile.corner_mm
        assert left / POINTS_PER_MM == pytest.approx(x - tile.part_mm[0], abs=0.01)
        top = tile.page_mm[1] - (bottom + height) / POINTS_PER_MM
        assert top == pytest.approx(y - tile.part_mm[1], abs=0.01)
        words = written_words(stream)
        for name in (tile.right, tile.below):
            assert (f"glue {name} here" in words) == bool(name)
        assert any(f"board {tile.name}" in line for line in words)


def whole_images(stream: str) -> list[tuple[float, ...]]:
    """As `drawn_images`, also for pictures that begin beyond the page."""
    rows = re.findall(r"([\d.]+) 0 0 ([\d.]+) (-?[\d.]+) (-?[\d.]+) cm\s+/\S+ Do", stream)
    return [tuple(map(float, row)) for row in rows]


def test_nothing_is_printed_behind_a_part_of_the_board(tmp_path: Path) -> None:
    print_deck(pack(tmp_path), tmp_path / "two.pdf", duplex=True)
    print_deck(pack(tmp_path), tmp_path / "one.pdf", duplex=False)
    one, two = (page_sizes(tmp_path / f"{name}.pdf") for name in ("one", "two"))
    assert len(one) == 2 + 6
    assert len(two) == 2 * len(one)
    used = [bool(whole_images(stream)) for stream in page_streams(tmp_path / "two.pdf")]
    assert used == [True] * 4 + [True, False] * 6


def test_the_boards_picture_is_in_the_file_once(tmp_path: Path) -> None:
    print_deck(pack(tmp_path), tmp_path / "out.pdf", duplex=False)
    assert (tmp_path / "out.pdf").read_bytes().count(b"/Width 310") == 1


def test_our_own_packs_are_printed() -> None:
    decks = Path(__file__).parents[2] / "datasets" / "decks"
    for game, count in (("panda-gorilla", 5 + 6), ("exploring-galapagos", 2)):
        deck = load_deck(decks / game)
        board = plan_board(deck, "A4")
        tiles = () if board is None else board.tiles
        assert len(plan_sheets(deck, "A4", duplex=False)) + len(tiles) == count
        if board is not None:
            assert all(math.isclose(side, expected) for side, expected in
                       zip(board.size_mm, (469, 424), strict=True))  # fmt: skip
