"""Films a choreography: what rests is drawn once and kept, what moves is drawn in every frame.

Things in motion are drawn at several moments of the open shutter and averaged, which is their
motion blur.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.arms import Arm
from datasets.art.paint import Image, Plane
from datasets.choreography import Choreography
from datasets.compositing import Pen, Sprite, Window, to_pixels
from datasets.degrade import Light, illuminate
from datasets.hand_trips import Trip
from datasets.items import Scene, Shadows, Table
from datasets.motion import Pose, Track
from datasets.render import lens_maps, render
from datasets.seating import PILE_MM, Places
from datasets.viewpoint import Viewpoint

_PX_A_MOMENT = 4.0  # a longer way while the shutter is open is drawn at more moments
_MOMENTS = 7


@dataclass(frozen=True, slots=True, eq=False)
class Props:
    """Everything that can be seen.

    Attributes:
        faces: Sprites by card id, Camera cards as `camera:COLOUR`.
        backs: The back of each kind that has one: `animal`, `task`.
        arms: The arm of each player, with its sprite.
        table: What everything lies on.
    """

    faces: Mapping[str, Sprite]
    backs: Mapping[str, Sprite]
    arms: Mapping[str, tuple[Arm, Sprite]]
    table: Table


@dataclass(frozen=True, slots=True)
class Filmed:
    """What is filmed, and by what light.

    Attributes:
        motion: Who moves what when.
        places: Where things lie.
        shadows: How things throw them.
        light: The lamps.
        exposure_s: How long the shutter is open.
        has_deck: Whether Animal cards are left to be laid out.
    """

    motion: Choreography
    places: Places
    shadows: Shadows
    light: Light
    exposure_s: float
    has_deck: bool = True


class Film:
    """Draws the frames of one recording, in the order of time."""

    def __init__(self, filmed: Filmed, props: Props, view_at: Callable[[float], Viewpoint]) -> None:
        """Prepares; `view_at` gives the camera at a time (a bumped one moves)."""
        self._filmed, self._props, self._view_at = filmed, props, view_at
        self._view: Viewpoint | None = None
        self._set = _Set()

    def frame(self, t_s: float) -> Image:
        """Draws the picture that the shutter takes from this time on, free of noise."""
        view = self._view_at(t_s)
        if view is not self._view:
            self._view, self._set = view, _Set.make(self._filmed, self._props, view)
        shown, motion = self._set, self._filmed.motion
        active = _active_trips(motion, t_s)
        held = {card for trip in active for card in trip.cards}
        if shown.base is None or shown.held != held:
            shown.held, shown.base = held, self._rest(shown.ideal, shown.ground, held, t_s)
            shown.developed = shown.develop(
                shown.base, (slice(0, view.size[1]), slice(0, view.size[0]))
            )
        moving = [*active, *(rest for rest in motion.rests if _is_on(rest, t_s))]
        picture = shown.developed.copy()
        if moving:
            pen = Pen(shown.base.copy(), shown.ideal, self._filmed.shadows)
            for trip in moving:
                self._draw_trip(pen, trip, t_s)
            window = _bent(pen.touched, view, shown.pad)
            if picture[window].size:  # what the lens leaves out of sight changes nothing
                picture[window] = shown.develop(pen.canvas, window)
        return picture

    def _rest(self, view: Viewpoint, ground: Image, held: set[str], t_s: float) -> Image:
        """Draws the table with all that no hand has to do with now."""
        canvas = ground.copy()
        pen = Pen(canvas, view, self._filmed.shadows)
        for kind, pose in self._filmed.places.decks.items():
            if kind in self._props.backs and (kind != "animal" or self._filmed.has_deck):
                pen.lay_pile(self._props.backs[kind], pose, PILE_MM[kind])
        tracks = self._filmed.motion.tracks
        lying = [card for card in tracks if card not in held and tracks[card].is_on_table(t_s)]
        for card in sorted(
            lying, key=lambda c: (tracks[c].at(t_s).lift_mm, tracks[c].last_end(t_s))
        ):
            pen.lay_card(self._props.faces[card], tracks[card].at(t_s))
        return canvas

    def _draw_trip(self, pen: Pen, trip: Trip, t_s: float) -> None:
        tracks, until = self._filmed.motion.tracks, t_s + self._filmed.exposure_s
        for card in sorted(trip.cards, key=lambda c: tracks[c].last_end(t_s)):
            poses = _moments(tracks[card], pen.view, t_s, until)
            back = self._props.backs.get("task")
            if poses[0].flip < 0.5 and back is not None:
                pen.lay_card(back, *poses, back=True)
            else:
                pen.lay_card(self._props.faces[card], *poses)
        if _is_on(trip, t_s):
            arm, sprite = self._props.arms[trip.player]
            pen.lay_arm(arm, sprite, *_moments(trip.hand, pen.view, t_s, until))


@dataclass(slots=True, eq=False)
class _Set:
    """What stays the same while the camera stands still.

    Attributes:
        ideal: The camera without its lens; it sees `pad` pixels more on each side, from where the
            lens bends things into the picture.
        pad: Those pixels.
        ground: The bare table as the ideal camera sees it.
        level: How bright each pixel is.
        glare: What lamps add to it.
        maps: Where the lens takes each pixel from.
        base: The ideal picture with all that rests.
        developed: The same through the lens, lit.
        held: What does not rest.
    """

    ideal: Viewpoint = field(default_factory=lambda: Viewpoint((2, 2), np.eye(3, 4), 0.0))
    pad: int = 0
    ground: Image = field(default_factory=lambda: np.zeros((2, 2, 3), np.uint8))
    level: Plane = field(default_factory=lambda: np.ones((2, 2, 3), np.float32))
    glare: Image | None = None
    maps: tuple[NDArray[np.int16], NDArray[np.uint16]] | None = None
    base: Image | None = None
    developed: Image = field(default_factory=lambda: np.zeros((2, 2, 3), np.uint8))
    held: set[str] = field(default_factory=set)

    def develop(self, canvas: Image, window: Window) -> Image:
        """Returns a part of the picture as the lens bends it and the lamps light it."""
        part = canvas[window]
        if self.maps is not None:
            first, second = (np.ascontiguousarray(each[window]) for each in self.maps)
            part = np.asarray(cv2.remap(canvas, first, second, cv2.INTER_LINEAR), np.uint8)
        lit = cv2.multiply(part, self.level[window], dtype=cv2.CV_8U)
        return np.asarray(lit if self.glare is None else cv2.add(lit, self.glare[window]), np.uint8)

    @staticmethod
    def make(filmed: Filmed, props: Props, view: Viewpoint) -> _Set:
        size, pad, maps = np.asarray(view.size, np.int64), 0, None
        if view.k1:
            xs, ys = lens_maps(view)
            reach = max(-xs.min(), -ys.min(), xs.max() - size[0], ys.max() - size[1], 0.0)
            pad = int(np.ceil(reach)) + 2
            fixed = cv2.convertMaps(xs + pad, ys + pad, cv2.CV_16SC2)
            maps = (np.asarray(fixed[0], np.int16), np.asarray(fixed[1], np.uint16))
        shift = np.asarray([[1, 0, pad], [0, 1, pad], [0, 0, 1]], np.float64)
        seen = (int(size[0]) + 2 * pad, int(size[1]) + 2 * pad)
        ideal = Viewpoint(seen, np.asarray(shift @ view.matrix, np.float64), 0.0)
        ground = render(Scene(props.table, (), filmed.shadows, ""), ideal).image
        grey = np.full((view.size[1], view.size[0], 3), 100, np.uint8)
        nothing = np.zeros(grey.shape[:2], np.int16)
        lamps = replace(filmed.light, glare=(), gamma=1.0)
        lit = illuminate(grey, nothing, lamps).astype(np.float32) / 100
        glare = None
        if filmed.light.glare:
            glare = illuminate(np.zeros_like(grey), nothing + 1, filmed.light)
        level = np.asarray(cv2.GaussianBlur(lit, (0, 0), 5), np.float32)
        return _Set(ideal, pad, ground, level, glare, maps)


def _bent(windows: list[Window], view: Viewpoint, pad: int) -> Window:
    """Returns the window in which all of some windows lie once the lens has bent them."""
    if not windows:
        return slice(0, 0), slice(0, 0)
    rows, cols = zip(*windows, strict=True)
    y0, y1 = min(r.start for r in rows), max(r.stop for r in rows)
    x0, x1 = min(c.start for c in cols), max(c.stop for c in cols)
    edge = np.linspace(0, 1, 9)
    xs, ys = x0 + (x1 - x0) * edge, y0 + (y1 - y0) * edge
    rim = -pad + np.asarray(
        [*((x, y) for x in xs for y in (y0, y1)), *((x, y) for x in (x0, x1) for y in ys)],
        np.float64,
    )
    low, high = view.distort(rim).min(0) - 3, view.distort(rim).max(0) + 4
    low, high = np.clip(low, 0, view.size).astype(int), np.clip(high, 0, view.size).astype(int)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _is_on(trip: Trip, t_s: float) -> bool:
    return trip.start_s <= t_s < trip.end_s


def _active_trips(motion: Choreography, t_s: float) -> list[Trip]:
    """Trips to be drawn one over the other: those under way, and what has come to lie on them."""
    levels = {id(trip): _level(motion, trip, t_s) for trip in motion.trips if trip.start_s <= t_s}
    begun = [trip for trip in motion.trips if id(trip) in levels]
    carrying = [trip for trip in begun if t_s < trip.end_s and levels[id(trip)] >= trip.start_s]
    lowest = min((levels[id(trip)] for trip in carrying), default=np.inf)
    shown = [trip for trip in begun if t_s < trip.end_s or levels[id(trip)] > lowest]
    return sorted(shown, key=lambda trip: (levels[id(trip)], trip.start_s))


def _level(motion: Choreography, trip: Trip, t_s: float) -> float:
    return max(motion.tracks[card].last_end(min(t_s, trip.end_s)) for card in trip.cards)


def _moments(track: Track, view: Viewpoint, t_s: float, until_s: float) -> list[Pose]:
    """Returns the poses at which a thing is drawn while the shutter is open."""
    if not track.moves(t_s, until_s):
        return [track.at(t_s)]
    ends = [track.at(t_s), track.at(until_s)]
    pixels, _ = to_pixels(view, np.asarray([(p.x_mm, p.y_mm, p.lift_mm) for p in ends], np.float64))
    way = float(np.hypot(*(pixels[1] - pixels[0])))
    count = int(np.clip(np.ceil(way / _PX_A_MOMENT), 1, _MOMENTS))
    return (
        [track.at(t) for t in np.linspace(t_s, until_s, count + 2)[1:-1]] if count > 1 else ends[:1]
    )
