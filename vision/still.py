"""Reading a table at rest: detect, lay exactly, name, and put in order.

Pieces are named in passes. The first names what is plain. The named pieces give the table plane,
the white balance and what covers what; the next passes use them for what was doubtful.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.calibration import Rectangle, TablePlane, fit_plane
from vision.corners import refine_corners
from vision.detection import Detections
from vision.detector import Detector, open_detector
from vision.faces import FaceSource
from vision.flatten import Quad
from vision.gallery import Gallery
from vision.gate import Region
from vision.photometry import Light
from vision.sighting import FaceMatch, Sighting
from vision.stacking import covered_by, order_of, overlap_share, visible_share
from vision.table import PieceKind, PieceReading, TableReading

SURE_SCORE = 0.95
"""From this score on a piece is used to judge others by: plane, white balance, cover."""

SHOWN_CONFIDENCE = 0.3
"""Confidence from which a detection without a name is shown to people."""

_SURE_FIT = 0.9
_LAID_BY_ITSELF = 0.75
_MOST_PLANE_ERROR = 0.08
_PASSES = 5
_LEAST_FOR_PLANE = 2
_RIGID_LIKE = 0.45
_PUSH = 0.06
_SAME_PIECE = 0.6
"""Overlap (IoU) from which two findings are one piece."""


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One detection on its way to a reading.

    Attributes:
        kind: What the detector took it for.
        confidence: How sure the detector is.
        box: Its box.
        corners: The box laid onto edges.
        match: The face that was found there.
        attempt: What was known when it was last tried: whether there was a table plane, and
            which sure faces touch it. It is tried again when more is known.
    """

    kind: PieceKind
    confidence: float
    box: Quad
    corners: Quad
    match: FaceMatch | None = None
    attempt: tuple[bool, tuple[str, ...]] | None = None

    @property
    def quad(self) -> Quad:
        return self.match.quad_px if self.match is not None and self.is_named else self.corners

    @property
    def is_named(self) -> bool:
        return self.match is not None and self.match.id is not None

    @property
    def is_sure(self) -> bool:
        match = self.match
        return match is not None and match.score >= SURE_SCORE and match.fit >= _SURE_FIT


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """What stays the same while the pieces of a picture are named."""

    gallery: Gallery
    image_bgr: NDArray[np.uint8]
    hands: Sequence[Quad]
    among: Collection[str] | None
    is_thorough: bool


class TableReader:
    """Reads pictures of a table on which pieces of one deck lie."""

    def __init__(self, detector: Detector, gallery: Gallery) -> None:
        self.detector = detector
        self.gallery = gallery

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        timestamp_s: float = 0.0,
        region: Region | None = None,
        among: Collection[str] | None = None,
    ) -> TableReading:
        """What lies on the table, lowest first.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            timestamp_s: Its time in the recording.
            region: The part to look at; all of the picture by default.
            among: Ids of the faces that are possible; all of the deck's by default.
        """
        return self.read_detections(image_bgr, self.find(image_bgr, region), timestamp_s, among)

    def read_detections(
        self,
        image_bgr: NDArray[np.uint8],
        detections: Detections,
        timestamp_s: float = 0.0,
        among: Collection[str] | None = None,
        *,
        is_thorough: bool = True,
    ) -> TableReading:
        """What lies on the table where a detector has found something, lowest first.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            detections: What was found in it.
            timestamp_s: Its time in the recording.
            among: Ids of the faces that are possible; all of the deck's by default.
            is_thorough: Whether pieces that are not plain are worth a long search; a table that
                is being watched will be looked at again.
        """
        height, width = image_bgr.shape[:2]
        hands = [detections.quads[row] for row in _rows(detections, PieceKind.HAND)]
        pieces = [
            _start(image_bgr, detections, row)
            for row in range(len(detections))
            if detections.kind(row) is not PieceKind.HAND
        ]
        scene = _Scene(self.gallery, image_bgr, hands, among, is_thorough)
        plane: TablePlane | None = None
        for _ in range(_PASSES if is_thorough else 1):
            before = _sure_count(pieces)
            pieces = _without_doubles(_name(scene, pieces, plane))
            if _sure_count(pieces) == before:
                break
            plane = _plane_of(self.gallery, pieces) or plane
        pieces = [_doubted(self.gallery, plane, piece) for piece in pieces]
        pieces = [p for p in pieces if p.is_named or p.confidence >= SHOWN_CONFIDENCE]
        pieces = _without_twins(self.gallery, pieces)
        readings = _ordered(self.gallery, pieces, hands, plane)
        readings += [
            PieceReading(
                PieceKind.HAND, float(detections.confidence[row]), _to_quad(detections.quads[row])
            )
            for row in _rows(detections, PieceKind.HAND)
        ]
        return TableReading(timestamp_s, width, height, tuple(readings))

    def name_turned(
        self, image_bgr: NDArray[np.uint8], piece: PieceReading, quads: Sequence[Quad]
    ) -> PieceReading:
        """Names a piece whose box has the wrong turn, from the ways in which it may lie.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            piece: What was found, and could not be named.
            quads: (4, 2) float32 each, the ways in which the piece may lie.
        """
        match = self.gallery.identify_turned(image_bgr, quads)
        if match is None or match.id is None:
            return piece
        return PieceReading(
            kind=self.gallery.faces[match.id].piece_kind,
            score=match.score,
            quad_px=_to_quad(match.quad_px),
            face_id=match.id,
            face_kind=match.kind,
            runner_up=match.runner_up,
            visible=match.visible,
        )

    def detect(self, image_bgr: NDArray[np.uint8]) -> TableReading:
        """What lies on a picture without naming it, the surest last."""
        return unnamed_reading(image_bgr, self.detector)

    def find(self, image_bgr: NDArray[np.uint8], region: Region | None = None) -> Detections:
        """Where pieces lie in a picture or a region of it, in pixels of the whole picture."""
        if region is None:
            return self.detector.detect(image_bgr)
        left, top = max(region.left, 0), max(region.top, 0)
        part = image_bgr[top : max(region.bottom, 0), left : max(region.right, 0)]
        if not part.size:
            return Detections.empty()
        share = max(part.shape[:2]) / max(image_bgr.shape[:2])
        return self.detector.detect(np.ascontiguousarray(part), share).shifted((left, top))


def open_reader(faces: Sequence[FaceSource], weights: Path | None = None) -> TableReader:
    """A reader of tables on which a deck's pieces lie.

    Args:
        faces: The faces of the deck; none where nothing is to be named, only found.
        weights: Another detector than the program's own.

    Raises:
        WeightsError: The detector cannot be loaded.
        GalleryError: The faces cannot be used.
    """
    gallery = Gallery.from_sources(faces) if faces else Gallery(())
    return TableReader(open_detector(weights), gallery)


def unnamed_reading(image_bgr: NDArray[np.uint8], detector: Detector) -> TableReading:
    """What a detector finds in a picture (H, W, 3) uint8, its quads laid onto the edges there."""
    detections = detector.detect(image_bgr)
    pieces = []
    for row in np.argsort(detections.confidence, kind="stable"):
        confidence = float(detections.confidence[row])
        if confidence < SHOWN_CONFIDENCE:
            continue
        quad = detections.quads[row]
        if detections.kind(int(row)) is not PieceKind.HAND:
            quad = refine_corners(image_bgr, quad).quad
        pieces.append(PieceReading(detections.kind(int(row)), confidence, _to_quad(quad)))
    height, width = image_bgr.shape[:2]
    return TableReading(0.0, width, height, tuple(pieces))


def read_still(image_bgr: NDArray[np.uint8], detector: Detector, gallery: Gallery) -> TableReading:
    """What lies on the table in one picture, lowest first.

    Args:
        image_bgr: (H, W, 3) uint8.
        detector: Finds pieces.
        gallery: The faces of the deck in use.
    """
    return TableReader(detector, gallery).read(image_bgr)


def _rows(detections: Detections, kind: PieceKind) -> list[int]:
    return [row for row in range(len(detections)) if detections.kind(row) is kind]


def _start(image: NDArray[np.uint8], detections: Detections, row: int) -> _Piece:
    box = detections.quads[row]
    refined = refine_corners(image, box)
    return _Piece(detections.kind(row), float(detections.confidence[row]), box, refined.quad)


def _sure_count(pieces: Sequence[_Piece]) -> int:
    return sum(piece.is_sure for piece in pieces)


def _name(scene: _Scene, pieces: Sequence[_Piece], plane: TablePlane | None) -> list[_Piece]:
    """Name the pieces that are not yet named for sure.

    A piece that becomes sure helps the next ones at once: a fan of cards is named from its top.
    """
    light = _light_of([piece for piece in pieces if piece.is_sure])
    named: list[_Piece] = [piece for piece in pieces if _is_settled(scene, plane, piece)]
    waiting = [piece for piece in pieces if not _is_settled(scene, plane, piece)]
    for piece in sorted(waiting, key=lambda piece: (-_score(piece), -piece.confidence)):
        sure = [other for other in named if other.is_sure]
        if any(overlap_share(piece.corners, other.quad) > _SAME_PIECE for other in sure):
            continue
        named.append(_named(scene, plane, piece, (sure, light)))
    return named


def _is_settled(scene: _Scene, plane: TablePlane | None, piece: _Piece) -> bool:
    return piece.is_sure and _agrees(scene.gallery, plane, piece)


def _named(
    scene: _Scene,
    plane: TablePlane | None,
    piece: _Piece,
    known: tuple[Sequence[_Piece], Light],
) -> _Piece:
    sure, light = known
    touching = [other for other in sure if overlap_share(piece.box, other.quad) > 0]
    attempt = plane is not None, tuple(sorted(_guess(other) for other in touching))
    if attempt == piece.attempt:
        return piece
    above = [other.match for other in touching if other.match is not None]
    sighting = Sighting(
        scene.image_bgr,
        piece.corners,
        others=tuple(_other_places(scene.gallery, plane, piece)),
        cover=covered_by(scene.image_bgr.shape[:2], piece.corners, above, scene.hands),
        light=light,
    )
    piece = replace(piece, attempt=attempt)
    match = scene.gallery.identify(sighting, scene.among)
    was_better = piece.match is not None and piece.match.score > match.score
    if was_better and _agrees(scene.gallery, plane, piece):
        return piece
    return replace(piece, match=match)


def _guess(piece: _Piece) -> str:
    return piece.match.guess if piece.match is not None else ""


def _score(piece: _Piece) -> float:
    return piece.match.score if piece.match is not None else 0.0


def _other_places(gallery: Gallery, plane: TablePlane | None, piece: _Piece) -> list[Quad]:
    """Quads at which the piece may lie beside where its edges were found."""
    places = []
    if float(np.abs(piece.corners - piece.box).max()) > 1.0:
        places.append(piece.box)
    if plane is None:
        return places
    for size in _sizes(gallery):
        in_box = plane.rigid_in_box(piece.box, size)
        if in_box is not None:
            places += _around(in_box)
        for across in (size, size[::-1]):
            rectangle = Rectangle(piece.corners, across)
            if plane.error_of(rectangle) < _RIGID_LIKE:
                places.append(plane.rigid(rectangle))
    return places


def _sizes(gallery: Gallery) -> list[tuple[float, float]]:
    return sorted({card.size_mm for card in gallery.faces.values()})


def _around(quad: Quad) -> list[Quad]:
    """The quad and the same pushed a little to each side."""
    right, down = (quad[1] - quad[0]) * _PUSH, (quad[3] - quad[0]) * _PUSH
    pushes = [np.zeros(2, np.float32), right, -right, down, -down]
    return [(quad + push).astype(np.float32) for push in pushes]


def _agrees(gallery: Gallery, plane: TablePlane | None, piece: _Piece) -> bool:
    """Whether the laid face is a rectangle of its size on the table."""
    if plane is None or piece.match is None:
        return True
    size = gallery.faces[piece.match.guess].size_mm
    return plane.error_of(Rectangle(piece.match.quad_px, size)) < _MOST_PLANE_ERROR


def _doubted(gallery: Gallery, plane: TablePlane | None, piece: _Piece) -> _Piece:
    """The piece without its name where the face was laid as no rigid card can lie.

    The corners of a face that is partly covered are laid by what is in view; the table plane
    says where the others must be.
    """
    match = piece.match
    if match is None or plane is None:
        return piece
    if not _agrees(gallery, plane, piece):
        return replace(piece, match=replace(match, id=None, kind=None))
    if match.visible < _LAID_BY_ITSELF:
        size = gallery.faces[match.guess].size_mm
        return replace(
            piece, match=replace(match, quad_px=plane.rigid(Rectangle(match.quad_px, size)))
        )
    return piece


def _plane_of(gallery: Gallery, pieces: Sequence[_Piece]) -> TablePlane | None:
    rectangles = [
        Rectangle(piece.match.quad_px, gallery.faces[piece.match.guess].size_mm)
        for piece in pieces
        if piece.match is not None and piece.is_sure
    ]
    if len(rectangles) < _LEAST_FOR_PLANE:
        return None
    plane = fit_plane(rectangles)
    return plane if plane is not None and plane.pieces >= _LEAST_FOR_PLANE else None


def _light_of(sure: Sequence[_Piece]) -> Light:
    gains = [piece.match.gains for piece in sure if piece.match is not None]
    return Light.from_gains(np.stack(gains)) if len(gains) >= 3 else Light()


def _without_doubles(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Each physical piece once: of findings in one place the best named, then the surest stays."""

    def rank(piece: _Piece) -> tuple[bool, float]:
        score = piece.match.score if piece.match is not None else 0.0
        return piece.is_named, score if piece.is_named else piece.confidence

    kept: list[_Piece] = []
    for piece in sorted(pieces, key=rank, reverse=True):
        if all(overlap_share(piece.quad, other.quad) < _SAME_PIECE for other in kept):
            kept.append(piece)
    return kept


def _without_twins(gallery: Gallery, pieces: Sequence[_Piece]) -> list[_Piece]:
    """A face that is there but once goes to the piece that shows it best."""
    taken: set[str] = set()
    result = []
    for piece in sorted(pieces, key=lambda p: -(p.match.score if p.match is not None else 0.0)):
        match = piece.match
        if match is not None and match.id is not None:
            if gallery.faces[match.id].is_unique and match.id in taken:
                match = replace(match, id=None, kind=None)
            elif match.id is not None:
                taken.add(match.id)
        result.append(replace(piece, match=match))
    return result


def _ordered(
    gallery: Gallery,
    pieces: Sequence[_Piece],
    hands: Sequence[Quad],
    plane: TablePlane | None,
) -> list[PieceReading]:
    """Readings from the lowest piece to the highest."""
    quads = [piece.quad for piece in pieces]
    order = order_of(quads, [piece.match if piece.is_named else None for piece in pieces])
    readings = []
    for place, number in enumerate(order):
        above = [quads[other] for other in order[place + 1 :]] + list(hands)
        visible = visible_share(quads[number], above)
        readings.append(_reading(gallery, pieces[number], visible, plane))
    return readings


def _reading(
    gallery: Gallery, piece: _Piece, visible: float, plane: TablePlane | None
) -> PieceReading:
    match = piece.match
    quad_mm = None if plane is None else _to_quad(plane.on_table(piece.quad))
    if match is None or match.id is None:
        runner_up = None if match is None else match.guess
        return PieceReading(
            piece.kind, piece.confidence, _to_quad(piece.quad), quad_mm,
            runner_up=runner_up, visible=visible,
        )  # fmt: skip
    return PieceReading(
        kind=gallery.faces[match.id].piece_kind,
        score=match.score,
        quad_px=_to_quad(piece.quad),
        quad_mm=quad_mm,
        face_id=match.id,
        face_kind=match.kind,
        runner_up=match.runner_up,
        visible=visible,
    )


def _to_quad(
    corners: NDArray[np.float32],
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]:
    points = [(float(x), float(y)) for x, y in corners]
    return points[0], points[1], points[2], points[3]
