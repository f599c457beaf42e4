"""The pictures of a deck pack in full: faces as BGRA, the board flattened to millimetres."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.art.paint import Image
from datasets.items import Points
from referee.decks import Deck, DeckCard
from referee.errors import DeckError


def read_face(deck: Deck, card: DeckCard) -> Image:
    """Reads the picture of a card as BGRA.

    Raises:
        DeckError: if it is no picture.
    """
    return _decode(deck, deck.read_image_bytes(card), card.image)


@dataclass(frozen=True, slots=True, eq=False)
class BoardArt:
    """A board's picture, scaled so that its grid is in proportion.

    Attributes:
        art: BGRA.
        px_per_mm: Its scale.
        grid_px: Place of the grid's north-west corner in it.
    """

    art: Image
    px_per_mm: float
    grid_px: tuple[float, float]

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the whole board."""
        height, width = self.art.shape[:2]
        return width / self.px_per_mm, height / self.px_per_mm

    @property
    def grid_mm(self) -> tuple[float, float]:
        """From the middle of the board to the north-west corner of its grid."""
        width, height = self.size_mm
        return self.grid_px[0] / self.px_per_mm - width / 2, (
            self.grid_px[1] / self.px_per_mm - height / 2
        )


def read_board(deck: Deck) -> BoardArt:
    """Reads a deck's board; a picture whose grid is no upright rectangle is made one.

    Raises:
        DeckError: if the deck has no board, or it is no picture.
    """
    data, board = deck.read_board_bytes(), deck.board
    if board is None or board.space_mm is None:
        raise DeckError(str(deck.path), "board", "a board with a picture", "none")
    picture = _decode(deck, data, str(board.image))
    corners = np.asarray(board.corners_px, np.float32)
    width_mm, height_mm = board.cols * board.space_mm, board.rows * board.space_mm
    scale = float(np.hypot(*(corners[1] - corners[0]))) / width_mm
    grid = np.asarray(
        [[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], np.float32
    ) * np.float32(scale)
    flatten = cv2.getPerspectiveTransform(corners, grid)
    outline = _outline(picture)[None].astype(np.float32)
    moved = np.asarray(cv2.perspectiveTransform(outline, flatten)[0], np.float64)
    low, high = moved.min(0), moved.max(0)
    shift = np.asarray([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]], np.float64)
    size = (round(float(high[0] - low[0])), round(float(high[1] - low[1])))
    art = cv2.warpPerspective(picture, shift @ flatten, size, flags=cv2.INTER_LINEAR)
    return BoardArt(np.asarray(art, np.uint8), scale, (float(-low[0]), float(-low[1])))


def _outline(picture: Image) -> Points:
    height, width = picture.shape[:2]
    return np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def _decode(deck: Deck, data: bytes, name: str) -> Image:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise DeckError(str(deck.path), name, "a PNG or JPEG picture", "another file")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return np.asarray(picture, np.uint8)
