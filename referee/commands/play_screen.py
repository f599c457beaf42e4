"""How a match at the keyboard looks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.box import ROUNDED
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.commands.console import PLAYER_STYLES
from referee.commands.play_menu import Menu
from referee.match import Announcement, Entry, Kind, Session, Standing
from referee.rules import Outcome

_SEAT_STYLES = tuple(PLAYER_STYLES.values())
_KIND_STYLES = {
    Kind.STARTED: "bold",
    Kind.OBJECTION: "yellow",
    Kind.REFUSED: "red",
    Kind.NEWS: "bold",
    Kind.CORRECTED: "cyan",
    Kind.TAKEN_BACK: "cyan",
    Kind.RESTORED: "cyan",
    Kind.CHANGED: "magenta",
    Kind.OUTCOME: "bold green",
    Kind.ENDED: "bold",
    Kind.NOTE: "italic",
}
_STANDING_STYLES = {
    Standing.COUNTS: "",
    Standing.REFUSED: "red",
    Standing.NOT_APPLICABLE: "magenta",
    Standing.TAKEN_BACK: "dim strike",
}
MOST_CHANGES = 12
"""Lines that tell what a correction changed: one early in a match may change everything."""

_CARD_ENDS = re.compile(r"(?<=\)), ")
COMMANDS = (
    ("a number", "do the action of this number"),
    ("Enter", "do the only action that is listed"),
    ("an action", "as it stands on the right of the list, such as: red cover a07"),
    ("other words", "list only the actions that have these words, such as: blue a07"),
    ("more", "the next page of the list"),
    ("all", "the whole list again"),
    ("state", "what lies on the table"),
    ("history", "everything that was done, with its number"),
    ("undo", "take back the last action, or the last correction"),
    ("correct N", "say what number N was in truth; what followed is judged anew"),
    ("note WORDS", "keep a few words with the match"),
    ("finish", "stop the match for good"),
    ("quit", "leave; with --journal the match goes on another time"),
)


class Screen:
    """Prints a match.

    Attributes:
        console: Where to.
    """

    def __init__(self, console: Console, players: Sequence[str]) -> None:
        self.console = console
        self._styles = {
            player: PLAYER_STYLES.get(player, _SEAT_STYLES[seat % len(_SEAT_STYLES)])
            for seat, player in enumerate(players)
        }

    def title(self, game: str, lines: Iterable[str]) -> None:
        """Prints what is played, and how to find help."""
        body = Text("\n".join(lines))
        self.console.print(Panel(body, title=f"[bold]{game}[/bold]", box=ROUNDED, expand=False))

    def say(self, said: Iterable[Announcement]) -> None:
        """Prints announcements; the number before an action is what `correct` takes."""
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(justify="right", style="dim", no_wrap=True, min_width=3)
        grid.add_column(overflow="fold")
        changes = 0
        for each in said:
            changes += each.kind is Kind.CHANGED
            if each.kind is Kind.CHANGED and changes > MOST_CHANGES:
                continue
            is_first = each.kind not in (Kind.NEWS, Kind.CHANGED, Kind.OUTCOME)
            number = str(each.seq) if is_first else ""
            grid.add_row(number, self._named(each.text, _KIND_STYLES.get(each.kind, "")))
        self.console.print(grid)
        if changes > MOST_CHANGES:
            self.remark(f"      and {changes - MOST_CHANGES} more changes; history shows all")

    def table(self, rows: Iterable[tuple[str, str]]) -> None:
        """Prints what lies on the table."""
        grid = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
        grid.add_column(style="bold cyan", no_wrap=True)
        grid.add_column(overflow="fold")
        for what, how in rows:
            grid.add_row(self._named(what, "bold cyan"), self._cards(how))
        self.console.print(Panel(grid, title="the table", box=ROUNDED, expand=False))

    def menu(self, menu: Menu) -> None:
        """Prints a page of what may be done."""
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(justify="right", style="bold cyan", no_wrap=True, min_width=3)
        grid.add_column(overflow="fold")
        grid.add_column(style="dim", no_wrap=True, overflow="ellipsis", max_width=26)
        for option in menu.shown:
            grid.add_row(str(option.number), self._named(option.words), Text(option.text))
        self.console.print(grid)
        count, listed = len(menu.options), len(menu.listed)
        hints = [f"with the words {' '.join(menu.words)!r}; `all` for all {count}"] * bool(
            menu.words
        )
        if listed > len(menu.shown):
            hints.append(f"{len(menu.shown)} of {listed}; `more`, or narrow by typing words")
        elif listed == 1:
            hints.append("Enter does it")
        if hints:
            self.console.print(Text(f"      {'; '.join(hints)}", style="dim"))

    def refuse(self, reason: str) -> None:
        """Prints why something is not done."""
        self.console.print(Text(f"      {reason}", style="red"))

    def remark(self, text: str) -> None:
        """Prints something that is not of the match itself."""
        self.console.print(Text(text, style="dim"))

    def help(self) -> None:
        """Prints what can be typed."""
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(style="bold cyan", no_wrap=True)
        grid.add_column()
        for what, does in COMMANDS:
            grid.add_row(what, does)
        self.console.print(Panel(grid, title="what you can type", box=ROUNDED, expand=False))

    def history(self, session: Session) -> None:
        """Prints every action with its number and what it counts for."""
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(justify="right", style="bold cyan", no_wrap=True, min_width=3)
        grid.add_column(overflow="fold")
        for entry in session.entries:
            grid.add_row(str(entry.seq), self._entry(entry))
        self.console.print(grid if session.entries else Text("      nothing yet", style="dim"))

    def scores(self, outcome: Outcome) -> None:
        """Prints the result, the best first."""
        table = Table(title="final scores", title_style="bold", box=ROUNDED)
        table.add_column("Place", justify="right")
        table.add_column("Player")
        table.add_column("Score", justify="right")
        table.add_column("")
        shared = len(outcome.winners) > 1
        for player, score in sorted(outcome.scores.items(), key=lambda item: -item[1]):
            place = 1 + sum(other > score for other in outcome.scores.values())
            won = player in outcome.winners
            word = ("shares the victory" if shared else "has won") if won else ""
            table.add_row(
                "1" if won else str(max(place, 2)),
                self._named(player),
                str(score),
                Text(word, style="bold green"),
            )
        self.console.print(table)

    def _entry(self, entry: Entry) -> Text:
        line = self._named(entry.words, _STANDING_STYLES[entry.standing])
        if entry.standing is not Standing.COUNTS:
            line.append(f"  {entry.standing.value}", style="italic dim")
        if entry.objection:
            line.append(f"  {entry.objection}", style="yellow")
        return line

    def _named(self, text: str, style: str = "") -> Text:
        """Returns a sentence with the player at its beginning in the player's colour."""
        line = Text(text, style=style)
        for player, colour in self._styles.items():
            line.highlight_regex(rf"^{re.escape(player)}\b", colour)
        return line

    def _cards(self, how: str) -> RenderableType:
        """Returns a drawing or a sentence as it is, a list of many cards in columns."""
        if "\n" in how:
            return Text(how, no_wrap=True, overflow="ignore")
        cards = _CARD_ENDS.split(how)
        if len(cards) < 4:
            return self._named(how)
        return Columns([Text(card) for card in cards], padding=(0, 2), column_first=False)
