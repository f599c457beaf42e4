"""The edge of a shadow across a space: where it lies, and how dark it is on either side.

A smooth surface takes up a lamp's falling off and the soft edge of a shadow, but where a sharp one
crosses a card, half of it is unlike every card, and of sand it makes lawn and path. Such an edge is
all but straight over one space. So every face is tried with every straight edge, each side with a
light of its own; what agrees best says where the edge is, and the space is read anew without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.board_fit import FloatArray
from vision.board_looks import FINE_PX
from vision.board_sight import Sight
from vision.board_spaces import FINE_SIDE, SpaceReader, corner_px
from vision.board_view import FlatBoard
from vision.board_windows import cut_window

_BLOCK_PX, _SIDE = 3, 19
"""Edges are sought in means of so many pixels squared, so many along a card, and as the card lies
one such block to each side: cards lie up to 3 mm off."""
_WIDE = list(
    product(range(0, 180, 15), (-0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4), (0.06, 0.3))
)
_FINER_TURNS_DEG = (-10.0, -6.0, -3.0, 0.0, 3.0, 6.0, 10.0)
_FINER_AWAYS = (-0.08, -0.06, -0.04, -0.02, 0.0, 0.02, 0.04, 0.06, 0.08)
_FINER_WIDTHS = (0.03, 0.08, 0.15, 0.25, 0.4)
"""Where an edge is tried, first widely, then exactly."""
_GAIN_PRIOR = 0.02
"""How much a light of one is believed on either side, against all that is seen."""
_LEAST_GAIN, _MOST_GAIN, _LEAST_STEP = 0.2, 2.5, 1.25
"""How bright either side may be, and how many times as bright as the other it is at least: less is
taken up by the slopes of a card's light."""
_LEFT = 0.85
"""An edge leaves less than this share of the error that the best face leaves in even light."""
_REACH = 0.6
"""How far from a space's middle, in spaces, its card may lie."""
_TINY = 1e-6

Edge = tuple[float, float, float]
"""Whither the second side lies, 0 to the east, 90 to the south, how far from the space's middle the
edge passes to that side, and over what length its light changes, both in spaces."""


@dataclass(frozen=True, slots=True, eq=False)
class ShadeEdge:
    """A straight edge across a space between two lights.

    Attributes:
        middle: About the space's middle, in spaces.
        turn_deg: Whither its second side lies: 0 to the east, 90 to the south.
        away: How far it passes from there to that side, in spaces.
        width: How soft it is, in spaces.
        gains: (2, 3) how bright each side is against its print, a colour.
    """

    middle: tuple[float, float]
    turn_deg: float
    away: float
    width: float
    gains: FloatArray

    def light_at(self, places: NDArray[np.float64]) -> FloatArray:
        """(..., 3) how bright the print is seen at places (..., 2) in spaces."""
        share = _shares(places - np.array(self.middle), (self.turn_deg, self.away, self.width))
        first, second = self.gains
        return np.asarray(first + (second - first) * share[..., None], np.float32)

    def taken_from(self, sight: Sight) -> Sight:
        """The same sight, the space that it crosses as bright as its print."""
        return replace(
            sight,
            near_light=self._evened(sight.near_light, sight.near),
            light=self._evened(sight.light, sight.flat),
        )

    def _evened(self, light: FloatArray, flat: FlatBoard) -> FloatArray:
        corners = np.add(self.middle, [[-_REACH, -_REACH], [_REACH, _REACH]])
        low, high = np.clip(np.round(flat.pixel_of(corners)).astype(int), 0, light.shape[1::-1])
        x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]))
        evened = light.copy()
        part = evened[low[1] : high[1], low[0] : high[0]]
        part /= self.light_at(flat.place_of(np.stack([x, y], axis=2)))
        return evened


class ShadeReader:
    """Finds the edges of shadows on spaces of one board."""

    def __init__(self, spaces: SpaceReader) -> None:
        self._spaces = spaces

    @cached_property
    def _faces(self) -> FloatArray:
        """(K, 3, M) all faces as means of blocks."""
        faces = self._spaces.fine.pixels.reshape(-1, 3, FINE_SIDE, FINE_SIDE)
        return _blocks(faces).reshape(len(faces), 3, -1)

    def find(self, sight: Sight, free: FloatArray, space: tuple[int, int]) -> ShadeEdge | None:
        """The edge of a shadow that crosses a space, or None where none does.

        Args:
            sight: The board.
            free: (H, W) how much each pixel of its flat picture counts.
            space: Row and column.
        """
        printed = _blocks(self._spaces.print_at(space)).reshape(1, 3, -1)
        fits = [
            _fit(window, np.concatenate([self._faces, printed]), _WIDE)
            for window in _windows(sight, free, space)
        ]
        best = min(fits, key=lambda fit: fit.left)
        if best.left > _LEFT * min(fit.even for fit in fits):
            return None
        best = _fit(best.window, best.face, _nearer(best.edge))
        gains = _gains(best)
        step = gains.max(axis=0) / gains.min(axis=0)
        if step.min() < _LEAST_STEP or gains.min() < _LEAST_GAIN or gains.max() > _MOST_GAIN:
            return None
        return ShadeEdge(best.window.middle, *best.edge, gains)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """A square of a board in blocks.

    Attributes:
        middle: Its middle, in spaces.
        seen: (3, M) what is seen.
        counts: (M,) how much each block counts.
    """

    middle: tuple[float, float]
    seen: FloatArray
    counts: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """The face (1, 3, M) and the edge that agree best with a window.

    Attributes:
        window: The window.
        face: The face.
        edge: Its turn, how far from the middle it passes, and its width.
        left: The squared error that is left.
        even: The least one that any face leaves without an edge.
    """

    window: _Window
    face: FloatArray
    edge: Edge
    left: float
    even: float


def _windows(sight: Sight, free: FloatArray, space: tuple[int, int]) -> Iterator[_Window]:
    """A space as its card may lie, a block off to each side."""
    corner = corner_px(sight.flat, space) - _BLOCK_PX
    side = _BLOCK_PX * (_SIDE + 2)
    seen = _blocks(cut_window(sight.light, corner, side))
    counts = _blocks(cut_window(free[..., None], corner, side))
    for down in range(3):
        for right in range(3):
            part = (slice(None), slice(down, down + _SIDE), slice(right, right + _SIDE))
            first = corner + np.array([right, down]) * _BLOCK_PX
            x, y = sight.flat.place_of(first[None] + (_BLOCK_PX * _SIDE - 1) / 2)[0]
            yield _Window((float(x), float(y)), seen[part].reshape(3, -1), counts[part].ravel())


def _fit(window: _Window, faces: FloatArray, edges: Sequence[Edge]) -> _Fit:
    """Which of some faces (K, 3, M) and edges agree best: each side has one light of its own."""
    second = _masks(edges)
    own = (faces * faces).sum(axis=1) * window.counts
    cross = (faces * window.seen).sum(axis=1) * window.counts
    square = float((window.seen**2).sum(axis=0) @ window.counts)
    prior = _GAIN_PRIOR * own.sum(axis=1, keepdims=True)
    both = own @ (second * (1 - second)).T
    latter = own @ (second * second).T
    former = own.sum(axis=1, keepdims=True) - 2 * both - latter + prior
    latter = latter + prior
    right = cross @ second.T + prior
    left = cross.sum(axis=1, keepdims=True) + 2 * prior - right
    told = latter * left**2 - 2 * both * left * right + former * right**2
    errors = square + 2 * prior - told / np.maximum(former * latter - both**2, _TINY)
    alone = (
        square
        + prior
        - (cross.sum(axis=1, keepdims=True) + prior) ** 2
        / (own.sum(axis=1, keepdims=True) + prior + _TINY)
    )
    face, edge = divmod(int(errors.argmin()), len(edges))
    return _Fit(
        window, faces[face : face + 1], edges[edge], float(errors.min()), float(alone.min())
    )


def _gains(fit: _Fit) -> FloatArray:
    """(2, 3) how bright each side of a fitted edge is, a colour."""
    second = _masks([fit.edge])[0]
    sides = np.stack([1 - second, second])
    gains = []
    for seen, face in zip(fit.window.seen, fit.face[0], strict=True):
        columns = sides * face
        weighted = columns * fit.window.counts
        prior = _GAIN_PRIOR * float((face * face) @ fit.window.counts)
        normal = weighted @ columns.T + prior * np.eye(2)
        gains.append(np.linalg.solve(normal, weighted @ seen + prior))
    return np.asarray(np.stack(gains, axis=1), np.float32)


def _nearer(edge: Edge) -> list[Edge]:
    """Edges around one."""
    turn, away, _ = edge
    return list(
        product(
            [turn + more for more in _FINER_TURNS_DEG],
            [away + more for more in _FINER_AWAYS],
            _FINER_WIDTHS,
        )
    )


def _masks(edges: Sequence[Edge]) -> FloatArray:
    """(E, M) how far each block of a space lies beyond edges."""
    along = (np.arange(_SIDE) - (_SIDE - 1) / 2) * _BLOCK_PX / FINE_PX
    places = np.stack(np.meshgrid(along, along), axis=2)
    return np.stack([_shares(places, edge).ravel() for edge in edges]).astype(np.float32)


def _shares(away: NDArray[np.float64], edge: Edge) -> NDArray[np.float64]:
    """(...,) how far places (..., 2), from the middle in spaces, lie beyond an edge, 0 to 1."""
    turn, off, width = edge
    along = away[..., 0] * np.cos(np.deg2rad(turn)) + away[..., 1] * np.sin(np.deg2rad(turn))
    return np.asarray(np.clip(0.5 + (along - off) / width, 0, 1))


def _blocks(pictures: FloatArray) -> FloatArray:
    """(..., N, N) means of blocks of square pictures (..., S, S); what is over is left out."""
    count = pictures.shape[-1] // _BLOCK_PX
    whole = pictures[..., : count * _BLOCK_PX, : count * _BLOCK_PX]
    shape = (*pictures.shape[:-2], count, _BLOCK_PX, count, _BLOCK_PX)
    return np.asarray(whole.reshape(shape).mean(axis=(-3, -1)), np.float32)
