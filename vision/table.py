"""The seam between seeing and ruling: what lies on the table, and what happened to it.

Frozen values from the standard library only, so that the rule side of the house can read them
without loading an image library. Pixels are those of the picture as a viewer shows it (after the
file's rotation tag); seconds are presentation timestamps of the recording, first frame = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Point = tuple[float, float]
"""`(x, y)` in pixels, `y` pointing down."""

Quad = tuple[Point, Point, Point, Point]
"""Four corners, clockwise; from the face's own top-left corner where its upright is known."""


class PieceKind(StrEnum):
    """What the detector tells apart, by the names of contract §3."""

    CARD = "card"
    CAMERA = "camera"
    PATH = "path"
    CHIP = "chip"
    BACK = "back"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class PieceReading:
    """One piece as it was seen.

    Attributes:
        kind: What the detector took it for; the face's own kind where it was named.
        score: How sure the reading is, 0 to 1: of the face where named, else of the detection.
        quad_px: Corners in pixels.
        quad_mm: Corners on the table plane in millimetres, or None before calibration.
        face_id: The deck's id of the face shown, or None where it is unknown.
        face_kind: The deck's kind of that face (animal, task, camera, back, ...), or None.
        runner_up: The next best face, or None.
        visible: Share of the face that nothing covers, 0 to 1.
    """

    kind: PieceKind
    score: float
    quad_px: Quad
    quad_mm: Quad | None = None
    face_id: str | None = None
    face_kind: str | None = None
    runner_up: str | None = None
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class TableReading:
    """Everything that was seen to lie on the table at one moment, lowest first."""

    timestamp_s: float
    width_px: int
    height_px: int
    pieces: tuple[PieceReading, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The table has come to rest and looks different from the last rest."""

    timestamp_s: float
    reading: TableReading


@dataclass(frozen=True, slots=True)
class Landed:
    """A piece came to lie where it stays.

    Attributes:
        timestamp_s: First moment at which it lay there.
        half_width_s: The true moment lies within `timestamp_s` plus or minus this.
        piece: The piece as it was read at rest.
        under: Faces remembered to lie beneath it, the one that it covers most first.
        frame_index: Index of the first frame in which it lay there.
    """

    timestamp_s: float
    half_width_s: float
    piece: PieceReading
    under: tuple[str, ...]
    frame_index: int


@dataclass(frozen=True, slots=True)
class Lifted:
    """A piece that lay at rest was taken away; the fields are those of `Landed`."""

    timestamp_s: float
    half_width_s: float
    piece: PieceReading
    under: tuple[str, ...]
    frame_index: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know about the picture: moved camera, darkness, a broken stream."""

    timestamp_s: float
    code: str
    text: str


TableEvent = Settled | Landed | Lifted | Notice


class SpaceState(StrEnum):
    """What can be said of a space of a board."""

    EMPTY = "empty"
    COVERED = "covered"
    """A card lies there, face up or down."""
    DOUBTFUL = "doubtful"
    """Two readings are too close to each other."""
    UNSEEN = "unseen"
    """Something lies over it, or it is beyond the picture's edge."""


@dataclass(frozen=True, slots=True)
class SpaceReading:
    """One space of a board.

    Attributes:
        row: Counted from 0 at the north.
        col: Counted from 0 at the west.
        state: What can be said of it.
        score: How sure that is, 0 to 1.
        quad_px: Corners of the card in pixels, from its own top left; of the space where no card
            is read.
        face_id: The deck's id of the face, where a card is read or is the likelier one.
        face_kind: The deck's kind of that face, or None.
        rotation: Clockwise, in degrees.
        runner_up: The next best reading: the id and rotation of a face, or None for the bare board.
        explained: Share of what is seen there that agrees with the reading, 0 to 1; what lies
            over a part of the space does not.
    """

    row: int
    col: int
    state: SpaceState
    score: float
    quad_px: Quad
    face_id: str | None = None
    face_kind: str | None = None
    rotation: int = 0
    runner_up: tuple[str, int] | None = None
    explained: float = 0.0

    @property
    def either(self) -> str:
        """The two readings in words: `p07 turned by 90° or nothing`."""
        first = None if self.face_id is None else (self.face_id, self.rotation)
        readings = (first, self.runner_up)
        words = (
            "nothing" if each is None else f"{each[0]} turned by {each[1]}°" for each in readings
        )
        return " or ".join(words)


@dataclass(frozen=True, slots=True)
class ChipReading:
    """A chip on a board.

    Attributes:
        row: The space it lies on.
        col: The same.
        quarter: The quarter of it: nw, ne, se, sw.
        face_id: The deck's id of the chip.
        score: How sure that is, 0 to 1.
        quad_px: Corners of the square around it in pixels, from its own top left.
        runner_up: The next best chip where it is close, else None.
        is_between: Whether it lies so near to the border of its quarter that another may be meant.
    """

    row: int
    col: int
    quarter: str
    face_id: str
    score: float
    quad_px: Quad
    runner_up: str | None = None
    is_between: bool = False


@dataclass(frozen=True, slots=True)
class ObscureReading:
    """A round place on a card that looks unlike the card and like no chip: there may be one.

    Attributes:
        row: The space.
        col: The same.
        quarter: The quarter of it: nw, ne, se, sw.
        score: How much of it is like the card, 0 to 1.
        quad_px: Corners of the square around it in pixels.
    """

    row: int
    col: int
    quarter: str
    score: float
    quad_px: Quad


@dataclass(frozen=True, slots=True)
class BoardReading:
    """Everything that was seen on a board at one moment.

    Attributes:
        timestamp_s: When.
        width_px: Width of the picture.
        height_px: Its height.
        rows: Rows of spaces.
        cols: Columns of spaces.
        spaces: Every space, or those that were asked for, in reading order.
        chips: The chips on them, in reading order.
        obscure: Where a chip may lie that could not be read, in reading order.
    """

    timestamp_s: float
    width_px: int
    height_px: int
    rows: int
    cols: int
    spaces: tuple[SpaceReading, ...]
    chips: tuple[ChipReading, ...]
    obscure: tuple[ObscureReading, ...] = ()


@dataclass(frozen=True, slots=True)
class CardLaid:
    """A card, or a pond, came to lie on a space of a board.

    Attributes:
        timestamp_s: First moment at which it lay there; 0 where it lay there from the start.
        half_width_s: The true moment lies within `timestamp_s` plus or minus this.
        space: The space as it was read at rest.
        frame_index: Index of the first frame in which it lay there.
    """

    timestamp_s: float
    half_width_s: float
    space: SpaceReading
    frame_index: int


@dataclass(frozen=True, slots=True)
class CardLifted:
    """A card that lay on a board was taken away; the fields are those of `CardLaid`."""

    timestamp_s: float
    half_width_s: float
    space: SpaceReading
    frame_index: int


@dataclass(frozen=True, slots=True)
class ChipLaid:
    """A chip came to lie on a card; the fields are those of `CardLaid`."""

    timestamp_s: float
    half_width_s: float
    chip: ChipReading
    frame_index: int


@dataclass(frozen=True, slots=True)
class ChipLifted:
    """A chip was taken off a card; the fields are those of `CardLaid`."""

    timestamp_s: float
    half_width_s: float
    chip: ChipReading
    frame_index: int


@dataclass(frozen=True, slots=True)
class BoardSettled:
    """A board has been looked at.

    Attributes:
        timestamp_s: When.
        sure_until_s: What happened before this moment has been told: nothing that was disturbed
            by then is still to be read.
        reading: What is believed to lie on it.
    """

    timestamp_s: float
    sure_until_s: float
    reading: BoardReading


BoardEvent = BoardSettled | CardLaid | CardLifted | ChipLaid | ChipLifted | Notice
