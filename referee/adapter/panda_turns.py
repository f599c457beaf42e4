"""One turn of Panda, Gorilla & Co after the other, as they were seen, and what the rules say.

The order of laying is known here, so every rule counts, and an area is scored when it is completed:
its chips have gone home then, whether they still lie there or not, and its points stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.adapter.lines import Line, NoticeLine
from referee.adapter.panda_gorilla import NEED_NO_ORDER
from referee.adapter.panda_lines import LaidChip, PlacedLine, ScoredLine
from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.model import Board, Breach, Proposal, Rulings, Tile
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply
from referee.games.panda_gorilla.position import format_ruling
from referee.games.panda_gorilla.scoring import rule_table, supply_left
from referee.games.panda_gorilla.table import TablePosition, TableRuling
from vision.table import Quad

_TAKEN_AT_END = 3
"""Chips that are taken from open areas, no card being laid between, before the game counts as
over; one less where no space is bare, and one less where none is left: one may be a mistake."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A card that was laid, and the chip that came with it.

    Attributes:
        t: First moment at which it lay there; 0 where it lay there from the start.
        half_width_s: The true moment lies within `t` plus or minus this.
        tile: The card, or the pond.
        quad_px: Where it was seen.
        chip: The chip laid on it before the next card was laid.
        is_late: Whether the card lay there already, and only the chip came.
    """

    t: float
    half_width_s: float
    tile: Tile
    quad_px: Quad
    chip: LaidChip | None = None
    is_late: bool = False

    @property
    def is_from_start(self) -> bool:
        """Whether it lay there in the first frame, so that nobody knows in which order."""
        return self.t == 0.0

    @property
    def end_s(self) -> float:
        """When all of the turn's pieces lay there."""
        return self.t if self.chip is None else max(self.t, self.chip.t)


@dataclass(frozen=True, slots=True)
class Taking:
    """A chip was taken off the board from an area that had not been scored."""

    t: float
    chip: Proposal

    @property
    def is_from_start(self) -> bool:
        """Never: it happened while the board was watched."""
        return False


Deed = Turn | Taking


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the game stands after a turn.

    Attributes:
        tiles: The cards in the order of laying.
        proposals: The chips of areas that have not been scored.
        scored: The quarters of areas that have been scored.
        home: The chips that have gone home.
        supply: The animals that are left.
        totals: Points by player.
        breaches: The rules broken so far.
        ended_s: When the last turn was over.
        taken: Chips that were taken from open areas since then.
    """

    tiles: tuple[Tile, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    scored: frozenset[Quarter] = frozenset()
    home: tuple[Proposal, ...] = ()
    supply: Supply = FULL_SUPPLY
    totals: Mapping[str, int] = field(default_factory=dict)
    breaches: tuple[Breach, ...] = ()
    ended_s: float = 0.0
    taken: tuple[Taking, ...] = ()

    @property
    def remarks(self) -> tuple[NoticeLine, ...]:
        """What people are told of chips that were taken, where the game is not over."""
        what = "was taken before its area was complete"
        return tuple(
            NoticeLine(each.t, "chip-taken", f"{words_of(each.chip)} {what}") for each in self.taken
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a turn, or a chip that was taken, has brought: where it leads to, and its lines."""

    standing: Standing
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Zoo:
    """What does not change while a game is watched."""

    board: Board
    rulings: Rulings

    def rule(self, before: Standing, deed: Deed) -> Outcome:
        """Returns what the rules say about a turn, or about a chip that was taken."""
        return self._lay(before, deed) if isinstance(deed, Turn) else self._take(before, deed)

    def _lay(self, before: Standing, turn: Turn) -> Outcome:
        tiles = before.tiles if turn.is_late else (*before.tiles, turn.tile)
        chips = () if turn.chip is None else (turn.chip.proposal,)
        standing = replace(before, tiles=tiles, proposals=(*before.proposals, *chips))
        ruling = self._ruling(standing, is_final=self._is_covered(standing, with_ponds=False))
        breaches = ruling.breaches
        new = [b for b in breaches if b.space == turn.tile.space and b not in before.breaches]
        illegal = format_ruling(replace(ruling, breaches=tuple(new)))["illegal"]
        if turn.is_from_start:
            illegal = [breach for breach in illegal if breach["rule"] in NEED_NO_ORDER]
        standing, scored = self._score(standing, ruling, turn.end_s)
        placed = PlacedLine(
            turn.chip.t if turn.is_late and turn.chip is not None else turn.t,
            turn.half_width_s, turn.tile, turn.quad_px, turn.chip, tuple(illegal),
        )  # fmt: skip
        standing = replace(standing, breaches=breaches, ended_s=turn.end_s, taken=())
        return Outcome(standing, (*before.remarks, placed, *scored))

    def _take(self, before: Standing, taking: Taking) -> Outcome:
        """A chip was taken that had not been scored: by mistake, or as the game is over.

        Whether the pile is empty (P29), or the player on turn could have covered a pond (P31),
        cannot be seen; that chips of open areas go home says that all areas are scored.
        """
        left = tuple(chip for chip in before.proposals if chip != taking.chip)
        taken = (*before.taken, taking)
        if len(taken) < _TAKEN_AT_END - self._is_covered(before, with_ponds=True) - (not left):
            return Outcome(replace(before, proposals=left, taken=taken), ())
        last = replace(before, proposals=(*left, *(each.chip for each in taken)))
        ended, scored = self._score(last, self._ruling(last, is_final=True), before.ended_s)
        home = (*ended.home, *ended.proposals)
        return Outcome(replace(ended, proposals=(), home=home, taken=()), tuple(scored))

    def _ruling(self, standing: Standing, *, is_final: bool) -> TableRuling:
        return rule_table(
            TablePosition(
                self.board,
                standing.tiles,
                standing.proposals,
                standing.supply,
                is_final=is_final,
                rulings=self.rulings,
            )
        )

    def _score(
        self, standing: Standing, ruling: TableRuling, t: float
    ) -> tuple[Standing, list[ScoredLine]]:
        """Scores the areas that pay now, in reading order; their chips go home."""
        lines = []
        for area, told in zip(ruling.areas, format_ruling(ruling)["areas"], strict=True):
            if not area.points or not standing.scored.isdisjoint(area.area.quarters):
                continue
            totals = Counter(standing.totals)
            totals.update(area.points)
            standing = replace(
                standing,
                proposals=tuple(p for p in standing.proposals if p not in area.proposals),
                scored=standing.scored.union(area.area.quarters),
                home=(*standing.home, *area.proposals),
                supply=supply_left(standing.supply, area.packing.counts, self.rulings),
                totals=dict(totals),
            )
            lines.append(ScoredLine(t, told, standing.totals))
        return standing, lines

    def _is_covered(self, standing: Standing, *, with_ponds: bool) -> bool:
        """Whether cards lie on all spaces: then the game may be over (End of the Game)."""
        covered = {tile.space for tile in standing.tiles if with_ponds or tile.card is not None}
        return len(covered | set(self.board.entrance)) == self.board.rows * self.board.cols


def outcomes(zoo: Zoo, deeds: Iterable[Deed], after: Standing) -> Iterator[Outcome]:
    """Yields what one deed after the other brings."""
    for deed in deeds:
        outcome = zoo.rule(after, deed)
        after = outcome.standing
        yield outcome


def words_of(proposal: Proposal) -> str:
    """Returns which chip it is, and where: `red's small chip on row 2, column 3`."""
    space = proposal.space
    chip = f"{proposal.player}'s {proposal.size.value} chip"
    return f"{chip} on row {space.row}, column {space.col}"
