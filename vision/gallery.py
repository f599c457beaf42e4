"""A deck's faces, and which of them a crop of the picture shows.

Naming goes from cheap to exact: a short list by small pictures under every rotation, the best
faces laid exactly onto the picture, then the likeliest compared pixel by pixel in that place. The
difference between two candidates counts only where they differ, so that cards that differ in one
small crab are told apart by that crab. *Unknown* beats wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.alignment import (
    COARSE,
    FINE,
    FINISH,
    PUSH,
    Level,
    Template,
    align,
    align_plain,
    lay,
)
from vision.bank import FaceBank
from vision.candidates import (
    CLEAR_FIT,
    MOSTLY_SEEN,
    Candidate,
    Finding,
    distinct,
    energy_of,
    misfit_of,
    score_of,
)
from vision.comparing import Crop, compare, sharpness_of
from vision.errors import GalleryError
from vision.faces import Face, FaceCard, FaceFormat, FaceSource, prepare, prepare_sources
from vision.flatten import Quad, is_near
from vision.shade import in_even_light, unshaded
from vision.shortlist import ShortList
from vision.sighting import Effort, FaceMatch, Sighting
from vision.spotting import spotter_of
from vision.table import PieceKind

Floats = NDArray[np.float32]

NAMED_SCORE = 0.8
"""Score from which a face is named; below it the piece stays unknown."""

_STARTS = 6
_NEAR_TRIES = 2
_AS_LIKELY = 1.5
"""Misfit, as a multiple of the best one's, up to which the second is tried as well: of 303 faces
that lay where they were found, 12 were the second, at most 1.17 times as bad."""
_PLAIN_TRIES = 2
_PLAIN_LIKE = 0.45
"""Likeness of small pictures below which a spotted face is not plain: 49 such had 0.5 and more."""
_LEAST_LIKE = 0.35
"""Likeness of small pictures below which a watched table shows no face: half hidden ones had 0.41
and more, a third of what is no card at all had less than this."""
_TURNED_TRIES = 2
_LEAST_TURNED = 0.4
"""Likeness of small pictures below which a card in the hand is not sought: held ones reach 0.45."""
_PLAIN_CORRELATION = 0.8
_RIVALS = 10
_ROUNDS = 2
_LEADS = 4

_CLEAR_START = 0.004
"""A face that fits this well after being laid roughly is worth going on with at once."""


_LEAST_SEEN = 0.28
"""With less of a face in view, rims and plain corners would name it."""

_WORTH_GOING_ON = 0.7
"""Fit of the likeliest face below which a watched table shows no other: where a face was found on
26 tables the first had 0.85 and more, where none was mostly 0.3 to 0.6."""

_MAY_BE_SHADED = 0.6
"""Fit of the likeliest face from which a shadow's edge may be all that is amiss."""

_HOPELESS_FIT = 0.45
"""A face that was laid and fits no better than this is not worth laying once more."""


class Gallery:
    """The faces of one deck."""

    def __init__(self, formats: Sequence[FaceFormat]) -> None:
        self._banks = tuple(FaceBank(members) for members in formats)
        self._short = ShortList(self._banks, [spotter_of(members) for members in formats])
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

    @property
    def formats(self) -> tuple[FaceFormat, ...]:
        """The faces as they are compared, by format."""
        return tuple(bank.format for bank in self._banks)

    def ids_of(self, kind: PieceKind) -> list[str]:
        """Ids of the faces of pieces of a kind."""
        return [card.id for card in self.faces.values() if card.piece_kind is kind]

    def identify(
        self, sighting: Sighting, among: Collection[str] | None = None
    ) -> FaceMatch | None:
        """Name the face inside a quad, in even light where a shadow ends on it.

        Args:
            sighting: Where to look.
            among: Ids of the faces that are possible; all of the deck's by default.

        Returns:
            The match, or None where a glance did not do, or where a table is being watched and
            nothing around the place resembles a face.

        Raises:
            GalleryError: None of the possible ids is in the deck.
        """
        match = self._identify(sighting, among)
        is_open = sighting.effort in (Effort.THOROUGH, Effort.SEARCH)
        if not is_open or (match is not None and match.id is not None):
            return match
        even = in_even_light(sighting, self._banks[0].format.size_wh)
        again = None if even is None else self._identify(even, among)
        return again if again is not None and again.id is not None else match

    def _identify(self, sighting: Sighting, among: Collection[str] | None) -> FaceMatch | None:
        """Name the face inside a quad, or say that nothing there is worth it."""
        candidates = self._short.around(sighting, (sighting.quad,), among)
        likeliest = [
            each
            for each in distinct(candidates)[:_NEAR_TRIES]
            if each.energy <= _AS_LIKELY * candidates[0].energy
        ]
        plain = self._plain(sighting, likeliest, among)
        if plain is not None:
            return self._match([plain])
        if sighting.effort is Effort.GLANCE and candidates:
            return None
        # Small pictures do not know what is covered: they would fit best where little is seen.
        is_thorough = sighting.effort is Effort.THOROUGH
        boxes = (sighting.quad, *(sighting.others[:1] if is_thorough else ()))
        for quad in boxes if sighting.cover is None else ():
            spotted = self._short.spotted(sighting, quad, sighting.likely or among)
            likeliest = [each for each in spotted[:_PLAIN_TRIES] if each.energy <= -_PLAIN_LIKE]
            plain = self._plain(sighting, likeliest, among)
            if plain is not None:
                return self._match([plain])
            if not is_thorough and spotted and spotted[0].energy > -_LEAST_LIKE:
                return None
            candidates += self._short.weighed(sighting, spotted)
        if not candidates:
            raise GalleryError("no face of the deck is among the ids that are possible here")
        if not is_thorough:
            best = min(candidates, key=energy_of)
            is_strict = sighting.effort is not Effort.CLAIM
            return self._match([self._settle(sighting, best, among)], is_strict=is_strict)
        candidates += self._short.around(sighting, sighting.others, among)
        starts = self._pushed(sighting, distinct(sorted(candidates, key=energy_of))[:_STARTS])
        findings: list[Finding] = []
        for start in starts[:_LEADS]:
            findings.append(self._settle(sighting, start, among))
            is_far_off = findings[-1].comparison.fit < _WORTH_GOING_ON
            if findings[-1].is_clear or (sighting.is_watched and is_far_off):
                break
        return self._match(_hopeful(findings))

    def identify_turned(
        self,
        image_bgr: NDArray[np.uint8],
        quads: Sequence[Quad],
        among: Collection[str] | None = None,
    ) -> FaceMatch | None:
        """Names a face of which only the place is known, not how it is turned.

        A hand that holds the card down may hide a part of it.

        Args:
            image_bgr: (H, W, 3) uint8.
            quads: (4, 2) float32 each: the ways in which the piece may lie.
            among: Ids of the faces that are possible; all of the deck's by default.

        Returns:
            The match, or None where nothing there resembles a face.
        """
        sighting = Sighting(image_bgr, quads[0])
        findings: list[Finding] = []
        for start in self._short.turned(image_bgr, quads, among, _TURNED_TRIES):
            if start.energy > -_LEAST_TURNED:
                break
            findings.append(self._settle(sighting, start, among))
            if findings[-1].is_clear:
                return self._match(findings[-1:], is_strict=False)
        best = min(findings, key=misfit_of, default=None)
        return None if best is None else self._match([best], is_strict=False)

    def confirm(
        self, sighting: Sighting, face_id: str, among: Collection[str] | None = None
    ) -> FaceMatch:
        """Compare what lies in a quad of the right shape with the faces, one of which is expected.

        Args:
            sighting: Where to look; its quad starts at the top left of the expected face. That of
                a claim has been laid already.
            face_id: The face that is expected; the answer may be another one.
            among: Ids of the faces that are possible; all of the deck's by default.
        """
        is_claim = sighting.effort is Effort.CLAIM
        for number, bank in enumerate(self._banks):
            for face in bank.members({face_id}):
                lead = Candidate(number, int(face), 0, sighting.quad, 0.0)
                finding, _ = self._lay(sighting, lead, among, () if is_claim else PUSH)
                return self._match([finding], is_strict=not is_claim)
        raise GalleryError(f"the deck has no face {face_id!r}")

    def _card(self, candidate: Candidate) -> FaceCard:
        return self._banks[candidate.bank].format.faces[candidate.face]

    def _plain(
        self,
        sighting: Sighting,
        candidates: Sequence[Candidate],
        among: Collection[str] | None,
    ) -> Finding | None:
        """A face that lies in full view, the quick way; None where it is not that plain."""
        for candidate in candidates:
            bank = self._banks[candidate.bank]
            template = Template(
                bank.soft_picture(candidate.face, candidate.quad),
                bank.opacity(candidate.face),
                sighting.light,
            )
            quad, correlation = align_plain(sighting.image_bgr, candidate.quad, template)
            if correlation < _PLAIN_CORRELATION or not is_near(quad, candidate.quad):
                continue
            if sighting.effort is Effort.THOROUGH:
                quad = align(sighting.image_bgr, quad, template, FINISH)
            finding = self._compared(
                sighting,
                Candidate(candidate.bank, candidate.face, candidate.roll, quad, 0.0),
                among,
            )
            if finding.is_clear:
                return finding
        return None

    def _pushed(self, sighting: Sighting, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates after each was laid roughly, the best first."""
        pushed = []
        for candidate in candidates:
            bank = self._banks[candidate.bank]
            weight = sighting.weight(candidate.quad, bank.format.size_wh)
            template = Template(
                bank.picture(candidate.face),
                bank.opacity(candidate.face) * weight,
                sighting.light,
            )
            quad = align(sighting.image_bgr, candidate.quad, template, COARSE)
            crop = bank.shrink_crop(sighting.crop(quad, bank.format.size_wh))
            rows, here = np.array([candidate.face], np.intp), np.zeros(1, np.intp)
            energy = float(bank.small.careful_energies(rows, [crop], here)[0])
            energy /= crop.in_view
            better = (
                (quad, energy) if energy < candidate.energy else (candidate.quad, candidate.energy)
            )
            pushed.append(Candidate(candidate.bank, candidate.face, candidate.roll, *better))
            if energy < _CLEAR_START and crop.weight.mean() > MOSTLY_SEEN:
                break
        return sorted(pushed, key=energy_of)

    def _settle(
        self, sighting: Sighting, start: Candidate, among: Collection[str] | None
    ) -> Finding:
        """Lay a candidate exactly; where another face then fits better, lay that one."""
        finding, is_still = self._lay(sighting, start, among)
        for _ in range(_ROUNDS):
            lead, first, fit = finding.lead, finding.first, finding.comparison.fit
            is_same = (first.face, first.roll) == (lead.face, lead.roll)
            if is_same and (is_still or not _HOPELESS_FIT < fit < CLEAR_FIT):
                break
            if self._seen_of(finding) < _LEAST_SEEN:
                break
            again, is_still = self._lay(sighting, first, among)
            if again.comparison.energies[0] >= finding.comparison.energies[0]:
                break
            finding = again
        return finding

    def _lay(
        self,
        sighting: Sighting,
        lead: Candidate,
        among: Collection[str] | None,
        levels: Sequence[Level] = FINE,
    ) -> tuple[Finding, bool]:
        """A candidate laid and compared, and whether laying it once more would change nothing."""
        bank = self._banks[lead.bank]
        weight = bank.opacity(lead.face) * sighting.weight(lead.quad, bank.format.size_wh)
        soft = bank.soft_picture(lead.face, lead.quad)
        template = Template(soft, weight, sighting.light)
        laid = lay(sighting.image_bgr, lead.quad, template, levels)
        quad = laid.quad if is_near(laid.quad, lead.quad) else lead.quad
        finding = self._compared(
            sighting, Candidate(lead.bank, lead.face, lead.roll, quad, lead.energy), among
        )
        return finding, laid.is_still or bool((quad == lead.quad).all())

    def _compared(
        self, sighting: Sighting, lead: Candidate, among: Collection[str] | None
    ) -> Finding:
        """A laid candidate beside the faces that look most like what lies in its place."""
        bank = self._banks[lead.bank]
        crop = sighting.crop(lead.quad, bank.format.size_wh)
        finding = self._compared_in(crop, lead, among)
        if finding.comparison.fit < _MAY_BE_SHADED or finding.is_plain:
            return finding
        best = finding.first
        even = unshaded(crop, bank.turned(best.face, best.roll - lead.roll, 0.0).picture)
        if even is None:
            return finding
        lit = self._compared_in(even, lead, among)
        return lit if lit.comparison.fit > finding.comparison.fit else finding

    def _compared_in(self, crop: Crop, lead: Candidate, among: Collection[str] | None) -> Finding:
        """A laid candidate beside its rivals, in a crop of its place."""
        bank = self._banks[lead.bank]
        sigma = sharpness_of(lambda sigma: bank.turned(lead.face, 0, sigma), crop)
        rivals = [lead]
        for other in self._short.beside(lead, crop, among)[:_RIVALS]:
            if other.face != lead.face or other.roll != lead.roll:
                rivals.append(other)
        turned = [bank.turned(r.face, r.roll - lead.roll, sigma) for r in rivals]
        return Finding(lead, tuple(rivals), compare(turned, crop))

    def _seen_of(self, finding: Finding) -> float:
        """Share of the best face that was seen to be there."""
        best = finding.first
        opacity = self._banks[best.bank].opacity(best.face)
        return float(finding.comparison.visible.sum() / max(float((opacity > 0.5).sum()), 1.0))

    def _match(self, findings: Sequence[Finding], *, is_strict: bool = True) -> FaceMatch:
        finding = findings[0]
        comparison = finding.comparison
        ranked = [finding.rivals[int(row)] for row in comparison.order]
        cards = [self._card(candidate) for candidate in ranked]
        best, card = ranked[0], cards[0]
        rivals = [row for row, other in enumerate(cards) if other.id != card.id]
        elsewhere = [
            misfit_of(other) / max(misfit_of(finding), 1e-6)
            for other in findings[1:]
            if self._card(other.first).id != card.id
        ]
        score = score_of(comparison, rivals, elsewhere, is_strict=is_strict)
        visible = self._seen_of(finding)
        if visible < _LEAST_SEEN:
            score *= visible
        is_named = score >= NAMED_SCORE
        return FaceMatch(
            id=card.id if is_named else None,
            kind=card.kind if is_named else None,
            score=score,
            guess=card.id,
            guess_kind=card.kind,
            runner_up=cards[rivals[0]].id if rivals else None,
            rotation=best.roll * 90,
            quad_px=best.quad,
            visible=visible,
            seen=_turned_back(comparison.visible, best.roll - finding.lead.roll),
            explained=comparison.explained,
            fit=comparison.fit,
            gains=comparison.gains,
        )


def _hopeful(findings: Sequence[Finding]) -> list[Finding]:
    """Findings from the best to the worst; a plain strip, which fits anything, is no rival."""
    hopeful = [each for each in findings if each.comparison.fit > _HOPELESS_FIT]
    return sorted(hopeful or findings, key=misfit_of)


def _turned_back(seen: Floats, quarters: int) -> Floats:
    """A mask in the lead's frame as one in the frame of a face turned by so many quarters."""
    return np.ascontiguousarray(np.rot90(seen, quarters))
