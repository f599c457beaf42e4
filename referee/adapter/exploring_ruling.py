"""What the rules say of a round of Exploring Galapagos as it was seen, and why they cannot.

Points are told of cards that are all seen and named, never of what is left of them: who lacks a
card, or has one without a name, gets none, and nobody does where a shared card may be missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from referee.adapter.exploring_in_view import is_at_edge, lies_between, may_be_cut
from referee.adapter.exploring_seated import SeatedPlayer, Seating
from referee.errors import counted
from referee.fields import listed
from referee.games.exploring_galapagos.model import (
    MAX_PLAYERS,
    SHARED_SIZE,
    HabitatCard,
    PlayerCards,
    PlayerRuling,
    RoundPosition,
)
from referee.games.exploring_galapagos.scoring import hand_size, rule_round
from vision.table import PieceReading, Quad

_SMALL_HAND, _FEW_PLAYERS = 3, 3
"""Where so few players are seen, each with so few cards, others sit out of view: a hand of few
players is larger. One of the hands must be seen to end inside the picture."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """What lies on the table.

    Attributes:
        players: Whose cards are seen.
        shared: The row in the middle.
        size_px: Width and height of the picture.
        is_only_look: Whether no other look can show what this one does not.
        hands: How many hands are seen; more than there can be players are several tables.
        contested: Where cards lie that another, nearly as likely way to see the table gives to
            others.
    """

    players: Sequence[SeatedPlayer]
    shared: Sequence[PieceReading]
    size_px: tuple[int, int]
    is_only_look: bool
    hands: int
    contested: Collection[Quad] = ()

    def has_contested(self, cards: Sequence[PieceReading]) -> bool:
        """Returns whether some cards may lie elsewhere than they are taken to."""
        return any(piece.quad_px in self.contested for piece in cards)


@dataclass(frozen=True, slots=True)
class Ruled:
    """What can be said of a round.

    Attributes:
        rulings: By the players' names; None where nothing can be said.
        reasons: Why, by the players' names.
        doubts: What is not sure, in words.
    """

    rulings: Mapping[str, PlayerRuling | None]
    reasons: Mapping[str, str]
    doubts: Sequence[str]


def rule_seen(dealt: Dealt, by_id: Mapping[str, HabitatCard], seating: Seating) -> Ruled:
    """Returns what the rules say of those players whose cards are all known."""
    wanted, doubts = _wanted(dealt, seating)
    is_part = bool(doubts)
    reasons = {
        player.name: reason
        for player in dealt.players
        if (reason := _why_unruled(player, dealt, wanted))
    }
    doubts += [f"{name}: {reason}" for name, reason in reasons.items()]
    for_all = _why_nobody(dealt, wanted) or _who_is_missing(dealt, seating, is_part=is_part)
    if for_all:
        doubts.insert(0, f"{for_all}; nobody can be scored")
        reasons = {player.name: reasons.get(player.name, for_all) for player in dealt.players}
    known = [
        _player_cards(player, by_id, seating)
        for player in dealt.players
        if player.name not in reasons
    ]
    rulings: dict[str, PlayerRuling | None] = {player.name: None for player in dealt.players}
    if known:
        middle = tuple(by_id[str(piece.face_id)] for piece in dealt.shared)
        for ruling in rule_round(RoundPosition(tuple(known), middle, seating.rulings)):
            rulings[ruling.name] = ruling
    return Ruled(rulings, reasons, doubts)


def _wanted(dealt: Dealt, seating: Seating) -> tuple[int, list[str]]:
    """Returns how many cards each player owns, and what is odd about it."""
    players = dealt.players
    wanted = hand_size(max(seating.said, len(players), 2))
    is_small = all(len(player.own) == _SMALL_HAND for player in players)
    is_sure = any(not may_be_cut(player.hand, dealt.size_px, is_row=True) for player in players)
    is_cut = dealt.is_only_look and not seating.said and is_sure
    if not (is_cut and is_small and len(players) == _FEW_PLAYERS):
        return wanted, []
    return _SMALL_HAND, [
        f"each of the {_FEW_PLAYERS} players that are seen has {_SMALL_HAND} cards, as where more "
        "play: the cards of others are not in view"
    ]


def _why_nobody(dealt: Dealt, wanted: int) -> str:
    """Returns why nobody can be scored, whatever they hold; nothing where some can."""
    shared = dealt.shared
    if dealt.hands > MAX_PLAYERS:
        return f"cards of {dealt.hands} players are seen, expected at most {MAX_PLAYERS}"
    if any(piece.face_id is None for piece in shared):
        return "a card of the shared hand could not be named"
    if len(shared) > SHARED_SIZE:
        return f"{len(shared)} cards in the middle, expected at most {SHARED_SIZE}"
    if dealt.has_contested(shared) or _may_be_a_hand(dealt, wanted):
        return "cards taken for shared ones could also be a player's"
    if any(
        is_at_edge(player.locked, player.hand, dealt.size_px)
        for player in dealt.players
        if player.locked is not None
    ):
        return "a locked-in card lies at the edge of the picture, which may cut off others"
    return _why_not_all_shared(dealt, wanted) if len(shared) < SHARED_SIZE else ""


def _who_is_missing(dealt: Dealt, seating: Seating, *, is_part: bool) -> str:
    """Returns whose cards those in the middle may be, of whom none are seen, or nothing.

    Something may lie over the shared cards; they lie between those of players.
    """
    seen = {player.name for player in dealt.players}
    missing = [name for name in seating.seats if name not in seen]
    if len(dealt.shared) != SHARED_SIZE or not (missing or is_part):
        return ""
    if lies_between(dealt.shared[1], [player.own for player in dealt.players]):
        return ""
    if missing:
        return f"cards taken for shared ones could be those of {listed(missing)}, who has no others"
    return "cards taken for shared ones could be those of a player who is not seen"


def _why_not_all_shared(dealt: Dealt, wanted: int) -> str:
    """Returns why a shared hand of fewer cards than three may be one of more, or nothing."""
    if any(player.locked is None and len(player.own) == wanted for player in dealt.players):
        return "a shared card or a locked-in one is not seen"
    if may_be_cut(dealt.shared, dealt.size_px, is_row=len(dealt.shared) > 1):
        return "the shared hand may go on outside the picture"
    if len(dealt.players) == 1 or any(_may_be_shared(p, dealt, wanted) for p in dealt.players):
        return "not all cards of a round are seen, and shared ones may be among the others"
    return ""


def _may_be_a_hand(dealt: Dealt, wanted: int) -> bool:
    """Returns whether three shared cards at the edge of the picture may be what is left of a hand.

    The shared ones then are among the cards of a hand that does not seem whole, and nobody's lie
    beyond them.
    """
    is_at_rim = may_be_cut(dealt.shared, dealt.size_px, is_row=True)
    is_whole = all(
        len(player.own) == wanted and all(piece.face_id is not None for piece in player.own)
        for player in dealt.players
    )
    is_hand = is_at_rim and not is_whole and len(dealt.shared) == SHARED_SIZE
    return is_hand and not lies_between(dealt.shared[1], [p.own for p in dealt.players])


def _may_be_shared(player: SeatedPlayer, dealt: Dealt, wanted: int) -> bool:
    """Returns whether cards that nothing has cut off are too few for a hand, and none locked in."""
    is_short = player.locked is None and len(player.own) < wanted
    is_cut = may_be_cut(player.hand, dealt.size_px, is_row=True)
    return len(player.own) == 1 or (is_short and not is_cut)


def _why_unruled(player: SeatedPlayer, dealt: Dealt, wanted: int) -> str:
    """Returns why a player cannot be scored, or nothing."""
    unknown = sum(piece.face_id is None for piece in player.own)
    if unknown:
        return f"{unknown} of {len(player.own)} cards could not be named"
    if len(player.own) != wanted:
        return _counted(player, dealt, wanted)
    if dealt.has_contested(player.own):
        return "some of these cards could also be another player's"
    if player.is_elsewhere:
        return f"the cards taken for {player.name}'s do not lie at {player.side}"
    if player.locked is None and len(dealt.shared) != SHARED_SIZE:
        return (
            f"no locked-in card is seen, and {counted(len(dealt.shared), 'card')} in the middle; "
            f"expected one or the other of a locked-in card and {SHARED_SIZE} shared cards"
        )
    return ""


def _counted(player: SeatedPlayer, dealt: Dealt, wanted: int) -> str:
    is_cut = len(player.own) < wanted and may_be_cut(player.hand, dealt.size_px, is_row=True)
    rest = "; the rest may lie outside the picture" if is_cut else ""
    return f"{counted(len(player.own), 'card')} seen, expected {wanted}{rest}"


def _player_cards(
    player: SeatedPlayer, by_id: Mapping[str, HabitatCard], seating: Seating
) -> PlayerCards:
    return PlayerCards(
        player.name,
        tuple(by_id[str(piece.face_id)] for piece in player.hand),
        None if player.locked is None else by_id[str(player.locked.face_id)],
        seating.used.get(player.name, ()),
    )
