"""Rounds of Exploring Galapagos, told to people: who holds what, what it scores, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from referee.decks import Deck
from referee.wording import Line


class HandsTable:
    """Prints itself: each round with one row a player and the reasons, then the totals."""

    def __init__(self, lines: Iterable[Line], deck: Deck) -> None:
        self._lines = tuple(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields what rich prints."""
        rounds = [line for line in self._lines if line["type"] == "hands"]
        for line in rounds:
            yield from tell_round(line, f"Round {line['round']}   from {line['t']:.2f} s on")
            yield Text("In all:  ", style="bold").append(told_totals(line), "not bold")
            yield Text("")
        if not rounds:
            yield Text("No round was scored in this recording.", style="yellow")
        elif rounds[-1]["game_over"]:
            yield Text(told_end(rounds[-1]), style="bold green")
        for line in self._lines:
            if line["type"] == "notice":
                yield Text(f"{line['t']:.2f} s  {line['text']}", style="yellow")


def tell_round(answer: Mapping[str, Any], title: str) -> Iterator[RenderableType]:
    """Yields a round as `score` and `replay` answer it: a table, and every reason and doubt."""
    position = answer["position"]
    held = {player["name"]: player for player in position["players"]}
    table = Table(
        "Player", "Hand", "Locked in", "Method", "Animals", "Impact", "Score",
        title=title, title_style="bold", title_justify="left",
    )  # fmt: skip
    for player in answer["players"]:
        own = held[player["name"]]
        table.add_row(
            player["name"],
            _ids(own["hand"]),
            "" if own["locked"] is None else str(own["locked"]),
            player["method"] or "none",
            told_animals(player),
            "" if player["impact"] is None else f"{player['impact']:+d}",
            Text("?", "yellow") if player["score"] is None else Text(str(player["score"]), "bold"),
        )
    yield table
    yield Text(f"Shared hand: {_ids(position['shared']) or 'none'}")
    for player in answer["players"]:
        yield Text(f"{player['name']}: {player['reason']}")
    for doubt in answer["doubts"]:
        yield Text(f"In doubt: {doubt['text']}", style="yellow")


def told_sum(player: Mapping[str, Any]) -> str:
    """Returns a player's sum: `ann 7 = 9 day (time) - 2 impact`."""
    name, score = player["name"], player["score"]
    if score is None:
        return f"{name}: {player['reason']}"
    if player["choice"] is None:
        return f"{name} {score}: {player['reason']}"
    impact = player["impact"]
    part = f" {'+' if impact > 0 else '-'} {abs(impact)} impact" if impact else ""
    floor = ", not below 0" if player["base"] + impact < 0 else ""
    return f"{name} {score} = {told_animals(player)}{part}{floor} ({player['method']})"


def told_animals(player: Mapping[str, Any]) -> str:
    """Returns what a player scores: `9 day`; nothing where the method brings nothing."""
    return "" if player["choice"] is None else f"{player['base']} {player['choice']}"


def told_totals(line: Line) -> str:
    """Returns everybody's points over the rounds: `ann 12, bob 9`."""
    points = line["totals"].items()
    return ", ".join(f"{name} {'?' if total is None else total}" for name, total in points)


def told_end(line: Line) -> str:
    """Returns who has won after the last round."""
    winners = line["winners"]
    if not winners:
        return "The game is over; who has won cannot be told."
    return f"The game is over; won by {' and '.join(winners)}."


def _ids(cards: Sequence[str | None]) -> str:
    return " ".join(card or "?" for card in cards)
