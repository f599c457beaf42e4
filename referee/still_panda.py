"""A photograph of a Panda, Gorilla & Co board: what lies where, the areas and the points."""

from __future__ import annotations

from collections.abc import Sequence

from referee.adapter.answers import Json, format_quad, format_seen
from referee.adapter.panda_gorilla import judge_board
from referee.decks import Deck
from referee.games.panda_gorilla.model import Board, Card, CardBack, Face, PathCard
from referee.still_orders import StillOrder
from referee.still_panda_doubts import doubt_place, doubt_ruling
from vision.board import BoardReader
from vision.board_print import BoardSource, Joins, decode_face, read_board_print
from vision.errors import NoTableError
from vision.faces import FaceSource
from vision.photo import is_colourless
from vision.table import BoardReading, ChipReading, SpaceReading, SpaceState


def score_panda(order: StillOrder) -> Json:
    """Reads a board at rest and answers like `judge`, with what was seen and what is in doubt.

    Raises:
        NoTableError: No board is seen, or not whose chips lie on it.
        VisionError: The deck's pictures cannot be used.
    """
    deck = order.deck
    reader = open_board_reader(deck, order.faces)
    try:
        place = reader.find(order.image_bgr, order.options.corners_px)
    except NoTableError as error:
        raise NoTableError(f"{order.path}: {error}") from error
    if is_colourless(order.image_bgr):
        raise NoTableError(
            f"{order.path}: expected a picture in colour, got one in shades of grey, in which "
            "nobody can tell whose chips lie on the board"
        )
    reading = reader.read(order.image_bgr, place)
    board = board_of(deck)
    answer = judge_board(reading, board, cards_of(deck), is_final=order.options.is_final)
    told = doubt_place(place, reading, board, is_shown=order.options.corners_px is not None)
    doubts = [*told, *doubt_ruling(answer, reading, board), *answer["doubts"]]
    return answer | {"doubts": doubts, "seen": _seen(reading)}


def open_board_reader(deck: Deck, faces: Sequence[FaceSource]) -> BoardReader:
    """The reader of a deck's board.

    Raises:
        DeckError: A picture has gone or cannot be read.
        GalleryError: A picture cannot be used.
    """
    board = board_of(deck)
    source = BoardSource(
        data=deck.read_board_bytes(),
        rows=board.rows,
        cols=board.cols,
        space_mm=float(board.space_mm or 0),
        corners_px=board.corners_px,
    )
    cards = {card.id: card.piece for card in deck.cards}
    printed = [
        decode_face(face, _sameness(piece), _joins(piece))
        for face in faces
        if (piece := cards.get(face.id)) is not None
    ]
    return BoardReader(read_board_print(source), printed)


def board_of(deck: Deck) -> Board:
    """Returns the board of a deck of this game."""
    if deck.board is None:
        raise ValueError(f"expected a deck with a board, got {deck.game}")
    return deck.board


def cards_of(deck: Deck) -> tuple[Card, ...]:
    """Returns the cards and chips of a deck of this game."""
    return tuple(piece for piece in deck.pieces if isinstance(piece, Card))


def _joins(piece: object) -> tuple[Joins, ...]:
    """What goes on beyond a card's edge, in each rotation: paths at sides, lawns at corners."""
    if not isinstance(piece, PathCard):
        return ()
    return tuple(_joins_of(face) for face in piece.faces)


def _joins_of(face: Face) -> Joins:
    north, east, south, west = ("path" if is_path else "lawn" for is_path in face.paths)
    nw, ne, se, sw = face.lawns
    return Joins((north, east, south, west), (nw, ne, se, sw))


def _sameness(piece: object) -> tuple[str, str, str, str] | None:
    """What a card means in each rotation: its paths and lawns; a pond is a pond however it lies."""
    if isinstance(piece, PathCard):
        north, east, south, west = (repr((face.paths, face.lawns)) for face in piece.faces)
        return north, east, south, west
    return ("pond", "pond", "pond", "pond") if isinstance(piece, CardBack) else None


def _seen(reading: BoardReading) -> list[Json]:
    spaces = [_seen_card(space) for space in reading.spaces if space.state is SpaceState.COVERED]
    return [*spaces, *(_seen_chip(chip) for chip in reading.chips)]


def _seen_card(space: SpaceReading) -> Json:
    return format_seen(space) | {"rotation": space.rotation, "row": space.row, "col": space.col}


def _seen_chip(chip: ChipReading) -> Json:
    return {
        "id": chip.face_id,
        "kind": "chip",
        "score": round(chip.score, 3),
        "quad": format_quad(chip.quad_px),
        "row": chip.row,
        "col": chip.col,
        "quarter": chip.quarter,
    }
