"""Which animals move into an area, and where they lie (Scoring; P19 to P23, P28).

Large animals move in first, then medium, then small, and whoever places a later one may move the
earlier: so the result is the lexicographic maximum of (large, medium, small) over all placements.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
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
    large = supply.large if _LARGE in sizes else 0
    medium = supply.medium if _MEDIUM in sizes else 0
    small = supply.small if _SMALL in sizes else 0
    grid = BitGrid(region)
    search = Search(grid)
    clusters, pieces = _grow(grid, search, large, medium)
    if small:
        pieces = _fill(grid, search, clusters, pieces, small)
    animals = tuple([_animal(*place) for place in grid.places(pieces)])
    larges, mediums = _count(clusters)
    return Packing(animals, Counts(larges, mediums, len(pieces) - larges - mediums))


_LARGE, _MEDIUM, _SMALL = Size

# In fewer quarters the search is done before a sharper bound is found.
_WORTH_PAIRING = 48


@lru_cache(maxsize=4096)
def _animal(minus_size: int, row: int, col: int, height: int, breadth: int) -> Animal:
    """Returns the animal that lies there; areas of a board share the few that are possible."""
    size = {-6: _LARGE, -4: _MEDIUM, -2: _SMALL}[minus_size]
    rows, cols = range(row, row + height), range(col, col + breadth)
    return Animal(size, tuple([Quarter(south, east) for south in rows for east in cols]))


def _count(clusters: list[Cluster]) -> tuple[int, int]:
    """Returns how many large and medium animals clusters have."""
    larges = mediums = 0
    for _, large, medium in clusters:
        larges += large
        mediums += medium
    return larges, mediums


def _grow(grid: BitGrid, search: Search, large: int, medium: int) -> tuple[list[Cluster], Pieces]:
    """Places large, then medium animals: cluster by cluster, or in all where supply is short."""
    if not (large or medium):
        return [], []
    clusters, pieces = [], Pieces()
    for squares in grid.clusters():
        cluster, found = _grow_cluster(grid, search, squares, large, medium)
        clusters.append(cluster)
        pieces += found
    larges, mediums = _count(clusters)
    if larges > large or mediums > medium:
        cluster, pieces = _grow_cluster(grid, search, grid.square, large, medium)
        clusters = [cluster]
    return clusters, pieces


def _grow_cluster(
    grid: BitGrid, search: Search, squares: int, large: int, medium: int
) -> tuple[Cluster, Pieces]:
    cells = grid.covered(squares)
    if medium and not squares & squares - 1:
        return Cluster(cells, 0, 1), [cells]
    most = min(large, grid.larges(squares).bit_count() // 6)
    pieces, squares = grid.lay_large(squares, most)
    while len(pieces) < most:
        better = search.place(cells, len(pieces) + 1, 0)
        if better is None:
            break
        pieces = better
        squares = grid.squares(cells & ~sum(pieces))
    larges = len(pieces)
    most = min(medium, (cells.bit_count() - 6 * larges) // 4, grid.most_squares(cells) - larges)
    pieces += grid.lay_medium(squares, most)
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
    # In a cluster that is full to the last quarter no move makes room.
    clusters = [cluster for cluster in clusters if not cluster.is_full]
    kept = sum([cluster.cells for cluster in clusters])
    full = [piece for piece in pieces if not piece & kept]
    open_, settled = settle(grid, grid.free & ~sum(full), kept)
    pairs = pair(grid, open_ & ~sum(pieces))
    found, most = pieces + settled + pairs, len(pieces) + small
    if len(found) >= most:
        return found[:most]
    if not clusters or len(pairs) == grid.most_pairs(open_) - sum([c.pairs for c in clusters]):
        return found
    # Alone, a cluster has all animals that could move; what is not joined to it does no harm.
    for cells in grid.components(open_) if len(clusters) > 1 else (open_,):
        inside = [cluster for cluster in clusters if cluster.cells & cells]
        begun = [piece for piece in found if piece & cells]
        if inside and len(found) < most:
            better = _improve(grid, search, inside, cells, begun, most - len(found))
            found = [piece for piece in found if not piece & cells] + better
    return found


def _improve(
    grid: BitGrid, search: Search, clusters: list[Cluster], cells: int, found: Pieces, missing: int
) -> Pieces:
    """Moves what lies in a part of the region until up to so many more small animals fit."""
    larges, mediums = _count(clusters)
    laid, fixed = 3 * larges + 2 * mediums, larges + mediums
    most = min(len(found) + missing, fixed + grid.most_pairs(cells) - laid)
    if len(found) < most and cells.bit_count() > _WORTH_PAIRING:
        most = min(most, fixed + len(pair(grid, cells)) - laid)
    while len(found) < most:
        better = search.place_with_small(clusters, cells, len(found) - fixed + 1)
        if better is None:
            break
        found = better
    return found
