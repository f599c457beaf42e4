"""Finding a printed board in a picture by its own picture.

Features of the print name a homography; then small patches of the print are looked for around
where they should be, and the map is fitted to where they are, with the lens's bend. Tiles cover
the grid, so what counts is the margin, the entrance and the empty spaces: a patch that is covered
finds nothing and is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_bearing import BearingJudge
from vision.board_features import FeatureMatch, Features, find_features, matches
from vision.board_print import BoardPrint
from vision.board_view import BoardView, FlatBoard, Lens, Points, lay_flat, project

PATCH_SCALE_PX = 56
"""Pixels a space of the print in which features and patches are sought."""

_PATCH_PX, _STEP_PX = 44, 22
_REACHES_PX = (16, 7)
_LEAST_CONTRAST, _FAINT = 10.0, 5.0
"""Deviation of a patch that is sought, in grey values of 255: the border has 30 and more; and of
the seams and tracks in the sand, which are sought, too, where little else is in sight."""
_LEAST_CORRELATION = 0.6
_LEAST_PATCHES, _FEW_PATCHES = 14, 60
"""Fewer prove no board; with fewer than the second it is asked whether there are more. A board that
is in sight for the most part has 100 to 170."""
_PROOF, _PROOF_SHARE, _HALF_PX = 30, 0.8, 10
"""So many features, that share of those that were sought, prove a board whose border is cut so that
few patches are whole; the light is measured so far around each."""
_ROUNDS = 3
_PATCH_SHARE = 0.4
"""Of the patches that correlate at all, the share that must lie where the map says."""
_AGREE_SPACES = 0.035
"""A patch agrees with the map within this part of a space: 1.5 mm of 45."""
_BENDS = (-0.24, -0.16, -0.08, 0.0, 0.08, 0.16)
_BEND_GAIN = 0.8
"""A bend must bring the error below this share of that without: few patches fit any bend."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Where patches of the print were found.

    Attributes:
        places: (N, 2) their places on the board, in spaces.
        pixels: (N, 2) where they were found in the picture.
        gains: (N, 3) their brightness against the print's, BGR.
    """

    places: Points
    pixels: Points
    gains: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """A board that was found.

    Attributes:
        view: Where it lies.
        patches: The patches that agree with it; none where corners were given and none was found.
        lost: Rows and columns of spaces of which it is not known well enough where they are.
        another: (4, 2) the outer corners of the spaces of another board in the picture, in pixels.
        is_proven: Whether the print in sight shows that it lies so; else corners were believed.
    """

    view: BoardView
    patches: Patches
    lost: frozenset[tuple[int, int]] = frozenset()
    another: Points | None = None
    is_proven: bool = True


class BoardFinder:
    """Finds one board in pictures; its print is looked through once."""

    def __init__(self, board: BoardPrint) -> None:
        self.board = board
        self._flat = board.flat(PATCH_SCALE_PX)
        self.bearing = BearingJudge(self._flat, (board.cols, board.rows))
        self._gray = _gray(self._flat.image)

    def candidates(
        self, image_bgr: NDArray[np.uint8]
    ) -> Iterator[tuple[Registration, FeatureMatch]]:
        """Where the board may lie in a picture (H, W, 3) uint8, and the features that say so."""
        for match in matches(self.print_features, _gray(image_bgr)):
            found = self.refine_match(image_bgr, match)
            if found is not None:
                yield found, match

    def refine_match(
        self, image_bgr: NDArray[np.uint8], match: FeatureMatch
    ) -> Registration | None:
        """Where the board lies by features that agree, if its print is seen there."""
        height, width = image_bgr.shape[:2]
        start = BoardView(match.matrix, Lens.of((width, height)), (width, height))
        found = self.refine(image_bgr, start)
        is_proven = match.count >= _PROOF and match.share > _PROOF_SHARE
        if found is None and is_proven and _is_plausible(start, self.board):
            return Registration(start, self._features_as_patches(image_bgr, start, match))
        return found

    def _features_as_patches(
        self, image_bgr: NDArray[np.uint8], view: BoardView, match: FeatureMatch
    ) -> Patches:
        """Features that agree, with what is seen around them against what is printed there."""
        seen = lay_flat(image_bgr, view, self.board.window, PATCH_SCALE_PX)
        gains = []
        for x, y in np.round(self._flat.pixel_of(match.places)).astype(int):
            part = np.s_[max(0, y - _HALF_PX) : y + _HALF_PX, max(0, x - _HALF_PX) : x + _HALF_PX]
            after, before = (each.image[part].mean(axis=(0, 1)) for each in (seen, self._flat))
            gains.append((after + 1) / (before + 1))
        return Patches(match.places, match.pixels, np.array(gains))

    def place(self, image_bgr: NDArray[np.uint8], corners_px: NDArray[np.float64]) -> Registration:
        """The board as it lies if its grid's NW, NE, SE, SW corner are at (4, 2) pixels."""
        height, width = image_bgr.shape[:2]
        matrix = cv2.getPerspectiveTransform(
            self.board.grid.astype(np.float32), corners_px.astype(np.float32)
        )
        view = BoardView(np.asarray(matrix, np.float64), Lens.of((width, height)), (width, height))
        return Registration(view, _no_patches(), is_proven=False)

    def refine(self, image_bgr: NDArray[np.uint8], start: BoardView) -> Registration | None:
        """Fits a view to patches of the print, or None where too few are where they should be."""
        latest = best = self._fit_to_patches(image_bgr, start, _LEAST_CONTRAST)
        if best is None:
            latest = best = self._fit_to_patches(image_bgr, start, _FAINT)
        # From a strip of the border its far end is foreseen badly: out of reach until now, it may
        # be found as what lies nearer pulls the view into place.
        for _ in range(_ROUNDS):
            if latest is None or best is None or len(best.patches.places) >= _FEW_PATCHES:
                break
            latest = self._fit_to_patches(image_bgr, latest.view, _FAINT)
            if latest is not None and len(latest.patches.places) > len(best.patches.places):
                best = latest
        return best if best is not None and _is_plausible(best.view, self.board) else None

    def _fit_to_patches(
        self, image_bgr: NDArray[np.uint8], start: BoardView, least_contrast: float
    ) -> Registration | None:
        view = start
        patches = _no_patches()
        for reach in _REACHES_PX:
            flat = self._around(image_bgr, view, reach)
            found = self._find_patches(flat, view, reach, least_contrast)
            if len(found.places) < _LEAST_PATCHES:
                return None
            view = _fit(found, view)
            patches = _agreeing(found, view)
            if len(patches.places) < max(_LEAST_PATCHES, _PATCH_SHARE * len(found.places)):
                return None
        return Registration(view, patches)

    @cached_property
    def _contrasts(self) -> NDArray[np.float64]:
        """(N, M) the deviation of each patch of the print."""
        patches = np.lib.stride_tricks.sliding_window_view(self._gray, (_PATCH_PX, _PATCH_PX))
        return np.asarray(patches[::_STEP_PX, ::_STEP_PX].std(axis=(2, 3)))

    @cached_property
    def print_features(self) -> Features:
        """The features of the print, their places in spaces."""
        features = find_features(self._gray)
        return replace(features, places=self._flat.place_of(features.places))

    def _around(self, image_bgr: NDArray[np.uint8], view: BoardView, reach: int) -> FlatBoard:
        """The board laid flat, and so many pixels around it: its outer edge is sought there too."""
        left, top, right, bottom = self.board.window
        more = reach / PATCH_SCALE_PX
        window = (left - more, top - more, right + more, bottom + more)
        return lay_flat(image_bgr, view, window, PATCH_SCALE_PX)

    def _find_patches(
        self, flat: FlatBoard, view: BoardView, reach: int, least_contrast: float
    ) -> Patches:
        """Patches of the print in a flat board that shows `reach` pixels more on every side."""
        seen = _gray(flat.image)
        high, wide = self._gray.shape
        rows: list[tuple[float, float, float, float]] = []
        gains = []
        for top in range(0, high - _PATCH_PX + 1, _STEP_PX):
            for left in range(0, wide - _PATCH_PX + 1, _STEP_PX):
                y, x = top + reach, left + reach
                if not flat.is_inside[y : y + _PATCH_PX, x : x + _PATCH_PX].all():
                    continue
                if self._contrasts[top // _STEP_PX, left // _STEP_PX] < least_contrast:
                    continue
                shift = _locate(self._gray, seen, (left, top), reach)
                if shift is None:
                    continue
                middle_x, middle_y = left + (_PATCH_PX - 1) / 2, top + (_PATCH_PX - 1) / 2
                at = (x + shift[0], y + shift[1])
                rows.append((middle_x, middle_y, middle_x + shift[0], middle_y + shift[1]))
                gains.append(_gain(self._flat.image, flat.image, (left, top), at))
        if not rows:
            return _no_patches()
        places = np.array(rows)
        pixels = view.in_picture(self._flat.place_of(places[:, 2:]))
        return Patches(self._flat.place_of(places[:, :2]), pixels, np.array(gains))


def _gray(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _locate(
    print_gray: NDArray[np.uint8], seen: NDArray[np.uint8], corner: tuple[int, int], reach: int
) -> tuple[float, float] | None:
    """How far from its place a patch of the print is found, in pixels, or None.

    What is seen shows `reach` pixels more on every side than the print.
    """
    left, top = corner
    patch = print_gray[top : top + _PATCH_PX, left : left + _PATCH_PX]
    window = seen[top : top + _PATCH_PX + 2 * reach, left : left + _PATCH_PX + 2 * reach]
    fits = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(fits)
    if best < _LEAST_CORRELATION or not (0 < x < fits.shape[1] - 1 and 0 < y < fits.shape[0] - 1):
        return None
    dx = _peak(float(fits[y, x - 1]), best, float(fits[y, x + 1]))
    dy = _peak(float(fits[y - 1, x]), best, float(fits[y + 1, x]))
    return x + dx - reach, y + dy - reach


def _peak(before: float, best: float, after: float) -> float:
    """Where a parabola through three samples is highest, against the middle one."""
    bow = before - 2 * best + after
    return 0.0 if bow > -1e-6 else float(np.clip(0.5 * (before - after) / bow, -0.5, 0.5))


def _gain(
    printed: NDArray[np.uint8],
    seen: NDArray[np.uint8],
    corner: tuple[int, int],
    at: tuple[float, float],
) -> NDArray[np.float64]:
    """(3,) how bright the patch at a corner of the print is where it was found."""
    left, top = corner
    x, y = round(at[0]), round(at[1])
    before = printed[top : top + _PATCH_PX, left : left + _PATCH_PX].mean(axis=(0, 1))
    after = seen[y : y + _PATCH_PX, x : x + _PATCH_PX].mean(axis=(0, 1))
    return np.asarray((after + 1) / (before + 1), np.float64)


def _fit(patches: Patches, view: BoardView) -> BoardView:
    """The homography and the bend on which the patches agree best."""
    straight = _fit_at(patches, view, 0.0)
    trials = {bend: _fit_at(patches, view, bend) for bend in _BENDS if bend}
    best = min(trials, key=lambda bend: trials[bend][1])
    for step in (0.04, 0.02, 0.01):
        for bend in (best - step, best + step):
            trials[bend] = _fit_at(patches, view, bend)
        best = min(trials, key=lambda bend: trials[bend][1])
    chosen = trials[best] if trials[best][1] < _BEND_GAIN * straight[1] else straight
    return chosen[0]


def _fit_at(patches: Patches, view: BoardView, bend: float) -> tuple[BoardView, float]:
    """The best view of this bend, and its capped mean square error in spaces."""
    lens = Lens.of(view.image_wh, bend)
    target = lens.straight(patches.pixels)
    matrix, _ = cv2.findHomography(
        patches.places, target, cv2.USAC_MAGSAC, _pixel_limit(view, patches), maxIters=500
    )
    if matrix is None:
        return view, np.inf
    for _ in range(3):
        errors = _errors(patches.places, target, np.asarray(matrix, np.float64))
        near = errors < 1.5 * _AGREE_SPACES
        if near.sum() < _LEAST_PATCHES:
            break
        refined, _ = cv2.findHomography(patches.places[near], target[near], 0)
        if refined is None:
            break
        matrix = refined
    fitted = BoardView(np.asarray(matrix, np.float64), lens, view.image_wh)
    errors = np.minimum(_errors(patches.places, target, fitted.matrix), 2 * _AGREE_SPACES)
    return fitted, float((errors**2).mean())


def _pixel_limit(view: BoardView, patches: Patches) -> float:
    return max(1.0, float(np.median(view.space_px(patches.places))) * _AGREE_SPACES)


def _errors(places: Points, target: Points, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) distance in spaces between where a patch belongs and where it was seen."""
    back = project(np.asarray(np.linalg.inv(matrix)), target)
    return np.asarray(np.linalg.norm(back - places, axis=1))


def _agreeing(patches: Patches, view: BoardView) -> Patches:
    errors = np.linalg.norm(view.on_board(patches.pixels) - patches.places, axis=1)
    near = errors < _AGREE_SPACES
    return Patches(patches.places[near], patches.pixels[near], patches.gains[near])


def _is_plausible(view: BoardView, board: BoardPrint) -> bool:
    """Whether the grid is a convex quadrilateral, seen from above, and large enough to read."""
    quad = view.in_picture(board.grid).astype(np.float32)
    if not np.isfinite(quad).all() or not cv2.isContourConvex(quad):
        return False
    if cv2.contourArea(quad, True) <= 0:
        return False
    middle = np.array([[board.cols / 2, board.rows / 2]])
    return bool(view.space_px(middle)[0] >= _LEAST_SPACE_PX)


_LEAST_SPACE_PX = 20.0
"""A space smaller than this shows no animal on its chips."""


def _no_patches() -> Patches:
    none = np.zeros((0, 2))
    return Patches(none, none, np.zeros((0, 3)))
