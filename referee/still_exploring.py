"""A photograph of an Exploring Galapagos table: who holds what, and the round's points."""

from __future__ import annotations

from referee.adapter.answers import Json, format_seen, format_unnamed
from referee.adapter.exploring_galapagos import Seating, format_round, places_of, see_round
from referee.adapter.exploring_looks import Look
from referee.games.exploring_galapagos.model import CardBack, HabitatCard, Method
from referee.still_orders import StillOrder
from vision.errors import NoTableError
from vision.face_finder import FaceFinder
from vision.spread_gaps import with_beside
from vision.spread_reader import read_spread


def score_exploring(order: StillOrder) -> Json:
    """Reads the cards of a table at rest and answers like `judge`, with what is in doubt.

    Raises:
        NoTableError: No player's cards are seen.
        VisionError: The weights or the deck's pictures cannot be used.
    """
    cards = [piece for piece in order.deck.pieces if isinstance(piece, HabitatCard | CardBack)]
    reader = order.open_reader()
    lying = reader.find(order.image_bgr)
    reading = read_spread(reader, FaceFinder(order.faces), order.image_bgr, lying)
    used = {
        name: tuple(Method(word) for word in words) for name, words in order.options.used.items()
    }
    seating = Seating(order.options.seats, used)
    round_seen = see_round(reading, cards, seating, is_only_look=True)
    if Look(0.0, round_seen, reading, seating).may_lack:
        reading = with_beside(reader, order.image_bgr, reading, lying)
        round_seen = see_round(reading, cards, seating, is_only_look=True)
    if not round_seen.players:
        count = sum(piece.face_kind == "habitat" for piece in reading.pieces)
        strange = sum(piece.face_id is None for piece in reading.pieces)
        raise NoTableError(
            f"{order.path}: expected a table of Exploring Galapagos with players' cards around "
            f"the middle, got {count or 'no'} Habitat card{'' if count == 1 else 's'} of the deck "
            f"{order.deck.name} and {strange} unknown pieces; is this the right deck?"
        )
    answer = format_round(round_seen, seating)
    places = places_of(round_seen)
    answer["seen"] = [
        format_seen(piece) | places.get(str(piece.face_id), {})
        for piece in reading.pieces
        if piece.face_id is not None
    ]
    answer["doubts"] += [
        format_unnamed(piece)
        for pieces in (round_seen.shared, *(player.own for player in round_seen.players))
        for piece in pieces
        if piece.face_id is None
    ]
    return answer
