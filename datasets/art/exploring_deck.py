"""Our deck for Exploring Galapagos: 18 Habitat cards and their back.

The cards are dealt so that nothing follows from anything else: every pair of time and method is
there twice, with different impact; each method, time and number of icons is on cards with twelve
animals in all; there are nine animals of each colour (three at each time) and twelve in each zone.
Low and high values, which decide who leads, are alike in this.
"""

from collections.abc import Iterator

from datasets.art.deck_plan import DeckPlan, Face
from datasets.art.habitat import back_face, habitat_face

CARD_PX = (441, 616)
"""Seven pixels a millimetre."""

Animals = tuple[tuple[str, str], ...]
_COLORS = {"B": "gray-bird", "F": "blue-fish", "M": "orange-mammal", "R": "green-reptile"}

CARDS: tuple[tuple[str, str, int, str], ...] = (
    ("time", "morning", 0, "B-sky R-sea B-land"),
    ("time", "day", 1, "B-sea"),
    ("time", "night", 2, "R-sea M-land"),
    ("color", "morning", 1, "F-sky R-sea M-land"),
    ("color", "day", 2, "M-sea R-land"),
    ("color", "night", 0, "M-sky"),
    ("zone", "morning", 2, "R-land"),
    ("zone", "day", 0, "B-sky F-sea R-land"),
    ("zone", "night", 1, "B-land R-land"),
    ("time", "morning", 1, "B-sky M-sky"),
    ("time", "day", 2, "F-sky M-sky F-sea"),
    ("time", "night", 0, "M-sea"),
    ("color", "morning", 2, "F-sea"),
    ("color", "day", 0, "B-sky R-land"),
    ("color", "night", 1, "B-sky F-sky B-land"),
    ("zone", "morning", 0, "F-sea M-land"),
    ("zone", "day", 1, "M-land"),
    ("zone", "night", 2, "F-sky F-sea R-sea"),
)
"""Method, time, impact and animals of each card, by value from 1."""


def plan_deck() -> DeckPlan:
    """The deck as it is written into its pack."""
    faces = (*_habitats(), Face("back-habitat", "back", "of: habitat", back_face()))
    return DeckPlan("exploring-galapagos", "Paper Islands", (63, 88), CARD_PX, faces)


def animals_of(letters: str) -> Animals:
    """Colour and zone of each animal, from letters such as `B-sky R-sea`."""
    pairs = (entry.split("-") for entry in letters.split())
    return tuple((_COLORS[letter], zone) for letter, zone in pairs)


def _habitats() -> Iterator[Face]:
    for value, (method, time, impact, letters) in enumerate(CARDS, 1):
        animals = animals_of(letters)
        shown = ", ".join(f"{{color: {color}, zone: {zone}}}" for color, zone in animals)
        entry = (
            f"value: {value}, method: {method}, time: {time}, impact: {impact}, animals: [{shown}]"
        )
        svg = habitat_face(value, method, time, impact, animals)
        yield Face(f"h{value:02}", "habitat", entry, svg)
