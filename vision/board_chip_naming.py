"""Naming a chip where one may lie, whichever way it is turned.

What is seen is unrolled around its middle, where a turn is a shift, and compared with every chip at
every turn: as sharp as it was printed, or as soft as a picture shows it in which a chip is a few
pixels wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_print import PrintedFace
from vision.board_rings import RingScale, Unrolled
from vision.board_view import FlatBoard

NAMING_PX = 96
"""Pixels a space while chips are named."""
SHARP = RingScale(14, 64, NAMING_PX, 0.0)
SOFT = RingScale(14, 64, NAMING_PX, 2.0)
"""Its blur is that of a picture of 60 pixels a space, and that of `without_grain`."""
_GRAIN_BLUR_PX = 1.2
_COLOURED, _MORE_COLOURED = 0.6, 1.5
"""Share of a chip that has its colours, and how many times as much it is as of the next one, where
those alone tell the two apart: right ones have 0.92 and more, others 0.4 to 0.5."""
_NEARER_PX, _NEAREST_PX = np.array([-1.2, 0.0, 1.2]), np.array([-0.6, 0.0, 0.6])
"""Steps around a place at which a chip's middle is tried, coarse to fine."""


@dataclass(frozen=True, slots=True, eq=False)
class ChipLook:
    """A round thing that looks like a chip.

    Attributes:
        face: The likeliest chip.
        rival: The next likeliest one that is another, or None in a deck with a single one.
        cost: Of the likeliest one's agreement: the share of the picture that it leaves open.
        rival_cost: Of the next one's.
        error: Mean squared error that the likeliest one leaves, summed over the colours.
        centre: Where its middle lies, in spaces.
        turn_deg: How far it is turned, clockwise.
    """

    face: PrintedFace
    rival: PrintedFace | None
    cost: float
    rival_cost: float
    error: float
    centre: tuple[float, float]
    turn_deg: float

    @property
    def margin(self) -> float:
        """How many times as much the next likeliest one leaves open."""
        return self.rival_cost / max(self.cost, 1e-6)


class ChipNamer:
    """Names chips of one deck at one scale.

    Args:
        chips: The deck's chips.
        space_mm: Side of a space.
        scale: How finely, and how softly, they are compared.
    """

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float, scale: RingScale) -> None:
        self._chips = tuple(chips)
        self._groups = unroll_by_size(chips, space_mm, scale)

    def name(
        self, light: NDArray[np.float32], flat: FlatBoard, middles: NDArray[np.float64]
    ) -> list[ChipLook]:
        """The likeliest chip around each of some middles.

        Args:
            light: (H, W, 3) float32 board at `NAMING_PX`, as bright as its print.
            flat: The flat board that it was made from.
            middles: (P, 2) in pixels.
        """
        found = [_fit(light, middles, group) for group in self._groups]
        rows = [row for group in self._groups for row in group.rows]
        costs = np.concatenate([fit.costs for fit in found], axis=1)
        errors = np.concatenate([fit.errors for fit in found], axis=1)
        centres = flat.place_of(np.concatenate([fit.middles for fit in found], axis=1))
        turns = np.concatenate([fit.turns_deg for fit in found], axis=1)
        looks = []
        for index, order in enumerate(np.argsort(costs, axis=1, kind="stable")):
            first, second = int(order[0]), int(order[1]) if len(order) > 1 else None
            x, y = centres[index, first]
            looks.append(
                ChipLook(
                    face=self._chips[rows[first]],
                    rival=None if second is None else self._chips[rows[second]],
                    cost=float(costs[index, first]),
                    rival_cost=np.inf if second is None else float(costs[index, second]),
                    error=float(errors[index, first]),
                    centre=(float(x), float(y)),
                    turn_deg=float(turns[index, first]),
                )
            )
        return looks

    def agreeing_share(self, light: NDArray[np.float32], flat: FlatBoard, look: ChipLook) -> float:
        """Share of a chip that has its colours: finger tips are round too, but skin all over."""
        row = self._chips.index(look.face)
        group = next(group for group in self._groups if row in group.rows)
        rings = group.rings(light, flat.pixel_of(np.array([look.centre])))
        return group.agreeing_share(rings, row, look.turn_deg)

    def told_by_colour(
        self, light: NDArray[np.float32], flat: FlatBoard, look: ChipLook
    ) -> ChipLook:
        """The same chip, or the next one, where colours alone say clearly which.

        Each colour's light is fitted on its own while chips are named, so one figure upon two
        colours looks much alike; but a chip as a whole is in one light.
        """
        if look.rival is None:
            return look
        other = replace(look, face=look.rival, rival=look.face)
        share, others = (self.agreeing_share(light, flat, each) for each in (look, other))
        best, most, least = (look, share, others) if share > others else (other, others, share)
        if most < _COLOURED or most < _MORE_COLOURED * least:
            return look
        return replace(best, rival_cost=max(look.rival_cost, _MORE_COLOURED * look.cost))


def unroll_by_size(
    chips: Sequence[PrintedFace], space_mm: float, scale: RingScale
) -> list[Unrolled]:
    """The chips of each diameter unrolled, the largest first."""
    diameters = [chip.size_mm[0] / space_mm for chip in chips]
    return [
        Unrolled.of(
            chips, [row for row, own in enumerate(diameters) if own == diameter], diameter, scale
        )
        for diameter in sorted(set(diameters), reverse=True)
    ]


def without_grain(light: NDArray[np.float32]) -> NDArray[np.float32]:
    """A board (H, W, 3) at `NAMING_PX` as soft as `SOFT` chips are."""
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _GRAIN_BLUR_PX), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """How chips of one diameter fit best around some places.

    Attributes:
        costs: (P, K) share of the variance that each leaves open.
        errors: (P, K) mean squared error that it leaves.
        middles: (P, K, 2) pixels.
        turns_deg: (P, K) clockwise.
    """

    costs: NDArray[np.float32]
    errors: NDArray[np.float32]
    middles: NDArray[np.float64]
    turns_deg: NDArray[np.float64]


def _fit(light: NDArray[np.float32], middles: NDArray[np.float64], group: Unrolled) -> _Fit:
    """Moves each chip of a group about middles (P, 2), coarse to fine, and turns it."""
    count = len(middles)
    near = middles[:, None] + lattice(_NEARER_PX)
    around, _ = group.shares(group.rings(light, near.reshape(-1, 2)))
    best = around.reshape(count, near.shape[1], -1).min(axis=2).argmin(axis=1)
    nearest = near[np.arange(count), best][:, None] + lattice(_NEAREST_PX)
    shares, variance = group.shares(group.rings(light, nearest.reshape(-1, 2)))
    kinds, angles = shares.shape[1:]
    by_chip = shares.reshape(count, -1, kinds, angles).transpose(0, 2, 1, 3)
    chosen = by_chip.reshape(count, kinds, -1).argmin(axis=2)
    where, turn = np.divmod(chosen, angles)
    rows = np.arange(count)[:, None]
    costs = by_chip[rows, np.arange(kinds), where, turn]
    return _Fit(
        costs=costs,
        errors=costs * variance.reshape(count, -1)[rows, where],
        middles=nearest[rows, where],
        turns_deg=360.0 * turn / angles,
    )


def lattice(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N², 2) all pairs of steps."""
    x, y = np.meshgrid(steps, steps)
    return np.stack([x.ravel(), y.ravel()], axis=1)
