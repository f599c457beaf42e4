"""Films some turns of Panda, Gorilla & Co: hands bring cards and chips, and take chips home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from datasets.art import arms
from datasets.art.paint import Image, Rng
from datasets.choreography import Choreography
from datasets.compositing import Sprite, make_sprite
from datasets.filming import Film, Filmed, Props
from datasets.hand_trips import Carry, HandTrips
from datasets.items import Item, Shadows
from datasets.motion import Pose, Track, corners_3d
from datasets.seating import Places, Seat
from datasets.sensor import Exposures, Sensor
from datasets.spread import Outline
from datasets.still_styles import (
    Camera,
    Circumstances,
    sample_camera,
    sample_ground,
    sample_light,
)
from datasets.take import TICKS, is_outside
from datasets.truth import quad_px
from datasets.viewpoint import Viewpoint
from datasets.zoo_play import format_position, format_tile
from datasets.zoo_table import CHIP_MM, ZooLaying
from datasets.zoo_turns import Match, Turn
from referee.decks import Deck
from referee.games.panda_gorilla.model import Proposal, Tile
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
    """A recording before its frames are drawn.

    Attributes:
        match: What is played.
        motion: Who carries what when.
        happenings: The turns with their times.
        facts: What is true of each thing that a truth file names, by its id among the tracks.
        items: Every thing, by the same id.
        grid: The corners of the board's grid.
        camera: Where it stands.
        filmed: Light and shadows.
        props: Pictures of everything.
        sensor: What becomes of the frames.
        fps: Frames a second.
    """

    match: Match
    motion: Choreography
    happenings: tuple[Happening, ...]
    facts: Mapping[str, Mapping[str, Any]]
    items: Mapping[str, Item]
    grid: Outline
    camera: Camera
    filmed: Filmed
    props: Props
    sensor: Sensor
    fps: int

    @property
    def ticks(self) -> tuple[int, ...]:
        """The time of every frame, in `TICKS` a second."""
        step = TICKS // self.fps
        return tuple(range(0, int(np.ceil(self.motion.end_s * self.fps)) * step + 1, step))

    def frames(self) -> Iterator[Image]:
        """Draws the frames."""
        view = self.camera.view
        film, exposures = Film(self.filmed, self.props, lambda _: view), Exposures(
            self.sensor, view.size
        )  # fmt: skip
        for tick in self.ticks:
            yield exposures.expose(film.frame(tick / TICKS), tick / TICKS)


class _Stage(HandTrips):
    """The table while its turns are being made up."""

    def __init__(self, rng: Rng, camera: Camera, laying: ZooLaying, match: Match) -> None:
        players = match.start.players
        seats = dict(zip(players, sample_seats(rng, laying, len(players)), strict=True))
        super().__init__(rng, partial(is_outside, camera.view), seats)
        self._laying, self._stock = laying, dict.fromkeys(players, 0)
        self.items: dict[str, Item] = {}
        self.facts: dict[str, Mapping[str, Any]] = {}
        self._ids: dict[Tile | Proposal, str] = {}
        board = laying.board()
        self._add("board", board, None)
        back = laying.back("path")
        at = (board.size_mm[0] / 2 + 26.0, -board.size_mm[1] * 0.3)
        pile = Item("back", laying.face(back), at, back.size_mm, 0.0, 0.0, _PILE_MM, file=back.id)
        self._add("pile", pile, {"id": back.id, "kind": "back"})
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
            pile = self.tracks["pile"].home
            flip = 1.0 if tile.card is None else 0.0
            source = replace(pile, lift_mm=pile.lift_mm + 0.5, flip=flip)
        self._add(name, laid.item, laid.facts, source)

    def _add_chip(self, chip: Proposal, *, is_in_stock: bool = False) -> None:
        host = next(t for t in reversed(self._ids) if isinstance(t, Tile) and t.space == chip.space)
        laid = self._laying.chip(chip, self.items[self._ids[host]])
        self._ids[chip] = name = f"chip-{len(self.items)}"
        source = self._next_stock(chip.player) if is_in_stock else None
        self._add(name, laid.item, laid.facts, source)

    def _add(
        self, name: str, item: Item, facts: Mapping[str, Any] | None, source: Pose | None = None
    ) -> None:
        self.items[name], self.tracks[name] = item, Track(source or pose_of(item))
        if facts is not None:
            self.facts[name] = facts

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


def pose_of(item: Item) -> Pose:
    """Returns where the upper side of a thing is."""
    x, y = item.at_mm
    return Pose(float(x), float(y), item.angle, item.lift_mm + item.thick_mm)


def prepare_film(rng: Rng, deck: Deck, match: Match, kind: Circumstances, fps: int) -> ZooTake:
    """Draws by lot everything that happens in a recording.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    laying = ZooLaying(rng, deck, match.end)
    camera = sample_camera(rng, kind, laying.reach(*_MARGIN_MM), any_side=False)
    stage = _Stage(rng, camera, laying, match)
    happenings = stage.play(match.turns)
    trips = tuple(sorted(stage.trips, key=lambda trip: trip.start_s))
    end_s = max((trip.end_s for trip in trips), default=0.5) + 0.6
    motion = Choreography(stage.tracks, trips, (), (), end_s)
    angle, steep = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.3, 0.6))
    slant = (steep * float(np.cos(angle)), steep * float(np.sin(angle)))
    shadows = Shadows(slant, float(rng.uniform(0.1, 0.3)), 0.5)
    light = replace(sample_light(rng, kind), gamma=1.0)
    places = Places(deck.card_mm, (), tuple(stage.seats.values()), {}, ())
    props = _make_props(rng, stage, camera, shadows, kind)
    sensor = Sensor(float(rng.uniform(0.8, 2.5)), None, 0.0, None, int(rng.integers(2**31)))
    filmed = Filmed(motion, places, shadows, light, 0.5 / fps)
    return ZooTake(
        match, motion, happenings, stage.facts, stage.items, laying.grid(), camera, filmed, props,
        sensor, fps,
    )  # fmt: skip


def _make_props(
    rng: Rng, stage: _Stage, camera: Camera, shadows: Shadows, kind: Circumstances
) -> Props:
    spots, _ = camera.view.project(np.asarray([[-50, 0], [50, 0]], np.float64))
    scale = float(np.hypot(*(spots[1] - spots[0]))) / 100
    sprites: dict[str, Sprite] = {}
    for name, item in stage.items.items():
        key = item.file or name
        if key not in sprites:
            sprites[key] = make_sprite(item.art, item.size_mm, scale)
    faces = {name: sprites[item.file or name] for name, item in stage.items.items()}
    lamp = (-shadows.slant[0] * 2, -shadows.slant[1] * 2)
    hands = {}
    for player in stage.seats:
        arm = arms.draw_arm(rng, arms.sample_look(rng, lamp))
        hands[player] = (arm, make_sprite(arm.art, arm.size_mm, scale))
    back = faces["pile"]
    return Props(faces, {"task": back}, hands, sample_ground(rng, kind, held=False))


def describe_film(take: ZooTake, deck: Deck, deck_name: str) -> Json:
    """Returns the truth of a recording: the table at its start and end, and what happens between.

    `t` is the time of the first frame in which a thing lies where it stays, or has been lifted.
    """
    position = format_position(take.match.end)
    view = take.camera.view
    grid = take.grid.points_mm
    lifted = np.column_stack([grid, np.full(len(grid), take.grid.lift_mm)])
    return {
        "game": deck.game, "deck": deck_name, "fps": take.fps, "frames": len(take.ticks),
        "size": list(view.size), "players": list(take.match.start.players),
        "camera": {
            "tilt": round(take.camera.tilt_deg, 1), "turn": round(take.camera.turn_deg, 1)
        },
        "board_quad": quad_px(view, lifted),
        "start": format_position(take.match.start),
        "placed": [_describe_placed(take, each) for each in take.happenings],
        "scored": [entry for each in take.happenings for entry in _describe_scored(take, each)],
        "taken": [
            {"t": _first_frame_s(take, t), **_where(chip)}
            for each in take.happenings
            for chip, t in zip(each.turn.returned, each.taken_s, strict=True)
        ],
        "seen": _describe_seen(take, view),
        "position": position,
        "expect": judge(position, deck),
    }  # fmt: skip


def _describe_placed(take: ZooTake, happening: Happening) -> Json:
    turn = happening.turn
    entry: Json = {"t": _first_frame_s(take, happening.laid_s)} | format_tile(turn.tile)
    if turn.chip is not None and happening.chip_s is not None:
        entry["chip"] = {
            "quarter": turn.chip.quarter, "player": turn.chip.player,
            "size": turn.chip.size.value, "t": _first_frame_s(take, happening.chip_s),
        }  # fmt: skip
    return entry


def _describe_scored(take: ZooTake, happening: Happening) -> Iterator[Json]:
    """Yields the areas that a turn completed, once its chip lies, if it has one."""
    t = _first_frame_s(take, happening.chip_s or happening.laid_s)
    for area in happening.turn.scored:
        yield {"t": t, **{key: area[key] for key in ("quarters", "animals", "points")}}


def _describe_seen(take: ZooTake, view: Viewpoint) -> list[Json]:
    """Lists what lies on the table at the end, from the lowest to the highest."""
    tracks = take.motion.tracks
    names = sorted(take.facts, key=lambda name: tracks[name].end.lift_mm)
    seen = []
    for name in names:
        facts = take.facts[name]
        quad = quad_px(view, corners_3d(tracks[name].end, take.items[name].size_mm))
        seen.append({"id": facts["id"], "kind": facts["kind"], "quad": quad} | dict(facts))
    return seen


def _where(chip: Proposal) -> Json:
    return {"row": chip.space.row, "col": chip.space.col, "quarter": chip.quarter}


def _first_frame_s(take: ZooTake, t_s: float) -> float:
    """Returns the time of the first frame that is not before a moment."""
    frame = int(np.ceil(t_s * take.fps - 1e-6))
    return round(min(frame, len(take.ticks) - 1) / take.fps, 3)
