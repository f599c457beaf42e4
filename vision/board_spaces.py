"""What lies on a space: nothing, or which face in which rotation, and how it is laid.

A first look compares small pictures at every shift; a second one, for the likeliest faces, finds
the shift and the turn, and compares once more with errors capped, so that chips and fingers do
not decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.board_cover import colour_bins, colour_shares, find_cover
from vision.board_fit import ERROR_CAP, FaceStack, careful_costs, quick_costs, surface_terms
from vision.board_looks import EVEN_LIGHT, FINE_PX, Lying, SpaceLook
from vision.board_naming import Named, choose
from vision.board_print import BoardPrint, PrintedFace
from vision.board_view import FlatBoard
from vision.board_windows import (
    all_windows,
    centre_px,
    cut_window,
    half_size,
    stack_faces,
    turn_back,
)

COARSE_PX = 32
"""Pixels a space at the first look."""
_COARSE_SIDE, FINE_SIDE = 28, 58
"""Side of the part that is compared: the card but for its edge, which throws a shadow."""
_REACH_MM = 4.0
"""Cards lie up to 3 mm off, and the map errs a little."""
_TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
_FINER_TURNS_DEG = (-1.5, 0.0, 1.5)
_TINTED = 1.65
"""No light is so much stronger in one colour than in another: of sand it is up to 1.46 times where
a lamp is mirrored, but 1.9 to 2.1 times where what is fitted to sand are dark lawns."""
_UNSURE, _UNSURE_EXPLAINED, _TRIED = 1.5, 0.6, 6
"""Below this margin, or where less is explained, the likeliest faces are laid one by one, and every
face of the deck is compared."""
_SHORT_LIST = 14
_EVEN = 0.1
"""Deviation of a space's print, 0 to 1: sand has 0.02, a sign and the entrance 0.13 and more."""
_THIN_STEP = 2
_WORKERS = 2
_THIN = (np.arange(FINE_SIDE**2).reshape(FINE_SIDE, FINE_SIDE)[::2, ::2]).ravel()
"""While a card's pose is sought, every other pixel of every other row is enough."""
_NO_ERRORS = np.zeros((FINE_SIDE, FINE_SIDE), np.float32)
_LEAST_SHOWN = 0.35
"""A space of which less than this lies in the picture is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A space as its card would lie.

    Attributes:
        pose: Where its middle is, x and y in pixels, and how far it is turned.
        pixels: (3, M), and `weights` (M,) how much each counts.
        weights: (M,).
        bare: What the bare board costs, its squared errors (M,), and its light (2, 3).
        is_chipped: Whether a chip lies on it.
    """

    pose: tuple[float, float, float]
    pixels: NDArray[np.float32]
    weights: NDArray[np.float32]
    bare: tuple[float, NDArray[np.float32], NDArray[np.float32]]
    is_chipped: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """A space as its card would lie, and what it is then."""

    seen: _Seen
    named: Named

    @property
    def is_unsure(self) -> bool:
        """Whether it is worth to try more faces."""
        return self.named.rivals[0][1] < _UNSURE or self.named.explained < _UNSURE_EXPLAINED


class SpaceReader:
    """Reads the spaces of one board with the faces of one deck."""

    def __init__(self, board: BoardPrint, faces: Sequence[PrintedFace]) -> None:
        self.board = board
        self._names = [(face, 90 * turn) for face in faces for turn in range(4)]
        coarse = stack_faces(faces, board.space_mm, COARSE_PX, _COARSE_SIDE)
        fine = stack_faces(faces, board.space_mm, FINE_PX, FINE_SIDE)
        self._coarse = FaceStack.of(coarse, surface_terms(_COARSE_SIDE))
        self.fine = FaceStack.of(fine, surface_terms(FINE_SIDE))
        thin = np.ascontiguousarray(fine[..., _THIN])
        self._thin = FaceStack.of(thin, surface_terms(FINE_SIDE, _THIN_STEP))
        self._all = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        self._print_flat = board.flat(FINE_PX)
        self._print = np.asarray(self._print_flat.image / np.float32(255), np.float32)
        self.even = frozenset(space for space in self._all if self._is_even(space))

    def _is_even(self, space: tuple[int, int]) -> bool:
        """Whether next to nothing is printed on a space, as on all but the entrance and signs."""
        return float(self.print_at(space).std(axis=(1, 2)).mean()) < _EVEN

    def look(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        chipped: Collection[tuple[int, int]] = (),
        spaces: Iterable[tuple[int, int]] | None = None,
    ) -> list[SpaceLook]:
        """Some spaces, or every one in reading order.

        Args:
            light: (H, W, 3) float32 board at `FINE_PX`, as bright as its print.
            free: (H, W) float32, how much each pixel counts: 0 where a chip lies.
            flat: The flat board that it was made from.
            chipped: Rows and columns of the spaces on which chips lie.
            spaces: Rows and columns of those to look at; all by default.
        """
        small, small_free = half_size(light), half_size(free)

        def look_at(space: tuple[int, int]) -> SpaceLook:
            near = self._first_look(small, small_free, flat, space)
            return self._second_look(light, free, flat, space, near, space in chipped)

        # Nearly all of the work is done in libraries that let the other core work meanwhile.
        with ThreadPoolExecutor(_WORKERS) as workers:
            return list(workers.map(look_at, self._all if spaces is None else spaces))

    def cover(
        self, light: NDArray[np.float32], flat: FlatBoard, looks: Sequence[SpaceLook]
    ) -> NDArray[np.bool_]:
        """(H, W) where something lies over spaces that were looked at; arguments as in `look`."""
        bare = [self.print_at((look.row, look.col)) for look in looks]
        return find_cover(light, flat, looks, self.fine.pixels, bare, self._colours)

    @cached_property
    def _colours(self) -> NDArray[np.float32]:
        """(B,) how frequent each colour is on the cards or on the board, whichever has more."""
        cards = self.fine.pixels[::4].transpose(0, 2, 1)
        shares = [colour_shares(colour_bins(each).ravel()) for each in (cards, self._print)]
        return np.maximum(*shares)

    def _first_look(
        self,
        small: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The likeliest faces, and where each of them would lie, (N, 2) in pixels."""
        reach = max(1, round(_REACH_MM / self.board.space_mm * COARSE_PX))
        centre = (centre_px(flat, space) + 0.5) / 2 - 0.5
        corner = np.round(centre - (_COARSE_SIDE - 1) / 2 - reach).astype(int)
        side = _COARSE_SIDE + 2 * reach
        patch = cut_window(small, corner, side)
        weight = cut_window(free[..., None], corner, side)[0]
        windows = all_windows(patch, _COARSE_SIDE)
        weights = all_windows(weight[None], _COARSE_SIDE)[:, 0]
        costs = quick_costs(windows, weights, self._coarse)
        order = np.argsort(costs.min(axis=0), kind="stable")[:_SHORT_LIST]
        down, right = np.divmod(costs[:, order].argmin(axis=0), 2 * reach + 1)
        found = corner + np.stack([right, down], axis=1) + (_COARSE_SIDE - 1) / 2
        return order, (found + 0.5) * 2 - 0.5

    def _second_look(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
        near: tuple[NDArray[np.intp], NDArray[np.float64]],
        is_chipped: bool,
    ) -> SpaceLook:
        row, col = space
        middle = centre_px(flat, space)
        corner = np.round(middle - FINE_PX / 2 + 0.5).astype(int)
        shown = float(
            cut_window(flat.is_inside[..., None].astype(np.float32), corner, FINE_PX).mean()
        )
        home = (col + 0.5, row + 0.5)
        if shown < _LEAST_SHOWN:
            return SpaceLook(row, col, None, (), home, 0.0, 0.0, _NO_ERRORS, shown, EVEN_LIGHT)
        bare = self._bare(light, free, flat, space)
        rows, places = near

        def try_out(faces: NDArray[np.intp], start: NDArray[np.float64]) -> _Tried:
            pose = (float(start[0]), float(start[1]), 0.0)
            pose = self._lay(light, free, faces, pose, (2.0, _TURNS_DEG))
            pose = self._lay(light, free, faces, pose, (1.0, _FINER_TURNS_DEG))
            patch, weight = turn_back(light, free, pose, FINE_SIDE)
            seen = _Seen(pose, patch.reshape(3, -1), weight.ravel(), bare, is_chipped)
            return _Tried(seen, self._name(seen, rows))

        chosen = try_out(rows[:3], places[0])
        if chosen.is_unsure:
            # Wrong faces lead astray as to where the card lies.
            tried = [try_out(rows[index : index + 1], places[index]) for index in range(_TRIED)]
            chosen = min([chosen, *tried], key=lambda each: each.named.best.cost)
            chosen = replace(chosen, named=self._name(chosen.seen, np.arange(len(self._names))))
        named, pose = chosen.named, chosen.seen.pose
        is_bare = named.best.face is None
        place_x, place_y = flat.place_of(np.array([pose[:2]]))[0]
        return SpaceLook(
            row=row,
            col=col,
            best=named.best,
            rivals=named.rivals,
            centre=home if is_bare else (float(place_x), float(place_y)),
            turn_deg=0.0 if is_bare else pose[2],
            explained=named.explained,
            errors=named.errors.reshape(FINE_SIDE, FINE_SIDE),
            shown=shown,
            light=named.light,
        )

    def _name(self, seen: _Seen, rows: NDArray[np.intp]) -> Named:
        """What of some faces, and of the bare board, lies there."""
        costs, errors, lights = careful_costs(seen.pixels, seen.weights, self.fine.chosen(rows))
        bare_cost, bare_errors, bare_light = seen.bare
        return choose(
            [*self.lying(rows, costs), Lying(None, 0, bare_cost)],
            np.concatenate([errors, bare_errors[None]]),
            np.concatenate([lights, bare_light[None]]),
            seen.weights,
            is_chipped=seen.is_chipped,
        )

    def lying(self, rows: NDArray[np.intp], costs: NDArray[np.float32]) -> list[Lying]:
        """Some faces as they may lie, and what each costs."""
        names = [self._names[index] for index in rows.tolist()]
        return [Lying(face, turn, float(c)) for (face, turn), c in zip(names, costs, strict=True)]

    def print_at(self, space: tuple[int, int]) -> NDArray[np.float32]:
        """(3, S, S) the middle of a bare space, S as large as the faces that are compared."""
        return cut_window(self._print, corner_px(self._print_flat, space), FINE_SIDE)

    def _bare(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
    ) -> tuple[float, NDArray[np.float32], NDArray[np.float32]]:
        corner = corner_px(flat, space)
        printed = self.print_at(space)
        window = cut_window(light, corner, FINE_SIDE).reshape(3, -1)
        weight = cut_window(free[..., None], corner, FINE_SIDE).ravel()
        faces = FaceStack.of(printed.reshape(1, 3, -1), surface_terms(FINE_SIDE))
        costs, errors, lights = careful_costs(window, weight, faces)
        gains = lights[0, 0]
        if gains.max() > _TINTED * gains.min():
            return float(ERROR_CAP), np.full_like(errors[0], ERROR_CAP), lights[0]
        return float(costs[0]), errors[0], lights[0]

    def _lay(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        rows: NDArray[np.intp],
        start: tuple[float, float, float],
        steps: tuple[float, Sequence[float]],
    ) -> tuple[float, float, float]:
        """The pose (x, y in pixels, turn) around a start at which some faces agree best."""
        step_px, turns = steps
        reach = 2
        side = FINE_SIDE + round(2 * reach * step_px)
        patches = [
            turn_back(light, free, (start[0], start[1], start[2] + turn), side) for turn in turns
        ]
        windows = [all_windows(each, FINE_SIDE, round(step_px), _THIN_STEP) for each, _ in patches]
        counts = [
            all_windows(each[None], FINE_SIDE, round(step_px), _THIN_STEP)[:, 0]
            for _, each in patches
        ]
        costs = quick_costs(
            np.concatenate(windows), np.concatenate(counts), self._thin.chosen(rows)
        ).min(axis=1)
        count = 2 * reach + 1
        which, low = divmod(int(costs.argmin()), count * count)
        angle = start[2] + turns[which]
        along = step_px * np.array([low % count - reach, low // count - reach])
        cos, sin = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
        x = start[0] + along[0] * cos - along[1] * sin
        y = start[1] + along[0] * sin + along[1] * cos
        return float(x), float(y), float(angle)


def corner_px(flat: FlatBoard, space: tuple[int, int]) -> NDArray[np.int_]:
    """(2,) the first pixel of the middle of a space."""
    return np.asarray(np.round(centre_px(flat, space) - (FINE_SIDE - 1) / 2).astype(int))
