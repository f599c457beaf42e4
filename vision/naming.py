"""Naming all pieces of one picture, each with the help of those that are already sure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.beneath import places_beneath
from vision.calibration import Rectangle, TablePlane
from vision.flatten import Quad
from vision.gallery import Gallery
from vision.lying import (
    agrees,
    doubted,
    laid_anew,
    made_rigid,
    matches_of,
    other_places,
    plane_near,
    plane_of,
    touching,
)
from vision.photometry import Light
from vision.piece import Piece
from vision.sighting import Effort, FaceMatch, Sighting
from vision.stacking import covered_by, overlap_share
from vision.table import PieceKind

_PASSES = 5
_WORTH_ANOTHER_TRY = 0.05
"""Where a table is watched, what scored less is not tried again for another wrong guess alone."""
_HOPELESS_FIT = 0.37
"""Where a table is watched, what was searched and fits less than this is not tried with more
effort: at the first looks at 114 films that named 19 things, which had fitted 0.41 and more before,
and none of 153 that had fitted less than this."""
_TOO_COVERED = 0.15
"""Where a table is watched, what shows less of itself than this beside sure pieces and hands is not
compared: no face is named by so little."""
_LOOKED_AT_WH = (24, 24)
_WORTH_ALL = 0.6
"""Confidence from which a thing without a name is tried as a photograph's at the first look, and
from which it is tried again where nothing touches it: of those at the first looks at 34 films the
two that were named had 0.75 and more, and all four below this were none of the deck."""
_SAME_PIECE = 0.7
_SAME_FACE = 0.3
"""Overlap (IoU) from which two findings are one piece, and from which they are where both show the
same face. Fanned cards overlap by up to 0.65."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What stays the same while the pieces of a picture are named.

    Attributes:
        gallery: The faces of the deck.
        image_bgr: (H, W, 3) uint8.
        hands: (4, 2) float32 each, where hands were found.
        among: Ids of the faces that are possible, or None.
        is_exact: Whether faces are to be laid exactly at once; a table that is being watched
            needs their names sooner than their corners to a tenth of a pixel.
    """

    gallery: Gallery
    image_bgr: NDArray[np.uint8]
    hands: Sequence[Quad]
    among: Collection[str] | None
    is_exact: bool


def name_pieces(scene: Scene, pieces: Sequence[Piece]) -> tuple[list[Piece], TablePlane | None]:
    """Name what lies in a picture, each physical piece once, and find the plane of the table.

    The first pass names what is plain. The named pieces give the table plane, the white balance
    and what covers what; the next passes use them for what was doubtful.
    """
    plane: TablePlane | None = None
    found = list(pieces)
    is_thorough = any(piece.effort is Effort.THOROUGH for piece in pieces)
    for _ in range(_PASSES if is_thorough else 1):
        before = {id(piece) for piece in found}
        found = _without_doubles(_name(scene, found, plane))
        if {id(piece) for piece in found} <= before:
            break
        if any(piece.is_sure for piece in found if id(piece) not in before):
            plane = plane_of(scene.gallery, found) or plane
    if is_thorough:
        found = [laid_anew(scene.gallery, plane, scene.image_bgr, piece) for piece in found]
    found = doubted(scene.gallery, plane, found)
    if is_thorough and not scene.is_exact:
        found = _without_doubles(_last_tries(scene, found))
        found = doubted(scene.gallery, plane, found)
    return _without_twins(scene.gallery, found), plane


def _name(scene: Scene, pieces: Sequence[Piece], plane: TablePlane | None) -> list[Piece]:
    """Name the pieces that are not yet named for sure.

    A piece that becomes sure helps the next ones at once: a fan of cards is named from its top.
    """
    light = _light_of([piece for piece in pieces if piece.is_sure])
    named: list[Piece] = [piece for piece in pieces if _is_settled(scene, plane, piece)]
    waiting = [piece for piece in pieces if not _is_settled(scene, plane, piece)]
    queue = sorted(waiting, key=lambda piece: (-_score(piece), -piece.confidence))
    while queue:
        piece = queue.pop(0)
        sure = [other for other in named if other.is_sure]
        owner = next((o for o in sure if overlap_share(piece.box, o.quad) > _SAME_PIECE), None)
        if owner is None:
            named.append(_named(scene, plane, piece, (sure, light)))
        elif overlap_share(owner.box, owner.quad) < _SAME_PIECE:
            # The face was found from the box of something else that lies half beneath it.
            named[named.index(owner)] = replace(owner, box=piece.box)
            queue.append(replace(owner, match=None, attempt=None))
    return named


def _last_tries(scene: Scene, pieces: Sequence[Piece]) -> list[Piece]:
    """The first look at a table that is being watched, where it left plain things without a name.

    Nothing moves them, so no later look would ask: they are worth what they are on a photograph,
    where they are tried before there is a plane, which gives many more places to start from.
    """
    exact = replace(scene, is_exact=True)
    sure = [piece for piece in pieces if piece.is_sure]
    known = sure, _light_of(sure)
    return [
        _named(exact, None, piece, known) if _is_worth_all(piece) else piece for piece in pieces
    ]


def _is_worth_all(piece: Piece) -> bool:
    is_tried = piece.is_named or piece.effort is not Effort.THOROUGH
    return not is_tried and piece.confidence >= _WORTH_ALL


def _is_settled(scene: Scene, plane: TablePlane | None, piece: Piece) -> bool:
    return piece.is_sure and agrees(scene.gallery, plane, piece)


def _named(
    scene: Scene,
    plane: TablePlane | None,
    piece: Piece,
    known: tuple[Sequence[Piece], Light],
) -> Piece:
    sure, light = known
    around = touching(piece, sure)
    if not scene.is_exact and _is_hopeless(piece, is_touched=bool(around)):
        return piece
    is_first_try = piece.attempt is None and not scene.is_exact
    effort = Effort.SEARCH if is_first_try and piece.effort is Effort.THOROUGH else piece.effort
    attempt = (
        effort,
        plane is not None,
        tuple(sorted(_guess(other) for other in around)),
        _guess(piece) if scene.is_exact or _score(piece) > _WORTH_ANOTHER_TRY else "",
    )
    if attempt == piece.attempt:
        return piece
    above = matches_of(around)
    sighting = Sighting(
        scene.image_bgr,
        piece.corners,
        others=tuple(other_places(scene.gallery, plane, piece, is_touched=bool(around))),
        cover=covered_by(scene.image_bgr.shape[:2], piece.corners, above, scene.hands),
        light=light,
        likely=_camera_faces(scene) if effort is Effort.CLAIM else None,
        effort=effort,
        is_watched=not scene.is_exact,
    )
    piece = replace(piece, attempt=attempt)
    among = scene.among if sighting.cover is None else _left_for(scene, sure)
    if (among is not None and not among) or (not scene.is_exact and _is_covered(sighting)):
        return piece
    match = scene.gallery.identify(sighting, among)
    if match is None:
        return piece
    if plane is not None and effort is Effort.THOROUGH:
        match = made_rigid(scene.gallery, plane, sighting, match)
        if match.id is None:
            near = plane_near(scene.gallery, plane, piece, around)
            match = _peeking_out(scene.gallery, near, sighting, (piece, above, among)) or match
    was_better = piece.match is not None and piece.match.score > match.score
    if was_better and agrees(scene.gallery, plane, piece):
        return piece
    return replace(piece, match=match)


def _is_covered(sighting: Sighting) -> bool:
    """Whether next to nothing is in view of what was found."""
    if sighting.cover is None:
        return False
    return float(sighting.weight(sighting.quad, _LOOKED_AT_WH).mean()) < _TOO_COVERED


def _is_hopeless(piece: Piece, *, is_touched: bool) -> bool:
    """Whether a first try has shown that more of them would bring nothing."""
    if piece.attempt is None or piece.is_named:
        return False
    is_faint = piece.confidence < _WORTH_ALL and not is_touched
    return is_faint or piece.match is None or piece.match.fit < _HOPELESS_FIT


def _peeking_out(
    gallery: Gallery,
    plane: TablePlane,
    sighting: Sighting,
    known: tuple[Piece, Sequence[FaceMatch], Collection[str] | None],
) -> FaceMatch | None:
    """The match of a piece of which a strip peeks out from under a sure one, if it is one."""
    piece, above, among = known
    covers = [match.quad_px for match in above]
    places = [
        place
        for match in above
        if overlap_share(piece.box, match.quad_px) < _SAME_PIECE
        for place in places_beneath(
            plane,
            piece.box,
            Rectangle(match.quad_px, gallery.faces[match.guess].size_mm),
            covers,
        )
    ]
    if not places:
        return None
    match = gallery.identify(replace(sighting, quad=places[0], others=tuple(places)), among)
    return match if match is not None and match.id is not None else None


def _left_for(scene: Scene, sure: Sequence[Piece]) -> list[str]:
    """Ids that a partly covered piece may have: what lies elsewhere for sure is not beneath."""
    taken = {
        piece.match.guess
        for piece in sure
        if piece.match is not None and scene.gallery.faces[piece.match.guess].is_unique
    }
    return [face for face in scene.among or scene.gallery.faces if face not in taken]


def _camera_faces(scene: Scene) -> Collection[str] | None:
    if scene.among is not None:
        return None
    return scene.gallery.ids_of(PieceKind.CAMERA) or None


def _guess(piece: Piece) -> str:
    return piece.match.guess if piece.match is not None else ""


def _score(piece: Piece) -> float:
    return piece.match.score if piece.match is not None else 0.0


def _light_of(sure: Sequence[Piece]) -> Light:
    gains = [piece.match.gains for piece in sure if piece.match is not None]
    return Light.from_gains(np.stack(gains)) if len(gains) >= 3 else Light()


def _without_doubles(pieces: Sequence[Piece]) -> list[Piece]:
    """Each physical piece once: of findings in one place the best named, then the surest stays."""

    def rank(piece: Piece) -> tuple[bool, float]:
        score = piece.match.score if piece.match is not None else 0.0
        return piece.is_named, score if piece.is_named else piece.confidence

    kept: list[Piece] = []
    for piece in sorted(pieces, key=rank, reverse=True):
        if all(overlap_share(piece.quad, other.quad) < _SAME_PIECE for other in kept):
            kept.append(piece)
    return kept


def _without_twins(gallery: Gallery, pieces: Sequence[Piece]) -> list[Piece]:
    """A face that is there but once goes to the piece that shows it best.

    The other is the same piece found twice where it lies in about the same place; elsewhere it
    has no name.
    """
    owners: dict[str, Piece] = {}
    result = []
    for piece in sorted(pieces, key=lambda piece: -_score(piece)):
        match = piece.match
        if match is None or match.id is None or not gallery.faces[match.id].is_unique:
            result.append(piece)
        elif match.id not in owners:
            owners[match.id] = piece
            result.append(piece)
        elif overlap_share(piece.quad, owners[match.id].quad) < _SAME_FACE:
            result.append(replace(piece, match=replace(match, id=None, kind=None)))
    return result
