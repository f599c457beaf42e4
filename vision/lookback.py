"""When did it come to lie there? Looking back through the frames for the first one at rest.

A piece seen at rest is compared with the same patch of earlier frames, pixel by pixel where its
picture has structure. While it lies, the pixels that no hand hides are the same as at rest; one
frame before it landed, nearly none are. The step between the two is the landing. Hands that hold
the piece down only shrink the share that can be seen, and do so gradually.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.ring import PastPatch
from vision.sliding import MAY_MOVE_PX, MIN_PIXELS, MIN_STRUCTURE, come_to_rest, slopes

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_TOLERANCE_LEVELS = 7.0
_NOISE_FACTOR = 3.5
_HOLD_S = 0.1
"""A pixel counts as at rest when it keeps its look for this long: what moves past does not."""
_WEAK_SHARE = 0.10
"""A hand that holds a card down may hide nine tenths of it; chance matches stay below this."""
_STRONG_SHARE = 0.30
_SETTLED = 0.5
"""Share of what will match that must match in the frame of the landing: its hand still moves."""
_MAIN_STEP = 0.8
_LEFTOVER = 0.3
"""Share left in the frame before, as a part of the landing's: more may have been a landing too."""
_SUDDEN = 2.0
"""A landing in full view multiplies the share within a frame; a retreating hand adds to it."""
_AT_ONCE = 0.35
"""A landing in full view brings at least this part of what follows in one frame; a hand that
retreats brings less, frame after frame."""
_AT_ONCE_S, _SIGHT_S = 1 / 30, 0.1
_REVEALED = 1 / 3
"""Part of what comes into sight around the moment that must come within a thirtieth of a second
where a piece lands: it was 0.4 and more of 80 that did, and 0.29 where a hand left one that had
landed unseen."""
_REVEALED_WEAKLY = 0.45
"""The same where so little came at once that chance would do as much."""
_STILL_SEEN = 0.5
"""Share of what lay in a place before that must look so still: else the place is covered."""
_EDGE_S = 0.02
"""What an interval of frames lacks to both sides: half a frame."""


@dataclass(frozen=True, slots=True)
class Landing:
    """When a piece came to rest.

    Attributes:
        index: Index of the first frame in which it lies where it stays.
        timestamp_s: That frame's time.
        half_width_s: The true moment lies within `timestamp_s` plus or minus this.
        clear: Share of the piece's structure that fell into place in that frame, 0 to 1; small
            values mean that something hid the moment.
    """

    index: int
    timestamp_s: float
    half_width_s: float
    clear: float


def find_landing(
    past: Sequence[PastPatch],
    at_rest: int,
    piece: Mask,
    not_before_s: float = 0.0,
    *,
    may_be_hidden: bool = True,
) -> Landing | None:
    """Finds the first frame in which a patch already looked as it does at rest.

    Args:
        past: The patch in consecutive frames, oldest first; in the first one the piece must not
            lie there yet.
        at_rest: Position in `past` of a frame in which the piece lies at rest.
        piece: `(h, w)` bool, the pixels that the piece covers.
        not_before_s: A moment at which it still lay elsewhere.
        may_be_hidden: Whether a landing that nobody saw is given with all the time that is
            possible; else it is dated by when the piece comes into sight.

    Returns:
        The landing, or None where the piece lay there in every frame or shows no structure.
    """
    shares = rest_shares(past[: at_rest + 1], piece)
    if shares is None:
        return None
    times = [patch.timestamp_s for patch in past]
    possible_from = sum(time_s < not_before_s for time_s in times[: len(shares)])
    first = _first_at_rest(shares, times, possible_from)
    if first is None or first == 0:
        return None
    step = float(shares[first] - shares[first - 1])
    at_once = _REVEALED if step >= _WEAK_SHARE else _REVEALED_WEAKLY
    if may_be_hidden and _is_revealed(shares, first, times, at_once):
        return _hidden_landing(past, first, piece, step)
    first, way_px = come_to_rest(past[: at_rest + 1], first, piece)
    frame_s = times[first] - times[first - 1]
    is_exact = _is_clean(shares, first) and way_px <= MAY_MOVE_PX
    half_width_s = frame_s / 2 if is_exact else frame_s
    if step < _WEAK_SHARE:
        half_width_s = max(half_width_s, _HOLD_S)  # chance would do as much: the moment was hidden
    return Landing(past[first].index, times[first], half_width_s, step)


def _is_revealed(
    shares: Floats, first: int, times: Sequence[float], part_at_once: float = _REVEALED
) -> bool:
    """Whether a piece came into sight bit by bit: it lay there already, under a hand."""
    frame_s = (times[-1] - times[0]) / max(1, len(times) - 1)
    at_once = max(1, round(_AT_ONCE_S / frame_s))
    reach = max(2, round(_SIGHT_S / frame_s))
    window = shares[max(0, first - reach) : first + reach + 1]
    most = max((float(b - a) for a, b in zip(window, window[at_once:], strict=False)), default=0.0)
    return most < part_at_once * float(shares[first : first + 2 * reach].max())


def _hidden_landing(past: Sequence[PastPatch], first: int, piece: Mask, step: float) -> Landing:
    """The landing of a piece that was hidden: any time since its place was covered."""
    before = past[0].luma.astype(np.float32)
    telling = piece & _structure(past[0].luma)
    covered = first
    while covered > 1 and np.count_nonzero(telling) >= MIN_PIXELS:
        patch = past[covered - 1]
        luma = patch.luma.astype(np.float32) * (past[0].brightness / patch.brightness)
        alike = np.abs(luma - before)[telling] < 2 * _TOLERANCE_LEVELS
        if float(alike.mean()) > _STILL_SEEN:
            break
        covered -= 1
    from_s, to_s = past[covered - 1].timestamp_s, past[first].timestamp_s
    middle_s = (from_s + to_s) / 2
    nearest = min(past, key=lambda patch: abs(patch.timestamp_s - middle_s))
    return Landing(nearest.index, nearest.timestamp_s, (to_s - from_s) / 2 + _EDGE_S, step)


def _is_clean(shares: Floats, first: int) -> bool:
    """Whether one frame made the whole difference; else its neighbours are possible as well."""
    ahead = float(shares[first : first + 4].max())
    is_full = float(shares[first]) >= _MAIN_STEP * ahead
    return is_full and float(shares[first - 1]) <= _LEFTOVER * float(shares[first])


def rest_shares(past: Sequence[PastPatch], piece: Mask) -> Floats | None:
    """Share of the piece's telling pixels that keep the look of the last patch, one a frame.

    Telling are pixels with structure that looked different in the first patch.

    Args:
        past: The patch in consecutive frames; the last one shows the piece at rest.
        piece: `(h, w)` bool, the pixels that the piece covers.

    Returns:
        `(len(past),)` shares from 0 to 1 of pixels that look as at rest in this frame and in
        those of the next tenth of a second, or None where the piece shows too little structure.
    """
    rest = past[-1]
    tolerance = max(_TOLERANCE_LEVELS, _NOISE_FACTOR * _noise(past, piece))
    before = past[0].luma.astype(np.float32) * (rest.brightness / past[0].brightness)
    new = np.abs(rest.luma.astype(np.float32) - before) > 2 * tolerance
    telling = piece & _structure(rest.luma) & new
    if np.count_nonzero(telling) < MIN_PIXELS:
        return None
    reference = rest.luma[telling].astype(np.float32)
    alike = np.empty((len(past), reference.size), np.bool_)
    for position, patch in enumerate(past):
        gain = rest.brightness / patch.brightness
        values = patch.luma[telling].astype(np.float32) * gain
        alike[position] = np.abs(values - reference) < tolerance
    shares: Floats = _kept(alike, _hold_frames(past)).mean(axis=1)
    return shares


def resemblance(then: PastPatch, now: PastPatch, piece: Mask) -> float:
    """Share of a piece's structured pixels that look now as they did then, 0 to 1.

    Args:
        then: The piece's patch at rest.
        now: The same patch in another frame.
        piece: `(h, w)` bool, the pixels that the piece covers.
    """
    structure = piece & _structure_of(then)
    if then.luma.shape != now.luma.shape or np.count_nonzero(structure) < MIN_PIXELS:
        return 0.0
    values = now.luma[structure].astype(np.float32) * (then.brightness / now.brightness)
    difference = np.abs(values - then.luma[structure].astype(np.float32))
    return float(np.mean(difference < 2 * _TOLERANCE_LEVELS))


def _kept(alike: npt.NDArray[np.bool_], frames: int) -> npt.NDArray[np.bool_]:
    """Where a pixel is alike in a frame and in the frames that follow it."""
    kept = alike.copy()
    for ahead in range(1, frames):
        kept[:-ahead] &= alike[ahead:]
    return kept


def _hold_frames(past: Sequence[PastPatch]) -> int:
    step_s = (past[-1].timestamp_s - past[0].timestamp_s) / max(1, len(past) - 1)
    return min(8, max(2, round(_HOLD_S / step_s) + 1)) if step_s > 0 else 2


def _first_at_rest(shares: Floats, times: Sequence[float], possible_from: int) -> int | None:
    weak = _first_above(shares, _WEAK_SHARE, possible_from)
    strong = _first_above(shares, _STRONG_SHARE, possible_from)
    if weak is None or strong is None or weak == strong:
        return weak if strong is None else strong if weak is None else weak
    just_before = float(shares[max(0, strong - 6) : max(1, strong - 1)].max())
    if shares[strong] < _SUDDEN * just_before:
        return weak
    step = float(shares[strong] - shares[max(0, strong - 1)])
    is_at_once = step >= _AT_ONCE * float(shares[strong : strong + 6].max())
    # Chance creeps up to a weak share; what lands there, though hidden, does so at once.
    is_chance = _is_revealed(shares, weak, times) and not _is_revealed(shares, strong, times)
    return strong if is_at_once or is_chance else weak


def _first_above(shares: Floats, level: float, possible_from: int) -> int | None:
    """First possible frame whose share reaches a level and is near what follows."""
    for position in range(possible_from, len(shares)):
        ahead = float(shares[position : position + 4].max())
        if shares[position] >= level and shares[position] >= _SETTLED * ahead:
            return _main_step(shares, position)
    return None


def _main_step(shares: Floats, near: int) -> int:
    """The frame around a position that brings most; the later one where two bring about the same.

    Cards with large plain areas match in part while they still slide by their last pixels.
    """
    window = range(max(1, near), min(len(shares), near + 4))
    steps = [float(shares[position] - shares[position - 1]) for position in window]
    most = max(steps, default=0.0)
    main = [
        position for position, step in zip(window, steps, strict=True) if step >= _MAIN_STEP * most
    ]
    return main[-1] if main and near > 0 else near


@lru_cache(maxsize=128)
def _structure_of(patch: PastPatch) -> Mask:
    """The structure of a patch that is compared with many others."""
    return _structure(patch.luma)


def _structure(luma: Image) -> Mask:
    slope_x, slope_y = slopes(cv2.GaussianBlur(luma, (0, 0), 0.8).astype(np.float32))
    return np.asarray(np.hypot(slope_x, slope_y) > MIN_STRUCTURE, np.bool_)


def _noise(past: Sequence[PastPatch], piece: Mask) -> float:
    """Median difference of the last frames: what changes where nothing moves."""
    if len(past) < 3:
        return 0.0
    last, before = past[-1].luma[piece], past[-2].luma[piece]
    return float(np.median(np.abs(last.astype(np.float32) - before.astype(np.float32)))) * 1.48
