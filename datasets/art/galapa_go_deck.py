"""The cards of our Galapa Go deck: 30 Animal, 55 Task, 14 Special, 6 Camera cards and 2 backs."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from datasets.art import galapa_go as faces
from datasets.art.animals import SPECIES
from datasets.art.deck_plan import DeckPlan, Face

PLAYERS = ("red", "yellow", "green", "blue", "orange", "purple")
SPECIALS = (
    *("any-unusual",) * 3,
    *("any-normal",) * 3,
    *("most",) * 3,
    *("least",) * 3,
    *("memory",) * 2,
)
CRAB_STATES: tuple[tuple[str, ...], ...] = ((), ("red",), ("blue",), ("red", "blue"))
PAIRS = (
    ("lion", "crocodile"),
    ("gorilla", "lion"),
    ("giraffe", "gorilla"),
    ("giraffe", "elephant"),
    ("elephant", "crocodile"),
)
"""The cards with two normal animals, the one behind first; each species is on two of them."""


def plan_deck() -> DeckPlan:
    """The deck as it is written into its pack; seven pixels a millimetre, about 180 dpi."""
    return DeckPlan("galapa-go", "Paper Safari", (63, 88), (441, 616), build_faces())


def build_faces() -> tuple[Face, ...]:
    """Every face of the deck, in the order of its file."""
    return (*_animals(), *_tasks(), *_specials(), *_cameras(), *_backs())


def animal_cards() -> tuple[tuple[tuple[tuple[str, str], ...], tuple[str, ...], int], ...]:
    """Animals, crabs and backdrop of the 30 Animal cards: 20 crosses, 5 singles, 5 doubles.

    Crabs and backdrops are dealt so that neither follows from the head or from the body.
    """
    count = len(SPECIES)
    crosses = tuple(
        (
            ((SPECIES[head], SPECIES[(head + step) % count]),),
            CRAB_STATES[(step - 1 + 2 * head) % 4],
            head + 2 * ((head + step) % count),
        )
        for head in range(count)
        for step in range(1, count)
    )
    singles = tuple((((name, name),), CRAB_STATES[i % 4], 3 * i) for i, name in enumerate(SPECIES))
    doubles = tuple(
        (((behind, behind), (front, front)), CRAB_STATES[(1, 2, 0, 1, 2)[i]], i + 1)
        for i, (behind, front) in enumerate(PAIRS)
    )
    return crosses + singles + doubles


def task_cards() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """What each of the 55 Task cards requires and forbids, from easy to hard."""
    crabs = ("red-crab", "blue-crab")
    after = {name: SPECIES[(i + 1) % len(SPECIES)] for i, name in enumerate(SPECIES)}
    alternate = {name: crabs[i % 2] for i, name in enumerate(SPECIES)}
    tasks: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    tasks += [((feature,), ()) for feature in (*SPECIES, *crabs)]
    tasks += [(pair, ()) for pair in combinations(SPECIES, 2)]
    tasks += [((name, crab), ()) for name in SPECIES for crab in crabs]
    tasks += [((name,), (crab,)) for name in SPECIES for crab in crabs]
    tasks += [((name,), (after[name],)) for name in SPECIES]
    tasks += [((), (name, after[name])) for name in SPECIES]
    tasks += [(crabs, ()), ((), crabs)]
    tasks += [((name, alternate[name]), (after[after[name]],)) for name in SPECIES]
    tasks += [((), ("crocodile", "giraffe", "gorilla"))]
    return tuple(tasks)


def _animals() -> Iterator[Face]:
    for index, (animals, crabs, backdrop) in enumerate(animal_cards(), 1):
        shown = ", ".join(f"{{head: {head}, body: {body}}}" for head, body in animals)
        entry = f"animals: [{shown}]" + _listed("crabs", crabs)
        yield Face(f"a{index:02}", "animal", entry, faces.animal_face(animals, crabs, backdrop))


def _tasks() -> Iterator[Face]:
    for index, (require, forbid) in enumerate(task_cards(), 1):
        entry = (_listed("require", require) + _listed("forbid", forbid)).removeprefix(", ")
        yield Face(f"t{index:02}", "task", entry, faces.task_face(require, forbid))


def _specials() -> Iterator[Face]:
    for index, special in enumerate(SPECIALS, 1):
        variant = SPECIALS[: index - 1].count(special)
        svg = faces.special_face(special, variant)
        yield Face(f"s{index:02}", "special", f"special: {special}", svg)


def _cameras() -> Iterator[Face]:
    for player in PLAYERS:
        yield Face(f"cam-{player}", "camera", f"player: {player}", faces.camera_face(player))


def _backs() -> Iterator[Face]:
    for of in ("animal", "task"):
        yield Face(f"back-{of}", "back", f"of: {of}", faces.back_face(of))


def _listed(key: str, names: Sequence[str]) -> str:
    return f", {key}: [{', '.join(names)}]" if names else ""
