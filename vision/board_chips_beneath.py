"""Chips that a hand, or the picture's edge, leaves in part in sight: found and named by that part.

A chip is round and has a few strong colours, so a third of it tells which it is; but finger tips
are round, too. What lies over the board tells its own colours where no chip is asked about, and a
pixel of such a colour says nothing. What is left must agree with one chip, and clearly better than
with any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_chip_naming import NAMING_PX, ChipLook
from vision.board_chip_parts import ChipParts, PartFits, PartlySeen
from vision.board_cover import colour_bins, common_colours
from vision.board_fit import ERROR_CAP, FloatArray
from vision.board_looks import FINE_PX, QUARTERS, SpaceLook, quarter_of
from vision.board_print import PrintedFace
from vision.board_rings import RingScale
from vision.board_view import FlatBoard
from vision.board_windows import turn_back

_ROUGH, _FINE = RingScale(5, 16, NAMING_PX, 1.2), RingScale(7, 32, NAMING_PX, 0.8)
_ROUGH_LIGHTS, _LIGHTS = (0.7, 1.0), (0.6, 0.75, 0.9, 1.05)
_FINE_LIGHTS = (0.6, 0.68, 0.75, 0.82, 0.9, 0.97, 1.05)
"""How bright a chip is against its card: a hand's shadow may fall on either."""
_REACH_PX, _STEP_PX = 36, 4.0
"""How far from a card's middle a chip's middle is sought, and how finely."""
_NEARER_PX, _NEAREST_PX = np.arange(-6, 7, 3.0), np.arange(-2, 3, 1.0)
_DISC_PX, _OPEN = 23, 0.12
"""A chip's middle is where so much around is unlike the card."""
_LEAST_OVER = 0.015
"""Over a smaller share of a card lies nothing: it is the grain of the picture."""
_STRANGE = 0.02
"""Least squared error at which a pixel is unlike the card."""
_LEAST_CUT = 0.03
"""Share of a card beyond the picture's edge, where a chip may lie across that edge."""
_LEAST_CARD = 0.25
"""Of a card of which less is in sight nothing is told about chips."""
_LEAST_ROUGH_MM2, _LEAST_NEAR_MM2 = 8.0, 8.0
_LEAST_GAIN_MM2, _LEAST_LEAD_MM2, _LEAST_SHARE = 25.0, 6.5, 0.18
"""Area that a chip must explain, how much more than any other chip, and which share of it. Right
ones explain 32 and more and lead by 7.5 and more; skin, flowers and lawn explain up to 37, but lead
by 4 at most. Of a slip of a chip's rim two sizes are hard to tell: it must be a sixth of a chip."""
_SOFT_PX, _GRAIN_PX = 1.2, 5
_AROUND_PX = 26.0
"""What is nearer to a chip's middle than that says nothing of the thing's colours."""
_LEAST_LIGHT, _MOST_LIGHT, _LIT = 0.3, 2.0, 0.4
"""The light of a card that is explained to the last share is that of its chips."""


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """A card in its own frame, at `NAMING_PX` pixels a space.

    Attributes:
        look: What is known of it.
        place: What is seen there; of the thing nothing is known yet.
        bins: (H, W) which colour each pixel has.
        strange: (H, W) bool where the thing or a chip lies.
    """

    look: SpaceLook
    place: PartlySeen
    bins: NDArray[np.int32]
    strange: NDArray[np.bool_]

    def spaces_of(self, pixels: NDArray[Any]) -> NDArray[np.float64]:
        """Pixels (N, 2) of the window as places on the board, in spaces."""
        away = (pixels - (len(self.strange) - 1) / 2) / NAMING_PX
        turn = np.deg2rad(self.look.turn_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        return np.asarray(away @ np.array([[cos, sin], [-sin, cos]]) + self.look.centre)


@dataclass(frozen=True, slots=True, eq=False)
class _Thing:
    """What lies over the board: where (N, 2) in spaces, and in which colours (N,)."""

    places: NDArray[np.float64]
    bins: NDArray[np.int32]

    def beside(self, window: _Window, at: NDArray[np.float64]) -> PartlySeen:
        """A window's card, where pixels of the colours that it has elsewhere say nothing.

        Args:
            window: The card.
            at: (2,) the pixel of the window near which a chip may have colours of its own.
        """
        away = np.hypot(*(self.places - window.spaces_of(at[None])[0]).T) * NAMING_PX
        colours = common_colours(self.bins[away > _AROUND_PX])
        return window.place if colours is None else _without(window, colours)


class BeneathReader:
    """Reads the chips of one deck of which something leaves a part in sight."""

    def __init__(self, chips: Sequence[PrintedFace], space_mm: float) -> None:
        self._chips = tuple(chips)
        self._rough = ChipParts(chips, space_mm, _ROUGH)
        self._fine = ChipParts(chips, space_mm, _FINE)

    def look(
        self,
        light: FloatArray,
        free: FloatArray,
        near: FlatBoard,
        cover: NDArray[np.bool_],
        looks: Sequence[SpaceLook],
    ) -> list[ChipLook]:
        """The chips under something on some cards.

        Args:
            light: (H, W, 3) float32 board at `NAMING_PX`, as bright as its print.
            free: (H, W) float32, 0 under chips that were read.
            near: The flat board that it was made from.
            cover: (h, w) where something lies over the same part of the board, at `FINE_PX`.
            looks: The cards.
        """
        if not self._chips or not (cover.any() or (~near.is_inside).any()):
            return []
        size = (light.shape[1], light.shape[0])
        over = cv2.resize(cover.astype(np.float32), size, interpolation=cv2.INTER_NEAREST)
        soft = np.asarray(cv2.GaussianBlur(light, (0, 0), _SOFT_PX), np.float32)
        weights = (free, over * free, near.is_inside.astype(np.float32))
        windows = [
            window
            for look in looks
            if look.best is not None
            and (window := _window(look, near, (light, soft), weights)) is not None
        ]
        if not windows:
            return []
        thing = _Thing(
            np.concatenate([w.spaces_of(np.argwhere(w.strange)[:, ::-1]) for w in windows]),
            np.concatenate([w.bins[w.strange] for w in windows]),
        )
        return [chip for window in windows for chip in self._on_card(window, thing)]

    def _on_card(self, window: _Window, thing: _Thing) -> Iterator[ChipLook]:
        look = window.look
        face = None if look.best is None else look.best.face
        # Chips are for cards that lie face up: on a pond the edge of a shadow looks like one.
        if face is None or face.kind != "path" or look.explained * look.visible < _LEAST_CARD:
            return
        for start in self._starts(window, thing):
            place = thing.beside(window, start)
            middles = start + _lattice(_NEARER_PX)
            fits = self._fine.fits(place, middles, _LIGHTS)
            best = fits.gains_mm2.max(axis=1)
            if best.max() < _LEAST_NEAR_MM2:
                continue
            middles = middles[int(best.argmax())] + _lattice(_NEAREST_PX)
            chip = self._named(window, middles, self._fine.fits(place, middles, _FINE_LIGHTS))
            if chip is not None:
                yield chip

    def _starts(self, window: _Window, thing: _Thing) -> list[NDArray[np.float64]]:
        """Where on each quarter a chip's middle is likeliest, (2,) pixels of the window."""
        half = (len(window.strange) - 1) / 2
        away = _lattice(np.arange(-_REACH_PX, _REACH_PX + 1, _STEP_PX))
        unlike = (window.place.card * window.place.counts > _STRANGE).astype(np.float32)
        around = cv2.blur(unlike, (_DISC_PX, _DISC_PX), borderType=cv2.BORDER_CONSTANT)
        rows, cols = np.round(away + half).astype(int).T[::-1]
        away = away[around[rows, cols] > _OPEN]
        quarters = np.array([quarter_of(*each) for each in away])
        starts = []
        for name, middle in QUARTERS.items():
            tried = away[quarters == name] + half
            if len(tried):
                # Skin is much like some chips: what has the thing's colours says nothing.
                place = thing.beside(window, np.array(middle) * NAMING_PX + half)
                gains = self._rough.fits(place, tried, _ROUGH_LIGHTS).gains_mm2.max(axis=1)
                if gains.max() >= _LEAST_ROUGH_MM2:
                    starts.append(tried[int(gains.argmax())])
        return starts

    def _named(
        self, window: _Window, middles: NDArray[np.float64], fits: PartFits
    ) -> ChipLook | None:
        """The chip that fits around some middles (P, 2), or None where none clearly does."""
        gains = fits.gains_mm2.max(axis=0)
        order = np.argsort(-gains, kind="stable")
        first, second = int(order[0]), int(order[1]) if len(order) > 1 else None
        gain = float(gains[first])
        other = 0.0 if second is None else float(gains[second])
        least = max(_LEAST_GAIN_MM2, _LEAST_SHARE * _area_mm2(self._chips[first]))
        if gain < least or gain - other < _LEAST_LEAD_MM2:
            return None
        at = int(fits.gains_mm2[:, first].argmax())
        seen = max(float(fits.seen_mm2[at, first]), gain)
        x, y = window.spaces_of(middles[at][None])[0]
        return ChipLook(
            face=self._chips[first],
            rival=None if second is None else self._chips[second],
            cost=1 - gain / seen,
            rival_cost=np.inf if second is None else 1 - max(other, 0.0) / seen,
            error=ERROR_CAP * (1 - gain / seen),
            centre=(float(x), float(y)),
            turn_deg=float(fits.turns_deg[at, first]) + window.look.turn_deg,
        )


def _window(
    look: SpaceLook,
    near: FlatBoard,
    lights: tuple[FloatArray, FloatArray],
    weights: tuple[FloatArray, FloatArray, FloatArray],
) -> _Window | None:
    """The window of a card, or None where nothing lies over it and no picture's edge cuts it.

    Args:
        look: The card.
        near: The flat board.
        lights: (H, W, 3) the evened board, and the same softened.
        weights: (H, W) where no known chip lies, where something else lies over it, and what lies
            in the picture.
    """
    side = round(len(look.errors) * NAMING_PX / FINE_PX)
    middle = near.pixel_of(np.array([look.centre]))[0]
    pose = (float(middle[0]), float(middle[1]), look.turn_deg)
    light, counts = turn_back(lights[0], weights[0], pose, side)
    soft, over = turn_back(lights[1], weights[1], pose, side)
    inside = turn_back(lights[0], weights[2], pose, side)[1]
    is_cut = inside.mean() < 1 - _LEAST_CUT
    if not is_cut and not (over > 0).any():
        return None
    capped = np.minimum(look.errors, np.float32(ERROR_CAP))
    card = np.asarray(cv2.resize(capped, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)
    lit = light.transpose(1, 2, 0)
    if look.explained > _LIT:
        lit = (lit - look.light[1]) / np.clip(look.light[0], _LEAST_LIGHT, _MOST_LIGHT)
    strange = (over > 0) & (card > _STRANGE)
    if not is_cut and strange.mean() < _LEAST_OVER:
        return None
    place = PartlySeen(np.ascontiguousarray(lit, np.float32), card, counts)
    return _Window(look, place, colour_bins(soft.transpose(1, 2, 0)), strange)


def _without(window: _Window, colours: NDArray[np.bool_]) -> PartlySeen:
    """What is seen of a card where pixels of some colours (B,) say nothing."""
    is_thing = cv2.medianBlur(colours[window.bins].astype(np.uint8), _GRAIN_PX) > 0
    place = window.place
    return replace(place, counts=np.where(is_thing, np.float32(0), place.counts))


def _area_mm2(chip: PrintedFace) -> float:
    return float(np.pi * (chip.size_mm[0] / 2) ** 2)


def _lattice(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N², 2) all pairs of steps."""
    return np.array(list(product(steps, steps)), np.float64)
