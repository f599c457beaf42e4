"""Small pictures of many faces, compared with small crops by a few products of matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.comparing import Crop, robust_energy
from vision.photometry import planes_of, pulled_gain

Floats = NDArray[np.float32]


class SmallPictures:
    """Small pictures of many faces.

    Args:
        pictures: (K, 3, N) colours from 0 to 1.
        opacity: (K, N), 0 outside a face's rounded corners.
    """

    def __init__(self, pictures: Floats, opacity: Floats) -> None:
        self._pictures = pictures
        self._opacity = opacity
        self._planes = np.ascontiguousarray(pictures.transpose(1, 0, 2))
        self._squares = self._planes**2
        evenly = np.full((1, pictures.shape[2]), 1 / pictures.shape[2], np.float32)
        self._in_full_view = self._variance(evenly)

    def quick_energies(self, crops: Sequence[Crop]) -> Floats:
        """(P, K) misfit of every face in P crops by plain least squares: rough, but nearly free.

        Args:
            crops: One or more, in one light.
        """
        colours = np.stack([planes_of(crop.colours) for crop in crops])
        weights = np.stack([crop.weight.ravel() for crop in crops])
        shares = weights / (weights.sum(axis=1, keepdims=True) + 1e-6)
        is_in_view = bool((weights == 1).all())
        variance = self._in_full_view if is_in_view else self._variance(shares)
        centred = colours - np.matmul(colours, shares[..., None])
        weighted = centred * shares[:, None]
        covariance = np.matmul(self._planes, weighted.transpose(1, 2, 0))
        shape = len(crops), len(self._pictures)
        flat = covariance.transpose(2, 1, 0).reshape(-1, 3)
        spread = np.broadcast_to(variance, covariance.shape).transpose(2, 1, 0).reshape(-1, 3)
        gain, strain = pulled_gain(spread, flat, crops[0].light)
        own = np.repeat((weighted * centred).sum(axis=2), shape[1], axis=0)
        left = own - 2 * gain * flat + gain**2 * spread
        return np.asarray((left.mean(axis=1) + strain).reshape(shape), np.float32)

    def careful_energies(
        self, rows: NDArray[np.intp], crops: Sequence[Crop], places: NDArray[np.intp]
    ) -> Floats:
        """(M,) misfit of some faces, tolerant of covered parts.

        Args:
            rows: (M,) the faces.
            crops: One or more, in one light.
            places: (M,) in which of the crops each of them lies.
        """
        planes = [planes_of(crop.colours) for crop in crops]
        colours = planes[0] if len(planes) == 1 else np.stack(planes)[places]
        weights = self._opacity[rows] * np.stack([crop.weight.ravel() for crop in crops])[places]
        return robust_energy(self._pictures[rows], colours, weights, crops[0].light)

    def _variance(self, shares: Floats) -> Floats:
        """(3, K, P) variance of every face's colours under P weightings (P, N)."""
        mean = self._planes @ shares.T
        return np.asarray(np.maximum(self._squares @ shares.T - mean**2, 0), np.float32)
