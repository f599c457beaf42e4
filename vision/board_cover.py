"""What lies over a board: a hand, a sleeve, a cup. It hides what is beneath and must not be read.

A pixel of a card can only have a colour that some card of the deck has at that place. Where none
has it over more than a chip's breadth, something else is seen there; the rest of the space is
still worth reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_looks import FINE_PX, QUARTERS, SpaceLook
from vision.board_view import FlatBoard
from vision.board_windows import turn_back

_STRANGE = 0.02
"""Least squared error, summed over the colours, at which a pixel is like no face: skin differs
from lawn by 0.1 and more; what is printed, in light that was evened, by 0.01."""
_LIT, _LIT_MARGIN = 0.65, 1.2
"""What so good a reading explains is not strange, even if it is so in a lamp's glare alone."""
_BLUR_PX = 1.2
"""In a dim room the grain of a picture alone is unlike any face."""
_GRAIN_PX, _GAP_PX, _LEAST_PX = 5, 9, 11
"""Of a card's `FINE_PX`: grain is taken out, gaps (a finger over a path) are closed, and what is
narrower than the last, 8 mm, is no hand."""
_RIM_PX = 7
"""Across what is left out around each pixel of a thing, where the card beneath it is compared."""
_HIDDEN = 0.5
"""Of a quarter that is covered to this share a chip may go unseen."""
_BENEATH = 0.3
"""What a margin counts for in which only a part of a card was compared: right readings of those
have 1.8 and more, wrong ones, of which the half that tells is hidden, up to 1.6."""
_HARDLY, _SURER = 1.4, 1.5
"""Where all of it, the hand included, was read with a smaller margin than the first, the part in
sight may say otherwise with one that is so many times as great."""
_BINS, _COMMON = 16, 2e-3
"""A thing has a colour, of `_BINS` shades of each band, that makes up this share of it."""
_MOTLEY = 0.25
"""Spread of colour, in brightness of 1, above which no one thing lies there but lamps and shadows:
hands have 0.14 to 0.21, the edges of shadows 0.28 and more."""
_LIKELIER, _FLANK_PX, _FINGER_PX = 3.0, 5, 25
"""What is joined to a thing belongs to it where its colour is so many times as frequent in the
thing as in print, and where it is not narrower than the flank of a finger; and what is between
flanks, a finger's breadth apart."""
_BLACK, _TINT = 0.15, 0.06
"""Sum of the colours below which none is told, and how far shares of them differ on one thing."""
_FEW = 100
"""From fewer pixels nothing is known of a thing's colours."""
_MOST_HOLE = 0.06
"""Holes of a smaller share of a space are where some flower has a hand's colour."""


def find_cover(
    light: NDArray[np.float32],
    flat: FlatBoard,
    looks: Sequence[SpaceLook],
    faces: NDArray[np.float32],
    bare: Sequence[NDArray[np.float32]],
    printed: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Where a flat board is unlike anything that can lie there, looked for on some spaces alone.

    Args:
        light: (H, W, 3) float32 board at `FINE_PX`, as bright as its print.
        flat: The flat board that it was made from.
        looks: The spaces, with the poses in which their cards lie.
        faces: (K, 3, S²) the middles of all faces in all rotations.
        bare: (3, S, S) the print of the bare board on each of the spaces.
        printed: (B,) the shares of colours in what is printed, as of `colour_shares`.

    Returns:
        (H, W) bool.
    """
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), _BLUR_PX), np.float32)
    strange = np.zeros(light.shape[:2], np.uint8)
    side = int(np.sqrt(faces.shape[-1]))
    every = np.ones(light.shape[:2], np.float32)
    for look, board in zip(looks, bare, strict=True):
        middle = flat.pixel_of(np.array([look.centre]))[0]
        pose = (float(middle[0]), float(middle[1]), look.turn_deg)
        patch, _ = turn_back(soft, every, pose, side)
        seen = patch.reshape(3, -1)
        errors = ((seen[None] - faces) ** 2).sum(axis=1).min(axis=0)
        errors = np.minimum(errors, ((seen - board.reshape(3, -1)) ** 2).sum(axis=0))
        if look.explained > _LIT and look.margin > _LIT_MARGIN:
            errors = np.minimum(errors, look.errors.ravel())
        _paste(strange, (errors.reshape(side, side) > _STRANGE).astype(np.uint8), middle)
    whole = _whole(strange)
    bins, thing = colour_bins(soft), whole & (strange > 0)
    colours = common_colours(bins[thing])
    if colours is None or float(soft[thing].std(axis=0).max()) > _MOTLEY:
        return whole
    own = colours & (colour_shares(bins[thing]) > _LIKELIER * printed)
    whole = _grown(whole, own[bins], _is_tinted_like(soft, thing))
    return _without_gaps_between(whole, strange > 0, ~colours[bins])


def colour_bins(light: NDArray[np.float32]) -> NDArray[np.int32]:
    """(...,) which colour each pixel (..., 3), 0 to 1, has for `common_colours`."""
    shades = np.clip(light * _BINS, 0, _BINS - 1).astype(np.int32)
    return np.asarray((shades[..., 0] * _BINS + shades[..., 1]) * _BINS + shades[..., 2])


def common_colours(bins: NDArray[np.int32]) -> NDArray[np.bool_] | None:
    """(B,) which colours a thing has whose pixels' colours (N,) are given; None where N is small.

    A colour that differs by one shade from a common one is common, too.
    """
    return colour_shares(bins) > _COMMON if len(bins) >= _FEW else None


def colour_shares(bins: NDArray[np.int32]) -> NDArray[np.float32]:
    """(B,) the share that each colour has in some pixels (N,), its next shades counted in part."""
    counts = np.bincount(bins, minlength=_BINS**3).astype(np.float32)
    shares = counts.reshape(_BINS, _BINS, _BINS) / max(float(counts.sum()), 1.0)
    for axis in range(3):
        beside = np.roll(shares, 1, axis) + np.roll(shares, -1, axis)
        shares = np.asarray((2 * shares + beside) / 4, np.float32)
    return np.asarray(shares.ravel())


def _grown(
    whole: NDArray[np.bool_], own: NDArray[np.bool_], alike: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The things (H, W) and what is joined to them and of their colours.

    Over sand and paths a hand is no stranger than some card; its flanks tell what it looks like,
    and between them it may be as bright as a path.

    Args:
        whole: (H, W) what is known of them.
        own: (H, W) where a colour is rather theirs.
        alike: (H, W) where it may be theirs in another light.
    """
    flanks = cv2.medianBlur(own.astype(np.uint8), _GRAIN_PX)
    flanks = cv2.morphologyEx(flanks, cv2.MORPH_OPEN, _disc(_FLANK_PX))
    _, labels = cv2.connectedComponents(np.asarray((flanks > 0) | whole, np.uint8))
    joined = np.zeros(int(labels.max()) + 1, np.bool_)
    joined[labels[whole]] = True
    joined[0] = False
    grown = joined[labels].astype(np.uint8)
    closed = cv2.morphologyEx(grown, cv2.MORPH_CLOSE, _disc(_FINGER_PX)) > 0
    return _without_holes(np.asarray((grown > 0) | (closed & alike), np.uint8)) > 0


def _is_tinted_like(soft: NDArray[np.float32], thing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(H, W) where a picture (H, W, 3) has the tint of most of a thing, however bright."""
    tints = soft / np.maximum(soft.sum(axis=2, keepdims=True), _BLACK)
    away = np.abs(tints - np.median(tints[thing], axis=0)).max(axis=2)
    return np.asarray(away < _TINT)


def _without_gaps_between(
    whole: NDArray[np.bool_], strange: NDArray[np.bool_], other: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The things (H, W) less what shows between fingers: like the deck, and of another colour."""
    gaps = (whole & ~strange & other).astype(np.uint8)
    wide = cv2.morphologyEx(gaps, cv2.MORPH_OPEN, _disc(_GRAIN_PX))
    return np.asarray(whole & (wide == 0))


def seen_beneath(cover: NDArray[np.bool_], flat: FlatBoard, look: SpaceLook) -> SpaceLook:
    """A look that knows how much of its space, and which of its quarters, something lies over."""
    middles = {name: np.add(look.centre, away) for name, away in QUARTERS.items()}
    shares = {name: _share(cover, flat, middle) for name, middle in middles.items()}
    hidden = tuple(name for name, share in shares.items() if share > _HIDDEN)
    return replace(look, visible=1 - sum(shares.values()) / len(shares), hidden=hidden)


def with_rim(cover: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Things (H, W) and what is so near to them that their blurred edge and their shadow lie there.

    No card's colours are right there, so a reading that is close may be surer without it.
    """
    return np.asarray(cv2.dilate(cover.astype(np.uint8), _disc(_RIM_PX)) > 0)


def means_alike(first: SpaceLook, second: SpaceLook) -> bool:
    """Whether the likeliest readings of two looks mean the same."""
    if first.best is None or second.best is None:
        return False
    return first.best.sameness == second.best.sameness


def judge_beneath(before: SpaceLook, beneath: SpaceLook, close: float) -> SpaceLook:
    """What is read of a space of which only a part is compared.

    Args:
        before: As all of it was read, with what lies over it.
        beneath: As the part that is in sight was read.
        close: The margin below which a reading is in doubt.
    """
    # What tells two cards apart may be a few pixels beside the thing: they say less than a card.
    rivals = tuple((rival, 1 + _BENEATH * (margin - 1)) for rival, margin in beneath.rivals)
    look = replace(beneath, rivals=rivals, visible=before.visible, hidden=before.hidden)
    if before.margin < close or before.best is None or look.best is None:
        return look
    if means_alike(before, look):
        # What was sure stays so; in the edge of a shadow much is strange that can be read. Which
        # way such a card is turned is told by the flowers alone that are in sight.
        return replace(look, rivals=before.rivals, visible=1.0)
    is_surer = beneath.margin > _SURER * before.margin and before.margin < _HARDLY
    if look.margin >= close and is_surer:
        return look
    return replace(look, rivals=((before.best, 1.0), *look.rivals))


def _share(cover: NDArray[np.bool_], flat: FlatBoard, middle: NDArray[np.float64]) -> float:
    """Share of the quarter around a middle (2,), in spaces, over which something lies."""
    side = FINE_PX // 2
    left, top = np.round(flat.pixel_of(middle[None])[0] - (side - 1) / 2).astype(int)
    part = cover[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
    return float(part.mean()) if part.size else 0.0


def _paste(onto: NDArray[np.uint8], patch: NDArray[np.uint8], middle: NDArray[np.float64]) -> None:
    """Puts a square around a middle, as far as it lies within."""
    side = len(patch)
    left, top = np.round(middle - (side - 1) / 2).astype(int)
    y0, x0 = max(0, top), max(0, left)
    part = onto[y0 : max(0, top + side), x0 : max(0, left + side)]
    high, wide = part.shape
    np.maximum(part, patch[y0 - top : y0 - top + high, x0 - left : x0 - left + wide], out=part)


def _whole(strange: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Strange pixels (H, W) as whole things, without grain and holes."""
    whole = cv2.medianBlur(strange, _GRAIN_PX)
    whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, _disc(_GAP_PX))
    whole = _without_holes(whole)
    return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _disc(_LEAST_PX)) > 0)


def _without_holes(whole: NDArray[Any]) -> NDArray[np.uint8]:
    _, labels, facts, _ = cv2.connectedComponentsWithStats(1 - whole, connectivity=4)
    small = facts[:, cv2.CC_STAT_AREA] < _MOST_HOLE * FINE_PX**2
    small[0] = False
    return np.asarray(whole | small[labels], np.uint8)


def _disc(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
