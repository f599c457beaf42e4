"""The rulings of a replay as a table for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from referee.commands.console import PLAYER_STYLES
from referee.decks import Deck
from referee.games.galapa_go.telling import ENDINGS
from referee.wording import Line, describe_tasks, format_time

_VERDICT_STYLES = {"correct": "green", "wrong": "red", "withdrawn": "dim", "void": "dim"}


class RulingsTable:
    """Prints itself: a table for each round with one row a claim, then who holds which cards."""

    def __init__(self, lines: Iterable[Line], deck: Deck) -> None:
        self._lines = tuple(lines)
        self._deck = deck

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yields what rich prints."""
        rounds = [line for line in self._lines if line["type"] == "round"]
        if rounds:
            yield from map(self._table, rounds)
            yield from self._standing(rounds[-1])
        else:
            yield Text("No round was finished in this recording.", style="yellow")
        for line in self._lines:
            if line["type"] == "notice":
                yield Text(f"{line['t']:.2f} s  {line['text']}", style="yellow")

    def _table(self, ruling: Line) -> Table | Text:
        title = f"Round {ruling['round']}   {describe_tasks(ruling['tasks'], self._deck)}"
        ending = "The round was still running when the recording ended."
        if ruling["ended_by"] is not None:
            ending = f"The round is over: {ENDINGS[ruling['ended_by']]}."
        if not ruling["claims"]:
            return Text.assemble((title, "bold"), f"\n{ending}")
        table = Table(
            title=title,
            title_style="bold",
            title_justify="left",
            caption=ending,
            caption_justify="left",
            min_width=72,
        )
        for name in ("#", "Player", "Card", "When", "Verdict", "Why"):
            table.add_column(name, overflow="fold", ratio=1 if name == "Why" else None)
        for claim in ruling["claims"]:
            table.add_row(*_claim_cells(claim, ruling))
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
