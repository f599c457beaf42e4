"""What a watched table of Panda, Gorilla & Co tells: its lines of contract §3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.adapter.answers import Json, format_quad
from referee.adapter.lines import format_time
from referee.games.panda_gorilla.model import Proposal, Tile
from referee.games.panda_gorilla.position import format_tile
from vision.table import Quad


@dataclass(frozen=True, slots=True)
class LaidChip:
    """A chip as it came to lie on a card.

    Attributes:
        t: First moment at which it lay there.
        half_width_s: The true moment lies within `t` plus or minus this.
        proposal: What it proposes, and where.
    """

    t: float
    half_width_s: float
    proposal: Proposal

    def to_json(self) -> Json:
        """Returns the chip as a line has it."""
        return {
            "quarter": self.proposal.quarter,
            "player": self.proposal.player,
            "size": self.proposal.size.value,
            "t": format_time(self.t),
            "dt": format_time(self.half_width_s),
        }


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A card or a pond was placed, and with it perhaps a chip.

    Attributes:
        t: First moment at which it lay where it stays; 0 where it lay there from the start.
        half_width_s: The true moment lies within `t` plus or minus this.
        tile: The card, or the pond.
        quad_px: Where it was seen.
        chip: The chip that came with it, if any.
        illegal: The rules that card and chip break, as `judge` spells them.
    """

    t: float
    half_width_s: float
    tile: Tile
    quad_px: Quad
    chip: LaidChip | None
    illegal: tuple[Mapping[str, Any], ...]

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        line = {
            "type": "placed",
            "t": format_time(self.t),
            "dt": format_time(self.half_width_s),
            **format_tile(self.tile),
            "quad": format_quad(self.quad_px),
        }
        if self.chip is not None:
            line["chip"] = self.chip.to_json()
        if self.illegal:
            line["illegal"] = [dict(breach) for breach in self.illegal]
        return line


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """An area was completed, and is scored.

    Attributes:
        t: When: once the chip lay that came with the card, if one did.
        area: The area as `judge` answers it, with its animals and points.
        totals: Each player's points so far, this area's among them.
    """

    t: float
    area: Mapping[str, Any]
    totals: Mapping[str, int]

    def to_json(self) -> Json:
        """Returns the line as contract §3 spells it."""
        t = format_time(self.t)
        return {"type": "scored", "t": t, **self.area, "totals": dict(self.totals)}
