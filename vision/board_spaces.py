"""What lies on a space: nothing, or which face in which rotation, and how it is laid.

A first look compares small pictures at every shift; a second one, for the likeliest faces, finds
the shift and the turn, and compares once more with errors capped, so that chips and fingers do
not decide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_fit import ERROR_CAP, FaceStack, careful_costs, quick_costs, surface_terms
from vision.board_print import BoardPrint, PrintedFace
from vision.board_view import FlatBoard

COARSE_PX, FINE_PX = 32, 64
"""Pixels a space at the first and at the second look."""
_COARSE_SIDE, _FINE_SIDE = 28, 58
"""Side of the part that is compared: the card but for its edge, which throws a shadow."""
_REACH_MM = 4.0
"""Cards lie up to 3 mm off, and the map errs a little."""
_TURNS_DEG = (-6.0, -3.0, 0.0, 3.0, 6.0)
_FINER_TURNS_DEG = (-1.5, 0.0, 1.5)
_CHIP_ASKS = 1.5
"""The bare board or a pond beneath a chip must agree that much better than a card."""
_TELLING = 0.3
"""A pixel tells two readings apart where their errors differ by this share of the cap."""
_FEW_PIXELS, _LEAST_ERROR = 30.0, 0.004
"""Either reading is granted the usual error of so many pixels: a handful decides nothing."""
_MOST_PEAKS = 4
"""A card has four quarters for chips to lie on."""
_SHORT_LIST = 14
_THIN_STEP = 2
_WORKERS = 2
_THIN = (np.arange(_FINE_SIDE**2).reshape(_FINE_SIDE, _FINE_SIDE)[::2, ::2]).ravel()
"""While a card's pose is sought, every other pixel of every other row is enough."""
_NO_ERRORS = np.zeros((_FINE_SIDE, _FINE_SIDE), np.float32)
_LEAST_SHOWN = 0.35
"""A space of which less than this lies in the picture is not read."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A face as it may lie on a space.

    Attributes:
        face: The face, or None for the bare board.
        rotation: Clockwise, in degrees.
        cost: Of its agreement with the picture.
    """

    face: PrintedFace | None
    rotation: int
    cost: float

    @property
    def sameness(self) -> str:
        """Readings of one sameness mean the same to whoever reads them."""
        return "" if self.face is None else self.face.sameness[self.rotation // 90]


@dataclass(frozen=True, slots=True, eq=False)
class SpaceLook:
    """What a space looks like.

    Attributes:
        row, col: The space.
        best: The likeliest reading, or None where too little of the space is in the picture.
        rival: Of those that mean something else the one that is hardest to tell from it.
        margin: How many times as wrong the rival is where the two differ.
        centre: Where the card's middle lies, in spaces.
        turn_deg: How far it is turned beyond its rotation, clockwise.
        explained: Share of the pixels that agree with the reading.
        errors: (S, S) squared error of each pixel of the card's middle, upright as the board is;
            nought where nothing was compared.
        shown: Share of the space that lies in the picture.
    """

    row: int
    col: int
    best: Lying | None
    rival: Lying | None
    margin: float
    centre: tuple[float, float]
    turn_deg: float
    explained: float
    errors: NDArray[np.float32]
    shown: float

    def error_within(self, centre: tuple[float, float], radius: float) -> float:
        """Mean squared error in a disc whose middle and radius are given in spaces."""
        side = len(self.errors)
        at = np.arange(side) - (side - 1) / 2
        away = np.subtract(centre, self.centre) * FINE_PX
        inside = (at[:, None] - away[1]) ** 2 + (at - away[0]) ** 2 < (radius * FINE_PX) ** 2
        return float(self.errors[inside].mean()) if inside.any() else 0.0

    def unexplained(self, radius: float, most: float) -> list[tuple[float, float, float]]:
        """Middles of discs, in spaces, in which the error peaks above a limit, and that error."""
        reach = max(1, round(radius * FINE_PX))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
        kernel = disc.astype(np.float32) / float(disc.sum())
        capped = np.minimum(self.errors, ERROR_CAP)
        means = np.asarray(cv2.filter2D(capped, -1, kernel, borderType=cv2.BORDER_REFLECT))
        peaks: list[tuple[float, float, float]] = []
        while len(peaks) < _MOST_PEAKS and means.max() > most:
            row, col = np.unravel_index(int(means.argmax()), means.shape)
            peak = float(means[row, col])
            cv2.circle(means, (int(col), int(row)), reach, (0.0,), -1)
            away = (np.array([col, row]) - (len(means) - 1) / 2) / FINE_PX
            x, y = float(away[0]) + self.centre[0], float(away[1]) + self.centre[1]
            peaks.append((x, y, peak))
        return peaks


class SpaceReader:
    """Reads the spaces of one board with the faces of one deck."""

    def __init__(self, board: BoardPrint, faces: Sequence[PrintedFace]) -> None:
        self.board = board
        self._names = [(face, 90 * turn) for face in faces for turn in range(4)]
        coarse = _stack(faces, board.space_mm, COARSE_PX, _COARSE_SIDE)
        fine = _stack(faces, board.space_mm, FINE_PX, _FINE_SIDE)
        self._coarse = FaceStack.of(coarse, surface_terms(_COARSE_SIDE))
        self._fine = FaceStack.of(fine, surface_terms(_FINE_SIDE))
        thin = np.ascontiguousarray(fine[..., _THIN])
        self._thin = FaceStack.of(thin, surface_terms(_FINE_SIDE, _THIN_STEP))
        self._all = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        self._print_flat = board.flat(FINE_PX)
        self._print = np.asarray(self._print_flat.image / np.float32(255), np.float32)

    def look(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        chipped: Collection[tuple[int, int]] = (),
        spaces: Iterable[tuple[int, int]] | None = None,
    ) -> list[SpaceLook]:
        """Some spaces, or every one in reading order.

        Args:
            light: (H, W, 3) float32 board at `FINE_PX`, as bright as its print.
            free: (H, W) float32, how much each pixel counts: 0 where a chip lies.
            flat: The flat board that it was made from.
            chipped: Rows and columns of the spaces on which chips lie.
            spaces: Rows and columns of those to look at; all by default.
        """
        small, small_free = _half(light), _half(free)

        def look_at(space: tuple[int, int]) -> SpaceLook:
            near = self._first_look(small, small_free, flat, space)
            return self._second_look(light, free, flat, space, near, space in chipped)

        # Nearly all of the work is done in libraries that let the other core work meanwhile.
        with ThreadPoolExecutor(_WORKERS) as workers:
            return list(workers.map(look_at, self._all if spaces is None else spaces))

    def _first_look(
        self,
        small: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
    ) -> tuple[NDArray[np.intp], tuple[float, float]]:
        """The likeliest faces, and where the best of them lies."""
        reach = max(1, round(_REACH_MM / self.board.space_mm * COARSE_PX))
        centre = (_centre_px(flat, space) + 0.5) / 2 - 0.5
        corner = np.round(centre - (_COARSE_SIDE - 1) / 2 - reach).astype(int)
        side = _COARSE_SIDE + 2 * reach
        patch = _cut(small, corner, side)
        weight = _cut(free[..., None], corner, side)[0]
        windows = _windows(patch, _COARSE_SIDE)
        weights = _windows(weight[None], _COARSE_SIDE)[:, 0]
        costs = quick_costs(windows, weights, self._coarse)
        order = np.argsort(costs.min(axis=0), kind="stable")[:_SHORT_LIST]
        shift = int(costs[:, order[0]].argmin())
        steps = 2 * reach + 1
        found = corner + [shift % steps, shift // steps] + (_COARSE_SIDE - 1) / 2
        place = (found + 0.5) * 2 - 0.5
        return order, (float(place[0]), float(place[1]))

    def _second_look(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
        near: tuple[NDArray[np.intp], tuple[float, float]],
        is_chipped: bool,
    ) -> SpaceLook:
        row, col = space
        middle = _centre_px(flat, space)
        corner = np.round(middle - FINE_PX / 2 + 0.5).astype(int)
        shown = float(_cut(flat.is_inside[..., None].astype(np.float32), corner, FINE_PX).mean())
        home = (col + 0.5, row + 0.5)
        if shown < _LEAST_SHOWN:
            return SpaceLook(row, col, None, None, 1.0, home, 0.0, 0.0, _NO_ERRORS, shown)
        bare_cost, bare_errors = self._bare(light, free, flat, space)
        rows, place = near
        pose = self._lay(light, free, rows[:3], (place[0], place[1], 0.0), (2.0, _TURNS_DEG))
        pose = self._lay(light, free, rows[:3], pose, (1.0, _FINER_TURNS_DEG))
        patch, weight = _warp(light, free, pose, _FINE_SIDE)
        weights = weight.ravel()
        faces = self._fine.chosen(rows)
        costs, card_errors = careful_costs(patch.reshape(3, -1), weights, faces)
        named = [self._names[index] for index in rows.tolist()]
        lyings = [
            *(Lying(face, turn, float(c)) for (face, turn), c in zip(named, costs, strict=True)),
            Lying(None, 0, bare_cost),
        ]
        if is_chipped:
            lyings = [_where_chips_lie(lying) for lying in lyings]
        errors = np.concatenate([card_errors, bare_errors[None]])
        chosen = min(range(len(lyings)), key=lambda index: lyings[index].cost)
        best, left = lyings[chosen], errors[chosen]
        others = [i for i, lying in enumerate(lyings) if lying.sameness != best.sameness]
        margins = [_margin(left, errors[other], weights) for other in others]
        closest = int(np.argmin(margins))
        place_x, place_y = flat.place_of(np.array([pose[:2]]))[0]
        is_bare = best.face is None
        return SpaceLook(
            row=row,
            col=col,
            best=best,
            rival=lyings[others[closest]],
            margin=margins[closest],
            centre=home if is_bare else (float(place_x), float(place_y)),
            turn_deg=0.0 if is_bare else pose[2],
            explained=_explained(left, weights),
            errors=left.reshape(_FINE_SIDE, _FINE_SIDE),
            shown=shown,
        )

    def _bare(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        flat: FlatBoard,
        space: tuple[int, int],
    ) -> tuple[float, NDArray[np.float32]]:
        corner = np.round(_centre_px(flat, space) - (_FINE_SIDE - 1) / 2).astype(int)
        own = np.round(_centre_px(self._print_flat, space) - (_FINE_SIDE - 1) / 2).astype(int)
        printed = _cut(self._print, own, _FINE_SIDE)
        window = _cut(light, corner, _FINE_SIDE).reshape(3, -1)
        weight = _cut(free[..., None], corner, _FINE_SIDE).ravel()
        faces = FaceStack.of(printed.reshape(1, 3, -1), surface_terms(_FINE_SIDE))
        costs, errors = careful_costs(window, weight, faces)
        return float(costs[0]), errors[0]

    def _lay(
        self,
        light: NDArray[np.float32],
        free: NDArray[np.float32],
        rows: NDArray[np.intp],
        start: tuple[float, float, float],
        steps: tuple[float, Sequence[float]],
    ) -> tuple[float, float, float]:
        """The pose (x, y in pixels, turn) around a start at which some faces agree best."""
        step_px, turns = steps
        reach = 2
        side = _FINE_SIDE + round(2 * reach * step_px)
        faces = self._thin.chosen(rows)
        least, best = np.inf, start
        for turn in turns:
            angle = start[2] + turn
            patch, weight = _warp(light, free, (start[0], start[1], angle), side)
            windows = _windows(patch, _FINE_SIDE, round(step_px), _THIN_STEP)
            weights = _windows(weight[None], _FINE_SIDE, round(step_px), _THIN_STEP)[:, 0]
            costs = quick_costs(windows, weights, faces)
            low = int(costs.min(axis=1).argmin())
            if costs[low].min() < least:
                least = float(costs[low].min())
                count = 2 * reach + 1
                along = step_px * np.array([low % count - reach, low // count - reach])
                radians = np.deg2rad(angle)
                turned = (
                    along[0] * np.cos(radians) - along[1] * np.sin(radians),
                    along[0] * np.sin(radians) + along[1] * np.cos(radians),
                )
                best = (start[0] + turned[0], start[1] + turned[1], angle)
        return (float(best[0]), float(best[1]), float(best[2]))


def _where_chips_lie(lying: Lying) -> Lying:
    """A reading of a space with a chip: chips are for cards that lie face up."""
    if lying.face is not None and lying.face.kind == "path":
        return lying
    return replace(lying, cost=lying.cost * _CHIP_ASKS)


_EXPLAINED_BELOW = 0.02
"""Squared error, summed over the colours, below which a pixel agrees."""


def _explained(errors: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    return float((errors < _EXPLAINED_BELOW) @ weights) / max(float(weights.sum()), 1e-3)


def _margin(
    errors: NDArray[np.float32], others: NDArray[np.float32], weights: NDArray[np.float32]
) -> float:
    """How many times as wrong another reading is where the two differ; 1 if nothing tells."""
    first, second = np.minimum(errors, ERROR_CAP), np.minimum(others, ERROR_CAP)
    telling = weights * (np.abs(first - second) > _TELLING * ERROR_CAP)
    count = max(float(weights.sum()), 1e-3)
    even = _FEW_PIXELS * max(float(first @ weights) / count, _LEAST_ERROR)
    return float(((second * telling).sum() + even) / ((first * telling).sum() + even))


def _stack(
    faces: Sequence[PrintedFace], space_mm: float, scale_px: int, side: int
) -> NDArray[np.float32]:
    """(4 N, 3, side²) the middles of the faces in their rotations."""
    pictures = []
    for face in faces:
        for turn in range(4):
            turned = np.ascontiguousarray(np.rot90(face.image[..., :3], -turn))
            pictures.append(_middle(turned, face.size_mm[0] / space_mm * scale_px, side))
    return np.stack(pictures).astype(np.float32)


def _middle(image: NDArray[np.uint8], card_px: float, side: int) -> NDArray[np.float32]:
    """(3, side²) float32 of the middle of a card that is `card_px` wide, 0 to 1."""
    whole = max(2, round(card_px * 2))
    double = cv2.resize(image, (whole, whole), interpolation=cv2.INTER_AREA)
    ratio = whole / card_px
    offset = (whole - 1) / 2 - ratio * (side - 1) / 2
    matrix = np.array([[ratio, 0, offset], [0, ratio, offset]])
    soft = cv2.GaussianBlur(double, (0, 0), 0.8)
    cut = cv2.warpAffine(
        soft, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(cut.astype(np.float32).transpose(2, 0, 1).reshape(3, -1) / 255)


def _centre_px(flat: FlatBoard, space: tuple[int, int]) -> NDArray[np.float64]:
    middle = np.array([[space[1] + 0.5, space[0] + 0.5]])
    return np.asarray(flat.pixel_of(middle)[0])


def _half(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture at half its size."""
    high, wide = image.shape[0] // 2, image.shape[1] // 2
    whole = image[: 2 * high, : 2 * wide]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_AREA), np.float32)


def _cut(image: NDArray[np.float32], corner: NDArray[np.int_], side: int) -> NDArray[np.float32]:
    """(C, side, side) of a picture (H, W, C), nought beyond its edge."""
    left, top = int(corner[0]), int(corner[1])
    high, wide = image.shape[:2]
    out = np.zeros((side, side, image.shape[2]), np.float32)
    y0, y1, x0, x1 = max(0, top), min(high, top + side), max(0, left), min(wide, left + side)
    if y1 > y0 and x1 > x0:
        out[y0 - top : y1 - top, x0 - left : x1 - left] = image[y0:y1, x0:x1]
    return np.ascontiguousarray(out.transpose(2, 0, 1))


def _windows(
    patch: NDArray[np.float32], side: int, step: int = 1, thin: int = 1
) -> NDArray[np.float32]:
    """(P, C, M) all windows of a patch (C, S, S) at a step, in reading order.

    Of each window every `thin`-th row and column is taken.
    """
    views = np.lib.stride_tricks.sliding_window_view(patch, (side, side), axis=(1, 2))
    views = views[:, ::step, ::step, ::thin, ::thin]
    bands, down, across, high, wide = views.shape
    return np.ascontiguousarray(views.transpose(1, 2, 0, 3, 4)).reshape(
        down * across, bands, high * wide
    )


def _warp(
    light: NDArray[np.float32],
    free: NDArray[np.float32],
    pose: tuple[float, float, float],
    side: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A square around a place, turned back by the pose's turn: (3, side, side), (side, side)."""
    x, y, turn = pose
    cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    half = (side - 1) / 2
    matrix = np.array(
        [[cos, -sin, x - cos * half + sin * half], [sin, cos, y - sin * half - cos * half]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(light, matrix, (side, side), flags=flags)
    weight = cv2.warpAffine(free, matrix, (side, side), flags=flags)
    return (
        np.ascontiguousarray(np.asarray(patch, np.float32).transpose(2, 0, 1)),
        np.asarray(weight, np.float32),
    )
