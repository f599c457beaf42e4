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
_COARSE_SIDE, _FINE_SIDE = 28, 58
"""Side of the part that is compared: the card but for its edge, which throws a shadow."""
_REACH_MM = 4.0
"""Cards lie up to 3 mm off, and the map errs a little."""
_TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
_FINER_TURNS_DEG = (-1.5, 0.0, 1.5)
_CHIP_ASKS = 1.5
"""The bare board or a pond beneath a chip must agree that much better than a card."""
_TINTED = 1.65
"""No light is so much stronger in one colour than in another: of sand it is up to 1.46 times where
a lamp is mirrored, but 1.9 to 2.1 times where what is fitted to sand are dark lawns."""
_TELLING = 0.3
"""A pixel tells two readings apart where their errors differ by this share of the cap."""
_UNSURE, _UNSURE_EXPLAINED, _TRIED = 1.5, 0.6, 6
"""Below this margin, or where less is explained, the likeliest faces are laid one by one, and every
face of the deck is compared."""
_FEW_PIXELS, _LEAST_ERROR = 30.0, 0.004
"""Either reading is granted the usual error of so many pixels: a handful decides nothing."""
_SHORT_LIST = 14
_EVEN = 0.1
"""Deviation of a space's print, 0 to 1: sand has 0.02, a sign and the entrance 0.13 and more."""
_THIN_STEP = 2
_WORKERS = 2
_THIN = (np.arange(_FINE_SIDE**2).reshape(_FINE_SIDE, _FINE_SIDE)[::2, ::2]).ravel()
"""While a card's pose is sought, every other pixel of every other row is enough."""
_NO_ERRORS = np.zeros((_FINE_SIDE, _FINE_SIDE), np.float32)
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
class _Named:
    """The best reading, the others as in `SpaceLook`, the best's squared errors (M,), its light."""

    seen: _Seen
    best: Lying
    rivals: tuple[tuple[Lying, float], ...]
    errors: NDArray[np.float32]
    light: NDArray[np.float32]

    @property
    def explained(self) -> float:
        """Share of the pixels that agree with the best reading."""
        return _explained(self.errors, self.seen.weights)

    @property
    def is_unsure(self) -> bool:
        """Whether it is worth to try more faces."""
        return self.rivals[0][1] < _UNSURE or self.explained < _UNSURE_EXPLAINED


class SpaceReader:
    """Reads the spaces of one board with the faces of one deck."""

    def __init__(self, board: BoardPrint, faces: Sequence[PrintedFace]) -> None:
        self.board = board
        self._names = [(face, 90 * turn) for face in faces for turn in range(4)]
        coarse = stack_faces(faces, board.space_mm, COARSE_PX, _COARSE_SIDE)
        fine = stack_faces(faces, board.space_mm, FINE_PX, _FINE_SIDE)
        self._coarse = FaceStack.of(coarse, surface_terms(_COARSE_SIDE))
        self._fine = FaceStack.of(fine, surface_terms(_FINE_SIDE))
        thin = np.ascontiguousarray(fine[..., _THIN])
        self._thin = FaceStack.of(thin, surface_terms(_FINE_SIDE, _THIN_STEP))
        self._all = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        self._print_flat = board.flat(FINE_PX)
        self._print = np.asarray(self._print_flat.image / np.float32(255), np.float32)
        self.even = frozenset(space for space in self._all if self._is_even(space))

    def _is_even(self, space: tuple[int, int]) -> bool:
        """Whether next to nothing is printed on a space, as on all but the entrance and signs."""
        corner = _corner(self._print_flat, space)
        return float(cut_window(self._print, corner, _FINE_SIDE).std(axis=(1, 2)).mean()) < _EVEN

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
        bare = [
            cut_window(self._print, _corner(self._print_flat, (look.row, look.col)), _FINE_SIDE)
            for look in looks
        ]
        return find_cover(light, flat, looks, self._fine.pixels, bare, self._colours)

    @cached_property
    def _colours(self) -> NDArray[np.float32]:
        """(B,) how frequent each colour is on the cards or on the board, whichever has more."""
        cards = self._fine.pixels[::4].transpose(0, 2, 1)
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

        def try_out(faces: NDArray[np.intp], start: NDArray[np.float64]) -> _Named:
            pose = (float(start[0]), float(start[1]), 0.0)
            pose = self._lay(light, free, faces, pose, (2.0, _TURNS_DEG))
            pose = self._lay(light, free, faces, pose, (1.0, _FINER_TURNS_DEG))
            patch, weight = turn_back(light, free, pose, _FINE_SIDE)
            seen = _Seen(pose, patch.reshape(3, -1), weight.ravel(), bare, is_chipped)
            return self._name(seen, rows)

        named = try_out(rows[:3], places[0])
        if named.is_unsure:
            # Wrong faces lead astray as to where the card lies.
            tried = [try_out(rows[index : index + 1], places[index]) for index in range(_TRIED)]
            named = min([named, *tried], key=lambda each: each.best.cost)
            named = self._name(named.seen, np.arange(len(self._names)))
        pose = named.seen.pose
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
            errors=named.errors.reshape(_FINE_SIDE, _FINE_SIDE),
            shown=shown,
            light=named.light,
        )

    def _name(self, seen: _Seen, rows: NDArray[np.intp]) -> _Named:
        """What of some faces, and of the bare board, lies there."""
        bare_cost, bare_errors, bare_light = seen.bare
        costs, card_errors, lights = careful_costs(
            seen.pixels, seen.weights, self._fine.chosen(rows)
        )
        names = [self._names[index] for index in rows.tolist()]
        lyings = [
            *(Lying(face, turn, float(c)) for (face, turn), c in zip(names, costs, strict=True)),
            Lying(None, 0, bare_cost),
        ]
        if seen.is_chipped:
            lyings = [_where_chips_lie(lying) for lying in lyings]
        errors = np.concatenate([card_errors, bare_errors[None]])
        chosen = min(range(len(lyings)), key=lambda index: lyings[index].cost)
        best, left = lyings[chosen], errors[chosen]
        rivals = [
            (lying, _margin(left, errors[index], seen.weights))
            for index, lying in enumerate(lyings)
            if lying.sameness != best.sameness
        ]
        light = np.concatenate([lights, bare_light[None]])[chosen]
        return _Named(seen, best, tuple(sorted(rivals, key=lambda rival: rival[1])), left, light)

    def _bare(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
    ) -> tuple[float, NDArray[np.float32], NDArray[np.float32]]:
        corner = _corner(flat, space)
        printed = cut_window(self._print, _corner(self._print_flat, space), _FINE_SIDE)
        window = cut_window(light, corner, _FINE_SIDE).reshape(3, -1)
        weight = cut_window(free[..., None], corner, _FINE_SIDE).ravel()
        faces = FaceStack.of(printed.reshape(1, 3, -1), surface_terms(_FINE_SIDE))
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
        side = _FINE_SIDE + round(2 * reach * step_px)
        patches = [
            turn_back(light, free, (start[0], start[1], start[2] + turn), side) for turn in turns
        ]
        windows = [all_windows(each, _FINE_SIDE, round(step_px), _THIN_STEP) for each, _ in patches]
        counts = [
            all_windows(each[None], _FINE_SIDE, round(step_px), _THIN_STEP)[:, 0]
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


def _corner(flat: FlatBoard, space: tuple[int, int]) -> NDArray[np.int_]:
    """(2,) the first pixel of the middle of a space."""
    return np.asarray(np.round(centre_px(flat, space) - (_FINE_SIDE - 1) / 2).astype(int))


def _where_chips_lie(lying: Lying) -> Lying:
    """A reading of a space with a chip: chips are for cards that lie face up."""
    if lying.face is not None and lying.face.kind == "path":
        return lying
    return replace(lying, cost=lying.cost * _CHIP_ASKS)


_EXPLAINED_BELOW = 0.02
"""Squared error, summed over the colours, below which a pixel agrees."""


def _explained(errors: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    return float((errors < _EXPLAINED_BELOW) @ weights) / max(float(weights.sum()), 1e-3)


def _margin(
    errors: NDArray[np.float32], others: NDArray[np.float32], weights: NDArray[np.float32]
) -> float:
    """How many times as wrong another reading is where the two differ; 1 if nothing tells."""
    first, second = np.minimum(errors, ERROR_CAP), np.minimum(others, ERROR_CAP)
    telling = weights * (np.abs(first - second) > _TELLING * ERROR_CAP)
    count = max(float(weights.sum()), 1e-3)
    even = _FEW_PIXELS * max(float(first @ weights) / count, _LEAST_ERROR)
    return float(((second * telling).sum() + even) / ((first * telling).sum() + even))
