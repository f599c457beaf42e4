"""The three games by name: one literal mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.exploring_galapagos import cards as exploring_cards
from referee.games.exploring_galapagos import notation as exploring_notation
from referee.games.exploring_galapagos import position as exploring_position
from referee.games.exploring_galapagos import rules as exploring_rules
from referee.games.exploring_galapagos import telling as exploring_telling
from referee.games.galapa_go import cards as galapa_cards
from referee.games.galapa_go import notation as galapa_notation
from referee.games.galapa_go import position as galapa_position
from referee.games.galapa_go import rules as galapa_rules
from referee.games.galapa_go import telling as galapa_telling
from referee.games.panda_gorilla import cards as panda_cards
from referee.games.panda_gorilla import notation as panda_notation
from referee.games.panda_gorilla import position as panda_position
from referee.games.panda_gorilla import rules as panda_rules
from referee.games.panda_gorilla import telling as panda_telling
from referee.rules import Notation, Rules, Telling


@dataclass(frozen=True, slots=True)
class Game:
    """What the rest of the house needs to know of a game.

    Attributes:
        name: As contract §1 spells it.
        kinds: The kinds of its cards, the main one first.
        read_card: Reads a card object: `(object, place) -> piece`.
        check_cards: Names what is odd about all its cards together.
        judge: Answers a question: `(position, pieces of the deck) -> answer`; None before the
            game has a rule engine.
        rules: Its rules, or None before they are there.
        notation: Its text form, or None before it is there.
        telling: What people at the table are told, or None before it is there.
        has_board: Whether a deck of it has a board.
    """

    name: str
    kinds: tuple[str, ...]
    read_card: Callable[[object, str], Any]
    check_cards: Callable[[Sequence[Any]], list[str]]
    judge: Callable[[Mapping[str, Any], Iterable[Any] | None], dict[str, Any]] | None = None
    rules: Rules[Any, Any, Any] | None = None
    notation: Notation[Any, Any, Any] | None = None
    telling: Telling[Any, Any] | None = None
    has_board: bool = False


GAMES: Mapping[str, Game] = {
    "galapa-go": Game(
        "galapa-go",
        galapa_cards.KINDS,
        galapa_cards.read_card,
        galapa_cards.check_cards,
        judge=galapa_position.judge,
        rules=galapa_rules,
        notation=galapa_notation,
        telling=galapa_telling,
    ),
    "exploring-galapagos": Game(
        "exploring-galapagos",
        exploring_cards.KINDS,
        exploring_cards.read_card,
        exploring_cards.check_cards,
        judge=exploring_position.judge,
        rules=exploring_rules,
        notation=exploring_notation,
        telling=exploring_telling,
    ),
    "panda-gorilla": Game(
        "panda-gorilla",
        panda_cards.KINDS,
        panda_cards.read_card,
        panda_cards.check_cards,
        judge=panda_position.judge,
        rules=panda_rules,
        notation=panda_notation,
        telling=panda_telling,
        has_board=True,
    ),
}
