"""A photograph of an Exploring Galapagos table: who holds what, and the round's points."""

from __future__ import annotations

from collections.abc import Sequence

from referee.adapter.answers import Json, format_seen, format_unnamed
from referee.adapter.exploring_galapagos import format_round, places_of, see_round
from referee.adapter.exploring_looks import Look
from referee.adapter.exploring_seated import Seating
from referee.games.exploring_galapagos.model import CardBack, HabitatCard, Method
from referee.still_orders import StillOrder
from vision.doubles import without_doubles
from vision.errors import NoTableError
from vision.face_finder import FaceFinder
from vision.mirrored import count_mirrored
from vision.spread_gaps import with_beside
from vision.spread_reader import read_spread
from vision.table import PieceKind, TableReading


def score_exploring(order: StillOrder) -> Json:
    """Reads the cards of a table at rest and answers like `judge`, with what is in doubt.

    Raises:
        NoTableError: No player's cards are seen.
        VisionError: The weights or the deck's pictures cannot be used.
    """
    cards = [piece for piece in order.deck.pieces if isinstance(piece, HabitatCard | CardBack)]
    used = {
        name: tuple(Method(word) for word in words) for name, words in order.options.used.items()
    }
    seating = Seating(order.options.seats, used)
    reading, twice = _read(order, cards, seating)
    round_seen = see_round(reading, cards, seating, is_only_look=True)
    if not round_seen.players:
        raise _no_table(order, reading)
    answer = format_round(round_seen, seating)
    places = places_of(round_seen)
    answer["seen"] = [
        format_seen(piece) | places.get(str(piece.face_id), {})
        for piece in reading.pieces
        if piece.face_id is not None
    ]
    answer["doubts"] += [
        {"text": f"{face} is seen in two places, as if cards of two decks lay here"}
        for face in twice
    ]
    answer["doubts"] += [
        format_unnamed(piece, (reading.width_px, reading.height_px))
        for pieces in (round_seen.shared, *(player.own for player in round_seen.players))
        for piece in pieces
        if piece.face_id is None
    ]
    return answer


def _read(
    order: StillOrder, cards: Sequence[HabitatCard | CardBack], seating: Seating
) -> tuple[TableReading, tuple[str, ...]]:
    """Returns what lies on the table, and the faces that lie there twice.

    Raises:
        NoTableError: The picture seems mirrored.
        VisionError: The weights or the deck's pictures cannot be used.
    """
    reader, finder, image = order.open_reader(), FaceFinder(order.faces), order.image_bgr
    lying = reader.find(image)
    reading = read_spread(reader, finder, image, lying)
    _refuse_mirrored(order, count_mirrored(reader, finder, image, (reading, lying)))
    seen = see_round(reading, cards, seating, is_only_look=True)
    if Look(0.0, seen, reading, seating).may_lack:
        reading = with_beside(reader, image, reading, lying)
    return without_doubles(reader, image, reading)


def _refuse_mirrored(order: StillOrder, count: int) -> None:
    """Refuses a picture of which a mirror shows more cards than it does itself.

    Raises:
        NoTableError: So many are seen in its mirror.
    """
    if count:
        raise NoTableError(
            f"{order.path}: expected a table as people see it, got one that seems mirrored: "
            f"{count} cards have a name only where the picture is turned over"
        )


def _no_table(order: StillOrder, reading: TableReading) -> NoTableError:
    """Returns what is said of a picture that shows nobody's cards."""
    count = sum(piece.face_kind == "habitat" for piece in reading.pieces)
    strange = sum(
        piece.face_id is None and piece.kind is not PieceKind.HAND for piece in reading.pieces
    )
    got = "a picture in which no cards are seen"
    if strange:
        got = f"{strange} unknown and {count} known pieces; is {order.deck.name!r} the right deck?"
    elif count:
        got = f"too few cards to tell hands apart: {count}"
    return NoTableError(
        f"{order.path}: expected a table of Exploring Galapagos with players' cards around the "
        f"middle, got {got}"
    )
