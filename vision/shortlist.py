"""The likeliest faces in a place, by small pictures: from all of a deck's to a few worth laying."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bank import FaceBank
from vision.candidates import Candidate, energy_of
from vision.comparing import Crop
from vision.flatten import Quad, begun_at
from vision.sighting import Sighting
from vision.spotting import Spotter, starts_of

_QUICK_LIST = 24
_SPOTS = 6


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a face may lie.

    Attributes:
        quad: (4, 2) float32 from the face's top left.
        crop: The small crop of it.
        roll: By how many corners the face's top left lies behind the first that was given.
    """

    quad: Quad
    crop: Crop
    roll: int


class ShortList:
    """Draws up candidates.

    Args:
        banks: The faces, a bank for each format.
        spotters: The same faces ready to be slid, one for each bank.
    """

    def __init__(self, banks: Sequence[FaceBank], spotters: Sequence[Spotter]) -> None:
        self._banks = banks
        self._spotters = spotters

    def around(
        self, sighting: Sighting, quads: Sequence[Quad], among: Collection[str] | None
    ) -> list[Candidate]:
        """The likeliest faces right at some quads, by small pictures, the best first."""
        found: list[Candidate] = []
        for number, bank in enumerate(self._banks):
            places = [
                _Place(begun_at(quad, roll), crop, roll)
                for quad in quads
                for roll, crop in _small_crops(bank, sighting, quad)
            ]
            found += self._near(number, places, among)
        return sorted(found, key=energy_of)

    def beside(self, lead: Candidate, crop: Crop, among: Collection[str] | None) -> list[Candidate]:
        """The likeliest faces in the place of a laid one, whichever way up, the best first.

        Args:
            lead: The laid face.
            crop: The crop of its quad.
            among: Ids of the faces that are possible.
        """
        bank = self._banks[lead.bank]
        small = bank.shrink_crop(crop)
        places = [
            _Place(begun_at(lead.quad, roll), small.rolled(roll), (lead.roll + roll) % 4)
            for roll in (range(4) if bank.format.is_square else (0, 2))
        ]
        return self._near(lead.bank, places, among)

    def _near(
        self, number: int, places: Sequence[_Place], among: Collection[str] | None
    ) -> list[Candidate]:
        """The likeliest faces of a bank in some places, the best first.

        Args:
            number: The bank.
            places: Where a face may lie.
            among: Ids of the faces that are possible.
        """
        bank = self._banks[number]
        faces = bank.members(among)
        if not faces.size or not places:
            return []
        crops = [place.crop for place in places]
        quick = bank.small.quick_energies(crops)[:, faces]
        chosen = np.argsort(quick, axis=None, kind="stable")[:_QUICK_LIST]
        at, columns = np.divmod(np.sort(chosen), len(faces))  # by place, then by face
        energies = bank.small.careful_energies(faces[columns], crops, at)
        energies /= np.array([crop.in_view for crop in crops], np.float32)[at]
        cells = zip(at.tolist(), faces[columns].tolist(), energies.tolist(), strict=True)
        found = [
            Candidate(number, face, places[cell].roll, places[cell].quad, energy)
            for cell, face, energy in cells
        ]
        return sorted(found, key=energy_of)

    def spotted(
        self, sighting: Sighting, quad: Quad, among: Collection[str] | None
    ) -> list[Candidate]:
        """The likeliest faces anywhere around the box, by small pictures slid over it.

        Returns:
            Candidates, the best first, whose energy is their likeness, negated; see `weighed`.
        """
        found: list[Candidate] = []
        for number, bank in enumerate(self._banks):
            faces = bank.members(among)
            for start in starts_of(quad, is_square=bank.format.is_square):
                if not faces.size:
                    continue
                spots = self._spotters[number].spot(sighting.image_bgr, start, faces, _SPOTS)
                turned = int(np.abs(start[0] - quad[0]).max() > 1e-3)
                found += [
                    Candidate(
                        number, spot.face, (spot.roll + turned) % 4, spot.quad, -spot.correlation
                    )
                    for spot in spots
                ]
        return sorted(found, key=energy_of)

    def weighed(self, sighting: Sighting, spotted: Sequence[Candidate]) -> list[Candidate]:
        """Spotted candidates with their misfit as energy, as all others have it."""
        weighed = []
        for number, bank in enumerate(self._banks):
            mine = [candidate for candidate in spotted if candidate.bank == number]
            if not mine:
                continue
            size_wh, rows = bank.format.size_wh, np.array([each.face for each in mine], np.intp)
            crops = [bank.shrink_crop(sighting.crop(each.quad, size_wh)) for each in mine]
            energies = bank.small.careful_energies(rows, crops, np.arange(len(mine))).tolist()
            weighed += [
                replace(each, energy=energy) for each, energy in zip(mine, energies, strict=True)
            ]
        return weighed

    def turned(
        self,
        image_bgr: NDArray[np.uint8],
        quads: Sequence[Quad],
        among: Collection[str] | None,
        most: int,
    ) -> list[Candidate]:
        """The likeliest faces in cards that are turned in several ways, the best first.

        Args:
            image_bgr: (H, W, 3) uint8.
            quads: (4, 2) float32 each: the ways in which the card may lie.
            among: Ids of the faces that are possible.
            most: How many candidates at most.

        Returns:
            Candidates whose energy is the likeness of the small picture, negated: -1 at best.
        """
        found = [
            Candidate(number, spot.face, spot.roll, spot.quad, -spot.correlation)
            for number, bank in enumerate(self._banks)
            if (faces := bank.members(among)).size
            for spot in self._spotters[number].spot_turned(image_bgr, quads, faces, most)
        ]
        return sorted(found, key=energy_of)[:most]


def _small_crops(bank: FaceBank, sighting: Sighting, quad: Quad) -> Iterator[tuple[int, Crop]]:
    """The rolls under which a face may lie in a quad, and the small crop of each.

    Crops that only begin at another corner are turned, not cut out once more.
    """
    cut: dict[int, Crop] = {}
    step = 1 if bank.format.is_square else 2
    for roll in bank.rolls_at(quad):
        start = roll % step
        if start not in cut:
            crop = sighting.crop(begun_at(quad, start), bank.format.size_wh)
            cut[start] = bank.shrink_crop(crop)
        yield roll, cut[start].rolled(roll - start)
