"""A watched table of Panda, Gorilla & Co: what happens on the board becomes turns, and lines.

A turn is over when the next card is laid: until then its chip may still come, and a card that is
shifted, turned or changed was laid only once, the way it stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from referee.adapter.lines import Line, NoticeLine
from referee.adapter.panda_gorilla import plausible_order, proposal_of, tile_of
from referee.adapter.panda_lines import LaidChip
from referee.adapter.panda_turns import (
    Deed,
    Outcome,
    Standing,
    Taking,
    Turn,
    Zoo,
    outcomes,
    words_of,
)
from referee.games.panda_gorilla.model import Board, Card, Proposal, Rulings, Space
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
        self._deeds: tuple[Deed, ...] = ()
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
        if self._outcomes:
            yield from self._outcomes[-1].standing.remarks
        yield from self._tell_notices(timestamp_s + 1.0)

    def _settle(self) -> Iterator[Line]:
        """Tells the turns that are over, and what was remarked until then."""
        is_over = [
            later.t <= self._sure_until_s and self._sure_until_s > 0
            for turn, later in zip(self._deeds, self._deeds[1:], strict=False)
        ]
        if self._deeds and self._deeds[-1].is_from_start:
            is_over.append(self._sure_until_s > 0)
        count = next((i for i, over in enumerate(is_over) if not over), len(is_over))
        yield from self._tell(count)
        open_s = self._deeds[count].t if count < len(self._deeds) else self._sure_until_s
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
        tile = tile_of(space, self._cards)
        turn = Turn(event.timestamp_s, event.half_width_s, tile, space.quad_px)
        others = list(self._deeds)
        if turn.is_from_start:
            self._lay_at_start(turn)
            return
        last = others[-1] if others else None
        if isinstance(last, Turn) and not last.is_from_start and last.tile.space == tile.space:
            others.pop()  # the same card laid otherwise, or another in its place
            turn = replace(turn, chip=last.chip if last.tile == tile else None)
        if any(each.tile == tile for each in others if isinstance(each, Turn)):
            return  # it was pushed, or a pond that was built over is bare again
        self._play(sorted([*others, turn], key=lambda deed: deed.t))

    def _lay_at_start(self, turn: Turn) -> None:
        start = [each for each in self._deeds if isinstance(each, Turn) and each.is_from_start]
        later = self._deeds[len(start) :]
        by_tile = {each.tile: each for each in (*start, turn)}
        ordered = plausible_order(list(by_tile), self._zoo.board)
        self._play([*(by_tile[tile] for tile in ordered), *later])

    def _lift(self, event: CardLifted) -> None:
        space = _space_of(event.space)
        index = self._host(space)
        if index is None:
            return
        later = self._deeds[index + 1 :]
        if any(each.t <= event.timestamp_s for each in later):
            text = f"the card on row {space.row}, column {space.col} was taken away"
            self._notice(event.timestamp_s, "card-taken", text)
        kept = [each for each in later if not _is_chip_on(each, space)]
        self._play([*self._deeds[:index], *kept])

    def _lay_chip(self, event: ChipLaid) -> None:
        proposal, space = proposal_of(event.chip, self._cards), _space_of(event.chip)
        index = self._host(space)
        host = None if index is None else self._deeds[index]
        if proposal is None or index is None or not isinstance(host, Turn) or not host.tile.card:
            text = f"a chip lies on row {space.row}, column {space.col}, where no card was read"
            self._notice(event.timestamp_s, "chip-without-card", text)
            return
        chip = LaidChip(event.timestamp_s, event.half_width_s, proposal)
        later = [each for each in self._deeds[index + 1 :] if not each.is_from_start]
        is_its_turn = not later or later[0].t > chip.t
        is_first = host.chip is None or (space, _face(host.chip.proposal)) in self._lifted
        deeds = list(self._deeds)
        if is_its_turn and is_first and (chip.t == 0 or not host.is_from_start):
            deeds[index] = replace(host, chip=chip)
        else:
            late = replace(host, t=chip.t, chip=chip, is_late=True)
            deeds = sorted([*deeds, late], key=lambda deed: deed.t)
            if not is_its_turn:
                text = f"{words_of(proposal)} came to lie on a card of an earlier turn"
                self._notice(chip.t, "chip-late", text)
        self._lifted.discard((space, _face(proposal)))
        self._play(deeds)

    def _lift_chip(self, event: ChipLifted) -> None:
        proposal = proposal_of(event.chip, self._cards)
        if proposal is None:
            return
        self._lifted.add((proposal.space, _face(proposal)))
        standing = self._outcomes[-1].standing if self._outcomes else Standing()
        if proposal not in standing.proposals:
            return  # it has gone home
        deeds = list(self._deeds)
        last = deeds[-1]
        if (
            isinstance(last, Turn)
            and last.chip is not None
            and last.chip.proposal == proposal
            and not last.is_from_start
        ):
            deeds.pop()  # the chip is put right
            if not last.is_late:
                deeds.append(replace(last, chip=None))
        else:
            deeds.append(Taking(max(event.timestamp_s, last.t), proposal))
        self._play(deeds)

    def _play(self, deeds: Sequence[Deed]) -> None:
        """Takes these deeds for those of the game; only what changed is judged anew."""
        same = 0
        for old, each in zip(self._deeds, deeds, strict=False):
            if old != each:
                break
            same += 1
        self._deeds = tuple(deeds)
        del self._outcomes[same:]
        after = self._outcomes[-1].standing if same else Standing()
        self._outcomes += outcomes(self._zoo, self._deeds[same:], after)

    def _host(self, space: Space) -> int | None:
        """The place among the deeds of the card that lies uppermost on a space."""
        found = [
            index
            for index, each in enumerate(self._deeds)
            if isinstance(each, Turn) and each.tile.space == space and not each.is_late
        ]
        return found[-1] if found else None


def _space_of(reading: SpaceReading | ChipReading) -> Space:
    return Space(reading.row, reading.col)


def _face(proposal: Proposal) -> str:
    return f"{proposal.player} {proposal.size.value}"


def _is_chip_on(deed: Deed, space: Space) -> bool:
    return isinstance(deed, Turn) and deed.is_late and deed.tile.space == space
