"""Laying a reference exactly onto the picture: a homography by robust Gauss-Newton steps.

The reference's own gradients say how each pixel would change if the face lay a little elsewhere
(inverse compositional, Baker and Matthews), so they are worked out once for each call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.flatten import (
    Patch,
    Quad,
    apply_homography,
    flat_corners,
    flatten,
    homography,
    patch_around,
)
from vision.photometry import Light, fit_means, planes_of, robust_weight

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Level:
    """One stage of laying.

    Attributes:
        shrink: By how much the template is shrunk.
        steps: Most steps.
        freedom: Ways in which it may move: 2 for a push, 4 for size and turn also, 6 for an affine
            map, 8 for a homography.
    """

    shrink: int
    steps: int
    freedom: int


COARSE = (Level(4, 6, 2),)
"""From some 6 % beside the face to a pixel of the small picture: it is only pushed."""

FINE = (Level(2, 8, 8), Level(1, 3, 8))
"""From there to a tenth of a pixel."""

FINISH = (Level(1, 2, 8),)
"""From half a pixel to a tenth."""

PUSH = (Level(2, 5, 4), Level(1, 3, 4))
"""Pushed and turned only: the shape is known."""

_PRIOR = 2e-3
"""Pull towards no change, as a share of the mean curvature: holds what a covered card leaves
open."""

_STILL = 0.02
"""A step that moves no corner by more pixels than this is the last."""

_NEARLY_STILL = 0.3
"""Likewise, where laying is begun anew: of 13 faces that a second try laid better, all had moved by
0.5 and more in a last step of the first."""

_MOST_STEP = 0.1
"""No corner moves further in one step, as a share of the width."""

_ROOM = 0.35
"""How far beyond the quad the picture is at hand, as a share of its size: what is laid further away
is another piece."""

_WORSE = 1.15
_MISFIT_OUTSIDE = 0.02
"""What a pixel costs that is taken for covered: laying must not win by explaining less."""

_OUTLIER = 0.2
"""Colour distance at which a pixel counts a quarter. Thin outlines that do not lie on each other
yet differ by this much, and they are what shows the way: a finer limit would silence them."""

_PLAIN_MARGIN = 0.15
_PLAIN_STAGES = (
    (4, cv2.MOTION_AFFINE, 12, 0.4),
    (2, cv2.MOTION_HOMOGRAPHY, 10, 0.6),
    (1, cv2.MOTION_HOMOGRAPHY, 5, -1.0),
)
"""Shrinking, freedom and most steps of the quick way of laying, and the correlation below which a
stage is the last: of 406 faces that were named so, none was below 0.50 and 0.66."""

DETAIL_PX = 6.0
"""Fine detail is smaller than this, as a standard deviation in canonical pixels."""
_LEAST_DETAIL = 0.03
"""Detail of noise, in brightness of 1, that is not made stronger."""

_GREY = np.full(3, 1 / 3, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """What is laid onto the picture.

    Attributes:
        picture: (H, W, 3) float32 colours from 0 to 1.
        weight: (H, W) float32, 0 where the face is cut away or known to be covered.
        light: White balance that is expected.
    """

    picture: Floats
    weight: Floats
    light: Light


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Where a template was laid.

    Attributes:
        quad: (4, 2) float32 corners, from the face's top left.
        is_still: Whether the last steps hardly moved it: laying it once more changes nothing.
    """

    quad: Quad
    is_still: bool


def align(
    image: NDArray[np.uint8], quad: Quad, template: Template, levels: Sequence[Level]
) -> Quad:
    """The quad that lays the template best onto the picture; the arguments are those of `lay`."""
    return lay(image, quad, template, levels).quad


def lay(
    image: NDArray[np.uint8], quad: Quad, template: Template, levels: Sequence[Level]
) -> Alignment:
    """Lays a template as well as can be onto the picture, near the given quad.

    Args:
        image: (H, W, 3) uint8 BGR.
        quad: (4, 2) corners, from the face's top left.
        template: The face.
        levels: The stages to go through; with none it stays where it is.
    """
    height, width = template.picture.shape[:2]
    shifts = []
    for level in levels:
        size_wh = (width // level.shrink, height // level.shrink)
        quad, shift = _align_level(image, quad, _resized(template, size_wh), level)
        shifts.append(shift)
    return Alignment(quad, max(shifts, default=0.0) < _NEARLY_STILL)


def align_plain(
    image: NDArray[np.uint8], quad: Quad, template: Template, *, is_evened: bool = False
) -> tuple[Quad, float]:
    """Lays a face that nothing covers: by correlation of brightness alone, in a few milliseconds.

    Enhanced correlation coefficient (Evangelidis and Psarakis), first as an affine map on a
    small picture, then as a homography.

    Args:
        image: (H, W, 3) uint8 BGR.
        quad: (4, 2) corners, from the face's top left, within some 8 % of their place.
        template: The face.
        is_evened: Whether only fine detail is compared (`even_out`): in hard light.

    Returns:
        The quad, and the correlation that it reached, -1 to 1; the quad as given and -1 where
        no place was found.
    """
    height, width = template.picture.shape[:2]
    grey = np.asarray(template.picture @ _GREY, np.float32)
    seen = flatten(image, quad, (width, height), margin=_PLAIN_MARGIN).astype(np.float32)
    scene = np.asarray(seen @ (_GREY / 255), np.float32)
    if is_evened:
        grey, scene = even_out(grey), even_out(scene)
    shift = (scene.shape[1] - width) / 2, (scene.shape[0] - height) / 2
    warp = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]], np.float32)
    correlation = -1.0
    try:
        for shrink, motion, steps, least in _PLAIN_STAGES:
            small = _shrunk(grey, shrink), _shrunk(scene, shrink)
            start = _rescaled(warp, 1 / shrink)
            used = start if motion == cv2.MOTION_HOMOGRAPHY else start[:2]
            criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, steps, 1e-3)
            everywhere = np.full(small[1].shape, 255, np.uint8)
            correlation, found = cv2.findTransformECC(*small, used, motion, criteria, everywhere, 3)
            if correlation < least and not is_evened:
                return quad, -1.0
            full = np.eye(3, dtype=np.float32)
            full[: len(found)] = found
            warp = _rescaled(full, shrink)
    except cv2.error:  # it says so when the pictures have nothing in common
        return quad, -1.0
    placed = apply_homography(warp.astype(np.float64), flat_corners((width, height)))
    padded = flat_corners((width, height)) + np.array(shift, np.float32)
    laid = apply_homography(homography(padded, quad), placed)
    return laid, float(correlation)


def even_out(picture: Floats, largest_px: float = DETAIL_PX) -> Floats:
    """(H, W) or (H, W, 3) what changes over a few pixels, equally strong everywhere.

    A lamp's reflection, or the edge of a shadow, leaves it nearly as it is.

    Args:
        picture: (H, W) or (H, W, 3) float32 from 0 to 1.
        largest_px: What is larger than this (standard deviation) is left to the light.
    """
    detail = picture - cv2.GaussianBlur(picture, (0, 0), largest_px)
    power = detail**2 if detail.ndim == 2 else (detail**2).mean(axis=2)
    strength = np.sqrt(cv2.GaussianBlur(power, (0, 0), 2 * largest_px)) + _LEAST_DETAIL
    return np.asarray(detail / (strength if detail.ndim == 2 else strength[..., None]), np.float32)


def _shrunk(picture: Floats, shrink: int) -> Floats:
    if shrink == 1:
        return picture
    size_wh = picture.shape[1] // shrink, picture.shape[0] // shrink
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.float32)


def _rescaled(warp: Floats, factor: float) -> Floats:
    """(3, 3) the same map between pictures of another size."""
    scale = np.array([factor, factor, 1.0])
    return np.asarray(warp * scale[:, None] / scale, np.float32)


def _resized(template: Template, size_wh: tuple[int, int]) -> Template:
    if size_wh == (template.picture.shape[1], template.picture.shape[0]):
        return template
    return Template(
        cv2.resize(template.picture, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32),
        cv2.resize(template.weight, size_wh, interpolation=cv2.INTER_AREA).astype(np.float32),
        template.light,
    )


def _align_level(
    image: NDArray[np.uint8], quad: Quad, template: Template, level: Level
) -> tuple[Quad, float]:
    """The quad after one stage, and by how many pixels its last step moved a corner."""
    height, width = template.picture.shape[:2]
    comparer = _Comparer(template)
    jacobian = _jacobian(template.picture, level.freedom)
    corners = flat_corners((width, height))
    patch = patch_around(image, quad, (width, height), _ROOM)
    best_quad, least, shift = quad, np.inf, 0.0
    for _ in range(level.steps):
        left = comparer.compare(patch, quad)
        if left.misfit < least:
            best_quad, least = quad, left.misfit
        elif left.misfit > _WORSE * least:
            break
        moved = apply_homography(_warp(_solve(jacobian, left), (width, height)), corners)
        shift = float(np.abs(moved - corners).max())
        most = _MOST_STEP * width
        if shift > most:
            moved = corners + (moved - corners) * np.float32(most / shift)
        # The reference moves onto the crop; the quad follows the other way round.
        back = np.linalg.inv(homography(corners, moved.astype(np.float32)))
        quad = apply_homography(homography(corners, quad) @ back, corners)
        if shift < _STILL:
            return quad, shift
    return (quad if comparer.compare(patch, quad).misfit < least else best_quad), shift


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """What a template leaves unexplained in one place.

    Attributes:
        residual: (N,) float32 brightness.
        weight: (N,) float32, how much each pixel counts.
        gain: Mean gain of the template there.
        misfit: Mean square of the residual, and a price for every pixel taken for covered.
    """

    residual: Floats
    weight: Floats
    gain: float
    misfit: float


class _Comparer:
    """A template at one size, ready to be compared with one place after another."""

    def __init__(self, template: Template) -> None:
        height, width = template.picture.shape[:2]
        self._size_wh = width, height
        self._light = template.light
        self._weight = template.weight.ravel()
        self._total = float(self._weight.sum()) + 1e-6
        # One product with the weights then gives all the means that fitting the light needs:
        # the template, its squares, the crop, and template times crop.
        self._rows = np.empty((12, width * height), np.float32)
        self._rows[:3] = planes_of(template.picture)
        np.square(self._rows[:3], out=self._rows[3:6])

    def compare(self, patch: Patch, quad: Quad) -> _Left:
        reference, crop = self._rows[:3], self._rows[6:9]
        crop[:] = planes_of(patch.flatten(quad, self._size_wh))
        crop *= np.float32(1 / 255)
        np.multiply(reference, crop, out=self._rows[9:])
        grey = (crop[0] + crop[1] + crop[2]) / 3
        weight = self._weight
        for _ in range(2):
            means = self._rows @ (weight / (float(weight.sum()) + 1e-6))
            fit = fit_means(means.reshape(4, 1, 3), self._light)
            gain, offset = fit.gain[0] / 3, fit.offset[0].sum() / 3
            left = grey - gain @ reference - offset
            residual = _without_shading(left.reshape(self._size_wh[::-1])).ravel()
            weight = self._weight * robust_weight(residual, _OUTLIER)
        seen = float(weight.sum())
        coverage = seen / self._total
        misfit = float(weight @ residual**2) / (seen + 1e-6)
        misfit = coverage * misfit + (1 - coverage) * _MISFIT_OUTSIDE
        return _Left(residual, weight, float(gain.sum()), misfit)


def _without_shading(plane: Floats) -> Floats:
    """The plane without what changes slowly: lamps and shadows must not pull."""
    slow = cv2.blur(plane, (plane.shape[1] // 2 | 1, plane.shape[1] // 2 | 1))
    return np.asarray(plane - slow, np.float32)


def _jacobian(picture: Floats, freedom: int) -> Floats:
    """(F, H * W) change of the mean colour for each way in which the template can move."""
    grey = picture @ _GREY
    height, width = grey.shape
    grad_y, grad_x = np.gradient(grey)
    grad_u, grad_v = grad_x * np.float32(width / 2), grad_y * np.float32(height / 2)
    u = (np.arange(width, dtype=np.float32) + 0.5) * np.float32(2 / width) - 1
    v = (np.arange(height, dtype=np.float32)[:, None] + 0.5) * np.float32(2 / height) - 1
    along = grad_u * u + grad_v * v
    ways = [
        grad_u, grad_v, along, grad_v * u - grad_u * v,
        grad_u * u - grad_v * v, grad_u * v + grad_v * u, along * u, along * v,
    ]  # fmt: skip
    return np.stack([_without_shading(way).ravel() for way in ways[:freedom]])


def _solve(jacobian: Floats, left: _Left) -> NDArray[np.float64]:
    weighted = jacobian * left.weight
    normal = (weighted @ jacobian.T).astype(np.float64) * left.gain**2
    freedom = len(jacobian)
    mean = float(np.trace(normal)) / freedom + 1e-9
    # Perspective changes little between a detected and a true quad: it is held more firmly.
    pull = np.array([1, 1, 1, 1, 1, 1, 8, 8])[:freedom] * _PRIOR * mean
    step = np.zeros(8)
    slope = (weighted @ left.residual).astype(np.float64) * left.gain
    step[:freedom] = np.linalg.solve(normal + np.diag(pull), slope)
    return step


def _warp(step: NDArray[np.float64], size_wh: tuple[int, int]) -> NDArray[np.float64]:
    """The step as a homography of flat pixels."""
    width, height = size_wh
    to_unit = np.array([[2 / width, 0, 1 / width - 1], [0, 2 / height, 1 / height - 1], [0, 0, 1]])
    move_x, move_y, grow, turn, stretch, shear, lean_x, lean_y = step
    unit = np.array(
        [
            [1 + grow + stretch, shear - turn, move_x],
            [shear + turn, 1 + grow - stretch, move_y],
            [-lean_x, -lean_y, 1],
        ]
    )
    warp: NDArray[np.float64] = np.linalg.inv(to_unit) @ unit @ to_unit
    return warp
