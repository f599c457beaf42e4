"""Films rounds of Exploring Galapagos: hands lay the cards that are scored, and take them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from datasets.art.paint import Rng
from datasets.deck_art import read_face
from datasets.game_film import PILE, GameStage, GameTake, pose_of
from datasets.hand_trips import Carry
from datasets.island_play import NAMES, IslandTable, deal_round, format_position
from datasets.island_table import back_of, lay_islands, sample_sides
from datasets.items import Item
from datasets.motion import Pose, Track
from datasets.seating import Seat
from datasets.spread import Laid, Spread
from datasets.still_styles import Camera, Circumstances, sample_camera
from datasets.truth import quad_px
from referee.decks import Deck
from referee.judge import judge

Json = dict[str, Any]
_PILE_MM = 5.0
_SHARED = "shared"
_LOOK_S = (1.2, 2.0)
"""How long the cards lie there, once all hands have gone."""

_FAR_MM = 1100.0
_OUTWARD = {"bottom": (0.0, 1.0), "left": (-1.0, 0.0), "top": (0.0, -1.0), "right": (1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Shown:
    """A round as it lies on the table: from when all cards lie until the first is taken."""

    table: IslandTable
    spread: Spread
    ready_s: float
    until_s: float


@dataclass(frozen=True, slots=True, eq=False)
class IslandTake:
    """A recording before its frames are drawn: its rounds, and the film of them."""

    rounds: tuple[Shown, ...]
    film: GameTake


def play_rounds(rng: Rng, deck: Deck, players: int, rounds: int) -> tuple[IslandTable, ...]:
    """Deals one round after the other; what a player has used stays used (rulings E8)."""
    used: dict[str, tuple[str, ...]] = dict.fromkeys(NAMES[:players], ())
    tables = []
    for _ in range(rounds):
        table = deal_round(rng, deck, used)
        tables.append(table)
        for player in judge(format_position(table), deck)["players"]:
            if player["method"] is not None:
                methods = {*used[player["name"]], player["method"]}
                used[player["name"]] = tuple(sorted(methods))
    return tuple(tables)


def prepare_film(
    rng: Rng, deck: Deck, tables: Sequence[IslandTable], kind: Circumstances, fps: int
) -> IslandTake:
    """Draws by lot everything that happens in a recording.

    Raises:
        DeckError: if the deck lacks a piece or a picture cannot be read.
    """
    names = [player.name for player in tables[0].players]
    sides = sample_sides(rng, len(names))
    spreads = [lay_islands(rng, deck, replace(table, pile=0), sides) for table in tables]
    reach = np.vstack([spread.reach for spread in spreads])
    width, height = deck.card_mm
    spot = (float(reach[:, 0].max()) + width * 0.4, float(reach[:, 1].max()) - height * 0.8)
    far = np.vstack([reach, [(spot[0] + width * 0.7, spot[1])]])
    camera = sample_camera(rng, kind, far, any_side=False)
    seats = {name: _seat(side, at) for name, side, at in spreads[0].seats}
    stage = _Stage(rng, camera, seats, deck, spot)
    shown: list[Shown] = []
    now = float(rng.uniform(0.3, 0.6))
    for table, spread in zip(tables, spreads, strict=True):
        if shown:
            now = stage.clear(spreads[len(shown) - 1], now)
        ready = stage.lay(spread, now)
        now = stage.trips_end_s() + float(rng.uniform(*_LOOK_S))
        shown.append(Shown(table, spread, ready, now))
    film = stage.shoot(camera, kind, fps)
    last = replace(shown[-1], until_s=film.motion.end_s)
    return IslandTake((*_closed(shown, film), last), film)


def _closed(shown: Sequence[Shown], film: GameTake) -> list[Shown]:
    """Returns all rounds but the last, each until the first of its cards is lifted."""
    closed = []
    for each in shown[:-1]:
        lifts = [
            leg.start_s
            for laid in each.spread.laid
            for leg in film.motion.tracks[laid.item.file].legs
            if leg.start_s > each.ready_s
        ]
        closed.append(replace(each, until_s=min(lifts)))
    return closed


class _Stage(GameStage):
    """The table while its rounds are being made up."""

    def __init__(
        self,
        rng: Rng,
        camera: Camera,
        seats: Mapping[str, Seat],
        deck: Deck,
        spot: tuple[float, float],
    ) -> None:
        super().__init__(rng, camera, seats)
        back = back_of(deck)
        art = read_face(deck, back)
        pile = Item("back", art, spot, back.size_mm, 0.05, 0.0, _PILE_MM, file=back.id)
        self.add(PILE, pile, {"id": back.id, "kind": "back", "place": "deck"})

    def lay(self, spread: Spread, now: float) -> float:
        """Lets every player lay the own cards, the first one the shared ones too.

        Returns:
            When the last card lies.
        """
        ready = now
        for index, (player, laid) in enumerate(self._by_player(spread).items()):
            start, carries = now + 0.6 + 0.3 * index, []
            for each in laid:
                name = each.item.file
                if name not in self.items:
                    self.items[name], self.tracks[name] = each.item, Track(self._in_pile())
                end = start + float(self.rng.uniform(0.5, 0.65))
                carries.append(Carry(name, pose_of(each.item), start, end, 0.06))
                start, ready = end + 0.06 + float(self.rng.uniform(0.34, 0.42)), max(ready, end)
            self.carry(player, carries)
        return ready

    def clear(self, spread: Spread, now: float) -> float:
        """Lets every player put the own cards back; returns when the last hand has gone."""
        for index, (player, laid) in enumerate(self._by_player(spread).items()):
            start, carries = now + 0.6 + 0.3 * index, []
            for each in laid:
                end = start + float(self.rng.uniform(0.45, 0.6))
                carries.append(Carry(each.item.file, self._in_pile(), start, end, 0.05))
                start = end + 0.05 + float(self.rng.uniform(0.34, 0.42))
            self.carry(player, carries)
        return self.trips_end_s() + float(self.rng.uniform(0.2, 0.4))

    def trips_end_s(self) -> float:
        """Returns when the last hand has gone."""
        return max(trip.end_s for trip in self.trips)

    def _in_pile(self) -> Pose:
        pile = self.tracks[PILE].home
        return replace(pile, lift_mm=pile.lift_mm + 0.4, flip=0.0)

    def _by_player(self, spread: Spread) -> dict[str, list[Laid]]:
        """Returns who lays what."""
        first = next(iter(self.seats))
        cards: dict[str, list[Laid]] = {name: [] for name in self.seats}
        for each in spread.laid:
            place = str((each.facts or {})["place"])
            cards[first if place == _SHARED else place].append(each)
        return cards


def _seat(side: str, at_mm: tuple[float, float]) -> Seat:
    """Returns the seat of a player: the hand comes from behind the player's cards."""
    x, y = _OUTWARD[side.split("-", maxsplit=1)[0]]
    home = Pose(*at_mm, 0.0)
    return Seat(home, (1.0, 0.0), (at_mm[0] + x * _FAR_MM, at_mm[1] + y * _FAR_MM))


def describe_film(take: IslandTake, deck: Deck, deck_name: str) -> Json:
    """Returns the truth of a recording: every round with its question and answer.

    A round lies on the table from the frame at `t`, in which its last card lies, until `until`,
    when the first of its cards is taken.
    """
    film, first = take.film, take.rounds[0]
    return {
        "game": deck.game, "deck": deck_name, **film.describe(),
        "players": [player.name for player in first.table.players],
        "seats": [
            {
                "name": name, "side": side,
                "at": quad_px(film.camera.view, np.asarray([[*at, 0.0]], np.float64))[0],
            }
            for name, side, at in first.spread.seats
        ],
        "rounds": [_describe_round(film, each, deck) for each in take.rounds],
    }  # fmt: skip


def _describe_round(film: GameTake, shown: Shown, deck: Deck) -> Json:
    position = format_position(shown.table)
    laid = {each.item.file: each.facts or {} for each in shown.spread.laid}
    return {
        "t": film.first_frame_s(shown.ready_s),
        "until": film.first_frame_s(shown.until_s),
        "seen": film.seen(shown.ready_s, laid | dict(film.facts)),
        "position": position,
        "expect": judge(position, deck),
    }
