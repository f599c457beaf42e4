"""What surrounds the cards: mats under them, things around and over them, hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.art import clutter, hands, paint, surfaces
from datasets.art.paint import Image, Rng, f64
from datasets.items import Item

QUARTER = np.pi / 2


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


def scattered_things(rng: Rng, count: int, reach: float) -> list[Item]:
    """Strews things over the table, within about `reach` millimetres."""
    return [
        _thing(rng, (float(rng.uniform(-1.2, 1.2) * reach), float(rng.uniform(-1, 1) * reach)))
        for _ in range(count)
    ]


def surroundings(rng: Rng, reach: float) -> tuple[list[Item], list[Item], list[Item]]:
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
    over = scattered_things(rng, int(rng.integers(1, 3)), reach * 0.7) if rng.random() < 0.1 else []
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


def reaching_hands(rng: Rng, items: list[Item], reach: float) -> list[Item]:
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
    forward = f64([np.sin(angle), -np.cos(angle)])
    left, top, right, bottom = art.box_mm
    width = hands.WIDTH_MM * scale

    def item(kind: str, image: Image, middle: float) -> Item:
        centre = f64(tip_mm) - forward * (middle - top) * scale
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
