"""What a table comes to: complete areas, the animals that move in, points, winners.

`rule_table` is the one function that `judge`, the rules and a table being watched all ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from referee.games.panda_gorilla.areas import Area, find_areas, region_of
from referee.games.panda_gorilla.grounds import Grounds, quarter_at
from referee.games.panda_gorilla.lattice import Quarter
from referee.games.panda_gorilla.laying import lay_all
from referee.games.panda_gorilla.model import Proposal, Rulings, Size
from referee.games.panda_gorilla.packing import Counts, Packing, Supply, pack
from referee.games.panda_gorilla.placing import placements
from referee.games.panda_gorilla.table import AreaRuling, TablePosition, TableRuling

POINTS: Mapping[Size, int] = {Size.LARGE: 5, Size.MEDIUM: 3, Size.SMALL: 1}
"""What an animal brings (Action "Scoring")."""

QUARTERS_NEEDED: Mapping[Size, int] = {Size.LARGE: 6, Size.MEDIUM: 4, Size.SMALL: 2}
"""Quarters that an animal fills (How Much Space Does an Animal Need?)."""

NOT_SCORED = Packing((), Counts())


def rule_table(position: TablePosition) -> TableRuling:
    """Returns what the rules say about a table.

    Areas are scored in reading order, each with the supply that those before have left (P27, P33).
    """
    grounds, breaches = lay_all(position)
    supply, total, areas = position.supply, Counter[str](), []
    for area, proposals in areas_with_chips(find_areas(grounds), position.proposals):
        packing, points = NOT_SCORED, dict[str, int]()
        if proposals and (area.is_complete or position.is_final):
            packing = house_animals(grounds, area, proposals, supply)
            points = share_points(packing.counts, proposals, position.rulings)
            supply = supply_left(supply, packing.counts, position.rulings)
        total.update(points)
        areas.append(AreaRuling(area, proposals, packing, points))
    return TableRuling(
        areas=tuple(areas),
        breaches=tuple(breaches),
        placements=tuple(placements(grounds, position.offer)),
        points=dict(total),
    )


def areas_with_chips(
    areas: Sequence[Area], proposals: Sequence[Proposal]
) -> list[tuple[Area, tuple[Proposal, ...]]]:
    """Returns each area with the chips in it, both in the order given."""
    if not proposals:
        return [(area, ()) for area in areas]
    number_of: dict[Quarter, int] = {}
    for number, area in enumerate(areas):
        number_of.update(dict.fromkeys(area.quarters, number))
    chips: list[list[Proposal]] = [[] for _ in areas]
    for proposal in proposals:
        chips[number_of[quarter_at(proposal.space, proposal.quarter)]].append(proposal)
    return [(area, tuple(each)) for area, each in zip(areas, chips, strict=True)]


def house_animals(
    grounds: Grounds, area: Area, proposals: Collection[Proposal], supply: Supply
) -> Packing:
    """Returns the animals that move in: only those of sizes whose chip is there (P19, P20)."""
    if grounds.rulings.supply == "unlimited":
        most = {size: len(area.quarters) // QUARTERS_NEEDED[size] for size in Size}
        supply = Supply(most[Size.LARGE], most[Size.MEDIUM], most[Size.SMALL])
    return pack(region_of(grounds, area), {proposal.size for proposal in proposals}, supply)


def share_points(
    counts: Counts, proposals: Collection[Proposal], rulings: Rulings
) -> dict[str, int]:
    """Returns what each player with a chip in the area gets (Action "Scoring").

    Each player who proposed a size gets all of its points (P24), and gets them once, though two
    of the player's chips of that size have met there (P25).

    >>> from referee.games.panda_gorilla.model import Space
    >>> red, blue = (Proposal(Space(0, 0), "nw", who, Size.MEDIUM) for who in ("red", "blue"))
    >>> share_points(Counts(medium=2), [red, blue, red], Rulings())
    {'red': 6, 'blue': 6}
    """
    points: dict[str, int] = {}
    paid = set[tuple[str, Size]]()
    for proposal in proposals:
        player, size = proposal.player, proposal.size
        points.setdefault(player, 0)
        if (player, size) not in paid or rulings.same_player_twice == "each":
            points[player] += POINTS[size] * count_of(counts, size)
        paid.add((player, size))
    return points


def count_of(counts: Counts, size: Size) -> int:
    """Returns the number of animals of a size.

    >>> count_of(Counts(large=1, small=2), Size.SMALL)
    2
    """
    number: int = getattr(counts, size.value)
    return number


def supply_left(supply: Supply, counts: Counts, rulings: Rulings) -> Supply:
    """Returns the supply after animals have moved in (P28).

    >>> supply_left(Supply(17, 15, 27), Counts(large=1, small=2), Rulings())
    Counts(large=16, medium=15, small=25)
    """
    if rulings.supply == "unlimited":
        return supply
    return replace(
        supply,
        large=supply.large - counts.large,
        medium=supply.medium - counts.medium,
        small=supply.small - counts.small,
    )


def winners(points: Mapping[str, int]) -> tuple[str, ...]:
    """Returns who is furthest ahead; in a tie there are several winners (P34).

    >>> winners({"red": 12, "blue": 9, "green": 12})
    ('red', 'green')
    """
    most = max(points.values())
    return tuple(player for player, number in points.items() if number == most)
