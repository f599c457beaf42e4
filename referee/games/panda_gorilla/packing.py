"""Which animals move into an area, and where they lie (Scoring; P19 to P23, P28).

Large animals move in first, then medium, then small, and whoever places a later one may move the
earlier: so the result is the lexicographic maximum of (large, medium, small) over all placements.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from referee.games.panda_gorilla.bitgrid import BitGrid
from referee.games.panda_gorilla.lattice import Quarter, Region
from referee.games.panda_gorilla.model import Size
from referee.games.panda_gorilla.packing_search import Cluster, Pieces, Search
from referee.games.panda_gorilla.pairing import pair, settle


@dataclass(frozen=True, slots=True)
class Counts:
    """A number of animals of each size."""

    large: int = 0
    medium: int = 0
    small: int = 0


Supply = Counts
"""The animals that lie beside the board."""

FULL_SUPPLY = Supply(large=17, medium=15, small=27)
"""All animals of the box (Components)."""


class Animal(NamedTuple):
    """An animal that has moved in; its quarters are in reading order."""

    size: Size
    quarters: tuple[Quarter, ...]


@dataclass(frozen=True, slots=True)
class Packing:
    """The animals of an area, by size and then in reading order, and how many they are."""

    animals: tuple[Animal, ...]
    counts: Counts


def pack(region: Region, sizes: Collection[Size], supply: Supply = FULL_SUPPLY) -> Packing:
    """Returns a packing that no other beats: most large, then most medium, then most small.

    Of several it is always the same one, wherever the area lies: animals are laid one by one along
    the area's narrower side, each where the first one fits; where more fit than that brings, it is
    the first better packing met in that order, lying animals tried before standing ones.

    Args:
        region: The area; it may be of several pieces.
        sizes: The sizes whose chip lies in the area; no other moves in.
        supply: How many animals of each size there are to move in.
    """
    grid = BitGrid(region)
    large, medium, small = (getattr(supply, size) if size in sizes else 0 for size in _ORDER)
    search = Search(grid)
    clusters, pieces = _grow(grid, search, large, medium)
    if small:
        pieces = _fill(grid, search, clusters, pieces, small)
    found = sorted([(-piece.bit_count(), grid.quarters(piece)) for piece in pieces])
    numbers = [number for number, _ in found]
    return Packing(
        tuple([Animal(_SIZE_OF[number], quarters) for number, quarters in found]),
        Counts(numbers.count(-6), numbers.count(-4), numbers.count(-2)),
    )


# In fewer quarters the search is done before a sharper bound is found.
_WORTH_PAIRING = 48

_ORDER = tuple(Size)
_SIZE_OF = {-6: Size.LARGE, -4: Size.MEDIUM, -2: Size.SMALL}


def _grow(grid: BitGrid, search: Search, large: int, medium: int) -> tuple[list[Cluster], Pieces]:
    """Places large, then medium animals: cluster by cluster, or in all where supply is short."""
    if not (large or medium):
        return [], []
    found = [_grow_cluster(grid, search, cells, large, medium) for cells in grid.clusters()]
    larges = sum(cluster.large for cluster, _ in found)
    mediums = sum(cluster.medium for cluster, _ in found)
    if larges > large or mediums > medium:
        found = [_grow_cluster(grid, search, grid.covered(grid.square), large, medium)]
    return [cluster for cluster, _ in found], [piece for _, pieces in found for piece in pieces]


def _grow_cluster(
    grid: BitGrid, search: Search, cells: int, large: int, medium: int
) -> tuple[Cluster, Pieces]:
    most = min(large, grid.larges(grid.squares(cells)).bit_count() // 6)
    pieces = search.lay_down(cells, most, 0)
    while len(pieces) < most:
        better = search.place(cells, len(pieces) + 1, 0)
        if better is None:
            break
        pieces = better
    larges = len(pieces)
    most = min(medium, (cells.bit_count() - 6 * larges) // 4, grid.most_squares(cells) - larges)
    pieces += search.lay_down(cells & ~sum(pieces), 0, most)
    while len(pieces) < larges + most:
        better = search.place(cells, larges, len(pieces) - larges + 1)
        if better is None:
            break
        pieces = better
    return Cluster(cells, larges, len(pieces) - larges), pieces


def _fill(
    grid: BitGrid, search: Search, clusters: list[Cluster], pieces: Pieces, small: int
) -> Pieces:
    """Places small animals beside the others, which may move within their clusters for it."""
    if not clusters:
        return pair(grid, grid.free)[:small]
    open_, settled = settle(grid, grid.free, sum(cluster.cells for cluster in clusters))
    parts, missing = [], small - len(settled)
    # Alone, a cluster has all animals that could move; what is not joined to it does no harm.
    for cells in grid.components(open_) if len(clusters) > 1 else (open_,):
        own = [piece for piece in pieces if piece & cells]
        pairs = pair(grid, cells & ~sum(own))
        missing -= len(pairs)
        parts.append((cells, own + pairs))
    found = settled
    for cells, begun in parts:
        better = begun
        if missing > 0:
            inside = [cluster for cluster in clusters if cluster.cells & cells]
            better = _improve(grid, search, inside, cells, begun, missing)
            missing -= len(better) - len(begun)
        found += better
    found.sort(key=int.bit_count, reverse=True)
    return found[: len(pieces) + small]


def _improve(
    grid: BitGrid, search: Search, clusters: list[Cluster], cells: int, found: Pieces, missing: int
) -> Pieces:
    """Moves what lies in a part of the region until up to so many more small animals fit."""
    laid = sum(cluster.pairs for cluster in clusters)
    fixed = sum(cluster.large + cluster.medium for cluster in clusters)
    most = min(len(found) + missing, fixed + grid.most_pairs(cells) - laid)
    if len(found) < most and cells.bit_count() > _WORTH_PAIRING:
        most = min(most, fixed + len(pair(grid, cells)) - laid)
    while len(found) < most:
        better = search.place_with_small(clusters, cells, len(found) - fixed + 1)
        if better is None:
            break
        found = better
    return found
