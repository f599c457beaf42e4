"""What films of Panda and of Exploring Galapagos share: things on a stage, props, frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from datasets.art import arms
from datasets.art.paint import Image, Rng
from datasets.choreography import Choreography
from datasets.compositing import Sprite, make_sprite
from datasets.filming import Film, Filmed, Props
from datasets.hand_trips import HandTrips
from datasets.items import Item, Shadows
from datasets.motion import Pose, Track, corners_3d
from datasets.seating import Places, Seat
from datasets.sensor import Exposures, Sensor
from datasets.still_styles import Camera, Circumstances, sample_ground, sample_light
from datasets.take import TICKS, is_outside
from datasets.truth import quad_px

Json = dict[str, Any]
PILE = "pile"
"""The track of the face-down cards; its picture is also that of a card carried face down."""

_END_S = 0.6
"""How long the film runs on after the last hand has gone."""


@dataclass(frozen=True, slots=True, eq=False)
class GameTake:
    """A recording before its frames are drawn.

    Attributes:
        motion: Who carries what when.
        items: Every thing, by its id among the tracks.
        facts: What is true, at the end, of each thing that a truth file names.
        camera: Where it stands.
        filmed: Light and shadows.
        props: Pictures of everything.
        sensor: What becomes of the frames.
        fps: Frames a second.
    """

    motion: Choreography
    items: Mapping[str, Item]
    facts: Mapping[str, Mapping[str, Any]]
    camera: Camera
    filmed: Filmed
    props: Props
    sensor: Sensor
    fps: int

    @property
    def ticks(self) -> tuple[int, ...]:
        """The time of every frame, in `TICKS` a second."""
        step = TICKS // self.fps
        return tuple(range(0, int(np.ceil(self.motion.end_s * self.fps)) * step + 1, step))

    def frames(self) -> Iterator[Image]:
        """Draws the frames."""
        view = self.camera.view
        film, exposures = Film(self.filmed, self.props, lambda _: view), Exposures(
            self.sensor, view.size
        )  # fmt: skip
        for tick in self.ticks:
            yield exposures.expose(film.frame(tick / TICKS), tick / TICKS)

    def first_frame_s(self, t_s: float) -> float:
        """Returns the time of the first frame that is not before a moment."""
        frame = int(np.ceil(t_s * self.fps - 1e-6))
        return round(min(frame, len(self.ticks) - 1) / self.fps, 3)

    def describe(self) -> Json:
        """Returns what a truth file says of any recording."""
        return {
            "fps": self.fps,
            "frames": len(self.ticks),
            "size": list(self.camera.view.size),
            "camera": {
                "tilt": round(self.camera.tilt_deg, 1), "turn": round(self.camera.turn_deg, 1)
            },
        }  # fmt: skip

    def seen(self, t_s: float, facts: Mapping[str, Mapping[str, Any]]) -> list[Json]:
        """Lists things as they lie at a time, from the lowest to the highest."""
        tracks, view, seen = self.motion.tracks, self.camera.view, []
        for name in sorted(facts, key=lambda name: tracks[name].at(t_s).lift_mm):
            quad = quad_px(view, corners_3d(tracks[name].at(t_s), self.items[name].size_mm))
            head = {"id": facts[name]["id"], "kind": facts[name]["kind"], "quad": quad}
            seen.append(head | dict(facts[name]))
        return seen


class GameStage(HandTrips):
    """A table while its film is being made up.

    Attributes:
        items: Every thing by the id of its track.
        facts: What is true of things that a truth file names.
    """

    def __init__(self, rng: Rng, camera: Camera, seats: Mapping[str, Seat]) -> None:
        """Begins with an empty table."""
        super().__init__(rng, partial(is_outside, camera.view), seats)
        self.items: dict[str, Item] = {}
        self.facts: dict[str, Mapping[str, Any]] = {}

    def add(
        self,
        name: str,
        item: Item,
        facts: Mapping[str, Any] | None = None,
        source: Pose | None = None,
    ) -> None:
        """Puts a thing where it lies, or at its source from where it will be carried there."""
        self.items[name], self.tracks[name] = item, Track(source or pose_of(item))
        if facts is not None:
            self.facts[name] = facts

    def shoot(self, camera: Camera, kind: Circumstances, fps: int) -> GameTake:
        """Draws light, hands and table by lot, once everything has been made up."""
        rng = self.rng
        trips = tuple(sorted(self.trips, key=lambda trip: trip.start_s))
        end_s = max((trip.end_s for trip in trips), default=0.5) + _END_S
        motion = Choreography(self.tracks, trips, (), (), end_s)
        angle, steep = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.3, 0.6))
        slant = (steep * float(np.cos(angle)), steep * float(np.sin(angle)))
        shadows = Shadows(slant, float(rng.uniform(0.1, 0.3)), 0.5)
        light = replace(sample_light(rng, kind), gamma=1.0)
        places = Places((0.0, 0.0), (), tuple(self.seats.values()), {}, ())
        props = self._make_props(camera, shadows, kind)
        sensor = Sensor(float(rng.uniform(0.8, 2.5)), None, 0.0, None, int(rng.integers(2**31)))
        filmed = Filmed(motion, places, shadows, light, 0.5 / fps)
        return GameTake(motion, self.items, self.facts, camera, filmed, props, sensor, fps)

    def _make_props(self, camera: Camera, shadows: Shadows, kind: Circumstances) -> Props:
        spots, _ = camera.view.project(np.asarray([[-50, 0], [50, 0]], np.float64))
        scale = float(np.hypot(*(spots[1] - spots[0]))) / 100
        sprites: dict[str, Sprite] = {}
        for name, item in self.items.items():
            if (item.file or name) not in sprites:
                sprites[item.file or name] = make_sprite(item.art, item.size_mm, scale)
        faces = {name: sprites[item.file or name] for name, item in self.items.items()}
        lamp = (-shadows.slant[0] * 2, -shadows.slant[1] * 2)
        hands = {}
        for player in self.seats:
            arm = arms.draw_arm(self.rng, arms.sample_look(self.rng, lamp))
            hands[player] = (arm, make_sprite(arm.art, arm.size_mm, scale))
        table = sample_ground(self.rng, kind, held=False)
        return Props(faces, {"task": faces[PILE]}, hands, table)


def pose_of(item: Item) -> Pose:
    """Returns where the upper side of a thing is."""
    x, y = item.at_mm
    return Pose(float(x), float(y), item.angle, item.lift_mm + item.thick_mm)
