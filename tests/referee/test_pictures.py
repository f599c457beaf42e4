"""Sizes of pictures from their first bytes."""

import pytest

from referee.pictures import picture_size
from tests.referee.deck_packs import png

SOF = b"\xff\xc0\x00\x11\x08\x01\x2c\x00\xd2\x03" + bytes(9)
"""A JPEG segment that says 210 x 300."""


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"", None),
        (b"GIF89a", None),
        (png(3, 4), (3, 4)),
        (png(3, 4)[:20], None),
        (b"\xff\xd8", None),
        (b"\xff\xd8\xff\xe0\x00\x04ab" + SOF, (210, 300)),
        (b"\xff\xd8\xff\xff\xff\xc4\x00\x02" + SOF.replace(b"\xc0", b"\xc2", 1), (210, 300)),
        (b"\xff\xd8\xff\xe0\xff\xffab" + SOF, None),
        (b"\xff\xd8abcdefghijkl", None),
    ],
)
def test_picture_size(data, size):
    assert picture_size(data) == size
