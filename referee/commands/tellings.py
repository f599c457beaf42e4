"""How the lines of a watched game are told to people and drawn: by its deck's game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rich.console import RenderableType

from referee.annotation import paint_signs, paint_story
from referee.commands.exploring_film import HandsFilm
from referee.commands.exploring_rounds import HandsTable
from referee.commands.panda_film import ZooFilm
from referee.commands.panda_turns import TurnsTable
from referee.commands.rulings_table import RulingsTable
from referee.decks import Deck
from referee.wording import Line
from vision.film import Paint


def rulings_table(lines: Iterable[Line], deck: Deck) -> RenderableType:
    """Returns what a replay has ruled, or a single ruling, as rich prints it."""
    return _TABLES[deck.game](lines, deck)


def painter(lines: Iterable[Line], deck: Deck) -> Paint:
    """Returns what draws the lines upon the frames of a recording, given in the order of time."""
    return _PAINTERS[deck.game](lines, deck)


def live_painter(lines: Iterable[Line], deck: Deck) -> Paint:
    """Returns what draws the lines upon a live picture.

    There are no words in it: the page beside it tells everything in each viewer's language.
    """
    return _LIVE_PAINTERS[deck.game](lines, deck)


def _paint_hands(lines: Iterable[Line], deck: Deck) -> Paint:
    return HandsFilm(lines).paint


def _paint_turns(lines: Iterable[Line], deck: Deck) -> Paint:
    return ZooFilm(lines).paint


def _paint_signs_of_hands(lines: Iterable[Line], deck: Deck) -> Paint:
    return HandsFilm(lines, is_wordless=True).paint


def _paint_signs_of_turns(lines: Iterable[Line], deck: Deck) -> Paint:
    return ZooFilm(lines, is_wordless=True).paint


_TABLES: Mapping[str, Callable[[Iterable[Line], Deck], RenderableType]] = {
    "galapa-go": RulingsTable,
    "exploring-galapagos": HandsTable,
    "panda-gorilla": TurnsTable,
}
"""How the rulings of each game are told."""

_PAINTERS: Mapping[str, Callable[[Iterable[Line], Deck], Paint]] = {
    "galapa-go": paint_story,
    "exploring-galapagos": _paint_hands,
    "panda-gorilla": _paint_turns,
}
"""How a recording of each game is drawn upon."""

_LIVE_PAINTERS: Mapping[str, Callable[[Iterable[Line], Deck], Paint]] = {
    "galapa-go": paint_signs,
    "exploring-galapagos": _paint_signs_of_hands,
    "panda-gorilla": _paint_signs_of_turns,
}
"""How a live picture of each game is drawn upon."""
