"""Whether the options that were typed suit the match that a journal brings back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.commands.console import CommandError
from referee.commands.play_setup import PlayOrder, read_players, read_rulings_chosen, start_match
from referee.engines import Engine
from referee.errors import RefereeError
from referee.events import MatchStarted
from referee.rulings import default_rulings
from referee.text_lines import format_value


def expect_own_options(order: PlayOrder, engine: Engine, start: MatchStarted) -> None:
    """Refuses an option that says otherwise than the match; the same line goes on with it.

    Args:
        order: What was typed.
        engine: The game.
        start: How the match began.

    Raises:
        CommandError: If an option differs; it names the option and what the match has.
        DeckError: If a deck is named that cannot be used.
    """
    for option, own, got in _differences(order, engine, start):
        raise CommandError(f"{order.journal}: expected {option} {own}, as the match has, got {got}")


def is_own_seed(order: PlayOrder, engine: Engine, start: MatchStarted) -> bool:
    """Returns whether the seed that was typed is the one that shuffled the match."""
    if order.seed is None:
        return False
    try:
        return start_match(_own(order, engine, start), engine, order.seed).setup == start.setup
    except RefereeError:
        return False


def _differences(
    order: PlayOrder, engine: Engine, start: MatchStarted
) -> Iterator[tuple[str, str, str]]:
    """Yields options that differ, each with what the match has and what was typed."""
    setup = engine.notation.parse_setup(start.setup)
    if order.players and read_players(order.players) != setup.players:
        yield "--players", ",".join(setup.players), order.players
    if order.lead and order.lead != setup.lead:
        yield "--lead", setup.lead, order.lead
    variant = getattr(setup, "variant", "normal")
    if order.variant and order.variant != variant:
        yield "--variant", str(variant), order.variant
    rulings = {**default_rulings(start.game), **start.rulings}
    for name, value in read_rulings_chosen(start.game, order.rulings).items():
        if value != rulings[name]:
            own = format_value(rulings[name])
            yield "--ruling", f"{name}={own}", f"{name}={format_value(value)}"
    if order.deck and not _is_own_deck(order, engine, start):
        yield "--deck", f"with the cards of {start.deck or 'its own deck'}", str(order.deck)


def _is_own_deck(order: PlayOrder, engine: Engine, start: MatchStarted) -> bool:
    """Whether a deck has the cards of the match; chance has only changed their order."""
    again = start_match(_own(order, engine, start), engine, 0)
    return sorted(again.setup.split()) == sorted(start.setup.split())


def _own(order: PlayOrder, engine: Engine, start: MatchStarted) -> PlayOrder:
    """Returns the order by which a match like this one would begin with the deck that was typed."""
    setup: Any = engine.notation.parse_setup(start.setup)
    rulings = tuple(f"{name}={format_value(value)}" for name, value in start.rulings.items())
    variant = str(getattr(setup, "variant", "normal"))
    players = ",".join(setup.players)
    return replace(order, players=players, lead=setup.lead, variant=variant, rulings=rulings)
