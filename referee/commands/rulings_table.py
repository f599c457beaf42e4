"""The rulings of a replay as a table for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from referee.commands.console import PLAYER_STYLES
from referee.commands.wording import ENDINGS, Line, describe_tasks, format_time
from referee.decks import Deck

_VERDICT_STYLES = {"correct": "green", "wrong": "red", "withdrawn": "dim", "void": "dim"}


class RulingsTable:
    """Prints itself: a table with one row a claim, then who holds which cards, then the remarks."""

    def __init__(self, lines: Iterable[Line], deck: Deck) -> None:
        self._lines = tuple(lines)
        self._deck = deck

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields what rich prints."""
        rounds = [line for line in self._lines if line["type"] == "round"]
        if not rounds:
            yield Text("No round was finished in this recording.", style="yellow")
        else:
            yield self._table(rounds)
            yield from self._standing(rounds[-1])
        for line in self._lines:
            if line["type"] == "notice":
                yield Text(f"{line['t']:.2f} s  {line['text']}", style="yellow")

    def _table(self, rounds: list[Line]) -> Table:
        table = Table(title="Rulings", title_justify="left", header_style="bold", pad_edge=False)
        for name in ("Round", "Task", "#", "Player", "Card", "When", "Verdict", "Why"):
            table.add_column(name, overflow="fold")
        tasks = _tasks_by_round(self._lines)
        for count, ruling in enumerate(rounds, start=1):
            number = ruling.get("round", count)
            head = (str(number), describe_tasks(tasks.get(number, ()), self._deck))
            for claim in ruling["claims"]:
                table.add_row(*head, *_claim_cells(claim, ruling))
                head = ("", "")
            ending = ENDINGS.get(ruling["ended_by"], str(ruling["ended_by"]))
            table.add_row(*head, "", "", "", "", "", Text(ending, style="italic"), end_section=True)
        return table

    def _standing(self, last: Line) -> Iterable[Text]:
        line = Text("Cards won:  ", style="bold")
        for player, cards in last["won"].items():
            line.append(player, style=PLAYER_STYLES.get(player, ""))
            line.append(f" {' '.join(cards) or 'none'}   ", style="not bold")
        yield line
        if last["game_over"]:
            yield Text(
                f"The game is over; won by {', '.join(last['winners'])}.", style="bold green"
            )
        else:
            yield Text(f"Next lead: {last['lead']}")


def _tasks_by_round(lines: Iterable[Line]) -> dict[int, tuple[str, ...]]:
    return {line["round"]: tuple(line["tasks"]) for line in lines if line["type"] == "task"}


def _claim_cells(claim: Line, ruling: Line) -> tuple[str | Text, ...]:
    too_close = any(claim["player"] in pair for pair in ruling.get("close", ()))
    return (
        str(claim["order"]),
        Text(claim["player"], style=PLAYER_STYLES.get(claim["player"], "")),
        claim["card"],
        format_time(claim) + (" too close to call" if too_close else ""),
        Text(claim["verdict"], style=_VERDICT_STYLES.get(claim["verdict"], "")),
        claim["reason"],
    )
