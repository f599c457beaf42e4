"""The lines of a replay as drawings: what is to be seen at each moment of the recording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.adapter.answers import read_quad
from referee.decks import Deck
from referee.games.galapa_go.telling import ENDINGS
from referee.wording import Line, describe_tasks, format_time
from vision.film import Paint
from vision.overlay import (
    AMBER,
    COLOURS,
    GREEN,
    GREY,
    WHITE,
    Mark,
    Overlay,
    Row,
    Sign,
    draw_overlay,
)
from vision.table import Quad

_NOTICE_S = 4.0
"""A notice can be read in this time."""

_VERDICT_AFTER_S = 0.5
"""Verdicts are drawn so long after the Camera card that ended the round."""

_ENDED_BY_A_CLAIM = frozenset({"all-covered", "none-left"})

_VERDICTS = {"correct": Sign.TICK, "wrong": Sign.CROSS, "withdrawn": Sign.DASH, "void": Sign.DASH}
_SURE = 0.75
"""Detections above this score are outlined as cards are, weaker ones in grey."""


def paint_story(lines: Iterable[Line], deck: Deck) -> Paint:
    """Returns what draws the lines of a match of Galapa Go upon frames."""
    story = Storyboard(lines, deck)
    return lambda image, at_s: draw_overlay(image, story.overlay_at(at_s))


def paint_signs(lines: Iterable[Line], deck: Deck) -> Paint:
    """Returns what draws them without a word, for people who read different languages."""
    story = Storyboard(lines, deck)
    return lambda image, at_s: draw_overlay(image, _without_words(story.overlay_at(at_s)))


class Storyboard:
    """Tells the story of a recording: give it the frames' times in order, it says what to draw."""

    def __init__(self, lines: Iterable[Line], deck: Deck) -> None:
        self._coming = sorted(lines, key=_shown_from_s, reverse=True)
        self._deck = deck
        self._quads: dict[str, Quad] = {}
        self._lying: tuple[str, ...] = ()
        self._title = self._subtitle = ""
        self._claims: dict[int, dict[str, Any]] = {}
        self._matching: frozenset[str] = frozenset()
        self._notice: tuple[str, float] = ("", 0.0)

    def overlay_at(self, timestamp_s: float) -> Overlay:
        """Returns what is to be drawn at this moment, which is no earlier than the last one."""
        # Lines carry milliseconds, frames the exact time.
        while self._coming and _shown_from_s(self._coming[-1]) <= timestamp_s + 0.001:
            self._take(self._coming.pop())
        text, until_s = self._notice
        return Overlay(
            marks=tuple(self._marks()),
            title=self._title,
            subtitle=self._subtitle,
            stamp=f"{timestamp_s:.2f} s",
            rows=tuple(_row(self._claims[order]) for order in sorted(self._claims)),
            notice=text if timestamp_s < until_s else "",
        )

    def _take(self, line: Line) -> None:
        match line["type"]:
            case "layout":
                self._lying = tuple(card["id"] for card in line["cards"])
                self._quads |= {card["id"]: read_quad(card["quad"]) for card in line["cards"]}
            case "task":
                self._title = f"Round {line['round']}"
                self._subtitle = describe_tasks(line["tasks"], self._deck)
                self._claims, self._matching = {}, frozenset()
            case "claim":
                self._claims[line["order"]] = dict(line)
            case "withdrawn":
                self._claims.setdefault(line["order"], dict(line))["verdict"] = "withdrawn"
            case "round":
                self._title += f" · {ENDINGS.get(line['ended_by'], 'still running')}"
                self._claims = {claim["order"]: dict(claim) for claim in line["claims"]}
                self._matching = frozenset(line["matching"])
            case "notice":
                self._notice = (line["text"], line["t"] + _NOTICE_S)

    def _marks(self) -> Iterable[Mark]:
        standing = {
            claim["card"]: claim
            for _, claim in sorted(self._claims.items())
            if claim.get("verdict") != "withdrawn" and claim["card"] in self._lying
        }
        for card in self._lying:
            if card not in standing:
                fits = card in self._matching
                caption = f"{card} fits too" if fits else card
                yield Mark(self._quads[card], GREEN if fits else WHITE, caption)
        for card, claim in standing.items():
            yield Mark(
                self._quads[card],
                COLOURS.get(claim["player"], WHITE),
                caption=card,
                badge=str(claim["order"]),
                sign=_VERDICTS.get(claim.get("verdict", "")),
                strong=True,
            )


def _without_words(overlay: Overlay) -> Overlay:
    """Returns a drawing of which the outlines, the names of cards, orders and signs are left."""
    marks = (replace(mark, caption=mark.caption.partition(" ")[0]) for mark in overlay.marks)
    return Overlay(marks=tuple(marks), stamp=overlay.stamp)


def overlay_of_seen(answer: Mapping[str, Any], deck: Deck) -> Overlay:
    """Returns the drawing of a photograph that was read by `score` (contract §3)."""
    matching = frozenset(answer.get("matching", ()))
    tasks = [seen["id"] for seen in answer["seen"] if seen["kind"] in ("task", "special")]
    marks = [
        Mark(
            read_quad(seen["quad"]),
            _colour_of_seen(seen["id"], matching, deck),
            seen["id"],
            sign=Sign.TICK if seen["id"] in matching else None,
            strong=seen["id"] in matching,
        )
        for seen in answer["seen"]
    ]
    return Overlay(
        marks=tuple(marks),
        title=f"{len(marks)} faces" + (f" · {len(matching)} photos fit" if matching else ""),
        subtitle=describe_tasks(tasks, deck),
    )


def overlay_of_detections(answer: Mapping[str, Any]) -> Overlay:
    """Returns the drawing of what `detect` found (contract §3)."""
    colours = {
        "card": WHITE,
        "camera": AMBER,
        "path": COLOURS["green"],
        "chip": COLOURS["purple"],
        "back": COLOURS["blue"],
        "hand": COLOURS["red"],
    }
    marks = [
        Mark(
            read_quad(found["quad"]),
            colours.get(found["kind"], GREY) if found["score"] >= _SURE else GREY,
            f"{found['kind']} {found['score']:.2f}",
        )
        for found in answer["detections"]
    ]
    return Overlay(marks=tuple(marks), title=f"{len(marks)} things found")


def _colour_of_seen(card: str, matching: frozenset[str], deck: Deck) -> tuple[int, int, int]:
    if card in matching:
        return GREEN
    for face in deck.of_kind("camera"):
        if face.id == card:
            return COLOURS.get(getattr(face.piece, "player", ""), WHITE)
    return WHITE


def _shown_from_s(line: Line) -> float:
    """Returns when a line is drawn: a round's verdicts while its Camera cards still lie there."""
    if line["type"] == "round" and line["ended_by"] in _ENDED_BY_A_CLAIM and line["claims"]:
        last_s = max(float(claim["t"]) for claim in line["claims"])
        return min(float(line["t"]), last_s + _VERDICT_AFTER_S)
    return float(line["t"])


def _row(claim: Line) -> Row:
    text = f"{claim['order']}.  {claim['player']} on {claim['card']} at {format_time(claim)}"
    sign = _VERDICTS.get(claim.get("verdict", ""))
    return Row(COLOURS.get(claim["player"], WHITE), text, sign)
