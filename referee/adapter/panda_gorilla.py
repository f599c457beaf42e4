"""A board that was seen becomes a table of Panda, Gorilla & Co: this knows both sides.

The order in which the cards were laid cannot be seen on a still. They are put into an order in
which they may well have been laid, and only those rules are reported broken that need no order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from referee.adapter.answers import Json, format_doubt
from referee.games.panda_gorilla.model import (
    Board,
    Card,
    Chip,
    PathCard,
    Proposal,
    Rule,
    Space,
    Tile,
)
from referee.games.panda_gorilla.position import format_position, format_ruling
from referee.games.panda_gorilla.scoring import rule_table
from referee.games.panda_gorilla.table import TablePosition
from vision.table import BoardReading, ChipReading, ObscureReading, SpaceReading, SpaceState

NEED_NO_ORDER = frozenset({Rule.PATH, Rule.COLOUR, Rule.OCCUPIED, Rule.CHIP_COLOUR})
"""Whether a card was laid beside another, or a chip was the second of its size, is a matter of
what lay there before."""

_MOST_AT_ODDS = 12
"""Breaches up to which it is sought which cards cause them: each search judges every card."""
_BESIDE = ((-1, 0), (0, 1), (1, 0), (0, -1))


def judge_board(
    reading: BoardReading, board: Board, cards: Sequence[Card], *, is_final: bool = False
) -> Json:
    """Answers about a still board like `judge`, with the position and the doubts beside it.

    Args:
        reading: The board.
        board: The deck's board.
        cards: The deck's cards.
        is_final: Whether the game is over.
    """
    by_id = {card.id: card for card in cards}
    tiles = plausible_order(_tiles(reading, by_id), board)
    # Nothing can lie on the entrance: what is taken for a card there carries no chip.
    face_up = {tile.space for tile in tiles if tile.card is not None} - set(board.entrance)
    proposals = _proposals(reading, by_id, face_up)
    position = TablePosition(board, tiles, proposals, is_final=is_final)
    answer = format_ruling(rule_table(position))
    answer["illegal"] = [each for each in answer["illegal"] if Rule(each["rule"]) in NEED_NO_ORDER]
    answer["position"] = format_position(position)
    answer["doubts"] = list(_doubts(reading, board, by_id, face_up))
    return answer


def _tiles(reading: BoardReading, by_id: Mapping[str, Card]) -> list[Tile]:
    covered = (space for space in reading.spaces if space.state is SpaceState.COVERED)
    return [tile_of(space, by_id) for space in covered]


def tile_of(space: SpaceReading, by_id: Mapping[str, Card]) -> Tile:
    """The tile that was read on a space: a path card, or else a pond."""
    place, card = Space(space.row, space.col), by_id.get(str(space.face_id))
    return Tile(place, card, space.rotation) if isinstance(card, PathCard) else Tile(place, None)


def proposal_of(chip: ChipReading, by_id: Mapping[str, Card]) -> Proposal | None:
    """What a chip that was read proposes; None where the deck knows no such chip."""
    card = by_id.get(chip.face_id)
    if not isinstance(card, Chip):
        return None
    return Proposal(Space(chip.row, chip.col), chip.quarter, card.player, card.size)


def plausible_order(tiles: Sequence[Tile], board: Board) -> tuple[Tile, ...]:
    """The tiles as they may have been laid: from the signs outwards, what is at odds last."""
    last: list[Tile] = []
    rest = _outwards(tiles, board)
    count = _breaches(rest, board)
    # Where so much is at odds cards were misread, and no order is more plausible than another.
    while 0 < count <= _MOST_AT_ODDS:
        fewer = [(_breaches([t for t in rest if t is not tile], board), tile) for tile in rest]
        least = min(number for number, _ in fewer)
        if least >= count:
            break
        # Of several, the one laid furthest from the signs.
        culprit = next(tile for number, tile in reversed(fewer) if number == least)
        rest = [tile for tile in rest if tile is not culprit]
        last.insert(0, culprit)
        count = least
    return (*rest, *last)


def _breaches(tiles: Sequence[Tile], board: Board) -> int:
    ruling = rule_table(TablePosition(board, tuple(tiles)))
    return sum(breach.rule in (Rule.PATH, Rule.COLOUR) for breach in ruling.breaches)


def _outwards(tiles: Sequence[Tile], board: Board) -> list[Tile]:
    """Tiles in the order in which they are reached from the signs, ponds first."""
    face_up = {tile.space: tile for tile in tiles if tile.card is not None}
    reached: dict[Space, Tile] = {}
    starts = [space for space in board.signs if space in face_up]
    for start in (*starts, *sorted(face_up)):
        waiting = deque([start])
        while waiting:
            space = waiting.popleft()
            if space in reached or space not in face_up:
                continue
            reached[space] = face_up[space]
            waiting.extend(Space(space.row + down, space.col + right) for down, right in _BESIDE)
    return [*(tile for tile in tiles if tile.card is None), *reached.values()]


def _proposals(
    reading: BoardReading, by_id: Mapping[str, Card], face_up: set[Space]
) -> tuple[Proposal, ...]:
    proposals = (proposal_of(chip, by_id) for chip in reading.chips)
    return tuple(each for each in proposals if each is not None and each.space in face_up)


def _doubts(
    reading: BoardReading, board: Board, by_id: Mapping[str, Card], face_up: set[Space]
) -> Iterator[Json]:
    for space in reading.spaces:
        # Of the entrance nobody asks what lies on it.
        is_asked = Space(space.row, space.col) not in board.entrance
        if is_asked and space.state in (SpaceState.DOUBTFUL, SpaceState.UNSEEN):
            yield _space_doubt(space)
    for chip in reading.chips:
        words = _chip_words(chip, by_id, face_up)
        if words:
            where = f"{chip.face_id} on row {chip.row}, column {chip.col}"
            yield _chip_doubt(chip, f"{where}: {words}")
    for each in reading.obscure:
        if Space(each.row, each.col) in face_up:
            where = f"row {each.row}, column {each.col}"
            yield _chip_doubt(each, f"{where}: a chip may lie unread on {each.quarter}")


def _chip_doubt(chip: ChipReading | ObscureReading, text: str) -> Json:
    doubt = format_doubt("chip", chip.score, chip.quad_px, text)
    return doubt | {"row": chip.row, "col": chip.col, "quarter": chip.quarter}


def _space_doubt(space: SpaceReading) -> Json:
    if space.state is SpaceState.UNSEEN:
        kind, text = "space", f"row {space.row}, column {space.col} was not seen"
    else:
        kind, text = "path", f"row {space.row}, column {space.col}: {space.either}"
    doubt = format_doubt(kind, space.score, space.quad_px, text)
    return doubt | {"row": space.row, "col": space.col}


def _chip_words(chip: ChipReading, by_id: Mapping[str, Card], face_up: set[Space]) -> str:
    if Space(chip.row, chip.col) not in face_up:
        return "expected a face-up card beneath it, none was read there"
    if chip.runner_up is not None:
        return f"it may be {chip.runner_up}"
    if chip.is_between:
        return f"it lies at the border of the quarter {chip.quarter}"
    return ""
