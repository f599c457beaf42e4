"""What can be typed in a match at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable

from rich.box import ROUNDED
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.commands.play_menu import Menu, bears_time
from referee.commands.play_screen import Screen
from referee.engines import Engine

COMMANDS = (
    ("a number", "do the action of this number in the list"),
    ("an action", "do it; how actions are typed stands below, and on the right of the list"),
    ("other words", "list only the actions that have all of these words"),
    ("Enter", "the list once more; Enter alone never does anything"),
    ("more, all", "the next page of the list; the whole list again"),
    ("state", "what lies on the table"),
    ("history", "everything that happened, with its number"),
    ("undo [WHY]", "take back what happened last: an action, a correction or the end"),
    ("correct N", "say what number N was in truth; what followed is judged anew"),
    ("note WORDS", "keep a few words with the match"),
    ("finish [WHY]", "end the match; undo takes the end back"),
    ("quit", "leave; with --journal the match goes on another time"),
)


def show_help(screen: Screen, engine: Engine, menu: Menu) -> None:
    """Prints the commands, how the actions of the game are typed, and one that can be done now."""
    _list(screen, COMMANDS, "what you can type")
    _list(screen, engine.notation.action_forms(), "actions, as they are typed")
    if menu.options:
        typed = menu.options[0].typed
        short = f", or in short {typed.partition(' ')[2]}" if bears_time(typed) else ""
        screen.remark(f"  Such as now: {typed}{short}. Capitals are to be filled in.")


def _list(screen: Screen, rows: Iterable[tuple[str, str]], title: str) -> None:
    grid = Table(box=None, show_header=False, padding=(0, 1))
    grid.add_column(style="bold cyan", no_wrap=True)
    grid.add_column()
    for what, does in rows:
        grid.add_row(Text(what), does)
    screen.console.print(Panel(grid, title=title, box=ROUNDED, expand=False))
