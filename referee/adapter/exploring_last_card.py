"""The one card of a round that nobody can see, known because all others are seen.

Where five play and three cards are shared, the whole deck is on the table (Setup): a card under a
hand is then the only one of the deck that is not seen elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from referee.adapter.exploring_hidden import Places, under_hand
from referee.games.exploring_galapagos.model import SHARED_SIZE
from referee.games.exploring_galapagos.scoring import hand_size
from vision.table import PieceReading, Quad


def with_last_card(
    places: Places, faces: Collection[str], hands_px: Sequence[Quad]
) -> tuple[Places, str | None]:
    """Returns who holds what with the last card in its place, and its id where there is one.

    A card that is nowhere seen lies in the hand of whoever lacks one, if that player's locked-in
    card is seen; otherwise it could be that one.

    Args:
        places: The players' cards and the shared hand, as they were seen.
        faces: Ids of all cards of the deck.
        hands_px: Boxes of people's hands.
    """
    players, shared = places
    seen = [*shared, *(piece for player in players for piece in player.own)]
    left = set(faces) - {piece.face_id for piece in seen}
    wanted = hand_size(len(players))
    is_all_dealt = wanted * len(players) + SHARED_SIZE == len(faces)
    if len(left) != 1 or len(shared) != SHARED_SIZE or not is_all_dealt:
        return places, None
    (last,) = left
    nameless = sum(piece.face_id is None for piece in seen)
    lacking = [player for player in players if len(player.own) != wanted]
    if not lacking and nameless == 1:
        return _named(places, last), last
    if len(lacking) != 1 or len(lacking[0].own) != wanted - 1 or lacking[0].locked is None:
        return places, None
    if not hands_px or nameless:
        return places, None
    (player,) = lacking
    hidden = replace(under_hand(player.own, hands_px), face_id=last)
    added = replace(player, hand=(*player.hand, hidden))
    return (tuple(added if p is player else p for p in players), shared), last


def _named(places: Places, last: str) -> Places:
    """Returns the places with a name for the one card that has none."""
    players, shared = places

    def name(piece: PieceReading) -> PieceReading:
        return replace(piece, face_id=last) if piece.face_id is None else piece

    named = tuple(
        replace(
            player,
            hand=tuple(name(piece) for piece in player.hand),
            locked=None if player.locked is None else name(player.locked),
        )
        for player in players
    )
    return named, tuple(name(piece) for piece in shared)
