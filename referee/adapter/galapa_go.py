"""Table events become the rounds of Galapa Go: the one place that knows both sides.

A Task that lands opens a round; Cameras that land on laid-out cards are claims; clearing up, the
next Task or the end of the recording closes it. Claims are sorted by the moment at which they
landed, not by the moment at which they were seen, and the round is judged anew each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from referee.adapter.lines import (
    CardPlace,
    LayoutLine,
    Line,
    NoticeLine,
    RoundLine,
    TaskLine,
)
from referee.adapter.placing import (
    card_size,
    lies_on_unknown,
    middle_of,
    place_of,
    seats_clockwise,
    sort_cards,
)
from referee.adapter.watched_round import (
    Placed,
    WatchedRound,
    actions_of,
    claim_line,
    given_up,
    in_order,
    question_of,
    stands,
    too_close,
    with_collisions,
)
from referee.games.galapa_go.model import (
    AnimalCard,
    AnyTask,
    CameraCard,
    Card,
    Cover,
    PlayerAction,
    RoundPosition,
    RoundRuling,
    Rulings,
    Special,
    Task,
    Variant,
    Withdraw,
)
from referee.games.galapa_go.position import format_ruling
from referee.games.galapa_go.scoring import rule_round
from vision.table import (
    Landed,
    Lifted,
    Notice,
    PieceReading,
    Point,
    Settled,
    TableEvent,
    TableReading,
)

_SAME_PLACE = 0.5
"""A card that lies within this part of a card from where it lay has not been taken away."""
_TASK_KNOWN_S = 3.0
"""A Task that was turned is seen within this time, hands over it or not."""
_HIDDEN_S = 3.0
"""An arm hides a Task no longer than this from the first claim on."""
_CORRECTION_S = 1.0
"""A second reading of a Task this soon is a better look at it, not the next Task."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a camera cannot see.

    Attributes:
        players: Clockwise, or None to take the Cameras on the table in their seating order.
        lead: The first lead player, or None for the first of the players.
        variant: Normal or complex.
        rulings: The house rulings.
    """

    players: tuple[str, ...] | None = None
    lead: str | None = None
    variant: Variant = Variant.NORMAL
    rulings: Rulings = field(default_factory=Rulings)


class GalapaGoTable:
    """Follows one table of Galapa Go.

    Args:
        cards: The deck's cards.
        settings: What a camera cannot see.
    """

    def __init__(self, cards: Sequence[Card], settings: TableSettings) -> None:
        self._cards: Mapping[str, Card] = {card.id: card for card in cards}
        self._settings = settings
        self._reading: TableReading | None = None
        self._players: tuple[str, ...] = settings.players or ()
        self._lead = settings.lead
        self._homes: dict[str, Point] = {}
        self._layout: dict[str, PieceReading] = {}
        self._shown_layout: tuple[str, ...] | None = None
        self._won: dict[str, tuple[str, ...]] = {}
        self._box: tuple[str, ...] = ()
        self._deck_left = 0
        self._tasks: list[tuple[float, AnyTask]] = []
        self._old_tasks: list[AnyTask] = []
        self._early: list[Placed] = []
        self._lifted_s: dict[str, float] = {}
        self._round: WatchedRound | None = None
        self._rounds = 0

    def take(self, event: TableEvent) -> Iterator[Line]:
        """Takes the next event and gives what it makes known."""
        match event:
            case Settled():
                is_first = self._reading is None
                self._reading = event.reading
                if is_first:
                    yield from self._set_up(event.reading)
                yield from self._open_old(event.timestamp_s - _TASK_KNOWN_S)
            case Landed():
                yield from self._land(event)
            case Lifted():
                yield from self._lift(event)
            case Notice():
                yield NoticeLine(event.timestamp_s, event.code, event.text)

    def finish(self, timestamp_s: float) -> Iterator[Line]:
        """The recording has ended."""
        yield from self._open_old(timestamp_s)
        if self._round is not None:
            yield from self._close(timestamp_s, is_last=True)

    def running(self, timestamp_s: float) -> Iterator[Line]:
        """What is believed of the round that runs, as if it were closed now; it goes on."""
        if self._round is not None:
            ruling = with_collisions(self._judge(self._round), self._round)
            ended_s = ruling.ended_t
            t = timestamp_s if ended_s is None else max(ended_s, self._round.t)
            yield from _tell(self._round, ruling, t)

    def _set_up(self, reading: TableReading) -> Iterator[Line]:
        """Takes stock of the table as it lies at the start."""
        animals = self._animals(reading)
        self._find_homes(reading)
        placing = sort_cards(animals, self._homes)
        self._layout = {str(card.face_id): card for card in placing.layout}
        if not self._players and self._homes:
            middle = middle_of(placing.layout or animals or reading.pieces)
            self._players = tuple(seats_clockwise(self._homes, middle))
        self._won = {player: placing.won.get(player, ()) for player in self._players}
        total = sum(isinstance(card, AnimalCard) for card in self._cards.values())
        self._deck_left = max(0, total - len(animals))
        self._old_tasks = [
            card
            for piece in reading.pieces
            if isinstance(card := self._cards.get(str(piece.face_id)), Task | Special)
        ]
        yield from self._show_layout(reading.timestamp_s)

    def _find_homes(self, reading: TableReading) -> None:
        """Cameras that lie beside the layout wait at their player's side."""
        for piece in reading.pieces:
            card = self._cards.get(str(piece.face_id))
            if isinstance(card, CameraCard):
                self._homes[card.player] = place_of(piece)

    def _animals(self, reading: TableReading) -> list[PieceReading]:
        return [
            piece
            for piece in reading.pieces
            if isinstance(self._cards.get(str(piece.face_id)), AnimalCard)
        ]

    def _land(self, event: Landed) -> Iterator[Line]:
        card = self._cards.get(str(event.piece.face_id))
        if isinstance(card, Task | Special):
            if self._is_misread_task(event, card):
                return
            yield from self._turn_task(event.timestamp_s, card)
        elif isinstance(card, CameraCard):
            yield from self._land_camera(event, card)

    def _is_misread_task(self, event: Landed, card: AnyTask) -> bool:
        """Tasks lie beside the layout, and are turned one after the other, each of them once."""
        if self._round is not None and card in self._round.tasks:
            return True  # an arm hid it, or it was nudged
        is_on_layout = any(face in self._layout for face in event.under)
        is_late = self._round is not None and event.timestamp_s < self._round.t - _CORRECTION_S
        return is_on_layout or is_late

    def _turn_task(self, t: float, task: AnyTask) -> Iterator[Line]:
        if self._round is not None and self._is_correction(t):
            self._round.tasks = self._round.tasks[:-1]
            self._rounds -= 1
            kept = [(self._round.t, old) for old in self._round.tasks]
            self._round = None
            self._tasks = kept
        elif self._round is not None:
            self._early += [placed for placed in self._round.placed if placed.cover.t >= t]
            self._round.placed = [placed for placed in self._round.placed if placed.cover.t < t]
            yield from self._close(t)
        self._tasks.append((t, task))
        if len(self._tasks) == self._settings.variant.tasks:
            yield from self._open(max(turned for turned, _ in self._tasks))

    def _is_correction(self, t: float) -> bool:
        return (
            self._round is not None
            and not self._round.placed
            and abs(t - self._round.t) < _CORRECTION_S
        )

    def _open(self, t: float) -> Iterator[Line]:
        tasks = tuple(task for _, task in sorted(self._tasks, key=lambda turned: turned[0]))
        self._tasks = []
        claims = [placed for placed in self._early if placed.cover.t >= t or self._waits(placed, t)]
        # Nobody claims before there is a Task: an arm hid that it lay there.
        t = min([t, *(placed.cover.t for placed in claims)])
        if self._reading is not None:
            self._update_layout(self._reading)
        yield from self._show_layout(t)
        self._rounds += 1
        players = self._players
        lead = self._lead if self._lead in players else players[0] if players else ""
        layout = tuple(
            card for card_id in self._layout if isinstance(card := self._cards[card_id], AnimalCard)
        )
        position = RoundPosition(
            players=players,
            lead=lead,
            layout=layout,
            tasks=tasks,
            won={player: self._won.get(player, ()) for player in players},
            box=self._box,
            deck_left=self._deck_left,
            variant=self._settings.variant,
            rulings=self._settings.rulings,
        )
        self._round = WatchedRound(self._rounds, t, tasks, position)
        self._round.placed = claims
        self._early = []

    def _waits(self, placed: Placed, t: float) -> bool:
        """Whether a Camera that was laid before the Task was seen still lay there then."""
        since_s = placed.cover.t
        is_lifted = since_s < self._lifted_s.get(placed.cover.player, -1.0) < t
        return not is_lifted and t - since_s < _HIDDEN_S

    def _update_layout(self, reading: TableReading) -> None:
        """What lies in the middle now: cards that stayed, and new ones that were laid out."""
        animals = self._animals(reading)
        if not animals:
            return
        reach = _SAME_PLACE * card_size(animals)
        seen = {str(piece.face_id): piece for piece in animals}
        owned = {card for cards in self._won.values() for card in cards} | set(self._box)
        stayed = {
            card_id: seen.get(card_id, piece)
            for card_id, piece in self._layout.items()
            if card_id not in owned
            and (card_id not in seen or _is_near(seen[card_id], piece, reach))
        }
        fresh = [
            piece
            for piece in animals
            if str(piece.face_id) not in owned and str(piece.face_id) not in self._layout
        ]
        if fresh:
            rest = [piece for piece in animals if str(piece.face_id) not in owned]
            placing = sort_cards(rest, self._homes, known_layout=stayed)
            laid = {str(piece.face_id): piece for piece in placing.layout}
            added = [card_id for card_id in laid if card_id not in self._layout]
            self._deck_left = max(0, self._deck_left - len(added))
            stayed |= {card_id: laid[card_id] for card_id in added}
        self._layout = stayed

    def _show_layout(self, t: float) -> Iterator[Line]:
        shown = tuple(self._layout)
        if shown == self._shown_layout:
            return
        self._shown_layout = shown
        yield LayoutLine(
            t,
            tuple(
                CardPlace(card_id, piece.quad_px, piece.score)
                for card_id, piece in self._layout.items()
            ),
        )

    def _land_camera(self, event: Landed, camera: CameraCard) -> Iterator[Line]:
        covered = next((face for face in event.under if face in self._layout), None)
        if covered is None:
            yield from self._lay_aside(event, camera)
            return
        if self._players and camera.player not in self._players:
            yield NoticeLine(
                event.timestamp_s,
                "unknown-player",
                f"a Camera card of {camera.player} was placed, but nobody plays {camera.player}",
            )
            return
        cover = Cover(event.timestamp_s, camera.player, covered)
        placed = Placed(cover, event.half_width_s, event.piece, event.under)
        if self._round is None:
            self._early.append(placed)  # the Task may be seen after the first claim
        elif cover.t >= self._round.t:
            self._round.placed.append(placed)

    def _lay_aside(self, event: Landed, camera: CameraCard) -> Iterator[Line]:
        """A Camera lies on none of the cards laid out: at home, or on what could not be read."""
        pieces = () if self._reading is None else self._reading.pieces
        if self._round is not None and lies_on_unknown(event.piece, pieces):
            yield NoticeLine(
                event.timestamp_s,
                "card-unknown",
                f"the Camera card of {camera.player} lies on a card that could not be read; "
                "its claim is not judged",
            )
            return
        self._homes[camera.player] = place_of(event.piece)

    def _open_old(self, claimed_before_s: float) -> Iterator[Line]:
        """Opens a round with a Task that lay there from the start, if claims wait for none else."""
        is_waiting = any(placed.cover.t <= claimed_before_s for placed in self._early)
        if self._round is None and self._rounds == 0 and self._old_tasks and is_waiting:
            count = self._settings.variant.tasks
            self._tasks = [(0.0, task) for task in self._old_tasks[-count:]]
            yield from self._open(0.0)

    def _lift(self, event: Lifted) -> Iterator[Line]:
        camera = self._cards.get(str(event.piece.face_id))
        if not isinstance(camera, CameraCard):
            return
        self._lifted_s[camera.player] = event.timestamp_s
        if self._round is None:
            return
        mine = [p for p in self._round.placed if p.cover.player == camera.player]
        gone = {id(placed) for _, placed in self._round.withdrawn}
        if not mine or id(mine[-1]) in gone:
            return
        ruling = self._judge(self._round)
        if ruling.ended_t is not None and stands(ruling, mine[-1]):
            yield from self._close(event.timestamp_s)
            return
        withdraw = Withdraw(event.timestamp_s, camera.player)
        self._round.withdrawn.append((withdraw, mine[-1]))

    def _judge(self, running: WatchedRound, extra: Sequence[PlayerAction] = ()) -> RoundRuling:
        return rule_round(running.position, [*actions_of(running), *extra])

    def _close(self, t: float, *, is_last: bool = False) -> Iterator[Line]:
        """Judges the round for good and carries the table over to the next one."""
        running = self._round
        if running is None:
            return
        self._round = None
        ruling, extra = self._judge(running), list[PlayerAction]()
        if ruling.ended_by is None and not is_last:
            extra = given_up(running, t)
            ruling = self._judge(running, extra)
        ruling = with_collisions(ruling, running)
        yield from _tell(running, ruling, t, extra)
        self._won = dict(ruling.won)
        self._box = ruling.box
        self._lead = ruling.lead
        self._layout = {
            card_id: piece for card_id, piece in self._layout.items() if card_id in ruling.layout
        }


def _tell(
    running: WatchedRound, ruling: RoundRuling, t: float, extra: Sequence[PlayerAction] = ()
) -> Iterator[Line]:
    """Everything that is said of a round: its Task, its claims in order, what comes of them."""
    tasks = tuple(task.id for task in running.tasks)
    yield TaskLine(running.t, running.number, tasks)
    by_claim = in_order(running)
    for order, placed in enumerate(by_claim, start=1):
        yield claim_line(running.number, order, placed)
    for withdraw, placed in running.withdrawn:
        order = by_claim.index(placed) + 1
        yield claim_line(running.number, order, placed, taken_back_s=withdraw.t)
    yield RoundLine(
        t=t,
        round=running.number,
        tasks=tasks,
        ruling=format_ruling(ruling),
        half_widths_s=tuple(placed.half_width_s for placed in by_claim),
        close=too_close(by_claim),
        question=question_of(running.position, [*actions_of(running), *extra]),
    )


def _is_near(one: PieceReading, other: PieceReading, reach: float) -> bool:
    (x1, y1), (x2, y2) = place_of(one), place_of(other)
    return (x1 - x2) ** 2 + (y1 - y2) ** 2 < reach**2
