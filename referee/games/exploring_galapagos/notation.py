"""Exploring Galapagos as text: what a person can read and a test can replay.

    players ann bob
    lead bob
    card h01 1 time day 2 gray-bird/sky blue-fish/sea/night

is a setup, if all 18 cards are there: id, value, method, time and impact of a card and its
animals, each with its own time where it has one. A state has one line for each thing that lies
somewhere, and its lines that start with `#` tell what the rules make of it. Names and ids hold no
blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields

from referee.errors import FormatError, shown
from referee.games.exploring_galapagos.cards import read_card
from referee.games.exploring_galapagos.course import ids, next_player, phase
from referee.games.exploring_galapagos.model import (
    AddToDraft,
    Draft,
    HabitatCard,
    LockIn,
    Method,
    PlayerAction,
    Record,
    Rulings,
)
from referee.games.exploring_galapagos.rules import outcome, ruling
from referee.games.exploring_galapagos.state import (
    Action,
    Deal,
    EndRound,
    LayRow,
    Phase,
    Setup,
    State,
)
from referee.text_lines import find_cards, join_line, ruling_lines, split_lines

_PLAYER_WORDS: Mapping[type[PlayerAction], str] = {
    AddToDraft: "add",
    LockIn: "lock-in",
    Draft: "draft",
}
_PLAYER_ACTIONS: Mapping[str, Callable[[str, str], PlayerAction]] = {
    "add": AddToDraft,
    "lock-in": LockIn,
    "draft": Draft,
}
_FLAGS = {"true": True, "false": False}
_PILES = frozenset({"lead", "deck", "row", "shared"})
_DUE = {
    Phase.CHOOSING: "adds to the draft or locks in",
    Phase.DRAFTING: "chooses from the row",
}


def format_action(action: Action) -> str:
    """Returns an action as one line.

    >>> format_action(AddToDraft("ann", "h07")), format_action(LayRow(("h03", "h07")))
    ('ann add h07', 'row h03 h07')
    """
    match action:
        case Deal(order):
            return join_line("deal", order)
        case LayRow(order):
            return join_line("row", order)
        case EndRound():
            return "end round"
        case _:
            return f"{action.player} {_PLAYER_WORDS[type(action)]} {action.card}"


def format_choice(action: Action) -> str:
    """Returns what is typed to choose an action; how the cards lie then is chance's.

    >>> format_choice(AddToDraft("ann", "h07")), format_choice(LayRow(("h03", "h07")))
    ('ann add h07', 'row')
    """
    match action:
        case Deal():
            return "deal"
        case LayRow():
            return "row"
        case _:
            return format_action(action)


def action_forms() -> tuple[tuple[str, str], ...]:
    """Returns how actions are typed."""
    return (
        ("deal", "the lead shuffles all cards and deals"),
        ("PLAYER add CARD", "add a card of the hand to the draft, face down"),
        ("PLAYER lock-in CARD", "lock in the method of a card of the hand"),
        ("row", "shuffle the cards of the draft and one of the deck, and lay them in a row"),
        ("PLAYER draft CARD", "choose a card of the row"),
        ("end round", "write the points and methods of the round down"),
    )


def parse_action(text: str) -> Action:
    """Returns the action of a line.

    >>> parse_action("ann lock-in h07")
    LockIn(player='ann', card='h07')
    >>> parse_action("end round")
    EndRound()

    Raises:
        FormatError: if the line is none.
    """
    words = text.split()
    if words == ["end", "round"]:
        return EndRound()
    if len(words) == 3 and words[1] in _PLAYER_ACTIONS:
        return _PLAYER_ACTIONS[words[1]](words[0], words[2])
    if words[:1] == ["deal"]:
        return Deal(tuple(words[1:]))
    if words[:1] == ["row"]:
        return LayRow(tuple(words[1:]))
    expected = f"deal, row, end round, or a player and one of {', '.join(_PLAYER_ACTIONS)}"
    raise FormatError("action", f"{expected}, each as it is", shown(text))


def format_setup(setup: Setup) -> str:
    """Returns a setup as lines.

    >>> card = _parse_card(["h01", "1", "time", "day", "2", "blue-fish/sea/night"])
    >>> print(format_setup(Setup(("ann", "bob"), "bob", (card,))))
    players ann bob
    lead bob
    card h01 1 time day 2 blue-fish/sea/night
    """
    lines = [
        join_line("players", setup.players),
        f"lead {setup.lead}",
        *ruling_lines(setup.rulings),
        *(_format_card(card) for card in setup.cards),
    ]
    return "\n".join(lines)


def parse_setup(text: str) -> Setup:
    """Returns the setup of some lines.

    Raises:
        FormatError: if a line is none of a setup.
    """
    values: dict[str, list[str]] = {}
    cards: list[HabitatCard] = []
    rulings: dict[str, bool] = {}
    known = {each.name for each in fields(Rulings)}
    for key, words in split_lines(text):
        if key == "card":
            cards.append(_parse_card(words))
        elif key == "ruling" and len(words) == 2 and words[0] in known and words[1] in _FLAGS:
            rulings[words[0]] = _FLAGS[words[1]]
        elif key in ("players", "lead"):
            values[key] = words
        else:
            raise FormatError("setup", "a line of a setup", shown(" ".join([key, *words])))
    if values.keys() != {"players", "lead"} or len(values["lead"]) != 1:
        raise FormatError("setup", "the lines players and lead", ", ".join(values) or "neither")
    return Setup(tuple(values["players"]), values["lead"][0], tuple(cards), Rulings(**rulings))


def format_state(state: State) -> str:
    """Returns a state as lines; what the rules make of it follows in lines that start with `#`."""
    lines = [f"lead {state.lead}", join_line("deck", ids(state.deck))]
    for player in state.setup.players:
        lines.append(join_line(f"hand {player}", ids(state.hands[player])))
    for name, pile in _by_player(state).items():
        lines += [f"{name} {player} {card.id}" for player, card in pile.items()]
    lines += [join_line("row", ids(state.row)), join_line("shared", ids(state.shared))]
    for number, record in enumerate(state.records, start=1):
        for player, written in record.items():
            lines.append(f"record {number} {player} {written.method or '-'} {written.score}")
    return "\n".join([*lines, *_comments(state)])


def parse_state(text: str, setup: Setup) -> State:
    """Returns the state of some lines, for a game that began with this setup.

    Raises:
        FormatError: if a line is none of a state.
    """
    cards = {card.id: card for card in setup.cards}
    piles: dict[str, list[str]] = {}
    hands: dict[str, tuple[HabitatCard, ...]] = {}
    single: dict[str, dict[str, HabitatCard]] = {"locked": {}, "added": {}, "chosen": {}}
    records: list[dict[str, Record]] = []
    for key, words in split_lines(text):
        if key == "hand" and words:
            hands[words[0]] = find_cards(words[1:], cards, "state")
        elif key in single and len(words) == 2 and words[0] in setup.players:
            (single[key][words[0]],) = find_cards(words[1:], cards, "state")
        elif key == "record":
            _parse_record(words, records, setup)
        else:
            piles[key] = words
    is_whole = piles.keys() == _PILES and hands.keys() == set(setup.players)
    if not is_whole or len(piles["lead"]) != 1 or piles["lead"][0] not in setup.players:
        raise FormatError("state", "each line of a state once", ", ".join(piles))
    if any(record.keys() != set(setup.players) for record in records):
        raise FormatError("record", "a line for each player and round", f"{len(records)} rounds")
    return State(
        setup=setup,
        lead=piles["lead"][0],
        deck=find_cards(piles["deck"], cards, "state"),
        hands=hands,
        locked=single["locked"],
        added=single["added"],
        row=find_cards(piles["row"], cards, "state"),
        chosen=single["chosen"],
        shared=find_cards(piles["shared"], cards, "state"),
        records=tuple(records),
    )


def _by_player(state: State) -> dict[str, Mapping[str, HabitatCard]]:
    """Returns what some players have one card of, by the word of its line."""
    return {"locked": state.locked, "added": state.added, "chosen": state.chosen}


def _comments(state: State) -> Iterator[str]:
    now = phase(state)
    if now in _DUE:
        yield f"# {next_player(state)} {_DUE[now]}"
    if now is Phase.SCORING:
        for player in ruling(state):
            yield f"# {player.name} scores {player.score}: {player.reason}"
    end = outcome(state)
    if end is not None:
        yield join_line("# totals", (f"{player} {score}" for player, score in end.scores.items()))
        yield join_line("# the game is over; won by", end.winners)


def _parse_record(words: Sequence[str], records: list[dict[str, Record]], setup: Setup) -> None:
    """Adds what a line says that was written down; rounds follow each other from 1 on."""
    methods: dict[str, Method | None] = {"-": None, **{method.value: method for method in Method}}
    is_one = len(words) == 4 and words[0].isdigit() and words[3].isdigit()
    if not is_one or words[1] not in setup.players or words[2] not in methods:
        expected = "a round, a player, a method or -, and points"
        raise FormatError("record", expected, shown(" ".join(words)))
    number = int(words[0])
    if number == len(records) + 1:
        records.append({})
    if number != len(records):
        raise FormatError("record", f"round {len(records)}", words[0])
    records[-1][words[1]] = Record(methods[words[2]], int(words[3]))


def _format_card(card: HabitatCard) -> str:
    animals = (
        "/".join([a.color, a.zone, *([a.time] if a.time != card.time else [])])
        for a in card.animals
    )
    head = f"card {card.id} {card.value} {card.method} {card.time} {card.impact}"
    return join_line(head, animals)


def _parse_card(words: Sequence[str]) -> HabitatCard:
    """Reads a card by way of its object, so that the same words are allowed as in a deck."""
    parts = [word.split("/") for word in words[5:]]
    if len(words) < 5 or not words[1].isdigit() or not words[4].isdigit():
        expected = "id, value, method, time, impact and animals"
        raise FormatError("card", expected, shown(" ".join(words)))
    source = {
        "id": words[0],
        "kind": "habitat",
        "value": int(words[1]),
        "method": words[2],
        "time": words[3],
        "impact": int(words[4]),
        "animals": [dict(zip(("color", "zone", "time"), part, strict=False)) for part in parts],
    }
    card = read_card(source, f"card {words[0]}")
    if not isinstance(card, HabitatCard) or any(len(part) > 3 for part in parts):
        raise FormatError("card", "color/zone or color/zone/time", shown(" ".join(words)))
    return card
