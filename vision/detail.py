"""Naming a face by its fine print where the light hides its colours, or other cards a part of it.

A lamp mirrored in a dark card adds more light than the card itself gives back, and the edge of a
shadow cuts a face in two: no gain and offset for the whole face explains either. What changes over
a few millimetres (digits, symbols, animals) is left as it is: here only that is compared. The card
is a rigid one on a known plane, so that it is pushed and turned, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.comparing import blur
from vision.faces import FaceFormat
from vision.flatten import Quad, apply_homography, flat_corners, flatten, homography, is_near
from vision.seen_plane import SeenPlane
from vision.stacking import mask_of, overlap_share

Floats = NDArray[np.float32]

_DETAIL_PX, _SMALL_DETAIL_PX = 6.0, 3.0
"""Print is smaller than this, as a standard deviation in pixels of a picture and of a small one."""
_LEAST_DETAIL = 0.03
"""Detail of noise, in brightness of 1, that is not made stronger."""
_SOFT_PX = 0.9
"""Blur of a picture of ordinary sharpness."""
_PUSHES = (-0.08, 0.0, 0.08)
"""Shares of a side by which the box of what has no name is mostly off."""
_TRIES = 4
_MARGIN = 0.15
_STAGES = ((4, cv2.MOTION_EUCLIDEAN, 15), (2, cv2.MOTION_EUCLIDEAN, 12), (1, cv2.MOTION_AFFINE, 6))
"""Shrinking, freedom and most steps of laying; a lens bends what is rigid a little."""
_LEAST_SEEN = 0.35
_LEAST_LIKENESS, _LEAST_LEAD = 0.7, 0.08
"""In plain view the right face reaches 0.9 and others 0.75; a right one in glare or half covered
reaches 0.7 to 0.8, with a lead of 0.1 to 0.3. A bare table reaches 0.3."""
_BESIDE = 1.9
"""Widths from the middle of a card to which its neighbours in a row, or across it, reach."""
_LEAST_BESIDE = 0.45
_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_ON_TOP = 0.5
_ROUNDS, _AGREEING, _GROWN = 2, 0.3, 1.3
_APART = 0.01
_WORKERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class DetailMatch:
    """A face at a place: its id, its quad from its top left, and the likeness of its print."""

    id: str
    quad_px: Quad
    likeness: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    likeness: float
    face: int
    quad: Quad


class DetailNamer:
    """The print of a deck's faces.

    Args:
        formats: The faces.
        image_bgr: (H, W, 3) uint8, the picture in which they are named.
        hands: (4, 2) boxes of hands, which may lie over a part of what is in them.
    """

    def __init__(
        self,
        formats: Sequence[FaceFormat],
        image_bgr: NDArray[np.uint8],
        hands: Sequence[Quad] = (),
    ) -> None:
        self._image = image_bgr
        self._off_hands = np.full(image_bgr.shape[:2], 255, np.uint8)
        for hand in hands:
            cv2.fillConvexPoly(self._off_hands, np.round(_grown(hand)).astype(np.int32), 0)
        self._prints = [_Prints(members) for members in formats]

    def name(
        self, quads: Sequence[Quad], among: Collection[str], known: Sequence[DetailMatch]
    ) -> DetailMatch | None:
        """Names a face, or returns None where its print is not clear.

        Args:
            quads: (4, 2) float32 corners each, those of true rectangles on the table: the ways in
                which it may lie.
            among: Ids of the faces that may lie there. It must beat all others of the deck.
            known: Faces that may lie over it.
        """
        if not quads:
            return None
        free = self._free_of(quads[0], known)
        layers = free, self._off_hands

        def tries_at(way: tuple[_Prints, Quad]) -> list[tuple[_Try, _Prints]]:
            prints, quad = way
            return [(found, prints) for found in prints.tries_at(self._image, free, quad)]

        def laid_at(place: tuple[_Try, _Prints]) -> tuple[_Try, tuple[str, float]]:
            found, prints = place
            return prints.laid(self._image, layers, found)

        # Nearly all of the work is done in libraries that let the other core work meanwhile.
        with ThreadPoolExecutor(_WORKERS) as workers:
            ways = workers.map(tries_at, product(self._prints, quads))
            tries = sorted(chain.from_iterable(ways), key=lambda place: -place[0].likeness)
            laid = list(workers.map(laid_at, tries[:_TRIES]))
        found, (name, lead) = max(laid, key=lambda pair: pair[0].likeness)
        is_clear = found.likeness >= _LEAST_LIKENESS and lead >= _LEAST_LEAD
        return DetailMatch(name, found.quad, found.likeness) if is_clear and name in among else None

    def beside(
        self, plane: SeenPlane, known: Sequence[DetailMatch], among: Collection[str]
    ) -> list[Quad]:
        """Where faces may lie beside known ones, each once: (4, 2) corners in the picture.

        In a row or a fan, or across, as people lay cards; what others cover may be hidden.

        Args:
            plane: The table.
            known: What lies there.
            among: Ids of the faces that are sought.
        """
        free = self._outside([other.quad_px for other in known])
        best: dict[str, tuple[float, Quad]] = {}
        for other, prints in product(known, self._prints):
            around = _around(plane, other.quad_px, prints.aspect)
            for name, likeness, quad in prints.found_in(self._image, free, around, among):
                if likeness > max(_LEAST_BESIDE, best[name][0] if name in best else 0.0):
                    best[name] = likeness, quad
        return [quad for _, quad in sorted(best.values(), key=lambda pair: -pair[0])]

    def _free_of(self, quad: Quad, known: Sequence[DetailMatch]) -> NDArray[np.uint8]:
        """(H, W) uint8, 0 where a known face lies over a quad, 255 elsewhere."""
        return self._outside(
            [
                other.quad_px
                for other in known
                if overlap_share(quad, other.quad_px) > _APART and self._is_on_top(other, quad)
            ]
        )

    def _outside(self, quads: Sequence[Quad]) -> NDArray[np.uint8]:
        """(H, W) uint8, 0 where one of some quads lies, 255 elsewhere."""
        return np.asarray(255 - mask_of(self._image.shape[:2], quads), np.uint8)

    def _is_on_top(self, known: DetailMatch, quad: Quad) -> bool:
        """Whether a known face is seen where it shares its place with a quad."""
        shared = mask_of(self._image.shape[:2], [quad])
        found = [likeness for prints in self._prints for likeness in prints.seen(
            self._image, shared, known)]  # fmt: skip
        return max(found, default=1.0) > _ON_TOP


class _Prints:
    """The print of the faces of one format."""

    def __init__(self, members: FaceFormat) -> None:
        self._members = members
        pictures = [picture.astype(np.float32) / 255 for picture in members.fine]
        self._soft = [_even_out(blur(picture, _SOFT_PX), _DETAIL_PX) for picture in pictures]
        small = [cv2.resize(p, members.coarse_wh, interpolation=cv2.INTER_AREA) for p in pictures]
        self._prints = np.stack([soft.reshape(-1, 3) for soft in self._soft])
        self._small = np.stack(
            [_even_out(s.astype(np.float32), _SMALL_DETAIL_PX).reshape(-1, 3) for s in small]
        )

    @property
    def aspect(self) -> float:
        """Height of a face as a multiple of its width."""
        return self._members.size_wh[1] / self._members.size_wh[0]

    def found_in(
        self,
        image_bgr: NDArray[np.uint8],
        free: NDArray[np.uint8],
        around: Quad,
        among: Collection[str],
    ) -> Iterator[tuple[str, float, Quad]]:
        """The best place of each face in a square of the table: its id, likeness and corners."""
        width, height = self._members.coarse_wh
        side = round(2 * _BESIDE * width)
        scene = _even_out(_flat(image_bgr, around, (side, side)), _SMALL_DETAIL_PX)
        scene *= _flat(free, around, (side, side))[..., None]
        back = homography(flat_corners((side, side)), around)
        for card, small in zip(self._members.faces, self._small, strict=True):
            for quarters in range(4 if card.id in among else 0):
                turned = np.ascontiguousarray(np.rot90(small.reshape(height, width, 3), -quarters))
                likeness = cv2.matchTemplate(scene, turned, cv2.TM_CCORR_NORMED)
                _, best, _, (x, y) = cv2.minMaxLoc(likeness)
                corners = flat_corners((turned.shape[1], turned.shape[0])) + np.array([x, y])
                yield (
                    card.id,
                    float(best),
                    apply_homography(back, np.roll(corners, -quarters, axis=0)),
                )

    def tries_at(
        self, image_bgr: NDArray[np.uint8], free: NDArray[np.uint8], quad: Quad
    ) -> list[_Try]:
        """The likeliest face of each way in which a piece may lie near a quad, by small prints."""
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        size_wh = self._members.coarse_wh
        found = []
        for across, along, roll in product(_PUSHES, _PUSHES, (0, 2)):
            pushed = quad + across * right + along * down
            turned = np.roll(pushed, -roll, axis=0).astype(np.float32)
            crop = _even_out(_flat(image_bgr, turned, size_wh), _SMALL_DETAIL_PX)
            weight = _flat(free, turned, size_wh)
            likeness = _likeness(self._small, crop, weight)
            face = int(np.argmax(likeness))
            found.append(_Try(float(likeness[face]), face, turned))
        return found

    def laid(
        self,
        image_bgr: NDArray[np.uint8],
        layers: tuple[NDArray[np.uint8], NDArray[np.uint8]],
        found: _Try,
    ) -> tuple[_Try, tuple[str, float]]:
        """The face laid exactly, with its id and its lead over the next one there.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            layers: (H, W) uint8 each, 0 where a card lies over it, and where a hand may.
            found: About where the face lies.
        """
        free, off_hands = layers
        size_wh = self._members.size_wh
        quad = _lay(image_bgr, free, found.quad, self._soft[found.face])
        weight = _flat(free, quad, size_wh)
        if float(weight.mean()) < _LEAST_SEEN:
            return _Try(-1.0, found.face, quad), (self._members.faces[found.face].id, 0.0)
        crop = _even_out(_flat(image_bgr, quad, size_wh), _DETAIL_PX)
        likeness = _likeness(self._prints, crop, weight)
        bare = _flat(off_hands, quad, size_wh)
        for _ in range(_ROUNDS if float(bare.min()) < 1 else 0):
            # What a hand leaves of the likeliest face must tell it from the others.
            agreeing = _agreement(self._soft[int(np.argmax(likeness))], crop)
            agreeing = weight * np.maximum(bare, agreeing)
            if float(agreeing.mean()) < _LEAST_SEEN:
                break
            likeness = _likeness(self._prints, crop, agreeing)
        face = int(np.argmax(likeness))
        best = float(likeness[face])
        lead = best - float(np.delete(likeness, face).max(initial=-1.0))
        return _Try(best, face, quad), (self._members.faces[face].id, lead)

    def seen(
        self, image_bgr: NDArray[np.uint8], shared: NDArray[np.uint8], known: DetailMatch
    ) -> list[float]:
        """Likeness of a known face in a part of it; nothing where it is of another format."""
        rows = [row for row, card in enumerate(self._members.faces) if card.id == known.id]
        crop = _even_out(_flat(image_bgr, known.quad_px, self._members.size_wh), _DETAIL_PX)
        weight = _flat(shared, known.quad_px, self._members.size_wh)
        return [float(_likeness(self._prints[[row]], crop, weight)[0]) for row in rows]


def _around(plane: SeenPlane, quad: Quad, aspect: float) -> Quad:
    """A square of the table around a card, turned as the card is."""
    corners = apply_homography(plane.to_mm, quad)
    right = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2 / aspect
    square = [corners.mean(axis=0) + _BESIDE * (x * right + y * down) for x, y in _SQUARE]
    return apply_homography(np.asarray(np.linalg.inv(plane.to_mm), np.float64), np.array(square))


def _lay(image: NDArray[np.uint8], free: NDArray[np.uint8], quad: Quad, face: Floats) -> Quad:
    """The quad after the print of a face was pushed and turned onto the picture."""
    height, width = face.shape[:2]
    scene = _even_out(_flat(image, quad, (width, height), _MARGIN), _DETAIL_PX).mean(axis=2)
    mask = (_flat(free, quad, (width, height), _MARGIN) > 0.5).astype(np.uint8) * 255
    grey = face.mean(axis=2)
    shift = (scene.shape[1] - width) / 2, (scene.shape[0] - height) / 2
    warp = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    try:
        for shrink, motion, steps in _STAGES:
            small_face, small_scene, small_mask = (
                cv2.resize(p, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
                for p in (grey, scene, mask)
            )
            start = warp / np.array([[1, 1, shrink]], np.float32)
            criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, steps, 1e-3)
            _, found = cv2.findTransformECC(
                small_face, small_scene, start.astype(np.float32), motion, criteria, small_mask, 3
            )
            warp = np.asarray(found * np.array([[1, 1, shrink]]), np.float32)
    except cv2.error:  # it says so when the pictures have nothing in common
        return quad
    whole = np.vstack([warp, [0, 0, 1]]).astype(np.float64)
    placed = apply_homography(whole, flat_corners((width, height)))
    padded = flat_corners((width, height)) + np.array(shift, np.float32)
    laid = apply_homography(homography(padded, quad), placed)
    return laid if is_near(laid, quad) else quad


def _flat(
    image: NDArray[np.uint8], quad: Quad, size_wh: tuple[int, int], margin: float = 0.0
) -> Floats:
    return np.asarray(flatten(image, quad, size_wh, margin=margin) / 255, np.float32)


def _likeness(prints: Floats, crop: Floats, weight: Floats) -> Floats:
    """(K,) correlation of prints (K, N, 3) with that of a crop, -1 to 1, where it is free."""
    seen = (weight.ravel() > 0.9)[:, None]
    masked = crop.reshape(-1, 3) * seen
    power = np.einsum("knc,knc,nx->k", prints, prints, seen.astype(np.float32))
    both = np.einsum("knc,nc->k", prints, masked)
    return np.asarray(both / (np.sqrt(power) * np.linalg.norm(masked) + 1e-6), np.float32)


def _grown(hand: Quad) -> Quad:
    """A hand's box with what it may leave out."""
    middle = hand.mean(axis=0)
    return np.asarray(middle + _GROWN * (hand - middle), np.float32)


def _agreement(face: Floats, crop: Floats) -> Floats:
    """(H, W) 1 where the print of a crop is that of a face, as its neighbourhood says, else 0."""
    both, one, other = (
        cv2.GaussianBlur((a * b).mean(axis=2), (0, 0), _DETAIL_PX)
        for a, b in ((face, crop), (face, face), (crop, crop))
    )
    return np.asarray(both > _AGREEING * np.sqrt(one * other), np.float32)


def _even_out(picture: Floats, largest_px: float) -> Floats:
    """(H, W, 3) what changes over a few pixels, equally strong everywhere.

    A lamp's reflection, or the edge of a shadow, leaves it nearly as it is.
    """
    detail = picture - cv2.GaussianBlur(picture, (0, 0), largest_px)
    power = cv2.GaussianBlur((detail**2).mean(axis=2), (0, 0), 2 * largest_px)
    return np.asarray(detail / (np.sqrt(power) + _LEAST_DETAIL)[..., None], np.float32)
