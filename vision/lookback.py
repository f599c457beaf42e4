"""When did it come to lie there? Looking back through the frames for the first one at rest.

A piece seen at rest is compared with the same patch of earlier frames, pixel by pixel where its
picture has structure. While it lies, the pixels that no hand hides are the same as at rest; one
frame before it landed, nearly none are. The step between the two is the landing. Hands that hold
the piece down only shrink the share that can be seen, and do so gradually.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.in_place import comes_at_once, lay_there_from, shaded_from
from vision.resting import HOLD_S, TOLERANCE_LEVELS, Floats, Mask, RestView, structure
from vision.ring import PastPatch
from vision.sliding import MAY_MOVE_PX, MIN_PIXELS, come_to_rest

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
_BUSY, _CALM = 0.3, 0.25
"""Share of a place that moves as a hand lays something there, and the part of it at which the hand
has come to rest."""
_COMES_S = 0.3
"""A hand comes this long before it covers half of a place."""
_LETS_GO_S = 0.25
"""Nobody lets go of a card so soon after it has landed that it lies bare by then: of 409 landings
that were dated right none did, and 5 of those that were dated too late, when a hand drew back
within two frames."""
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
    is_bare: bool = False,
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
        is_bare: Whether nothing lies over the piece at rest, which a hand must have brought.

    Returns:
        The landing, or None where the piece lay there in every frame or shows no structure.
    """
    seen = past[: at_rest + 1]
    view = RestView(seen, piece)
    if not view.tells:
        return None
    shares, parts = view.shares, view.parts
    times = [patch.timestamp_s for patch in past]
    possible_from = sum(time_s < not_before_s for time_s in times[: len(shares)])
    first = _first_at_rest(shares, times, possible_from)
    if first is not None and shares[first] < _STRONG_SHARE and not parts[first : first + 3].any():
        first = _first_above(shares, _STRONG_SHARE, first) or first  # no part of it: that is chance
    if first is None or first == 0:
        return None
    step = float(shares[first] - shares[first - 1])
    at_once = _REVEALED if step >= _WEAK_SHARE else _REVEALED_WEAKLY
    if may_be_hidden:
        lay_there = lay_there_from(seen, view, (possible_from, first), piece)
        if lay_there is not None and comes_at_once((parts, shares), lay_there, times):
            first, step = lay_there, float(parts[lay_there])
            return Landing(past[first].index, times[first], times[first] - times[first - 1], step)
        if lay_there is not None or _is_revealed(shares, first, times, at_once):
            known = first if lay_there is None else lay_there
            return _hidden_landing(past, (possible_from, known), piece, step)
        shaded = shaded_from(view, (possible_from, first))
        was_uncovered = is_bare and times[at_rest] - times[first] < _LETS_GO_S
        if shaded is not None or was_uncovered:
            known = first if shaded is None else shaded
            return _hidden_landing(past, (possible_from, known), piece, step)
    first, way_px = come_to_rest(seen, first, piece)
    frame_s = times[first] - times[first - 1]
    is_exact = _is_clean(shares, first) and way_px <= MAY_MOVE_PX
    half_width_s = frame_s / 2 if is_exact else frame_s
    if step < _WEAK_SHARE:
        half_width_s = max(half_width_s, HOLD_S)  # chance would do as much: the moment was hidden
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


def _hidden_landing(
    past: Sequence[PastPatch], between: tuple[int, int], piece: Mask, step: float
) -> Landing:
    """The landing of a piece that was hidden: any time since its place was covered."""
    possible_from, first = between
    before = past[0].luma.astype(np.float32)
    telling = piece & structure(past[0].luma)
    covered = first
    while covered > max(1, possible_from) and np.count_nonzero(telling) >= MIN_PIXELS:
        patch = past[covered - 1]
        luma = patch.luma.astype(np.float32) * (past[0].brightness / patch.brightness)
        alike = np.abs(luma - before)[telling] < 2 * TOLERANCE_LEVELS
        if float(alike.mean()) > _STILL_SEEN:
            break
        covered -= 1
    from_s, to_s = past[covered - 1].timestamp_s, past[first].timestamp_s
    start = next(at for at, patch in enumerate(past) if patch.timestamp_s >= from_s - _COMES_S)
    calm_s = _calms_s(past[start : first + 1], piece)
    likely_s = (from_s + to_s) / 2 if calm_s is None else max(calm_s, from_s)
    nearest = min(past, key=lambda patch: abs(patch.timestamp_s - likely_s))
    half_s = max(nearest.timestamp_s - from_s, to_s - nearest.timestamp_s) + _EDGE_S
    return Landing(nearest.index, nearest.timestamp_s, half_s, step)


def _calms_s(past: Sequence[PastPatch], piece: Mask) -> float | None:
    """When the motion in a place first calms down: the hand that brought a piece rests on it.

    Where nothing moves all the time it rested there from the start; where all does, None.
    """
    motion = []
    for before, patch in pairwise(past):
        gain = before.brightness / patch.brightness
        luma = patch.luma[piece].astype(np.float32) * gain
        moved = np.abs(luma - before.luma[piece].astype(np.float32)) > TOLERANCE_LEVELS
        motion.append(float(moved.mean()))
    calm = next((i for i, share in enumerate(motion) if share < _CALM * max(motion[: i + 1])), None)
    if max(motion[:calm], default=0.0) < _BUSY:
        return past[0].timestamp_s
    if calm is None:
        return None
    peak = int(np.argmax(motion[:calm]))
    half = next(i for i in range(peak, calm + 1) if motion[i] <= motion[peak] / 2)
    return past[half].timestamp_s


def _is_clean(shares: Floats, first: int) -> bool:
    """Whether one frame made the whole difference; else its neighbours are possible as well."""
    ahead = float(shares[first : first + 4].max())
    is_full = float(shares[first]) >= _MAIN_STEP * ahead
    return is_full and float(shares[first - 1]) <= _LEFTOVER * float(shares[first])


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
