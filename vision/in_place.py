"""Whether a piece lay in its place already before it seems to have landed there.

What a hand leaves within a few frames looks like a landing in full view. But between the fingers,
or around them, some of it was seen in its place before, and what slides is never quite there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.resting import HOLD_S, Floats, Mask, RestView
from vision.ring import PastPatch
from vision.sliding import way_to_rest

_PARTS_SEEN, _MORE_PARTS = 0.05, 0.1
"""Share of a piece's parts that must be seen in their place in two frames, or in the last one
before its landing: then it lay there. While it slides chance brings up to 0.26 of them."""
_STAYS_S = 0.2
"""A single part that stays in its place this long, until more is seen, shows it, too, where a
tenth of the structure is seen within some frames: chance may keep a part for long."""
_SOON, _MOSTLY = 6, 0.5
"""What is as bright by chance has not the part's pattern: so it was in 0.07 of its frames, and in
all where a part was seen."""
_MUCH = 0.4
"""The same for its structure in the last frame, as a part of what follows."""
_IN_PLACE_PX = 0.1
"""How far it may be off its place then: what slides and seems to fit is 0.15 pixels and more off,
and what a hand leaves 0.01 to 0.07."""
_SLIDES_PX = 0.25
"""Nor is it ever farther off, as it is while it slides."""
_SHADED_PARTS, _SHADED_FRAMES = 0.08, 2
"""Share of a piece's parts that must be seen in the shadow of an arm, and in how many frames: so it
was with both of two that were dated too late, and with none of 87 that were dated right."""
_COMES_AT_ONCE = 2.0
_STAYS = 1.5
"""What lands in view between fingers comes at once and stays; a hand that leaves gives more with
each frame."""


def lay_there_from(
    past: Sequence[PastPatch], view: RestView, between: tuple[int, int], piece: Mask
) -> int | None:
    """The first frame before the landing in which parts of the piece are seen in their place.

    Args:
        past: The patch in consecutive frames; the last one shows the piece at rest.
        view: The piece at rest, held against the frames.
        between: Position from which on it may lie there, and the one of its landing.
        piece: `(h, w)` bool, the pixels that the piece covers.

    Returns:
        A position before the landing, or None where nothing was seen there before.
    """
    parts, shares, (possible_from, first) = view.parts, view.shares, between
    from_on = max(1, possible_from)
    around = range(from_on, min(first + 2, len(past) - 1))
    seen = [at for at in around if parts[at] >= _PARTS_SEEN]
    off_px = {at: way_to_rest(past, at, piece) for at in seen}
    if any(off > _SLIDES_PX for off in off_px.values()):
        return None

    def is_in_place(at: int) -> bool:
        off = off_px[at] if at in off_px else way_to_rest(past, at, piece)
        return off <= _IN_PLACE_PX

    still = [at for at in seen if at < first and is_in_place(at)]
    found = [
        at for at in still if at + 1 in still or (at == first - 1 and parts[at] >= _MORE_PARTS)
    ]
    stays = _stays_from(parts[:first], [patch.timestamp_s for patch in past], from_on)
    last, much = first - 1, _MUCH * float(shares[first : first + 4].max())
    others = [stays] if stays is not None and _is_shown(view, stays, first) else []
    others += [last] if last >= from_on and float(shares[last]) >= much else []
    return min([*found, *(at for at in others if is_in_place(at))], default=None)


def shaded_from(view: RestView, between: tuple[int, int]) -> int | None:
    """The first frame before the landing in which parts are seen in their place, in shadow.

    Args:
        view: The piece at rest, held against the frames.
        between: Position from which on it may lie there, and the one of its landing.

    Returns:
        A position two or more frames before the landing, or None where nothing was seen there.
    """
    start, end = max(1, between[0]), between[1] - 1
    if end - start < _SHADED_FRAMES:
        return None
    seen = view.shaded_parts(slice(start, end)) >= _SHADED_PARTS
    runs = np.convolve(seen, np.ones(_SHADED_FRAMES), "valid") >= _SHADED_FRAMES
    return start + int(np.argmax(runs)) if runs.any() else None


def _stays_from(parts: Floats, times: Sequence[float], from_on: int) -> int | None:
    """The frame from which some part, be it a single one, is seen in its place until the last."""
    unseen = np.flatnonzero(parts == 0)
    since = max(from_on, int(unseen[-1]) + 1 if unseen.size else 0)
    is_long = since < len(parts) and times[len(parts) - 1] - times[since] >= _STAYS_S
    return since if is_long else None


def _is_shown(view: RestView, stays: int, first: int) -> bool:
    """Whether a part that stays shows the piece: its structure soon, and what varies in a part."""
    is_much = float(view.shares[stays : stays + _SOON].max()) >= _MORE_PARTS
    return is_much and float((view.shaded_parts(slice(stays, first)) > 0).mean()) >= _MOSTLY


def comes_at_once(views: tuple[Floats, Floats], position: int, times: Sequence[float]) -> bool:
    """Whether a piece came into its place in one frame, and no more of it for a while.

    Args:
        views: Its parts that are seen, and the share of its structure, one a frame.
        position: The frame.
        times: When each frame was.
    """
    parts, shares = views
    if float(shares[position]) < _COMES_AT_ONCE * float(shares[position - 1]):
        return False
    until = int(np.searchsorted(times, times[position] + HOLD_S + 1e-6))
    now, before = float(parts[position]), float(parts[position - 1])
    is_at_once = now >= _COMES_AT_ONCE * max(before, _PARTS_SEEN / 2)
    return is_at_once and float(parts[position:until].max()) <= _STAYS * now
