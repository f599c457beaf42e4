"""Films some turns of Panda, Gorilla & Co: hands bring cards and chips, and take chips home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from datasets.art.paint import Rng
from datasets.game_film import PILE, GameStage, GameTake, pose_of
from datasets.hand_trips import Carry
from datasets.items import Item
from datasets.motion import Pose
from datasets.seating import Seat
from datasets.spread import Outline
from datasets.still_styles import Camera, Circumstances, sample_camera
from datasets.truth import quad_px
from datasets.zoo_table import CHIP_MM, ZooLaying
from datasets.zoo_turns import Match, Turn
from referee.decks import Deck
from referee.games.panda_gorilla.model import Proposal, Tile
from referee.games.panda_gorilla.position import format_position, format_tile
from referee.judge import judge

Json = dict[str, Any]
STOCK_MM = 24.0
"""From one chip before its player to the next."""

_PILE_MM = 18.0
_MARGIN_MM = (52.0, 36.0)
"""At the sides of the board, for the pile and chips; before and behind it, for chips."""


@dataclass(frozen=True, slots=True)
class Happening:
    """A turn with its times: when the card lies, when the chip lies, when chips are taken."""

    turn: Turn
    laid_s: float
    chip_s: float | None
    taken_s: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ZooTake:
    """A recording before its frames are drawn: what is played, when, and the film of it.

    Attributes:
        match: What is played.
        happenings: The turns with their times.
        grid: The corners of the board's grid.
        film: Everything that can be seen.
    """

    match: Match
    happenings: tuple[Happening, ...]
    grid: Outline
    film: GameTake


class _Stage(GameStage):
    """The table while its turns are being made up."""

    def __init__(self, rng: Rng, camera: Camera, laying: ZooLaying, match: Match) -> None:
        players = match.start.players
        seats = dict(zip(players, sample_seats(rng, laying, len(players)), strict=True))
        super().__init__(rng, camera, seats)
        self._laying, self._stock = laying, dict.fromkeys(players, 0)
        self._ids: dict[Tile | Proposal, str] = {}
        board = laying.board()
        self.add("board", board)
        back = laying.back("path")
        at = (board.size_mm[0] / 2 + 26.0, -board.size_mm[1] * 0.3)
        pile = Item("back", laying.face(back), at, back.size_mm, 0.0, 0.0, _PILE_MM, file=back.id)
        self.add(PILE, pile, {"id": back.id, "kind": "back"})
        for tile in match.start.tiles:
            self._add_tile(tile)
        for chip in match.start.chips:
            self._add_chip(chip)

    def play(self, turns: Sequence[Turn]) -> tuple[Happening, ...]:
        """Lets one player after the other take a turn."""
        for turn in turns:
            self._add_tile(turn.tile, is_in_pile=True)
            if turn.chip is not None:
                self._add_chip(turn.chip, is_in_stock=True)
        now, happenings = float(self.rng.uniform(0.3, 0.6)), []
        for turn in turns:
            happening, now = self._take_turn(turn, now)
            happenings.append(happening)
        return tuple(happenings)

    def _take_turn(self, turn: Turn, now: float) -> tuple[Happening, float]:
        rng, carries = self.rng, []
        start = now + float(rng.uniform(0.5, 0.7))
        laid_s = start + float(rng.uniform(0.65, 0.9))
        hold = float(rng.uniform(0.15, 0.4))
        tile = self._ids[turn.tile]
        carries.append(Carry(tile, pose_of(self.items[tile]), start, laid_s, hold))
        chip_s = None
        if turn.chip is not None:
            chip, start = self._ids[turn.chip], laid_s + hold + float(rng.uniform(0.45, 0.65))
            chip_s = start + float(rng.uniform(0.5, 0.75))
            carries.append(Carry(chip, pose_of(self.items[chip]), start, chip_s, hold))
        self.carry(turn.player, carries)
        now = self.trips[-1].end_s
        taken = self._take_home(turn, now + float(rng.uniform(0.3, 0.7)))
        now = self.trips[-1].end_s + float(rng.uniform(0.2, 0.5))
        return Happening(turn, laid_s, chip_s, tuple(carry.start_s for carry in taken)), now

    def _take_home(self, turn: Turn, start: float) -> list[Carry]:
        """The player on turn takes the chips of scored areas off the board."""
        carries, at = [], start + 0.5
        for chip in turn.returned:
            end = at + float(self.rng.uniform(0.5, 0.65))
            chip_id = self._ids[chip]
            carries.append(Carry(chip_id, self._next_stock(chip.player), at, end, 0.1))
            self.facts[chip_id] = {k: self.facts[chip_id][k] for k in ("id", "kind")}
            at = end + 0.55
        if carries:
            self.carry(turn.player, carries)
        return carries

    def _add_tile(self, tile: Tile, *, is_in_pile: bool = False) -> None:
        laid = self._laying.tile(tile)
        self._ids[tile] = name = f"tile-{len(self.items)}"
        for other in [t for t in self._ids if isinstance(t, Tile) and t.space == tile.space]:
            self.facts.pop(self._ids[other], None)  # a pond that is built over
        source = None
        if is_in_pile:
            pile = self.tracks[PILE].home
            flip = 1.0 if tile.card is None else 0.0
            source = replace(pile, lift_mm=pile.lift_mm + 0.5, flip=flip)
        self.add(name, laid.item, laid.facts, source)

    def _add_chip(self, chip: Proposal, *, is_in_stock: bool = False) -> None:
        host = next(t for t in reversed(self._ids) if isinstance(t, Tile) and t.space == chip.space)
        laid = self._laying.chip(chip, self.items[self._ids[host]])
        self._ids[chip] = name = f"chip-{len(self.items)}"
        source = self._next_stock(chip.player) if is_in_stock else None
        self.add(name, laid.item, laid.facts, source)

    def _next_stock(self, player: str) -> Pose:
        """Returns the next free place for a chip before its player."""
        seat, index = self.seats[player], self._stock[player]
        self._stock[player] += 1
        return Pose(
            seat.home.x_mm + seat.along[0] * STOCK_MM * index,
            seat.home.y_mm + seat.along[1] * STOCK_MM * index,
            float(self.rng.uniform(0, 2 * np.pi)),
            CHIP_MM,
        )


def sample_seats(rng: Rng, laying: ZooLaying, count: int) -> tuple[Seat, ...]:
    """Returns seats around the board, clockwise from the near side; chips lie before them."""
    x, y = laying.reach(22.0, 22.0).max(0)
    slide = float(rng.uniform(-40, 40))
    bottom = Seat(Pose(-90 + slide, float(y), 0.0), (1.0, 0.0), (90 + slide, 1000.0))
    left = Seat(Pose(-float(x), -90 + slide, np.pi / 2), (0.0, 1.0), (-1100.0, 60 + slide))
    top = Seat(Pose(90 + slide, -float(y), np.pi), (-1.0, 0.0), (-90 + slide, -1100.0))
    right = Seat(Pose(float(x), 20 + slide, -np.pi / 2), (0.0, 1.0), (1100.0, 60 + slide))
    return {2: (bottom, top), 3: (bottom, left, top), 4: (bottom, left, top, right)}[count]


def prepare_film(rng: Rng, deck: Deck, match: Match, kind: Circumstances, fps: int) -> ZooTake:
    """Draws by lot everything that happens in a recording.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    laying = ZooLaying(rng, deck, match.end)
    camera = sample_camera(rng, kind, laying.reach(*_MARGIN_MM), any_side=False)
    stage = _Stage(rng, camera, laying, match)
    happenings = stage.play(match.turns)
    return ZooTake(match, happenings, laying.grid(), stage.shoot(camera, kind, fps))


def describe_film(take: ZooTake, deck: Deck, deck_name: str) -> Json:
    """Returns the truth of a recording: the table at its start and end, and what happens between.

    `t` is the time of the first frame in which a thing lies where it stays, or has been lifted.
    """
    film, position = take.film, format_position(take.match.end.position)
    grid = take.grid.points_mm
    lifted = np.column_stack([grid, np.full(len(grid), take.grid.lift_mm)])
    return {
        "game": deck.game, "deck": deck_name, **film.describe(),
        "players": list(take.match.start.players),
        "board_quad": quad_px(film.camera.view, lifted),
        "start": format_position(take.match.start.position),
        "placed": [_describe_placed(film, each) for each in take.happenings],
        "scored": [entry for each in take.happenings for entry in _describe_scored(film, each)],
        "taken": [
            {"t": film.first_frame_s(t), **_where(chip)}
            for each in take.happenings
            for chip, t in zip(each.turn.returned, each.taken_s, strict=True)
        ],
        "seen": film.seen(film.motion.end_s, film.facts),
        "position": position,
        "expect": judge(position, deck),
    }  # fmt: skip


def _describe_placed(film: GameTake, happening: Happening) -> Json:
    turn = happening.turn
    entry: Json = {"t": film.first_frame_s(happening.laid_s)} | format_tile(turn.tile)
    if turn.chip is not None and happening.chip_s is not None:
        entry["chip"] = {
            "quarter": turn.chip.quarter, "player": turn.chip.player,
            "size": turn.chip.size.value, "t": film.first_frame_s(happening.chip_s),
        }  # fmt: skip
    return entry


def _describe_scored(film: GameTake, happening: Happening) -> Iterator[Json]:
    """Yields the areas that a turn completed, once its chip lies, if it has one."""
    t = film.first_frame_s(happening.chip_s or happening.laid_s)
    for area in happening.turn.scored:
        yield {"t": t, **{key: area[key] for key in ("quarters", "animals", "points")}}


def _where(chip: Proposal) -> Json:
    return {"row": chip.space.row, "col": chip.space.col, "quarter": chip.quarter}
