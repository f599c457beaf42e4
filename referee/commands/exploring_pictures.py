"""The answer to a photograph of an Exploring Galapagos table, told and drawn for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.adapter.answers import read_quad
from referee.commands.console import output
from referee.commands.exploring_rounds import tell_round, told_sum
from referee.decks import Deck
from vision.frame import Image
from vision.hands_overlay import HandMarks, draw_hands
from vision.overlay import AMBER, COLOURS, WHITE, Colour, Mark, Row
from vision.table import Quad

_COLOURS: tuple[Colour, ...] = tuple(
    COLOURS[name] for name in ("yellow", "red", "green", "purple", "orange")
)
"""Of the players, clockwise; the shared hand is white."""


def print_exploring(answer: Mapping[str, Any], deck: Deck) -> None:
    """Prints who holds what and what it comes to, one row a player."""
    console = output()
    for part in tell_round(answer, "Round"):
        console.print(part)


def draw_exploring(picture: Image, answer: Mapping[str, Any], deck: Deck) -> Image:
    """Returns the photograph with every hand outlined and each player's sum explained."""
    places = {seen["id"]: read_quad(seen["quad"]) for seen in answer["seen"] if "place" in seen}
    doubts = answer["doubts"]
    return draw_hands(
        picture,
        hands_of(answer, places),
        rows=sums_of(answer),
        notice=f"{len(doubts)} in doubt: {doubts[0]['text']}" if doubts else "",
        others=[Mark(read_quad(doubt["quad"]), AMBER, "?") for doubt in doubts if "quad" in doubt],
    )


def hands_of(answer: Mapping[str, Any], places: Mapping[str, Quad]) -> list[HandMarks]:
    """Returns the shared hand and everybody's cards as they are outlined, the empty ones left out.

    Args:
        answer: A round.
        places: Where cards are seen, by id.
    """
    held = {player["name"]: player for player in answer["position"]["players"]}
    shared = [Mark(places[card], WHITE, card) for card in answer["position"]["shared"]
              if card in places]  # fmt: skip
    hands = [HandMarks("shared hand", WHITE, tuple(shared))]
    for player, colour in zip(answer["players"], _COLOURS, strict=False):
        name, own = player["name"], held[player["name"]]
        cards = [Mark(places[card], colour, card) for card in own["hand"] if card in places]
        if own["locked"] in places:
            caption = f"{own['locked']} locked in"
            cards.append(Mark(places[own["locked"]], colour, caption, strong=True))
        label = name if player["score"] is None else f"{name} {player['score']}"
        hands.append(HandMarks(label, colour, tuple(cards)))
    return [hand for hand in hands if hand.cards]


def signs_of(answer: Mapping[str, Any], places: Mapping[str, Quad]) -> list[HandMarks]:
    """Returns the hands as they are outlined without a word: by points and names of cards."""
    points = {
        colour: "" if player["score"] is None else str(player["score"])
        for player, colour in zip(answer["players"], _COLOURS, strict=False)
    }
    return [
        HandMarks(
            points.get(hand.colour, ""),
            hand.colour,
            tuple(replace(card, caption=card.caption.partition(" ")[0]) for card in hand.cards),
        )
        for hand in hands_of(answer, places)
    ]


def sums_of(answer: Mapping[str, Any]) -> list[Row]:
    """Returns everybody's sum in the colour of their cards."""
    players = zip(answer["players"], _COLOURS, strict=False)
    return [Row(colour, told_sum(player)) for player, colour in players]
