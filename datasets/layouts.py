"""How tables are laid: grids with Camera cards, scattered cards, fans, boards of tiles, clutter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.art import clutter, faces, hands, paint, surfaces, tokens
from datasets.art.faces import Deck
from datasets.art.paint import Image, Rng
from datasets.scene import Item, Scene, Style, sample_shadows, sample_table

QUARTER = np.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class ArtBox:
    """The art of one scene: its decks and ready-made faces."""

    decks: tuple[Deck, ...]
    foreign: tuple[Image, ...] = ()


def sample_scene(
    rng: Rng, style: Style, textures: Path | None = None, foreign: tuple[Image, ...] = ()
) -> Scene:
    """Draws a whole table by lot.

    Args:
        rng: source of all chance.
        style: families of art to draw from.
        textures: folder of texture pictures, used for a part of the tables.
        foreign: ready-made card faces (BGRA), mixed in among the drawn ones.
    """
    names = tuple(LAYOUTS)
    name = str(rng.choice(names, p=[LAYOUTS[n][1] for n in names]))
    decks = tuple(faces.sample_deck(rng, style.faces, style.cameras) for _ in range(2))
    items = LAYOUTS[name][0](rng, ArtBox(decks, foreign))
    reach = max((float(np.abs(item.corners()).max()) for item in items), default=250.0)
    under, around, over = _surroundings(rng, reach)
    gripping = _hands(rng, items, reach) if rng.random() < 0.38 else []
    table = sample_table(rng, style, reach, textures)
    return Scene(table, (*under, *around, *items, *over, *gripping), sample_shadows(rng), name)


def _card(
    rng: Rng, art: ArtBox, deck: int, at: tuple[float, float], angle: float, lift: float = 0.0
) -> Item:
    chosen = art.decks[deck]
    if art.foreign and rng.random() < 0.15:
        image = art.foreign[int(rng.integers(len(art.foreign)))]
    else:
        image = faces.face(rng, chosen)
    return Item("card", image, at, chosen.size_mm, angle, lift)


def _camera(
    rng: Rng, art: ArtBox, at: tuple[float, float], angle: float, lift: float = 0.3
) -> Item:
    return Item(
        "camera", tokens.camera_card(rng, art.decks[0]), at, art.decks[0].size_mm, angle, lift
    )


def _pile(rng: Rng, art: ArtBox, at: tuple[float, float], angle: float, *, up: bool) -> list[Item]:
    """A pile or a single card: face down shows a back; untidy piles show cards under the top."""
    deck = art.decks[int(rng.integers(2))]
    thick = float(rng.choice((0.3, 3, 8, 16, 22)) * rng.uniform(0.7, 1.3))
    items = []
    if thick > 0.5 and rng.random() < 0.5:
        for level in range(int(rng.integers(1, 4))):
            slip = (at[0] + rng.normal(0, 1.5), at[1] + rng.normal(0, 1.5))
            blank = faces.face(rng, deck) if up else tokens.back(rng, deck)
            items.append(
                Item(
                    "card" if up else "back",
                    blank,
                    slip,
                    deck.size_mm,
                    angle + rng.normal(0, 0.04),
                    level * 0.3,
                )
            )
    image = faces.face(rng, deck) if up else tokens.back(rng, deck)
    side = paint.near(rng, (225, 228, 230), 25)
    items.append(
        Item(
            "card" if up else "back", image, at, deck.size_mm, angle, 0.3 * len(items), thick, side
        )
    )
    return items


def _fan(rng: Rng, art: ArtBox, deck: int, at: tuple[float, float], angle: float) -> list[Item]:
    """Overlapping cards in a row or a fan, as won or held cards lie."""
    count = int(rng.integers(2, 8))
    width = art.decks[deck].size_mm[0]
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
        items.append(_card(rng, art, deck, spot, turn, 0.3 * index))
    return items


def _grid_cells(rng: Rng, art: ArtBox, cols: int, rows: int) -> list[Item]:
    width, height = art.decks[0].size_mm
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
            items.append(_card(rng, art, 0, at, base + flip + rng.normal(0, sloppy)))
    return items


def _photo_round(rng: Rng, art: ArtBox) -> list[Item]:
    """A grid of cards with Camera cards on them and at the sides, piles, tasks, won cards."""
    cols, rows = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    items = _grid_cells(rng, art, cols, rows)
    width, height = art.decks[0].size_mm
    half_w, half_h = cols * width * 0.56, rows * height * 0.58
    spots = [item for item in items if item.kind == "card"]
    for _ in range(int(rng.integers(0, 5))):
        if spots:
            below = spots[int(rng.integers(len(spots)))]
            off = rng.normal(0, 0.22, 2) * (width, height)
            at = (below.at_mm[0] + off[0], below.at_mm[1] + off[1])
            lift = 0.6 if rng.random() < 0.85 else float(rng.uniform(3, 40))
            items.append(_camera(rng, art, at, below.angle + rng.normal(0, 0.35), lift))
    for side in rng.permutation(8)[: int(rng.integers(1, 8))]:
        turn = int(side) % 4
        reach = (half_h if turn % 2 == 0 else half_w) + height * rng.uniform(0.6, 1.3)
        along = rng.uniform(-0.9, 0.9) * (half_w if turn % 2 == 0 else half_h)
        dx, dy = (along, reach) if turn % 2 == 0 else (reach, along)
        at = (dx, dy) if turn < 2 else (-dx, -dy)
        items += _beside(rng, art, at, turn * -QUARTER + rng.normal(0, 0.12))
    return items


def _beside(rng: Rng, art: ArtBox, at: tuple[float, float], angle: float) -> list[Item]:
    roll = rng.random()
    if roll < 0.36:
        return [_camera(rng, art, at, angle)]
    if roll < 0.58:
        return _pile(rng, art, at, angle, up=False)
    if roll < 0.72:
        return _pile(rng, art, at, angle, up=True)
    return _fan(rng, art, 0, at, angle)


def _scatter(rng: Rng, art: ArtBox) -> list[Item]:
    """Cards strewn at any angle, apart or over each other, some chips among them."""
    count = int(rng.integers(1, 5)) if rng.random() < 0.4 else int(rng.integers(4, 26))
    height = art.decks[0].size_mm[1]
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
        if roll < 0.06:
            items += _pile(rng, art, at, angle, up=False)
        elif roll < 0.12:
            items.append(_camera(rng, art, at, angle))
        else:
            items.append(
                _card(
                    rng,
                    art,
                    int(roll < 0.2),
                    at,
                    angle,
                    0.2 * len(items) * float(rng.random() < 0.5),
                )
            )
    return items + _chips(rng, reach)


def _chips(rng: Rng, reach: float) -> list[Item]:
    if rng.random() < 0.6:
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


def _rows(rng: Rng, art: ArtBox) -> list[Item]:
    """Rows of cards apart from each other, as a suit is laid out."""
    items = []
    width, height = art.decks[0].size_mm
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
                _card(rng, art, 0, at, rng.normal(0, 0.06) + (np.pi if rng.random() < 0.2 else 0))
            )
    return items + _chips(rng, 250)


def _players(rng: Rng, art: ArtBox) -> list[Item]:
    """A row in the middle, a hand of touching or overlapping cards at each side, cards across."""
    items = []
    width, height = art.decks[0].size_mm
    for col in range(int(rng.integers(0, 5))):
        items.append(
            _card(rng, art, 0, ((col - 1.5) * width * 1.05, rng.normal(0, 5)), rng.normal(0, 0.04))
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
            items.append(_card(rng, art, 0, (x, y), angle + rng.normal(0, 0.03), 0.2 * index))
        if rng.random() < 0.6:
            far = out - height * rng.uniform(0.5, 1.05)
            spot = (-far * np.sin(angle) + rng.normal(0, 9), far * np.cos(angle) + rng.normal(0, 9))
            items.append(_card(rng, art, 0, spot, angle + QUARTER, 0.5))
    if rng.random() < 0.6:
        items += _pile(
            rng, art, (width * 3.4, height * rng.uniform(-2, 2)), rng.normal(0, 0.15), up=False
        )
    return items


def _fans(rng: Rng, art: ArtBox) -> list[Item]:
    """Two to five fans and piles, close to each other."""
    items: list[Item] = []
    for _ in range(int(rng.integers(1, 6))):
        at = (float(rng.uniform(-230, 230)), float(rng.uniform(-180, 180)))
        if rng.random() < 0.7:
            items += _fan(rng, art, int(rng.integers(2)), at, rng.uniform(0, 2 * np.pi))
        else:
            items += _pile(rng, art, at, rng.uniform(0, 2 * np.pi), up=bool(rng.random() < 0.5))
    return items


def _board(rng: Rng, _art: ArtBox) -> list[Item]:
    """A board with a growing field of square path tiles, chips on them and beside."""
    cols, rows, cell = (
        int(rng.integers(4, 11)),
        int(rng.integers(4, 10)),
        float(rng.uniform(35, 60)),
    )
    rim = cell * rng.uniform(0.3, 1.0)
    size = (cols * cell + 2 * rim, rows * cell + 2 * rim)
    items = []
    if rng.random() < 0.75:
        items.append(
            Item("thing", _board_art(rng, cols, rows, rim / cell), (0, 0), size, 0.0, 0.0, 2.0)
        )
    green = rng.random() < 0.6
    hues = (
        (rng.uniform(0.2, 0.4), rng.uniform(0.25, 0.42)) if green else (rng.random(), rng.random())
    )
    tones = (
        paint.hsv(hues[0], 0.6, rng.uniform(0.5, 0.85)),
        paint.hsv(hues[1], 0.7, rng.uniform(0.2, 0.5)),
        paint.colour(rng, (0.05, 0.5), (0.6, 0.95)),
    )
    gap, mono = float(rng.choice((0.0, 0.4, 1.5, 4.0))), bool(rng.random() < 0.3)
    for col, row in _field(rng, cols, rows):
        at = (
            (col - (cols - 1) / 2) * cell + rng.normal(0, 0.7),
            (row - (rows - 1) / 2) * cell + rng.normal(0, 0.7),
        )
        art = tokens.path_tile(rng, tones, mono=mono)
        turn = float(rng.integers(4)) * QUARTER + rng.normal(0, 0.015)
        items.append(
            Item("path", art, at, (cell - gap, cell - gap), turn, 2.0, 1.5, (150, 170, 180))
        )
    tiles = [item for item in items if item.kind == "path"]
    style = str(rng.choice(("token", "token", "poker", "plain")))
    for _ in range(int(rng.integers(0, 12))):
        host = tiles[int(rng.integers(len(tiles)))]
        off = rng.choice((-0.24, 0.24), 2) * cell
        across = cell * rng.uniform(0.3, 0.5)
        at = (host.at_mm[0] + off[0], host.at_mm[1] + off[1])
        items.append(
            Item("chip", tokens.chip(rng, style), at, (across, across), rng.uniform(0, 6), 3.5, 2.0)
        )
    for index in range(int(rng.integers(0, 7))):
        at = (size[0] / 2 + cell * rng.uniform(0.3, 0.7), -size[1] / 2 + cell * (index + 0.5) * 0.7)
        items.append(
            Item(
                "chip",
                tokens.chip(rng, style),
                at,
                (cell * 0.4, cell * 0.4),
                rng.uniform(0, 6),
                0.0,
                2.0,
            )
        )
    for _ in range(int(rng.integers(0, 3))):
        art = tokens.path_tile(rng, tones, mono=mono)
        at = (-size[0] / 2 - cell * rng.uniform(0.6, 1.2), float(rng.uniform(-0.5, 0.5) * size[1]))
        items.append(
            Item(
                "path",
                art,
                at,
                (cell, cell),
                rng.uniform(0, 6.3),
                0.0,
                float(rng.choice((1.5, 15))),
                (150, 170, 180),
            )
        )
    return items


def _field(rng: Rng, cols: int, rows: int) -> list[tuple[int, int]]:
    """Grows a connected field of cells."""
    cells = {(int(rng.integers(cols)), int(rng.integers(rows)))}
    target = int(cols * rows * rng.uniform(0.08, 0.8))
    for _ in range(target * 12):
        if len(cells) >= target:
            break
        col, row = list(cells)[int(rng.integers(len(cells)))]
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[int(rng.integers(4))]
        spot = (col + step[0], row + step[1])
        if 0 <= spot[0] < cols and 0 <= spot[1] < rows:
            cells.add(spot)
    return sorted(cells)


def _board_art(rng: Rng, cols: int, rows: int, rim: float) -> Image:
    unit = 48
    size = (int((cols + 2 * rim) * unit), int((rows + 2 * rim) * unit))
    canvas = paint.flat(size, paint.colour(rng, (0.05, 0.5), (0.4, 0.9)))
    canvas = paint.modulate(canvas, paint.noise(rng, size, (40, 40)), rng.uniform(0.02, 0.12))
    edge = int(rim * unit)
    line = paint.colour(rng, (0, 0.4), (0.2, 0.8))
    for col in range(cols + 1):
        canvas[edge:-edge, edge + col * unit - 1 : edge + col * unit] = line
    for row in range(rows + 1):
        canvas[edge + row * unit - 1 : edge + row * unit, edge:-edge] = line
    if rng.random() < 0.7:
        for index, x in enumerate(range(edge // 2, size[0], max(12, edge))):
            for y in (edge // 2, size[1] - edge // 2):
                tone = (245, 245, 245) if index % 5 else paint.colour(rng)
                paint.cv2.circle(canvas, (x, y), int(edge * 0.38), tone, -1, paint.cv2.LINE_AA)
                paint.write(canvas, str(index), (x - 6, y + 4), 0.35, paint.BLACK)
    for _ in range(int(rng.integers(0, 3))):
        at = (edge + unit * (rng.integers(cols) + 0.5), edge + unit * (rng.integers(rows) + 0.5))
        paint.paste(
            canvas, clutter.emblems.symbol(rng), (float(at[0]), float(at[1])), unit * 0.7, 0
        )
    return paint.with_alpha(canvas, paint.corner_mask(size, 4))


def _bare(rng: Rng, art: ArtBox) -> list[Item]:
    """No card at all, or a single one: things that must not be taken for cards."""
    items = _scaled_things(rng, int(rng.integers(2, 9)), 260)
    if rng.random() < 0.35:
        at = (float(rng.uniform(-150, 150)), float(rng.uniform(-120, 120)))
        items.append(_card(rng, art, 0, at, rng.uniform(0, 6.3), 0.0))
    return items


LAYOUTS: dict[str, tuple[Callable[[Rng, ArtBox], list[Item]], float]] = {
    "photos": (_photo_round, 0.35),
    "scatter": (_scatter, 0.24),
    "rows": (_rows, 0.07),
    "players": (_players, 0.09),
    "fans": (_fans, 0.08),
    "board": (_board, 0.12),
    "bare": (_bare, 0.05),
}


def _thing(rng: Rng, at: tuple[float, float], lift: float = 0.0) -> Item:
    thing = clutter.draw_thing(rng)
    side = paint.colour(rng, (0, 0.6), (0.1, 0.9))
    return Item(
        "thing",
        thing.art,
        at,
        thing.size_mm,
        rng.uniform(0, 2 * np.pi),
        lift,
        thing.height_mm,
        side,
    )


def _scaled_things(rng: Rng, count: int, reach: float) -> list[Item]:
    return [
        _thing(rng, (float(rng.uniform(-1.2, 1.2) * reach), float(rng.uniform(-1, 1) * reach)))
        for _ in range(count)
    ]


def _surroundings(rng: Rng, reach: float) -> tuple[list[Item], list[Item], list[Item]]:
    """Things under the cards (mats, papers), around them, and now and then over them."""
    under, around = [], []
    if rng.random() < 0.18:
        under.append(_mat(rng, reach))
    if rng.random() < 0.1:
        under.append(
            _thing(rng, (float(rng.normal(0, reach / 2)), float(rng.normal(0, reach / 2))))
        )
    for _ in range(int(rng.integers(0, 6)) if rng.random() < 0.7 else 0):
        angle, far = rng.uniform(0, 2 * np.pi), reach * rng.uniform(1.0, 1.5) + 40
        around.append(_thing(rng, (float(far * np.cos(angle)), float(far * np.sin(angle)))))
    over = _scaled_things(rng, int(rng.integers(1, 3)), reach * 0.7) if rng.random() < 0.1 else []
    return [i for i in under if i.thick_mm < 10 or i.kind == "mat"], around, over


def _mat(rng: Rng, reach: float) -> Item:
    kind = str(rng.choice(("felt", "plain", "stripes", "wood", "plaid")))
    tile = surfaces.SURFACES[kind](rng)
    if rng.random() < 0.3:
        tile[:6] = tile[-6:] = tile[:, :6] = tile[:, -6:] = paint.colour(rng)
    art = paint.with_alpha(
        tile, paint.corner_mask((surfaces.SIDE, surfaces.SIDE), float(rng.choice((0, 4, 12))))
    )
    size = (reach * 2 * float(rng.uniform(0.8, 1.5)), reach * 2 * float(rng.uniform(0.7, 1.3)))
    return Item(
        "thing",
        art,
        (float(rng.normal(0, 20)), float(rng.normal(0, 20))),
        size,
        rng.normal(0, 0.08),
        0.0,
        1.5,
    )


def _hands(rng: Rng, items: list[Item], reach: float) -> list[Item]:
    """One to four hands from the sides; some hold a card, some move."""
    placed: list[Item] = []
    flats = [i for i in items if i.kind in {"card", "camera", "back", "path", "chip"}]
    for _ in range(int(rng.choice((1, 1, 2, 3, 4)))):
        if flats and rng.random() < 0.85:
            at = flats[int(rng.integers(len(flats)))].at_mm
        else:
            at = (float(rng.uniform(-1, 1) * reach), float(rng.uniform(-1, 1) * reach))
        angle = int(rng.integers(4)) * QUARTER + rng.normal(0, 0.45)
        lift = float(rng.choice((1, 5, 25, 70)) * rng.uniform(0.5, 1.5))
        motion = (0.0, 0.0)
        if rng.random() < 0.3:
            speed, way = rng.uniform(3, 40), rng.uniform(0, 2 * np.pi)
            motion = (float(speed * np.cos(way)), float(speed * np.sin(way)))
        carried = [i for i in items if i.kind in {"card", "camera"}]
        if carried and rng.random() < 0.55:
            placed.append(_carry(rng, carried, at, angle, lift, motion))
        placed += place_hand(rng, hands.draw_hand(rng), at, angle, lift, motion)
    return placed


def _carry(
    rng: Rng,
    carried: list[Item],
    at: tuple[float, float],
    angle: float,
    lift: float,
    motion: tuple[float, float],
) -> Item:
    """A card held under the finger tips of a hand that points along `angle`."""
    model = carried[int(rng.integers(len(carried)))]
    ahead = model.size_mm[1] * rng.uniform(0.05, 0.45)
    spot = (at[0] + ahead * np.sin(angle), at[1] - ahead * np.cos(angle))
    return replace(
        model, at_mm=spot, angle=angle + rng.normal(0, 0.3), lift_mm=lift, motion_mm=motion
    )


def place_hand(
    rng: Rng,
    art: hands.HandArt,
    tip_mm: tuple[float, float],
    angle: float,
    lift: float,
    motion: tuple[float, float],
) -> list[Item]:
    """Puts a hand so that its finger tips are near a point; arm and hand are two items.

    Args:
        rng: source of chance for the hand's size.
        art: the drawn hand.
        tip_mm: where the finger tips are.
        angle: direction of the fingers; 0 points up the table plane.
        lift: height above the table.
        motion: way it moves while the shutter is open.
    """
    scale = float(rng.uniform(0.78, 1.1))
    forward = np.float64([np.sin(angle), -np.cos(angle)])
    left, top, right, bottom = art.box_mm
    width = hands.WIDTH_MM * scale

    def item(kind: str, image: Image, middle: float) -> Item:
        centre = np.float64(tip_mm) - forward * (middle - top) * scale
        size = (width, image.shape[0] * scale)
        box = (
            left / hands.WIDTH_MM,
            top / image.shape[0],
            right / hands.WIDTH_MM,
            bottom / image.shape[0],
        )
        return Item(
            kind,
            image,
            (float(centre[0]), float(centre[1])),
            size,
            angle,
            lift,
            0.0,
            box=box,
            motion_mm=motion,
        )

    arm_middle = hands.WRIST_MM - 3 + art.arm.shape[0] / 2
    return [item("thing", art.arm, arm_middle), item("hand", art.hand, hands.WRIST_MM / 2)]


def retable(rng: Rng, scene: Scene, style: Style, textures: Path | None) -> Scene:
    """Lays the same items on another table, under another light."""
    reach = max(
        (float(np.abs(i.corners()).max()) for i in scene.items if i.kind not in {"thing", "hand"}),
        default=250.0,
    )
    return replace(
        scene, table=sample_table(rng, style, reach, textures), shadows=sample_shadows(rng)
    )
