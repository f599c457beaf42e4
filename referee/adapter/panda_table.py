"""A watched table of Panda, Gorilla & Co: what happens on the board becomes turns, and lines.

A turn is over when the next card is laid: until then its chip may still come, and a card that is
shifted, turned or changed was laid only once, the way it stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from referee.adapter.lines import Line, NoticeLine
from referee.adapter.panda_gorilla import plausible_order
from referee.adapter.panda_lines import LaidChip
from referee.adapter.panda_turns import Outcome, Standing, Turn, Zoo, outcomes
from referee.games.panda_gorilla.model import (
    Board,
    Card,
    Chip,
    PathCard,
    Proposal,
    Rulings,
    Space,
    Tile,
)
from vision.table import (
    BoardEvent,
    BoardSettled,
    CardLaid,
    CardLifted,
    ChipLaid,
    ChipLifted,
    ChipReading,
    Notice,
    SpaceReading,
)


class PandaTable:
    """Follows one game.

    Args:
        board: The deck's board.
        cards: The deck's cards.
        rulings: The house rulings.
    """

    def __init__(self, board: Board, cards: Iterable[Card], rulings: Rulings) -> None:
        self._zoo = Zoo(board, rulings)
        self._cards = {card.id: card for card in cards}
        self._turns: tuple[Turn, ...] = ()
        self._outcomes: list[Outcome] = []
        self._lifted: set[tuple[Space, str]] = set()
        self._notices: list[NoticeLine] = []
        self._told: list[Line] = []
        self._believed: list[Line] = []
        self._sure_until_s = 0.0

    def take(self, event: BoardEvent) -> Iterator[Line]:
        """Takes the next event and gives what it makes known for good."""
        match event:
            case CardLaid():
                self._lay(event)
            case CardLifted():
                self._lift(event)
            case ChipLaid():
                self._lay_chip(event)
            case ChipLifted():
                self._lift_chip(event)
            case Notice():
                self._notice(event.timestamp_s, event.code, event.text)
            case BoardSettled():
                self._sure_until_s = max(self._sure_until_s, event.sure_until_s)
                self._believed = [line for each in self._outcomes for line in each.lines]
                yield from self._settle()

    def running(self, timestamp_s: float) -> Iterator[Line]:
        """All that was believed when the board had been looked at last, and what was remarked."""
        yield from self._believed
        yield from self._notices

    def finish(self, timestamp_s: float) -> Iterator[Line]:
        """The source has ended: nothing more can come."""
        yield from self._tell(len(self._outcomes))
        yield from self._tell_notices(timestamp_s + 1.0)

    def _settle(self) -> Iterator[Line]:
        """Tells the turns that are over, and what was remarked until then."""
        is_over = [
            turn.is_from_start or later.t <= self._sure_until_s
            for turn, later in zip(self._turns, self._turns[1:], strict=False)
        ]
        if self._turns and self._turns[-1].is_from_start:
            is_over.append(True)
        count = next((i for i, over in enumerate(is_over) if not over), len(is_over))
        yield from self._tell(count)
        open_s = self._turns[count].t if count < len(self._turns) else self._sure_until_s
        yield from self._tell_notices(min(open_s, self._sure_until_s))

    def _tell(self, count: int) -> Iterator[Line]:
        """Tells what was not told yet, or otherwise, of the first turns."""
        for outcome in self._outcomes[:count]:
            for line in outcome.lines:
                if line not in self._told:
                    self._told.append(line)
                    yield line

    def _tell_notices(self, until_s: float) -> Iterator[Line]:
        told = [notice for notice in self._notices if notice.t <= until_s]
        self._notices = [notice for notice in self._notices if notice.t > until_s]
        yield from told

    def _notice(self, t: float, code: str, text: str) -> None:
        self._notices.append(NoticeLine(t, code, text))

    # ---- what happens ----------------------------------------------------------------------------

    def _lay(self, event: CardLaid) -> None:
        space = event.space
        turn = Turn(event.timestamp_s, event.half_width_s, self._tile(space), space.quad_px)
        others = self._turns
        if turn.is_from_start:
            start = [each for each in others if each.is_from_start] + [turn]
            by_tile = {each.tile: each for each in start}
            ordered = plausible_order([each.tile for each in start], self._zoo.board)
            self._play([by_tile[tile] for tile in ordered], others[len(start) - 1 :])
            return
        last = others[-1] if others else None
        if last is not None and not last.is_from_start and last.tile.space == turn.tile.space:
            others = others[:-1]  # the same card laid otherwise, or another in its place
            turn = replace(turn, chip=last.chip if last.tile == turn.tile else None)
        if any(each.tile == turn.tile for each in others):
            return  # it was pushed, or a pond that was built over is bare again
        earlier = [each for each in others if each.t <= turn.t]
        self._play([*earlier, turn], others[len(earlier) :])

    def _lift(self, event: CardLifted) -> None:
        space = _space_of(event.space)
        found = [each for each in self._turns if each.tile.space == space]
        if not found:
            return
        turn = found[-1]
        kept = [each for each in self._turns if each is not turn and not _is_chip_of(each, turn)]
        later = self._turns[self._turns.index(turn) + 1 :]
        if any(each.t <= event.timestamp_s for each in later):
            text = f"the card on row {space.row}, column {space.col} was taken away"
            self._notice(event.timestamp_s, "card-taken", text)
        self._play(kept, ())

    def _lay_chip(self, event: ChipLaid) -> None:
        proposal = self._proposal(event.chip)
        space = _space_of(event.chip)
        hosts = [i for i, each in enumerate(self._turns) if each.tile.space == space]
        if proposal is None or not hosts or self._turns[hosts[-1]].tile.card is None:
            where = f"row {space.row}, column {space.col}"
            text = f"a chip lies on {where}, where no face-up card was read"
            self._notice(event.timestamp_s, "chip-without-card", text)
            return
        turns, chip = list(self._turns), LaidChip(event.timestamp_s, event.half_width_s, proposal)
        host = turns[hosts[-1]]
        before = host.chip.proposal if host.chip is not None else None
        later = [turn for turn in turns[hosts[-1] + 1 :] if not turn.is_from_start]
        is_its_turn = not later or later[0].t > chip.t
        is_new = before is None or (space, _face(before)) in self._lifted
        if is_its_turn and is_new and (chip.t == 0 or not host.is_from_start):
            turns[hosts[-1]] = replace(host, chip=chip)
        else:
            late = replace(host, t=chip.t, chip=chip, is_late=True)
            turns = sorted([*turns, late], key=lambda turn: turn.t)
            if not is_its_turn:
                text = f"{_words(proposal)} came to lie on a card of an earlier turn"
                self._notice(chip.t, "chip-late", text)
        self._lifted.discard((space, _face(proposal)))
        self._play(turns, ())

    def _lift_chip(self, event: ChipLifted) -> None:
        proposal = self._proposal(event.chip)
        if proposal is None:
            return
        self._lifted.add((proposal.space, _face(proposal)))
        standing = self._outcomes[-1].standing if self._outcomes else Standing()
        if proposal in standing.home:
            return
        turns: list[Turn] = []
        for turn in self._turns:
            if turn.chip is None or turn.chip.proposal != proposal:
                turns.append(turn)
                continue
            if not turn.is_late:
                turns.append(replace(turn, chip=None))
            if turn is not self._turns[-1]:
                text = f"{_words(proposal)} was taken before its area was complete"
                self._notice(event.timestamp_s, "chip-taken", text)
        self._play(turns, ())

    def _play(self, turns: Sequence[Turn], later: Sequence[Turn]) -> None:
        """Takes these turns for those of the game; only what changed is judged anew."""
        new = (*turns, *later)
        same = 0
        for old, each in zip(self._turns, new, strict=False):
            if old != each:
                break
            same += 1
        self._turns = new
        del self._outcomes[same:]
        after = self._outcomes[-1].standing if same else Standing()
        self._outcomes += outcomes(self._zoo, new[same:], after)

    # ---- what was read ---------------------------------------------------------------------------

    def _tile(self, space: SpaceReading) -> Tile:
        card = self._cards.get(str(space.face_id))
        if isinstance(card, PathCard):
            return Tile(_space_of(space), card, space.rotation)
        return Tile(_space_of(space), None)

    def _proposal(self, chip: ChipReading) -> Proposal | None:
        card = self._cards.get(chip.face_id)
        if not isinstance(card, Chip):
            return None
        return Proposal(_space_of(chip), chip.quarter, card.player, card.size)


def _space_of(reading: SpaceReading | ChipReading) -> Space:
    return Space(reading.row, reading.col)


def _face(proposal: Proposal) -> str:
    return f"{proposal.player} {proposal.size.value}"


def _words(proposal: Proposal) -> str:
    space = proposal.space
    chip = f"{proposal.player}'s {proposal.size.value} chip"
    return f"{chip} on row {space.row}, column {space.col}"


def _is_chip_of(late: Turn, turn: Turn) -> bool:
    return late.is_late and late.tile == turn.tile
