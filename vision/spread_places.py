"""Where cards are likely to lie on a table: beside others, in a row or across before it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_PITCH, _AHEAD = 1.05, 0.1
"""Widths from card to card in a row, and from a row to a card that lies across before it."""


def places_beside(quad_mm: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """The places (4, 2) to the right and left of a card, and across before it and behind it.

    Args:
        quad_mm: (4, 2) corners of the card on the table, from its face's top left.
    """
    right, down = quad_mm[1] - quad_mm[0], quad_mm[3] - quad_mm[0]
    for side in (1, -1):
        yield quad_mm + side * _PITCH * right
    middle = quad_mm.mean(axis=0)
    wide, high = np.linalg.norm(right), np.linalg.norm(down)
    across, along = right / wide, down / high
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    turned = half[:, :1] * wide * along - half[:, 1:] * high * across
    away = high / 2 + wide / 2 + _AHEAD * wide
    for side in (-1, 1):
        for aside in (0.0, 0.5):
            yield turned + middle + side * away * along + aside * _PITCH * right
