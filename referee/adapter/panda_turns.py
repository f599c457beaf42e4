"""One turn of Panda, Gorilla & Co after the other, as they were seen, and what the rules say.

The order of laying is known here, so every rule counts, and an area is scored when it is completed:
its chips have gone home then, whether they still lie there or not, and its points stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from referee.adapter.panda_gorilla import NEED_NO_ORDER
from referee.adapter.panda_lines import LaidChip, PlacedLine, ScoredLine
from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.model import Board, Breach, Proposal, Rulings, Tile
from referee.games.panda_gorilla.packing import FULL_SUPPLY, Supply
from referee.games.panda_gorilla.position import format_ruling
from referee.games.panda_gorilla.scoring import rule_table, supply_left
from referee.games.panda_gorilla.table import TablePosition, TableRuling
from vision.table import Quad


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
    """

    tiles: tuple[Tile, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    scored: frozenset[Quarter] = frozenset()
    home: tuple[Proposal, ...] = ()
    supply: Supply = FULL_SUPPLY
    totals: Mapping[str, int] = field(default_factory=dict)
    breaches: tuple[Breach, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a turn has brought."""

    standing: Standing
    placed: PlacedLine
    scored: tuple[ScoredLine, ...]

    @property
    def lines(self) -> tuple[PlacedLine | ScoredLine, ...]:
        """Its lines in the order of time."""
        return (self.placed, *self.scored)


@dataclass(frozen=True, slots=True)
class Zoo:
    """What does not change while a game is watched."""

    board: Board
    rulings: Rulings

    def rule(self, before: Standing, turn: Turn) -> Outcome:
        """Returns what the rules say about a turn."""
        tiles = before.tiles if turn.is_late else (*before.tiles, turn.tile)
        chips = () if turn.chip is None else (turn.chip.proposal,)
        standing = replace(before, tiles=tiles, proposals=(*before.proposals, *chips))
        ruling = self._ruling(standing, is_final=False)
        if self._is_full(standing):
            ruling = self._ruling(standing, is_final=True)
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
        return Outcome(replace(standing, breaches=breaches), placed, tuple(scored))

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

    def _is_full(self, standing: Standing) -> bool:
        """Whether face-up cards lie on all spaces: then the game is over (End of the Game)."""
        face_up = {tile.space for tile in standing.tiles if tile.card is not None}
        return len(face_up | set(self.board.entrance)) == self.board.rows * self.board.cols


def outcomes(zoo: Zoo, turns: tuple[Turn, ...], after: Standing) -> Iterator[Outcome]:
    """Yields what one turn after the other brings."""
    for turn in turns:
        outcome = zoo.rule(after, turn)
        after = outcome.standing
        yield outcome
