"""How well faces agree with what hands leave in view of a card.

What a hand covers says nothing of the card, and half a card has few features. Yet the cards around
it tell how colours look in this light, and the table how large it is. So a face is asked to agree
in colour with enough pixels, and in fine print wherever it does: skin and a table may have the
colours of its bands, but not its print; and to agree better than any other face of the deck
wherever the two differ: in a number, a symbol, an animal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import PUSH, Level, Template, align
from vision.bank import FaceBank
from vision.comparing import blur
from vision.detail import DetailMatch
from vision.faces import FaceFormat
from vision.flatten import (
    Quad,
    apply_homography,
    flat_corners,
    flatten,
    homography,
    inside_picture,
    is_near,
)
from vision.photometry import Light
from vision.spread_shade import AGREES, Shade, agreement, correlation, refined, shade_of
from vision.stacking import mask_of

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]

_MARGIN = 0.15
"""Share of a side by which the place of what has no name may be off."""
_TRIES, _OFFSETS = 2, 8
_LEAST_START, _LEAST_IN_VIEW = 0.65, 0.25
"""Correlation of what agrees of a small picture, and how much that is, below which no card is
meant: right ones of which two fifths are left reach 0.8 and 0.4, a bare table 0.6 and 0.3."""
_SOFT_PX = 0.8
"""Softness of small pictures, as of those of the bank."""
_APART = 0.2
"""Distance of colours from which two faces differ in a pixel."""
_AROUND_PX = 5
_PRINT_PX = 3.0
"""Over how many pixels print changes, and bands of one colour do not."""
_ROUNDS = (PUSH, PUSH, (Level(1, 5, 6),))
"""A lens bends what is rigid a little, and numbers are told apart by a pixel."""
_FEW_PX = 8.0
"""Differing pixels that say nothing yet, so that a handful of them is no lead."""
_NEIGHBOURS = 3
"""Cards around a place that tell its light."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """How well a face agrees with what lies in a place.

    Attributes:
        id: The face.
        quad_px: (4, 2) its corners, from its top left.
        seen: Share of the face that agrees.
        fit: Correlation with what agrees.
        print_fit: The same of fine print alone: of what changes over a few pixels.
        margin: By how much it agrees better than the other faces where they differ, at least.
        margin_left: The same of those faces alone that lie nowhere else; 1 where there are none.
        differing_px: Pixels of the flat face in which the nearest of them differs.
        rival: That face.
    """

    id: str
    quad_px: Quad
    seen: float
    fit: float
    print_fit: float
    margin: float
    margin_left: float
    differing_px: float
    rival: str

    @property
    def worth(self) -> float:
        """What makes one verdict better than another."""
        return self.seen * max(self.margin, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A face of a bank as it may lie in a picture, and where no known card lies over it."""

    bank: FaceBank
    face: int
    quad: Quad
    free: Mask


class VisibleNamer:
    """Weighs a deck's faces by what hands leave of a card.

    Args:
        formats: The faces of the deck.
        image_bgr: (H, W, 3) uint8, the picture.
        known: Cards that are in plain view for the most part: they tell the light.
    """

    def __init__(
        self,
        formats: Sequence[FaceFormat],
        image_bgr: NDArray[np.uint8],
        known: Sequence[DetailMatch],
    ) -> None:
        self._banks = [FaceBank(members) for members in formats]
        self._image = image_bgr
        self._shades = [
            (match.quad_px.mean(axis=0), shade)
            for bank, match in product(self._banks, known)
            if (shade := self._shade_on(bank, match)) is not None
        ]

    def best(
        self, quads: Sequence[Quad], known: Sequence[DetailMatch], among: Collection[str]
    ) -> Verdict | None:
        """The verdict of the face that agrees best, or None where there is none to be had.

        Args:
            quads: (4, 2) corners each, those of true rectangles on the table: the ways in which
                it may lie.
            known: What lies there and has a name.
            among: Ids of the faces that are sought. All others of the deck are weighed, too.
        """
        covered = mask_of(self._image.shape[:2], [match.quad_px for match in known])
        free = np.asarray(255 - covered, np.uint8)
        starts = sorted(
            (
                start
                for bank, quad in product(self._banks if self._shades else (), quads)
                if bank.members(among).size
                for start in self._starts(_Place(bank, -1, quad, free), among)
            ),
            key=lambda start: -start[0],
        )
        verdicts = [self._verdict(place, among) for _, place in starts[:_TRIES]]
        return max(verdicts, key=lambda verdict: verdict.worth, default=None)

    def _shade_on(self, bank: FaceBank, match: DetailMatch) -> Shade | None:
        """How a card that is known looks, or None where it is of another bank or hardly seen."""
        rows = bank.members({match.id})
        if not rows.size:
            return None
        small = bank.shrink(bank.picture(int(rows[0])))
        crop = self._flat(match.quad_px, bank.format.coarse_wh)
        return shade_of(small.reshape(-1, 3), crop.reshape(-1, 3))

    def _shade_at(self, quad: Quad) -> Shade:
        """How the cards look that are nearest to a place."""
        middle = quad.mean(axis=0)
        near = sorted(self._shades, key=lambda pair: float(np.linalg.norm(pair[0] - middle)))
        gains = [shade.gain for _, shade in near[:_NEIGHBOURS]]
        offsets = [shade.offset for _, shade in near[:_NEIGHBOURS]]
        return Shade(np.median(gains, axis=0), np.median(offsets, axis=0))

    def _starts(self, about: _Place, among: Collection[str]) -> list[tuple[float, _Place]]:
        """The likeliest faces near a place by small pictures, where each would lie, and how well.

        Every second row and column does: the pictures are soft.
        """
        bank, quad = about.bank, about.quad
        rows = bank.members(among)
        width, height = size_wh = bank.format.coarse_wh
        pictures = np.stack([bank.shrink(bank.picture(int(row))) for row in rows])
        faces = np.ascontiguousarray(self._shade_at(quad).of(pictures)[:, ::2, ::2])
        crop = blur(self._flat(quad, size_wh, _MARGIN), _SOFT_PX)
        weight = self._weight(quad, about.free, size_wh, _MARGIN)
        pad_x, pad_y = (crop.shape[1] - width) // 2, (crop.shape[0] - height) // 2
        back = homography(flat_corners(size_wh) + np.array([pad_x, pad_y], np.float32), quad)
        tries: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
        for x, y, roll in product(range(2 * pad_x + 1), range(2 * pad_y + 1), (0, 2)):
            part = (slice(y, y + height), slice(x, x + width))
            turned, seen = (np.rot90(plane[part], roll)[::2, ::2] for plane in (crop, weight))
            agree = np.einsum("khw,hw->k", agreement(faces, turned), seen) / seen.size
            face = int(np.argmax(agree))
            if agree[face] > _LEAST_IN_VIEW:
                tries.setdefault((face, roll), []).append((float(agree[face]), x, y))
        starts = []
        for (face, roll), offsets in tries.items():
            fits = []
            for total, x, y in sorted(offsets, reverse=True)[:_OFFSETS]:
                turned = np.rot90(crop[y : y + height, x : x + width], roll)[::2, ::2]
                fit = correlation(faces[face], turned, agreement(faces[face][None], turned)[0])
                fits.append((total * fit, fit, x, y))
            worth, fit, x, y = max(fits)
            if fit < _LEAST_START:
                continue
            corners = apply_homography(back, flat_corners(size_wh) + np.array([x, y], np.float32))
            start = np.roll(corners, -roll, axis=0).astype(np.float32)
            starts.append((worth, _Place(bank, int(rows[face]), start, about.free)))
        return starts

    def _verdict(self, place: _Place, among: Collection[str]) -> Verdict:
        """What lies near a place: the face laid there, or the one that then agrees better."""
        verdict = self._laid(place, among)
        if verdict.margin < 0 and verdict.rival in among:
            rival = int(place.bank.members({verdict.rival})[0])
            near = _Place(place.bank, rival, verdict.quad_px, place.free)
            again = self._laid(near, among)
            return max(verdict, again, key=lambda one: one.worth)
        return verdict

    def _laid(self, place: _Place, among: Collection[str]) -> Verdict:
        """A face laid by what agrees of it, and compared with all others."""
        bank, quad = place.bank, place.quad
        size_wh = bank.format.size_wh
        shade = self._shade_at(quad)
        light = Light.from_gains(shade.gain)
        for levels in _ROUNDS:
            soft = bank.soft_picture(place.face, quad)
            crop = self._flat(quad, size_wh)
            weight = self._weight(quad, place.free, size_wh) * bank.opacity(place.face)
            shade = refined(shade, soft, crop, weight)
            agree = _smooth(agreement(shade.of(soft)[None], crop)[0])
            used = np.asarray(weight * (agree > AGREES), np.float32)
            laid = align(self._image, quad, Template(soft, used, light), levels)
            quad = laid if is_near(laid, quad) else quad
        return self._weighed(_Place(bank, place.face, quad, place.free), shade, among)

    def _weighed(self, place: _Place, shade: Shade, among: Collection[str]) -> Verdict:
        bank, face, quad = place.bank, place.face, place.quad
        size_wh = bank.format.size_wh
        crop = self._flat(quad, size_wh)
        weight = self._weight(quad, place.free, size_wh) * bank.opacity(face)
        soft = np.stack([bank.soft_picture(row, quad) for row in range(len(bank.format.faces))])
        faces = refined(shade, soft[face], crop, weight).of(soft)
        agree = agreement(faces, crop)
        own = _smooth(agree[face])
        seen = np.asarray(weight * (own > AGREES), np.float32)
        # A pixel that neither of two faces explains is a hand's, and no evidence for either.
        told = np.maximum(agree, agree[face]) > AGREES
        apart = np.abs(faces - faces[face]).max(axis=3) > _APART
        differing = weight * (apart & told)
        counts = differing.sum(axis=(1, 2))
        leads = ((agree[face] - agree) * differing).sum(axis=(1, 2)) / (counts + _FEW_PX)
        leads[face] = 1.0
        rival = int(np.argmin(leads))
        return Verdict(
            id=bank.format.faces[face].id,
            quad_px=quad,
            seen=float(seen.mean()),
            fit=correlation(faces[face], crop, seen),
            print_fit=correlation(_print(faces[face], seen), _print(crop, seen), seen),
            margin=float(leads[rival]),
            margin_left=float(leads[bank.members(among)].min()),
            differing_px=float(counts[rival]),
            rival=bank.format.faces[rival].id,
        )

    def _flat(self, quad: Quad, size_wh: tuple[int, int], margin: float = 0.0) -> Floats:
        flat = flatten(self._image, quad, size_wh, margin=margin)
        return np.asarray(flat / np.float32(255), np.float32)

    def _weight(
        self, quad: Quad, free: Mask, size_wh: tuple[int, int], margin: float = 0.0
    ) -> Floats:
        """(H, W) 1 where the picture shows a place and no known card lies over it, else 0."""
        weight = flatten(free, quad, size_wh, margin=margin) > 200
        if not margin:
            height, width = self._image.shape[:2]
            weight = weight & (inside_picture((width, height), quad, size_wh) > 0)
        return weight.astype(np.float32)


def _print(picture: Floats, seen: Floats) -> Floats:
    """What changes over a few pixels of a picture (H, W, 3), as far as it is seen (H, W)."""
    around = cv2.GaussianBlur(picture * seen[..., None], (0, 0), _PRINT_PX)
    share = cv2.GaussianBlur(seen, (0, 0), _PRINT_PX)
    return np.asarray(picture - around / (share[..., None] + 1e-3), np.float32)


def _smooth(agree: Floats) -> Floats:
    return np.asarray(cv2.blur(agree, (_AROUND_PX, _AROUND_PX)), np.float32)
