"""How the colours of faces look on a table, as cards near them tell, and where a crop agrees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

AGREES = 0.3
"""Agreement of a pixel from which it is taken for the face's."""
_OFF = 0.10
"""Distance of colours, of 1, at which a pixel still half agrees: print lies a little beside."""
_LEAST_FITTED_PX, _FITTED_PX = 200, 1000
_DARKER, _LIGHTER = 0.4, 2.2
"""Light on a card as a multiple of that on its neighbours: a hand casts a shadow."""
_LEAST_GAIN, _LEAST_AGREEING = 0.1, 0.6
"""A card of which less agrees with itself, or that hardly shows contrast, tells no light."""


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """How a picture shows colours: gains and offsets (3,) of blue, green and red."""

    gain: Floats
    offset: Floats

    def of(self, pictures: Floats) -> Floats:
        """Pictures (..., 3) as they look in it."""
        return np.asarray(pictures * self.gain + self.offset, np.float32)

    def is_like(self, other: Shade) -> bool:
        """Whether two cards that lie near each other may differ so: a hand casts a shadow."""
        gain = self.gain / other.gain
        return bool(gain.min() > _DARKER and gain.max() < _LIGHTER)


def shade_of(face: Floats, crop: Floats) -> Shade | None:
    """The shade in which a face (N, 3) looks like a crop (N, 3), or None where it never does."""
    step = max(1, len(face) // _FITTED_PX)
    one, other = np.ascontiguousarray(face[::step].T), np.ascontiguousarray(crop[::step].T)
    keep = np.ones(one.shape[1], np.float32)
    for _ in range(3):
        share = keep / keep.sum()
        mean, seen = one @ share, other @ share
        off_one, off_other = one - mean[:, None], other - seen[:, None]
        gain = ((off_one * off_other) @ share) / (off_one**2 @ share + 1e-3)
        off = np.abs(off_other - gain[:, None] * off_one).max(axis=0)
        keep = (off < max(2 * float(np.median(off)), _OFF / 2)).astype(np.float32)
    is_seen = float(gain.min()) > _LEAST_GAIN and float(keep.mean()) > _LEAST_AGREEING
    return Shade(gain, seen - gain * mean) if is_seen else None


def refined(shade: Shade, face: Floats, crop: Floats, weight: Floats) -> Shade:
    """A shade fitted to what agrees of a face (H, W, 3), as far as a card near it is like it."""
    best = shade
    for _ in range(2):
        agree = agreement(best.of(face)[None], crop)[0] * weight > AGREES
        better = shade_of(face[agree], crop[agree]) if agree.sum() > _LEAST_FITTED_PX else None
        if better is None or not better.is_like(shade):
            return best
        best = better
    return best


def agreement(faces: Floats, crop: Floats) -> Floats:
    """(K, H, W) from 1 where a face (K, H, W, 3) has the colour of a crop to 0 where it has not."""
    off = faces - crop
    return np.asarray(np.exp(np.einsum("khwc,khwc->khw", off, off) / (-6 * _OFF**2)), np.float32)


def correlation(face: Floats, crop: Floats, weight: Floats) -> float:
    """Of the colours of a face and a crop (H, W, 3), weighted by (H, W), -1 to 1."""
    share = (weight / (weight.sum() + 1e-6))[..., None]
    one, other = face - (face * share).sum(axis=(0, 1)), crop - (crop * share).sum(axis=(0, 1))
    both = float((one * other * share).sum())
    return both / float(np.sqrt((one**2 * share).sum() * (other**2 * share).sum()) + 1e-9)
