"""A printed board: registration, cells, tiles, chips.

The board is found by its own picture and laid flat; chips are found first, for they hide the cards
beneath them; then each space is read, and what is left unexplained there decides on chips that
were seen badly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import ChipLook
from vision.board_chips import SURE_SHARE, ChipReader
from vision.board_chips_beneath import BeneathReader
from vision.board_cover import judge_beneath, means_alike, seen_beneath, with_rim
from vision.board_glare import DAZZLED, GlareReader, dazzled
from vision.board_joining import settle
from vision.board_looks import EVEN_LIGHT, SpaceLook
from vision.board_obscure import find_obscure
from vision.board_print import BoardPrint, PrintedFace, of_kind
from vision.board_readings import (
    BARE_MARGIN,
    CLOSE,
    LEAST_EXPLAINED,
    MOSTLY_DAZZLED,
    chip_reading,
    obscure_reading,
    space_reading,
)
from vision.board_registration import BoardFinder, Registration
from vision.board_search import find_board, find_by_corners
from vision.board_shade import ShadeReader
from vision.board_sheets import is_sheet
from vision.board_sight import Sight
from vision.board_spaces import SpaceReader
from vision.board_steadying import steady
from vision.board_upon import ChipsUpon
from vision.table import BoardReading, Point, SpaceReading

_WEAK = 0.55
"""What lies over a space is looked for, too, where a chip leaves more than this open."""
_WHOLLY_VISIBLE, _LEAST_VISIBLE = 0.9, 0.3
"""Something lies over a space of which less is like some card; below the second it hides it."""
_WELL_EXPLAINED, _SURE_MARGIN = 0.7, 2.0
_AGAIN, _BETTER = 2, 0.05
"""How often badly lit spaces are looked at anew, and how much more must then be explained."""


class BoardReader:
    """Reads pictures of one board, with the cards and chips of one deck upon it."""

    def __init__(self, board: BoardPrint, faces: Sequence[PrintedFace]) -> None:
        self.board = board
        self.finder = BoardFinder(board)
        self._spaces = SpaceReader(board, of_kind(faces, "path", "back"))
        self._shade = ShadeReader(self._spaces)
        self._glare = GlareReader(self._spaces)
        self._chips = ChipReader(of_kind(faces, "chip"), board.space_mm)
        self._upon = ChipsUpon(self._chips, board.rows, board.cols)
        self._beneath = BeneathReader(of_kind(faces, "chip"), board.space_mm)
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
            NoTableError: No board is seen, or one that is mirrored, or that lies otherwise than
                its corners were shown.
        """
        if corners_px is None:
            found = find_board(self.finder, image_bgr)
        else:
            found = find_by_corners(self.finder, image_bgr, np.array(corners_px, np.float64))
        return steady(
            found, (self.board.cols, self.board.rows), partial(self._landmarks, image_bgr)
        )

    def _landmarks(
        self, image_bgr: NDArray[np.uint8], place: Registration, asked: Sequence[tuple[int, int]]
    ) -> list[SpaceLook]:
        """Those of some spaces on which a card is read that surely says where it lies."""
        sight = Sight.of(image_bgr, place, (self.board.cols, self.board.rows), asked)
        looks = self._spaces.look(sight.light, sight.free, sight.flat, (), asked)
        return [look for look in looks if _is_landmark(look)]

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
        every = list(np.ndindex(self.board.rows, self.board.cols))
        asked = every if spaces is None else sorted(spaces)
        size = (self.board.cols, self.board.rows)
        sight = Sight.of(image_bgr, place, size, asked)
        found, looks = self._look(sight, asked)
        found, looks = self._look_across_edges(sight, found, looks)
        found, looks = self._look_again(sight, found, looks)
        found, looks = self._look_in_glare(sight, found, looks)
        found, looks = self._look_beneath(sight, found, looks)
        looks = {(look.row, look.col): look for look in settle(list(looks.values()), CLOSE)}
        for space in place.lost & looks.keys():
            looks[space] = replace(looks[space], best=None, rivals=(), hidden=())
        found = [chip for chip in found if self._upon.space_under(chip) not in place.lost]
        height, width = image_bgr.shape[:2]
        return BoardReading(
            timestamp_s=timestamp_s,
            width_px=width,
            height_px=height,
            rows=self.board.rows,
            cols=self.board.cols,
            spaces=tuple(
                space_reading(
                    look,
                    place.view,
                    self.board.space_mm,
                    is_print=self._is_print(look),
                    is_sheet=self._is_sheet(look),
                )
                for look in looks.values()
            ),
            chips=tuple(
                chip_reading(
                    chip, looks[self._upon.space_under(chip)], place.view, self.board.space_mm
                )
                for chip in _in_order(found)
            ),
            obscure=tuple(
                obscure_reading(each, place.view)
                for each in find_obscure(self._chips, list(looks.values()), found, LEAST_EXPLAINED)
            ),
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
            found = [chip for chip in found if self._upon.space_under(chip) not in changed]
            # A chip across a border may have been read with the space beside already.
            found += [
                chip
                for chip in better
                if self._upon.space_under(chip) in changed and self._chips.lies_apart(chip, found)
            ]
        return found, looks

    def _look_across_edges(
        self, sight: Sight, found: list[ChipLook], looks: dict[tuple[int, int], SpaceLook]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The same, spaces that the edge of a shadow crosses read without it."""
        free = self._upon.beside(sight.free, sight.flat, found)
        odd = self._oddly_seen(found, looks)
        for space in [space for space, look in looks.items() if self._is_dim(look) or space in odd]:
            edge = self._shade.find(sight, free, space)
            if edge is None:
                continue
            chips, again = self._look(edge.taken_from(sight), [space])
            look = again[space]
            is_better = look.explained > max(looks[space].explained + _BETTER, _WELL_EXPLAINED)
            if not is_better or look.margin < CLOSE:
                continue
            looks = {**looks, space: look}
            found = [chip for chip in found if self._upon.space_under(chip) != space]
            found += [chip for chip in chips if self._chips.lies_apart(chip, found)]
        return found, looks

    def _look_in_glare(
        self, sight: Sight, found: list[ChipLook], looks: dict[tuple[int, int], SpaceLook]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The same, spaces in which a lamp is mirrored, and chips there, read by what it leaves."""
        bright = [look for look in looks.values() if self._is_dazzled(sight, look)]
        if not bright:
            return found, looks
        lit = [look for look in looks.values() if _is_landmark(look)]
        sight = sight.lit(lit) if lit else sight
        again = self._glare_at(sight, bright, found)
        # What the lamp adds to a card it adds to the chip upon it.
        told = [look for look in again.values() if look.margin > CLOSE and not _is_bare(look)]
        even = [replace(look, light=EVEN_LIGHT) for look in lit]
        more = self._upon.unread(sight.lit([*even, *told]) if told else sight, again, found)
        if more:
            found = [*found, *more]
            chipped = self._upon.spaces_under(more)
            changed = [look for space, look in again.items() if space in chipped]
            again |= self._glare_at(sight, changed, found)
        return found, looks | again

    def _glare_at(
        self, sight: Sight, looks: Sequence[SpaceLook], found: Sequence[ChipLook]
    ) -> dict[tuple[int, int], SpaceLook]:
        inside = sight.flat.is_inside.astype(np.float32)
        free = self._upon.beside(inside, sight.flat, found)
        chipped = self._upon.spaces_under(found)
        again = self._glare.look(sight, free, looks, chipped)
        return {(look.row, look.col): look for look in again}

    def _is_dazzled(self, sight: Sight, look: SpaceLook) -> bool:
        if look.best is None:
            return False
        share = dazzled(sight, look)
        is_even = look.best.face is None and (look.margin < BARE_MARGIN or share > MOSTLY_DAZZLED)
        return share > DAZZLED and (is_even or self._is_dim(look))

    def _look_beneath(
        self, sight: Sight, found: list[ChipLook], looks: dict[tuple[int, int], SpaceLook]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The same, spaces that something lies over, and chips there, read by what is in sight."""
        poor = [look for look in looks.values() if self._is_dim(look)]
        odd = self._oddly_seen(found, looks)
        odd |= {self._upon.space_under(chip) for chip in found if chip.cost > _WEAK}
        more = [looks[space] for space in sorted(odd) if not self._is_dim(looks[space])]
        if not poor and not more:
            return found, looks
        lit = [look for look in looks.values() if _is_landmark(look)]
        sight = sight.lit(lit) if lit else sight
        cover = self._spaces.cover(sight.light, sight.flat, [*poor, *more])
        looks = looks | self._cards_beneath(sight, cover, found, poor)
        inside = sight.near.is_inside.astype(np.float32)
        free = self._upon.beside(inside, sight.near, found)
        chips = self._beneath.look(sight.near_light, free, sight.near, cover, list(looks.values()))
        chipped = set()
        for chip in chips:
            space = self._upon.space_under(chip)
            if space in looks and self._chips.lies_apart(chip, found):
                found = [*found, chip]
                chipped.add(space)
        poor = [look for look in poor if (look.row, look.col) in chipped]
        again = self._cards_beneath(sight, cover, found, poor)
        surer = {space: look for space, look in again.items() if look.margin > looks[space].margin}
        return found, looks | surer

    def _oddly_seen(
        self, found: Sequence[ChipLook], looks: Mapping[tuple[int, int], SpaceLook]
    ) -> set[tuple[int, int]]:
        """Spaces that were read, but for a part that is as large as a chip."""
        unread = find_obscure(self._chips, list(looks.values()), found, 0.0)
        return {(each.look.row, each.look.col) for each in unread}

    def _cards_beneath(
        self,
        sight: Sight,
        cover: NDArray[np.bool_],
        found: Sequence[ChipLook],
        poor: Sequence[SpaceLook],
    ) -> dict[tuple[int, int], SpaceLook]:
        """Those of some spaces of which the part beside what lies over them says more."""
        under = {(look.row, look.col): seen_beneath(cover, sight.flat, look) for look in poor}
        worth = [
            space
            for space, look in under.items()
            if _LEAST_VISIBLE < look.visible < _WHOLLY_VISIBLE
        ]
        beside = partial(self._looks_beside, sight, found)
        before = {(look.row, look.col): look for look in poor}
        better = {
            space: judge_beneath(under[space], look, CLOSE)
            for space, look in beside(cover, worth).items()
            if look.explained > before[space].explained
        }
        close = [space for space, look in better.items() if look.margin < CLOSE]
        for space, look in beside(with_rim(cover), close).items():
            surer = judge_beneath(under[space], look, CLOSE)
            if means_alike(surer, better[space]) and surer.margin > better[space].margin:
                better[space] = surer
        return better

    def _looks_beside(
        self,
        sight: Sight,
        found: Sequence[ChipLook],
        cover: NDArray[np.bool_],
        spaces: Sequence[tuple[int, int]],
    ) -> dict[tuple[int, int], SpaceLook]:
        """Some spaces by what is in sight beside a cover (H, W) and beside chips."""
        free = np.where(cover, np.float32(0), sight.free)
        free = self._upon.beside(free, sight.flat, found)
        looks = self._spaces.look(
            sight.light, free, sight.flat, self._upon.spaces_under(found), spaces
        )
        return {(look.row, look.col): look for look in looks}

    def _look(
        self, sight: Sight, asked: Sequence[tuple[int, int]]
    ) -> tuple[list[ChipLook], dict[tuple[int, int], SpaceLook]]:
        """The chips on some spaces, and the spaces."""
        flat, free = sight.flat, sight.free
        (top, left), (bottom, right) = np.min(asked, axis=0), np.max(asked, axis=0) + 1
        part = (int(left), int(top), int(right), int(bottom))
        chips = self._chips.look(sight.near_light, sight.near, part)
        found = [chip for chip in chips if chip.cost < SURE_SHARE]
        chipped = self._upon.spaces_under(found)
        beside = self._upon.beside(free, flat, found)
        seen = self._spaces.look(sight.light, beside, flat, chipped, asked)
        looks = {(look.row, look.col): look for look in seen}
        more = self._upon.unread(
            sight, looks, found, chips, [chip for chip in chips if self._is_strange_at(chip, looks)]
        )
        found = self._chips.tell_apart(sight.near_light, sight.near, found)
        if more:
            found += more
            changed = self._upon.spaces_under(more)
            again = self._spaces.look(
                sight.light, self._upon.beside(free, flat, found), flat, chipped | changed, changed
            )
            looks |= {(look.row, look.col): look for look in again}
        return [chip for chip in found if self._upon.space_under(chip) in looks], looks

    def _is_strange_at(self, chip: ChipLook, looks: Mapping[tuple[int, int], SpaceLook]) -> bool:
        look = looks.get(self._upon.space_under(chip))
        return look is not None and look.explained < _WELL_EXPLAINED and not self._is_print(look)

    def _is_dim(self, look: SpaceLook) -> bool:
        """Whether light may be what keeps a space from being read."""
        if look.best is None:
            return False
        is_strange = look.explained < _WELL_EXPLAINED and not self._is_print(look)
        return is_strange or look.margin < CLOSE

    def _is_sheet(self, look: SpaceLook) -> bool:
        """Whether what is read as sand is something plain that lies over it."""
        space = (look.row, look.col)
        is_sand = _is_bare(look) and space in self._spaces.even
        return is_sand and is_sheet(look, self._spaces.print_at(space))

    def _is_print(self, look: SpaceLook) -> bool:
        """Whether what is read is the board, where more than sand is printed on it."""
        return _is_bare(look) and (look.row, look.col) not in self._spaces.even


def _is_bare(look: SpaceLook) -> bool:
    return look.best is not None and look.best.face is None


def _is_landmark(look: SpaceLook) -> bool:
    """Whether a card is read so well that it says how the light is there."""
    is_card = look.best is not None and look.best.face is not None
    return is_card and look.explained > _WELL_EXPLAINED and look.margin > _SURE_MARGIN


def _in_order(chips: Sequence[ChipLook]) -> list[ChipLook]:
    return sorted(chips, key=lambda chip: (int(chip.centre[1]), int(chip.centre[0]), chip.centre))
