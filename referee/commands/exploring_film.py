"""A recording of Exploring Galapagos with its rounds drawn upon it: whose cards, and what for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.adapter.answers import read_quad
from referee.adapter.exploring_looks import is_in_place
from referee.commands.exploring_pictures import hands_of, signs_of, sums_of
from referee.commands.exploring_rounds import told_end, told_totals
from referee.wording import Line
from vision.frame import Image
from vision.hands_overlay import draw_hands
from vision.layer import Layer
from vision.legend import Legend, add_legend, legend_height
from vision.overlay import WHITE, Mark, Overlay, draw_overlay
from vision.table import Quad

_NOTICE_S = 4.0
"""A notice can be read in this time."""
_LOOK_WH = (12, 16)
"""Cards are compared with themselves at this size to see whether they lie in view."""
_IN_VIEW = 0.7
"""Correlation from which a card lies there; under a hand or after it was taken it is below."""
_FIRST = {"layout": 0, "notice": 1, "hands": 2}


class HandsFilm:
    """Paints the frames of a recording; give it them in the order of time.

    Args:
        lines: What is told of it.
        is_wordless: Whether nothing is told in words: no strip, no notices, points without names.
    """

    def __init__(self, lines: Iterable[Line], *, is_wordless: bool = False) -> None:
        self._is_wordless = is_wordless
        known = [line for line in lines if line["type"] in _FIRST]
        self._coming = sorted(known, key=lambda line: (line["t"], _FIRST[line["type"]]))[::-1]
        self._rounds = [line for line in known if line["type"] == "hands"]
        self._places: dict[str, Quad] = {}
        self._looks: dict[str, NDArray[np.float32]] = {}
        self._round: Line | None = None
        self._owned: Mapping[str, Quad] = {}
        self._notice = ("", 0.0)
        self._scene: object = None
        self._layer: Layer | None = None
        self._strip_px = 0

    def paint(self, image_bgr: Image, at_s: float) -> Image:
        """Returns a frame (H, W, 3) uint8 with all that is known at its time drawn upon it."""
        if not self._is_wordless:
            self._strip_px = self._strip_px or self._highest_strip(image_bgr)
        # Lines carry milliseconds, frames the exact time.
        while self._coming and self._coming[-1]["t"] <= at_s + 0.001:
            self._take(self._coming.pop(), image_bgr)
        seen = frozenset(
            card
            for card, quad in self._places.items()
            if _likeness(self._looks[card], _look(image_bgr, quad)) >= _IN_VIEW
        )
        scene = (seen, self._round and self._round["round"], tuple(self._owned))
        if self._layer is None or scene != self._scene:
            self._scene = scene
            self._layer = Layer(image_bgr.shape[:2], lambda picture: self._draw(picture, seen))
        text, until_s = self._notice
        notice = text if at_s < until_s and not self._is_wordless else ""
        over = Overlay(stamp=f"{at_s:.2f} s", notice=notice)
        return self._layer.over(draw_overlay(image_bgr, over))

    def _take(self, line: Line, image_bgr: Image) -> None:
        match line["type"]:
            case "layout":
                self._places = {card["id"]: read_quad(card["quad"]) for card in line["cards"]}
                self._looks = {card: _look(image_bgr, quad) for card, quad in self._places.items()}
                self._owned = {
                    card: quad
                    for card, quad in self._owned.items()
                    if card in self._places and is_in_place(quad, self._places[card])
                }
            case "hands":
                self._round, self._owned = line, dict(self._places)
            case _:
                self._notice = (line["text"], line["t"] + _NOTICE_S)

    def _draw(self, picture: Image, seen: frozenset[str]) -> Image:
        """Draws the cards that are in view, and the strip below the picture.

        Whose they are is written there while all lie in view: names would jump about as hands
        come and go.
        """
        owned = {card: quad for card, quad in self._owned.items() if card in seen}
        tell = signs_of if self._is_wordless else hands_of
        hands = [] if self._round is None else tell(self._round, owned)
        others = [Mark(self._places[card], WHITE, card) for card in sorted(seen - owned.keys())]
        if seen == self._places.keys():
            picture = draw_hands(picture, hands, others=others)
        else:
            marks = [*others, *(card for hand in hands for card in hand.cards)]
            bare = tuple(replace(mark, caption="", strong=False) for mark in marks)
            picture = draw_overlay(picture, Overlay(marks=bare))
        if self._is_wordless:
            return picture
        return add_legend(picture, _legend(self._round), self._strip_px)

    def _highest_strip(self, image_bgr: Image) -> int:
        """Height of the strip with the longest text: all frames of a film have one size."""
        legends = [_legend(None), *map(_legend, self._rounds)]
        return max(legend_height(image_bgr, legend) for legend in legends)


def _legend(line: Line | None) -> Legend:
    if line is None:
        return Legend("No round is scored yet")
    end = f" · {told_end(line)}" if line["game_over"] else ""
    return Legend(f"Round {line['round']} · in all: {told_totals(line)}{end}", sums_of(line))


def _look(image_bgr: Image, quad: Quad) -> NDArray[np.float32]:
    """What a card looks like: a small grey picture of its place, as one row."""
    width, height = _LOOK_WH
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(quad, np.float32), corners)
    flat = cv2.warpPerspective(image_bgr, matrix, _LOOK_WH, flags=cv2.INTER_LINEAR)
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32).ravel()
    return np.asarray(grey - grey.mean(), np.float32)


def _likeness(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-6)
