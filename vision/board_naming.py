"""What of all that may lie on a space does, and how clearly: readings weighed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.board_fit import ERROR_CAP
from vision.board_looks import Lying

_CHIP_ASKS = 1.5
"""The bare board or a pond beneath a chip must agree that much better than a card."""
_TELLING = 0.3
"""A pixel tells two readings apart where their errors differ by this share of the cap."""
_FEW_PIXELS, _LEAST_ERROR = 30.0, 0.004
"""Either reading is granted the usual error of so many pixels: a handful decides nothing."""
_EXPLAINED_BELOW = 0.02
"""Squared error, summed over the colours, below which a pixel agrees."""

_BETTER = 6
"""So many readings at most are tried in place of the one that costs least."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The best reading of a space.

    Attributes:
        best: The reading.
        rivals: Those that mean something else, as in `SpaceLook`.
        errors: (M,) the squared errors that the best leaves.
        light: (2, 3) the gain and offset of each colour that it asks for.
        explained: Share of the pixels that agree with it.
    """

    best: Lying
    rivals: tuple[tuple[Lying, float], ...]
    errors: NDArray[np.float32]
    light: NDArray[np.float32]
    explained: float


def choose(
    lyings: Sequence[Lying],
    errors: NDArray[np.float32],
    lights: NDArray[np.float32],
    weights: NDArray[np.float32],
    *,
    is_chipped: bool,
    is_any_light: bool = False,
) -> Named:
    """The reading that costs least, and how hard each other one is to tell from it.

    Args:
        lyings: K readings of one space.
        errors: (K, M) the squared errors that each leaves.
        lights: (K, 2, 3) the gain and offset of each colour that it asks for.
        weights: (M,) how much each pixel counts.
        is_chipped: Whether a chip lies there.
        is_any_light: Whether the light that a reading asks for speaks neither for it nor against
            it: another one is then chosen that is less wrong than each where the two differ.
    """
    if is_chipped:
        lyings = [_where_chips_lie(lying) for lying in lyings]
    chosen = min(range(len(lyings)), key=lambda index: lyings[index].cost)
    rivals = _rivals(chosen, lyings, errors, weights)
    if is_any_light:
        better = [lyings.index(lying) for lying, margin in rivals if margin < 1]
        for other in better[:_BETTER]:
            others = _rivals(other, lyings, errors, weights)
            if others[0][1] > max(1.0, rivals[0][1]):
                chosen, rivals = other, others
    best, left = lyings[chosen], errors[chosen]
    return Named(
        best=best,
        rivals=rivals,
        errors=left,
        light=lights[chosen],
        explained=float((left < _EXPLAINED_BELOW) @ weights) / max(float(weights.sum()), 1e-3),
    )


def _rivals(
    chosen: int,
    lyings: Sequence[Lying],
    errors: NDArray[np.float32],
    weights: NDArray[np.float32],
) -> tuple[tuple[Lying, float], ...]:
    """Readings that mean something else than the chosen one, the hardest to tell from it first."""
    rivals = [
        (lying, _margin(errors[chosen], errors[index], weights))
        for index, lying in enumerate(lyings)
        if lying.sameness != lyings[chosen].sameness
    ]
    return tuple(sorted(rivals, key=lambda rival: rival[1]))


def _where_chips_lie(lying: Lying) -> Lying:
    """A reading of a space with a chip: chips are for cards that lie face up."""
    if lying.face is not None and lying.face.kind == "path":
        return lying
    return replace(lying, cost=lying.cost * _CHIP_ASKS)


def _margin(
    errors: NDArray[np.float32], others: NDArray[np.float32], weights: NDArray[np.float32]
) -> float:
    """How many times as wrong another reading is where the two differ; 1 if nothing tells."""
    first, second = np.minimum(errors, ERROR_CAP), np.minimum(others, ERROR_CAP)
    telling = weights * (np.abs(first - second) > _TELLING * ERROR_CAP)
    count = max(float(weights.sum()), 1e-3)
    even = _FEW_PIXELS * max(float(first @ weights) / count, _LEAST_ERROR)
    return float(((second * telling).sum() + even) / ((first * telling).sum() + even))
