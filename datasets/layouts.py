"""How cards are laid: grids with Camera cards, scattered cards, rows, hands, fans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.art import faces, paint, tokens
from datasets.art.faces import Deck
from datasets.art.paint import Image, Rng
from datasets.items import Item
from datasets.packs import Pack

QUARTER = np.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class ArtBox:
    """The art of one scene: two drawn decks, and a printed deck that stands in for the first."""

    decks: tuple[Deck, Deck]
    pack: Pack | None = None

    def size_mm(self, deck: int) -> tuple[float, float]:
        """Size of the cards of one deck."""
        return self.pack.size_mm if self.pack and deck == 0 else self.decks[deck].size_mm

    def face(self, rng: Rng, deck: int) -> Image:
        """One more face."""
        if self.pack and deck == 0:
            return self.pack.faces[int(rng.integers(len(self.pack.faces)))]
        return faces.face(rng, self.decks[deck])

    def camera(self, rng: Rng) -> Image:
        """One more Camera card."""
        if self.pack and self.pack.cameras:
            return self.pack.cameras[int(rng.integers(len(self.pack.cameras)))]
        return tokens.camera_card(rng, self.decks[0])

    def back(self, rng: Rng, deck: int) -> Image:
        """The back of a deck, drawn anew."""
        if self.pack and self.pack.backs and deck == 0:
            return self.pack.backs[int(rng.integers(len(self.pack.backs)))]
        return tokens.back(rng, self.decks[deck])


def card_item(
    rng: Rng, art: ArtBox, deck: int, at: tuple[float, float], angle: float, lift: float = 0.0
) -> Item:
    """Lays one face-up card."""
    return Item("card", art.face(rng, deck), at, art.size_mm(deck), angle, lift)


def _camera(
    rng: Rng, art: ArtBox, at: tuple[float, float], angle: float, lift: float = 0.3
) -> Item:
    return Item("camera", art.camera(rng), at, art.size_mm(0), angle, lift)


def _pile(rng: Rng, art: ArtBox, at: tuple[float, float], angle: float, *, up: bool) -> list[Item]:
    """A pile or a single card: face down shows a back; untidy piles show cards under the top."""
    deck = int(rng.integers(2))
    thick = float(rng.choice((0.3, 3, 8, 16, 22)) * rng.uniform(0.7, 1.3))
    kind, draw = ("card", art.face) if up else ("back", art.back)
    items: list[Item] = []
    if thick > 0.5 and rng.random() < 0.5:
        for level in range(int(rng.integers(1, 4))):
            slip = (at[0] + rng.normal(0, 1.5), at[1] + rng.normal(0, 1.5))
            turn = angle + rng.normal(0, 0.04)
            items.append(Item(kind, draw(rng, deck), slip, art.size_mm(deck), turn, level * 0.3))
    side = paint.near(rng, (225, 228, 230), 25)
    lift = 0.3 * len(items)
    items.append(Item(kind, draw(rng, deck), at, art.size_mm(deck), angle, lift, thick, side))
    return items


def _fan(rng: Rng, art: ArtBox, deck: int, at: tuple[float, float], angle: float) -> list[Item]:
    """Overlapping cards in a row or a fan, as won or held cards lie."""
    count = int(rng.integers(2, 8))
    width = art.size_mm(deck)[0]
    step, spread = width * rng.uniform(0.12, 0.75), rng.uniform(-0.12, 0.12)
    if rng.random() < 0.4:
        spread = 0.0
    items = []
    for index in range(count):
        turn = angle + (index - count / 2) * spread + rng.normal(0, 0.02)
        along = (index - count / 2) * step
        spot = (
            at[0] + along * np.cos(angle),
            at[1] + along * np.sin(angle) + abs(index - count / 2) ** 2 * abs(spread) * 3,
        )
        items.append(card_item(rng, art, deck, spot, turn, 0.3 * index))
    return items


def _grid_cells(rng: Rng, art: ArtBox, cols: int, rows: int) -> list[Item]:
    width, height = art.size_mm(0)
    gap_x, gap_y = rng.uniform(-0.5, 24, 2) if rng.random() < 0.75 else rng.uniform(-0.5, 2, 2)
    sloppy = rng.choice((0.0, 0.02, 0.05, 0.15))
    shift = float(rng.choice((0.0, 1.0, 3.0, 6.0)))
    missing = rng.choice((0.0, 0.1, 0.3))
    base = float(rng.choice((0.0, np.pi)))
    items = []
    for row in range(rows):
        for col in range(cols):
            if rng.random() < missing:
                continue
            at = (
                (col - (cols - 1) / 2) * (width + gap_x) + rng.normal(0, shift),
                (row - (rows - 1) / 2) * (height + gap_y) + rng.normal(0, shift),
            )
            flip = np.pi if rng.random() < 0.3 else 0.0
            items.append(card_item(rng, art, 0, at, base + flip + rng.normal(0, sloppy)))
    return items


def photo_round(rng: Rng, art: ArtBox) -> list[Item]:
    """A grid of cards with Camera cards on them and at the sides, piles, tasks, won cards."""
    cols, rows = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    items = _grid_cells(rng, art, cols, rows)
    width, height = art.size_mm(0)
    half_w, half_h = cols * width * 0.56, rows * height * 0.58
    spots = [item for item in items if item.kind == "card"]
    for _ in range(int(rng.integers(0, 7))):
        if spots:
            below = spots[int(rng.integers(len(spots)))]
            off = rng.normal(0, 0.22, 2) * (width, height)
            at = (below.at_mm[0] + off[0], below.at_mm[1] + off[1])
            lift = 0.6 if rng.random() < 0.85 else float(rng.uniform(3, 40))
            items.append(_camera(rng, art, at, below.angle + rng.normal(0, 0.35), lift))
    for side in rng.permutation(8)[: int(rng.integers(2, 9))]:
        turn = int(side) % 4
        reach = (half_h if turn % 2 == 0 else half_w) + height * rng.uniform(0.6, 1.3)
        along = rng.uniform(-0.9, 0.9) * (half_w if turn % 2 == 0 else half_h)
        dx, dy = (along, reach) if turn % 2 == 0 else (reach, along)
        at = (dx, dy) if turn < 2 else (-dx, -dy)
        items += _beside(rng, art, at, turn * -QUARTER + rng.normal(0, 0.12))
    return items


def _beside(rng: Rng, art: ArtBox, at: tuple[float, float], angle: float) -> list[Item]:
    roll = rng.random()
    if roll < 0.38:
        return [_camera(rng, art, at, angle)]
    if roll < 0.76:
        return _pile(rng, art, at, angle, up=False)
    if roll < 0.86:
        return _pile(rng, art, at, angle, up=True)
    return _fan(rng, art, 0, at, angle)


def scatter(rng: Rng, art: ArtBox) -> list[Item]:
    """Cards strewn at any angle, apart or over each other, some chips among them."""
    count = int(rng.integers(1, 5)) if rng.random() < 0.4 else int(rng.integers(4, 26))
    height = art.size_mm(0)[1]
    apart = height * rng.uniform(0.3, 1.25)
    reach = apart * np.sqrt(count) * 0.62 + 20
    aligned = rng.random() < 0.4
    spots: list[tuple[float, float]] = []
    items: list[Item] = []
    for _ in range(count * 3):
        at = (float(rng.uniform(-1.3, 1.3) * reach), float(rng.uniform(-1, 1) * reach))
        if len(spots) == count or any(np.hypot(at[0] - x, at[1] - y) < apart for x, y in spots):
            continue
        spots.append(at)
        angle = rng.normal(0, 0.25) if aligned else rng.uniform(0, 2 * np.pi)
        roll = rng.random()
        if roll < 0.2:
            items += _pile(rng, art, at, angle, up=False)
        elif roll < 0.4:
            items.append(_camera(rng, art, at, angle))
        else:
            items.append(
                card_item(
                    rng,
                    art,
                    int(roll < 0.5),
                    at,
                    angle,
                    0.2 * len(items) * float(rng.random() < 0.5),
                )
            )
    return items + _chips(rng, reach)


def _chips(rng: Rng, reach: float) -> list[Item]:
    if rng.random() < 0.5:
        return []
    style, items = str(rng.choice(("poker", "poker", "token", "plain"))), []
    across = float(rng.uniform(22, 42))
    for _ in range(int(rng.integers(1, 10))):
        at = (float(rng.uniform(-1.2, 1.2) * reach), float(rng.uniform(-1, 1) * reach))
        thick = float(rng.choice((3, 3, 3, 10, 20)))
        items.append(
            Item(
                "chip",
                tokens.chip(rng, style),
                at,
                (across, across),
                rng.uniform(0, 6.3),
                0.5,
                thick,
                (120, 120, 120),
            )
        )
    return items


def rows(rng: Rng, art: ArtBox) -> list[Item]:
    """Rows of cards apart from each other, as a suit is laid out."""
    items = []
    width, height = art.size_mm(0)
    rows = int(rng.integers(1, 5))
    pitch_y = height * rng.uniform(1.02, 1.7)
    for row in range(rows):
        count, pitch = int(rng.integers(2, 8)), width * rng.uniform(1.02, 1.7)
        for col in range(count):
            at = (
                (col - (count - 1) / 2) * pitch + rng.normal(0, 2),
                (row - (rows - 1) / 2) * pitch_y + rng.normal(0, 2),
            )
            items.append(
                card_item(
                    rng, art, 0, at, rng.normal(0, 0.06) + (np.pi if rng.random() < 0.2 else 0)
                )
            )
    return items + _chips(rng, 250)


def players(rng: Rng, art: ArtBox) -> list[Item]:
    """A row in the middle, a hand of touching or overlapping cards at each side, cards across."""
    items = []
    width, height = art.size_mm(0)
    for col in range(int(rng.integers(0, 5))):
        items.append(
            card_item(
                rng, art, 0, ((col - 1.5) * width * 1.05, rng.normal(0, 5)), rng.normal(0, 0.04)
            )
        )
    for side in range(4):
        angle = -side * QUARTER
        out = height * rng.uniform(1.5, 2.4)
        count, pitch = int(rng.integers(1, 6)), width * rng.uniform(0.4, 1.06)
        for index in range(count):
            along = (index - (count - 1) / 2) * pitch
            x, y = (
                along * np.cos(angle) - out * np.sin(angle),
                along * np.sin(angle) + out * np.cos(angle),
            )
            items.append(card_item(rng, art, 0, (x, y), angle + rng.normal(0, 0.03), 0.2 * index))
        if rng.random() < 0.6:
            far = out - height * rng.uniform(0.5, 1.05)
            spot = (-far * np.sin(angle) + rng.normal(0, 9), far * np.cos(angle) + rng.normal(0, 9))
            items.append(card_item(rng, art, 0, spot, angle + QUARTER, 0.5))
    if rng.random() < 0.6:
        items += _pile(
            rng, art, (width * 3.4, height * rng.uniform(-2, 2)), rng.normal(0, 0.15), up=False
        )
    return items


def fans(rng: Rng, art: ArtBox) -> list[Item]:
    """Two to five fans and piles, close to each other."""
    items: list[Item] = []
    for _ in range(int(rng.integers(1, 6))):
        at = (float(rng.uniform(-230, 230)), float(rng.uniform(-180, 180)))
        if rng.random() < 0.7:
            items += _fan(rng, art, int(rng.integers(2)), at, rng.uniform(0, 2 * np.pi))
        else:
            items += _pile(rng, art, at, rng.uniform(0, 2 * np.pi), up=bool(rng.random() < 0.5))
    return items
