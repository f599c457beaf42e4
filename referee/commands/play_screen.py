"""How a match at the keyboard looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rich.box import ROUNDED
from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from referee.commands.console import PLAYER_STYLES
from referee.commands.play_menu import Menu, Refusal
from referee.match import Announcement, Entry, Kind, Session, Standing, beliefs_of
from referee.rules import Outcome

_SEAT_STYLES = tuple(PLAYER_STYLES.values())
_KIND_STYLES = {
    Kind.STARTED: "bold",
    Kind.OBJECTION: "bright_yellow",
    Kind.REFUSED: "bright_red",
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

_DRAWING_STYLES = {
    r"#+": "green4",
    r"\.+": "chartreuse3",
    r"[|+]|-+": "wheat1",
    r"~+": "dodger_blue1",
    r"=+": "bold orange3",
    r"\bs\b": "bold orange3",
}
_LINE = 60
"""Letters of a sentence about a few cards; a longer one is told as a list."""

_CARD_ENDS = re.compile(r"(?<=\)), ")
_MISTAKE = "a mistake, but it can happen: it stands and is ruled upon; undo would take it back"


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
        self.console.print(Panel(body, title=Text(game, "bold"), box=ROUNDED, expand=False))

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
            if each.kind is Kind.OBJECTION:
                grid.add_row("", Text(_MISTAKE, style="italic bright_yellow"))
        self.console.print(grid)
        if changes > MOST_CHANGES:
            self.remark(f"      and {changes - MOST_CHANGES} more changes; history shows all")

    def foretell(self, said: Iterable[Announcement]) -> None:
        """Prints what would be said, were it done."""
        texts = [each.text for each in said]
        for text in texts[:MOST_CHANGES]:
            self.remark(f"      {text}")
        if len(texts) > MOST_CHANGES:
            self.remark(f"      and {len(texts) - MOST_CHANGES} more changes")

    def table(self, rows: Iterable[tuple[str, str]], title: str = "the table") -> None:
        """Prints what lies on the table."""
        grid = Table(box=None, show_header=False, padding=(0, 1), pad_edge=True)
        grid.add_column(style="bold cyan", no_wrap=True)
        grid.add_column(overflow="fold")
        for what, how in rows:
            grid.add_row(self._named(what, "bold cyan"), self._cards(how))
        self.console.print(Panel(grid, title=title, box=ROUNDED, expand=False))

    def menu(self, menu: Menu) -> None:
        """Prints a page of what may be done."""
        if not menu.options:
            return
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(justify="right", style="bold cyan", no_wrap=True, min_width=3)
        grid.add_column(overflow="fold")
        grid.add_column(style="dim", no_wrap=True, overflow="ellipsis", max_width=26)
        for option in menu.shown:
            grid.add_row(str(option.number), self._named(option.words), Text(option.typed))
        self.console.print(grid)
        count, listed = len(menu.options), len(menu.listed)
        hints = [f"those with the words {' '.join(menu.words)}; `all` lists all {count}"] * bool(
            menu.words
        )
        if listed > len(menu.shown):
            hints.append(f"{len(menu.shown)} of {listed}; `more`, or narrow by typing words")
        if not menu.is_whole:
            hints.append("more can be done, but a list would tell what lies hidden: see help")
        if hints:
            self.remark(f"      {'; '.join(hints)}")

    def refuse(self, reason: str) -> None:
        """Prints why an action cannot happen."""
        self._warn("refused, nothing happened", reason, "bright_red")

    def puzzle(self, reason: str) -> None:
        """Prints why nothing can be made of what was typed."""
        self._warn("not understood", reason, "bright_magenta")

    def decline(self, refusal: Refusal) -> None:
        """Prints why nothing is done of what was typed."""
        (self.refuse if refusal.is_ruled else self.puzzle)(refusal.reason)

    def question(self, text: str) -> None:
        """Prints what somebody is asked."""
        self.console.print(Text(text, style="bold"))

    def remark(self, text: str) -> None:
        """Prints something that is not of the match itself."""
        self.console.print(Text(text, style="dim"))

    def seat(self, player: str) -> None:
        """Prints who is to sit at the keyboard now."""
        line = Text("the keyboard is for ").append(player, self._styles.get(player, "bold"))
        self.console.print(Rule(line.append(" alone"), style="dim"))

    def clear(self) -> None:
        """Takes what was printed out of sight, on a terminal also what has scrolled away."""
        if not self.console.is_terminal:
            return
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
            return
        self.console.clear()
        self.console.file.write("\x1b[3J")  # the lines above the window, which rich leaves
        self.console.file.flush()

    def history(self, session: Session, tell: Callable[[int], str]) -> None:
        """Prints everything that happened with its number and what it counts for.

        Args:
            session: The match.
            tell: Gives the words of an event by its number.
        """
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(justify="right", style="bold cyan", no_wrap=True, min_width=3)
        grid.add_column(overflow="fold")
        entries = {entry.seq: entry for entry in session.entries}
        struck = beliefs_of(session).struck
        for seq in range(1, len(session.events) + 1):
            style = "dim strike" if seq in struck else "dim"
            entry = entries.get(seq)
            line = Text(tell(seq), style=style) if entry is None else self._entry(entry, tell(seq))
            if seq in struck:
                line.append(f"  {Standing.TAKEN_BACK.value}", style="italic dim")
            grid.add_row(str(seq), line)
        self.console.print(grid)

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

    def _warn(self, what: str, reason: str, style: str) -> None:
        grid = Table(box=None, show_header=False, padding=(0, 1))
        grid.add_column(min_width=3)
        grid.add_column(overflow="fold")
        grid.add_row(
            "", Text(f"{what}: ", style=f"bold {style}").append(reason, f"not bold {style}")
        )
        self.console.print(grid)

    def _entry(self, entry: Entry, words: str) -> Text:
        line = self._named(words, _STANDING_STYLES[entry.standing])
        if entry.standing is not Standing.COUNTS:
            line.append(f"  {entry.standing.value}", style="italic dim")
        if entry.objection:
            is_mistake = entry.standing is Standing.COUNTS
            what = "  a mistake: " if is_mistake else "  "
            line.append(
                f"{what}{entry.objection}", style="bright_yellow" if is_mistake else "bright_red"
            )
        return line

    def _named(self, text: str, style: str = "") -> Text:
        """Returns a sentence with the player at its beginning in the player's colour."""
        line = Text().append(text, style or None)  # a style of its own would fill the whole line
        for player, colour in self._styles.items():
            line.highlight_regex(rf"^{re.escape(player)}\b", colour)
        return line

    def _drawn(self, drawing: str) -> Text:
        """Returns a drawing in colours: lawns, paths, water, and each player's chips."""
        lines = Text(drawing, no_wrap=True, overflow="ignore")
        for marks, style in _DRAWING_STYLES.items():
            lines.highlight_regex(marks, style)
        for player, colour in self._styles.items():
            lines.highlight_regex(rf"\b{re.escape(player[0])}[LMS]\b", f"{colour} reverse")
        return lines

    def _cards(self, how: str) -> RenderableType:
        """Returns a drawing or a sentence as it is, a list of many cards in columns."""
        if "\n" in how:
            return self._drawn(how)
        cards = _CARD_ENDS.split(how)
        if len(cards) < 4 and len(how) < _LINE:
            return self._named(how)
        return Columns([Text(card) for card in cards], padding=(0, 2), column_first=False)
