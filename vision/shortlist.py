"""The likeliest faces in a place, by small pictures: from all of a deck's to a few worth laying."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bank import FaceBank
from vision.candidates import Candidate, energy_of
from vision.flatten import Quad
from vision.sighting import Sighting
from vision.spotting import Spotter, starts_of

_QUICK_LIST = 24
_SPOTS = 6


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
                (np.roll(quad, -roll, axis=0).astype(np.float32), roll)
                for quad in quads
                for roll in bank.rolls_at(quad)
            ]
            found += self.near(sighting, number, places, among)
        return sorted(found, key=energy_of)

    def near(
        self,
        sighting: Sighting,
        number: int,
        places: Sequence[tuple[Quad, int]],
        among: Collection[str] | None,
    ) -> list[Candidate]:
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
            energies = energies / crops[place].in_view
            found += [
                Candidate(number, int(face), roll, quad, float(energy))
                for face, energy in zip(rows, energies, strict=True)
            ]
        return sorted(found, key=energy_of)

    def spotted(
        self, sighting: Sighting, quad: Quad, among: Collection[str] | None
    ) -> list[Candidate]:
        """The likeliest faces anywhere around the box, by small pictures slid over it."""
        found: list[tuple[float, Candidate]] = []
        for number, bank in enumerate(self._banks):
            faces = bank.members(among)
            for start in starts_of(quad, is_square=bank.format.is_square):
                if not faces.size:
                    continue
                spots = self._spotters[number].spot(sighting.image_bgr, start, faces, _SPOTS)
                turned = int(np.abs(start[0] - quad[0]).max() > 1e-3)
                for spot in spots:
                    crop = bank.shrink_crop(sighting.crop(spot.quad, bank.format.size_wh))
                    energy = float(bank.small.careful_energies(np.array([spot.face]), crop)[0])
                    roll = (spot.roll + turned) % 4
                    found.append(
                        (
                            spot.correlation,
                            Candidate(number, spot.face, roll, spot.quad, energy),
                        )
                    )
        found.sort(key=lambda pair: -pair[0])
        return [candidate for _, candidate in found]

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
