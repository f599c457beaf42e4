"""Finding a deck's faces in a picture by what is drawn on them.

A detector that has learned what cards look like may take a part of one for the whole where the
art has bands and frames of its own. Here each face is sought by its local features (SIFT): those
that agree on one place, size and turn say where the card lies, whatever its outline is. It costs
a second or two for a picture, which a photograph is worth and a film is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import KINDS, Detections
from vision.faces import FaceSource
from vision.flatten import Quad, apply_homography, side_lengths
from vision.frame import Image
from vision.seen_plane import SeenPlane
from vision.stacking import overlap_share
from vision.table import PieceKind

_FACE_PX = 220
"""Height of a reference picture: about that of a card on a large photograph."""
_FEATURES, _FEATURES_ABOVE, _FACE_FEATURES = 5000, 10000, 400
_CONTRAST = 0.015
"""Night cards are dark: weaker features than usual are taken."""
_PLACES = 3
_NEIGHBOURS = 3
"""Faces share emblems, so that the nearest feature is often another card's."""
_OFF_PX = 4.0
_LEAST_AGREEING = 12
"""Features by chance in one place: seldom more than ten. Naming sorts out the rest."""
_LEAST_AGREEING_ABOVE = 7
"""Where size and the places of other faces are known there is less chance."""
_SURE_AGREEING = 60.0
_SAME_PLACE = 0.35
_SIZE_RANGE = (0.6, 1.65)
"""Sides of cards in one picture, as multiples of their median: far ones are smaller."""
_SIZE_RANGE_ABOVE = (0.85, 1.18)
_ABOVE_PX = 180.0
"""Height of a card in the view from above, at most."""
_ENLARGED = 1.3
"""The view from above is larger than the picture by no more than this: there is no more to see."""
_OCTAVES_OFF = 0.7
_COS_TURN_OFF = 0.9
_CENTRE_OFF = 0.18
"""Features agree on the middle of a card where it errs by less than this share of its height."""
_LEAST_SCALE, _MOST_SCALE = 0.2, 3.4
_BLUR_PX = 1.0
"""Noise makes more features than art does where it is not smoothed away."""
_AROUND_MM = 250.0
_LARGEST_VIEW_PX = 2400.0
_SEED = 7
_WORKERS = 2


@dataclass(frozen=True, slots=True, eq=False)
class _Features:
    """Places (N, 2), sizes (N,) in pixels, turns (N,) in degrees, unit descriptors (N, 128)."""

    places: NDArray[np.float32]
    sizes: NDArray[np.float32]
    turns: NDArray[np.float32]
    descriptors: NDArray[np.float32]


_NOTHING = _Features(
    np.zeros((0, 2), np.float32),
    np.zeros(0, np.float32),
    np.zeros(0, np.float32),
    np.zeros((0, 128), np.float32),
)


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """A face's features in a picture of it, and the size of that picture."""

    features: _Features
    size_wh: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Where a face may lie: its quad, its size as a multiple of its picture's, who agrees."""

    face: int
    quad: Quad
    size: float
    agreeing: int


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What is known of a view from above: the size of its cards, and where other faces lie."""

    scale: float
    taken: Sequence[Quad]


class FaceFinder:
    """Finds the faces of a deck, each at most once."""

    def __init__(self, faces: Sequence[FaceSource]) -> None:
        self._sources = {face.id: face for face in faces}
        self._faces: dict[str, _Face] = {}

    @property
    def faces(self) -> frozenset[str]:
        """Ids of the deck's faces."""
        return frozenset(self._sources)

    def find(
        self,
        image_bgr: Image,
        longest_px: int,
        features: int = _FEATURES,
        among: Collection[str] | None = None,
    ) -> Detections:
        """Where faces lie in a picture, as cards, the surest first.

        Some are where another face lies that shares a part of the art: names are for the gallery.

        Args:
            image_bgr: (H, W, 3) uint8.
            longest_px: The picture is looked at with no longer side than this.
            features: Of so many features of the picture, the strongest.
            among: Ids of the faces to find; all of the deck's by default.
        """
        scale = min(1.0, longest_px / max(image_bgr.shape[:2]))
        grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
        if scale < 1:
            grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        found = self._find(_features(grey, features), among, None)
        return _as_detections([replace(f, quad=f.quad / np.float32(scale)) for f in found])

    def find_from_above(
        self,
        image_bgr: Image,
        plane: SeenPlane,
        cards_px: Sequence[Quad],
        among: Collection[str] | None = None,
        taken_px: Sequence[Quad] = (),
    ) -> Detections:
        """As `find`, in the table as it looks from straight above, where all cards are one size.

        Args:
            image_bgr: (H, W, 3) uint8.
            plane: Pixels and millimetres of the table.
            cards_px: (4, 2) what may be cards: what lies far from all of them is not looked at.
            among: Ids of the faces to find; all of the deck's by default.
            taken_px: (4, 2) where other faces are known to lie.
        """
        view = _View.of(image_bgr, plane, cards_px)
        grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
        above = cv2.warpPerspective(grey, view.to_view, view.size_wh, flags=cv2.INTER_AREA)
        known = _Known(view.card_px / _FACE_PX, [view.of_picture(quad) for quad in taken_px])
        found = self._find(_features(above, _FEATURES_ABOVE), among, known)
        return _as_detections([replace(f, quad=view.in_picture(f.quad)) for f in found])

    def _find(
        self, scene: _Features, among: Collection[str] | None, known: _Known | None
    ) -> list[_Found]:
        sought = [n for n in enumerate(self._sources) if among is None or n[1] in among]

        def places_of(face: tuple[int, str]) -> list[_Found]:
            number, name = face
            return list(_places_of(number, self._face(name), scene, known))

        # Nearly all of the work is done in libraries that let the other core work meanwhile.
        with ThreadPoolExecutor(_WORKERS) as workers:
            found = [place for places in workers.map(places_of, sought) for place in places]
        return _plausible(found, known)

    def _face(self, name: str) -> _Face:
        """A face's features; most faces are named without them."""
        if name not in self._faces:
            self._faces[name] = _of_face(self._sources[name])
        return self._faces[name]


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """The table from straight above.

    Attributes:
        to_view: (3, 3) map from the picture to it.
        size_wh: Its size in pixels.
        card_px: Height of a card in it.
    """

    to_view: NDArray[np.float64]
    size_wh: tuple[int, int]
    card_px: float

    @classmethod
    def of(cls, image: Image, plane: SeenPlane, cards_px: Sequence[Quad]) -> _View:
        height, width = image.shape[:2]
        to_mm = plane.to_mm
        grid = np.stack(np.meshgrid(np.linspace(0, width, 17), np.linspace(0, height, 13)), -1)
        points = grid.reshape(-1, 2)
        cards = np.concatenate([np.asarray(quad, np.float64) for quad in cards_px])
        cards_mm = apply_homography(to_mm, cards)
        # Beyond the horizon the map turns over: only what is on the cards' side of it is table.
        depth = points @ to_mm[2, :2] + to_mm[2, 2]
        side = np.sign(float((cards @ to_mm[2, :2] + to_mm[2, 2]).mean()))
        table_mm = apply_homography(to_mm, points[depth * side > 1e-9])
        low = np.maximum(table_mm.min(axis=0), cards_mm.min(axis=0) - _AROUND_MM)
        high = np.minimum(table_mm.max(axis=0), cards_mm.max(axis=0) + _AROUND_MM)
        sides = [float(side_lengths(quad).max()) for quad in cards_px]
        card_px = min(_ABOVE_PX, _ENLARGED * float(np.median(sides)))
        scale = min(card_px / plane.card_mm[1], _LARGEST_VIEW_PX / float((high - low).max()))
        shift = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]])
        wide, high_px = np.ceil((high - low) * scale).astype(int)
        return cls(shift @ to_mm, (int(wide), int(high_px)), scale * plane.card_mm[1])

    def of_picture(self, quad: Quad) -> Quad:
        """A quad of the picture in pixels of the view."""
        return apply_homography(self.to_view, quad)

    def in_picture(self, quad: Quad) -> Quad:
        """A quad of the view in pixels of the picture."""
        return apply_homography(np.asarray(np.linalg.inv(self.to_view), np.float64), quad)


def _of_face(face: FaceSource) -> _Face:
    data = np.frombuffer(face.data, np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if picture is None:
        return _Face(_NOTHING, (1, 1))
    size_wh = round(_FACE_PX * face.size_mm[0] / face.size_mm[1]), _FACE_PX
    small = cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA)
    return _Face(_features(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), _FACE_FEATURES), size_wh)


def _features(grey: NDArray[Any], most: int) -> _Features:
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=_CONTRAST)
    points, descriptors = sift.detectAndCompute(_even(grey), None)
    if descriptors is None or not len(points):
        return _NOTHING
    # RootSIFT (Arandjelovic and Zisserman 2012): the root of the shares compares histograms better.
    shares = descriptors / (np.abs(descriptors).sum(axis=1, keepdims=True) + 1e-6)
    places = np.array([point.pt for point in points], np.float32)
    sizes = np.array([point.size for point in points], np.float32)
    turns = np.array([point.angle for point in points], np.float32)
    return _Features(places, sizes, turns, np.sqrt(shares).astype(np.float32))


def _even(grey: NDArray[Any]) -> NDArray[np.uint8]:
    """Returns a picture without its noise, from black to white."""
    smooth = cv2.GaussianBlur(grey, (0, 0), _BLUR_PX)
    low, high = np.percentile(smooth[::4, ::4], (0.5, 99.5))
    even: NDArray[np.uint8] = cv2.convertScaleAbs(
        np.maximum(smooth, low) - low, alpha=255 / max(float(high - low), 1.0)
    ).astype(np.uint8)
    return even


def _places_of(
    number: int, face: _Face, scene: _Features, known: _Known | None
) -> Iterator[_Found]:
    """Gives the places where most features of a face agree to lie, at a known scale if any.

    Another card that shares much of the art may have more of them in view than the face's own.
    """
    own_features = face.features
    if min(len(own_features.places), len(scene.places)) < _LEAST_AGREEING:
        return
    likeness = own_features.descriptors @ scene.descriptors.T
    least = _LEAST_AGREEING
    if known is not None:
        least = _LEAST_AGREEING_ABOVE
        octaves = np.log2(scene.sizes[None] / own_features.sizes[:, None] / known.scale)
        likeness = np.where(np.abs(octaves) < _OCTAVES_OFF, likeness, 0)
    other = np.argpartition(-likeness, _NEIGHBOURS, axis=1)[:, :_NEIGHBOURS].ravel()
    own = np.repeat(np.arange(len(own_features.places)), _NEIGHBOURS)
    votes = _votes(face, scene, (own, other))
    for _ in range(_PLACES):
        agreeing = votes[int(np.argmax(votes.sum(axis=1)))]
        if len(np.unique(other[agreeing])) < least:
            return
        found = _laid(number, face, scene, (own[agreeing], other[agreeing]))
        if found is not None and found.agreeing >= least:
            yield found
        own, other = own[~agreeing], other[~agreeing]
        votes = votes[np.ix_(~agreeing, ~agreeing)]


def _laid(
    number: int, face: _Face, scene: _Features, pairs: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> _Found | None:
    """Returns a face laid by features that agree, or None where they do not suffice."""
    own, other = pairs
    cv2.setRNGSeed(_SEED)
    matrix, kept = cv2.estimateAffinePartial2D(
        face.features.places[own], scene.places[other], method=cv2.RANSAC,
        ransacReprojThreshold=_OFF_PX, maxIters=1000, confidence=0.999,
    )  # fmt: skip
    if matrix is None:
        return None
    width, height = face.size_wh
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    quad = cv2.transform(corners, matrix)[0].astype(np.float32)
    # Several features of a face may agree on one of the scene: it counts once.
    count = len(np.unique(other[kept.ravel() > 0]))
    size = float(np.linalg.norm(quad[1] - quad[0])) / width
    return None if size < _LEAST_SCALE else _Found(number, quad, size, count)


def _votes(
    card: _Face,
    scene: _Features,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> NDArray[np.bool_]:
    """Which pairs of features agree with which: (N, N).

    Each pair alone says where the whole card would lie, how large and how turned.
    """
    face, size_wh = card.features, card.size_wh
    own, other = pairs
    octave = np.log2(scene.sizes[other] / face.sizes[own])
    turn = np.radians(scene.turns[other] - face.turns[own])
    arm = (np.array(size_wh, np.float32) / 2 - face.places[own]) * np.exp2(octave)[:, None]
    cosine, sine = np.cos(turn), np.sin(turn)
    x = scene.places[other, 0] + cosine * arm[:, 0] - sine * arm[:, 1]
    y = scene.places[other, 1] + sine * arm[:, 0] + cosine * arm[:, 1]
    is_possible = (octave > np.log2(_LEAST_SCALE)) & (octave < np.log2(_MOST_SCALE))
    reach = _CENTRE_OFF * size_wh[1] * np.exp2(octave)
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < (reach**2)[:, None]
    near &= np.abs(octave[:, None] - octave) < _OCTAVES_OFF
    near &= cosine[:, None] * cosine + sine[:, None] * sine > _COS_TURN_OFF
    votes: NDArray[np.bool_] = near & is_possible & is_possible[:, None]
    return votes


def _plausible(found: Sequence[_Found], known: _Known | None) -> list[_Found]:
    """Returns what is of the size of a card: the surest in each place, and of each face."""
    taken = known.taken if known is not None else ()
    found = [f for f in found if all(overlap_share(f.quad, t) < _SAME_PLACE for t in taken)]
    if not found:
        return []
    ranked = sorted(found, key=lambda each: -each.agreeing)
    least, most = _SIZE_RANGE if known is None else _SIZE_RANGE_ABOVE
    surest = ranked[: max(3, len(ranked) // 2)]
    usual = float(np.median([each.size for each in surest])) if known is None else known.scale
    kept: list[_Found] = []
    for each in ranked:
        is_new = all(each.face != other.face for other in kept)
        is_fitting = least < each.size / usual < most and is_new
        if is_fitting and all(overlap_share(each.quad, k.quad) < _SAME_PLACE for k in kept):
            kept.append(each)
    return kept


def _as_detections(found: Sequence[_Found]) -> Detections:
    if not found:
        return Detections.empty()
    sure = [min(0.99, each.agreeing / _SURE_AGREEING) for each in found]
    return Detections(
        np.stack([each.quad for each in found]).astype(np.float32),
        np.full(len(found), KINDS.index(PieceKind.CARD), np.int64),
        np.array(sure, np.float32),
    )
