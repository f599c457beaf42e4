"""Reading a table at rest: detect, lay exactly, name, and put in order.

The detector says where something lies, the gallery what it is; it also has the last word on the
kind of a piece.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.calibration import TablePlane
from vision.corners import refine_corners
from vision.detection import Detections
from vision.detector import Detector, open_detector
from vision.faces import FaceSource
from vision.flatten import Quad
from vision.gallery import Gallery
from vision.gate import Region
from vision.held import HeldFaces
from vision.naming import Scene, name_pieces
from vision.piece import Piece
from vision.seen_light import seen_gains
from vision.sighting import Effort, FaceMatch
from vision.slots import to_quad
from vision.stacking import order_of, visible_share
from vision.table import PieceKind, PieceReading, TableReading

SHOWN_CONFIDENCE = 0.45
"""Confidence from which a detection without a name is shown to people."""


class TableReader:
    """Reads pictures of a table on which pieces of one deck lie."""

    def __init__(self, detector: Detector | Future[Detector], gallery: Gallery) -> None:
        self.gallery = gallery
        self.kinds = frozenset(face.piece_kind for face in gallery.faces.values())
        self._held = HeldFaces(gallery, gallery.ids_of(PieceKind.CAMERA))
        self._detector = detector

    @property
    def detector(self) -> Detector:
        """What finds the pieces; waited for where it is still being loaded.

        Raises:
            WeightsError: It cannot be loaded.
        """
        if isinstance(self._detector, Future):
            self._detector = self._detector.result()
        return self._detector

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
        efforts: Sequence[Effort] | None = None,
    ) -> TableReading:
        """What lies on the table where a detector has found something, lowest first.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            detections: What was found in it.
            timestamp_s: Its time in the recording.
            among: Ids of the faces that are possible; all of the deck's by default.
            efforts: How much each detection is worth where it is not plain; a table that is
                being watched will be looked at again. Everything is worth all by default.
        """
        height, width = image_bgr.shape[:2]
        hands = [detections.quads[row] for row in detections.rows_of(PieceKind.HAND)]
        pieces = [
            _start(image_bgr, detections, row, Effort.THOROUGH if efforts is None else efforts[row])
            for row in range(len(detections))
            if detections.kind(row) is not PieceKind.HAND
        ]
        scene = Scene(self.gallery, image_bgr, hands, among, is_exact=efforts is None)
        pieces, plane = name_pieces(scene, pieces)
        pieces = [p for p in pieces if p.is_named or p.confidence >= SHOWN_CONFIDENCE]
        readings = _ordered(self.gallery, pieces, hands, plane)
        readings += [
            PieceReading(
                PieceKind.HAND, float(detections.confidence[row]), to_quad(detections.quads[row])
            )
            for row in detections.rows_of(PieceKind.HAND)
        ]
        return TableReading(timestamp_s, width, height, tuple(readings))

    def name_held(
        self,
        image_bgr: NDArray[np.uint8],
        quads: Sequence[Quad],
        gains: NDArray[np.float32],
        known: Sequence[PieceReading],
    ) -> PieceReading | None:
        """Names a Camera card of which only the place is known, though a hand may hold it.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            quads: (4, 2) float32 each, the ways in which the piece may lie.
            gains: (3,) blue, green, red: how bright the table shows what is printed.
            known: What is known to lie around: to find it once more is no news.

        Returns:
            The card, or None where no other one is seen for sure.
        """
        if self._held.can_be_found:
            match = self._held.find(image_bgr, quads[0], gains, known)
        elif self._held.ids:
            match = self.gallery.identify_turned(image_bgr, quads, self._held.ids)
        else:
            return None
        return None if match is None or match.id is None else self.reading_of(match)

    def gains_of(self, image_bgr: NDArray[np.uint8], reading: TableReading) -> NDArray[np.float32]:
        """(3,) blue, green, red of what a picture shows, as multiples of what is printed there."""
        return seen_gains(image_bgr, reading.pieces, self.gallery.formats)

    def reading_of(self, match: FaceMatch) -> PieceReading:
        """A match that has a name, as a piece that lies where the match was laid."""
        return PieceReading(
            kind=self.gallery.faces[str(match.id)].piece_kind,
            score=match.score,
            quad_px=to_quad(match.quad_px),
            face_id=match.id,
            face_kind=match.kind,
            runner_up=match.runner_up,
            visible=match.visible,
        )

    def detect(self, image_bgr: NDArray[np.uint8]) -> TableReading:
        """What lies on a picture without naming it, the surest last."""
        return unnamed_reading(image_bgr, self.detector)

    def find(
        self, image_bgr: NDArray[np.uint8], region: Region | None = None, scale: float = 1.0
    ) -> Detections:
        """Where pieces lie in a picture or a region of it, in pixels of the whole picture.

        Args:
            image_bgr: (H, W, 3) uint8, the whole picture.
            region: The part to look at; all of the picture by default.
            scale: How large it is looked at, as a part of the usual.
        """
        if region is None:
            return self.detector.detect(image_bgr, scale)
        left, top = max(region.left, 0), max(region.top, 0)
        part = image_bgr[top : max(region.bottom, 0), left : max(region.right, 0)]
        if not part.size:
            return Detections.empty()
        share = max(part.shape[:2]) / max(image_bgr.shape[:2])
        return self.detector.detect(np.ascontiguousarray(part), share * scale).shifted((left, top))


def open_reader(faces: Sequence[FaceSource], weights: Path | None = None) -> TableReader:
    """A reader of tables on which a deck's pieces lie.

    Args:
        faces: The faces of the deck; none where nothing is to be named, only found.
        weights: Another detector than the program's own.

    Raises:
        GalleryError: The faces cannot be used. A detector that cannot be loaded is told when it is
            first needed.
    """
    # Loading a network is work of a library, beside which the faces can be prepared and the first
    # picture be fetched.
    worker = ThreadPoolExecutor(1)
    detector = worker.submit(open_detector, weights)
    worker.shutdown(wait=False)
    return TableReader(detector, Gallery.from_sources(faces) if faces else Gallery(()))


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
        pieces.append(PieceReading(detections.kind(int(row)), confidence, to_quad(quad)))
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


def _start(image: NDArray[np.uint8], detections: Detections, row: int, effort: Effort) -> Piece:
    box = detections.quads[row]
    refined = refine_corners(image, box)
    return Piece(detections.kind(row), float(detections.confidence[row]), box, refined.quad, effort)


def _ordered(
    gallery: Gallery,
    pieces: Sequence[Piece],
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
    gallery: Gallery, piece: Piece, visible: float, plane: TablePlane | None
) -> PieceReading:
    match = piece.match
    quad_mm = None if plane is None else to_quad(plane.on_table(piece.quad))
    if match is None or match.id is None:
        runner_up = None if match is None else match.guess
        return PieceReading(
            piece.kind, piece.confidence, to_quad(piece.quad), quad_mm,
            runner_up=runner_up, visible=visible,
        )  # fmt: skip
    return PieceReading(
        kind=gallery.faces[match.id].piece_kind,
        score=match.score,
        quad_px=to_quad(piece.quad),
        quad_mm=quad_mm,
        face_id=match.id,
        face_kind=match.kind,
        runner_up=match.runner_up,
        visible=visible,
    )
