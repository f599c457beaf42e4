"""A recording before it is filmed: all that its recipe leaves to chance, drawn by lot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from datasets.art.paint import Image, Rng
from datasets.choreography import Choreography, choreograph
from datasets.degrade import Blob, Light, sample_light
from datasets.filming import Film, Filmed
from datasets.items import Shadows
from datasets.play import Cards, sample_rounds, sample_setting
from datasets.props import make_props
from datasets.seating import Places, Tidiness, sample_places, sample_tidiness
from datasets.sensor import Dip, Exposures, Sensor
from datasets.viewpoint import Viewpoint, aim
from referee.decks import Deck
from referee.games.galapa_go.model import AnimalCard, Special, Task, Variant

TICKS = 90_000  # of the recording's clock in a second
PERTURBATIONS = ("dim", "drift", "bump", "drop", "vfr", "rotate", "rest", "jpeg", "upside-down")
_BUMP_S = 0.45


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the frames and the truth of a recording.

    Attributes:
        seed: Same seed, same frames.
        size: Width and height of the picture as people see it.
        fps: Frames a second.
        seats: Number of players, 2 to 6.
        scenarios: What the rounds show, names of `datasets.play.SCENARIOS`.
        table: A wood of `datasets.art.tabletops`, or "any".
        variant: Normal or complex.
        perturbations: Names of `PERTURBATIONS`.
        won: The most cards that a player has won before.
        tilt_deg: Of the camera, from straight down.
        is_plain: Whether light and camera are kind, as for a demonstration.
    """

    seed: int
    size: tuple[int, int] = (1280, 720)
    fps: int = 30
    seats: int = 3
    scenarios: tuple[str, ...] = ("plain", "plain")
    table: str = "oak"
    variant: Variant = Variant.NORMAL
    perturbations: tuple[str, ...] = ()
    won: int = 0
    tilt_deg: float = 26.0
    is_plain: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """A recording before it is filmed.

    Attributes:
        recipe: What it was made from.
        ticks: Time of every frame, in `TICKS` a second; the first is 0.
        motion: Who moves what when.
        places: Where things lie.
        view: The camera before a bump.
        bumped: The camera after it, and when it was bumped; None where it was not.
        filmed: What the film shows, and by what light.
        sensor: What the camera does to them.
    """

    recipe: Recipe
    ticks: tuple[int, ...]
    motion: Choreography
    places: Places
    view: Viewpoint
    bumped: tuple[Viewpoint, float] | None
    filmed: Filmed
    sensor: Sensor

    def film(self, deck: Deck) -> Film:
        """Makes the pictures of everything, and what draws the frames from them, free of noise."""
        rng = np.random.default_rng(np.random.SeedSequence([self.recipe.seed, 0x9F]))
        lit = (self.view, self.filmed.shadows)
        props = make_props(rng, deck, self.motion.tracks, self.recipe.table, lit)
        return Film(self.filmed, props, self.view_at)

    def frames(self, deck: Deck) -> Iterator[Image]:
        """Draws the frames one after the other, BGR."""
        film, exposures = self.film(deck), Exposures(self.sensor, self.recipe.size)
        for tick in self.ticks:
            yield exposures.expose(film.frame(tick / TICKS), tick / TICKS)

    def view_at(self, t_s: float) -> Viewpoint:
        """Returns the camera at a time: a bump moves it."""
        return _view_at(self.view, self.bumped, t_s)

    def first_frame_s(self, t_s: float) -> float:
        """Returns the time of the first frame that is not before a moment."""
        index = int(np.searchsorted(np.asarray(self.ticks) / TICKS, t_s - 1e-9))
        return round(self.ticks[min(index, len(self.ticks) - 1)] / TICKS, 6)


def prepare(recipe: Recipe, deck: Deck) -> Take:
    """Draws everything by lot that happens in a recording."""
    rng = np.random.default_rng(np.random.SeedSequence([recipe.seed, 0x6A]))
    setting = sample_setting(rng, recipe.seats, recipe.variant, recipe.won)
    rounds = sample_rounds(rng, cards_of(deck), setting, recipe.scenarios)
    tidy = Tidiness(11.0, 1.0, 0.02, 0.0) if recipe.is_plain else sample_tidiness(rng)
    places = sample_places(rng, deck.card_mm, recipe.seats, tidy)
    view = fit_view(rng, recipe, places)
    motion = choreograph(
        rng,
        rounds,
        places,
        lambda x, y: is_outside(view, x, y),
        rests="rest" in recipe.perturbations,
    )
    bumped = _sample_bump(rng, view, motion) if "bump" in recipe.perturbations else None
    shadows, light = _sample_light(rng, recipe)
    filmed = Filmed(motion, places, shadows, light, float(rng.uniform(0.006, 0.014)))
    ticks = _sample_ticks(rng, recipe, motion.end_s)
    return Take(
        recipe, ticks, motion, places, view, bumped, filmed, _sample_sensor(rng, recipe, motion)
    )


def cards_of(deck: Deck) -> Cards:
    """Sorts the cards of a deck by what they are for."""
    pieces = deck.pieces
    return Cards(
        tuple(p for p in pieces if isinstance(p, AnimalCard)),
        tuple(p for p in pieces if isinstance(p, Task)),
        tuple(p for p in pieces if isinstance(p, Special)),
    )


def fit_view(rng: Rng, recipe: Recipe, places: Places) -> Viewpoint:
    """Places the camera as near as all that lies on the table allows."""
    plain = recipe.is_plain
    azimuth = float(rng.normal(0, 0.01 if plain else 0.06)) + (
        np.pi if "upside-down" in recipe.perturbations else 0.0
    )
    roll = 0.0 if plain else float(rng.normal(0, 0.02))
    focal = float(rng.uniform(0.68, 0.9))
    k1 = -0.02 if plain else float(rng.uniform(-0.09, 0.02))
    spots = places.reach()
    middle = (spots.min(0) + spots.max(0)) / 2
    target = (float(middle[0]), float(middle[1]))
    if recipe.size[1] > recipe.size[0]:
        azimuth += np.pi / 2
    size, tilt = np.asarray(recipe.size, np.float64), float(np.radians(recipe.tilt_deg))
    margin = (26 if "bump" in recipe.perturbations else 8) * size.max() / 1280
    near, far = 300.0, 4000.0
    for _ in range(24):
        distance = (near + far) / 2
        view = aim(recipe.size, focal, tilt, azimuth, roll, distance, target, k1)
        pixels, seen = view.project(spots)
        pixels = view.distort(pixels)
        fits = seen and bool((pixels >= margin).all() and (pixels <= size - margin).all())
        near, far = (near, distance) if fits else (distance, far)
    return aim(recipe.size, focal, tilt, azimuth, roll, far, target, k1)


def is_outside(view: Viewpoint, x_mm: float, y_mm: float) -> bool:
    """Tells whether a point of the table plane lies well outside the picture."""
    pixels, seen = view.project(np.asarray([[x_mm, y_mm]], np.float64))
    margin = 0.06 * max(view.size)
    x, y = pixels[0]
    return not seen or not (
        -margin < x < view.size[0] + margin and -margin < y < view.size[1] + margin
    )


def _sample_bump(rng: Rng, view: Viewpoint, motion: Choreography) -> tuple[Viewpoint, float]:
    staged = motion.rounds[int(rng.integers(len(motion.rounds)))]
    at = staged.task_s + float(rng.uniform(0.3, max(0.5, staged.played.over_s - 0.5)))
    dx, dy = rng.uniform(8, 20, 2) * rng.choice((-1, 1), 2) * max(view.size) / 1280
    return _shaken(view, float(dx), float(dy), float(rng.normal(0, 0.006))), at


def _shaken(view: Viewpoint, dx: float, dy: float, roll: float) -> Viewpoint:
    """Returns a camera that was turned a little, so that the picture shifts by pixels."""
    middle = np.asarray(view.size, np.float64) / 2
    cos, sin = np.cos(roll), np.sin(roll)
    turn = np.asarray([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float64)
    turn[:2, 2] = middle - turn[:2, :2] @ middle + (dx, dy)
    return replace(view, matrix=np.asarray(turn @ view.matrix, np.float64))


def _view_at(view: Viewpoint, bumped: tuple[Viewpoint, float] | None, t_s: float) -> Viewpoint:
    if bumped is None or t_s < bumped[1]:
        return view
    after, since = bumped[0], t_s - bumped[1]
    if since >= _BUMP_S:
        return after
    swing = float(np.cos(since * 38) * np.exp(-since * 7))
    return replace(
        after, matrix=np.asarray(after.matrix + (view.matrix - after.matrix) * swing, np.float64)
    )


def _sample_light(rng: Rng, recipe: Recipe) -> tuple[Shadows, Light]:
    angle = float(rng.uniform(0.5, 1.1) if recipe.is_plain else rng.uniform(0, 2 * np.pi))
    steep = float(rng.uniform(0.35, 0.6))
    shadows = Shadows(
        (steep * float(np.cos(angle)), steep * float(np.sin(angle))),
        float(rng.uniform(0.1, 0.3)),
        0.55,
    )
    if recipe.is_plain:
        lamps = (Blob(0.32, 0.18, 0.75, 1.5, 0.2),)
        return shadows, Light(
            0.97, (0.97, 1.0, 1.03), (-0.05, -0.07), lamps, (), 0.0, 1.0, (), 0.07, 1.0
        )
    return shadows, _tamed(sample_light(rng))


def _tamed(light: Light) -> Light:
    """Keeps a light within what people play by: no card is burnt out or lost in the dark."""
    slope_x, slope_y = np.clip(light.slope, -0.22, 0.22)
    blue, green, red = np.clip(light.gains, 0.86, 1.14)
    lamps = [replace(b, strength=float(np.clip(b.strength, -0.25, 0.25))) for b in light.lamps[:2]]
    return replace(
        light,
        exposure=float(np.clip(light.exposure, 0.62, 1.0)),
        gains=(float(blue), float(green), float(red)),
        slope=(float(slope_x), float(slope_y)),
        lamps=tuple(lamps),
        glare=tuple(replace(b, strength=min(b.strength, 90.0)) for b in light.glare[:1]),
        shade_depth=min(light.shade_depth, 0.4),
        gamma=1.0,
    )


def _sample_sensor(rng: Rng, recipe: Recipe, motion: Choreography) -> Sensor:
    dip = None
    if "dim" in recipe.perturbations:
        first = motion.rounds[0]
        start = first.task_s + float(rng.uniform(0.2, max(0.4, first.played.over_s - 0.6)))
        dip = Dip(start, start + float(rng.uniform(0.9, 1.5)), float(rng.uniform(0.3, 0.5)))
    drift = float(rng.uniform(0.1, 0.2)) if "drift" in recipe.perturbations else 0.0
    jpeg = int(rng.integers(22, 40)) if "jpeg" in recipe.perturbations else None
    noise = 1.0 if recipe.is_plain else float(rng.uniform(1.0, 3.5))
    return Sensor(noise, dip, drift, jpeg, int(rng.integers(2**31)))


def _sample_ticks(rng: Rng, recipe: Recipe, end_s: float) -> tuple[int, ...]:
    step = TICKS // recipe.fps
    count = int(np.ceil(end_s * recipe.fps)) + 1
    steps = np.full(count, step, np.int64)
    if "vfr" in recipe.perturbations:
        steps = (steps * rng.uniform(0.6, 1.55, count)).astype(np.int64)
    ticks = np.concatenate([[0], np.cumsum(steps)[:-1]])
    if "drop" in recipe.perturbations:
        kept = rng.random(count) > 0.06
        for start in rng.integers(0, count, 3):
            kept[start : start + 3] = False
        kept[0] = kept[-1] = True
        ticks = ticks[kept]
    return tuple(int(tick) for tick in ticks)
