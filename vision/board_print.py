"""What is known of a board before a picture of it is seen: its print, and the faces laid on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_view import FlatBoard, Points, project
from vision.errors import GalleryError
from vision.faces import FaceSource, decode_picture

_TURNS = 4


@dataclass(frozen=True, slots=True)
class BoardSource:
    """A board's picture as it lies in a deck pack.

    Attributes:
        data: Bytes of a PNG or JPEG file.
        rows: Number of rows of spaces.
        cols: Number of columns.
        space_mm: Side of a space.
        corners_px: The grid's outer NW, NE, SE, SW corner in that picture.
    """

    data: bytes
    rows: int
    cols: int
    space_mm: float
    corners_px: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardPrint:
    """A board's print.

    Attributes:
        image_bgr: (H, W, 3) uint8 picture of the board.
        from_spaces: (3, 3) homography from spaces to its pixels.
        rows: Number of rows of spaces.
        cols: Number of columns.
        space_mm: Side of a space.
    """

    image_bgr: NDArray[np.uint8]
    from_spaces: NDArray[np.float64]
    rows: int
    cols: int
    space_mm: float

    @property
    def grid(self) -> Points:
        """(4, 2) the grid's outer NW, NE, SE, SW corner, in spaces."""
        return np.array(
            [[0, 0], [self.cols, 0], [self.cols, self.rows], [0, self.rows]], np.float64
        )

    @property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the printed board in spaces."""
        height, width = self.image_bgr.shape[:2]
        ends = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
        points = project(np.asarray(np.linalg.inv(self.from_spaces)), ends)
        (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def flat(self, scale_px: int) -> FlatBoard:
        """The print at this many pixels a space."""
        left, top, right, bottom = self.window
        wide, high = round((right - left) * scale_px), round((bottom - top) * scale_px)
        to_spaces = np.array([[1 / scale_px, 0, left], [0, 1 / scale_px, top], [0, 0, 1.0]])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        matrix = self.from_spaces @ to_spaces @ half
        height, width = self.image_bgr.shape[:2]
        shrink = max(1.0, width / wide)
        small = cv2.resize(
            self.image_bgr,
            (round(width / shrink), round(height / shrink)),
            interpolation=cv2.INTER_AREA,
        )
        # Both pictures count from the middle of their first pixel.
        ratio_x, ratio_y = small.shape[1] / width, small.shape[0] / height
        shrunk = np.array(
            [[ratio_x, 0, ratio_x / 2 - 0.5], [0, ratio_y, ratio_y / 2 - 0.5], [0, 0, 1]]
        )
        laid = cv2.warpPerspective(
            small, shrunk @ matrix, (wide, high), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        inside = np.ones((high, wide), np.bool_)
        return FlatBoard(np.asarray(laid, np.uint8), inside, (left, top), scale_px)


@dataclass(frozen=True, slots=True)
class Joins:
    """What of a face goes on beyond its edge, as words that mean something to the deck alone.

    Attributes:
        sides: Of its north, east, south and west side; two faces join where theirs are equal.
        corners: Of its NW, NE, SE and SW corner; faces join where those that meet are equal.
    """

    sides: tuple[str, str, str, str]
    corners: tuple[str, str, str, str]


@dataclass(frozen=True, slots=True, eq=False)
class PrintedFace:
    """A face that may lie on a board, as its picture shows it.

    Attributes:
        id: The deck's id.
        kind: path, back or chip.
        image: (H, W, 4) uint8 BGR and alpha.
        size_mm: Width and height.
        sameness: In each of the four rotations, a word that is shared by all that mean the same:
            crossing paths on one lawn look alike but for a flower, whichever way they lie.
        joins: In each of the four rotations, what goes on beyond its edge; empty where nothing.
    """

    id: str
    kind: str
    image: NDArray[np.uint8]
    size_mm: tuple[float, float]
    sameness: tuple[str, str, str, str]
    joins: tuple[Joins, ...] = ()


def read_board_print(source: BoardSource) -> BoardPrint:
    """Decodes a board's picture.

    Raises:
        GalleryError: The bytes are no picture, or the corners are no quadrilateral in it.
    """
    data = np.frombuffer(source.data, np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    if image is None:
        raise GalleryError("picture of the board: expected PNG or JPEG, got other data")
    corners = np.array(source.corners_px, np.float32)
    if corners.shape != (4, 2) or cv2.contourArea(corners, True) <= 0:
        raise GalleryError(
            "corners_px of the board: expected the grid's NW, NE, SE and SW corner in its picture, "
            f"clockwise, got {source.corners_px}"
        )
    cols, rows = source.cols, source.rows
    grid = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    # A corner at x lies between the pixels x - 1 and x.
    matrix = cv2.getPerspectiveTransform(grid, corners - np.float32(0.5))
    return BoardPrint(
        np.asarray(image, np.uint8), np.asarray(matrix, np.float64), rows, cols, source.space_mm
    )


def decode_face(
    source: FaceSource,
    sameness: tuple[str, str, str, str] | None = None,
    joins: tuple[Joins, ...] = (),
) -> PrintedFace:
    """Decodes a face's picture.

    Args:
        source: The face as it lies in the deck pack.
        sameness: As `PrintedFace.sameness`; by default every rotation means something of its own.
        joins: As `PrintedFace.joins`.

    Raises:
        GalleryError: The bytes are no picture.
    """
    pixels = decode_picture(source)
    if pixels.shape[2] == 3:
        pixels = np.dstack([pixels, np.full(pixels.shape[:2], 255, pixels.dtype)])
    north, east, south, west = (f"{source.id} {90 * turn}" for turn in range(_TURNS))
    words = sameness or (north, east, south, west)
    return PrintedFace(source.id, source.kind, pixels, source.size_mm, words, joins)


def of_kind(faces: Sequence[PrintedFace], *kinds: str) -> tuple[PrintedFace, ...]:
    """The faces of some kinds."""
    return tuple(face for face in faces if face.kind in kinds)
