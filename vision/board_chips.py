"""Finding round chips on a flat board, and naming them whichever way they are turned.

A chip is first sought as it looks when it is turned through all angles at once; then its picture
is unrolled around its middle, where a turn is a shift, and compared with every chip at every turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_fit import least_cost
from vision.board_print import PrintedFace
from vision.board_view import FlatBoard

SEARCH_PX, NAMING_PX = 32, 96
"""Pixels a space while chips are sought, and while they are named."""
_RIM = 0.94
"""Only this share of the radius is compared: the rim throws a shadow and is seen from the side."""
_SEARCH_SHARE, _MIDDLE_SHARE, _NAMING_SHARE = 1.1, 1.0, 1.0
SURE_SHARE = 0.72
"""Share of the picture's variance that a chip may leave unexplained, as it is sought, tried and
named, and where nothing else needs to speak for it. A chip leaves 0.05 to 0.3, seen noisily up to
0.7; a lawn, a path or a flower 0.77 and more."""
_NOISE = 0.01
"""Variance that any part of a picture has; an even lawn explains nothing of it."""
_TRIED_PX, _THERE_PX = np.array([-2.5, 0.0, 2.5]), np.zeros(1)
_NEARER_PX, _NEAREST_PX = np.array([-1.2, 0.0, 1.2]), np.array([-0.6, 0.0, 0.6])
"""Steps around a place at which a chip's middle is tried, coarse to fine."""
_APART = 0.75
"""Two chips lie at least this share of a diameter apart; one may lie half upon the other."""
_MOST = 60
"""Places tried, the likeliest first; the game has 36 chips. One that looks much like what it lies
on is found where the card beneath it has been read (`board.py`)."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """How finely chips are unrolled: rings and angles, at some pixels a space, blurred before."""

    rings: int
    angles: int
    space_px: int
    blur_px: float


_SEARCH_BLUR_PX = 0.8
_COARSE = _Scale(5, 16, SEARCH_PX, _SEARCH_BLUR_PX)
_MIDDLE = _Scale(8, 32, NAMING_PX, 0.0)
_FINE = _Scale(14, 64, NAMING_PX, 0.0)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Unrolled:
    """Chips of one diameter, unrolled.

    Attributes:
        rows: Their places in the list of all chips.
        diameter: In spaces.
        spectra: (K, 3, R, A/2+1) of their rings.
        means: (K, 3) weighted mean, and `squares` the mean square.
        squares: (K, 3).
    """

    rows: tuple[int, ...]
    diameter: float
    spectra: NDArray[np.complex64]
    means: NDArray[np.float32]
    squares: NDArray[np.float32]


class ChipReader:
    """Finds and names the chips of one deck."""

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float) -> None:
        self._chips = tuple(chips)
        self._diameters = [chip.size_mm[0] / space_mm for chip in chips]
        diameters = sorted(set(self._diameters), reverse=True)
        self._coarse = [self._unroll(diameter, _COARSE) for diameter in diameters]
        self._middle = [self._unroll(diameter, _MIDDLE) for diameter in diameters]
        self._fine = [self._unroll(diameter, _FINE) for diameter in diameters]

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
        looks = [self._name(light, flat, place) for place in places]
        likely = sorted(
            (look for look in looks if look.cost < _NAMING_SHARE), key=lambda look: look.cost
        )
        kept: list[ChipLook] = []
        for look in likely:
            if all(_distance(look, other) > _APART * self._reach(look, other) for other in kept):
                kept.append(look)
        return sorted(kept, key=lambda look: (look.centre[1], look.centre[0]))

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
        costs = np.full(len(places), np.inf, np.float32)
        for group in self._coarse:
            rings = _rings(small, middles, group.diameter * SEARCH_PX / 2, _COARSE)
            uneven = rings.var(axis=(2, 3)).sum(axis=1) > _NOISE
            shares = _rough_shares(rings[uneven], group, _COARSE)
            costs[uneven] = np.minimum(costs[uneven], shares)
        best = costs.reshape(x.shape)
        kernel = np.ones((2 * _NEAR + 1, 2 * _NEAR + 1), np.uint8)
        lowest = ((best <= cv2.erode(best, kernel)) & (best < _SEARCH_SHARE)).ravel()
        order = [index for index in np.argsort(costs, kind="stable") if lowest[index]][:_MOST]
        return [(float(places[index, 0]), float(places[index, 1])) for index in order]

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
        x, y = np.meshgrid(steps, steps)
        offsets = np.stack([x.ravel(), y.ravel()], axis=1)
        middles = (flat.pixel_of(np.array(places))[:, None] + offsets).reshape(-1, 2)
        best = np.full(len(middles), np.inf, np.float32)
        for group in self._middle:
            rings = _rings(light, middles, group.diameter * NAMING_PX / 2, _MIDDLE)
            best = np.minimum(best, _rough_shares(rings, group, _MIDDLE))
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
        self, light: NDArray[np.float32], flat: FlatBoard, place: tuple[float, float]
    ) -> ChipLook:
        middle = flat.pixel_of(np.array([place]))[0]
        costs = np.full(len(self._chips), np.inf)
        errors = np.zeros(len(self._chips))
        poses: dict[int, tuple[float, float, float]] = {}
        for group in self._fine:
            near, around, _ = _compare(light, middle, _NEARER_PX, group)
            nearest = near[int(around.min(axis=(1, 2)).argmin())]
            offsets, values, variance = _compare(light, nearest, _NEAREST_PX, group)
            for index, row in enumerate(group.rows):
                where, turn = np.unravel_index(
                    int(values[:, index].argmin()), values[:, index].shape
                )
                costs[row] = values[where, index, turn]
                errors[row] = costs[row] * variance[where]
                x, y = offsets[where]
                poses[row] = (float(x), float(y), 360.0 * float(turn) / _FINE.angles)
        order = np.argsort(costs, kind="stable")
        first = int(order[0])
        x, y, turn_deg = poses[first]
        centre = flat.place_of(np.array([[x, y]]))[0]
        rival = self._chips[int(order[1])] if len(order) > 1 else None
        rival_cost = float(costs[order[1]]) if len(order) > 1 else np.inf
        return ChipLook(
            self._chips[first], rival, float(costs[first]), rival_cost, float(errors[first]),
            (float(centre[0]), float(centre[1])), turn_deg,
        )  # fmt: skip

    def _unroll(self, diameter: float, scale: _Scale) -> _Unrolled:
        rows = tuple(index for index, own in enumerate(self._diameters) if own == diameter)
        rings = np.stack([_rings_of_face(self._chips[row], diameter, scale) for row in rows])
        weights = _ring_weights(scale)
        return _Unrolled(
            rows=rows,
            diameter=diameter,
            spectra=np.fft.rfft(rings, axis=3).astype(np.complex64),
            means=np.einsum("kbra,r->kb", rings, weights).astype(np.float32),
            squares=np.einsum("kbra,r->kb", rings * rings, weights).astype(np.float32),
        )


def _compare(
    light: NDArray[np.float32],
    near: NDArray[np.float64],
    steps: NDArray[np.float64],
    group: _Unrolled,
) -> tuple[NDArray[np.float64], NDArray[np.float32], NDArray[np.float32]]:
    """Middles (P, 2) tried around one, what each chip at each turn leaves open, and the variance.

    Returns:
        (P, 2) middles, (P, K, A) shares, (P,) variances.
    """
    x, y = np.meshgrid(steps, steps)
    middles = near + np.stack([x.ravel(), y.ravel()], axis=1)
    rings = _rings(light, middles, group.diameter * NAMING_PX / 2, _FINE)
    shares, variance = _shares(rings, group, _FINE)
    return middles, shares, variance


def _rough_shares(
    rings: NDArray[np.float32], group: _Unrolled, scale: _Scale
) -> NDArray[np.float32]:
    """(P,) least share that any chip leaves open, one gain for all colours: quick to work out."""
    weights = _ring_weights(scale)
    mean = np.einsum("pbra,r->pb", rings, weights)
    square = np.einsum("pbra,r->pb", rings * rings, weights)
    spectra = np.fft.rfft(rings * weights[:, None], axis=3).astype(np.complex64)
    count, bands, deep, waves = spectra.shape
    seen = spectra.transpose(3, 0, 1, 2).reshape(waves, count, bands * deep)
    faces = group.spectra.conj().transpose(3, 1, 2, 0).reshape(waves, bands * deep, -1)
    cross = np.fft.irfft(np.matmul(seen, faces), n=scale.angles, axis=0).max(axis=0)
    shared = np.maximum(cross - mean @ group.means.T, 0)
    own = (group.squares - group.means**2).sum(axis=1)
    variance = (square - mean * mean).sum(axis=1) + _NOISE
    return np.asarray((1 - shared**2 / (own * variance[:, None])).min(axis=1), np.float32)


def _shares(
    rings: NDArray[np.float32], group: _Unrolled, scale: _Scale
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(P, K, A) share of the variance (P,) in rings (P, 3, R, A) that each chip leaves open."""
    weights = _ring_weights(scale)
    mean = np.einsum("pbra,r->pb", rings, weights)
    square = np.einsum("pbra,r->pb", rings * rings, weights)
    spectra = np.fft.rfft(rings * weights[:, None], axis=3).astype(np.complex64)
    both = np.matmul(spectra.transpose(1, 3, 0, 2), group.spectra.conj().transpose(1, 3, 2, 0))
    cross = np.fft.irfft(both.transpose(2, 3, 0, 1), n=scale.angles, axis=3).astype(np.float32)
    costs = least_cost(
        group.means[None, :, :, None], group.squares[None, :, :, None],
        mean[:, None, :, None], square[:, None, :, None], cross,
    )  # fmt: skip
    variance = np.asarray((square - mean * mean).sum(axis=1) + _NOISE, np.float32)
    return np.asarray(costs.sum(axis=2) / variance[:, None, None], np.float32), variance


def _ring_weights(scale: _Scale) -> NDArray[np.float32]:
    """(R,) share of one sample of each ring in the whole: outer rings are longer."""
    radii = (np.arange(scale.rings) + 0.5).astype(np.float32)
    return np.asarray(radii / radii.sum() / scale.angles, np.float32)


def _rings(
    image: NDArray[np.float32], middles: NDArray[np.float64], radius: float, scale: _Scale
) -> NDArray[np.float32]:
    """(P, 3, R, A) a picture around middles (P, 2), unrolled clockwise from the top."""
    radii = (np.arange(scale.rings) + 0.5) / scale.rings * radius * _RIM
    angles = 2 * np.pi * np.arange(scale.angles) / scale.angles
    x = middles[:, 0, None, None] + radii[:, None] * np.sin(angles)
    y = middles[:, 1, None, None] - radii[:, None] * np.cos(angles)
    count = len(middles)
    maps = [part.reshape(count, -1).astype(np.float32) for part in (x, y)]
    rolled = cv2.remap(image, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shape = (count, scale.rings, scale.angles, 3)
    pixels = np.asarray(rolled, np.float32).reshape(shape)
    return np.asarray(pixels.transpose(0, 3, 1, 2), np.float32)


def _rings_of_face(chip: PrintedFace, diameter: float, scale: _Scale) -> NDArray[np.float32]:
    side = max(8, round(diameter * scale.space_px))
    picture = _flat_face(chip, side)
    if scale.blur_px:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), scale.blur_px), np.float32)
    middle = np.array([[(side - 1) / 2, (side - 1) / 2]])
    return np.asarray(_rings(picture, middle, side / 2, scale)[0], np.float32)


def _flat_face(chip: PrintedFace, side: int) -> NDArray[np.float32]:
    """(side, side, 3) float32 of a chip, 0 to 1; grey where it is cut away."""
    pixels = chip.image.astype(np.float32) / 255
    pixels[..., :3] *= pixels[..., 3:]
    small = np.asarray(cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(small[..., :3] + 0.5 * (1 - small[..., 3:]), np.float32)


def _distance(first: ChipLook, second: ChipLook) -> float:
    (x1, y1), (x2, y2) = first.centre, second.centre
    return float(np.hypot(x1 - x2, y1 - y2))
