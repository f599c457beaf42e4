"""Turns of Panda, Gorilla & Co, told to people: what was laid, what it broke, what it scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from referee.commands.console import PLAYER_STYLES
from referee.decks import Deck
from referee.wording import Line


class TurnsTable:
    """Prints itself: a row a turn, what each area scored, and the running totals."""

    def __init__(self, lines: Iterable[Line], deck: Deck) -> None:
        self._lines = tuple(lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields what rich prints."""
        placed = [line for line in self._lines if line["type"] == "placed"]
        start = [line for line in placed if line["t"] == 0]
        if start:
            yield from _tell_start(start)
        yield self._table()
        totals: Mapping[str, int] = {}
        for line in self._lines:
            if line["type"] == "scored":
                totals = line["totals"]
        yield Text("Points:  ", style="bold").append(told_points(totals) or "none yet", "not bold")
        for line in self._lines:
            if line["type"] == "notice":
                yield Text(f"{line['t']:.2f} s  {line['text']}", style="yellow")

    def _table(self) -> RenderableType:
        table = Table("When", "What", "Points", "In all", title="Turns", title_justify="left")
        for line in self._lines:
            at = f"{line['t']:.3f} s"
            if line["type"] == "placed" and line["t"] > 0:
                table.add_row(at, _tell_turn(line), "", "")
            elif line["type"] == "scored":
                points = ", ".join(f"{who} +{number}" for who, number in line["points"].items())
                area = Text(told_area(line), style="bold")
                table.add_row(at, area, points, told_points(line["totals"]))
        if not table.row_count:
            return Text("No card was laid in this recording.", style="yellow")
        return table


def told_tile(line: Line) -> str:
    """Returns what lies where: `p07 turned by 90° on row 2, column 3`."""
    where = f"row {line['row']}, column {line['col']}"
    if line.get("pond"):
        return f"a pond on {where}"
    turned = f" turned by {line['rotation']}°" if line["rotation"] else ""
    return f"{line['card']}{turned} on {where}"


def told_chip(chip: Mapping[str, Any]) -> str:
    """Returns whose chip lies on which quarter: `red's small chip on sw`."""
    return f"{chip['player']}'s {chip['size']} chip on {chip['quarter']}"


def told_area(line: Line) -> str:
    """Returns which area was scored, and what moved in."""
    row, col, quarter = line["quarters"][0]
    count = len(line["quarters"])
    room = f"{count} {line['colour']} quarters from {quarter} of row {row}, column {col}"
    return f"{room}: {told_animals(line) or 'no animal fits'}"


def told_animals(area: Mapping[str, Any]) -> str:
    """Returns which animals moved into an area: `1 large, 2 small`."""
    return ", ".join(f"{number} {size}" for size, number in area["animals"].items() if number)


def told_points(points: Mapping[str, int]) -> str:
    """Returns who has how much: `blue 2, red 3`."""
    return ", ".join(f"{player} {number}" for player, number in sorted(points.items()))


def told_line(line: Line) -> Text:
    """Returns a line of a live table in words."""
    if line["type"] == "placed":
        return _tell_turn(line)
    text = Text(f"{told_area(line)}; {told_points(line['points'])}", style="bold")
    return text.append(f"   in all {told_points(line['totals'])}", style="not bold")


def _tell_turn(line: Line) -> Text:
    text = Text(told_tile(line))
    if "chip" in line:
        chip = line["chip"]
        text.append(", ").append(told_chip(chip), PLAYER_STYLES.get(chip["player"], ""))
        text.append(f" at {chip['t']:.3f} s")
    for breach in line.get("illegal", ()):
        text.append(f"\nnot allowed: {_told_breach(breach)}", style="red")
    return text


def _tell_start(start: Iterable[Line]) -> Iterator[RenderableType]:
    lying = list(start)
    ponds = sum(1 for line in lying if line.get("pond"))
    chips = [line["chip"] for line in lying if "chip" in line]
    yield Text(f"At first: {len(lying) - ponds} path cards, {ponds} ponds, {len(chips)} chips")
    for line in lying:
        for breach in line.get("illegal", ()):
            yield Text(f"{told_tile(line)}: {_told_breach(breach)}", style="red")


def _told_breach(breach: Mapping[str, Any]) -> str:
    return f"{breach['reason']} ({breach['rule']})"
