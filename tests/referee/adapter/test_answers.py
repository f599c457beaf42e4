"""Places that answers about pictures name."""

from referee.adapter.answers import format_unnamed
from vision.table import PieceKind, PieceReading


def test_what_has_no_name_is_told_where_the_picture_shows_it():
    quad = ((-60.0, 300.0), (-10.0, 300.0), (-10.0, 500.0), (-60.0, 500.0))
    doubt = format_unnamed(PieceReading(PieceKind.CARD, 0.7, quad), (640, 360))
    assert doubt["text"] == "an unknown card at 0, 359"
