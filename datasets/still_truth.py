"""The truth beside a still of Panda or Exploring Galapagos (contract §4)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.items import Points
from datasets.render import Rendered
from datasets.spread import Outline, Spread
from datasets.still_styles import Camera
from datasets.viewpoint import Viewpoint
from referee.decks import Deck
from referee.judge import judge

Json = dict[str, Any]

SEEN_SHARE = 0.25
"""A thing of which less is in sight is not said to be seen."""

SPACE_SHARE = 0.5
"""A space of which less is in sight cannot be read."""

_HAND = "hand"


def describe_still(
    spread: Spread, rendered: Rendered, camera: Camera, deck: Deck, deck_name: str
) -> Json:
    """Returns the truth of a still.

    Beside what the contract asks for it says how much of each thing is in sight, where the
    board's grid and the players' cards are in the picture, and what cannot be read: spaces of a
    board, cards of a table without one.
    """
    height, width = rendered.image.shape[:2]
    truth: Json = {
        "game": deck.game, "deck": deck_name, "size": [width, height],
        "seen": _seen(spread, rendered),
    }  # fmt: skip
    if spread.board is not None:
        truth["board_quad"] = _to_json(_project(camera.view, spread.board))
    if spread.spaces is not None:
        truth["unseen"] = _unseen(spread, rendered, camera.view)
    else:
        truth["unseen"] = _unseen_cards(spread, truth["seen"])
    if spread.seats:
        truth["seats"] = [
            {"name": name, "side": side, "at": _to_json(_spot(camera.view, at))[0]}
            for name, side, at in spread.seats
        ]
    truth["position"] = spread.position
    truth["expect"] = judge(spread.position, deck)
    truth["camera"] = {"tilt": round(camera.tilt_deg, 1), "turn": round(camera.turn_deg, 1)}
    return truth


def _seen(spread: Spread, rendered: Rendered) -> list[Json]:
    """Lists what is in sight, from the lowest to the highest."""
    seen = []
    for truth in rendered.truths:
        facts = spread.laid[truth.index].facts if truth.index < len(spread.laid) else None
        if facts is None or truth.visible < SEEN_SHARE or not np.isfinite(truth.quad).all():
            continue
        head = {"id": facts["id"], "kind": facts["kind"], "quad": _to_json(truth.quad)}
        seen.append(head | dict(facts) | {"visible": round(truth.visible, 2)})
    return seen


def _unseen(spread: Spread, rendered: Rendered, view: Viewpoint) -> list[list[int]]:
    """Lists the spaces that lie outside of the picture or under a hand for the most part."""
    hands = [t.index + 1 for t in rendered.truths if t.kind == _HAND]
    is_hand = np.isin(rendered.ids, hands)
    return [
        list(space)
        for space, outline in (spread.spaces or {}).items()
        if _visible_share(_project(view, outline), is_hand) < SPACE_SHARE
    ]


def _unseen_cards(spread: Spread, seen: list[Json]) -> list[str]:
    """Lists the cards that lie there face up and of which hardly anything is in sight."""
    in_sight = {each["id"] for each in seen}
    cards = [laid.facts for laid in spread.laid if laid.facts is not None]
    return [c["id"] for c in cards if c["kind"] == "card" and c["id"] not in in_sight]


def _visible_share(quad: Points, is_hand: NDArray[np.bool_]) -> float:
    """Returns how much of an outline is inside the picture and under no hand."""
    height, width = is_hand.shape
    low = np.clip(np.floor(quad.min(0)).astype(int), 0, (width, height))
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 1, 0, (width, height))
    area = float(cv2.contourArea(quad.astype(np.float32)))
    if (high <= low).any() or area < 1:
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, (quad - low).round().astype(np.int32), 1)
    mask[is_hand[low[1] : high[1], low[0] : high[0]]] = 0
    return float(mask.sum()) / area


def _project(view: Viewpoint, outline: Outline) -> Points:
    pixels, _ = view.project(outline.points_mm, outline.lift_mm)
    return view.distort(pixels)


def _spot(view: Viewpoint, at_mm: tuple[float, float]) -> Points:
    return _project(view, Outline(np.asarray([at_mm], np.float64), 0.0))


def _to_json(points: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in points]
