"""Questions about Galapa Go as contract §2 spells them: position in, ruling out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from referee.errors import FormatError, shown
from referee.fields import (
    Json,
    at,
    listed,
    read_cards,
    read_choice,
    read_distinct,
    read_integer,
    read_list,
    read_number,
    read_object,
    read_text,
    read_texts,
    read_words,
    refuse,
)
from referee.games.galapa_go.cards import known_species, read_card
from referee.games.galapa_go.model import (
    COLOURS,
    AnimalCard,
    AnyTask,
    Card,
    Cover,
    GiveUp,
    Guess,
    NoMatch,
    Pass,
    PlayerAction,
    RoundPosition,
    RoundRuling,
    Rulings,
    Special,
    Task,
    Variant,
    Withdraw,
)
from referee.games.galapa_go.scoring import rule_round
from referee.rulings import read_rulings

GAME = "galapa-go"
MIN_PLAYERS, MAX_PLAYERS = 2, 6
"""Number of players (G35)."""

_REQUIRED = frozenset(
    {"game", "players", "lead", "layout", "deck_left", "tasks", "won", "box", "actions"}
)
_OPTIONAL = frozenset({"cards", "variant", "rulings"})
_VARIANTS = {variant.value: variant for variant in Variant}
_PLAIN_KEYS = frozenset({"t", "player", "do"})
_ACTION_KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "cover": (_PLAIN_KEYS | {"card"}, frozenset()),
    "withdraw": (_PLAIN_KEYS, frozenset()),
    "pass": (_PLAIN_KEYS, frozenset()),
    "no-match": (_PLAIN_KEYS, frozenset()),
    "guess": (_PLAIN_KEYS | {"animals"}, frozenset({"card"})),
    "give-up": (_PLAIN_KEYS | {"card"}, frozenset()),
}
"""By `do` the keys that an action must and may have."""


def judge(position: Json, deck_cards: Iterable[Card] | None) -> dict[str, Any]:
    """Returns the answer to a question.

    Args:
        position: The question, its keys still unchecked.
        deck_cards: The cards of the deck given with it; the question's own `cards` go before.

    Raises:
        FormatError: if the question breaks its format.
    """
    round_position, actions = read_position(position, deck_cards)
    return format_ruling(rule_round(round_position, actions))


def read_position(
    value: object, deck_cards: Iterable[Card] | None
) -> tuple[RoundPosition, tuple[PlayerAction, ...]]:
    """Returns a question as the rules take it.

    Raises:
        FormatError: if it breaks its format.
    """
    source = read_object(value, "", _REQUIRED, _OPTIONAL)
    cards = read_cards(source, deck_cards, read_card)
    players = _read_players(source)
    variant = Variant.NORMAL
    if "variant" in source:
        variant = _VARIANTS[read_choice(source, "variant", "", _VARIANTS)]
    animals = {card.id: card for card in cards.values() if isinstance(card, AnimalCard)}
    position = RoundPosition(
        players=players,
        lead=read_choice(source, "lead", "", players),
        layout=tuple(animals[card_id] for card_id in _read_ids(source, "layout", "", animals)),
        tasks=_read_tasks(source, cards, variant),
        won=_read_won(source, players, animals),
        box=_read_ids(source, "box", "", animals),
        deck_left=read_integer(source, "deck_left", "", 0),
        variant=variant,
        rulings=_read_rulings(source),
    )
    _refuse_card_in_two_places(position)
    return position, _read_actions(source, position, known_species(cards.values()))


def read_action(
    value: object, place: str, position: RoundPosition, species: Collection[str]
) -> PlayerAction:
    """Returns one action of a player in this round; `species` are those that can be named.

    Raises:
        FormatError: if it breaks its format or names a card or player that is not there.
    """
    if type(value) is not dict and not isinstance(value, Mapping):
        refuse(place, "an action with t, player and do", value)
    if "do" not in value:
        raise FormatError(at(place, "do"), listed(_ACTION_KEYS), "nothing")
    do = read_choice(value, "do", place, _ACTION_KEYS)
    source = read_object(value, place, *_ACTION_KEYS[do])
    t = read_number(source, "t", place)
    player = read_choice(source, "player", place, position.players)
    if do == "cover":
        return Cover(t, player, _read_laid_out(source, place, position).id)
    if do == "guess":
        animals = _read_named(source, place, species)
        return _read_guess(source, place, position, Guess(t, player, animals))
    if do == "give-up":
        owned = position.won[player]
        if read_text(source, "card", place) not in owned:
            refuse(at(place, "card"), f"a card that {player} won before", source["card"])
        return GiveUp(t, player, source["card"])
    return _PLAIN_ACTIONS[do](t, player)


def format_position(position: RoundPosition, actions: Sequence[PlayerAction]) -> dict[str, Any]:
    """Returns a question as contract §2 spells it, its cards left to the deck."""
    return {
        "game": GAME,
        "players": list(position.players),
        "lead": position.lead,
        "variant": position.variant.value,
        "rulings": {each.name: getattr(position.rulings, each.name) for each in fields(Rulings)},
        "layout": [card.id for card in position.layout],
        "deck_left": position.deck_left,
        "tasks": [task.id for task in position.tasks],
        "won": {player: list(cards) for player, cards in position.won.items()},
        "box": list(position.box),
        "actions": [_format_action(action) for action in actions],
    }


def _format_action(action: PlayerAction) -> dict[str, Any]:
    plain: dict[str, Any] = {"t": action.t, "player": action.player, "do": _DO[type(action)]}
    if isinstance(action, Guess):
        plain["animals"] = list(action.animals)
    if isinstance(action, Cover | GiveUp | Guess) and action.card is not None:
        plain["card"] = action.card
    return plain


def format_ruling(ruling: RoundRuling) -> dict[str, Any]:
    """Returns a ruling as contract §2 spells the answer."""
    return {
        "matching": list(ruling.matching),
        "ended_by": None if ruling.ended_by is None else ruling.ended_by.value,
        "claims": [
            {
                "player": claim.player,
                "card": claim.card,
                "order": claim.order,
                "t": claim.t,
                "verdict": claim.verdict.value,
                "reason": claim.reason,
            }
            for claim in ruling.claims
        ],
        "won": {player: list(cards) for player, cards in ruling.won.items()},
        "box": list(ruling.box),
        "layout": list(ruling.layout),
        "lead": ruling.lead,
        "redeal": ruling.redeal,
        "game_over": ruling.game_over,
        "winners": list(ruling.winners),
    }


_PLAIN_ACTIONS: Mapping[str, Callable[[float, str], PlayerAction]] = {
    "withdraw": Withdraw,
    "pass": Pass,
    "no-match": NoMatch,
}

_DO: Mapping[type[PlayerAction], str] = {
    Cover: "cover",
    Withdraw: "withdraw",
    Pass: "pass",
    NoMatch: "no-match",
    Guess: "guess",
    GiveUp: "give-up",
}


def _read_players(source: Json) -> tuple[str, ...]:
    players = read_words(source, "players", "", COLOURS)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        refuse("players", f"{MIN_PLAYERS} to {MAX_PLAYERS} colours", source["players"])
    return players


def _read_ids(
    source: Json, key: str, place: str, animals: Mapping[str, AnimalCard]
) -> tuple[str, ...]:
    ids = read_distinct(source, key, place)
    for index, card_id in enumerate(ids):
        if card_id not in animals:
            refuse(f"{at(place, key)}[{index}]", "the id of an Animal card", card_id)
    return ids


def _read_tasks(source: Json, cards: Mapping[str, Card], variant: Variant) -> tuple[AnyTask, ...]:
    ids = read_texts(source, "tasks", "")
    if len(ids) != variant.tasks:
        expected = f"{variant.tasks} Task cards" if variant.tasks > 1 else "one Task card"
        raise FormatError(
            "tasks", f"{expected} in the {variant} variant", f"{len(ids)}: {shown(ids)}"
        )
    read_distinct(source, "tasks", "")
    tasks = []
    for index, task_id in enumerate(ids):
        card = cards.get(task_id)
        if isinstance(card, Special) and variant is Variant.COMPLEX:
            refuse(f"tasks[{index}]", "no Special Task card in the complex variant", task_id)
        if not isinstance(card, Task | Special):
            refuse(f"tasks[{index}]", "the id of a Task card", task_id)
        tasks.append(card)
    return tuple(tasks)


def _read_won(
    source: Json, players: Sequence[str], animals: Mapping[str, AnimalCard]
) -> dict[str, tuple[str, ...]]:
    won = read_object(source["won"], "won", frozenset(), frozenset(players))
    return {
        player: _read_ids(won, player, "won", animals) if player in won else ()
        for player in players
    }


def _read_rulings(source: Json) -> Rulings:
    if "rulings" not in source:
        return Rulings()
    chosen = read_rulings(GAME, source["rulings"], "rulings")
    return Rulings(**{name: str(value) for name, value in chosen.items()})


def _read_actions(
    source: Json, position: RoundPosition, species: Collection[str]
) -> tuple[PlayerAction, ...]:
    actions: list[PlayerAction] = []
    for index, value in enumerate(read_list(source, "actions", "")):
        action = read_action(value, f"actions[{index}]", position, species)
        if actions and action.t < actions[-1].t:
            expected = f"a time not before that of the action before it, {actions[-1].t:g}"
            refuse(f"actions[{index}].t", expected, action.t)
        actions.append(action)
    return tuple(actions)


def _read_named(source: Json, place: str, species: Collection[str]) -> tuple[str, ...]:
    animals = read_texts(source, "animals", place)
    for index, animal in enumerate(animals):
        if animal not in species:
            refuse(f"{at(place, 'animals')}[{index}]", f"an animal: {listed(species)}", animal)
    return animals


def _read_guess(source: Json, place: str, position: RoundPosition, spoken: Guess) -> Guess:
    if "card" not in source:
        return spoken
    card = _read_laid_out(source, place, position)
    if not card.species.issuperset(spoken.animals):
        refuse(at(place, "card"), f"a card that shows {listed(spoken.animals)}", card.id)
    return replace(spoken, card=card.id)


def _read_laid_out(source: Json, place: str, position: RoundPosition) -> AnimalCard:
    card_id = read_text(source, "card", place)
    found = next((card for card in position.layout if card.id == card_id), None)
    if found is None:
        refuse(at(place, "card"), "the id of a card of the layout", card_id)
    return found


def _refuse_card_in_two_places(position: RoundPosition) -> None:
    seen: dict[str, str] = {}
    piles = [("layout", [card.id for card in position.layout]), ("box", position.box)]
    piles += [(f"won.{player}", cards) for player, cards in position.won.items()]
    for place, ids in piles:
        for card_id in ids:
            if card_id in seen:
                raise FormatError(place, "each card in one place", f"{card_id} of {seen[card_id]}")
            seen[card_id] = place
