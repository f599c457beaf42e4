"""Finding round chips on a flat board, and naming them whichever way they are turned.

A chip is first sought as it looks when it is turned through all angles at once; then it is named
(`board_chip_naming.py`), and where that is not clear, as soft as a coarse picture shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import (
    NAMING_PX,
    SHARP,
    SOFT,
    ChipLook,
    ChipNamer,
    lattice,
    unroll_by_size,
    without_grain,
)
from vision.board_print import PrintedFace
from vision.board_rings import NOISE, RingScale, Unrolled
from vision.board_view import FlatBoard

SEARCH_PX = 32
"""Pixels a space while chips are sought."""
_SEARCH_SHARE, _MIDDLE_SHARE, _NAMING_SHARE = 1.1, 1.0, 1.0
SURE_SHARE = 0.72
"""Share of the picture's variance that a chip may leave unexplained, as it is sought, tried and
named, and where nothing else needs to speak for it. A chip leaves 0.05 to 0.3, seen noisily up to
0.7; a lawn, a path or a flower 0.77 and more."""
_PLAIN, _LEAST_AGREEING = 0.55, 0.4
"""A chip that leaves more than the first is looked at once more: of its pixels the second share
must be as the deck has them. Of chips 0.55 and more are, of fingers taken for one 0.3 and less."""
_TRIED_PX, _THERE_PX = np.array([-2.5, 0.0, 2.5]), np.zeros(1)
"""Steps around a place at which a chip's middle is tried."""
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
_SOFT_SHARE, _SOFT_MARGIN, _SOFT_AGREEING = 0.65, 1.35, 0.6
"""What a chip that is looked at softly may leave open at most, how many times as much the next one
must, and which share of it must have its colours. Chips leave up to 0.59, rivals 1.49 times as much
and more, and 0.87 and more agree; bushes are told by margins of up to 1.27, finger tips of which
0.12 agree up to 1.38."""
_CLOSE = 1.1
"""Where the next chip leaves less than this many times as much, they are told softly, too."""
_PLACES = 20
"""Places along a space at which chips are sought: 2.3 mm apart, a sixth of the smallest chip."""
_NEAR = 2
"""Of places that many steps apart, only the likeliest is looked at."""


class ChipReader:
    """Finds and names the chips of one deck."""

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float) -> None:
        self._chips = tuple(chips)
        self._diameters = [chip.size_mm[0] / space_mm for chip in chips]
        self._coarse = unroll_by_size(chips, space_mm, _COARSE)
        self._middle = unroll_by_size(chips, space_mm, _MIDDLE)
        self._sharp = ChipNamer(chips, space_mm, SHARP)
        self._space_mm = space_mm

    @cached_property
    def _soft(self) -> ChipNamer:
        return ChipNamer(self._chips, self._space_mm, SOFT)

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

    def look_softly(
        self, light: NDArray[np.float32], flat: FlatBoard, places: list[tuple[float, float]]
    ) -> list[ChipLook]:
        """Those chips near some places that are clear where prints are as soft as the picture.

        Of grain and of edges a few pixels wide less is left then, but bushes are more like chips:
        it is asked where the card does not explain what is seen.
        """
        tried = self._try(light, flat, places, _THERE_PX) if self._chips else []
        if not tried:
            return []
        soft = without_grain(light)
        looks = self._soft.name(soft, flat, flat.pixel_of(np.array(tried)))
        return [
            look
            for look in looks
            if look.cost < _SOFT_SHARE
            and look.margin > _SOFT_MARGIN
            and self._soft.agreeing_share(soft, flat, look) > _SOFT_AGREEING
        ]

    def tell_apart(
        self, light: NDArray[np.float32], flat: FlatBoard, found: list[ChipLook]
    ) -> list[ChipLook]:
        """The same chips, those that might be others told softly where that is clearer."""
        close = [look for look in found if look.margin < _CLOSE]
        if not close:
            return found
        middles = flat.pixel_of(np.array([look.centre for look in close]))
        soft = without_grain(light)
        again = self._soft.name(soft, flat, middles)
        told = {}
        for look, softly in zip(close, again, strict=True):
            is_clearer = softly.margin > (look.margin if softly.face is look.face else _SOFT_MARGIN)
            chosen = softly if is_clearer else look
            if chosen.margin < _CLOSE:
                chosen = self._soft.told_by_colour(soft, flat, chosen)
            told[id(look)] = chosen
        return [told.get(id(look), look) for look in found]

    def _look_at(
        self, light: NDArray[np.float32], flat: FlatBoard, places: list[tuple[float, float]]
    ) -> list[ChipLook]:
        middles = flat.pixel_of(np.array(places).reshape(-1, 2))
        parts = _parts(middles, _NAMED_AT_ONCE)
        with ThreadPoolExecutor(_WORKERS) as workers:
            looks = [
                look
                for part in workers.map(lambda some: self._sharp.name(light, flat, some), parts)
                for look in part
            ]
        likely = sorted(
            (look for look in looks if look.cost < _NAMING_SHARE), key=lambda look: look.cost
        )
        kept: list[ChipLook] = []
        for look in (look for look in likely if self._agrees(light, flat, look)):
            if self.lies_apart(look, kept):
                kept.append(look)
        return sorted(kept, key=lambda look: (look.centre[1], look.centre[0]))

    def _agrees(self, light: NDArray[np.float32], flat: FlatBoard, look: ChipLook) -> bool:
        """Whether enough of a chip has its colours.

        Wrong ones must be gone before it is asked which of two that lie too near is meant.
        """
        if look.cost < _PLAIN:
            return True
        return self._sharp.agreeing_share(light, flat, look) > _LEAST_AGREEING

    @property
    def radii(self) -> list[float]:
        """The radii of the deck's chips in spaces."""
        return [diameter / 2 for diameter in self._diameters]

    def radius(self, look: ChipLook) -> float:
        """A chip's radius in spaces."""
        return self._diameters[self._chips.index(look.face)] / 2

    def lies_apart(self, look: ChipLook, others: Iterable[ChipLook]) -> bool:
        """Whether a chip lies as far from others as chips must: what is nearer is their rim."""
        return all(
            _distance(look, other) > _APART * (self.radius(look) + self.radius(other))
            for other in others
        )

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
        middles = (flat.pixel_of(np.array(places))[:, None] + lattice(steps)).reshape(-1, 2)
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


def _parts(middles: NDArray[np.float64], size: int) -> Iterable[NDArray[np.float64]]:
    return (middles[start : start + size] for start in range(0, len(middles), size))


def _distance(first: ChipLook, second: ChipLook) -> float:
    (x1, y1), (x2, y2) = first.centre, second.centre
    return float(np.hypot(x1 - x2, y1 - y2))
