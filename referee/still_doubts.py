"""Whether a photograph shows the deck that it was said to show."""

from __future__ import annotations

from referee.adapter.answers import Json
from referee.still_orders import StillOrder
from vision.errors import NoTableError

_STRANGE = 2
"""One thing without a name says nothing of the deck: a hand, a box, a card that is half covered."""
_HARDLY = 0.25
"""Share of named pieces below which a deck is doubted; of the right one most have a name."""
_PLACES = frozenset({"space", "board"})
"""Kinds of doubts about where something may lie: nothing strange was seen there."""


def doubt_deck(answer: Json, order: StillOrder) -> Json:
    """Returns the answer, with a doubt first where hardly anything in the picture is of the deck.

    Raises:
        NoTableError: Nothing of it is.
    """
    strange = sum("quad" in doubt and doubt["kind"] not in _PLACES for doubt in answer["doubts"])
    named = len(answer["seen"])
    if strange < _STRANGE or named >= _HARDLY * (named + strange):
        return answer
    seen = f"{named + strange} cards and other pieces were seen"
    corners = ", and are these its corners" if order.options.corners_px else ""
    asked = f"of {order.deck.name!r}; is this the right deck{corners}?"
    if not named:
        raise NoTableError(f"{order.path}: {seen}, none of them is {asked}")
    some = "1 of them is" if named == 1 else f"{named} of them are"
    doubt = {"text": f"{seen}, only {some} {asked}"}
    return answer | {"doubts": [doubt, *answer["doubts"]]}
