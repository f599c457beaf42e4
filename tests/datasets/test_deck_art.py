"""A deck's pictures in full: faces with an opacity, boards with an upright grid."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.art.build_deck import DEFAULT_OUT
from datasets.deck_art import read_board, read_face
from referee.decks import Deck, load_deck
from referee.errors import DeckError

GRID = [[60, 40], [420, 100], [400, 420], [90, 380]]
"""The corners of a grid of 2 x 2 spaces in a board's picture that was taken from one side."""


def pack(folder: Path) -> Deck:
    board = np.full((480, 480, 3), 90, np.uint8)
    flat = np.float32([[0, 0], [200, 0], [200, 200], [0, 200]])
    move = cv2.getPerspectiveTransform(flat, np.float32(GRID))
    grid = np.zeros((200, 200, 3), np.uint8)
    grid[:100, :100], grid[:100, 100:], grid[100:, 100:], grid[100:, :100] = (
        (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255),
    )  # fmt: skip
    cv2.warpPerspective(grid, move, (480, 480), board, borderMode=cv2.BORDER_TRANSPARENT)
    cv2.imwrite(str(folder / "board.png"), board)
    cv2.imwrite(str(folder / "p.png"), np.full((200, 200), 120, np.uint8))
    (folder / "deck.yaml").write_text(
        "format: 1\ngame: panda-gorilla\nname: P\ncard_mm: [44, 44]\nboard: {rows: 2, cols: 2, "
        f"space_mm: 50, entrance: [[0, 0]], signs: [[0, 1]], image: board.png, corners_px: {GRID}}}"
        "\ncards:\n  - {id: p01, kind: path, image: p.png, paths: [n, s], "
        "quarters: {nw: dark, ne: dark, se: dark, sw: dark}}\n"
    )
    return load_deck(folder)


def test_grey_pictures_become_colour_with_opacity(tmp_path: Path) -> None:
    deck = pack(tmp_path)
    face = read_face(deck, deck.cards[0])
    assert face.shape == (200, 200, 4)
    assert face[100, 100].tolist() == [120, 120, 120, 255]


def test_a_slanted_board_is_set_upright(tmp_path: Path) -> None:
    board = read_board(pack(tmp_path))
    x, y = board.grid_px
    side = 50 * board.px_per_mm
    for row, col, tone in ((0, 0, (255, 0, 0)), (0, 1, (0, 255, 0)), (1, 1, (0, 0, 255))):
        for dx in (0.15, 0.85):
            for dy in (0.15, 0.85):
                pixel = board.art[round(y + (row + dy) * side), round(x + (col + dx) * side)]
                assert pixel[:3].tolist() == pytest.approx(tone, abs=40)


def test_our_board_keeps_its_size() -> None:
    board = read_board(load_deck(DEFAULT_OUT / "panda-gorilla"))
    assert board.size_mm == pytest.approx((469, 424), abs=0.3)
    assert board.grid_mm == pytest.approx((-202.5, -180), abs=0.3)


def test_a_deck_without_a_board_has_none() -> None:
    with pytest.raises(DeckError, match="board"):
        read_board(load_deck(DEFAULT_OUT / "exploring-galapagos"))
