"""What the table says of how pieces lie: rectangles of their size, on one plane.

The pieces that are named for sure give the plane; it then tells where the others may lie, makes
true rectangles of faces that were laid by what little is seen of them, and doubts what it shows to
be no rectangle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.calibration import Rectangle, TablePlane, fit_plane
from vision.flatten import Quad, begun_at
from vision.gallery import Gallery
from vision.piece import SURE_SCORE, Piece
from vision.sighting import FaceMatch, Sighting
from vision.stacking import overlap_share
from vision.table import PieceKind

_LAID_BY_ITSELF = 0.75
_USUAL_PLANE_ERROR, _MOST_PLANE_ERROR = 0.05, 0.08
"""Error on the table plane, as a share of a card's short side, up to which a card is laid well, and
with which it is still believed."""
_BENT_PLANE_ERROR = 0.02
"""Likewise, from which a card says better than the whole table how its neighbours lie:
lenses bend the edges of a picture."""
_LEAST_FOR_PLANE = 2
_RIGID_LIKE = 0.45
_WORTH_RIGID_FIT = 0.7
_PUSH = 0.06
_FAR_PUSH = 0.15


def plane_of(gallery: Gallery, pieces: Sequence[Piece]) -> TablePlane | None:
    """The plane on which the sure pieces lie, where there are enough that agree."""
    # A back is mostly the top of a pile, which lies above the table.
    faces = [(piece.match, gallery.faces[piece.match.guess]) for piece in pieces
             if piece.match is not None and piece.is_sure]  # fmt: skip
    flat = [each for each in faces if each[1].piece_kind is not PieceKind.BACK]
    rectangles = [
        Rectangle(match.quad_px, face.size_mm)
        for match, face in (flat if len(flat) >= _LEAST_FOR_PLANE else faces)
    ]
    if len(rectangles) < _LEAST_FOR_PLANE:
        return None
    plane = fit_plane(rectangles)
    return plane if plane is not None and plane.pieces >= _LEAST_FOR_PLANE else None


def touching(piece: Piece, others: Sequence[Piece]) -> list[Piece]:
    """Those of some other pieces that lie over a part of where a piece was found."""
    return [other for other in others if overlap_share(piece.box, other.quad) > 0]


def matches_of(pieces: Sequence[Piece]) -> list[FaceMatch]:
    """What was found in some pieces' places, of those in which something was."""
    return [piece.match for piece in pieces if piece.match is not None]


def plane_near(
    gallery: Gallery, plane: TablePlane, piece: Piece, near: Sequence[Piece]
) -> TablePlane:
    """The plane by which a piece is laid: of the card that it touches most, or of the table."""
    whole = [match for match in matches_of(near) if match.visible >= _LAID_BY_ITSELF]
    if not whole:
        return plane
    most = max(whole, key=lambda match: overlap_share(piece.box, match.quad_px))
    neighbour = Rectangle(most.quad_px, gallery.faces[most.guess].size_mm)
    return TablePlane.under(neighbour) if plane.error_of(neighbour) > _BENT_PLANE_ERROR else plane


def agrees(gallery: Gallery, plane: TablePlane | None, piece: Piece) -> bool:
    """Whether the laid face is a rectangle of its size on the table."""
    if plane is None or piece.match is None:
        return True
    size = gallery.faces[piece.match.guess].size_mm
    return plane.error_of(Rectangle(piece.match.quad_px, size)) < _MOST_PLANE_ERROR


def doubted(gallery: Gallery, plane: TablePlane | None, pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, without their names where a face was laid as no rigid card can lie.

    The corners of a face that is partly covered are laid by what is in view; the table plane
    says where the others must be.
    """
    if plane is None:
        return list(pieces)
    sure = [piece for piece in pieces if piece.is_sure]
    return [_as_laid(gallery, plane, piece, sure) for piece in pieces]


def _as_laid(gallery: Gallery, plane: TablePlane, piece: Piece, sure: Sequence[Piece]) -> Piece:
    """The piece as the table shows it, or without its name."""
    match = piece.match
    if match is None:
        return piece
    if not agrees(gallery, plane, piece):
        others = [other for other in sure if other is not piece]
        plane = plane_near(gallery, plane, piece, touching(piece, others))
        if not agrees(gallery, plane, piece):
            return replace(piece, match=replace(match, id=None, kind=None))
    if match.visible < _LAID_BY_ITSELF:
        size = gallery.faces[match.guess].size_mm
        return replace(
            piece, match=replace(match, quad_px=plane.rigid(Rectangle(match.quad_px, size)))
        )
    return piece


def made_rigid(
    gallery: Gallery, plane: TablePlane, sighting: Sighting, match: FaceMatch
) -> FaceMatch:
    """The match laid as a true rectangle on the table, where it is better believed so.

    What is covered or washed out leaves the shape of a face open; the table does not.
    """
    rectangle = Rectangle(match.quad_px, gallery.faces[match.guess].size_mm)
    error = plane.error_of(rectangle)
    is_good = match.score >= SURE_SCORE and error < _USUAL_PLANE_ERROR
    if is_good or match.fit < _WORTH_RIGID_FIT or error > _RIGID_LIKE:
        return match
    rigid = gallery.confirm(replace(sighting, quad=plane.rigid(rectangle)), match.guess)
    found = Rectangle(_turned_like(sighting.quad, match.quad_px), rectangle.size_mm)
    if rigid.id is None and error >= _MOST_PLANE_ERROR and plane.error_of(found) < _RIGID_LIKE:
        # Laid so far off that its shape does not help: the table knows where it was found.
        rigid = gallery.confirm(replace(sighting, quad=plane.rigid(found)), match.guess)
    is_better = rigid.score > match.score or (rigid.id is not None and rigid.fit > match.fit)
    if is_better or (error >= _MOST_PLANE_ERROR and rigid.id is not None):
        return rigid
    return match


def laid_anew(
    gallery: Gallery, plane: TablePlane | None, image_bgr: NDArray[np.uint8], piece: Piece
) -> Piece:
    """A piece that was sure before the plane was known, laid as a rectangle if it is a poor one."""
    if plane is None or piece.match is None or not piece.is_sure:
        return piece
    sighting = Sighting(image_bgr, piece.corners)
    return replace(piece, match=made_rigid(gallery, plane, sighting, piece.match))


def _turned_like(quad: Quad, other: Quad) -> Quad:
    """The quad from the corner that lies nearest to the first one of another."""
    ways = [begun_at(quad, corner) for corner in range(4)]
    return min(ways, key=lambda way: float(np.abs(way - other).sum()))


def other_places(
    gallery: Gallery, plane: TablePlane | None, piece: Piece, *, is_touched: bool
) -> list[Quad]:
    """Quads at which the piece may lie beside where its edges were found.

    The box of a piece that is partly covered, or that covers another, is a loose one.
    """
    places = []
    if float(np.abs(piece.corners - piece.box).max()) > 1.0:
        places.append(piece.box)
    if plane is None:
        return places
    if piece.match is not None:
        size = gallery.faces[piece.match.guess].size_mm
        places += _around(plane.rigid(Rectangle(piece.match.quad_px, size)))
    for size in _sizes(gallery):
        in_box = plane.rigid_in_box(piece.box, size)
        if in_box is not None:
            places += _around(in_box)
            places += _around(in_box, _FAR_PUSH) if is_touched else []
        for across in (size, size[::-1]):
            rectangle = Rectangle(piece.corners, across)
            if plane.error_of(rectangle) < _RIGID_LIKE:
                places.append(plane.rigid(rectangle))
    return places


def _sizes(gallery: Gallery) -> list[tuple[float, float]]:
    return sorted({card.size_mm for card in gallery.faces.values()})


def _around(quad: Quad, push: float = _PUSH) -> list[Quad]:
    """The quad and the same pushed to each side by a share of its size."""
    right, down = (quad[1] - quad[0]) * push, (quad[3] - quad[0]) * push
    pushes = [np.zeros(2, np.float32), right, -right, down, -down]
    pushes += [right + down, right - down, -right + down, -right - down]
    return [(quad + push).astype(np.float32) for push in pushes]
