"""How what was seen, and what is in doubt, is told in answers about pictures (contract §3)."""

from __future__ import annotations

from typing import Any

from vision.table import PieceReading, Point, Quad, SpaceReading

Json = dict[str, Any]


def format_seen(piece: PieceReading | SpaceReading) -> Json:
    """Returns a named piece, or a card on a space, as `seen` has it."""
    return {
        "id": piece.face_id,
        "kind": piece.face_kind,
        "score": round(piece.score, 3),
        "quad": format_quad(piece.quad_px),
    }


def format_unnamed(piece: PieceReading, size_px: tuple[int, int]) -> Json:
    """Returns a piece without a name as a doubt, its place told where the picture shows it.

    Args:
        piece: What has no name.
        size_px: Width and height of the picture.
    """
    x, y = middle_in_view(piece.quad_px, size_px)
    guess = f", perhaps {piece.runner_up}" if piece.runner_up else ""
    text = f"an unknown {piece.kind.value} at {x:.0f}, {y:.0f}{guess}"
    return format_doubt(piece.kind.value, piece.score, piece.quad_px, text)


def middle_in_view(quad: Quad, size_px: tuple[int, int]) -> Point:
    """Returns the middle of four corners, or what of the picture is nearest to it.

    >>> middle_in_view(((-30, 10), (10, 10), (10, 50), (-30, 50)), (640, 480))
    (0, 30.0)
    """
    x, y = (sum(corner[axis] for corner in quad) / 4 for axis in (0, 1))
    return min(max(x, 0), size_px[0] - 1), min(max(y, 0), size_px[1] - 1)


def format_doubt(kind: str, score: float, quad: Quad, text: str) -> Json:
    """Returns what is in doubt, where, and why."""
    return {"kind": kind, "score": round(score, 3), "quad": format_quad(quad), "text": text}


def format_quad(quad: Quad) -> list[list[float]]:
    """Returns corners in pixels, to a tenth."""
    return [[round(x, 1), round(y, 1)] for x, y in quad]


def read_quad(corners: Any) -> Quad:
    """Returns corners as answers have them as a quad."""
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth
