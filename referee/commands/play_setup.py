"""How a match at the keyboard begins: who plays, with which deck, shuffled how."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from referee.commands.console import CommandError
from referee.commands.table_options import split_ruling
from referee.decks import Deck, load_deck
from referee.engines import Engine, engine_of, playable
from referee.errors import FormatError
from referee.events import MatchStarted
from referee.fields import listed
from referee.games.catalog import GAMES
from referee.rules import RuleViolation, Table
from referee.rulings import Value, default_rulings, read_rulings
from referee.text_lines import parse_value
from vision.errors import ResourceError
from vision.resources import find_resource

_NAME = re.compile(r"\w[\w'-]*")
_USUAL = ("red", "blue")
"""Players of every game, where nobody is named."""


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """What was asked for on the command line; None where nothing was.

    Attributes:
        game: The name of the game.
        players: Clockwise, such as `red,blue`.
        lead: Who begins.
        variant: The variant of the game.
        rulings: House rulings, each as `name=value`.
        deck: The deck pack.
        seed: The seed of the shuffle.
        journal: The file in which the match is kept.
        is_open: Whether everybody sees what lies hidden.
    """

    game: str
    players: str | None = None
    lead: str | None = None
    variant: str | None = None
    rulings: Sequence[str] = ()
    deck: Path | None = None
    seed: int | None = None
    journal: Path | None = None
    is_open: bool = False


def find_engine(game: str) -> Engine:
    """Returns what a game is played with.

    Raises:
        CommandError: If there is no such game, or it cannot be played.
    """
    if game not in playable():
        raise CommandError(f"GAME: expected {listed(playable())}, got {game!r}")
    return engine_of(game)


def start_match(order: PlayOrder, engine: Engine, seed: int) -> MatchStarted:
    """Returns the beginning of a match with a deck that was shuffled by a seed.

    Raises:
        CommandError: If a name, a ruling or the number of players is not as it should be.
        DeckError: If the deck cannot be used.
    """
    players = read_players(order.players)
    lead = order.lead or players[0]
    if lead not in players:
        raise CommandError(f"--lead: expected one of the players {listed(players)}, got {lead!r}")
    defaults = default_rulings(engine.game)
    rulings = {**defaults, **read_rulings_chosen(engine.game, order.rulings)}
    deck = _find_deck(engine.game, order.deck)
    table = Table(players, lead, order.variant or "normal", rulings)
    try:
        setup = engine.rules.set_up(_shuffled(deck, seed), table)
        text = engine.notation.format_setup(setup)
        engine.rules.initial_state(engine.notation.parse_setup(text))
    except (RuleViolation, FormatError) as error:
        raise CommandError(f"{_blamed(order, engine, table, deck)}: {error}") from error
    chosen = {name: value for name, value in rulings.items() if value != defaults[name]}
    return MatchStarted(engine.game, text, deck.name, chosen)


def read_players(text: str | None) -> tuple[str, ...]:
    """Returns the players that were named, red and blue where nobody was.

    Raises:
        CommandError: If a name is none, or is there twice.
    """
    players = tuple(name.strip() for name in (text or ",".join(_USUAL)).split(","))
    for name in players:
        if not _NAME.fullmatch(name):
            raise CommandError(f"--players: expected names like red,blue, got {text!r}")
    if len(set(players)) < len(players):
        raise CommandError(f"--players: expected every player once, got {text!r}")
    return players


def read_rulings_chosen(game: str, texts: Sequence[str]) -> dict[str, Value]:
    """Returns the house rulings that were named, each as `name=value`.

    Raises:
        CommandError: If one is no ruling of the game, or is given two values.
    """
    chosen: dict[str, Value] = {}
    for text in texts:
        name, word = split_ruling(text)
        said = parse_value(word)
        if chosen.setdefault(name, said) != said:
            raise CommandError(
                f"--ruling.{name}: expected one value, got {chosen[name]} and {word}"
            )
    try:
        read_rulings(game, chosen, "--ruling")
    except FormatError as error:
        raise CommandError(str(error)) from error
    return chosen


def _blamed(order: PlayOrder, engine: Engine, table: Table, deck: Deck) -> str:
    """Returns the option without which the match could begin, or what it is that cannot."""
    others = {
        "--variant": replace(table, variant="normal"),
        "--players": replace(table, players=_USUAL, lead=_USUAL[0]),
    }
    for option, other in others.items():
        with suppress(RuleViolation, FormatError):
            engine.rules.set_up(_shuffled(deck, 0), other)
            return option
    return "--deck" if order.deck else "the match"


def _find_deck(game: str, pack: Path | None) -> Deck:
    if pack is None:
        try:
            pack = find_resource(f"datasets/decks/{game}")
        except ResourceError as error:
            raise CommandError(
                f"--deck: expected a deck pack of {game}: none comes with the program"
            ) from error
    deck = load_deck(pack)
    if deck.game != game:
        raise CommandError(f"--deck: expected a deck of {game}, got one of {deck.game}: {pack}")
    return deck


def _shuffled(deck: Deck, seed: int) -> list[object]:
    """Returns every card as often as there is of it, shuffled, and the board where there is one."""
    pieces: list[object] = []
    for piece in deck.pieces:
        pieces += [piece] * getattr(piece, "count", 1)
    Random(seed).shuffle(pieces)
    if GAMES[deck.game].has_board:
        pieces.append(deck.board)
    return pieces
