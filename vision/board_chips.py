"""Finding round chips on a flat board, and naming them whichever way they are turned.

A chip is first sought as it looks when it is turned through all angles at once; then its picture
is unrolled around its middle, where a turn is a shift, and compared with every chip at every turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_print import PrintedFace
from vision.board_rings import NOISE, RingScale, Unrolled
from vision.board_view import FlatBoard

SEARCH_PX, NAMING_PX = 32, 96
"""Pixels a space while chips are sought, and while they are named."""
_SEARCH_SHARE, _MIDDLE_SHARE, _NAMING_SHARE = 1.1, 1.0, 1.0
SURE_SHARE = 0.72
"""Share of the picture's variance that a chip may leave unexplained, as it is sought, tried and
named, and where nothing else needs to speak for it. A chip leaves 0.05 to 0.3, seen noisily up to
0.7; a lawn, a path or a flower 0.77 and more."""
_PLAIN, _LEAST_AGREEING = 0.55, 0.4
"""A chip that leaves more than the first is looked at once more: of its pixels the second share
must be as the deck has them. Of chips 0.55 and more are, of fingers taken for one 0.3 and less."""
_TRIED_PX, _THERE_PX = np.array([-2.5, 0.0, 2.5]), np.zeros(1)
_NEARER_PX, _NEAREST_PX = np.array([-1.2, 0.0, 1.2]), np.array([-0.6, 0.0, 0.6])
"""Steps around a place at which a chip's middle is tried, coarse to fine."""
_APART = 0.75
"""Two chips lie at least this share of a diameter apart; one may lie half upon the other."""
_MOST = 60
"""Places tried, the likeliest first; the game has 36 chips. One that looks much like what it lies
on is found where the card beneath it has been read (`board.py`)."""
_WORKERS = 2
_AT_ONCE, _NAMED_AT_ONCE = 3600, 8
"""Places sought and places named together, so that what is worked on stays in the cache."""

_SEARCH_BLUR_PX = 0.8
_COARSE = RingScale(5, 16, SEARCH_PX, _SEARCH_BLUR_PX)
_MIDDLE = RingScale(8, 32, NAMING_PX, 0.0)
_FINE = RingScale(14, 64, NAMING_PX, 0.0)
_PLACES = 20
"""Places along a space at which chips are sought: 2.3 mm apart, a sixth of the smallest chip."""
_NEAR = 2
"""Of places that many steps apart, only the likeliest is looked at."""


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


class ChipReader:
    """Finds and names the chips of one deck."""

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float) -> None:
        self._chips = tuple(chips)
        self._diameters = [chip.size_mm[0] / space_mm for chip in chips]
        diameters = sorted(set(self._diameters), reverse=True)
        self._coarse = [self._unroll(diameter, _COARSE) for diameter in diameters]
        self._middle = [self._unroll(diameter, _MIDDLE) for diameter in diameters]
        self._fine = [self._unroll(diameter, _FINE) for diameter in diameters]

    def _unroll(self, diameter: float, scale: RingScale) -> Unrolled:
        rows = [index for index, own in enumerate(self._diameters) if own == diameter]
        return Unrolled.of(self._chips, rows, diameter, scale)

    def look(
        self, light: NDArray[np.float32], flat: FlatBoard, part: tuple[int, int, int, int]
    ) -> list[ChipLook]:
        """The chips on a part of the grid.

        Args:
            light: (H, W, 3) float32 board at `NAMING_PX`, as bright as its print.
            flat: The flat board that it was made from.
            part: Its left, top, right and bottom in spaces.
        """
        if not self._chips:
            return []
        likely = self._search(light, flat, part)
        return self._look_at(light, flat, self._try(light, flat, likely, _TRIED_PX))

    def look_near(
        self, light: NDArray[np.float32], flat: FlatBoard, places: list[tuple[float, float]]
    ) -> list[ChipLook]:
        """The chips of which the middle is near some places; light and flat board as in `look`."""
        if not self._chips:
            return []
        return self._look_at(light, flat, self._try(light, flat, places, _THERE_PX))

    def _look_at(
        self, light: NDArray[np.float32], flat: FlatBoard, places: list[tuple[float, float]]
    ) -> list[ChipLook]:
        middles = flat.pixel_of(np.array(places).reshape(-1, 2))
        parts = _parts(middles, _NAMED_AT_ONCE)
        with ThreadPoolExecutor(_WORKERS) as workers:
            looks = [
                look
                for part in workers.map(lambda some: self._name(light, flat, some), parts)
                for look in part
            ]
        likely = sorted(
            (look for look in looks if look.cost < _NAMING_SHARE), key=lambda look: look.cost
        )
        kept: list[ChipLook] = []
        for look in (look for look in likely if self._agrees(light, flat, look)):
            if all(_distance(look, other) > _APART * self._reach(look, other) for other in kept):
                kept.append(look)
        return sorted(kept, key=lambda look: (look.centre[1], look.centre[0]))

    def _agrees(self, light: NDArray[np.float32], flat: FlatBoard, look: ChipLook) -> bool:
        """Whether enough of a chip has its colours: finger tips are round too, but skin all over.

        Wrong ones must be gone before it is asked which of two that lie too near is meant.
        """
        if look.cost < _PLAIN:
            return True
        row = self._chips.index(look.face)
        group = next(group for group in self._fine if row in group.rows)
        rings = group.rings(light, flat.pixel_of(np.array([look.centre])))
        return group.agreeing_share(rings, row, look.turn_deg) > _LEAST_AGREEING

    @property
    def radii(self) -> list[float]:
        """The radii of the deck's chips in spaces."""
        return [diameter / 2 for diameter in self._diameters]

    def radius(self, look: ChipLook) -> float:
        """A chip's radius in spaces."""
        return self._diameters[self._chips.index(look.face)] / 2

    def _reach(self, first: ChipLook, second: ChipLook) -> float:
        return self.radius(first) + self.radius(second)

    def _search(
        self, light: NDArray[np.float32], flat: FlatBoard, part: tuple[int, int, int, int]
    ) -> list[tuple[float, float]]:
        """Places, in spaces, where something looks like a chip, the likeliest first."""
        ratio = SEARCH_PX / NAMING_PX
        shrunk = cv2.resize(light, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        small = np.asarray(cv2.GaussianBlur(shrunk, (0, 0), _SEARCH_BLUR_PX), np.float32)
        left, top, right, bottom = (_PLACES * side for side in part)
        x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
        places = (np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) / _PLACES
        middles = (places - flat.origin) * SEARCH_PX - 0.5
        with ThreadPoolExecutor(_WORKERS) as workers:
            costs = np.concatenate(
                list(
                    workers.map(
                        lambda some: self._rough(small, some, self._coarse, NOISE),
                        _parts(middles, _AT_ONCE),
                    )
                )
            )
        best = costs.reshape(x.shape)
        kernel = np.ones((2 * _NEAR + 1, 2 * _NEAR + 1), np.uint8)
        lowest = ((best <= cv2.erode(best, kernel)) & (best < _SEARCH_SHARE)).ravel()
        order = [index for index in np.argsort(costs, kind="stable") if lowest[index]][:_MOST]
        return [(float(places[index, 0]), float(places[index, 1])) for index in order]

    @staticmethod
    def _rough(
        light: NDArray[np.float32],
        middles: NDArray[np.float64],
        groups: Sequence[Unrolled],
        even: float,
    ) -> NDArray[np.float32]:
        """(P,) least share left open around middles (P, 2); none where all is as even as this."""
        costs = np.full(len(middles), np.inf, np.float32)
        for group in groups:
            shares, variance = group.rough_shares(group.rings(light, middles))
            costs = np.where(variance > NOISE + even, np.minimum(costs, shares), costs)
        return costs

    def _try(
        self,
        light: NDArray[np.float32],
        flat: FlatBoard,
        places: list[tuple[float, float]],
        steps: NDArray[np.float64],
    ) -> list[tuple[float, float]]:
        """Those of the places around which a chip fits well enough, moved to where it fits best."""
        if not places:
            return []
        middles = (flat.pixel_of(np.array(places))[:, None] + _lattice(steps)).reshape(-1, 2)
        best = self._rough(light, middles, self._middle, 0.0)
        around = best.reshape(len(places), -1)
        chosen = around.argmin(axis=1)
        lowest = around.min(axis=1)
        kept = [row for row in np.argsort(lowest, kind="stable") if lowest[row] < _MIDDLE_SHARE]
        moved = flat.place_of(middles.reshape(len(places), -1, 2)[np.arange(len(places)), chosen])
        apart = _APART * min(self._diameters)
        found: list[tuple[float, float]] = []
        for row in kept:
            x_mid, y_mid = float(moved[row, 0]), float(moved[row, 1])
            if all(np.hypot(x_mid - x_own, y_mid - y_own) > apart for x_own, y_own in found):
                found.append((x_mid, y_mid))
        return found

    def _name(
        self, light: NDArray[np.float32], flat: FlatBoard, middles: NDArray[np.float64]
    ) -> list[ChipLook]:
        """The likeliest chip around each of some middles (P, 2) in pixels."""
        found = [_fit(light, middles, group) for group in self._fine]
        rows = [row for group in self._fine for row in group.rows]
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
    near = middles[:, None] + _lattice(_NEARER_PX)
    around, _ = group.shares(group.rings(light, near.reshape(-1, 2)))
    best = around.reshape(count, near.shape[1], -1).min(axis=2).argmin(axis=1)
    nearest = near[np.arange(count), best][:, None] + _lattice(_NEAREST_PX)
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


def _lattice(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N², 2) all pairs of steps."""
    x, y = np.meshgrid(steps, steps)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _parts(middles: NDArray[np.float64], size: int) -> Iterable[NDArray[np.float64]]:
    return (middles[start : start + size] for start in range(0, len(middles), size))


def _distance(first: ChipLook, second: ChipLook) -> float:
    (x1, y1), (x2, y2) = first.centre, second.centre
    return float(np.hypot(x1 - x2, y1 - y2))
