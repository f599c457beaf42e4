"""The answer to a photograph of an Exploring Galapagos table, told and drawn for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from referee.commands.console import output
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
    position = answer["position"]
    held = {player["name"]: player for player in position["players"]}
    table = Table(
        "Player", "Hand", "Locked in", "Method", "Animals", "Impact", "Score",
        title="Round", title_justify="left",
    )  # fmt: skip
    for player in answer["players"]:
        own = held[player["name"]]
        locked = "" if own["locked"] is None else str(own["locked"])
        table.add_row(
            player["name"],
            _ids(own["hand"]),
            locked,
            player["method"] or "none",
            _animals(player),
            "" if player["impact"] is None else f"{player['impact']:+d}",
            "[yellow]?[/yellow]" if player["score"] is None else f"[bold]{player['score']}[/bold]",
        )
    console.print(table)
    console.print(f"Shared hand: {_ids(position['shared']) or 'none'}")
    for player in answer["players"]:
        console.print(f"{player['name']}: {player['reason']}", markup=False)
    for doubt in answer["doubts"]:
        console.print(f"In doubt: {doubt['text']}", style="yellow", markup=False)


def draw_exploring(picture: Image, answer: Mapping[str, Any], deck: Deck) -> Image:
    """Returns the photograph with every hand outlined and each player's sum explained."""
    players = [player["name"] for player in answer["position"]["players"]]
    colours = dict(zip(players, _COLOURS, strict=False))
    marks: dict[str, list[Mark]] = {name: [] for name in ("shared", *players)}
    for seen in answer["seen"]:
        if "place" in seen:
            is_locked = seen.get("locked", False)
            colour = colours.get(seen["place"], WHITE)
            caption = f"{seen['id']} locked in" if is_locked else seen["id"]
            marks[seen["place"]].append(
                Mark(_quad(seen["quad"]), colour, caption, strong=is_locked)
            )
    hands = [HandMarks("shared hand", WHITE, tuple(marks["shared"]))]
    for player in answer["players"]:
        name = player["name"]
        label = name if player["score"] is None else f"{name} {player['score']}"
        hands.append(HandMarks(label, colours[name], tuple(marks[name])))
    doubts = answer["doubts"]
    return draw_hands(
        picture,
        [hand for hand in hands if hand.cards],
        rows=[Row(colours[player["name"]], _sum_words(player)) for player in answer["players"]],
        notice=f"{len(doubts)} in doubt: {doubts[0]['text']}" if doubts else "",
        others=[Mark(_quad(doubt["quad"]), AMBER, "?") for doubt in doubts if "quad" in doubt],
    )


def _sum_words(player: Mapping[str, Any]) -> str:
    """Returns a player's sum: `ann 7 = 9 day (time) - 2 impact`."""
    name, score = player["name"], player["score"]
    if score is None:
        return f"{name}: {player['reason']}"
    if player["choice"] is None:
        return f"{name} {score}: {player['reason']}"
    impact = player["impact"]
    part = f" {'+' if impact > 0 else '-'} {abs(impact)} impact" if impact else ""
    floor = ", not below 0" if player["base"] + impact < 0 else ""
    return f"{name} {score} = {_animals(player)}{part}{floor} ({player['method']})"


def _animals(player: Mapping[str, Any]) -> str:
    return "" if player["choice"] is None else f"{player['base']} {player['choice']}"


def _ids(cards: list[str | None]) -> str:
    return " ".join(card or "?" for card in cards)


def _quad(corners: Any) -> Quad:
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth
