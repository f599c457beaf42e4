"""Spaces in which a lamp is mirrored, read by what it leaves of the colours.

A mirrored lamp adds white, and dazzles the camera: of a path and a light lawn only the blue may
still differ, and where all is white nothing does. So a colour that is full says no more than that
it is at least so bright, anything white may be added, and a card is laid anew, face by face, by
what agrees with it then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.board_fit import MIRRORED, FaceStack, careful_costs, surface_terms
from vision.board_looks import Lying, SpaceLook
from vision.board_naming import choose
from vision.board_sight import Sight
from vision.board_spaces import FINE_SIDE, SpaceReader
from vision.board_view import FlatBoard
from vision.board_windows import centre_px, turn_back

_THIN_STEP, _STEP = 3, 3
"""While a card is laid every third pixel of every third row is enough, and of all that are then
compared every third to tell the light."""
_FACES = 3
"""How many of the likeliest faces are laid."""
_REACH = (-2.0, -1.0, 0.0, 1.0, 2.0)
_STEPS = ((2.0, (-3.0, 0.0, 3.0)), (1.0, (-1.5, 0.0, 1.5)))
"""Steps in pixels, and turns in degrees, at which a card is laid, first widely, then exactly."""
_WORKERS = 2
_WHOLE, _MOSTLY = 0.999, 0.5
"""A pixel partly beside what is seen counts for nothing; one that is mostly full is full."""

DAZZLED = 0.1
"""Share of a space's colours that is full where a lamp may be what keeps it from being read."""

Pose = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Windows:
    """Squares of a board, turned back by poses.

    Attributes:
        pixels: (N, 3, M).
        weights: (N, M) how much each pixel counts.
        full: (N, 3, M) where a colour is as bright as the camera can tell.
    """

    pixels: NDArray[np.float32]
    weights: NDArray[np.float32]
    full: NDArray[np.bool_]


Cut = Callable[[Sequence[Pose]], _Windows]


class GlareReader:
    """Reads spaces of one board in a lamp's glare."""

    def __init__(self, spaces: SpaceReader) -> None:
        self._spaces = spaces
        square = np.arange(FINE_SIDE**2).reshape(FINE_SIDE, FINE_SIDE)
        self._thin = square[::_THIN_STEP, ::_THIN_STEP].ravel()
        pixels = np.ascontiguousarray(spaces.fine.pixels[..., self._thin])
        self._faces = FaceStack.of(pixels, surface_terms(FINE_SIDE, _THIN_STEP))

    def look(
        self,
        sight: Sight,
        free: NDArray[np.float32],
        looks: Sequence[SpaceLook],
        chipped: Collection[tuple[int, int]],
    ) -> list[SpaceLook]:
        """Some spaces anew.

        Args:
            sight: The board.
            free: (H, W) float32 of `sight.flat`, nought where a chip lies or nothing is seen.
            looks: The spaces as they were read; each has a reading.
            chipped: Rows and columns of the spaces on which chips lie.
        """
        full = sight.full.astype(np.float32)

        def look_at(look: SpaceLook) -> SpaceLook:
            is_chipped = (look.row, look.col) in chipped
            return self._look_at(
                partial(_cut, sight.light, free, full), sight.flat, look, is_chipped=is_chipped
            )

        with ThreadPoolExecutor(_WORKERS) as workers:
            return list(workers.map(look_at, looks))

    def _look_at(
        self,
        cut: Cut,
        flat: FlatBoard,
        look: SpaceLook,
        *,
        is_chipped: bool,
    ) -> SpaceLook:
        space = (look.row, look.col)
        middle = centre_px(flat, space)
        home = (float(middle[0]), float(middle[1]), 0.0)
        at = flat.pixel_of(np.array([look.centre]))[0]
        was_bare = look.best is None or look.best.face is None
        pose = self._lay(cut, home if was_bare else (float(at[0]), float(at[1]), look.turn_deg))
        seen = cut([pose])
        costs, errors, lights = _compare(seen, self._spaces.fine, _STEP)
        printed = self._spaces.print_at(space).reshape(1, 3, -1)
        bare = FaceStack.of(printed, surface_terms(FINE_SIDE))
        bare_costs, bare_errors, bare_lights = _compare(cut([home]), bare, _STEP)
        named = choose(
            [
                *self._spaces.lying(np.arange(len(costs)), costs),
                Lying(None, 0, float(bare_costs[0])),
            ],
            np.concatenate([errors, bare_errors]),
            np.concatenate([lights, bare_lights]),
            seen.weights[0],
            is_chipped=is_chipped,
            is_any_light=True,
        )
        is_bare = named.best.face is None
        x, y = flat.place_of(np.array([pose[:2]]))[0]
        return replace(
            look,
            best=named.best,
            rivals=named.rivals,
            centre=(look.col + 0.5, look.row + 0.5) if is_bare else (float(x), float(y)),
            turn_deg=0.0 if is_bare else pose[2],
            explained=named.explained,
            errors=named.errors.reshape(FINE_SIDE, FINE_SIDE),
            light=named.light,
            dazzled=float(seen.full.mean()),
        )

    def _lay(self, cut: Cut, start: Pose) -> Pose:
        """The pose around a start at which one of the likeliest faces agrees best."""
        costs, *_ = _compare(self._thinned(cut([start])), self._faces)
        faces = np.argsort(costs, kind="stable")[:_FACES]
        pose = start
        for step, turns in _STEPS:
            poses = [
                (pose[0] + step * right, pose[1] + step * down, pose[2] + turn)
                for turn in turns
                for down in _REACH
                for right in _REACH
            ]
            seen = self._thinned(cut(poses))
            costs = np.stack(
                [_compare(seen, self._faces.chosen(faces[n : n + 1]))[0] for n in range(len(faces))]
            )
            best, which = divmod(int(costs.argmin()), len(poses))
            faces, pose = faces[best : best + 1], poses[which]
        return pose

    def _thinned(self, seen: _Windows) -> _Windows:
        thin = self._thin
        return _Windows(seen.pixels[..., thin], seen.weights[:, thin], seen.full[..., thin])


def dazzled(sight: Sight, look: SpaceLook) -> float:
    """Share of the colours of a space that are as bright as the camera can tell."""
    corner = np.round(centre_px(sight.flat, (look.row, look.col)) - FINE_SIDE / 2).astype(int)
    left, top = np.maximum(corner, 0)
    part = sight.full[top : corner[1] + FINE_SIDE, left : corner[0] + FINE_SIDE]
    return float(part.mean()) if part.size else 0.0


def _cut(
    light: NDArray[np.float32],
    free: NDArray[np.float32],
    full: NDArray[np.float32],
    poses: Sequence[Pose],
) -> _Windows:
    """Squares around places of a board; light and full are (H, W, 3), free (H, W)."""
    cuts = [turn_back(light, free, pose, FINE_SIDE) for pose in poses]
    masks = [turn_back(full, free, pose, FINE_SIDE)[0] for pose in poses]
    count = len(poses)
    weights = np.stack([weight for _, weight in cuts]).reshape(count, -1)
    return _Windows(
        np.stack([pixels for pixels, _ in cuts]).reshape(count, 3, -1),
        np.where(weights < _WHOLE, np.float32(0), weights),
        np.stack(masks).reshape(count, 3, -1) > _MOSTLY,
    )


def _compare(
    seen: _Windows, faces: FaceStack, step: int = 1
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """What `careful_costs` says in the light of a lamp that is mirrored."""
    return careful_costs(seen.pixels, seen.weights, faces, step, MIRRORED, seen.full)
