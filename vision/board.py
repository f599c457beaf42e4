"""A printed board: registration, cells, tiles, chips.

The board is found by its own picture and laid flat; chips are found first, for they hide the cards
beneath them; then each space is read, and what is left unexplained there decides on chips that
were seen badly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.board_chips import SURE_SHARE, ChipLook, ChipReader
from vision.board_cover import judge_beneath, seen_beneath
from vision.board_joining import settle
from vision.board_looks import EVEN_LIGHT, Lying, SpaceLook, quarter_of
from vision.board_obscure import find_obscure, is_taken, unexplained_places
from vision.board_print import BoardPrint, PrintedFace, of_kind
from vision.board_registration import BoardFinder, Registration
from vision.board_sight import Sight
from vision.board_spaces import SpaceReader
from vision.board_view import BoardView, FlatBoard
from vision.errors import NoTableError
from vision.slots import to_quad
from vision.table import (
    BoardReading,
    ChipReading,
    ObscureReading,
    Point,
    Quad,
    SpaceReading,
    SpaceState,
)

_CHIP_SHADE = 1.12
"""A chip's shadow hides a little more than the chip."""
_CHIP_BETTER, _CHIP_SHARE = 0.5, 0.8
"""A chip seen badly counts where it leaves less than this share of the error that the card does,
and no more of the picture unexplained."""
_LEAST_EXPLAINED = 0.32
"""Where fewer of a space's pixels agree with any reading, something else lies over it."""
_BARE_EXPLAINED, _BARE_MARGIN = 0.7, 3.0
"""The bare board is even but for its entrance and signs: light fitted to it can explain away much
of what lies there, so more is asked of it."""
_WHOLLY_VISIBLE, _LEAST_VISIBLE = 0.9, 0.3
"""Something lies over a space of which less is like some card; below the second it hides it."""
_CLOSE = 1.2
"""A second reading that is less than this many times as wrong, where the two differ, is a doubt."""
_WELL_EXPLAINED, _SURE_MARGIN = 0.7, 2.0
_AGAIN, _BETTER = 2, 0.05
"""How often badly lit spaces are looked at anew, and how much more must then be explained."""
_CLOSE_CHIP, _CLOSE_FAINT, _FAINT = 1.02, 1.1, 0.6
"""The same for chips; of one that leaves much of the picture open more is asked."""
_BETWEEN_MM = 1.5
"""A chip's middle nearer than this to the border of its quarter may be meant for the next one."""


class BoardReader:
    """Reads pictures of one board, with the cards and chips of one deck upon it."""

    def __init__(self, board: BoardPrint, faces: Sequence[PrintedFace]) -> None:
        self.board = board
        self.finder = BoardFinder(board)
        self._spaces = SpaceReader(board, of_kind(faces, "path", "back"))
        self._chips = ChipReader(of_kind(faces, "chip"), board.space_mm)
        self._sameness = {face.id: face.sameness for face in faces}

    def meaning(self, space: SpaceReading) -> str:
        """What a space's reading means: the same for readings between which nobody has to tell."""
        if space.face_id is None:
            return ""
        return self._sameness[space.face_id][space.rotation // 90]

    def find(
        self, image_bgr: NDArray[np.uint8], corners_px: Sequence[Point] | None = None
    ) -> Registration:
        """Where the board lies in a picture.

        Args:
            image_bgr: (H, W, 3) uint8.
            corners_px: The grid's NW, NE, SE, SW corner, where a person has shown them.

        Raises:
            NoTableError: No board is seen.
        """
        if corners_px is not None:
            return self.finder.place(image_bgr, np.array(corners_px, np.float64))
        found = self.finder.find(image_bgr)
        if found is None:
            raise NoTableError(
                "expected the board of this deck, its printed border in view, and found none; "
                "where only its spaces are in view, show their four corners with --corners"
            )
        return found

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        place: Registration,
        timestamp_s: float = 0.0,
        spaces: Collection[tuple[int, int]] | None = None,
    ) -> BoardReading:
        """What lies on the board, or on some of its spaces: they alone cost time.

        Args:
            image_bgr: (H, W, 3) uint8.
            place: Where the board lies in it.
            timestamp_s: The picture's time in its recording.
            spaces: Rows and columns of those to read; all by default.
        """
        asked = (
            sorted(spaces)
            if spaces is not None
            else list(np.ndindex(self.board.rows, self.board.cols))
        )
        size = (self.board.cols, self.board.rows)
        sight = Sight.of(image_bgr, place, size, asked)
        found, looks = self._look(sight, asked)
        found, looks = self._look_again(sight, found, looks)
        looks = self._look_beneath(sight, found, looks)
        looks = {(look.row, look.col): look for look in settle(list(looks.values()), _CLOSE)}
        height, width = image_bgr.shape[:2]
        return BoardReading(
            timestamp_s=timestamp_s,
            width_px=width,
            height_px=height,
            rows=self.board.rows,
            cols=self.board.cols,
            spaces=tuple(self._space_reading(look, place.view) for look in looks.values()),
            chips=tuple(self._chip_reading(chip, looks, place.view) for chip in _in_order(found)),
            obscure=tuple(self._obscure(list(looks.values()), found, place.view)),
        )

    def _look_again(
        self, sight: Sight, found: list[ChipLook], looks: dict[tuple[int, int], SpaceLook]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The same, spaces in shade or glare read by the light that was seen around them."""
        for _ in range(_AGAIN):
            dim = [space for space, look in looks.items() if self._is_dim(look)]
            lit = {space: look for space, look in looks.items() if _is_landmark(look)}
            if not dim or not lit:
                break
            sight = sight.lit(list(lit.values()))
            looks |= {space: replace(look, light=EVEN_LIGHT) for space, look in lit.items()}
            better, again = self._look(sight, dim)
            changed = {
                space: look
                for space, look in again.items()
                if look.explained > looks[space].explained + _BETTER
            }
            if not changed:
                break
            looks |= changed
            found = [chip for chip in found if self._space_under(chip) not in changed]
            # A chip across a border may have been read with the space beside already.
            found += [
                chip
                for chip in better
                if self._space_under(chip) in changed
                and not is_taken(self._chips, chip.centre, found)
            ]
        return found, looks

    def _look_beneath(
        self, sight: Sight, found: list[ChipLook], looks: dict[tuple[int, int], SpaceLook]
    ) -> dict[tuple[int, int], SpaceLook]:
        """The same, spaces that something lies over read by what it leaves in sight."""
        poor = [look for look in looks.values() if self._is_dim(look)]
        if not poor:
            return looks
        lit = [look for look in looks.values() if _is_landmark(look)]
        light = sight.lit(lit).light if lit else sight.light
        cover = self._spaces.cover(light, sight.flat, poor)
        under = {(look.row, look.col): seen_beneath(cover, sight.flat, look) for look in poor}
        worth = [
            space
            for space, look in under.items()
            if _LEAST_VISIBLE < look.visible < _WHOLLY_VISIBLE
        ]
        free = self._beside(np.where(cover, np.float32(0), sight.free), sight.flat, found)
        chipped = {self._space_under(chip) for chip in found}
        again = self._spaces.look(light, free, sight.flat, chipped, worth)
        better = {(look.row, look.col): look for look in again}
        return looks | {
            space: judge_beneath(under[space], look, _CLOSE)
            for space, look in better.items()
            if look.explained > looks[space].explained
        }

    def _look(
        self, sight: Sight, asked: Sequence[tuple[int, int]]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The chips on some spaces, and the spaces."""
        flat, free = sight.flat, sight.free
        (top, left), (bottom, right) = np.min(asked, axis=0), np.max(asked, axis=0) + 1
        part = (int(left), int(top), int(right), int(bottom))
        chips = self._chips.look(sight.near_light, sight.near, part)
        found = [chip for chip in chips if chip.cost < SURE_SHARE]
        chipped = {self._space_under(chip) for chip in found}
        beside = self._beside(free, flat, found)
        seen = self._spaces.look(sight.light, beside, flat, chipped, asked)
        looks = {(look.row, look.col): look for look in seen}
        # Chips that look like what they lie on show where the card read does not explain them.
        places = unexplained_places(self._chips, seen, found)
        places += [chip.centre for chip in chips if chip.cost >= SURE_SHARE]
        near = self._chips.look_near(sight.near_light, sight.near, places)
        more = self._explaining(near, looks, found)
        if more:
            found += more
            changed = {self._space_under(chip) for chip in more}
            again = self._spaces.look(
                sight.light, self._beside(free, flat, found), flat, chipped | changed, changed
            )
            looks |= {(look.row, look.col): look for look in again}
        return [chip for chip in found if self._space_under(chip) in looks], looks

    def _is_dim(self, look: SpaceLook) -> bool:
        """Whether light may be what keeps a space from being read."""
        if look.best is None:
            return False
        is_strange = look.explained < _WELL_EXPLAINED and not self._is_print(look)
        return is_strange or look.margin < _CLOSE

    def _is_print(self, look: SpaceLook) -> bool:
        """Whether what is read is the board, where more than sand is printed on it."""
        is_bare = look.best is not None and look.best.face is None
        return is_bare and (look.row, look.col) not in self._spaces.even

    def _beside(
        self, free: NDArray[np.float32], flat: FlatBoard, chips: Sequence[ChipLook]
    ) -> NDArray[np.float32]:
        """How much pixels count, nothing under the chips."""
        out = free.copy()
        for chip in chips:
            middle = flat.pixel_of(np.array([chip.centre]))[0]
            radius = self._chips.radius(chip) * flat.scale_px * _CHIP_SHADE
            low = np.maximum(np.floor(middle - radius), 0).astype(int)
            high = np.ceil(middle + radius).astype(int) + 1
            part = out[low[1] : high[1], low[0] : high[0]]
            y, x = np.mgrid[low[1] : low[1] + part.shape[0], low[0] : low[0] + part.shape[1]]
            part[np.hypot(x - middle[0], y - middle[1]) < radius] = 0
        return out

    def _obscure(
        self, looks: Sequence[SpaceLook], found: Sequence[ChipLook], view: BoardView
    ) -> Iterator[ObscureReading]:
        for each in find_obscure(self._chips, looks, found, _LEAST_EXPLAINED):
            row, col = each.look.row, each.look.col
            quad = self._quad(view, each.centre, (each.size, each.size), 0.0)
            yield ObscureReading(row, col, each.quarter, each.score, quad)

    def _explaining(
        self,
        chips: Sequence[ChipLook],
        looks: Mapping[tuple[int, int], SpaceLook],
        found: Sequence[ChipLook],
    ) -> list[ChipLook]:
        """Chips seen badly that say more about their place than the card does."""
        explaining = []
        for chip in chips:
            if is_taken(self._chips, chip.centre, found):
                continue
            look = looks.get(self._space_under(chip))
            if look is None:
                continue
            error = look.error_within(chip.centre, self._chips.radius(chip))
            if chip.cost < _CHIP_SHARE and chip.error < _CHIP_BETTER * error:
                explaining.append(chip)
        return explaining

    def _space_under(self, chip: ChipLook) -> tuple[int, int]:
        col = int(np.clip(chip.centre[0], 0, self.board.cols - 1))
        row = int(np.clip(chip.centre[1], 0, self.board.rows - 1))
        return row, col

    def _space_reading(self, look: SpaceLook, view: BoardView) -> SpaceReading:
        home = (look.col + 0.5, look.row + 0.5)
        best, rival = look.best, look.rival
        if best is None or rival is None:
            quad = self._quad(view, home, (1.0, 1.0), 0.0)
            return SpaceReading(look.row, look.col, SpaceState.UNSEEN, 1 - look.shown, quad)
        state, score = _judge(look, best, is_print=self._is_print(look))
        if best.face is None or state is SpaceState.UNSEEN:
            quad = self._quad(view, home, (1.0, 1.0), 0.0)
        else:
            size = best.face.size_mm
            spaces = (size[0] / self.board.space_mm, size[1] / self.board.space_mm)
            quad = self._quad(view, look.centre, spaces, best.rotation + look.turn_deg)
        face = best.face
        return SpaceReading(
            row=look.row,
            col=look.col,
            state=state,
            score=score,
            quad_px=quad,
            face_id=None if face is None else face.id,
            face_kind=None if face is None else face.kind,
            rotation=best.rotation,
            runner_up=None if rival.face is None else (rival.face.id, rival.rotation),
            explained=look.explained * look.visible,
        )

    def _chip_reading(
        self, chip: ChipLook, looks: Mapping[tuple[int, int], SpaceLook], view: BoardView
    ) -> ChipReading:
        look = looks[self._space_under(chip)]
        east, south = chip.centre[0] - look.centre[0], chip.centre[1] - look.centre[1]
        quarter = quarter_of(east, south)
        edge = min(abs(east), abs(south)) * self.board.space_mm
        diameter = 2 * self._chips.radius(chip)
        margin = chip.rival_cost / max(chip.cost, 1e-6)
        is_close = margin < (_CLOSE_CHIP if chip.cost < _FAINT else _CLOSE_FAINT)
        return ChipReading(
            row=look.row,
            col=look.col,
            quarter=quarter,
            face_id=chip.face.id,
            score=_sureness(margin, _CLOSE_CHIP),
            quad_px=self._quad(view, chip.centre, (diameter, diameter), chip.turn_deg),
            runner_up=chip.rival.id if is_close and chip.rival is not None else None,
            is_between=edge < _BETWEEN_MM,
        )

    @staticmethod
    def _quad(
        view: BoardView, centre: tuple[float, float], size: tuple[float, float], turn_deg: float
    ) -> Quad:
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
        cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
        turned = half @ np.array([[cos, sin], [-sin, cos]]) + np.array(centre)
        return to_quad(view.in_picture(turned))


def _is_landmark(look: SpaceLook) -> bool:
    """Whether a card is read so well that it says how the light is there."""
    is_card = look.best is not None and look.best.face is not None
    return is_card and look.explained > _WELL_EXPLAINED and look.margin > _SURE_MARGIN


def _judge(look: SpaceLook, best: Lying, *, is_print: bool) -> tuple[SpaceState, float]:
    seen = look.explained * look.visible
    if seen < _LEAST_EXPLAINED:
        return SpaceState.UNSEEN, 1 - seen
    score = _sureness(look.margin, _CLOSE)
    if look.margin < _CLOSE:
        return SpaceState.DOUBTFUL, score
    is_fitted_only = look.margin < _BARE_MARGIN and look.explained < _BARE_EXPLAINED
    if best.face is None and is_fitted_only and not is_print:
        return SpaceState.DOUBTFUL, min(score, look.explained)
    state = SpaceState.EMPTY if best.face is None else SpaceState.COVERED
    return state, score


def _sureness(margin: float, close: float) -> float:
    """0 where the next reading is as good, 0.5 where a doubt begins, towards 1."""
    return float(1 - np.exp(-(margin - 1) / (close - 1) * np.log(2)))


def _in_order(chips: Sequence[ChipLook]) -> list[ChipLook]:
    return sorted(chips, key=lambda chip: (int(chip.centre[1]), int(chip.centre[0]), chip.centre))
