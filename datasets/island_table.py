"""Lays a table of Exploring Galapagos: the shared row, each player's cards, the deck."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.art.paint import Rng, f64
from datasets.deck_art import read_face
from datasets.island_habits import NEAT, Habits
from datasets.island_play import IslandTable, Player, format_position
from datasets.items import Item, Points
from datasets.spread import Care, Laid, Spread, sample_care
from datasets.surroundings import scattered_things
from referee.decks import Deck, DeckCard
from referee.errors import DeckError
from referee.games.exploring_galapagos.model import CardBack

CARD_MM = 0.3
QUARTER = np.pi / 2

SIDES: dict[int, tuple[tuple[str, ...], ...]] = {
    2: (("bottom", "top"), ("bottom", "top"), ("bottom", "right"), ("left", "right")),
    3: (
        ("bottom", "top-left", "top-right"), ("bottom", "left", "right"), ("bottom", "left", "top"),
    ),
    4: (("bottom", "left", "top", "right"), ("bottom", "left", "top-left", "top-right")),
    5: (("bottom", "left", "top-left", "top-right", "right"),),
}  # fmt: skip
"""Sides at which that many players sit, clockwise; how often one is there is its chance."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's side.

    Attributes:
        side: Its name.
        at_mm: Middle of the row of cards.
        angle: How a card lies that its player reads upright.
    """

    side: str
    at_mm: tuple[float, float]
    angle: float

    def place(self, across_mm: float, inward_mm: float) -> tuple[float, float]:
        """Returns a place to the player's right and towards the middle of the table."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        x, y = self.at_mm
        return (
            float(x + across_mm * cos + inward_mm * sin),
            float(y + across_mm * sin - inward_mm * cos),
        )


def sample_sides(rng: Rng, count: int) -> tuple[str, ...]:
    """Draws by lot at which sides that many players sit, clockwise."""
    return SIDES[count][int(rng.integers(len(SIDES[count])))]


def lay_islands(
    rng: Rng,
    deck: Deck,
    table: IslandTable,
    sides: tuple[str, ...] | None = None,
    habits: Habits = NEAT,
) -> Spread:
    """Lays a table with the cards of a deck.

    Args:
        rng: Source of all chance.
        deck: The deck.
        table: What lies there.
        sides: Where the players sit; drawn by lot where None.
        habits: How they lay their cards.

    Raises:
        DeckError: if the deck has no back.
    """
    width, height = deck.card_mm
    care = sample_care(rng)
    gap = float(rng.uniform(3, 16))
    laid: list[Laid] = []
    shared = Seat("", (float(rng.normal(0, 10)), float(rng.normal(0, 8))), 0.0)
    for index, card_id in enumerate(table.shared):
        across = (index - (len(table.shared) - 1) / 2) * (width + gap)
        place = (shared.place(across, 0.0), 0.0)
        laid.append(_lay(rng, deck, care, card_id, place, {"place": "shared"}))
    chosen = sides or sample_sides(rng, len(table.players))
    seats = [_sample_seat(rng, side, deck.card_mm, chosen) for side in chosen]
    for player, seat in zip(table.players, seats, strict=True):
        laid += _lay_player(rng, deck, (care, habits), player, _turned(rng, seat, habits))
    for count in [table.pile] * (table.pile > 0) + [1] * habits.spare:
        laid.append(_lay_pile(rng, deck, count, laid))
    reach = np.vstack([each.item.corners() for each in laid])
    laid += _lay_things(rng, habits.things, reach)
    low, high = reach.min(0) - height * 0.12, reach.max(0) + height * 0.12
    return Spread(
        laid=tuple(laid),
        position=format_position(table),
        reach=f64([low, (high[0], low[1]), high, (low[0], high[1])]),
        seats=tuple(
            (player.name, seat.side, _middle(laid, player.name))
            for player, seat in zip(table.players, seats, strict=True)
        ),
    )


def _sample_seat(rng: Rng, side: str, card_mm: tuple[float, float], taken: tuple[str, ...]) -> Seat:
    """Draws a seat by lot, so far out that a locked-in card lies between it and the shared row."""
    width, height = card_mm
    out = height * 0.5 + float(rng.uniform(14, 30)) + width + float(rng.uniform(8, 20)) + height / 2
    if side == "bottom":
        return Seat(side, (float(rng.uniform(-45, 45)), out), 0.0)
    if side in ("left", "right"):
        sign = -1.0 if side == "left" else 1.0
        far = 1.5 * width + float(rng.uniform(22, 40)) + width + height / 2 + 16
        crowded = "top-left" in taken or "bottom" in taken
        slide = float(rng.uniform(-10, 50) if crowded else rng.uniform(-50, 50))
        return Seat(side, (sign * (far + 24), slide), -sign * QUARTER)
    shift = {"top": 0.0, "top-left": -2.15 * width, "top-right": 2.15 * width}[side]
    return Seat(side, (shift + float(rng.uniform(-12, 12)), -out), np.pi)


def _turned(rng: Rng, seat: Seat, habits: Habits) -> Seat:
    """Returns the seat of somebody who lays cards not quite along the table's side."""
    if not habits.turn:
        return seat
    return Seat(seat.side, seat.at_mm, seat.angle + float(rng.uniform(-1, 1)) * habits.turn)


def _lay_player(
    rng: Rng, deck: Deck, manner: tuple[Care, Habits], player: Player, seat: Seat
) -> list[Laid]:
    """Lays a hand side by side or fanned out, and the locked-in card crosswise before it."""
    care, habits = manner
    width, height = deck.card_mm
    pitch = width + float(rng.uniform(0.5, 6.0))
    if habits.overlap:
        pitch = width * (1 - habits.overlap)
    order = [player.hand[int(i)] for i in rng.permutation(len(player.hand))]
    laid = []
    for index, card_id in enumerate(order):
        step = index - (len(order) - 1) / 2
        angle = step * habits.fan
        # Fanned cards turn around a point below them.
        spot = seat.place(step * pitch, -abs(np.tan(angle / 2)) * abs(step) * pitch)
        flip = np.pi if habits.flipped and rng.random() < habits.flipped else 0.0
        place = (spot, seat.angle + angle + flip)
        laid.append(_lay(rng, deck, care, card_id, place, {"place": player.name}))
    if player.locked is not None:
        inward = height / 2 + width / 2 + float(rng.uniform(5, 10))
        across = float(rng.uniform(-0.5, 0.5)) * pitch
        turn = QUARTER if rng.random() < 0.5 else -QUARTER
        place = (seat.place(across, inward), seat.angle + turn)
        facts = {"place": player.name, "locked": True}
        laid.append(_lay(rng, deck, care, player.locked, place, facts))
    return laid


def _lay(
    rng: Rng,
    deck: Deck,
    care: Care,
    card_id: str,
    place: tuple[tuple[float, float], float],
    facts: dict[str, object],
) -> Laid:
    card = deck.card(card_id)
    (x, y), angle = place
    dx, dy, stray = care.stray(rng)
    item = Item(
        "card", read_face(deck, card), (x + dx, y + dy), card.size_mm, angle + stray, 0.0, CARD_MM,
        file=card.id,
    )  # fmt: skip
    return Laid(item, {"id": card.id, "kind": "card", **facts})


def _lay_pile(rng: Rng, deck: Deck, count: int, laid: list[Laid]) -> Laid:
    """Puts the deck where it covers nothing."""
    back = back_of(deck)
    others = f64([each.item.at_mm for each in laid])
    reach = np.abs(others).max(0)
    clear = 0.0
    spot = (0.0, 0.0)
    for _ in range(60):
        at = rng.uniform(-1, 1, 2) * reach
        room = float(np.hypot(*(others - at).T).min())
        if room > clear:
            clear, spot = room, (float(at[0]), float(at[1]))
    if clear < np.hypot(*back.size_mm) * 1.02:
        spot = (float(reach[0] + back.size_mm[1]), float(rng.uniform(-0.5, 0.5) * reach[1]))
    item = Item(
        "back", read_face(deck, back), spot, back.size_mm, float(rng.normal(0, 0.12)), 0.0,
        CARD_MM * count, (220, 226, 228), file=back.id,
    )  # fmt: skip
    return Laid(item, {"id": back.id, "kind": "back", "place": "deck"})


def _lay_things(rng: Rng, count: int, reach: Points) -> list[Laid]:
    """Puts things around the cards."""
    middle, half = (reach.min(0) + reach.max(0)) / 2, float(np.ptp(reach, axis=0).max()) / 2
    if not count:
        return []
    things = scattered_things(rng, 6 * count, half)
    moved = [replace(t, at_mm=(t.at_mm[0] + middle[0], t.at_mm[1] + middle[1])) for t in things]
    clear = [thing for thing in moved if _is_clear(thing, reach)]
    return [Laid(thing) for thing in clear[:count]]


def _is_clear(thing: Item, reach: Points) -> bool:
    """Tells whether a thing lies off all cards, of which the corners are given in fours."""
    radius = float(np.hypot(*thing.size_mm)) / 2
    cards = reach.reshape(-1, 4, 2).mean(1)
    half = float(np.hypot(*(reach[0] - reach[2]))) / 2
    return bool((np.hypot(*(cards - f64(thing.at_mm)).T) > radius + half).all())


def _middle(laid: list[Laid], name: str) -> tuple[float, float]:
    """Returns the middle of a player's hand."""
    spots = f64(
        [
            each.item.at_mm
            for each in laid
            if each.facts is not None
            and each.facts.get("place") == name
            and not each.facts.get("locked")
        ]
    )
    return float(spots[:, 0].mean()), float(spots[:, 1].mean())


def back_of(deck: Deck) -> DeckCard:
    """Returns the back of the Habitat cards.

    Raises:
        DeckError: if the deck has none.
    """
    for card in deck.of_kind("back"):
        if isinstance(card.piece, CardBack) and card.piece.of == "habitat":
            return card
    raise DeckError(str(deck.path), "cards", "a back of the kind habitat", "none")
