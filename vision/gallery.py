"""A deck's faces, and which of them a crop of the picture shows.

Naming goes from cheap to exact: a short list by small pictures under every rotation, the best
faces laid exactly onto the picture, then the likeliest compared pixel by pixel in that place. The
difference between two candidates counts only where they differ, so that cards that differ in one
small crab are told apart by that crab. *Unknown* beats wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.alignment import COARSE, FINE, Template, align, align_plain
from vision.comparing import Comparison, Crop, SmallPictures, blur, compare, sharpness_of
from vision.errors import GalleryError
from vision.faces import Face, FaceCard, FaceFormat, FaceSource, prepare, prepare_sources
from vision.flatten import Quad, flatten, inside_picture, side_lengths
from vision.photometry import NEUTRAL, Light, planes_of

Floats = NDArray[np.float32]

NAMED_SCORE = 0.8
"""Score from which a face is named; below it the piece stays unknown."""

_QUICK_LIST = 24
_STARTS = 6
_PLAIN_TRIES = 3
_PLAIN_CORRELATION = 0.8
_RIVALS = 10
_ROUNDS = 2
_LEADS = 2

_CLEAR_START = 0.004
"""A face that fits this well after being laid roughly is worth going on with at once."""

_CLEAR_FIT = 0.9
"""Correlation from which no other start is tried."""

_COARSE_BLUR = 0.8

_SQUARISH = 1.3
"""Sides this close to equal: under a tilt the card may lie along or across."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceMatch:
    """What a crop shows.

    Attributes:
        id: The face, or None where it is not sure.
        kind: The deck's kind of that face, or None.
        score: Probability that `guess` is right, 0 to 1.
        guess: The best face, sure or not.
        guess_kind: The deck's kind of the best face.
        runner_up: The next best face, or None where nothing else came near.
        rotation: Clockwise degrees by which the face is turned against the quad that was asked.
        quad_px: (4, 2) float32 corners from the face's own top left, laid exactly.
        visible: Share of the face that was seen to be there, 0 to 1.
        seen: (H, W) float32 of the flat face, 1 where it was seen to be there, 0 where not.
        explained: Share of what nothing known covers that the face explains, 0 to 1.
        fit: Correlation of what is visible with the reference, -1 to 1.
        gains: (3,) float32 gain of blue, green, red against the reference.
    """

    id: str | None
    kind: str | None
    score: float
    guess: str
    guess_kind: str
    runner_up: str | None
    rotation: int
    quad_px: Quad
    visible: float
    seen: Floats
    explained: float
    fit: float
    gains: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """Where in a picture a face is looked for.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        quad: (4, 2) float32 corners, clockwise, at any rotation.
        others: More quads at which the piece may lie, tried beside the first; their first corner
            is that of `quad`.
        cover: (H, W) uint8, not 0 where something is known to lie over the piece; or None.
        light: White balance that is expected.
    """

    image_bgr: NDArray[np.uint8]
    quad: Quad
    others: tuple[Quad, ...] = ()
    cover: NDArray[np.uint8] | None = None
    light: Light = NEUTRAL

    def crop(self, quad: Quad, size_wh: tuple[int, int]) -> Crop:
        """The flat crop of a quad, without what is covered or lies outside the picture."""
        image = self.image_bgr
        flat = (flatten(image, quad, size_wh) / 255).astype(np.float32)
        weight = inside_picture((image.shape[1], image.shape[0]), quad, size_wh)
        if self.cover is not None:
            weight = weight * (flatten(self.cover, quad, size_wh) < 32).astype(np.float32)
        sides = side_lengths(quad)
        density = float(sides[0::2].mean() * sides[1::2].mean()) / (size_wh[0] * size_wh[1])
        return Crop(flat, weight, min(1.0, density), self.light)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A face as it may lie: its row in a bank, and its quad from the face's own top left."""

    bank: int
    face: int
    roll: int
    quad: Quad
    energy: float


@dataclass(frozen=True, slots=True, eq=False)
class _Finding:
    """A candidate laid exactly, and its comparison with its rivals."""

    lead: _Candidate
    rivals: tuple[_Candidate, ...]
    comparison: Comparison

    @property
    def first(self) -> _Candidate:
        return self.rivals[int(self.comparison.order[0])]


class _Bank:
    """One format of faces with the arrays that comparing needs."""

    def __init__(self, faces: FaceFormat) -> None:
        self.format = faces
        coarse = [self.shrink(picture.astype(np.float32) / 255) for picture in faces.fine]
        opacity = [
            cv2.resize(mask, faces.coarse_wh, interpolation=cv2.INTER_AREA)
            for mask in faces.opacity
        ]
        self.small = SmallPictures(
            np.stack([planes_of(picture) for picture in coarse]),
            np.asarray(np.stack(opacity).reshape(len(coarse), -1) / 255, np.float32),
        )

    def shrink(self, picture: Floats) -> Floats:
        """The picture at the size of the small pictures, so soft that it may lie a bit beside."""
        small = cv2.resize(picture, self.format.coarse_wh, interpolation=cv2.INTER_AREA)
        return blur(small.astype(np.float32), _COARSE_BLUR)

    def shrink_crop(self, crop: Crop) -> Crop:
        """The crop at the size of the small pictures."""
        weight = cv2.resize(crop.weight, self.format.coarse_wh, interpolation=cv2.INTER_AREA)
        return Crop(self.shrink(crop.colours), np.asarray(weight, np.float32), 1.0, crop.light)

    def members(self, among: Collection[str] | None) -> NDArray[np.intp]:
        """Rows of the faces that are possible."""
        faces = self.format.faces
        rows = [row for row, card in enumerate(faces) if among is None or card.id in among]
        return np.array(rows, np.intp)

    def picture(self, face: int) -> Floats:
        """(H, W, 3) float32 colours of a face from 0 to 1."""
        return np.asarray(self.format.fine[face] / 255, np.float32)

    def opacity(self, face: int) -> Floats:
        """(H, W) float32, 0 outside the face."""
        return np.asarray(self.format.opacity[face] / 255, np.float32)

    def turned(self, face: int, quarters: int, sigma: float) -> tuple[Floats, Floats]:
        """Picture and opacity of a face turned clockwise by so many quarters and blurred."""
        picture = np.ascontiguousarray(np.rot90(self.picture(face), -quarters))
        opacity = np.ascontiguousarray(np.rot90(self.opacity(face), -quarters))
        if picture.shape[1::-1] != self.format.size_wh:
            picture = _resized(picture, self.format.size_wh)
            opacity = _resized(opacity, self.format.size_wh)
        return blur(picture, sigma), opacity


class Gallery:
    """The faces of one deck."""

    def __init__(self, formats: Sequence[FaceFormat]) -> None:
        self._banks = tuple(_Bank(members) for members in formats)
        self.faces: dict[str, FaceCard] = {
            card.id: card for members in formats for card in members.faces
        }

    @classmethod
    def from_faces(cls, faces: Sequence[Face]) -> Gallery:
        """The gallery of faces whose pictures are at hand.

        Raises:
            GalleryError: There is no face, an id twice, or a picture that cannot be used.
        """
        return cls(prepare(faces))

    @classmethod
    def from_sources(
        cls, sources: Sequence[FaceSource], cache_folder: Path | None = None
    ) -> Gallery:
        """The gallery of the pictures in a deck pack, kept for the next start.

        Raises:
            GalleryError: As `from_faces`, or the bytes are no picture.
        """
        return cls(prepare_sources(sources, cache_folder))

    def identify(self, sighting: Sighting, among: Collection[str] | None = None) -> FaceMatch:
        """Name the face inside a quad.

        Args:
            sighting: Where to look.
            among: Ids of the faces that are possible; all of the deck's by default.

        Raises:
            GalleryError: None of the possible ids is in the deck.
        """
        candidates: list[_Candidate] = []
        for number, bank in enumerate(self._banks):
            places = [
                (np.roll(quad, -roll, axis=0).astype(np.float32), roll)
                for quad in (sighting.quad, *sighting.others)
                for roll in _rolls(quad, bank.format)
            ]
            candidates += self._near(sighting, number, places, among)
        if not candidates:
            raise GalleryError("no face of the deck is among the ids that are possible here")
        plain = self._plain(
            sighting, _distinct(sorted(candidates, key=_energy))[:_PLAIN_TRIES], among
        )
        if plain is not None:
            return self._match(plain)
        starts = self._pushed(sighting, _distinct(sorted(candidates, key=_energy))[:_STARTS])
        best: _Finding | None = None
        for start in starts[:_LEADS]:
            finding = self._settle(sighting, start, among)
            if best is None or finding.comparison.energies[0] < best.comparison.energies[0]:
                best = finding
            if best.comparison.fit >= _CLEAR_FIT:
                break
        assert best is not None
        return self._match(best)

    def _near(
        self,
        sighting: Sighting,
        number: int,
        places: Sequence[tuple[Quad, int]],
        among: Collection[str] | None,
    ) -> list[_Candidate]:
        """The likeliest faces of a bank at some quads, by small pictures.

        Args:
            sighting: Where to look.
            number: The bank.
            places: Quads from the top left that the face would have, and its roll there.
            among: Ids of the faces that are possible.
        """
        bank = self._banks[number]
        faces = bank.members(among)
        if not faces.size or not places:
            return []
        crops = [bank.shrink_crop(sighting.crop(q, bank.format.size_wh)) for q, _ in places]
        quick = np.stack([bank.small.quick_energies(crop)[faces] for crop in crops])
        chosen = np.argsort(quick, axis=None, kind="stable")[:_QUICK_LIST]
        found = []
        for place in sorted({int(cell) // len(faces) for cell in chosen}):
            rows = np.sort(faces[chosen[chosen // len(faces) == place] % len(faces)])
            quad, roll = places[place]
            energies = bank.small.careful_energies(rows, crops[place])
            found += [
                _Candidate(number, int(face), roll, quad, float(energy))
                for face, energy in zip(rows, energies, strict=True)
            ]
        return sorted(found, key=_energy)

    def _plain(
        self,
        sighting: Sighting,
        candidates: Sequence[_Candidate],
        among: Collection[str] | None,
    ) -> _Finding | None:
        """A face that lies in full view, the quick way; None where it is not that plain."""
        for candidate in candidates:
            bank = self._banks[candidate.bank]
            template = Template(
                blur(
                    bank.picture(candidate.face),
                    _soft_sigma(candidate.quad, bank.format.size_wh),
                ),
                bank.opacity(candidate.face),
                sighting.light,
            )
            quad, correlation = align_plain(sighting.image_bgr, candidate.quad, template)
            if correlation < _PLAIN_CORRELATION or not _is_near(quad, candidate.quad):
                continue
            finding = self._compared(
                sighting,
                _Candidate(candidate.bank, candidate.face, candidate.roll, quad, 0.0),
                among,
            )
            is_same = (finding.first.face, finding.first.roll) == (candidate.face, candidate.roll)
            if is_same and finding.comparison.fit >= _CLEAR_FIT:
                return finding
        return None

    def _pushed(self, sighting: Sighting, candidates: Sequence[_Candidate]) -> list[_Candidate]:
        """The candidates after each was laid roughly, the best first."""
        pushed = []
        for candidate in candidates:
            bank = self._banks[candidate.bank]
            crop = sighting.crop(candidate.quad, bank.format.size_wh)
            template = Template(
                bank.picture(candidate.face),
                bank.opacity(candidate.face) * crop.weight,
                sighting.light,
            )
            quad = align(sighting.image_bgr, candidate.quad, template, COARSE)
            crop = bank.shrink_crop(sighting.crop(quad, bank.format.size_wh))
            energy = float(bank.small.careful_energies(np.array([candidate.face]), crop)[0])
            better = (
                (quad, energy) if energy < candidate.energy else (candidate.quad, candidate.energy)
            )
            pushed.append(_Candidate(candidate.bank, candidate.face, candidate.roll, *better))
            if energy < _CLEAR_START:
                break
        return sorted(pushed, key=_energy)

    def _settle(
        self, sighting: Sighting, start: _Candidate, among: Collection[str] | None
    ) -> _Finding:
        """Lay a candidate exactly; where another face then fits better, lay that one."""
        finding = self._lay(sighting, start, among)
        for _ in range(_ROUNDS):
            lead, first = finding.lead, finding.first
            is_same = (first.face, first.roll) == (lead.face, lead.roll)
            if is_same and finding.comparison.fit >= _CLEAR_FIT:
                break
            again = self._lay(sighting, first, among)
            if again.comparison.energies[0] >= finding.comparison.energies[0]:
                break
            finding = again
        return finding

    def _lay(self, sighting: Sighting, lead: _Candidate, among: Collection[str] | None) -> _Finding:
        bank = self._banks[lead.bank]
        size_wh = bank.format.size_wh
        weight = bank.opacity(lead.face) * sighting.crop(lead.quad, size_wh).weight
        soft = blur(bank.picture(lead.face), _soft_sigma(lead.quad, size_wh))
        laid = align(sighting.image_bgr, lead.quad, Template(soft, weight, sighting.light), FINE)
        quad = laid if _is_near(laid, lead.quad) else lead.quad
        return self._compared(
            sighting, _Candidate(lead.bank, lead.face, lead.roll, quad, lead.energy), among
        )

    def _compared(
        self, sighting: Sighting, lead: _Candidate, among: Collection[str] | None
    ) -> _Finding:
        """A laid candidate beside the faces that look most like what lies in its place."""
        bank = self._banks[lead.bank]
        size_wh = bank.format.size_wh
        quad = lead.quad
        crop = sighting.crop(quad, size_wh)
        sigma = sharpness_of(bank.picture(lead.face), crop)
        rolls = [0, 1, 2, 3] if bank.format.is_square else [0, 2]
        turns = [(np.roll(quad, -roll, axis=0).astype(np.float32), roll) for roll in rolls]
        near = self._near(sighting, lead.bank, turns, among)[:_RIVALS]
        rivals = [lead]
        for other in near:
            if other.face != lead.face or other.roll != 0:
                roll = (lead.roll + other.roll) % 4
                rivals.append(_Candidate(other.bank, other.face, roll, other.quad, other.energy))
        turned = [bank.turned(r.face, r.roll - lead.roll, sigma) for r in rivals]
        comparison = compare(
            np.stack([picture for picture, _ in turned]),
            np.stack([opacity for _, opacity in turned]),
            crop,
        )
        return _Finding(lead, tuple(rivals), comparison)

    def _match(self, finding: _Finding) -> FaceMatch:
        comparison = finding.comparison
        ranked = [finding.rivals[int(row)] for row in comparison.order]
        cards = [self._banks[c.bank].format.faces[c.face] for c in ranked]
        best, card = ranked[0], cards[0]
        rivals = [row for row, other in enumerate(cards) if other.id != card.id]
        score = score_of(comparison, rivals)
        is_named = score >= NAMED_SCORE
        opacity = self._banks[best.bank].opacity(best.face)
        return FaceMatch(
            id=card.id if is_named else None,
            kind=card.kind if is_named else None,
            score=score,
            guess=card.id,
            guess_kind=card.kind,
            runner_up=cards[rivals[0]].id if rivals else None,
            rotation=best.roll * 90,
            quad_px=best.quad,
            visible=float(comparison.visible.sum() / max(float((opacity > 0.5).sum()), 1.0)),
            seen=_turned_back(comparison.visible, best.roll - finding.lead.roll),
            explained=comparison.explained,
            fit=comparison.fit,
            gains=comparison.gains,
        )


def score_of(comparison: Comparison, rivals: Sequence[int]) -> float:
    """Probability that the first face is right, from its fit and its lead over its rivals.

    Args:
        comparison: Faces compared with the crop.
        rivals: Rows of the comparison that show another face.
    """
    doubt = 0.0
    for row in rivals:
        lead = min(float(comparison.advantages[row]) / 4, 12 * float(comparison.margins[row]))
        doubt += float(np.exp(-max(lead, 0.0)))
    certain = 1 / (1 + doubt)
    fits = 1 / (1 + float(np.exp(-(comparison.fit - 0.87) / 0.012)))
    return certain * fits


def _resized(plane: Floats, size_wh: tuple[int, int]) -> Floats:
    return np.asarray(cv2.resize(plane, size_wh, interpolation=cv2.INTER_AREA), np.float32)


def _turned_back(seen: Floats, quarters: int) -> Floats:
    """A mask in the lead's frame as one in the frame of a face turned by so many quarters."""
    return np.ascontiguousarray(np.rot90(seen, quarters))


def _energy(candidate: _Candidate) -> float:
    return candidate.energy


def _distinct(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The best of each face and roll."""
    best: dict[tuple[int, int, int], _Candidate] = {}
    for candidate in candidates:
        best.setdefault((candidate.bank, candidate.face, candidate.roll), candidate)
    return list(best.values())


def _rolls(quad: Quad, faces: FaceFormat) -> list[int]:
    """By how many corners the face's top left may lie behind the first of the quad."""
    sides = side_lengths(quad)
    across, down = float(sides[0::2].mean()), float(sides[1::2].mean())
    if faces.is_square or max(across, down) < _SQUARISH * min(across, down):
        return [0, 1, 2, 3]
    upright = (across < down) == (faces.size_wh[0] < faces.size_wh[1])
    return [0, 2] if upright else [1, 3]


def _soft_sigma(quad: Quad, size_wh: tuple[int, int]) -> float:
    """Blur of a picture of ordinary sharpness, in canonical pixels."""
    sides = side_lengths(quad)
    return 0.8 * max(1.0, size_wh[0] / max(float(sides[0::2].mean()), 1.0))


def _is_near(laid: Quad, quad: Quad) -> bool:
    """Whether the laid quad is still the same piece and not folded up."""
    size = float(side_lengths(quad).min())
    if float(np.abs(laid - quad).max()) > 0.35 * size:
        return False
    return bool(cv2.isContourConvex(np.round(laid * 16).astype(np.int32)))
