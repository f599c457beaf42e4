"""When a piece that was just named came to lie where it is, with all that is known of it.

Its picture tells most (see `lookback`); what the pieces around it did tells the rest: it has not
landed while it still lay at home, and what another piece hid lay there before that one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from vision.attention import Attention
from vision.frame import Frame
from vision.lookback import Landing, find_landing
from vision.slots import Slot, SlotBook, overlap
from vision.stopwatch import stopwatch
from vision.table import PieceKind, PieceReading

LOOK_BACK_S = 6.0
"""How far back a landing is searched: longer than a hand rests on a card."""
_APPEARS_S = 0.4
"""A piece that comes into sight this soon after another left its place may have lain beneath."""
_UNSEEN_S = 0.12
"""Half the time in which a landing may lie from which nobody saw it."""
_JUST_BEFORE_S = 0.1
"""What another covers at once has mostly landed this long before it: both hands race."""
_ON_ITS_WAY_S = 1.0
"""A Camera is not longer on its way than this."""
_LIFTS_KEPT = 12
_BARE = 0.89
"""Share of a Camera card in view from which no hand lies on it: of those that a hand had just laid
0.55 to 0.79 were mostly, and 0.87 at most."""
_ONE_PLACE = 0.3
"""Share of a piece that another must cover to have hidden it."""


class LandingDates:
    """Dates landings on one table.

    Args:
        slots: What is known to lie on the table.
    """

    def __init__(self, slots: SlotBook) -> None:
        self._slots = slots
        self._seen_s: dict[str | None, float] = {}
        self._lifted: deque[tuple[Slot, float]] = deque(maxlen=_LIFTS_KEPT)

    def see(self, piece: PieceReading, timestamp_s: float) -> None:
        """A piece lies where it lay."""
        self._seen_s[piece.face_id] = timestamp_s

    def lift(self, slot: Slot, timestamp_s: float) -> None:
        """A piece has left its place."""
        self._lifted.append((slot, timestamp_s))

    def date(self, attention: Attention, piece: PieceReading, frame: Frame) -> Landing:
        """When a piece landed; before it was last seen elsewhere it cannot have lain here.

        Args:
            attention: What the frames so far looked like.
            piece: What lies there now and is no slot yet.
            frame: The newest frame.
        """
        from_s = max(frame.timestamp_s - LOOK_BACK_S, self._seen_s.get(piece.face_id, 0.0))
        with stopwatch("lookback"):
            left_home_s = self._left_home_s(attention, piece, from_s)
            bare_s = self._beneath_seen_s(attention, piece, from_s)
            find = partial(
                find_landing, not_before_s=max(left_home_s, bare_s), is_bare=_is_bare(piece)
            )
            landing = attention.landing_of(piece.quad_px, frame, from_s, find)
            return self._from_beneath(attention, piece, landing, left_home_s) or landing

    def _left_home_s(self, attention: Attention, piece: PieceReading, from_s: float) -> float:
        """The last moment since `from_s` at which a piece surely still lay where it was before."""
        gone = [slot for slot, _ in self._lifted if slot.piece.face_id == piece.face_id]
        return _last_seen_s(attention, [*self._slots.find_elsewhere(piece), *gone[-1:]], from_s)

    def _beneath_seen_s(self, attention: Attention, piece: PieceReading, from_s: float) -> float:
        """The last moment at which the card on which a piece lies was seen as it was.

        A Task that is turned onto another one has the same frame: parts of it fit before. Which
        of two Camera cards lies beneath is not known.
        """
        beneath = [
            slot
            for slot in self._slots
            if slot.piece.kind is not PieceKind.CAMERA
            and slot.piece.face_id != piece.face_id
            and _is_one_place(slot, piece)
        ]
        return _last_seen_s(attention, beneath, from_s)

    def _from_beneath(
        self, attention: Attention, piece: PieceReading, landing: Landing, left_home_s: float
    ) -> Landing | None:
        """The landing of a piece that came into sight as another was taken from its place.

        Where it had left its home before that one landed, it lay beneath it.
        """
        hid = (
            slot
            for slot in self._may_have_hidden(attention, piece, landing, left_home_s)
            if left_home_s < slot.since_s < landing.timestamp_s + landing.half_width_s
        )
        above = next(hid, None)
        if above is None:
            return None
        likely_s = max((left_home_s + above.since_s) / 2, above.since_s - _JUST_BEFORE_S)
        half_s = max(likely_s - left_home_s, above.since_s + above.since_half_s - likely_s)
        return replace(landing, timestamp_s=likely_s, half_width_s=half_s, clear=0.0)

    def _may_have_hidden(
        self, attention: Attention, piece: PieceReading, landing: Landing, left_home_s: float
    ) -> Iterator[Slot]:
        """What left as a piece came into sight, or was in view long after that had left its home.

        What another hand brings meanwhile lands on it within a second.
        """
        is_unseen = landing.half_width_s >= _UNSEEN_S
        in_view_s = landing.timestamp_s + (landing.half_width_s if is_unseen else 0.0)
        for slot, left_s in self._lifted:
            if abs(in_view_s - left_s) < _APPEARS_S and _is_one_place(slot, piece):
                yield slot
        if not is_unseen:
            return
        for slot in self._slots:
            is_camera = slot.piece.kind is PieceKind.CAMERA and slot.piece.face_id != piece.face_id
            if is_camera and _is_one_place(slot, piece):
                in_view_s = _last_seen_s(attention, [slot], slot.since_s)
                if in_view_s > max(slot.since_s, left_home_s + _ON_ITS_WAY_S):
                    yield slot


def _is_bare(piece: PieceReading) -> bool:
    """Whether a Camera card lies in full view; a hand that has just laid it hides a part."""
    return piece.kind is PieceKind.CAMERA and piece.visible > _BARE


def _is_one_place(slot: Slot, piece: PieceReading) -> bool:
    return overlap(slot.piece.quad_px, piece.quad_px) > _ONE_PLACE


def _last_seen_s(attention: Attention, slots: Iterable[Slot], from_s: float) -> float:
    """The last moment since `from_s` at which one of some pieces was seen as it lay."""
    seen_s = [
        attention.last_alike_s(slot.look, slot.piece.quad_px, from_s)
        for slot in slots
        if slot.look is not None
    ]
    return max(seen_s, default=from_s)
