"""How much of a piece is seen where it lies at rest, frame by frame.

Pixels with structure are compared with those of the piece at rest, all together and part by part.
A part that a hand leaves in view shows the piece exactly in its place; while the piece slides, its
edges are a little off nearly everywhere, and hardly any part fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.ring import PastPatch
from vision.sliding import MIN_PIXELS, MIN_STRUCTURE, slopes

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

TOLERANCE_LEVELS = 7.0
_NOISE_FACTOR = 3.5
HOLD_S = 0.1
"""A pixel counts as at rest when it keeps its look for this long: what moves past does not."""
_EVEN = 0.2
"""Contrast, as a part of the piece's, up to which a place is even: a bare table top had 0.08."""
_PARTS_ACROSS = 7
_PART_PIXELS = 8
"""Telling pixels that a part must have."""
_PART_FITS = 0.9
_PART_VARIES, _PART_LIKE = 6.0, 0.9
"""Contrast of a part that tells, in brightness steps, and how it must correlate with it at rest."""
_SHADED = 0.35, 1.1
"""Brightness and contrast of a part in the shadow of an arm, as multiples of those at rest."""


class RestView:
    """A piece at rest held against the same patch of earlier frames.

    Args:
        past: The patch in consecutive frames; the last one shows the piece at rest.
        piece: `(h, w)` bool, the pixels that the piece covers.

    Attributes:
        tells: Whether the piece shows enough that looked different in the first patch.
    """

    def __init__(self, past: Sequence[PastPatch], piece: Mask) -> None:
        rest = past[-1]
        tolerance = max(TOLERANCE_LEVELS, _NOISE_FACTOR * _noise(past, piece))
        before = past[0].luma.astype(np.float32) * (rest.brightness / past[0].brightness)
        new = np.abs(rest.luma.astype(np.float32) - before) > 2 * tolerance
        telling = piece & structure(rest.luma) & new
        self.tells = np.count_nonzero(telling) >= MIN_PIXELS
        order, self._starts = _by_part(telling, int(np.count_nonzero(piece)))
        pixels = np.flatnonzero(telling)[order]
        reference = rest.luma.ravel()[pixels].astype(np.float32)
        self._reference = reference
        self._past, self._pixels = past, pixels
        self._alike = np.empty((len(past), reference.size), np.bool_)
        for position, patch in enumerate(past):
            values = patch.luma.ravel()[pixels].astype(np.float32)
            values *= np.float32(rest.brightness / patch.brightness)
            values -= reference
            np.less(np.abs(values, out=values), tolerance, out=self._alike[position])
        self._hold = _hold_frames(past)

    @cached_property
    def shares(self) -> Floats:
        """Share of the telling pixels that look as at rest, one a frame.

        Returns:
            Shares from 0 to 1 of pixels that look so in this frame and in those of the next tenth
            of a second.
        """
        kept = self._alike.copy()
        for ahead in range(1, self._hold):
            kept[:-ahead] &= self._alike[ahead:]
        shares: Floats = kept.mean(axis=1)
        return shares

    @cached_property
    def parts(self) -> Floats:
        """Share of the piece's parts that are seen in their place, one a frame, 0 to 1."""
        sizes = np.diff(np.append(self._starts, self._alike.shape[1]))
        fitting = np.add.reduceat(self._alike, self._starts, axis=1, dtype=np.int32)
        is_large = sizes >= _PART_PIXELS
        seen = (fitting >= _PART_FITS * sizes) & is_large
        parts: Floats = seen.sum(axis=1) / max(1, np.count_nonzero(is_large))
        return parts

    def shaded_parts(self, between: slice) -> Floats:
        """Share of the piece's parts that vary as at rest in some frames, one a frame, 0 to 1.

        An arm over a part throws its shadow on it: it is darker then, and of less contrast, but
        what is light and dark there stays.
        """
        sizes = np.diff(np.append(self._starts, self._pixels.size))

        def means(values: Floats) -> Floats:
            return np.add.reduceat(values, self._starts, axis=-1) / sizes

        rest = self._reference.astype(np.float64)
        some = self._past[between]
        now = np.array([patch.luma.ravel()[self._pixels] for patch in some], np.float64)
        level, levels = means(rest), means(now)
        varies, vary = means(rest**2) - level**2, means(now**2) - levels**2
        together = means(now * rest) - levels * level
        tells = (sizes >= _PART_PIXELS) & (varies > _PART_VARIES**2)
        is_like = together >= _PART_LIKE * np.sqrt(np.maximum(varies * vary, 0))
        least, most = _SHADED
        for share in (np.sqrt(np.maximum(vary, 0) / np.maximum(varies, 1)), levels / (level + 1)):
            is_like &= (share > least) & (share < most)
        parts: Floats = (is_like & tells).sum(axis=1) / max(1, np.count_nonzero(tells))
        return parts


def resemblance(then: PastPatch, now: PastPatch, piece: Mask) -> float:
    """Share of a piece's structured pixels that look now as they did then, 0 to 1.

    Args:
        then: The piece's patch at rest.
        now: The same patch in another frame.
        piece: `(h, w)` bool, the pixels that the piece covers.
    """
    telling = _telling_of(then, now, piece)
    if telling is None:
        return 0.0
    values = now.luma.ravel()[telling.pixels].astype(np.float32)
    values *= np.float32(then.brightness / now.brightness)
    alike = np.abs(values - telling.levels) < 2 * TOLERANCE_LEVELS
    return int(np.count_nonzero(alike)) / len(alike)


def correlation(then: PastPatch, now: PastPatch, piece: Mask) -> float:
    """How far a piece's structured pixels vary now as they did then, -1 to 1.

    What is even where the piece varied is like it in nothing, whatever its noise does.

    Args:
        then: The piece's patch at rest.
        now: The same patch in another frame.
        piece: `(h, w)` bool, the pixels that the piece covers.
    """
    telling = _telling_of(then, now, piece)
    if telling is None:
        return 0.0
    one, other = (patch.luma.ravel()[telling.pixels].astype(float) for patch in (then, now))
    one, other = one - one.mean(), other - other.mean()
    varied, varies = float(one @ one), float(other @ other)
    if varied == 0 or varies <= _EVEN**2 * varied:
        return 0.0
    return float(one @ other) / float(np.sqrt(varied * varies))


@dataclass(frozen=True, slots=True, eq=False)
class _Telling:
    """Structured pixels of a piece.

    Attributes:
        pixels: (N,) int, where they lie in the patch, row by row.
        levels: (N,) float32, their brightness at rest.
    """

    pixels: npt.NDArray[np.intp]
    levels: npt.NDArray[np.float32]


def _telling_of(then: PastPatch, now: PastPatch, piece: Mask) -> _Telling | None:
    """The pixels of a piece by which two patches are compared; None where nothing tells."""
    return _telling(then, piece.tobytes()) if then.luma.shape == now.luma.shape else None


@lru_cache(maxsize=256)
def _telling(then: PastPatch, piece: bytes) -> _Telling | None:
    """The pixels of a patch that is compared with many others; `piece` is the mask's bytes."""
    inside = np.frombuffer(piece, np.bool_).reshape(then.luma.shape)
    pixels = np.flatnonzero(inside & structure(then.luma))
    if len(pixels) < MIN_PIXELS:
        return None
    return _Telling(pixels, then.luma.ravel()[pixels].astype(np.float32))


def structure(luma: Image) -> Mask:
    """`(h, w)` bool, where a patch has slopes that tell one place from another."""
    slope_x, slope_y = slopes(cv2.GaussianBlur(luma, (0, 0), 0.8).astype(np.float32))
    return np.asarray(np.hypot(slope_x, slope_y) > MIN_STRUCTURE, np.bool_)


def _by_part(telling: Mask, piece_pixels: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Telling pixels in the order of the square parts they lie in, and where each part starts."""
    side = max(4, int(piece_pixels**0.5 / _PARTS_ACROSS))
    rows, cols = np.nonzero(telling)
    numbers = rows // side * (telling.shape[1] // side + 1) + cols // side
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    return order, starts


def _hold_frames(past: Sequence[PastPatch]) -> int:
    step_s = (past[-1].timestamp_s - past[0].timestamp_s) / max(1, len(past) - 1)
    return min(8, max(2, round(HOLD_S / step_s) + 1)) if step_s > 0 else 2


def _noise(past: Sequence[PastPatch], piece: Mask) -> float:
    """Median difference of the last frames: what changes where nothing moves."""
    if len(past) < 3:
        return 0.0
    last, before = past[-1].luma[piece], past[-2].luma[piece]
    return float(np.median(np.abs(last.astype(np.float32) - before.astype(np.float32)))) * 1.48
