"""A table of Exploring Galapagos over time: the three rounds, each told once as it ended.

Of the looks at a round the best counts, and of equally good ones the last; a round is over when
most of its cards have gone from where they lay, or when the recording ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.adapter.exploring_course import Course
from referee.adapter.exploring_galapagos import format_round, see_round
from referee.adapter.exploring_looks import Look, is_remnant, stays
from referee.adapter.exploring_seated import Seating
from referee.adapter.exploring_sides import SIDES
from referee.adapter.lines import CardPlace, HandsLine, LayoutLine, Line, NoticeLine
from referee.games.exploring_galapagos.model import Card, HabitatCard, Method, Rulings
from vision.table import Notice, Settled, TableEvent, TableReading


@dataclass(frozen=True, slots=True)
class ExploringSettings:
    """What a camera cannot see.

    Attributes:
        players: Clockwise from the side of the camera; without it, and without seats, players are
            named by their side.
        seats: The side of each player by name.
        used: The methods that each player has used before the first round that is seen.
        rulings: The house rulings.
    """

    players: tuple[str, ...] | None = None
    seats: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, tuple[Method, ...]] = field(default_factory=dict)
    rulings: Rulings = field(default_factory=Rulings)

    @property
    def count(self) -> int | None:
        """How many play, where it is known."""
        return len(self.seats or self.players or ()) or None


class ExploringTable:
    """A table being watched.

    Args:
        cards: The deck's cards.
        settings: What a camera cannot see.
    """

    def __init__(self, cards: Sequence[Card], settings: ExploringSettings) -> None:
        self._cards = cards
        self._by_id = {card.id: card for card in cards if isinstance(card, HabitatCard)}
        self._settings = settings
        self._seats: Mapping[str, str] = settings.seats
        self._course = Course(settings.used)
        self._told = 0
        self._best: Look | None = None
        self._closed: Look | None = None
        self._lying: tuple[CardPlace, ...] = ()
        self._is_used = False
        self._held: list[Line] = []

    def is_clear(self, reading: TableReading) -> bool:
        """Returns whether a reading shows a whole round, so that no other look is needed."""
        return self._see(reading).is_whole

    def may_lack(self, reading: TableReading) -> bool:
        """Returns whether a reading may lack some cards of a round, so that they are sought."""
        return self._see(reading).may_lack

    def take(self, event: TableEvent) -> Iterator[Line]:
        """Takes what happened, and gives the lines that are sure now, in the order of time."""
        match event:
            case Notice(timestamp_s, code, text):
                self._held.append(NoticeLine(timestamp_s, code, text))
            case Settled(_, reading):
                self._lay_out(reading)
                self._take_look(reading)
            case _:
                pass
        if self._best is None:
            yield from self._let_go()

    def running(self, timestamp_s: float) -> Iterator[Line]:
        """What is believed of the round that lies there, as if it were over now."""
        yield from self._held
        if self._best is not None and self._best.is_whole:
            yield self._judged(self._best, self._course_after(self._best))

    def finish(self, timestamp_s: float) -> Iterator[Line]:
        """The source has ended."""
        self._close()
        if not self._told and self._is_used:
            text = "cards were seen, but no round as it is scored, with every hand face up"
            self._held.append(NoticeLine(timestamp_s, "no-round", text))
        yield from self._let_go()

    def _take_look(self, reading: TableReading) -> None:
        look, best = self._see(reading), self._best
        if best is not None and not stays(best, look):
            self._close()
            look, best = self._see(reading), None
        if not look.owners:
            self._closed = None
            return
        if self._closed is not None and is_remnant(look, self._closed):
            return
        if best is None or look.worth >= best.worth:
            is_same = best is not None and best.owners == look.owners
            self._best = replace(look, t=best.t) if best is not None and is_same else look

    def _close(self) -> None:
        """The best look at the round that lay there is what is told of it."""
        best, self._best = self._best, None
        if best is None or not (best.is_whole or best.is_nearly_whole):
            return
        self._course, self._closed = self._course_after(best), best
        self._told += 1
        self._held.append(self._judged(best, self._course))
        if not best.is_whole:
            text = f"round {self._told} could not be seen whole: {'; '.join(best.seen.doubts)}"
            self._held.append(NoticeLine(best.t, "round-incomplete", text))
        elif not self._seats:
            self._seats = {player.name: player.side for player in best.seen.players}

    def _see(self, reading: TableReading) -> Look:
        """Returns who holds what, players by their names as far as these are known."""
        settings, course = self._settings, self._running_course()
        seating = self._seating(self._seats)
        seen = see_round(reading, self._cards, seating)
        names = settings.players or ()
        if not self._seats and len(names) == len(seen.players):
            sides = (player.side for player in seen.players)
            seating = self._seating(dict(zip(names, sides, strict=True)))
            seen = see_round(reading, self._cards, seating)
        seen = course.with_unknown(seen)
        if settings.count not in (None, len(seen.players)):
            doubt = f"cards of {len(seen.players)} players are seen, expected {settings.count}"
            seen = replace(seen, doubts=(*seen.doubts, doubt))
        return Look(reading.timestamp_s, seen, reading, seating)

    def _seating(self, seats: Mapping[str, str]) -> Seating:
        course = self._running_course()
        sides = {side: side for side in SIDES} | dict(seats)
        used = {name: course.used(side, name) for name, side in sides.items()}
        return Seating(seats, used, self._settings.rulings, self._settings.count)

    def _running_course(self) -> Course:
        """The game of which the next round is; after three rounds another one begins."""
        return Course() if self._course.is_over else self._course

    def _course_after(self, look: Look) -> Course:
        return self._running_course().after(look.seen, self._by_id)

    def _judged(self, look: Look, course: Course) -> HandsLine:
        is_told = course is self._course
        return HandsLine(
            t=look.t,
            round=self._told if is_told else self._told + 1,
            answer=format_round(look.seen, look.seating),
            totals=course.totals(look.seen),
            game_over=course.is_over,
            winners=course.winners(look.seen),
        )

    def _lay_out(self, reading: TableReading) -> None:
        """Tells of the cards that lie face up, where some were laid out or taken away."""
        lying = tuple(
            CardPlace(piece.face_id, piece.quad_px, piece.score)
            for piece in reading.pieces
            if piece.face_id in self._by_id
        )
        if {place.card for place in lying} != {place.card for place in self._lying}:
            self._held.append(LayoutLine(reading.timestamp_s, lying))
        self._lying = lying
        self._is_used = self._is_used or bool(lying)

    def _let_go(self) -> Iterator[Line]:
        held, self._held = self._held, []
        yield from sorted(held, key=lambda line: round(line.t, 3))
