"""Which animal is at home where."""

from collections.abc import Callable
from types import MappingProxyType

from datasets.art import island_beasts, island_birds
from datasets.art.svg import Part

ANIMALS: MappingProxyType[tuple[str, str], Callable[[], Part]] = MappingProxyType(
    {
        ("gray-bird", "sky"): island_birds.bird_flying,
        ("gray-bird", "sea"): island_birds.bird_swimming,
        ("gray-bird", "land"): island_birds.bird_standing,
        ("blue-fish", "sky"): island_birds.fish_flying,
        ("blue-fish", "sea"): island_birds.fish_swimming,
        ("orange-mammal", "sky"): island_beasts.mammal_flying,
        ("orange-mammal", "sea"): island_beasts.mammal_swimming,
        ("orange-mammal", "land"): island_beasts.mammal_walking,
        ("green-reptile", "sea"): island_beasts.reptile_swimming,
        ("green-reptile", "land"): island_beasts.reptile_walking,
    }
)
"""How an animal of a colour looks in a zone; no fish walks and no reptile flies in our deck."""
