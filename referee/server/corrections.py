"""Whether a correction can be: of which event, of which keys, and what comes of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from referee.errors import FormatError, counted, shown
from referee.fields import listed
from referee.records import Json, Kind, Record
from referee.server.shapes import check_body, named_cards

_FIXED = frozenset({"type", "seq", "round"})
"""Keys that say what a line is about."""
_TOLD = frozenset({"card"})
"""Keys that an action may have though it had none."""
_KINDS: dict[type, str] = {
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "nothing",
}


def check_correction(
    records: Sequence[Record], cards: Collection[str], seq: int, told: Json | None
) -> None:
    """Checks what somebody says that an event was in truth.

    Args:
        records: Everything that was kept before.
        cards: Ids of the cards of the deck.
        seq: The number of the event.
        told: Its keys that were other ones, or None where nothing happened.

    Raises:
        FormatError: If there is no such event, or it cannot have been that.
    """
    if not 1 <= seq <= len(records) or not records[seq - 1].is_announced:
        raise FormatError("seq", "the number of an event of this table", str(seq))
    target = records[seq - 1]
    if told is None:
        return
    if target.kind is Kind.CORRECTION:
        raise FormatError("replace", "null: a correction can only be taken back", "an object")
    if not told:
        expected = "the keys that were other ones, or null where nothing happened"
        raise FormatError("replace", expected, "an empty object")
    for name, value in told.items():
        was = target.body.get(name, 0.0 if name == "dt" else "" if name in _TOLD else None)
        if was is None or name in _FIXED:
            raise FormatError(f"replace.{name}", "a key that can be corrected", "another one")
        kind = int | float if isinstance(was, int | float) else type(was)
        if not isinstance(value, kind) or isinstance(value, bool) is not isinstance(was, bool):
            raise FormatError(f"replace.{name}", _KINDS[type(was)], shown(value))
    check_body(target.kind, {**target.body, **told}, "replace")
    for place, card in named_cards(told):
        if card not in cards:
            raise FormatError(f"replace.{place}", "a card of the deck", shown(card))
    _check_kept(target.body, told)


def _check_kept(was: Json, told: Json) -> None:
    """Refuses what would leave out something that was seen: a card of a layout, a player."""
    if "cards" in told and len(told["cards"]) != len(was["cards"]):
        expected = f"what each of the {counted(len(was['cards']), 'card')} is in truth"
        raise FormatError("replace.cards", expected, shown(told["cards"]))
    players = tuple(was.get("won", ()))
    if "won" in told and {*told["won"]} != {*players}:
        expected = f"the cards of each of {listed(players, 'and')}"
        raise FormatError("replace.won", expected, shown(tuple(told["won"])))
    for place, player in (("lead", told.get("lead")), *enumerate(told.get("winners", ()))):
        if players and player is not None and player not in players:
            where = place if place == "lead" else f"winners[{place}]"
            raise FormatError(f"replace.{where}", listed(players), shown(player))
