"""Cards and chips as they were laid, one after the other, and the rules that they broke.

What breaks a rule lies there all the same, except what was laid on something (contract, fine
print).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from referee.games.panda_gorilla.areas import grown_together
from referee.games.panda_gorilla.grounds import Grounds, quarter_at
from referee.games.panda_gorilla.model import (
    CHIPS_OF_A_SIZE,
    Board,
    Breach,
    Proposal,
    Rule,
    Rulings,
    Size,
    Space,
    Tile,
)
from referee.games.panda_gorilla.placing import breaches
from referee.games.panda_gorilla.table import TablePosition


def lay_all(position: TablePosition) -> tuple[Grounds, list[Breach]]:
    """Returns what lies there, and every breach: card by card, that of a card before its chips'."""
    grounds, laid = lay_tiles(position.board, position.tiles, position.rulings)
    return grounds, _with_chips(laid, _chip_breaches(grounds, position.proposals))


def lay_tiles(
    board: Board, tiles: Iterable[Tile], rulings: Rulings
) -> tuple[Grounds, list[tuple[int, Breach]]]:
    """Returns what lies there, and the breaches with the index of their tile."""
    grounds = Grounds(board, rulings)
    found: list[tuple[int, Breach]] = []
    for index, tile in enumerate(tiles):
        faults = breaches(grounds, tile)
        found += [(index, fault) for fault in faults]
        if all(fault.rule is not Rule.OCCUPIED for fault in faults):
            grounds.lay(tile, index)
    return grounds, found


def same_size_in_area(
    grounds: Grounds, proposal: Proposal, others: Iterable[Proposal], until: int | None = None
) -> Proposal | None:
    """Returns a chip of that size in the area of a chip, as it was after the tile `until` (P17)."""
    same = [other for other in others if other.size is proposal.size]
    if not same:
        return None
    area = grown_together(grounds, quarter_at(proposal.space, proposal.quarter), until)
    return next((each for each in same if quarter_at(each.space, each.quarter) in area), None)


def _chip_breaches(grounds: Grounds, proposals: Sequence[Proposal]) -> Iterator[tuple[int, Breach]]:
    """Yields what is wrong with chips, in the order in which their cards were laid."""
    by_space: defaultdict[Space, list[Proposal]] = defaultdict(list)
    for proposal in proposals:
        by_space[proposal.space].append(proposal)
    earlier: list[Proposal] = []
    used: Counter[tuple[str, Size]] = Counter()
    for space in sorted(by_space, key=grounds.order.__getitem__):
        index, faults = grounds.order[space], dict[Rule, str]()
        for number, proposal in enumerate(by_space[space]):
            used[proposal.player, proposal.size] += 1
            other = same_size_in_area(grounds, proposal, earlier, until=index)
            if other is not None:
                faults.setdefault(Rule.CHIP_SIZE, size_reason(proposal, other))
            if number > 0:
                faults.setdefault(Rule.CHIP_COLOUR, "one chip may be placed with a card")
            elif used[proposal.player, proposal.size] > CHIPS_OF_A_SIZE:
                faults.setdefault(Rule.CHIP_COLOUR, too_many_reason(proposal))
            earlier.append(proposal)
        for rule in (Rule.CHIP_SIZE, Rule.CHIP_COLOUR):
            if rule in faults:
                yield index, Breach(space, rule, faults[rule])


def size_reason(proposal: Proposal, other: Proposal) -> str:
    """Returns in words why a chip may not lie where another one of its size does."""
    return f"{other.player}'s {proposal.size} chip lies in the area already"


def too_many_reason(proposal: Proposal) -> str:
    """Returns in words why a player cannot have laid another chip of a size."""
    return f"{proposal.player} has only {CHIPS_OF_A_SIZE} {proposal.size} chips"


def _with_chips(
    laid: Iterable[tuple[int, Breach]], chips: Iterable[tuple[int, Breach]]
) -> list[Breach]:
    both = sorted([*laid, *chips], key=lambda indexed: indexed[0])  # stable: cards go first
    return [breach for _, breach in both]
